/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much one more parent could give, without counting it. A parent splits each configuration j of the present ones.
 * Of all splits, the one that separates the states of x scores highest: with rising factorials a^(n),
 *   - a cell of n rows of one state gives cell(n) - row(n); splitting it gives less, as
 *     (a/r)^(n+m) / a^(n+m) >= (a/r)^(n) / a^(n) * (a/r)^(m) / a^(m);
 *   - states that stay together give less than apart, as a^(n+m) >= a^(n) a^(m).
 * The same holds for n log n. So sum over cells (cell(N_ijk) - row(N_ijk)) bounds every split, and where x has one
 * state in a configuration, its part of the bound holds without looking at the new parent: only the rows of the other
 * configurations, the mixed ones, have to be counted for a bound that is often tight.
 */
#include "metrics/scores/score_bounds_internal.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAP_MAX = 1 << 24,    /* configurations that are told apart by a table */
    HISTOGRAM_FACTOR = 8, /* cells for each mixed row */
    MIXED_SHARE = 4,  /* bounds are counted where the mixed rows are one in so many, or less, of what a score costs */
    TRIALS = 32,      /* and given up for a base where after so many */
    SUCCESS_SHARE = 4 /* less than one in so many has saved a score */
};

#define MIXED UINT32_MAX
#define UNNUMBERED UINT32_MAX

static status reserve(uint32_t **array, size_t *capacity, size_t wanted, error_info *err) {
    if (*capacity >= wanted)
        return STATUS_OK;
    free(*array);
    *array = calloc(wanted + wanted / 2, sizeof **array);
    *capacity = *array ? wanted + wanted / 2 : 0;
    return *array ? STATUS_OK : error_out_of_memory(err);
}

/* Sums are made in another order than those of the scores: far more than that can differ by. */
static double margin(const score *s) {
    double n = (double)dataset_row_count(s->data) + 2;
    return 1e-6 + 1e-13 * n * log(n);
}

/* --- without looking at the new parent -------------------------------------------------------- */

static double apart(const family_terms *terms, uint32_t n) {
    return term_table_at(terms->cell, n) - term_table_at(terms->row, n);
}

static double sum_apart(const counts_table *t, const family_terms *terms) {
    const uint32_t *tallies = t->cells ? t->cells : t->tallies;
    size_t n = t->cells ? t->n_strata * t->r_first : t->n_cells;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (tallies[i] > 0)
            sum += apart(terms, tallies[i]);
    }
    return sum;
}

status score_ceiling_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t r, double *out,
                          error_info *err) {
    counts_table table;
    family_terms terms;
    double q;
    if (s->kind->evaluator) {
        *out = INFINITY;
        return STATUS_OK;
    }
    score_set_base(s, parents, n_parents);
    q = s->base.q * (double)r;
    if (q * (double)dataset_state_count(s->data, x) > SCORE_MAX_CELLS) {
        *out = -INFINITY;
        return STATUS_OK;
    }
    CHECK(score_terms(s, x, q, n_parents + 1, &terms, err));
    CHECK(counts_get(s->counts, x, s->base.live, s->base.n_live, COUNTS_NO_EXTRA, &table, err));
    *out = sum_apart(&table, &terms) - terms.penalty + margin(s);
    return STATUS_OK;
}

/* --- counting the mixed rows ------------------------------------------------------------------ */

/* A column whatever its width: reading through the dataset, value by value, took most of the time. */
typedef struct {
    const uint8_t *bytes;
    const uint16_t *words;
} column_view;

static column_view view_column(const dataset *data, size_t column) {
    return (column_view){dataset_bytes(data, column), dataset_words(data, column)};
}

static inline uint32_t state_at(const column_view *column, size_t row) {
    return column->bytes ? column->bytes[row] : column->words[row];
}

