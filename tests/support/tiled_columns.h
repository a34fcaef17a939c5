/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Data of many columns that depend on each other in tiles. */
#ifndef BNB_TESTS_SUPPORT_TILED_COLUMNS_H
#define BNB_TESTS_SUPPORT_TILED_COLUMNS_H

#include "tests/support/support.h"

#include "core/base/random.h"

#include <stdlib.h>

/** Each column but the first of a tile goes by two before it, so that many are descendants of one; of two and of three
 * states in turn. */
static inline dataset *make_tiled_columns(random_stream *random, size_t n_columns, size_t n_rows) {
    enum { TILE = 12 };
    size_t *n_states = calloc(n_columns, sizeof *n_states);
    int *cells = calloc(n_rows * n_columns, sizeof *cells);
    dataset *data;
    assert_non_null(n_states);
    assert_non_null(cells);
    for (size_t c = 0; c < n_columns; c++) {
        size_t a = c - 1 - (size_t)random_below(random, 3), b = c - 1 - (size_t)random_below(random, 4);
        bool is_free = c < 4 || c % TILE == 0;
        n_states[c] = 2 + c % 2;
        for (size_t i = 0; i < n_rows; i++) {
            int *row = cells + i * n_columns, r = (int)n_states[c];
            bool is_noise = is_free || random_below(random, 8) == 0;
            row[c] = is_noise ? (int)random_below(random, n_states[c]) : (row[a] + row[b]) % r;
        }
    }
    data = make_dataset(n_rows, n_columns, n_states, cells);
    free(n_states);
    free(cells);
    return data;
}

#endif
