/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The family's cells are bit vectors, and so are the states of a block of columns. Their counts are summed for several
 * columns side by side, each in the order in which score.c sums its table; empty cells, which that leaves out, add 0.
 */
#include "metrics/scores/score_rows.h"

#include "core/base/array.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = 8 };

struct score_columns {
    column_blocks *blocks; /* NULL: every column is scored by itself */
};

void score_columns_destroy(score_columns *c) {
    if (!c)
        return;
    column_blocks_destroy(c->blocks);
    free(c);
}

static status make_blocks(score_columns *c, const score *s, error_info *err) {
    size_t p = dataset_column_count(s->data);
    AUTO_FREE uint32_t *declared = NULL;
    CHECK_ALLOC(declared = calloc(p + 1, sizeof *declared));
    for (size_t i = 0; i < p; i++)
        declared[i] = (uint32_t)dataset_state_count(s->data, i);
    return column_blocks_create(s->seen, declared, &c->blocks, err);
}

status score_columns_create(const score *s, score_columns **out, error_info *err) {
    AUTO_PTR(score_columns_destroy) score_columns *c = NULL;
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    if (!s->kind->evaluator)
        CHECK(make_blocks(c, s, err));
    *out = TAKE(c);
    return STATUS_OK;
}

void score_rows_clear(score_rows *r) {
    column_base_clear(&r->base);
    free(r->counts);
    free(r->ends);
    *r = (score_rows){0};
}

/* --- a column by itself ----------------------------------------------------------------------- */

static bool is_in_family(size_t column, size_t x, const size_t *parents, size_t n_parents) {
    for (size_t i = 0; i < n_parents; i++) {
        if (parents[i] == column)
            return true;
    }
    return column == x;
}

static void leave_out_family(size_t first, size_t end, size_t x, const size_t *parents, size_t n_parents, double *out) {
    for (size_t i = 0; i <= n_parents; i++) {
        size_t column = i < n_parents ? parents[i] : x;
        if (column >= first && column < end)
            out[column - first] = (double)NAN;
    }
}

static status score_one(const score_rows *r, size_t column, size_t x, const size_t *parents, size_t n_parents,
                        double *out, error_info *err) {
    if (is_in_family(column, x, parents, n_parents))
        return STATUS_OK;
    return score_node_fresh(r->scorer, x, parents, n_parents, column, out, err);
}

static status score_each(const score_rows *r, size_t first, size_t end, size_t x, const size_t *parents,
                         size_t n_parents, double *out, error_info *err) {
    for (size_t i = first; i < end; i++)
        CHECK(score_one(r, i, x, parents, n_parents, &out[i - first], err));
    return STATUS_OK;
}

/* --- a block ---------------------------------------------------------------------------------- */

/* The cells of a base, and the terms of their counts with one more column. */
typedef struct {
    size_t n_strata;
    const size_t *ends; /* of the strata, in cells */
    const uint32_t *tallies;
    size_t n_counts; /* from a cell to the next */
    term_table *cell, *row;
} summing;

/* How a group's terms are read. */
typedef struct {
    bool are_small; /* counts: all in the first block of the terms */
    bool are_new;   /* terms: some may have to be computed */
} reading;

static inline __attribute__((always_inline)) double term_at(term_table *table, uint32_t n, reading r) {
    double value = r.are_small ? shared_double_get(&table->blocks[0][n]) : term_table_known(table, n);
    return r.are_new && isnan(value) ? term_table_fill(table, n) : value;
}

/*
 * A set of up to LANES members of a group. Inlined for each size of a set and each way to read: most of the time of a
 * search goes by here.
 */
static inline __attribute__((always_inline)) void sum_members(const summing *s, const column_group *group,
                                                              size_t first_member, size_t n, reading r, double *out) {
    const uint32_t *tallies = s->tallies + group->first_count + first_member;
    double sum[LANES] = {0};
    for (size_t j = 0, first = 0; j < s->n_strata; first = s->ends[j++]) {
        for (size_t e = 0; e < group->n_states; e++) {
            uint32_t n_ij[LANES] = {0};
            for (size_t k = first; k < s->ends[j]; k++) {
                const uint32_t *at = tallies + k * s->n_counts + e * group->n_members;
                for (size_t l = 0; l < n; l++) {
                    sum[l] += term_at(s->cell, at[l], r);
                    n_ij[l] += at[l];
                }
            }
            for (size_t l = 0; l < n; l++)
                sum[l] -= term_at(s->row, n_ij[l], r);
        }
    }
    for (size_t l = 0; l < n; l++)
        out[l] = sum[l];
}

/* The last set may overlap the one before it: its sums are made twice. */
static inline __attribute__((always_inline)) void sum_sets(const summing *s, const column_group *group, size_t width,
                                                           reading r, double *sums) {
    for (size_t done = 0; done < group->n_members; done += width) {
        size_t i = done + width <= group->n_members ? done : group->n_members - width;
        sum_members(s, group, i, width, r, sums + i);
    }
}

/* In sets of one size, which the compiler knows. */
static inline __attribute__((always_inline)) void sum_in_sets(const summing *s, const column_group *group, reading r,
                                                              double *sums) {
    if (group->n_members >= LANES)
        sum_sets(s, group, LANES, r, sums);
    else if (group->n_members >= LANES / 2)
        sum_sets(s, group, LANES / 2, r, sums);
    else if (group->n_members >= LANES / 4)
        sum_sets(s, group, LANES / 4, r, sums);
    else
        sum_sets(s, group, 1, r, sums);
}

