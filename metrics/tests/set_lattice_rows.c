/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/set_lattice_walk_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t stratum, rows;
} stratum_size;

static int compare_sizes(const void *a, const void *b) {
    const stratum_size *x = a, *y = b;
    if (x->rows != y->rows)
        return x->rows < y->rows ? 1 : -1;
    return x->stratum < y->stratum ? -1 : x->stratum > y->stratum;
}

static void append_states(uint8_t *restrict strata, const uint8_t *restrict states, size_t n_rows) {
    for (size_t row = 0; row < n_rows; row++)
        strata[row] = (uint8_t)(strata[row] * STATES + states[row]);
}

static void find_strata(walk *w, const size_t *prefix, size_t n) {
    memset(w->strata, 0, w->n_rows);
    for (size_t i = 0; i < n; i++)
        append_states(w->strata, states_of(w, prefix[i]), w->n_rows);
}

/* Gives the strata lanes, the largest first, so that lanes side by side are of like depth. */
static void give_lanes(walk *w, const stratum_size *sizes, size_t *start) {
    w->n_words = 0;
    memset(w->lane_rows, 0, sizeof w->lane_rows);
    for (w->n_lanes = 0; w->n_lanes < LANES && sizes[w->n_lanes].rows > 0; w->n_lanes++) {
        size_t side = w->n_lanes / SIDE, lane = w->n_lanes % SIDE;
        if (lane == 0) {
            w->depth[side] = (sizes[w->n_lanes].rows + WORD - 1) / WORD;
            w->n_words += SIDE * w->depth[side];
        }
        w->lane_rows[w->n_lanes] = sizes[w->n_lanes].rows;
        start[sizes[w->n_lanes].stratum] = w->n_words - SIDE * w->depth[side] + lane;
    }
    w->n_sides = (w->n_lanes + SIDE - 1) / SIDE;
}

/* Quarters of the rows that are walked side by side: a counter's next use would wait for the last one. */
enum { QUARTERS = 4 };

typedef size_t quarter_counts[QUARTERS][LANES];

static void count_rows(const walk *w, quarter_counts n) {
    size_t quarter = w->n_rows / QUARTERS;
    for (size_t row = 0; row < quarter; row++) {
        for (size_t q = 0; q < QUARTERS; q++)
            n[q][w->strata[q * quarter + row]]++;
    }
    for (size_t row = QUARTERS * quarter; row < w->n_rows; row++)
        n[QUARTERS - 1][w->strata[row]]++;
}

/* Puts a row into a stratum of which so many rows are there, and whose words begin at `word`. */
static inline void put_row(walk *w, const size_t word[LANES], size_t *n, size_t row) {
    size_t s = w->strata[row], at = n[s]++;
    w->order[(word[s] + at / WORD * SIDE) * WORD + at % WORD] = (uint32_t)row;
}

static void put_rows(walk *w, const size_t word[LANES], quarter_counts n) {
    size_t quarter = w->n_rows / QUARTERS;
    for (size_t row = 0; row < quarter; row++) {
        for (size_t q = 0; q < QUARTERS; q++)
            put_row(w, word, n[q], q * quarter + row);
    }
    for (size_t row = QUARTERS * quarter; row < w->n_rows; row++)
        put_row(w, word, n[QUARTERS - 1], row);
}

/* Instead of the rows of every quarter, those of the quarters before it. */
static void add_up(quarter_counts n, stratum_size *sizes) {
    for (size_t s = 0; s < LANES; s++) {
        size_t before = 0;
        for (size_t q = 0; q < QUARTERS; q++) {
            size_t rows = n[q][s];
            n[q][s] = before;
            before += rows;
        }
        sizes[s] = (stratum_size){(uint32_t)s, (uint32_t)before};
    }
}

void set_lattice_sort_rows(walk *w, const size_t *prefix, size_t n) {
    stratum_size sizes[LANES + 1] = {0};
    quarter_counts before = {{0}};
    size_t word[LANES] = {0};
    find_strata(w, prefix, n);
    count_rows(w, before);
    add_up(before, sizes);
    qsort(sizes, LANES, sizeof *sizes, compare_sizes);
    give_lanes(w, sizes, word);
    for (size_t i = 0; i < w->n_words * WORD; i++)
        w->order[i] = (uint32_t)w->n_rows;
    put_rows(w, word, before);
}
