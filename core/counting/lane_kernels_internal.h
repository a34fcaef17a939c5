/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The loops of a pass over all pairs, at the best level that the processor has. Columns lie side by side in lanes, so
 * that what a vector has in common with each of them needs no sum across a register, and the tables of all lanes are
 * summed at once. All levels count the same integers; sums of terms differ in their last bits.
 */
#ifndef BNB_CORE_COUNTING_LANE_KERNELS_INTERNAL_H
#define BNB_CORE_COUNTING_LANE_KERNELS_INTERNAL_H

#include "core/counting/pair_tables.h"

#include <stddef.h>
#include <stdint.h>

enum {
    KERNEL_LANES = 64,
    KERNEL_TILE = 16,    /* lanes that are worked on at once: blocks of few columns pay for no more than they fill */
    LANE_STEP_BITS = 32, /* rows that are counted in one step */
};

/** A table for each lane: KERNEL_LANES numbers by state of x and of the lane's column, but for the last states. */
typedef struct {
    const uint32_t *counts;
    size_t r_x, r_y;
    const uint32_t *x_margin;  /* by state of x */
    const uint32_t *y_margins; /* by state and lane */
    size_t n_lanes;            /* that are in use, from the first */
} lane_tables;

/** Cells, those of a stratum side by side, by the states of each lane's column. */
typedef struct {
    const uint32_t *counts;  /* by cell, state but the last, and lane */
    const uint32_t *tallies; /* by cell: its rows */
    const uint32_t *starts;  /* stratum i is cells starts[i] .. starts[i + 1] - 1 */
    size_t n_strata, r;      /* states of the lanes' columns */
    size_t n_lanes;          /* that are in use, from the first */
} lane_strata;

/** Cells of two columns by the states of each lane's column. The cells of the second column's last state are not
 * counted. */
typedef struct {
    lane_tables first;       /* of the first column */
    const uint32_t *counts;  /* as in lane_strata, of the other cells that have rows: at most LANE_MOST_CELLS */
    const uint32_t *tallies; /* by cell: its rows, and its states of the two columns, ascending by the second's: */
    const uint32_t *firsts, *seconds;
    size_t n_cells, r_second;
} lane_cross;

enum { LANE_MOST_CELLS = 64 };

/** A vector a cell, on 64 bytes, without rows past the steps, and the sets of lanes that they are counted with, as
 * `count` of lane_kernels takes them. */
typedef struct {
    const uint64_t *vectors;
    size_t n_words;
    const uint32_t *lanes;
    size_t n_steps;
} lane_vectors;

enum { LANE_MOST_ROW_SETS = 4 };

/** Of a row of so many sets. */
static inline size_t lane_row_words(size_t n_sets) {
    return n_sets == 3 ? 4 : n_sets;
}

typedef struct lane_kernels {
    const char *name;

    /**
     * Lays vectors side by side, as `count` of the same level reads them: what a step has of a tile, KERNEL_TILE
     * numbers from out[step * KERNEL_LANES + first lane of the tile] on, is in the level's own order. Zeros for the
     * lanes that are missing in the last tile in use, and past it nothing. A vector has whole lines of 64 bytes.
     */
    void (*lay)(const uint64_t *const *vectors, size_t n_lanes, size_t n_steps, uint32_t *out);

    /**
     * For the lanes of the tiles that the first n_lanes reach into, out[(i * n_sets + k) * KERNEL_LANES + lane]: ones
     * that vector i of `a` (n_words words each) has in common with the vector of that lane in set k, which was laid to
     * lanes + k * n_steps * KERNEL_LANES. To begin with a later tile, its first lane is added to `lanes` and to `out`;
     * then two tiles are the most.
     */
    void (*count)(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes, size_t n_sets, size_t n_steps,
                  size_t n_lanes, uint32_t *out);

    /** By lane, the sum of N log N over all r_x * r_y cells, each log to 1e-5; at most 2^24 rows. 0 past those tiles.
     */
    void (*sum_terms)(const lane_tables *t, float *out);

    /**
     * Of tables in strata: by lane, the sum of N log N over all cells less that over the strata's margins by state, and
     * the sum of (states with rows - 1) (cells of the stratum - 1). 0 past those tiles.
     */
    void (*sum_strata)(const lane_strata *t, float *sums, uint32_t *adjusted);

    /**
     * Of tables in strata, for the lanes of the tiles in use, what is not counted: rest[cell * KERNEL_LANES + lane] of
     * the last state, margins[(stratum * r + state) * KERNEL_LANES + lane]. starts[0] may be other than 0: counts and
     * tallies begin with that cell.
     */
    void (*complete)(const lane_strata *t, uint32_t *rest, uint32_t *margins);

    /**
     * Of tables of two columns given each lane's, of the tile that begins at a lane: the sum of N log N over all cells
     * and all states of the lane's column, less that over what the second column has of each state; and the sum of
     * (rows - 1) (columns - 1) of the states' tables, of those that have rows.
     */
    void (*sum_given)(const lane_cross *t, size_t first, float *sums, uint32_t *adjusted);

    /** Bit i: values[i] >= limits[i] + shift. */
    uint64_t (*at_least)(const float *values, const float *limits, float shift);

    /** Of KERNEL_TILE lanes, bit i: sums[i] - own[i] > limits[places[i]] + shift. `sums` and `places` lie on 64
     * bytes. */
    uint32_t (*above)(const float *sums, const float *own, const float *limits, const uint32_t *places, float shift);

    /**
     * Turns up to LANE_MOST_ROW_SETS sets of lanes: bit `lane` of rows[row * lane_row_words(n_sets) + k] is that row of
     * the lane in set k; of lanes that are not in use, anything. NULL, and so is the next one: bits are counted as
     * fast.
     */
    void (*turn)(const uint32_t *lanes, size_t n_sets, size_t n_steps, uint64_t *rows);

    /**
     * out[k * KERNEL_LANES + lane], of n rows: in how many does the lane have a one in set k? The list goes on to a
     * multiple of PAIR_ROWS_AT_ONCE with rows that have none.
     */
    void (*count_rows)(const uint64_t *rows, size_t n_sets, const uint16_t *list, size_t n, uint32_t *out);

    /** What sum_strata makes of the counts of all cells, without counts: those of `t` are not read, and its other
     * numbers are as there. What is past the tiles in use is left as it is. NULL: both take no longer. */
    void (*sum_vectors)(const lane_vectors *v, const lane_strata *t, float *sums, uint32_t *adjusted);
} lane_kernels;

/** Of the level that count_kernels_choose() takes. */
const lane_kernels *lane_kernels_choose(void);

/** Level i from the lowest, NULL past the last that this processor can run. */
const lane_kernels *lane_kernels_level(size_t i);

#endif