static void sum_known(const summing *s, const column_group *group, bool is_small, double *sums) {
    if (is_small)
        sum_in_sets(s, group, (reading){true, false}, sums);
    else
        sum_in_sets(s, group, (reading){false, false}, sums);
}

/* Computes the terms that were never asked for. */
static void sum_new(const summing *s, const column_group *group, bool is_small, double *sums) {
    if (is_small)
        sum_in_sets(s, group, (reading){true, true}, sums);
    else
        sum_in_sets(s, group, (reading){false, true}, sums);
}

static bool has_nan(const double *sums, size_t n) {
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found = found || isnan(sums[i]);
    return found;
}

/* Tables of which new values were asked for lately are presumably asked for more. */
static void sum_group(const summing *s, const column_group *group, bool is_small, double *sums) {
    size_t n = s->cell->n_filled + s->row->n_filled;
    if (!s->cell->is_growing && !s->row->is_growing) {
        sum_known(s, group, is_small, sums);
        if (!has_nan(sums, group->n_members))
            return;
    }
    sum_new(s, group, is_small, sums);
    s->cell->is_growing = s->row->is_growing = s->cell->n_filled + s->row->n_filled > n;
}

/* Where the strata of the base end, and the most rows of one. */
static status find_strata(score_rows *r, const counts_base *base, size_t *n_strata, uint32_t *most, error_info *err) {
    uint32_t stratum = UINT32_MAX, n_rows = 0;
    CHECK(ARRAY_RESERVE(r->ends, r->ends_capacity, base->n, err));
    *n_strata = *most = 0;
    for (size_t k = 0; k < base->n; k++) {
        uint32_t own = base->cell[k] / (uint32_t)base->r_first;
        *n_strata += own != stratum;
        n_rows = own != stratum ? base->tally[k] : n_rows + base->tally[k];
        stratum = own;
        r->ends[*n_strata - 1] = k + 1;
        *most = n_rows > *most ? n_rows : *most;
    }
    return STATUS_OK;
}

static status score_group(score *s, summing with, bool is_small, const column_block *block, const column_group *group,
                          size_t x, size_t n_parents, double *out, error_info *err) {
    double sums[COLUMN_BLOCK], q = s->base.q * (double)group->label;
    family_terms terms;
    bool is_too_large = q * (double)dataset_state_count(s->data, x) > SCORE_MAX_CELLS;
    if (!is_too_large) {
        CHECK(score_terms(s, x, q, n_parents + 1, &terms, err));
        with.cell = terms.cell;
        with.row = terms.row;
        sum_group(&with, group, is_small, sums);
    }
    for (size_t i = 0; i < group->n_members; i++)
        out[block->members[group->first_member + i]] = is_too_large ? -INFINITY : sums[i] - terms.penalty;
    return STATUS_OK;
}

static status score_loose(const score_rows *r, const column_block *block, size_t x, const size_t *parents,
                          size_t n_parents, double *out, error_info *err) {
    bool has_group[COLUMN_BLOCK] = {0};
    for (size_t i = 0; i < block->n_members; i++)
        has_group[block->members[i]] = true;
    for (size_t i = block->first; i < block->end; i++) {
        if (!has_group[i - block->first])
            CHECK(score_one(r, i, x, parents, n_parents, &out[i - block->first], err));
    }
    return STATUS_OK;
}

/* In units of counts.c, which takes the rows of a histogram where bit vectors cost more. */
static bool blocks_are_cheaper(const score *s, const counts_base *base) {
    double calls = 2 * (double)base->n; /* of the usual three states */
    return base->n > 0 && calls * (3 + 0.19 * (double)base->n_words) < 2 * (double)dataset_row_count(s->data) + 200;
}

status score_rows_block(score_rows *r, size_t index, size_t x, const size_t *parents, size_t n_parents, double *out,
                        error_info *err) {
    score *s = r->scorer;
    size_t p = dataset_column_count(s->data), first = index * COLUMN_BLOCK;
    size_t end = p - first < COLUMN_BLOCK ? p : first + COLUMN_BLOCK;
    const column_block *block = r->columns->blocks ? column_blocks_at(r->columns->blocks, index) : NULL;
    counts_base base = {0};
    summing with = {0};
    uint32_t most;
    if (block) {
        score_set_base(s, parents, n_parents);
        CHECK(counts_get_base(s->counts, x, s->base.live, s->base.n_live, &base, err));
    }
    if (!block || !blocks_are_cheaper(s, &base)) {
        leave_out_family(first, end, x, parents, n_parents, out);
        return score_each(r, first, end, x, parents, n_parents, out, err);
    }
    CHECK(column_base_set(&r->base, r->columns->blocks, &base, err));
    CHECK(ARRAY_RESERVE(r->counts, r->capacity, base.n * block->n_counts, err));
    CHECK(find_strata(r, &base, &with.n_strata, &most, err));
    with.ends = r->ends;
    with.tallies = r->counts;
    with.n_counts = block->n_counts;
    column_blocks_cross(r->columns->blocks, index, &r->base, r->counts);
    for (size_t i = 0; i < block->n_groups; i++)
        CHECK(score_group(s, with, most < TERM_BLOCK, block, &block->groups[i], x, n_parents, out, err));
    CHECK(score_loose(r, block, x, parents, n_parents, out, err));
    leave_out_family(first, end, x, parents, n_parents, out);
    return STATUS_OK;
}
