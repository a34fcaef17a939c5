/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The configuration of some columns in each row as a number below 4 n + 64, for n rows, however large the space:
 * configurations are numbered as they occur once all of them would be too many.
 */
#ifndef BNB_DISCRETIZERS_INTEGRATED_ROW_CODES_H
#define BNB_DISCRETIZERS_INTEGRATED_ROW_CODES_H

#include "core/base/status.h"

#include <stdint.h>

/** Zero-initialise. */
typedef struct {
    size_t n;        /* rows */
    uint32_t *codes; /* below n_codes */
    size_t n_codes;
} row_codes;

/** No more codes than that. */
static inline size_t row_codes_most(size_t n_rows) {
    return 4 * n_rows + 64;
}

/** The codes of no column: every row has code 0. */
BNB_MUST_CHECK status row_codes_init(row_codes *c, size_t n_rows, error_info *err);
BNB_MUST_CHECK status row_codes_copy(const row_codes *from, row_codes *to, error_info *err);
void row_codes_clear(row_codes *c);

/** Adds a column of r states. The i-th code is that of row rows[i]. O(n). */
BNB_MUST_CHECK status row_codes_add(row_codes *c, const uint32_t *states, const uint32_t *rows, size_t r,
                                    error_info *err);

#endif
