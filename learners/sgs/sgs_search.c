/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stochastic greedy search: Vandel, Mangin, de Givry 2012, Algorithm 1. Each search makes the best move, or one of
 * those that tie with it at random, until none gains; the best graph of all searches is the result. sgs_moves.c lists
 * the moves, sgs_repair.c completes those that close a cycle.
 */
#include "learners/sgs/sgs_search.h"

#include "core/base/cache_line.h"
#include "core/run/parallel.h"
#include "core/run/spin.h"
#include "learners/sgs/repair_memo_internal.h"
#include "metrics/scores/score.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum {
    ABREAST = 16,           /* searches after which it is looked how much their rows take: as many run side by side */
    MAX_ROW_BYTES = 1 << 28 /* past it they are forgotten */
};

/* What a thread searches with, in lines of its own. */
typedef struct {
    _Alignas(CACHE_LINE) sgs_state state;
    sgs_repair *repair; /* NULL without ADD*, SWAP* */
    sgs_scan scan;
    sgs_result found; /* by the present search */
} search;

typedef struct {
    const sgs_plan *plan;
    run_context *ctx;
    family_pool *pool;
    search *searches; /* by thread */
    size_t n_threads;
    pthread_mutex_t lock;      /* of the team's work, and of: */
    pthread_cond_t change;     /* told of each piece of it, and when a thread has no search any more */
    atomic_size_t n_searching; /* threads that have one */
    sgs_team team;
    size_t n_begun_before; /* the present ones, by number: */
    atomic_size_t next;
    size_t n_wanted;
    sgs_result found[ABREAST];
    sgs_result best; /* of all former ones */
} all_searches;

static sgs_use use_of(const sgs_move *m, bool is_reversal) {
    static const sgs_use plain[] = {SGS_USE_ADD, SGS_USE_DELETE, SGS_USE_REVERSE, SGS_USE_SWAP};
    if (is_reversal)
        return SGS_USE_REVERSE;
    if (m->n_operations > 1)
        return m->kind == SGS_ADD ? SGS_USE_ADD_PLUS : SGS_USE_SWAP_PLUS;
    return plain[m->kind];
}

/* NULL without ADD*, SWAP*. */
static sgs_repair *repair_of(const search *s) {
    return s->state.team->members[s->state.worker].repair;
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
    CHECK(sgs_repair_move(repair_of(s), &s->state, &first, is_reversal, err));
    if (!*is_reversal) {
        s->found.n_repair_deletions += first.n_deletions;
        s->found.n_repair_swaps += first.n_operations - 1 - first.n_deletions;
    }
    CHECK(sgs_repair_difference(repair_of(s), &s->state, &removed, &n_removed, &added, &n_added, err));
    return sgs_state_change(&s->state, removed, n_removed, added, n_added, err);
}

