/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The skeleton of PMMPC. The search of a target depends on no other, so that threads take one target after another.
 * What targets asked is recorded in their order, whoever searched them: counters are those of one thread.
 */
#include "core/base/array.h"
#include "core/base/cache_line.h"
#include "core/run/parallel.h"
#include "core/run/spin.h"
#include "learners/constraint/pmmpc_records_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* One thread's search. */
typedef struct {
    _Alignas(CACHE_LINE) pmmpc_search *search;
} worker;

/* What the search of a target has found. */
typedef struct {
    bool is_done;
    size_t *members, n_members;
    pmmpc_questions asked; /* until they are recorded */
} target_result;

typedef struct {
    const pmmpc_rules *rules;
    const run_context *ctx;
    size_t n, n_workers;
    worker *workers; /* the first has the caller's source */
    double start_s;
    size_t *order;          /* of targets */
    atomic_size_t next;     /* the first of them that nobody has taken */
    atomic_bool is_over;    /* the deadline has passed, or a thread has failed */
    pthread_mutex_t lock;   /* of what follows */
    target_result *results; /* by target */
    pmmpc_records *records; /* NULL: none are kept */
    size_t n_done;          /* all targets before this one are, and their questions recorded */
} team;

/* --- one target --- */

/* Under the lock. */
static void record_in_order(team *t) {
    for (; t->n_done < t->n && t->results[t->n_done].is_done; t->n_done++) {
        target_result *r = &t->results[t->n_done];
        if (t->records)
            pmmpc_records_add(t->records, t->n_done, &r->asked);
        pmmpc_questions_clear(&r->asked);
    }
}

static status keep_result(team *t, pmmpc_search *s, size_t target, const size_t *members, size_t n, error_info *err) {
    target_result *r = &t->results[target];
    CHECK_ALLOC(r->members = calloc(n + 1, sizeof *r->members));
    memcpy(r->members, members, n * sizeof *members);
    r->n_members = n;
    r->asked = pmmpc_search_take_questions(s);
    spin_lock(&t->lock);
    r->is_done = true;
    record_in_order(t);
    (void)pthread_mutex_unlock(&t->lock);
    return STATUS_OK;
}

/* Half a list says nothing that could be trusted. */
static status search_next(team *t, pmmpc_search *s, error_info *err) {
    size_t place = atomic_fetch_add(&t->next, 1), target, n = 0;
    const size_t *members = NULL;
    if (place >= t->n)
        return STATUS_OK;
    target = t->order[place];
    CHECK(pmmpc_search_target(s, target, &members, &n, err));
    if (!pmmpc_search_is_cut_short(s))
        return keep_result(t, s, target, members, n, err);
    atomic_store(&t->is_over, true);
    return STATUS_OK;
}

static bool is_more_to_do(team *t) {
    return atomic_load(&t->next) < t->n && !atomic_load(&t->is_over);
}

/* --- threads --- */

/* Others start, and make tables of their own, in a millisecond or so. */
static bool is_worth_a_team(const team *t) {
    enum { LEAST_MS = 4, FEW = 4 }; /* of work that is left; and targets, of which the first takes longer */
    return t->n_workers > 1 && t->n_done >= FEW && run_time_left_s(t->start_s, t->n_done, t->n) >= LEAST_MS * 1e-3;
}

typedef struct {
    size_t target, n_candidates;
} weighed_target;

static int compare_weights(const void *a, const void *b) {
    const weighed_target *x = a, *y = b;
    if (x->n_candidates != y->n_candidates)
        return x->n_candidates > y->n_candidates ? -1 : 1;
    return x->target < y->target ? -1 : x->target > y->target;
}

/* The targets with the most candidates first, so that no thread has a long one left at the end; the others as they
 * stand, so that little waits to be recorded. */
static status put_long_ones_first(team *t, error_info *err) {
    enum { FIRST = 16 }; /* one of so many targets */
    size_t first = atomic_load(&t->next), n = t->n - first, n_long = n / FIRST;
    const decision_source *quick = t->rules->quick;
    AUTO_FREE weighed_target *weighed = calloc(n + 1, sizeof *weighed);
    CHECK_ALLOC(weighed);
    for (size_t i = 0; i < n; i++)
        weighed[i] = (weighed_target){first + i, quick->count_dependent(quick->self, first + i)};
    qsort(weighed, n, sizeof *weighed, compare_weights);
    for (size_t i = 0; i < n; i++)
        t->order[first + i] = weighed[i].target;
    array_sort_sizes(t->order + first + n_long, n - n_long);
    return STATUS_OK;
}

