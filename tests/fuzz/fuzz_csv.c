/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer's target for CSV data: no crash, and what is taken survives being written and read again. */
#include "core/data/dataset_csv.h"
#include "fuzz_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* With the state spaces given, since a state that no row shows cannot be inferred. */
static void assert_survives(const dataset *data) {
    size_t n = dataset_column_count(data);
    text_buffer text = {0};
    variable *given = calloc(n, sizeof *given); /* shallow */
    dataset *again = NULL;
    char print[DATASET_FINGERPRINT_SIZE], print_again[DATASET_FINGERPRINT_SIZE];
    if (!given)
        return;
    for (size_t c = 0; c < n; c++)
        given[c] = *dataset_variable(data, c);
    dataset_append_csv(data, &text);
    if (dataset_parse_csv(text.data, text.length, &(data_reading){.given = given, .n_given = n}, &again, NULL, NULL) !=
            STATUS_OK ||
        dataset_fingerprint(data, print, NULL) != STATUS_OK ||
        dataset_fingerprint(again, print_again, NULL) != STATUS_OK || strcmp(print, print_again) != 0)
        abort();
    dataset_destroy(again);
    free(given);
    text_buffer_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dataset *read = NULL;
    error_info err = {0};
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    if (dataset_parse_csv(text, size, NULL, &read, NULL, &err) == STATUS_OK)
        assert_survives(read);
    else if (err.message[0] == '\0')
        abort();
    dataset_destroy(read);
    free(text);
    return 0;
}
