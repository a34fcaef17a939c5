/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/scores/high_scores.h"

#include "core/base/array.h"
#include "core/counting/column_blocks.h"
#include "core/counting/lane_columns.h"
#include "metrics/scores/high_families_internal.h"
#include "metrics/scores/row_bounds.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_COLUMNS = 256 };

/* Blocks of lanes that are counted in one pass over the rows. */
typedef struct {
    size_t first, end;
} block_run;

struct high_columns {
    pair_tables *tables;
    lane_columns *lanes;
    uint32_t *declared; /* states of each column */
    block_run *shares;
    size_t n_shares;
    high_families *families;
    bool has_states[HIGH_MOST_STATES + 1]; /* is there a column of so many? */
};

void high_columns_destroy(high_columns *c) {
    if (!c)
        return;
    high_families_destroy(c->families);
    free(c->shares);
    free(c->declared);
    lane_columns_destroy(c->lanes);
    pair_tables_destroy(c->tables);
    free(c);
}

static status make_lanes(high_columns *c, const score *s, error_info *err) {
    size_t p = dataset_column_count(s->data);
    CHECK_ALLOC(c->declared = calloc(p + 1, sizeof *c->declared));
    for (size_t i = 0; i < p; i++) {
        c->declared[i] = (uint32_t)dataset_state_count(s->data, i);
        if (c->declared[i] <= HIGH_MOST_STATES)
            c->has_states[c->declared[i]] = true;
    }
    return lane_columns_create(c->tables, c->declared, &c->lanes, err);
}

/* The blocks of a slab follow one another. */
static size_t end_of_slab(const lane_columns *lanes, size_t first) {
    size_t slab = lane_columns_slab(lanes, first), end = first + 1;
    while (slab != SIZE_MAX && end < lane_columns_count(lanes) && lane_columns_slab(lanes, end) == slab)
        end++;
    return end;
}

/* The last is that of the loose columns, without blocks. */
static status make_shares(high_columns *c, error_info *err) {
    size_t n = lane_columns_count(c->lanes);
    CHECK_ALLOC(c->shares = calloc(n + 1, sizeof *c->shares));
    for (size_t first = 0; first < n; first = c->shares[c->n_shares++].end)
        c->shares[c->n_shares] = (block_run){first, end_of_slab(c->lanes, first)};
    c->n_shares++;
    return STATUS_OK;
}

/* Without slabs, on more rows, a bound takes longer than a score. */
static bool are_of_use(const score *s) {
    return !s->kind->evaluator && column_blocks_are_fast() && dataset_column_count(s->data) >= FEWEST_COLUMNS &&
           dataset_row_count(s->data) <= LANE_SLAB_ROWS;
}

status high_columns_create(const score *s, size_t n_threads, high_columns **out, error_info *err) {
    AUTO_PTR(high_columns_destroy) high_columns *c = NULL;
    *out = NULL;
    if (!are_of_use(s))
        return STATUS_OK;
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    CHECK(score_make_tables(s, n_threads, NULL, &c->tables, err));
    CHECK(make_lanes(c, s, err));
    if (!c->lanes)
        return STATUS_OK;
    CHECK(make_shares(c, err));
    CHECK(high_families_create(c->tables, c->lanes, c->has_states, dataset_column_count(s->data), n_threads,
                               &c->families, err));
    *out = TAKE(c);
    return STATUS_OK;
}

size_t high_columns_shares(const high_columns *c) {
    return c->n_shares;
}

/* --- one thread's ----------------------------------------------------------------------------- */

struct high_scores {
    score *scorer;
    const high_columns *columns;
    row_bounds *bounds;
    high_family *family; /* that it holds */
};

void high_scores_destroy(high_scores *h) {
    if (!h)
        return;
    score_lend_tables(h->scorer, NULL);
    high_families_release(h->columns->families, &h->family);
    row_bounds_destroy(h->bounds);
    free(h);
}

status high_scores_create(score *s, const high_columns *c, high_scores **out, error_info *err) {
    AUTO_PTR(high_scores_destroy) high_scores *h = NULL;
    CHECK_ALLOC(h = calloc(1, sizeof *h));
    h->scorer = s;
    h->columns = c;
    CHECK(row_bounds_create(s, c->tables, c->lanes, NULL, &h->bounds, err));
    score_lend_tables(s, c->tables);
    *out = TAKE(h);
    return STATUS_OK;
}

/* --- the family --- */

static status set_family(high_scores *h, size_t x, const size_t *parents, size_t n_parents, error_info *err) {
    if (high_family_is(h->family, x, parents, n_parents))
        return STATUS_OK;
    CHECK(high_families_turn(h->columns->families, &h->family, h->scorer, x, parents, n_parents, err));
    row_bounds_turn(h->bounds, &h->family->cells);
    return STATUS_OK;
}

static status score_with(const high_scores *h, size_t column, double *out, error_info *err) {
    const high_family *f = h->family;
    return score_node_fresh(h->scorer, f->x, f->parents, f->n_parents, column, out, err);
}

/* --- bounds --- */

/* What no column of so many states passes. */
static double ceiling_of(const high_scores *h, size_t column) {
    uint32_t r = h->columns->declared[column];
    return r <= HIGH_MOST_STATES ? h->family->ceilings[r] : INFINITY;
}

