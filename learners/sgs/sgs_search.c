/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stochastic greedy search: Vandel, Mangin, de Givry 2012, Algorithm 1. Each search makes the best move, or one of
 * those that tie with it at random, until none gains; the best graph of all searches is the result. sgs_moves.c lists
 * the moves, sgs_repair.c completes those that close a cycle.
 */
#include "learners/sgs/sgs_search.h"

#include "learners/sgs/repair_memo_internal.h"
#include "metrics/scores/score.h"

#include <stdlib.h>

typedef struct {
    sgs_state state;
    sgs_repair *repair; /* NULL without ADD*, SWAP* */
    sgs_scan scan;
    sgs_crew *crew; /* where it looks everywhere; else NULL */
    sgs_result found;
} search;

static sgs_use use_of(const sgs_move *m, bool is_reversal) {
    static const sgs_use plain[] = {SGS_USE_ADD, SGS_USE_DELETE, SGS_USE_REVERSE, SGS_USE_SWAP};
    if (is_reversal)
        return SGS_USE_REVERSE;
    if (m->n_operations > 1)
        return m->kind == SGS_ADD ? SGS_USE_ADD_PLUS : SGS_USE_SWAP_PLUS;
    return plain[m->kind];
}

static status apply_repaired(search *s, const sgs_move *m, bool *is_reversal, error_info *err) {
    const sgs_arc *removed, *added;
    size_t n_removed, n_added;
    sgs_move first = *m; /* its gain is the total; what the repair wants is the gain of the first operation */
    const sgs_head *h = &s->state.heads[m->to];
    size_t n_parents, at = 0;
    const size_t *parents = dag_parents(s->state.g, m->to, &n_parents);
    const family_row *row = h->with;
    if (m->kind == SGS_SWAP) {
        while (parents[at] != m->exchanged)
            at++;
        row = h->without[at];
    }
    first.gain = row->values[family_scores_position(s->state.scores, m->to, m->from)] - h->now;
    CHECK(sgs_repair_move(s->repair, &s->state, &first, is_reversal, err));
    if (!*is_reversal) {
        s->found.n_repair_deletions += first.n_deletions;
        s->found.n_repair_swaps += first.n_operations - 1 - first.n_deletions;
    }
    CHECK(sgs_repair_difference(s->repair, &s->state, &removed, &n_removed, &added, &n_added, err));
    return sgs_state_plan_change(&s->state, removed, n_removed, added, n_added, err);
}

static status apply_plain(search *s, const sgs_move *m, error_info *err) {
    sgs_arc arc = {m->from, m->to}, back = {m->to, m->from}, exchanged = {m->exchanged, m->to};
    switch (m->kind) {
    case SGS_ADD:
        return sgs_state_plan_change(&s->state, NULL, 0, &arc, 1, err);
    case SGS_DELETE:
        return sgs_state_plan_change(&s->state, &arc, 1, NULL, 0, err);
    case SGS_REVERSE:
        return sgs_state_plan_change(&s->state, &arc, 1, &back, 1, err);
    case SGS_SWAP:
        return sgs_state_plan_change(&s->state, &exchanged, 1, &arc, 1, err);
    }
    return STATUS_OK;
}

static status apply(search *s, const sgs_move *m, error_info *err) {
    bool is_reversal = false;
    if (m->needs_repair)
        CHECK(apply_repaired(s, m, &is_reversal, err));
    else
        CHECK(apply_plain(s, m, err));
    s->found.uses[use_of(m, is_reversal)]++;
    if (m->n_operations > s->found.longest_move)
        s->found.longest_move = m->n_operations;
    return STATUS_OK;
}

/* An ADD* that comes to a reversal has two operations. */
static void keep_shortest(sgs_scan *scan) {
    size_t least = SIZE_MAX, n_kept = 0;
    for (size_t i = 0; i < scan->n; i++)
        least = scan->moves[i].n_operations < least ? scan->moves[i].n_operations : least;
    for (size_t i = 0; i < scan->n; i++) {
        if (scan->moves[i].n_operations == least)
            scan->moves[n_kept++] = scan->moves[i];
    }
    scan->n = n_kept;
}

/* Rows at once sum a family in another order than the family by itself. Of millions of rows the last digits of these
 * sums differ by more than the tolerance, and a search that believed them could go round in circles. */
static bool has_gained(const search *s) {
    return !(s->state.gained <= SCORE_TOLERANCE / 2);
}

static status scan(search *s, error_info *err) {
    return s->crew ? sgs_crew_scan(s->crew, &s->scan, &s->state, err)
                   : sgs_scan_moves(&s->scan, &s->state, s->repair, err);
}

static status renew(search *s, error_info *err) {
    if (s->crew)
        return sgs_crew_renew(s->crew, &s->state, err);
    CHECK(sgs_state_change(&s->state, err));
    return sgs_state_renew(&s->state, err);
}

static status climb(search *s, error_info *err) {
    const sgs_plan *plan = s->state.plan;
    for (size_t i = 0; i < plan->max_moves; i++) {
        size_t chosen = 0;
        CHECK(scan(s, err));
        if (s->scan.is_expired || s->scan.n == 0)
            break;
        if (plan->prefers_short_moves)
            keep_shortest(&s->scan);
        if (plan->breaks_ties_at_random)
            chosen = (size_t)random_below(&s->state.ctx->random, s->scan.n);
        CHECK(apply(s, &s->scan.moves[chosen], err));
        CHECK(renew(s, err));
        if (!has_gained(s))
            break;
    }
    return s->crew ? sgs_crew_rest(s->crew, err) : STATUS_OK;
}

static status keep_best(search *s, error_info *err) {
    dag *copy = NULL;
    double total = sgs_state_score(&s->state);
    trace *t = s->state.ctx->trace;
    if (!s->found.graph || total > s->found.score + SCORE_TOLERANCE) {
        CHECK(dag_copy(s->state.g, &copy, err));
        dag_destroy(s->found.graph);
        s->found.graph = copy;
        s->found.score = total;
    }
    CHECK(trace_add_point(t, "search_score", s->found.n_searches, total, err));
    return trace_add_point(t, "best_score", s->found.n_searches, s->found.score, err);
}

status sgs_search(const family_source *source, const sgs_plan *plan, run_context *ctx, sgs_result *out,
                  error_info *err) {
    status st = STATUS_OK;
    search s = {0};
    if (plan->start && dag_node_count(plan->start) != source->n_variables)
        return error_set(err, STATUS_INVALID, "the start has %zu nodes; there are %zu variables",
                         dag_node_count(plan->start), source->n_variables);
    TRY(sgs_state_init(&s.state, source, plan, ctx, err));
    if (plan->neighbourhood == SGS_STARS) {
        TRY(sgs_repair_create(&s.state, &s.repair, err));
        TRY(repair_memo_create(s.state.n, s.state.n_words, &s.state.repairs, err));
        if (plan->looks_everywhere)
            TRY(sgs_crew_create(&s.state, ctx->n_threads, &s.crew, err));
    }
    do {
        TRY(sgs_state_start(&s.state, err));
        TRY(climb(&s, err));
        s.found.n_searches++;
        TRY(keep_best(&s, err));
    } while (s.found.n_searches < plan->n_restarts && !s.scan.is_expired);
    s.found.is_cut_short = s.scan.is_expired;
    *out = s.found;
    s.found.graph = NULL;
cleanup:
    dag_destroy(s.found.graph);
    sgs_repair_destroy(s.repair);
    sgs_crew_destroy(s.crew);
    sgs_scan_clear(&s.scan);
    sgs_state_clear(&s.state);
    return st;
}
