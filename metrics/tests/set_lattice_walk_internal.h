/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * How the sets of a lattice are counted. They are walked by prefix: the rows are sorted by the one or two columns of a
 * prefix, and the words of their strata lie side by side in strips, so that one AND of vectors and one count of ones
 * serve eight words. A large stratum has several strips, so that strips are of like depth; the counts have one lane a
 * stratum. Of two and three further columns only the cells without last states are counted; the others are what smaller
 * tables leave. Inlined for each level of the processor.
 */
#ifndef BNB_METRICS_TESTS_SET_LATTICE_WALK_INTERNAL_H
#define BNB_METRICS_TESTS_SET_LATTICE_WALK_INTERNAL_H

#include "core/base/keep_order.h"
#include "metrics/tests/set_lattice_internal.h"

#include <string.h>

enum {
    STATES = LATTICE_MOST_STATES,
    LANES = 16,      /* strata of two columns are at most so many; strips are as well */
    SIDE = 8,        /* strips of a vector */
    MOST_STRIPS = 4, /* of a lane */
    CELLS = STATES * STATES,
    WORD = 64
};

typedef size_t set_ranks[LATTICE_MOST_GIVEN + 2];
typedef uint32_t lane_counts[LANES];

/* The same, in as many registers as the level of the processor needs. */
typedef uint32_t lane_vector __attribute__((vector_size(sizeof(lane_counts)), aligned(sizeof(uint32_t)), may_alias));

/* A column in the order of the strips. */
typedef struct {
    size_t r;
    size_t plane;   /* the first of its bits among those of a row, one for each state but the last */
    uint64_t *bits; /* of these states, n_words each */
    lane_counts rows[STATES];
} lane_column;

/* The rows of a column's two states that are not its last, each in the lanes of all. */
typedef struct {
    size_t depth[2][LANES / 4], n_words; /* depth of every four lanes */
    uint64_t *bits;                      /* by column of three states and its first two, n_words each */
} lane_parts;

/* The first strip of every lane comes first, those that some have beside it after them. */
typedef struct {
    size_t n, n_further; /* strips; and how many more than one a lane has at most */
    uint32_t lane[LANES], depth[LANES];
    uint32_t further[MOST_STRIPS - 1][LANES]; /* by lane: its second strip, its third one, ... */
    uint16_t has[MOST_STRIPS - 1];            /* the lanes that have them, a bit each */
} strip_plan;

typedef struct walk walk;

/* The sum over the table of three columns, the first two of which are laid out. */
typedef int64_t (*triple_sum)(const walk *w, size_t c, size_t d, size_t e);

typedef void (*lane_count)(const walk *w, const uint64_t *a, size_t n, const uint64_t *b, lane_counts *out);

struct walk {
    const dataset *data;
    const whole_terms *terms;
    const size_t *columns; /* the members */
    size_t n_columns, n_rows;
    /* of all threads: */
    uint8_t *states;  /* by member, and the target after them: n_rows */
    uint64_t *planes; /* n_parts times, by row, a word: a bit for every state of a member but its last */
    size_t n_parts;
    const set_ranks *rank; /* of the lattice */

    /* the prefix */
    lane_counts lane_rows;
    size_t n_lanes, n_sides, depth[LANES / SIDE], n_words;
    strip_plan strips;
    uint32_t *word_at;        /* where the words of the lanes lie, one after the other */
    size_t first_word[LANES]; /* among these, by lane */
    uint8_t *strata;          /* by row */
    uint32_t *order;          /* the row of every bit */
    lane_column column[LATTICE_MOST_MEMBERS];
    lane_counts *pair; /* by pair of members: CELLS */
    uint64_t *vectors; /* of all columns */
    uint64_t *both;    /* the bits of a pair of states: (STATES - 1)^2 x n_words */
    uint64_t *halves;  /* what lay_three makes: 4 x n_words */
    lane_parts parts;  /* what lay_first makes */
    int64_t **out;     /* by number of members */
    size_t base, n_prefix, most_further;
    lane_count count;                               /* as count_lanes; NULL: that itself */
    void (*turn)(uint64_t *rows, size_t first);     /* as transpose, the rows in any order; NULL: that itself */
    triple_sum of_three;                            /* of columns of three states each; NULL: as all others */
    void (*lay_first)(walk *w, size_t c);           /* what it needs of the first column; NULL: nothing */
    void (*lay_three)(walk *w, size_t c, size_t d); /* and of two */
};

