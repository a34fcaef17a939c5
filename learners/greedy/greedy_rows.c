/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a greedy search knows of the score of each node with one more parent: for each node the best few candidates, and
 * a bound that no other passes. Row y is forgotten when the parents of y change. It is evaluated when its ceiling is
 * the highest: first for its best candidate, then, where cycles or a TABU list bar that, for more. So memory grows with
 * the nodes and not with their pairs.
 *
 * The counts are those of a search that scores every legal addition: all candidates but those that have been
 * descendants of the node all the time, of which a list is kept.
 */
#include "core/base/array.h"
#include "core/counting/base_tables.h"
#include "learners/greedy/greedy_ahead_internal.h"
#include "learners/greedy/greedy_worker_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_FROM = 64 }; /* with no row of as many candidates, the bit vectors of all columns do not pay */

/* --- memory --- */

static status make_allowed_rows(greedy_state *s, error_info *err) {
    const pdag *allowed = s->plan->allowed;
    size_t at = 0;
    CHECK_ALLOC(s->lists = calloc(2 * pdag_edge_count(allowed) + 1, sizeof *s->lists));
    for (size_t y = 0; y < s->n; y++) {
        size_t degree;
        const pdag_edge *edges = pdag_edges(allowed, y, &degree);
        s->rows[y].n_nodes = degree;
        s->rows[y].nodes = s->lists + at;
        for (size_t i = 0; i < degree; i++)
            s->lists[at++] = edges[i].node;
    }
    return STATUS_OK;
}

static status make_rows(greedy_state *s, error_info *err) {
    CHECK_ALLOC(s->rows = calloc(s->n + 1, sizeof *s->rows));
    if (!s->plan->candidates && s->plan->allowed)
        return make_allowed_rows(s, err);
    for (size_t y = 0; y < s->n; y++) {
        s->rows[y].n_nodes = s->plan->candidates ? s->plan->n_candidates[y] : s->n;
        s->rows[y].nodes = s->plan->candidates ? s->plan->candidates[y] : NULL;
    }
    return STATUS_OK;
}

