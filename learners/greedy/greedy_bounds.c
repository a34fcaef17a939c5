/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a greedy search knows of the score of each node with each candidate parent toggled: nothing, an upper bound, or
 * the score. Row y is forgotten when the parents of y change; until then bounds only become closer, and no candidate
 * scores above its bound. A candidate is marked as asked for where a search without bounds would have needed its score:
 * so the counts are those of that search, whatever a bound has spared. The delta table (delta_table.c) does without
 * bounds, and tells why.
 */
#include "learners/greedy/greedy_bounds_internal.h"

#include "core/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

/* Rows of n_pairs entries in all; their lengths and nodes follow. */
static status allocate_pairs(greedy_state *s, size_t n_pairs, error_info *err) {
    CHECK_ALLOC(s->values = calloc(n_pairs + 1, sizeof *s->values));
    CHECK_ALLOC(s->knowledge = calloc(n_pairs + 1, sizeof *s->knowledge));
    return STATUS_OK;
}

static void place_row(greedy_state *s, size_t y, size_t n, const size_t *nodes, size_t at) {
    s->rows[y] = (candidate_row){.n = n, .nodes = nodes, .with = s->values + at, .known = s->knowledge + at};
}

static status make_full_rows(greedy_state *s, error_info *err) {
    size_t cells;
    if (__builtin_mul_overflow(s->n, s->n, &cells))
        return error_out_of_memory(err);
    CHECK(allocate_pairs(s, cells, err));
    for (size_t y = 0; y < s->n; y++)
        place_row(s, y, s->n, NULL, y * s->n);
    return STATUS_OK;
}

static status make_allowed_rows(greedy_state *s, error_info *err) {
    const pdag *allowed = s->plan->allowed;
    size_t at = 0;
    CHECK_ALLOC(s->lists = calloc(2 * pdag_edge_count(allowed) + 1, sizeof *s->lists));
    CHECK(allocate_pairs(s, 2 * pdag_edge_count(allowed), err));
    for (size_t y = 0; y < s->n; y++) {
        size_t degree;
        const pdag_edge *edges = pdag_edges(allowed, y, &degree);
        place_row(s, y, degree, s->lists + at, at);
        for (size_t i = 0; i < degree; i++)
            s->lists[at++] = edges[i].node;
    }
    return STATUS_OK;
}

static status make_candidate_rows(greedy_state *s, error_info *err) {
    const size_t *n_candidates = s->plan->n_candidates;
    size_t n_pairs = 0;
    for (size_t y = 0; y < s->n; y++)
        n_pairs += n_candidates[y];
    CHECK(allocate_pairs(s, n_pairs, err));
    n_pairs = 0;
    for (size_t y = 0; y < s->n; y++) {
        place_row(s, y, n_candidates[y], s->plan->candidates[y], n_pairs);
        n_pairs += n_candidates[y];
    }
    return STATUS_OK;
}

static status make_rows(greedy_state *s, error_info *err) {
    if (s->plan->candidates)
        return make_candidate_rows(s, err);
    return s->plan->allowed ? make_allowed_rows(s, err) : make_full_rows(s, err);
}

/* Nodes of as many states are of one kind: a bound does not tell them apart. */
static status make_kinds(greedy_state *s, error_info *err) {
    CHECK_ALLOC(s->kind = calloc(s->n, sizeof *s->kind));
    CHECK_ALLOC(s->kind_states = calloc(s->n, sizeof *s->kind_states));
    CHECK_ALLOC(s->kind_ceiling = calloc(s->n, sizeof *s->kind_ceiling));
    CHECK_ALLOC(s->kind_constant = calloc(s->n, sizeof *s->kind_constant));
    for (size_t x = 0; x < s->n; x++) {
        size_t r = dataset_state_count(s->data, x), k = 0;
        while (k < s->n_kinds && s->kind_states[k] != r)
            k++;
        s->kind[x] = k;
        s->kind_states[k] = r;
        s->n_kinds += k == s->n_kinds;
    }
    return STATUS_OK;
}

status greedy_bounds_init(greedy_state *s, error_info *err) {
    CHECK_ALLOC(s->rows = calloc(s->n, sizeof *s->rows));
    CHECK_ALLOC(s->now = calloc(s->n, sizeof *s->now));
    CHECK_ALLOC(s->ceiling = calloc(s->n, sizeof *s->ceiling));
    CHECK_ALLOC(s->arc_ceiling = calloc(s->n, sizeof *s->arc_ceiling));
    CHECK_ALLOC(s->visit = calloc(s->n, sizeof *s->visit));
    CHECK_ALLOC(s->without = calloc(s->n, sizeof *s->without));
    CHECK_ALLOC(s->asked = calloc(s->n, sizeof *s->asked));
    CHECK(make_rows(s, err));
    return make_kinds(s, err);
}

void greedy_bounds_clear(greedy_state *s) {
    free(s->rows);
    free(s->now);
    free(s->ceiling);
    free(s->arc_ceiling);
    free(s->visit);
    free(s->without);
    free(s->asked);
    free(s->values);
    free(s->knowledge);
    free(s->lists);
    free(s->kind);
    free(s->kind_states);
    free(s->kind_ceiling);
    free(s->kind_constant);
}