static status create_beside(team *t, size_t index, error_info *err) {
    const mmpc_helpers *helpers = &t->rules->helpers;
    association_source source;
    pmmpc_rules rules = *t->rules;
    CHECK(helpers->join(helpers->self, index - 1, &source, &rules.quick, &rules.tally, err));
    CHECK(pmmpc_search_create(&source, t->n, &rules, t->ctx, &t->workers[index].search, err));
    pmmpc_search_use_records(t->workers[index].search, t->records);
    return STATUS_OK;
}

static status work(void *self, size_t index, error_info *err) {
    status st = STATUS_OK;
    team *t = self;
    worker *w = &t->workers[index];
    if (index > 0)
        TRY(create_beside(t, index, err));
    while (is_more_to_do(t))
        TRY(search_next(t, w->search, err));
cleanup:
    if (st != STATUS_OK)
        atomic_store(&t->is_over, true);
    return st;
}

static status search_all(team *t, error_info *err) {
    while (is_more_to_do(t) && !is_worth_a_team(t))
        CHECK(search_next(t, t->workers[0].search, err));
    if (!is_more_to_do(t))
        return STATUS_OK;
    CHECK(put_long_ones_first(t, err));
    return parallel_run(t->n_workers, work, t, err);
}

/* --- all of it --- */

static void team_clear(team *t) {
    for (size_t i = 0; t->workers && i < t->n_workers; i++)
        pmmpc_search_destroy(t->workers[i].search);
    for (size_t i = 0; t->results && i < t->n; i++) {
        free(t->results[i].members);
        pmmpc_questions_clear(&t->results[i].asked);
    }
    free(t->workers);
    free(t->order);
    free(t->results);
    pmmpc_records_destroy(t->records);
    (void)pthread_mutex_destroy(&t->lock);
}

static status team_init(team *t, const association_source *source, error_info *err) {
    t->start_s = run_clock_s();
    CHECK_ALLOC(t->workers = cache_lines_create(t->n_workers * sizeof *t->workers));
    CHECK_ALLOC(t->order = calloc(t->n + 1, sizeof *t->order));
    for (size_t i = 0; i < t->n; i++)
        t->order[i] = i;
    CHECK_ALLOC(t->results = calloc(t->n + 1, sizeof *t->results));
    CHECK(pmmpc_search_create(source, t->n, t->rules, t->ctx, &t->workers[0].search, err));
    if (!t->rules->quick)
        return STATUS_OK;
    CHECK(pmmpc_records_create(t->rules->quick, t->n, &t->records, err));
    pmmpc_search_use_records(t->workers[0].search, t->records);
    return STATUS_OK;
}

static status gather(const team *t, pdag **out, error_info *err) {
    AUTO_PTR(neighbour_lists_destroy) neighbour_lists *lists = NULL;
    CHECK(neighbour_lists_create(t->n, &lists, err));
    for (size_t i = 0; i < t->n_done; i++)
        CHECK(neighbour_lists_append(lists, t->results[i].members, t->results[i].n_members, err));
    return neighbour_lists_skeleton(lists, (symmetry_rule)t->rules->symmetry, out, err);
}

status pmmpc_skeleton(const association_source *source, size_t n_variables, const pmmpc_rules *rules,
                      const run_context *ctx, pdag **out, bool *is_cut_short, error_info *err) {
    AUTO(team_clear)
    team t = {.rules = rules, .ctx = ctx, .n = n_variables, .n_workers = rules->quick ? rules->helpers.count + 1 : 1};

    (void)pthread_mutex_init(&t.lock, NULL);
    CHECK(team_init(&t, source, err));
    CHECK(search_all(&t, err));
    CHECK(gather(&t, out, err));
    if (t.records)
        rules->tally->computed -= pmmpc_records_count_repeated(t.records);
    *is_cut_short = t.n_done < t.n;
    return STATUS_OK;
}
