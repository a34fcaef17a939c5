/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Two functions of a count in whole numbers, small enough that registers hold them: sums of one over the cells of
 * tables, less those of the other over the tables' margins, are bounded from above with 16-bit look-ups.
 *
 * A stratum is a set of rows that a table is of. As its cells add up to its margins, a multiple of the count that is
 * taken off both functions changes no difference of the sums: so the numbers are kept small.
 */
#ifndef BNB_CORE_COUNTING_SLAB_VALUES_H
#define BNB_CORE_COUNTING_SLAB_VALUES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SLAB_EXACT = 64,       /* counts below have an entry each */
    SLAB_MOST_ROWS = 1023, /* of a stratum */
    SLAB_MOST_STATES = 8,  /* of a column that its tables are with */
    SLAB_MOST_TERMS = 16   /* numbers of a small stratum of which the sum fits 16 bits */
};

_Static_assert(2 * (int)SLAB_MOST_STATES <= (int)SLAB_MOST_TERMS, "a cell and its margin");

/** Entries of 16 bits by bytes: registers look bytes up where they do not hold as many words. */
typedef struct {
    uint8_t low[SLAB_EXACT], high[SLAB_EXACT];
} slab_bytes;

/**
 * In strata of fewer than SLAB_EXACT rows: small[N]. In larger ones: exact[N] for N < SLAB_EXACT; for more, with
 * i = N >> shift and `rest` the other bits of N, from[i] + slope[i] * rest / 2^(shift + 1), rounded down.
 */
typedef struct {
    _Alignas(64) int16_t small[SLAB_EXACT];
    int16_t exact[SLAB_EXACT], from[SLAB_EXACT], slope[SLAB_EXACT];
    slab_bytes small_bytes, exact_bytes, from_bytes, slope_bytes; /* the same */
} slab_function;

typedef struct {
    slab_function cell, row;                /* nowhere below the first function, and nowhere above the second */
    _Alignas(64) int16_t alone[SLAB_EXACT]; /* cell.small less row.small: of strata of one cell */
    slab_bytes alone_bytes;
    uint32_t shift;
    double unit; /* 1 is so many; a power of two */
} slab_values;

/**
 * Of functions that are given for the counts 0 .. most (at most SLAB_MOST_ROWS): for strata of as many rows at most.
 * False where they do not fit; `out` is undefined then.
 */
bool slab_values_set(slab_values *out, const double *cell, const double *row, uint32_t most);

/** The number of a count in a stratum of fewer than SLAB_EXACT rows, or in a larger one. */
static inline int32_t slab_values_at(const slab_values *v, const slab_function *f, uint32_t count, bool is_small) {
    uint32_t rest = count << (15 - v->shift) & 0x7FFF, i = count >> v->shift;
    if (is_small)
        return f->small[count];
    return count < SLAB_EXACT ? f->exact[count] : f->from[i] + (f->slope[i] * (int32_t)rest >> 16);
}

#endif