size_t greedy_position(const candidate_row *row, size_t x) {
    size_t at;
    if (!row->nodes)
        return x;
    at = array_count_below(row->nodes, row->n, x);
    return at < row->n && row->nodes[at] == x ? at : row->n;
}

/* --- what is known of a score --- */

static bool is_full(const greedy_state *s, size_t n_parents) {
    int most = s->plan->options.max_parents;
    return most >= 0 && n_parents >= (size_t)most;
}

status greedy_count_row(greedy_state *s, size_t y, error_info *err) {
    const candidate_row *row = &s->rows[y];
    size_t n_parents, n = 0;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    if (is_full(s, n_parents))
        return STATUS_OK;
    for (size_t i = 0; i < row->n; i++) {
        if (row->known[i] & GREEDY_ASKED)
            s->asked[n++] = greedy_node(row, i);
    }
    return score_count_additions(s->scorer, y, parents, n_parents, s->asked, n, err);
}

void greedy_forget_row(greedy_state *s, size_t y) {
    candidate_row *row = &s->rows[y];
    size_t n_children;
    const size_t *children = dag_children(s->current, y, &n_children);
    memset(row->known, KNOWN_NOTHING, row->n * sizeof *row->known);
    row->is_stale = row->has_stale_arcs = true;
    for (size_t i = 0; i < n_children; i++)
        s->rows[children[i]].has_stale_arcs = true; /* reversing one makes a parent of y */
}

static bool has_parent(const greedy_state *s, size_t y, size_t x) {
    return dag_has_arc(s->current, x, y);
}

static status score_without(greedy_state *s, size_t y, size_t x, double *out, error_info *err) {
    size_t n_parents, n = 0;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        if (parents[i] != x)
            s->without[n++] = parents[i];
    }
    return score_node(s->scorer, y, s->without, n, out, err);
}

status greedy_toggled(greedy_state *s, size_t y, size_t at, double *out, error_info *err) {
    candidate_row *row = &s->rows[y];
    size_t x = greedy_node(row, at);
    if (greedy_known(row, at) != KNOWN_EXACTLY) {
        size_t n_parents;
        const size_t *parents = dag_parents(s->current, y, &n_parents);
        double value = -INFINITY;
        if (has_parent(s, y, x))
            CHECK(score_without(s, y, x, &value, err));
        else if (!is_full(s, n_parents))
            CHECK(score_node_fresh(s->scorer, y, parents, n_parents, x, &value, err));
        greedy_learn(row, at, value, KNOWN_EXACTLY);
    }
    *out = row->with[at];
    return STATUS_OK;
}

/* --- looking at a row --- */

/* Learns of a candidate what a bound says of all of its kind; the bound of a column that does not vary is the score. */
static status learn_of_kind(greedy_state *s, size_t y, size_t at, const size_t *parents, size_t n_parents,
                            error_info *err) {
    size_t x = greedy_node(&s->rows[y], at), kind = s->kind[x], r = s->kind_states[kind];
    bool is_constant = score_is_constant(s->scorer, x);
    double *value = is_constant ? &s->kind_constant[kind] : &s->kind_ceiling[kind];
    if (isnan(*value) && is_constant)
        CHECK(score_constant_with(s->scorer, y, parents, n_parents, r, value, err));
    else if (isnan(*value))
        CHECK(score_ceiling_with(s->scorer, y, parents, n_parents, r, value, err));
    greedy_learn(&s->rows[y], at, *value, is_constant ? KNOWN_EXACTLY : KNOWN_CEILING);
    return STATUS_OK;
}

/* Looks at a candidate that is no parent, and raises `ceiling` where its addition is legal. */
static status look_at(greedy_state *s, size_t y, size_t at, const size_t *parents, size_t n_parents, double *ceiling,
                      error_info *err) {
    candidate_row *row = &s->rows[y];
    double gain;
    if (greedy_known(row, at) == KNOWN_NOTHING && is_full(s, n_parents))
        greedy_learn(row, at, -INFINITY, KNOWN_EXACTLY);
    else if (greedy_known(row, at) == KNOWN_NOTHING)
        CHECK(learn_of_kind(s, y, at, parents, n_parents, err));
    gain = row->with[at] - s->now[y];
    if (ancestry_reaches(s->above, y, greedy_node(row, at)))
        return STATUS_OK;
    row->known[at] |= GREEDY_ASKED;
    if (gain > *ceiling)
        *ceiling = gain;
    return STATUS_OK;
}

status greedy_look_at_row(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    size_t n_parents, next = 0;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    double ceiling = -INFINITY;
    for (size_t k = 0; k < s->n_kinds; k++)
        s->kind_ceiling[k] = s->kind_constant[k] = (double)NAN;
    for (size_t i = 0; i < row->n; i++) {
        size_t x = greedy_node(row, i);
        while (next < n_parents && parents[next] < x)
            next++;
        if (next < n_parents && parents[next] == x)
            row->known[i] |= GREEDY_PARENT;
        else if (x != y)
            CHECK(look_at(s, y, i, parents, n_parents, &ceiling, err));
    }
    s->ceiling[y] = ceiling;
    row->is_stale = row->is_settled = false;
    return STATUS_OK;
}
