/* SPDX-License-Identifier: GPL-3.0-or-later */
/** States of a column in 1, 2, 4 or 8 bits each, those of a byte from its lowest bits on (docs/file-formats.md). */
#ifndef BNB_CORE_DATA_PACKED_VALUES_H
#define BNB_CORE_DATA_PACKED_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Behind the values the bytes go on to a multiple of eight. */
typedef struct {
    const unsigned char *bytes; /* borrowed */
    size_t bits;                /* 0: there are none */
} packed_values;

/** Values `first` on, a multiple of eight, n of them, a byte each. */
void packed_values_unpack(const packed_values *v, size_t first, size_t n, uint8_t *out);

/** One of them. */
static inline size_t packed_values_at(const packed_values *v, size_t i) {
    size_t bit = i * v->bits;
    return (size_t)v->bytes[bit / 8] >> bit % 8 & (((size_t)1 << v->bits) - 1);
}

/** Is one of n values, or of what fills up their last 64 bits, n_states or more? */
bool packed_values_exceed(const packed_values *v, size_t n, size_t n_states);

#endif