/* Splits the strata by one more column; false where the table of numbers would be too large. */
static status split_strata(score_bounds *b, const dataset *data, size_t column, error_info *err) {
    size_t r = dataset_state_count(data, column), n_codes = b->n_strata * r;
    column_view view = view_column(data, column);
    uint32_t n = 0, scale = (uint32_t)r;
    if (n_codes > MAP_MAX) {
        b->can_count = false;
        return STATUS_OK;
    }
    CHECK(reserve(&b->map, &b->map_capacity, n_codes, err));
    memset(b->map, 0xFF, n_codes * sizeof *b->map);
    for (size_t i = 0; i < b->n_rows; i++) {
        uint32_t *number = &b->map[b->stratum[i] * scale + state_at(&view, i)];
        if (*number == UNNUMBERED)
            *number = n++;
        b->stratum[i] = *number;
    }
    b->n_strata = n;
    return STATUS_OK;
}

static void find_mixed_strata(score_bounds *b, const dataset *data) {
    column_view view = view_column(data, b->x);
    memset(b->tally, 0, b->n_strata * sizeof *b->tally);
    for (size_t i = 0; i < b->n_rows; i++) {
        uint32_t j = b->stratum[i], k = state_at(&view, i);
        if (b->tally[j]++ == 0)
            b->state[j] = k;
        else if (b->state[j] != k)
            b->state[j] = MIXED;
    }
}

/* Lists the rows of mixed strata, these numbered anew. */
static status list_mixed_rows(score_bounds *b, const dataset *data, error_info *err) {
    column_view view = view_column(data, b->x);
    uint32_t n = 0;
    CHECK(reserve(&b->map, &b->map_capacity, b->n_strata, err));
    for (size_t j = 0; j < b->n_strata; j++)
        b->map[j] = b->state[j] == MIXED ? n++ : 0;
    b->n_mixed = n;
    b->n_mixed_rows = 0;
    for (size_t i = 0; i < b->n_rows; i++) {
        uint32_t j = b->stratum[i];
        if (b->state[j] != MIXED)
            continue;
        b->row[b->n_mixed_rows] = (uint32_t)i;
        b->row_stratum[b->n_mixed_rows] = b->map[j];
        b->row_state[b->n_mixed_rows++] = state_at(&view, i);
    }
    return STATUS_OK;
}

/* What the table of a family says: its cells that have rows, and the rows of strata in which x has
 * more than one state. */
static void survey(const counts_table *t, size_t *n_cells, size_t *n_mixed_rows) {
    size_t at = 0, n = t->cells ? t->n_strata * t->r_first : t->n_cells;
    *n_cells = *n_mixed_rows = 0;
    while (at < n) {
        uint64_t stratum = (t->cells ? at : t->codes[at]) / t->r_first;
        size_t n_states = 0, n_rows = 0;
        for (; at < n && (t->cells ? at : t->codes[at]) / t->r_first == stratum; at++) {
            uint32_t tally = t->cells ? t->cells[at] : t->tallies[at];
            n_states += tally > 0;
            n_rows += tally;
        }
        *n_cells += n_states;
        *n_mixed_rows += n_states > 1 ? n_rows : 0;
    }
}

/* What a score of this base costs, in rows of a histogram: about so much a cell where bit vectors are counted. */
static double cost_of_score(const score_bounds *b, size_t n_cells) {
    double by_bits = (double)n_cells * (12 + 0.006 * (double)b->n_rows);
    return by_bits < (double)b->n_rows ? by_bits : (double)b->n_rows;
}

static bool is_same_base(const score_bounds *b, size_t x, const size_t *parents, size_t n_parents) {
    return b->has_base && b->x == x && b->n_parents == n_parents &&
           (n_parents == 0 || memcmp(b->parents, parents, n_parents * sizeof *parents) == 0);
}

static status set_base(score *s, size_t x, const size_t *parents, size_t n_parents, error_info *err) {
    score_bounds *b = s->bounds;
    counts_table table;
    size_t n_cells, n_mixed_rows;
    if (is_same_base(b, x, parents, n_parents))
        return STATUS_OK;
    score_set_base(s, parents, n_parents);
    b->has_base = false;
    CHECK(counts_get(s->counts, x, s->base.live, s->base.n_live, COUNTS_NO_EXTRA, &table, err));
    survey(&table, &n_cells, &n_mixed_rows);
    b->can_count = (double)(n_mixed_rows * MIXED_SHARE) <= cost_of_score(b, n_cells);
    b->n_tried = b->n_saved = 0;
    b->x = x;
    b->n_parents = n_parents;
    if (n_parents > 0)
        memcpy(b->parents, parents, n_parents * sizeof *parents);
    b->n_kinds = 0;
    b->n_strata = 1;
    if (b->can_count)
        memset(b->stratum, 0, b->n_rows * sizeof *b->stratum);
    for (size_t i = 0; i < s->base.n_live && b->can_count; i++)
        CHECK(split_strata(b, s->seen, s->base.live[i], err));
    if (b->can_count) {
        find_mixed_strata(b, s->seen);
        CHECK(list_mixed_rows(b, s->seen, err));
    }
    b->has_base = true;
    return STATUS_OK;
}