/** Sorts the rows by the columns of a prefix, members or the target (its place is behind them), and gives their strata
 * lanes. */
void set_lattice_sort_rows(walk *w, const size_t *prefix, size_t n);

/** All sets of the prefix and up to `most_further` of the members from `first` on, by what a level of the processor
 * has. */
void set_lattice_walk_avx2(walk *w, size_t first);
void set_lattice_walk_avx512(walk *w, size_t first);

static inline const uint8_t *states_of(const walk *w, size_t member) {
    return w->states + member * w->n_rows;
}

static inline uint64_t *planes_of(const walk *w, size_t part) {
    return w->planes + part * (w->n_rows + 1);
}

#define INLINE static inline __attribute__((always_inline))

enum { ABREAST = 4 }; /* vectors that are counted with the same one */

/* Ones by lane of n <= ABREAST vectors, w->n_words each, each AND b. */
INLINE void count_abreast(const walk *w, const uint64_t *a, size_t n, const uint64_t *b, lane_counts *out) {
    size_t at = 0;
    memset(out, 0, n * sizeof *out);
    for (size_t side = 0; side < LANES / SIDE; side++) {
        uint64_t sum[ABREAST][SIDE] = {{0}};
        for (size_t j = 0; side < w->n_sides && j < w->depth[side]; j++, at += SIDE) {
            for (size_t k = 0; k < n; k++) {
                for (size_t i = 0; i < SIDE; i++)
                    sum[k][i] += (uint64_t)__builtin_popcountll(a[k * w->n_words + at + i] & b[at + i]);
            }
        }
        for (size_t k = 0; k < n; k++) {
            for (size_t i = 0; i < SIDE; i++)
                out[k][w->strips.lane[side * SIDE + i]] += (uint32_t)sum[k][i];
        }
    }
}

/* The same of any number of them. */
INLINE void count_lanes(const walk *w, const uint64_t *a, size_t n, const uint64_t *b, lane_counts *out) {
    size_t k = 0;
    if (w->count) {
        w->count(w, a, n, b, out);
        return;
    }
    for (; k + 4 <= n; k += 4)
        count_abreast(w, a + k * w->n_words, 4, b, out + k);
    for (; k + 2 <= n; k += 2)
        count_abreast(w, a + k * w->n_words, 2, b, out + k);
    if (k < n)
        count_abreast(w, a + k * w->n_words, 1, b, out + k);
}

/* Lanes that are not in use have no rows. */
INLINE void subtract(lane_counts from, const lane_counts less) {
    *(lane_vector *)(void *)from -= *(const lane_vector *)(const void *)less;
}

INLINE void copy(lane_counts to, const lane_counts rows) {
    *(lane_vector *)(void *)to = *(const lane_vector *)(const void *)rows;
}

/* The terms of the lanes 2 i and 2 i + 1 of n cells. */
INLINE int64_t sum_two_lanes(const int64_t *term, lane_counts *cells, size_t n, size_t i) {
    int64_t sum = 0, more = 0;
#pragma GCC unroll 9
    for (size_t cell = 0; cell < n; cell++) {
        uint64_t two;
        memcpy(&two, cells[cell] + 2 * i, sizeof two);
        sum += term[(uint32_t)two];
        KEEP_APART(sum);
        more += term[two >> 32];
        KEEP_APART(more);
    }
    return sum + more;
}

INLINE int64_t sum_lane(const int64_t *term, lane_counts *cells, size_t n, size_t lane) {
    int64_t sum = 0;
#pragma GCC unroll 9
    for (size_t cell = 0; cell < n; cell++) {
        sum += term[cells[cell][lane]];
        KEEP_APART(sum);
    }
    return sum;
}

INLINE int64_t sum_lanes(const walk *w, lane_counts *cells, size_t n) {
    int64_t sum = 0;
    for (size_t i = 0; i < w->n_lanes / 2; i++)
        sum += sum_two_lanes(w->terms->at, cells, n, i);
    return w->n_lanes % 2 ? sum + sum_lane(w->terms->at, cells, n, w->n_lanes - 1) : sum;
}

/* Those of two columns of three states are common, and quick where their number is known. */
INLINE int64_t sum_terms(const walk *w, lane_counts *cells, size_t n) {
    return n == 9 ? sum_lanes(w, cells, 9) : sum_lanes(w, cells, n);
}

INLINE lane_counts *pair_of(const walk *w, size_t c, size_t d) {
    return w->pair + w->rank[d][2] * CELLS + c * CELLS;
}