static bool is_in_family(const high_family *f, size_t column) {
    return column == f->x || array_has_size(f->parents, f->n_parents, column);
}

/* Without other bounds, the score itself, unless it does not pass the floor. */
static status bound_alone(high_scores *h, size_t column, double *bound, error_info *err) {
    const high_family *f = h->family;
    bool is_exact;
    *bound = ceiling_of(h, column);
    if (!(*bound > f->floor) || is_in_family(f, column))
        return STATUS_OK;
    if (score_is_constant(h->scorer, column))
        return score_with(h, column, bound, err);
    if (f->cells.is_of_use)
        return row_bounds_with(h->bounds, column, bound, err);
    return score_node_above(h->scorer, f->x, f->parents, f->n_parents, column, f->floor, bound, &is_exact, err);
}

static status bound_each(high_scores *h, const size_t *columns, size_t n, double *bounds, error_info *err) {
    for (size_t i = 0; i < n; i++)
        CHECK(bound_alone(h, columns[i], &bounds[columns[i]], err));
    return STATUS_OK;
}

static status bound_block(high_scores *h, size_t index, double *bounds, error_info *err) {
    const pair_block *block = lane_columns_at(h->columns->lanes, index);
    double of_block[PAIR_BLOCK_COLUMNS] = {0}, ceilings[PAIR_BLOCK_COLUMNS], highest = -INFINITY;
    if (!h->family->cells.is_of_use)
        return bound_each(h, block->columns, block->n_columns, bounds, err);
    for (size_t i = 0; i < block->n_columns; i++) {
        ceilings[i] = ceiling_of(h, block->columns[i]);
        highest = ceilings[i] > highest ? ceilings[i] : highest;
    }
    if (highest > h->family->floor)
        CHECK(row_bounds_block(h->bounds, index, of_block, err));
    for (size_t i = 0; i < block->n_columns; i++) {
        bool is_lower = highest > h->family->floor && of_block[i] < ceilings[i];
        bounds[block->columns[i]] = is_lower ? of_block[i] : ceilings[i];
    }
    return STATUS_OK;
}

status high_scores_bound(high_scores *h, size_t share, size_t x, const size_t *parents, size_t n_parents,
                         double *bounds, error_info *err) {
    const block_run *run = &h->columns->shares[share];
    CHECK(set_family(h, x, parents, n_parents, err));
    if (share + 1 == h->columns->n_shares) {
        size_t n;
        const size_t *loose = lane_columns_loose(h->columns->lanes, &n);
        return bound_each(h, loose, n, bounds, err);
    }
    for (size_t i = run->first; i < run->end; i++)
        CHECK(bound_block(h, i, bounds, err));
    return STATUS_OK;
}

/* --- the highest --- */

/* A heap, the highest first. */
static void sink(high_score *heap, size_t n, size_t at) {
    high_score own = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && heap[child + 1].score > heap[child].score;
        if (!(heap[child].score > own.score))
            break;
        heap[at] = heap[child];
    }
    heap[at] = own;
}

static size_t list_open(const high_scores *h, const double *bounds, high_score *out) {
    const high_family *f = h->family;
    size_t n = 0, p = dataset_column_count(h->scorer->data);
    for (size_t i = 0; i < p; i++) {
        if (bounds[i] > f->floor && !is_in_family(f, i))
            out[n++] = (high_score){bounds[i], (uint32_t)i, f->cells.is_of_use ? HIGH_COARSE : HIGH_EXACT};
    }
    for (size_t i = n / 2; i > 0; i--)
        sink(out, n, i - 1);
    return n;
}

/* A close bound takes a fraction of the time of a score. */
static status look_closer(high_scores *h, high_score *of, error_info *err) {
    double bound;
    if (of->kind == HIGH_CLOSE) {
        of->kind = HIGH_EXACT;
        return score_with(h, of->column, &of->score, err);
    }
    CHECK(row_bounds_with(h->bounds, of->column, &bound, err));
    of->score = bound < of->score ? bound : of->score;
    of->kind = HIGH_CLOSE;
    return STATUS_OK;
}

/* Moves the exact ones that come first behind the n of the heap that are left. */
static status score_highest(high_scores *h, high_score *heap, size_t n_exact, size_t *n, error_info *err) {
    high_score found[HIGH_MOST_EXACT];
    size_t n_found = 0;
    for (size_t left = *n; n_found < n_exact && left > 0; *n = left) {
        bool is_found = heap[0].kind == HIGH_EXACT;
        if (is_found)
            found[n_found++] = heap[0];
        else
            CHECK(look_closer(h, &heap[0], err));
        if (is_found || !(heap[0].score > h->family->floor))
            heap[0] = heap[--left];
        sink(heap, left, 0);
    }
    memcpy(heap + *n, found, n_found * sizeof *found);
    *n += n_found;
    return STATUS_OK;
}

status high_scores_list(high_scores *h, size_t x, const size_t *parents, size_t n_parents, const double *bounds,
                        size_t n_exact, high_score *out, size_t *n, error_info *err) {
    CHECK(set_family(h, x, parents, n_parents, err));
    *n = list_open(h, bounds, out);
    return score_highest(h, out, n_exact < HIGH_MOST_EXACT ? n_exact : HIGH_MOST_EXACT, n, err);
}

double high_scores_without(const high_scores *h) {
    return h->family->without;
}
