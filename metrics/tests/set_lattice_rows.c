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

static size_t words_of(size_t rows) {
    return (rows + WORD - 1) / WORD;
}

static size_t strips_of(const walk *w, size_t lane, size_t depth) {
    return (words_of(w->lane_rows[lane]) + depth - 1) / depth;
}

/* The least depth at which the strips of all lanes are few enough. The first lane is the largest. */
static size_t find_depth(const walk *w) {
    size_t least = (w->n_rows + LANES * WORD - 1) / (LANES * WORD);
    for (size_t depth = least;; depth++) {
        size_t n = 0, most = 0;
        for (size_t lane = 0; lane < w->n_lanes; lane++) {
            size_t n_strips = strips_of(w, lane, depth);
            n += n_strips;
            most = n_strips > most ? n_strips : most;
        }
        if (n <= LANES && most <= MOST_STRIPS)
            return depth;
    }
}

/* Strip k of a lane that has n of them. */
static void give_strip(walk *w, size_t lane, size_t k, size_t n) {
    strip_plan *s = &w->strips;
    if (k > 0) {
        s->further[k - 1][lane] = (uint32_t)s->n;
        s->has[k - 1] = (uint16_t)(s->has[k - 1] | 1U << lane);
    }
    s->n_further = k > s->n_further ? k : s->n_further;
    s->lane[s->n] = (uint32_t)lane;
    s->depth[s->n++] = (uint32_t)((words_of(w->lane_rows[lane]) + n - 1) / n);
}

static void give_strips(walk *w) {
    size_t depth = find_depth(w);
    w->strips = (strip_plan){0};
    for (size_t k = 0; k < MOST_STRIPS; k++) {
        for (size_t lane = 0; lane < w->n_lanes; lane++) {
            size_t n = strips_of(w, lane, depth);
            if (k < n)
                give_strip(w, lane, k, n);
        }
    }
}

/* Vectors are as deep as the deepest of their strips. */
static void give_depths(walk *w) {
    w->n_sides = (w->strips.n + SIDE - 1) / SIDE;
    w->n_words = 0;
    for (size_t side = 0; side < w->n_sides; side++) {
        w->depth[side] = 0;
        for (size_t i = 0; i < SIDE; i++) {
            size_t depth = w->strips.depth[side * SIDE + i];
            w->depth[side] = depth > w->depth[side] ? depth : w->depth[side];
        }
        w->n_words += SIDE * w->depth[side];
    }
}

static size_t strip_of(const walk *w, size_t lane, size_t k) {
    return k > 0 ? w->strips.further[k - 1][lane] : lane;
}

static void lay_words(walk *w) {
    size_t n = 0;
    for (size_t lane = 0; lane < w->n_lanes; lane++) {
        size_t depth = w->strips.depth[lane];
        w->first_word[lane] = n;
        for (size_t i = 0; i < words_of(w->lane_rows[lane]); i++) {
            size_t strip = strip_of(w, lane, i / depth), side = strip / SIDE;
            w->word_at[n++] = (uint32_t)(side * SIDE * w->depth[0] + i % depth * SIDE + strip % SIDE);
        }
    }
}

/* Gives the strata lanes, the largest first. */
static void give_lanes(walk *w, const stratum_size *sizes, size_t *lane_of) {
    memset(w->lane_rows, 0, sizeof w->lane_rows);
    for (w->n_lanes = 0; w->n_lanes < LANES && sizes[w->n_lanes].rows > 0; w->n_lanes++) {
        w->lane_rows[w->n_lanes] = sizes[w->n_lanes].rows;
        lane_of[sizes[w->n_lanes].stratum] = w->n_lanes;
    }
    give_strips(w);
    give_depths(w);
    lay_words(w);
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

/* Puts a row into a stratum of which so many rows are there. */
static inline void put_row(walk *w, const uint32_t *const words[LANES], size_t *n, size_t row) {
    size_t s = w->strata[row], at = n[s]++;
    w->order[words[s][at / WORD] * WORD + at % WORD] = (uint32_t)row;
}

static void put_rows(walk *w, const uint32_t *const words[LANES], quarter_counts n) {
    size_t quarter = w->n_rows / QUARTERS;
    for (size_t row = 0; row < quarter; row++) {
        for (size_t q = 0; q < QUARTERS; q++)
            put_row(w, words, n[q], q * quarter + row);
    }
    for (size_t row = QUARTERS * quarter; row < w->n_rows; row++)
        put_row(w, words, n[QUARTERS - 1], row);
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
    size_t lane_of[LANES] = {0};
    const uint32_t *words[LANES];
    find_strata(w, prefix, n);
    count_rows(w, before);
    add_up(before, sizes);
    qsort(sizes, LANES, sizeof *sizes, compare_sizes);
    give_lanes(w, sizes, lane_of);
    for (size_t s = 0; s < LANES; s++)
        words[s] = w->word_at + w->first_word[lane_of[s]];
    for (size_t i = 0; i < w->n_words * WORD; i++)
        w->order[i] = (uint32_t)w->n_rows;
    put_rows(w, words, before);
}