/* Nodes of as many states are of one kind: a bound does not tell them apart. */
static status make_kinds(greedy_state *s, error_info *err) {
    CHECK_ALLOC(s->kind = calloc(s->n + 1, sizeof *s->kind));
    CHECK_ALLOC(s->kind_states = calloc(s->n + 1, sizeof *s->kind_states));
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

static size_t longest_row(const greedy_state *s) {
    size_t longest = 0;
    for (size_t y = 0; y < s->n; y++)
        longest = s->rows[y].n_nodes > longest ? s->rows[y].n_nodes : longest;
    return longest;
}

/* Columns of equal numbers of declared states, whose scores have the same terms, side by side. */
static status make_lanes(greedy_state *s, error_info *err) {
    AUTO_FREE uint32_t *declared = calloc(s->n + 1, sizeof *declared);
    CHECK_ALLOC(declared);
    for (size_t x = 0; x < s->n; x++)
        declared[x] = (uint32_t)dataset_state_count(s->data, x);
    return lane_columns_create(s->tables, declared, &s->lanes, err);
}

status greedy_rows_init(greedy_state *s, error_info *err) {
    CHECK_ALLOC(s->now = calloc(s->n + 1, sizeof *s->now));
    CHECK_ALLOC(s->stale = calloc(s->n + 1, sizeof *s->stale));
    CHECK_ALLOC(s->stale_arcs = calloc(s->n + 1, sizeof *s->stale_arcs));
    CHECK_ALLOC(s->visited = calloc(s->n + 1, sizeof *s->visited));
    CHECK_ALLOC(s->visited_keys = calloc(s->n + 1, sizeof *s->visited_keys));
    CHECK_ALLOC(s->nodes = calloc(s->n + 1, sizeof *s->nodes));
    CHECK_ALLOC(s->marks = calloc(s->n + 1, sizeof *s->marks));
    CHECK(row_heap_init(&s->additions, s->n, err));
    CHECK(row_heap_init(&s->arcs, s->n, err));
    CHECK(make_rows(s, err));
    CHECK(greedy_ahead_hire(s, err));
    CHECK(make_kinds(s, err));
    if (longest_row(s) >= TABLES_FROM || base_tables_suit(s->data))
        CHECK(score_make_tables(s->scorer, s->ctx->n_threads, &s->tables, err));
    if (s->tables && !s->lists && !s->plan->candidates && !base_tables_suit(s->data))
        CHECK(make_lanes(s, err));
    CHECK_ALLOC(s->worker = calloc(1, sizeof *s->worker));
    return greedy_worker_init(s->worker, s, s->scorer, err);
}

void greedy_rows_clear(greedy_state *s) {
    for (size_t y = 0; s->rows && y < s->n; y++) {
        free(s->rows[y].found);
        free(s->rows[y].unasked);
        free(s->rows[y].reversed);
        free(s->rows[y].arcs);
    }
    free(s->rows);
    free(s->now);
    free(s->stale);
    free(s->stale_arcs);
    free(s->visited);
    free(s->visited_keys);
    free(s->nodes);
    free(s->marks);
    if (s->worker)
        greedy_worker_clear(s->worker);
    free(s->worker);
    lane_columns_destroy(s->lanes);
    pair_tables_destroy(s->tables);
    row_heap_clear(&s->additions);
    row_heap_clear(&s->arcs);
    free(s->lists);
    free(s->kind);
    free(s->kind_states);
}

bool greedy_is_candidate(const greedy_state *s, size_t y, size_t x) {
    const candidate_row *row = &s->rows[y];
    size_t at;
    if (!row->nodes)
        return true;
    at = array_count_below(row->nodes, row->n_nodes, x);
    return at < row->n_nodes && row->nodes[at] == x;
}

/* --- what changes --- */

void greedy_touch_row(greedy_state *s, size_t y) {
    if (!s->rows[y].is_stale)
        s->stale[s->n_stale++] = y;
    s->rows[y].is_stale = true;
}

void greedy_touch_arcs(greedy_state *s, size_t y) {
    if (!s->rows[y].has_stale_arcs)
        s->stale_arcs[s->n_stale_arcs++] = y;
    s->rows[y].has_stale_arcs = true;
}

/* The reversal of x -> child makes a parent of x, of which nothing is known now. */
static void forget_back(greedy_state *s, size_t x, size_t child) {
    candidate_row *row = &s->rows[child];
    size_t n_parents, at;
    const size_t *parents = dag_parents(s->current, child, &n_parents);
    greedy_touch_arcs(s, child);
    at = array_count_below(parents, n_parents, x);
    if (row->n_arcs > 0)
        row->arcs[at] = (arc_scores){row->arcs[at].drop, INFINITY, false};
}

void greedy_forget_row(greedy_state *s, size_t y, size_t x) {
    candidate_row *row = &s->rows[y];
    size_t n_children;
    const size_t *children = dag_children(s->current, y, &n_children);
    greedy_ahead_note(s, y, x);
    row->was_looked_at = row->is_evaluated = false;
    row->depth = 0;
    row->n_arcs = row->n_unasked = row->n_reversed = 0;
    greedy_touch_row(s, y);
    greedy_touch_arcs(s, y);
    for (size_t i = 0; i < n_children; i++)
        forget_back(s, y, children[i]);
}

/* --- scores --- */

status greedy_score_fresh(greedy_state *s, size_t y, size_t x, double *out, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    bool is_done = false;
    if (s->worker->all_scores && !score_is_constant(s->scorer, x))
        CHECK(scored_extras_set(s->worker->all_scores, y, parents, n_parents, &x, 1, &is_done, err));
    if (!is_done)
        return score_node_fresh(s->scorer, y, parents, n_parents, x, out, err);
    *out = scored_extras_with(s->worker->all_scores, x);
    return STATUS_OK;
}

status greedy_score_with(greedy_state *s, size_t y, size_t x, double *out, error_info *err) {
    const candidate_row *row = &s->rows[y];
    *out = -INFINITY;
    if (greedy_is_full(s, y))
        return STATUS_OK;
    for (size_t i = 0; row->is_evaluated && i < row->n_found; i++) {
        if (row->found[i].node == x) {
            *out = row->found[i].with;
            return STATUS_OK;
        }
    }
    return greedy_score_fresh(s, y, x, out, err);
}

status greedy_score_without(greedy_state *s, size_t y, size_t x, double *out, error_info *err) {
    size_t n_parents, n = 0;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        if (parents[i] != x)
            s->nodes[n++] = parents[i];
    }
    return score_node(s->scorer, y, s->nodes, n, out, err);
}

status greedy_arcs_of(greedy_state *s, size_t y, arc_scores **out, error_info *err) {
    candidate_row *row = &s->rows[y];
    size_t n_parents;
    (void)dag_parents(s->current, y, &n_parents);
    if (row->n_arcs != n_parents) {
        CHECK(ARRAY_RESERVE(row->arcs, row->arcs_capacity, n_parents, err));
        for (size_t i = 0; i < n_parents; i++)
            row->arcs[i] = (arc_scores){(double)NAN, INFINITY, false};
        row->n_arcs = n_parents;
    }
    *out = row->arcs;
    return STATUS_OK;
}

/* --- counting --- */

