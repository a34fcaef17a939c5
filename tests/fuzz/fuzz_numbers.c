/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of numbers, as `bnbench stats` reads them. */
#include "store/number_table.h"
#include "tests/fuzz/fuzz_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const number_table *t) {
    size_t n_missing = 0;
    if (t->n_rows == 0 || t->n_columns == 0)
        abort();
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        n_missing += isnan(t->values[i]) != 0;
    if (n_missing != t->n_missing)
        abort();
    for (size_t c = 0; c < t->n_columns; c++) {
        if (number_table_column(t, t->columns[c]) != c)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    number_table t = {0};
    error_info err = {0};
    if (number_table_read(fuzz_file("numbers.csv", data, size), &t, &err) == STATUS_OK)
        look_at(&t);
    else if (err.message[0] == '\0')
        abort();
    number_table_clear(&t);
    return 0;
}
