/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The positions of values by falling value: a row of scores is put in order once and read from the top many times. */
#ifndef BNB_LEARNERS_SGS_ROW_ORDER_INTERNAL_H
#define BNB_LEARNERS_SGS_ROW_ORDER_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

/** Scratch. */
typedef struct {
    uint32_t key, position;
} row_place;

/** The positions of n values by falling value, ties ascending, into `order`. No NAN. `places` has room for 2 n. */
void row_order_find(const double *values, size_t n, row_place *places, uint32_t *order);

#endif
