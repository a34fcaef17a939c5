/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer's target for ARFF data: no crash, and what is taken survives being written and read again, also with tabs
 * between its fields. */
#include "core/data/dataset_arff.h"
#include "fuzz_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void assert_same(const dataset *data, const dataset *again) {
    char print[DATASET_FINGERPRINT_SIZE], print_again[DATASET_FINGERPRINT_SIZE];
    if (dataset_fingerprint(data, print, NULL) != STATUS_OK ||
        dataset_fingerprint(again, print_again, NULL) != STATUS_OK || strcmp(print, print_again) != 0)
        abort();
}

static void assert_survives(const dataset *data) {
    text_buffer text = {0};
    dataset *again = NULL;
    dataset_append_arff(data, "fuzz", &text);
    if (dataset_parse_arff(text.data, text.length, NULL, &again, NULL, NULL) != STATUS_OK)
        abort();
    assert_same(data, again);
    dataset_destroy(again);
    text_buffer_clear(&text);
}

/* With the state spaces given, for some states no row may show. */
static void assert_survives_tabs(const dataset *data) {
    size_t n = dataset_column_count(data);
    variable *given = calloc(n, sizeof *given); /* shallow */
    text_buffer text = {0};
    dataset *again = NULL;
    if (!given)
        return;
    for (size_t c = 0; c < n; c++)
        given[c] = *dataset_variable(data, c);
    dataset_append_separated(data, '\t', &text);
    if (dataset_parse_csv_of("x.tsv", text.data, text.length, &(data_reading){.given = given, .n_given = n}, &again,
                             NULL, NULL) != STATUS_OK)
        abort();
    assert_same(data, again);
    dataset_destroy(again);
    text_buffer_clear(&text);
    free(given);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dataset *read = NULL;
    error_info err = {0};
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    (void)arff_may_be(text, size);
    if (dataset_parse_arff(text, size, NULL, &read, NULL, &err) == STATUS_OK) {
        assert_survives(read);
        assert_survives_tabs(read);
    } else if (err.message[0] == '\0') {
        abort();
    }
    dataset_destroy(read);
    free(text);
    return 0;
}