/* The table of two columns, cells[i * r_d + j]. */
INLINE void count_pair(walk *w, size_t c, size_t d) {
    const lane_column *x = &w->column[c], *y = &w->column[d];
    lane_counts *cells = pair_of(w, c, d), *last = cells + (x->r - 1) * y->r;
    for (size_t j = 0; j < y->r; j++)
        copy(last[j], y->rows[j]);
    for (size_t i = 0; i + 1 < x->r; i++) {
        lane_counts *row = cells + i * y->r;
        count_lanes(w, y->bits, y->r - 1, x->bits + i * w->n_words, row);
        copy(row[y->r - 1], x->rows[i]);
        for (size_t j = 0; j + 1 < y->r; j++)
            subtract(row[y->r - 1], row[j]);
        for (size_t j = 0; j < y->r; j++)
            subtract(last[j], row[j]);
    }
}

INLINE void lay_and(uint64_t *restrict to, const uint64_t *a, const uint64_t *b, size_t n) {
    for (size_t k = 0; k < n; k++)
        to[k] = a[k] & b[k];
}

INLINE void lay_both(walk *w, size_t c, size_t d) {
    const lane_column *x = &w->column[c], *y = &w->column[d];
    size_t n = w->n_words, at = 0;
    for (size_t i = 0; i + 1 < x->r; i++) {
        for (size_t j = 0; j + 1 < y->r; j++, at += n)
            lay_and(w->both + at, x->bits + i * n, y->bits + j * n, n);
    }
}

/* cells[(i * r_d + j) * r_e + k] */
INLINE int64_t sum_triple(const walk *w, size_t c, size_t d, size_t e, size_t r_c, size_t r_d, size_t r_e) {
    lane_counts cells[STATES * STATES * STATES], common[STATES][CELLS]; /* by state of e, then by states of c and d */
    lane_counts *cd = pair_of(w, c, d), *ce = pair_of(w, c, e), *de = pair_of(w, d, e);
    lane_counts *last = cells + (r_c - 1) * r_d * r_e;
    size_t n_both = (r_c - 1) * (r_d - 1);
    for (size_t k = 0; k + 1 < r_e; k++)
        count_lanes(w, w->both, n_both, w->column[e].bits + k * w->n_words, common[k]);
    for (size_t cell = 0; cell < r_d * r_e; cell++)
        copy(last[cell], de[cell]);
    for (size_t i = 0; i + 1 < r_c; i++) {
        lane_counts *table = cells + i * r_d * r_e, *last_row = table + (r_d - 1) * r_e;
        for (size_t k = 0; k < r_e; k++)
            copy(last_row[k], ce[i * r_e + k]);
        for (size_t j = 0; j + 1 < r_d; j++) {
            lane_counts *row = table + j * r_e;
            copy(row[r_e - 1], cd[i * r_d + j]);
            for (size_t k = 0; k + 1 < r_e; k++) {
                copy(row[k], common[k][i * (r_d - 1) + j]);
                subtract(row[r_e - 1], row[k]);
            }
            for (size_t k = 0; k < r_e; k++)
                subtract(last_row[k], row[k]);
        }
        for (size_t cell = 0; cell < r_d * r_e; cell++)
            subtract(last[cell], table[cell]);
    }
    return sum_terms(w, cells, r_c * r_d * r_e);
}

INLINE void walk_triples(walk *w, size_t c, size_t d) {
    size_t base = w->base + w->rank[c][w->n_prefix + 1] + w->rank[d][w->n_prefix + 2], n = w->n_prefix + 3;
    size_t r_c = w->column[c].r, r_d = w->column[d].r;
    bool are_of_three = r_c == 3 && r_d == 3 && w->of_three, is_laid = false;
    if (are_of_three && d + 1 < w->n_columns)
        w->lay_three(w, c, d);
    for (size_t e = d + 1; e < w->n_columns; e++) {
        int64_t *sum = &w->out[n][base + w->rank[e][n]];
        if (e + 1 < w->n_columns) /* each lies in another line of the cache */
            __builtin_prefetch(&w->out[n][base + w->rank[e + 1][n]], 1);
        size_t r_e = w->column[e].r;
        if (are_of_three && r_e == 3) {
            *sum = w->of_three(w, c, d, e);
            continue;
        }
        if (!is_laid)
            lay_both(w, c, d);
        is_laid = true;
        *sum = sum_triple(w, c, d, e, r_c, r_d, r_e);
    }
}

