/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a greedy search knows of the score of each node with one more parent: for each node the best few candidates, and
 * a bound that no other passes. Row y is forgotten when the parents of y change. It is evaluated when its ceiling is
 * the highest: first for its best candidate, then, where cycles or a TABU list bar that, for more. So memory grows with
 * the nodes and not with their pairs.
 */
#include "core/base/array.h"
#include "core/counting/base_tables.h"
#include "core/counting/column_blocks.h"
#include "learners/greedy/greedy_ahead_internal.h"
#include "learners/greedy/greedy_worker_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLES_FROM = 64,       /* with no row of as many candidates, the bit vectors of all columns do not pay */
    SHARED_VALUES = 8000000 /* of data; the vectors of fewer are there before a new thread takes part */
};

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
    CHECK(lane_columns_create(s->tables, declared, &s->lanes, err));
    return s->lanes || !column_blocks_are_fast()
               ? STATUS_OK
               : column_blocks_create(pair_tables_data(s->tables), declared, &s->blocks, err);
}

status greedy_make_lanes(void *self, size_t worker, error_info *err) {
    greedy_state *s = self;
    bool are_wanted = s->tables && !s->lists && !s->plan->candidates && !base_tables_suit(s->data);
    return are_wanted && worker <= 1 ? make_lanes(s, err) : STATUS_OK;
}

static status make_tables(greedy_state *s, error_info *err) {
    bool are_shared = (double)s->n * (double)dataset_row_count(s->data) >= SHARED_VALUES;
    size_t n_threads = are_shared ? s->ctx->n_threads : 1;
    CHECK(score_make_tables(s->scorer, n_threads, are_shared ? s->threads : NULL, &s->tables, err));
    if (s->tables) {
        base_tables_prepare(s->tables, n_threads);
        score_lend_tables(s->scorer, s->tables);
    }
    return STATUS_OK;
}

/* The threads begin while the rest is made. */
status greedy_rows_init(greedy_state *s, error_info *err) {
    CHECK(make_rows(s, err));
    CHECK(greedy_ahead_hire(s, err));
    CHECK_ALLOC(s->now = calloc(s->n + 1, sizeof *s->now));
    CHECK_ALLOC(s->stale = calloc(s->n + 1, sizeof *s->stale));
    CHECK_ALLOC(s->stale_arcs = calloc(s->n + 1, sizeof *s->stale_arcs));
    CHECK_ALLOC(s->visited = calloc(s->n + 1, sizeof *s->visited));
    CHECK_ALLOC(s->visited_keys = calloc(s->n + 1, sizeof *s->visited_keys));
    CHECK_ALLOC(s->nodes = calloc(s->n + 1, sizeof *s->nodes));
    CHECK(greedy_counts_init(s, err));
    CHECK_ALLOC(s->marks = calloc(s->n + 1, sizeof *s->marks));
    CHECK(row_heap_init(&s->additions, s->n, err));
    CHECK(row_heap_init(&s->arcs, s->n, err));
    CHECK(make_kinds(s, err));
    if (longest_row(s) >= TABLES_FROM || base_tables_suit(s->data))
        CHECK(make_tables(s, err));
    return STATUS_OK;
}

status greedy_rows_init_worker(greedy_state *s, error_info *err) {
    CHECK_ALLOC(s->worker = calloc(1, sizeof *s->worker));
    return greedy_worker_init(s->worker, s, s->scorer, err);
}

void greedy_rows_clear(greedy_state *s) {
    for (size_t y = 0; s->rows && y < s->n; y++) {
        free(s->rows[y].found);
        free(s->rows[y].missed.nodes);
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
    column_blocks_destroy(s->blocks);
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

static arc_scores *arc_of(const greedy_state *s, size_t x, size_t y) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    return s->rows[y].n_arcs > 0 ? &s->rows[y].arcs[array_count_below(parents, n_parents, x)] : NULL;
}

static void open_arc(greedy_state *s, size_t y, arc_scores *arc) {
    arc->is_closed = false;
    greedy_touch_arcs(s, y);
}

void greedy_open_arc(greedy_state *s, size_t x, size_t y) {
    arc_scores *arc = arc_of(s, x, y);
    if (arc && arc->is_closed)
        open_arc(s, y, arc);
}

void greedy_open_arcs(greedy_state *s, size_t x, size_t z) {
    const candidate_row *row = &s->rows[z];
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, z, &n_parents);
    for (size_t i = 0; i < row->n_arcs; i++) {
        if (row->arcs[i].is_closed && dag_has_arc(s->current, parents[i], x))
            open_arc(s, z, &row->arcs[i]);
    }
}