/* Puts a node into its place in an ascending list. */
static void insert_node(size_t *nodes, size_t n, size_t node) {
    size_t at = array_count_below(nodes, n, node);
    memmove(nodes + at + 1, nodes + at, (n - at) * sizeof *nodes);
    nodes[at] = node;
}

/* Those that were not asked for, y and its parents among them, ascending. */
static size_t list_unasked(greedy_state *s, size_t y, size_t *out) {
    const candidate_row *row = &s->rows[y];
    size_t n_parents, n = 0;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    greedy_clear_marks(s);
    greedy_mark_all(s, row->reversed, row->n_reversed);
    for (size_t i = 0; i < row->n_unasked; i++) {
        if (!greedy_is_marked(s, row->unasked[i]))
            out[n++] = row->unasked[i];
    }
    for (size_t i = 0; i < n_parents; i++)
        insert_node(out, n++, parents[i]);
    insert_node(out, n++, y);
    return n;
}

static status count_listed(greedy_state *s, size_t y, const size_t *parents, size_t n_parents, error_info *err) {
    const candidate_row *row = &s->rows[y];
    size_t n_unasked = list_unasked(s, y, s->nodes), n = 0;
    greedy_clear_marks(s);
    for (size_t i = 0; i < n_unasked; i++)
        greedy_mark(s, s->nodes[i]);
    for (size_t i = 0; i < row->n_nodes; i++) {
        if (!greedy_is_marked(s, row->nodes[i]))
            s->nodes[n++] = row->nodes[i];
    }
    return score_count_additions(s->scorer, y, parents, n_parents, s->nodes, n, err);
}

status greedy_count_row(greedy_state *s, size_t y, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    if (!s->rows[y].was_looked_at || greedy_is_full(s, y))
        return STATUS_OK;
    if (s->rows[y].nodes)
        return count_listed(s, y, parents, n_parents, err);
    return score_count_additions_but(s->scorer, y, parents, n_parents, s->nodes, list_unasked(s, y, s->nodes), err);
}

/* --- looking at a row --- */

typedef const size_t *(*neighbours_of)(const dag *g, size_t node, size_t *count);

/* Marks and lists y and all that paths lead to. */
static size_t walk(greedy_state *s, size_t y, neighbours_of next, size_t *out) {
    size_t n = 0;
    greedy_clear_marks(s);
    greedy_mark(s, y);
    out[n++] = y;
    for (size_t i = 0; i < n; i++) {
        size_t n_next;
        const size_t *nodes = next(s->current, out[i], &n_next);
        for (size_t k = 0; k < n_next; k++) {
            if (greedy_is_marked(s, nodes[k]))
                continue;
            greedy_mark(s, nodes[k]);
            out[n++] = nodes[k];
        }
    }
    return n;
}

size_t greedy_list_descendants(greedy_state *s, size_t y, size_t *out) {
    return walk(s, y, dag_children, out);
}

size_t greedy_list_ancestors(greedy_state *s, size_t y, size_t *out) {
    return walk(s, y, dag_parents, out);
}

enum { SORT_SHARE = 64 }; /* a list of fewer than one in so many nodes is sorted, one of more read off the marks */

/* The marked nodes but y, ascending, of which `nodes` lists all, y first. */
static void sort_marked(const greedy_state *s, size_t y, size_t *nodes, size_t n) {
    size_t at = 1;
    if (n < s->n / SORT_SHARE) {
        array_sort_sizes(nodes + 1, n - 1);
        return;
    }
    for (size_t x = 0; x < s->n && at < n; x++) {
        if (greedy_is_marked(s, x) && x != y)
            nodes[at++] = x;
    }
}

/* The candidates among the descendants, of which the first of the list is y itself. */
static status begin_unasked(greedy_state *s, size_t y, size_t *below, size_t n_below, error_info *err) {
    candidate_row *row = &s->rows[y];
    row->n_unasked = 0;
    if (n_below > 1)
        CHECK(ARRAY_RESERVE(row->unasked, row->unasked_capacity, n_below, err));
    for (size_t i = 0; row->nodes && n_below > 1 && i < row->n_nodes; i++) {
        if (greedy_is_marked(s, row->nodes[i]))
            row->unasked[row->n_unasked++] = (uint32_t)row->nodes[i];
    }
    if (row->nodes)
        return STATUS_OK;
    sort_marked(s, y, below, n_below);
    for (size_t i = 1; i < n_below; i++)
        row->unasked[row->n_unasked++] = (uint32_t)below[i];
    return STATUS_OK;
}

/* The ceiling of a candidate of as many states as x. */
static status raise_most(greedy_state *s, size_t y, size_t r, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    double ceiling = 0;
    CHECK(score_ceiling_with(s->scorer, y, parents, n_parents, r, &ceiling, err));
    s->rows[y].most = fmax(s->rows[y].most, ceiling);
    return STATUS_OK;
}