/* All sets of the prefix and up to three of the members from `first` on. */
INLINE void walk_further(walk *w, size_t first) {
    size_t n = w->n_prefix;
    for (size_t c = first; c < w->n_columns; c++)
        w->out[n + 1][w->base + w->rank[c][n + 1]] = sum_terms(w, w->column[c].rows, w->column[c].r);
    for (size_t c = first; w->most_further > 1 && c < w->n_columns; c++) {
        for (size_t d = c + 1; d < w->n_columns; d++) {
            count_pair(w, c, d);
            w->out[n + 2][w->base + w->rank[c][n + 1] + w->rank[d][n + 2]] =
                sum_terms(w, pair_of(w, c, d), w->column[c].r * w->column[d].r);
        }
    }
    for (size_t c = first; w->most_further > 2 && c < w->n_columns; c++) {
        if (w->column[c].r == 3 && c + 2 < w->n_columns && w->lay_first)
            w->lay_first(w, c);
        for (size_t d = c + 1; d < w->n_columns; d++)
            walk_triples(w, c, d);
    }
}

INLINE void count_column(walk *w, size_t c) {
    lane_column *x = &w->column[c];
    copy(x->rows[x->r - 1], w->lane_rows);
    for (size_t k = 0; k + 1 < x->r; k++) {
        count_lanes(w, x->bits + k * w->n_words, 1, x->bits + k * w->n_words, &x->rows[k]);
        subtract(x->rows[x->r - 1], x->rows[k]);
    }
}

/* Of all squares of 2 half by 2 half bits the two quarters off the diagonal change places. */
INLINE void exchange(uint64_t *restrict rows, size_t half, uint64_t mask) {
    for (size_t block = 0; block < WORD; block += 2 * half) {
        for (size_t i = block; i < block + half; i++) {
            uint64_t change = (rows[i] >> half ^ rows[i + half]) & mask;
            rows[i] ^= change << half;
            rows[i + half] ^= change;
        }
    }
}

/* Bit j of word i becomes bit i of word j: Warren 2013, Hacker's Delight, 7-3. */
INLINE void transpose(uint64_t *rows) {
    exchange(rows, 32, 0x00000000FFFFFFFFu);
    exchange(rows, 16, 0x0000FFFF0000FFFFu);
    exchange(rows, 8, 0x00FF00FF00FF00FFu);
    exchange(rows, 4, 0x0F0F0F0F0F0F0F0Fu);
    exchange(rows, 2, 0x3333333333333333u);
    exchange(rows, 1, 0x5555555555555555u);
}

/* A word that no row has. */
INLINE void clear_word(walk *w, size_t first, size_t word) {
    for (size_t c = first; c < w->n_columns; c++) {
        for (size_t k = 0; k + 1 < w->column[c].r; k++)
            w->column[c].bits[k * w->n_words + word] = 0;
    }
}

INLINE void pick_planes(const walk *w, const uint32_t *rows, size_t part, uint64_t planes[WORD]) {
    const uint64_t *of_row = planes_of(w, part);
    for (size_t i = 0; i < WORD; i++)
        planes[i] = of_row[rows[i]];
}

/* One word of the vectors of the columns from `first` on: 64 rows at once. Strips are as long as the longest of eight:
 * words past a strip's own rows are empty. */
INLINE void lay_word(walk *w, size_t first, size_t word) {
    const uint32_t *rows = w->order + word * WORD;
    size_t c = first, k = 0;
    if (rows[0] == w->n_rows) {
        clear_word(w, first, word);
        return;
    }
    for (size_t part = w->column[first].plane / WORD; part < w->n_parts; part++) {
        uint64_t planes[WORD];
        pick_planes(w, rows, part, planes);
        if (w->turn)
            w->turn(planes, part == w->column[first].plane / WORD ? w->column[first].plane % WORD : 0);
        else
            transpose(planes);
        for (; c < w->n_columns && (w->column[c].plane + k) / WORD == part;) {
            w->column[c].bits[k * w->n_words + word] = planes[(w->column[c].plane + k) % WORD];
            k = k + 2 < w->column[c].r ? k + 1 : 0;
            c += k == 0;
        }
    }
}

INLINE void walk_sets(walk *w, size_t first) {
    for (size_t i = 0; i < w->n_words; i++)
        lay_word(w, first, i);
    for (size_t c = first; c < w->n_columns; c++)
        count_column(w, c);
    walk_further(w, first);
}

#endif