/* The reversal of x -> child makes a parent of x, of which nothing is known now. */
static void forget_back(greedy_state *s, size_t x, size_t child) {
    arc_scores *arc = arc_of(s, x, child);
    greedy_touch_arcs(s, child);
    if (!arc)
        return;
    arc->back = INFINITY;
    arc->is_back_exact = arc->is_asked = false;
}

/* Of an arc that stays, the reversal is what it was. Where there was no memory for the change, nothing is known. */
static void forget_drops(greedy_state *s, size_t y, size_t x) {
    candidate_row *row = &s->rows[y];
    size_t n_parents, n_kept = row->n_arcs, at;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    row->n_arcs = 0;
    if (n_kept == 0 || x == SIZE_MAX)
        return;
    at = array_count_below(parents, n_parents, x);
    if (n_parents == n_kept + 1 && n_parents <= row->arcs_capacity) {
        memmove(row->arcs + at + 1, row->arcs + at, (n_kept - at) * sizeof *row->arcs);
        row->arcs[at] = unknown_arc;
        row->n_arcs = n_parents;
    } else if (n_parents == n_kept - 1) {
        memmove(row->arcs + at, row->arcs + at + 1, (n_parents - at) * sizeof *row->arcs);
        row->n_arcs = n_parents;
    }
    for (size_t i = 0; i < row->n_arcs; i++)
        row->arcs[i].drop = (double)NAN;
}

void greedy_forget_row(greedy_state *s, size_t y, size_t x) {
    candidate_row *row = &s->rows[y];
    size_t n_children;
    const size_t *children = dag_children(s->current, y, &n_children);
    greedy_ahead_note(s, y, x);
    row->was_looked_at = row->is_evaluated = false;
    row->depth = 0;
    row->n_reversed = 0;
    forget_drops(s, y, x);
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
    const scored_parent *found = s->rows[y].is_evaluated ? greedy_find_candidate(s, y, x) : NULL;
    *out = -INFINITY;
    if (greedy_is_full(s, y))
        return STATUS_OK;
    if (!found)
        return greedy_score_fresh(s, y, x, out, err);
    *out = found->with;
    return STATUS_OK;
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
        CHECK(ARRAY_RESERVE(row->arcs, row->arcs_capacity, n_parents + 1, err)); /* and room for the next */
        for (size_t i = 0; i < n_parents; i++)
            row->arcs[i] = unknown_arc;
        row->n_arcs = n_parents;
    }
    *out = row->arcs;
    return STATUS_OK;
}

/* --- looking at a row --- */

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

/* A node that the row was evaluated without comes in, where it may score more than what the row leaves open. */
static status find_freed(greedy_state *s, size_t y, size_t x, double most, error_info *err) {
    candidate_row *row = &s->rows[y];
    scored_parent freed = {0, (uint32_t)x, 0};
    if (most <= row->rest || x == y || greedy_find_candidate(s, y, x) || !greedy_is_candidate(s, y, x) ||
        dag_has_arc(s->current, x, y))
        return STATUS_OK;
    CHECK(greedy_score_fresh(s, y, x, &freed.with, err));
    s->is_expired = run_context_is_expired(s->ctx);
    return insert_found(row, &freed, err);
}

static bool takes_freed(const greedy_state *s, size_t y) {
    return s->rows[y].is_evaluated && !greedy_is_full(s, y) && !s->is_expired;
}