/* Of the kinds of all candidates; of a row that is looked at for the first time. */
static status find_most(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    row->most = -INFINITY;
    if (greedy_is_full(s, y))
        return STATUS_OK;
    for (size_t k = 0; !row->nodes && k < s->n_kinds; k++)
        CHECK(raise_most(s, y, s->kind_states[k], err));
    greedy_clear_marks(s); /* of kinds */
    for (size_t i = 0; row->nodes && i < row->n_nodes; i++) {
        size_t kind = s->kind[row->nodes[i]];
        if (!greedy_is_marked(s, kind))
            CHECK(raise_most(s, y, s->kind_states[kind], err));
        greedy_mark(s, kind);
    }
    return STATUS_OK;
}

/* Puts a candidate in its place among the found. */
static status insert_found(candidate_row *row, const scored_parent *candidate, error_info *err) {
    size_t at = row->n_found;
    CHECK(ARRAY_ROOM(row->found, row->n_found, row->found_capacity, err));
    for (; at > 0 && greedy_scores_more(candidate, &row->found[at - 1]); at--)
        row->found[at] = row->found[at - 1];
    row->found[at] = *candidate;
    row->n_found++;
    return STATUS_OK;
}

/* Makes the answer one that left out what is not asked for, neither more nor less: one that the search could have found
 * itself. */
static status mend_answer(greedy_state *s, size_t y, const uint32_t *left_out, size_t n_left_out, error_info *err) {
    candidate_row *row = &s->rows[y];
    size_t n = 0;
    greedy_clear_marks(s);
    greedy_mark_all(s, row->unasked, row->n_unasked);
    for (size_t i = 0; i < row->n_found; i++) {
        if (!greedy_is_marked(s, row->found[i].node))
            row->found[n++] = row->found[i];
    }
    row->n_found = n;
    for (size_t i = 0; i < n_left_out; i++) {
        scored_parent freed = {0, left_out[i]};
        if (greedy_is_marked(s, freed.node) || !greedy_is_candidate(s, y, freed.node))
            continue;
        CHECK(greedy_score_fresh(s, y, freed.node, &freed.with, err));
        CHECK(insert_found(row, &freed, err));
    }
    return STATUS_OK;
}

status greedy_take_answer(greedy_state *s, size_t y, bool waits, bool *is_known, error_info *err) {
    const uint32_t *left_out;
    size_t n_left_out;
    *is_known = greedy_ahead_take(s, y, waits, &left_out, &n_left_out);
    return *is_known ? mend_answer(s, y, left_out, n_left_out, err) : STATUS_OK;
}

/* Those that are no descendants any more can be added, and are asked for: the row was evaluated without them. */
static status shrink_unasked(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    size_t n = 0;
    bool walks = !ancestry_has_rows(s->above) && row->n_unasked > 0;
    if (walks)
        (void)greedy_list_descendants(s, y, s->nodes);
    for (size_t i = 0; i < row->n_unasked; i++) {
        scored_parent freed = {0, row->unasked[i]};
        if (walks ? greedy_is_marked(s, freed.node) : ancestry_reaches(s->above, y, freed.node)) {
            row->unasked[n++] = freed.node;
            continue;
        }
        if (!row->is_evaluated || greedy_is_full(s, y))
            continue;
        CHECK(greedy_score_fresh(s, y, freed.node, &freed.with, err));
        CHECK(insert_found(row, &freed, err));
    }
    row->n_unasked = n;
    return STATUS_OK;
}

/* What no candidate of the row passes. */
static double ceiling_of(const greedy_state *s, size_t y) {
    const candidate_row *row = &s->rows[y];
    double with = row->is_evaluated ? row->rest : row->most;
    if (row->is_evaluated && row->n_found > 0)
        with = fmax(with, row->found[0].with);
    with -= s->now[y];
    return isnan(with) ? -INFINITY : with;
}

/* Looks at a row for the first time since its node has these parents. */
static status begin_row(greedy_state *s, size_t y, error_info *err) {
    bool is_known = s->rows[y].is_evaluated;
    CHECK(begin_unasked(s, y, s->nodes, greedy_list_descendants(s, y, s->nodes), err));
    if (!is_known && !greedy_is_full(s, y))
        CHECK(greedy_take_answer(s, y, false, &is_known, err));
    return is_known ? STATUS_OK : find_most(s, y, err);
}

status greedy_look_at_row(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    CHECK(row->was_looked_at ? shrink_unasked(s, y, err) : begin_row(s, y, err));
    row->was_looked_at = true;
    row->is_stale = false;
    row_heap_set(&s->additions, y, ceiling_of(s, y));
    greedy_ahead_ask(s, y);
    return STATUS_OK;
}