/* The unmixed configurations' part where the new parent has r declared states. */
static double unmixed_part(score_bounds *b, size_t r, const family_terms *terms) {
    double sum = 0;
    for (size_t i = 0; i < b->n_kinds; i++) {
        if (b->kind[i] == r)
            return b->unmixed[i];
    }
    for (size_t j = 0; j < b->n_strata; j++) {
        if (b->state[j] != MIXED && b->tally[j] > 0)
            sum += apart(terms, b->tally[j]);
    }
    if (b->n_kinds < SCORE_BOUNDS_KINDS) {
        b->kind[b->n_kinds] = r;
        b->unmixed[b->n_kinds++] = sum;
    }
    return sum;
}

static void count_mixed(score_bounds *b, const dataset *data, size_t extra, size_t r_extra, size_t r_first) {
    column_view view = view_column(data, extra);
    uint32_t block = (uint32_t)(r_extra * r_first), r = (uint32_t)r_first;
    memset(b->histogram, 0, b->n_mixed * block * sizeof *b->histogram);
    for (size_t i = 0; i < b->n_mixed_rows; i++) {
        uint32_t state = state_at(&view, b->row[i]);
        b->histogram[b->row_stratum[i] * block + state * r + b->row_state[i]]++;
    }
}

/* Counting the mixed rows costs more for each of them than counting all, and pays where they are few. */
static bool counting_pays(const score *s, size_t extra) {
    const score_bounds *b = s->bounds;
    size_t block = dataset_state_count(s->seen, extra) * dataset_state_count(s->seen, b->x);
    bool is_useless = b->n_tried >= TRIALS && b->n_saved * SUCCESS_SHARE < b->n_tried;
    return b->can_count && !is_useless && b->n_mixed * block < HISTOGRAM_FACTOR * b->n_rows + 1024;
}

/* For the base that is set. */
static status bound_by_mixed_rows(score *s, size_t x, size_t extra, double *out, error_info *err) {
    score_bounds *b = s->bounds;
    size_t r = dataset_state_count(s->data, extra), r_extra = dataset_state_count(s->seen, extra);
    size_t r_first = dataset_state_count(s->seen, x);
    double q = s->base.q * (double)r;
    family_terms terms;
    *out = INFINITY;
    if (!counting_pays(s, extra) || q * (double)dataset_state_count(s->data, x) > SCORE_MAX_CELLS)
        return STATUS_OK;
    CHECK(score_terms(s, x, q, b->n_parents + 1, &terms, err));
    CHECK(reserve(&b->histogram, &b->histogram_capacity, b->n_mixed * r_extra * r_first + 1, err));
    b->n_tried++;
    count_mixed(b, s->seen, extra, r_extra, r_first);
    *out = unmixed_part(b, r, &terms) + score_sum_cells(b->histogram, b->n_mixed * r_extra, r_first, &terms) -
           terms.penalty + margin(s);
    return STATUS_OK;
}

status score_node_above(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double floor,
                        double *out, bool *is_exact, error_info *err) {
    if (s->kind->evaluator) {
        *is_exact = true;
        return score_node_fresh(s, x, parents, n_parents, extra, out, err);
    }
    if (!s->bounds)
        CHECK(score_bounds_create(s->data, &s->bounds, err));
    CHECK(set_base(s, x, parents, n_parents, err));
    score_set_base(s, parents, n_parents);
    CHECK(bound_by_mixed_rows(s, x, extra, out, err));
    *is_exact = !(*out <= floor);
    s->bounds->n_saved += !*is_exact;
    if (*is_exact)
        CHECK(score_node_fresh(s, x, parents, n_parents, extra, out, err));
    return STATUS_OK;
}