/* Marks y and what it reached then. */
static void mark_reached(greedy_state *s, size_t y, uint32_t then) {
    size_t n = reach_history_list(s->past, y, then, s->nodes);
    greedy_clear_marks(s);
    for (size_t i = 0; i < n; i++)
        greedy_mark(s, s->nodes[i]);
}

enum { LOSS_SHARE = 64 }; /* fewer than one lost node in so many are scored sooner than told apart */

/* Those that the row was evaluated without, and that are marked, or are not. */
static status find_missed(greedy_state *s, size_t y, bool are_marked, error_info *err) {
    const missed_nodes *missed = &s->rows[y].missed;
    for (size_t i = 0; i < missed->n && takes_freed(s, y); i++) {
        if (greedy_is_marked(s, missed->nodes[i].node) == are_marked)
            CHECK(find_freed(s, y, missed->nodes[i].node, (double)missed->nodes[i].most, err));
    }
    return STATUS_OK;
}

static void mark_lost(greedy_state *s, const reach_loss *losses, size_t n) {
    greedy_clear_marks(s);
    for (size_t i = 0; i < n; i++)
        greedy_mark(s, losses[i].node);
}

/* Marks what the row was evaluated without; false: any may be one, as that is told apart for many only. */
static bool mark_left_out(greedy_state *s, size_t y, size_t n_losses) {
    if (!ancestry_has_rows(s->above) || n_losses < s->n / LOSS_SHARE)
        return false;
    mark_reached(s, y, s->rows[y].without);
    return true;
}

/* The row was evaluated without descendants: what is no longer one comes in. */
static status find_lost(greedy_state *s, size_t y, uint32_t after, error_info *err) {
    size_t n;
    const reach_loss *losses = reach_history_losses(s->past, y, after, &n);
    bool is_any;
    if (n == 0 || !takes_freed(s, y))
        return STATUS_OK;
    if (s->rows[y].missed.are_all) {
        mark_lost(s, losses, n);
        return find_missed(s, y, true, err);
    }
    is_any = !mark_left_out(s, y, n);
    for (size_t i = 0; i < n && takes_freed(s, y); i++) {
        if (is_any || greedy_is_marked(s, losses[i].node))
            CHECK(find_freed(s, y, losses[i].node, INFINITY, err));
    }
    return STATUS_OK;
}

/* The row was evaluated without those that x reached then: what y does not reach now comes in. */
static status find_left_out(greedy_state *s, size_t y, size_t x, uint32_t then, error_info *err) {
    size_t n;
    mark_reached(s, y, reach_history_now(s->past));
    if (s->rows[y].missed.are_all)
        return find_missed(s, y, false, err);
    n = reach_history_list(s->past, x, then, s->nodes);
    for (size_t i = 0; i < n && takes_freed(s, y); i++) {
        if (!greedy_is_marked(s, s->nodes[i]))
            CHECK(find_freed(s, y, s->nodes[i], INFINITY, err));
    }
    return STATUS_OK;
}

status greedy_take_answer(greedy_state *s, size_t y, bool waits, bool *is_known, error_info *err) {
    uint32_t begun_at;
    size_t left_out;
    *is_known = greedy_ahead_take(s, y, waits, &begun_at, &left_out);
    if (!*is_known)
        return STATUS_OK;
    s->rows[y].without = begun_at;
    CHECK(find_lost(s, y, begun_at, err));
    if (left_out == SIZE_MAX)
        return STATUS_OK;
    s->rows[y].without = reach_history_now(s->past);
    return find_left_out(s, y, left_out, begun_at, err);
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
    s->rows[y].begun_at = reach_history_now(s->past);
    if (!is_known && !greedy_is_full(s, y))
        CHECK(greedy_take_answer(s, y, false, &is_known, err));
    return is_known ? STATUS_OK : find_most(s, y, err);
}

status greedy_look_at_row(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    CHECK(row->was_looked_at ? find_lost(s, y, row->looked_at, err) : begin_row(s, y, err));
    row->was_looked_at = true;
    row->looked_at = reach_history_now(s->past);
    row->is_stale = false;
    row_heap_set(&s->additions, y, ceiling_of(s, y));
    greedy_ahead_ask(s, y);
    return STATUS_OK;
}