static status apply_plain(search *s, const sgs_move *m, error_info *err) {
    sgs_arc arc = {m->from, m->to}, back = {m->to, m->from}, exchanged = {m->exchanged, m->to};
    switch (m->kind) {
    case SGS_ADD:
        return sgs_state_change(&s->state, NULL, 0, &arc, 1, err);
    case SGS_DELETE:
        return sgs_state_change(&s->state, &arc, 1, NULL, 0, err);
    case SGS_REVERSE:
        return sgs_state_change(&s->state, &arc, 1, &back, 1, err);
    case SGS_SWAP:
        return sgs_state_change(&s->state, &exchanged, 1, &arc, 1, err);
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

static status climb(search *s, error_info *err) {
    const sgs_plan *plan = s->state.plan;
    for (size_t i = 0; i < plan->max_moves; i++) {
        size_t chosen = 0;
        CHECK(sgs_scan_moves(&s->scan, &s->state, err));
        if (s->scan.is_expired || s->scan.n == 0)
            break;
        if (plan->prefers_short_moves)
            keep_shortest(&s->scan);
        if (plan->breaks_ties_at_random)
            chosen = (size_t)random_below(&s->state.random, s->scan.n);
        CHECK(apply(s, &s->scan.moves[chosen], err));
        if (!has_gained(s))
            break;
    }
    return STATUS_OK;
}

/* --- all searches --- */

/* The first draws from the run's own stream, so that one search alone finds what it finds among others. */
static random_stream stream_of(const run_context *ctx, size_t number) {
    random_stream stream = ctx->random;
    if (number > 0)
        random_stream_init(&stream, random_key_number(random_key_of(random_next(&stream)), number));
    return stream;
}

static status search_once(search *s, random_stream random, error_info *err) {
    s->found = (sgs_result){.n_searches = 1};
    s->scan.is_expired = false;
    if (repair_of(s))
        sgs_repair_turn_to(repair_of(s), &s->state);
    CHECK(sgs_state_start(&s->state, random, err));
    CHECK(climb(s, err));
    s->found.score = sgs_state_score(&s->state);
    s->found.is_cut_short = s->scan.is_expired;
    return dag_copy(s->state.g, &s->found.graph, err);
}

/* A run has a result, whatever the time. */
static bool may_begin(const all_searches *a, size_t number) {
    return number == 0 || !run_context_is_expired(a->ctx);
}

static status search_until_done(all_searches *a, size_t worker, error_info *err) {
    search *s = &a->searches[worker];
    size_t i;
    while ((i = atomic_fetch_add(&a->next, 1)) < a->n_wanted && may_begin(a, a->n_begun_before + i)) {
        CHECK(search_once(s, stream_of(a->ctx, a->n_begun_before + i), err));
        a->found[i] = s->found;
    }
    return STATUS_OK;
}

static bool is_nobody_searching(void *self) {
    const all_searches *a = self;
    return atomic_load(&a->n_searching) == 0;
}

/* Whoever may end the run is asked in its own thread alone, and reads what was counted. */
static void help_others_and_ask(all_searches *a) {
    shared_guest g = {{0}};
    while (!is_nobody_searching(a)) {
        family_scores_publish(a->searches[0].state.scores);
        (void)run_context_is_expired(a->ctx);
        spin_lock(&a->lock);
        shared_work_visit(&a->team.work, 1, &g);
        (void)pthread_mutex_unlock(&a->lock);
    }
}

static void end_searching(all_searches *a) {
    spin_lock(&a->lock);
    atomic_fetch_sub(&a->n_searching, 1);
    shared_work_tell(&a->team.work);
    (void)pthread_mutex_unlock(&a->lock);
}

static void help_others(all_searches *a, size_t worker) {
    spin_lock(&a->lock);
    shared_work_take_part_until(&a->team.work, worker + 1, is_nobody_searching, a);
    (void)pthread_mutex_unlock(&a->lock);
}

static status search_beside_others(void *self, size_t worker, error_info *err) {
    all_searches *a = self;
    status st;
    atomic_fetch_add(&a->n_searching, 1);
    st = family_scores_begin(a->searches[worker].state.scores, err);
    if (st == STATUS_OK)
        st = search_until_done(a, worker, err);
    if (st != STATUS_OK)
        atomic_store(&a->next, a->n_wanted);
    end_searching(a);
    if (worker == 0 && a->ctx->watch)
        help_others_and_ask(a);
    else
        help_others(a, worker);
    return st;
}

/* The graph of one search becomes that of all, or is destroyed. */
static status take_result(all_searches *a, sgs_result *one, error_info *err) {
    sgs_result *best = &a->best;
    trace *t = a->ctx->trace;
    if (!best->graph || one->score > best->score + SCORE_TOLERANCE) {
        dag_destroy(best->graph);
        best->graph = one->graph;
        best->score = one->score;
    } else {
        dag_destroy(one->graph);
    }
    one->graph = NULL;
    for (size_t i = 0; i < SGS_N_USES; i++)
        best->uses[i] += one->uses[i];
    best->n_searches++;
    best->is_cut_short = best->is_cut_short || one->is_cut_short;
    best->longest_move = one->longest_move > best->longest_move ? one->longest_move : best->longest_move;
    best->n_repair_deletions += one->n_repair_deletions;
    best->n_repair_swaps += one->n_repair_swaps;
    CHECK(trace_add_point(t, "search_score", best->n_searches, one->score, err));
    return trace_add_point(t, "best_score", best->n_searches, best->score, err);
}

/* In the order of the searches. */
static status take_results(all_searches *a, error_info *err) {
    for (size_t i = 0; i < a->n_wanted; i++) {
        if (a->found[i].graph)
            CHECK(take_result(a, &a->found[i], err));
        else
            a->best.is_cut_short = true;
    }
    return STATUS_OK;
}

/* Searches that ask for whole rows alone: what they ask for, all told, does not hang on which of them asks first. */
static bool may_be_side_by_side(const sgs_plan *plan) {
    return plan->neighbourhood == SGS_STARS && plan->looks_everywhere && !plan->candidates;
}

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t sgs_search_threads(const sgs_plan *plan, const run_context *ctx) {
    bool is_alone = ctx->most_scores > 0 || !may_be_side_by_side(plan);
    return is_alone ? 1 : least_of(ctx->n_threads, ABREAST);
}

static size_t count_threads(const family_source *source, const sgs_plan *plan, const run_context *ctx) {
    return source->row && source->n_workers > 1 ? least_of(source->n_workers, sgs_search_threads(plan, ctx)) : 1;
}

static status search_init(search *s, all_searches *a, size_t worker, const family_source *source, error_info *err) {
    CHECK(sgs_state_init(&s->state, a->pool, worker, source, a->plan, a->ctx, err));
    s->state.team = &a->team;
    s->state.worker = worker;
    a->team.members[worker].scores = s->state.scores;
    if (a->plan->neighbourhood != SGS_STARS)
        return STATUS_OK;
    CHECK(sgs_repair_create(&s->state, &a->team.members[worker].repair, err));
    return repair_memo_create(s->state.n, s->state.n_words, &s->state.repairs, err);
}

static void search_clear(search *s) {
    sgs_scan_clear(&s->scan);
    sgs_state_clear(&s->state);
}

static status all_init(all_searches *a, const family_source *source, error_info *err) {
    CHECK(family_pool_create(source, a->plan, &a->pool, err));
    a->n_threads = count_threads(source, a->plan, a->ctx);
    CHECK_ALLOC(a->searches = cache_lines_create(a->n_threads * sizeof *a->searches));
    CHECK_ALLOC(a->team.members = calloc(a->n_threads, sizeof *a->team.members));
    a->team.work = (shared_work){.lock = &a->lock, .change = &a->change};
    for (size_t i = 0; i < a->n_threads; i++)
        CHECK(search_init(&a->searches[i], a, i, source, err));
    return STATUS_OK;
}

static void team_clear(sgs_team *team, size_t n_threads) {
    for (size_t i = 0; team->members && i < n_threads; i++)
        sgs_repair_destroy(team->members[i].repair);
    free(team->members);
}

static void all_clear(all_searches *a) {
    team_clear(&a->team, a->n_threads);
    for (size_t i = 0; a->searches && i < a->n_threads; i++)
        search_clear(&a->searches[i]);
    free(a->searches);
    (void)pthread_cond_destroy(&a->change);
    (void)pthread_mutex_destroy(&a->lock);
    family_pool_destroy(a->pool);
    for (size_t i = 0; i < ABREAST; i++)
        dag_destroy(a->found[i].graph);
    dag_destroy(a->best.graph);
}

/* As many as may run side by side by any number of threads: what is forgotten between them counts as asked for anew. */
static status search_some(all_searches *a, size_t abreast, error_info *err) {
    status st;
    a->n_begun_before = a->best.n_searches;
    a->n_wanted = least_of(abreast, a->plan->n_restarts - a->n_begun_before);
    atomic_store(&a->next, 0);
    CHECK(family_pool_trim(a->pool, a->plan->max_row_bytes > 0 ? a->plan->max_row_bytes : MAX_ROW_BYTES, err));
    st = parallel_run(a->n_threads, search_beside_others, a, err);
    family_scores_publish(a->searches[0].state.scores);
    return st == STATUS_OK ? take_results(a, err) : st;
}

status sgs_search(const family_source *source, const sgs_plan *plan, run_context *ctx, sgs_result *out,
                  error_info *err) {
    AUTO(all_clear) all_searches all = {.plan = plan, .ctx = ctx};
    size_t abreast = may_be_side_by_side(plan) ? ABREAST : 1;
    (void)pthread_mutex_init(&all.lock, NULL);
    (void)pthread_cond_init(&all.change, NULL);
    if (plan->start && dag_node_count(plan->start) != source->n_variables)
        return error_set(err, STATUS_INVALID, "the start has %zu nodes; there are %zu variables",
                         dag_node_count(plan->start), source->n_variables);
    CHECK(all_init(&all, source, err));
    while (all.best.n_searches < plan->n_restarts && !all.best.is_cut_short)
        CHECK(search_some(&all, abreast, err));
    *out = all.best;
    all.best.graph = NULL;
    return STATUS_OK;
}
