/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources of data sets, in every form, and policies of a store: what is made of them must read back. */
#include "core/data/dataset_csv.h"
#include "generators/catalogue/dataset_convert.h"
#include "parts/figures/policy_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const dataset_column columns[] = {{"x", 0, 3, false}, {"kind", 2, 2, true}, {"y", 1, 3, false}};

static void convert(source_form form, const char *text, size_t size) {
    const dataset_entry entry = {.name = "small",
                                 .n_columns = 3,
                                 .columns = columns,
                                 .form = form,
                                 .n_fields = 3,
                                 .n_left_out = 1,
                                 .header_end = "class"};
    text_buffer csv = {0};
    dataset *read = NULL;
    error_info err = {0};
    if (dataset_convert(&entry, text, size, &csv, &err) == STATUS_OK)
        (void)(dataset_parse_csv(csv.data, csv.length, NULL, &read, NULL, &err) == STATUS_OK);
    dataset_destroy(read);
    text_buffer_clear(&csv);
}

static void read_policy(const char *text, size_t size) {
    char *copy = text_copy_n(text, size);
    policy_table t = {0}, again = {0};
    text_buffer csv = {0};
    error_info err = {0};
    if (copy && policy_table_parse(copy, &t, &err) == STATUS_OK) {
        policy_table_append_csv(&t, &csv);
        if (!csv.failed && (policy_table_parse(csv.data, &again, &err) != STATUS_OK || again.n_columns != t.n_columns))
            abort();
    }
    policy_table_clear(&t);
    policy_table_clear(&again);
    text_buffer_clear(&csv);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const source_form forms[] = {SOURCE_FORM_CSV, SOURCE_FORM_NAMED_CSV, SOURCE_FORM_WORDS, SOURCE_FORM_ARFF};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        convert(forms[i], (const char *)data, size);
    read_policy((const char *)data, size);
    return 0;
}
