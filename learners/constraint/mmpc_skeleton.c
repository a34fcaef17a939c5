/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The skeleton of MMPC. The search of a target needs to know which of the targets before it have found it, and of these
 * all that they have asked. So threads take, of the next targets that nobody has begun, the first one for which that is
 * settled: a target before it that is not done yet has dropped it from its candidates, or never had it among them as
 * the two are independent without condition. A thread for which there is no such target takes part in the tests of
 * another's search. Whatever the threads take, every search is that of one thread.
 */
#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/run/shared_work.h"
#include "core/run/spin.h"
#include "learners/constraint/mmpc_checkpoint.h"
#include "learners/constraint/mmpc_search.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 48, /* targets that are looked at past the first that is not done */
    WORD = 64
};

typedef enum { TARGET_WAITS, TARGET_RUNS, TARGET_DONE } target_state;

typedef struct {
    size_t *items;
    size_t count, capacity;
} index_array;

typedef struct team team;

/* One thread's search. */
typedef struct {
    team *of;
    mmpc_search *search;
    bool is_prepared;
    size_t target;  /* that it is at; n: none */
    uint64_t *left; /* a bit a variable: the target may still find it; all, before the search has told */
    index_array claims;
    statistics_count *tally;  /* NULL: not known; what of it is for: */
    statistics_count counted; /* the last target */
} worker;

struct team {
    const mmpc_rules *rules;
    size_t n, n_workers;
    worker *workers;      /* the first has the caller's source */
    double start_s;       /* of the searches of the part */
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t change;
    target_state *state;
    size_t *worker_of;    /* by target that runs */
    size_t part, end;     /* first target of the present part, and of the next */
    size_t n_done;        /* all targets before this one are */
    index_array *claims;  /* by target: those before it that found it */
    index_array *found;   /* by target that is done */
    mmpc_threads threads; /* for tests of a search, where there is no target */
    mmpc_checkpoint checkpoint;
    const run_context *ctx;
    bool is_over; /* the deadline has passed, or a thread has failed */
};

static size_t words_of(const team *t) {
    return t->n / WORD + 1;
}

/* --- what may still be found --- */

static void set_left(worker *w, const size_t *columns, size_t n) {
    memset(w->left, 0, words_of(w->of) * sizeof *w->left);
    for (size_t i = 0; i < n; i++)
        bits_add(w->left, columns[i]);
}

static void watch_left(void *self, const size_t *columns, size_t n) {
    worker *w = self;
    spin_lock(&w->of->lock);
    set_left(w, columns, n);
    shared_work_tell(&w->of->threads.work);
    (void)pthread_mutex_unlock(&w->of->lock);
}

/* Could an earlier target that is not done find this one? */
static bool may_find(const team *t, size_t earlier, size_t target) {
    const decision_source *quick = t->rules->quick;
    if (t->state[earlier] == TARGET_RUNS)
        return bits_have(t->workers[t->worker_of[earlier]].left, target);
    return quick->may_depend(quick->self, earlier, target);
}

static bool is_settled(const team *t, size_t target) {
    for (size_t x = t->n_done; x < target; x++) {
        if (t->state[x] != TARGET_DONE && may_find(t, x, target))
            return false;
    }
    return true;
}

/* --- what is done --- */

/* Pairs of a target before this one with any after it. */
static double count_pairs(const team *t, size_t target) {
    return 0.5 * (double)target * (double)(2 * t->n - 1 - target);
}

/* What is found of pairs before the searches is a tenth of the work (9,990 variables of alarm's tiles: 8%). */
static void tell(const team *t, double n_begun) {
    enum { SEARCHES = 9 };
    double n = (1 + SEARCHES) * count_pairs(t, t->n);
    if (t->ctx->tell && n > 0)
        t->ctx->tell(t->ctx->listener, (n_begun + SEARCHES * count_pairs(t, t->n_done)) / n);
}

static void tell_of_part(void *self, double part) {
    const team *t = self;
    double before = count_pairs(t, t->part);
    tell(t, before + part * (count_pairs(t, t->end) - before));
}

/* --- targets --- */

/* The next one to search; n: there is none now. */
static size_t choose(const team *t) {
    for (size_t target = t->n_done; target < t->end && target < t->n_done + AHEAD; target++) {
        if (t->state[target] == TARGET_WAITS && is_settled(t, target))
            return target;
    }
    return t->n;
}

static int compare_indices(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

static status copy(index_array *to, const size_t *items, size_t n, error_info *err) {
    CHECK(ARRAY_RESERVE(to->items, to->capacity, n + 1, err));
    if (n > 0)
        memcpy(to->items, items, n * sizeof *items);
    to->count = n;
    return STATUS_OK;
}

static status begin(team *t, worker *w, size_t target, error_info *err) {
    CHECK(copy(&w->claims, t->claims[target].items, t->claims[target].count, err));
    qsort(w->claims.items, w->claims.count, sizeof *w->claims.items, compare_indices);
    memset(w->left, 0xFF, words_of(t) * sizeof *w->left);
    w->target = target;
    t->state[target] = TARGET_RUNS;
    t->worker_of[target] = (size_t)(w - t->workers);
    return STATUS_OK;
}

static status take_found(void *self, size_t target, const size_t *members, size_t n, error_info *err) {
    team *t = self;
    return copy(&t->found[target], members, n, err);
}

/* What was found for the target is there: later ones are told. */
static status settle(team *t, size_t target, error_info *err) {
    const index_array *found = &t->found[target];
    for (size_t i = 0; i < found->count; i++) {
        index_array *claims = &t->claims[found->items[i]];
        if (found->items[i] > target)
            CHECK(ARRAY_PUSH(claims->items, claims->count, claims->capacity, err, target));
    }
    t->state[target] = TARGET_DONE;
    return STATUS_OK;
}

/* Half a list says nothing that could be trusted. */
static status end(team *t, const worker *w, const size_t *members, size_t n, error_info *err) {
    if (mmpc_search_is_cut_short(w->search)) {
        t->is_over = true;
        return STATUS_OK;
    }
    CHECK(take_found(t, w->target, members, n, err));
    CHECK(settle(t, w->target, err));
    mmpc_checkpoint_count(&t->checkpoint, w->target, &w->counted);
    while (t->n_done < t->end && t->state[t->n_done] == TARGET_DONE)
        t->n_done++;
    tell(t, count_pairs(t, t->end));
    return mmpc_checkpoint_write(&t->checkpoint, t->n_done, err);
}

/* Without the lock. */
static status search(worker *w, const size_t **members, size_t *n, error_info *err) {
    mmpc_earlier earlier = {w->target, w->claims.items, w->claims.count};
    statistics_count before = w->tally ? *w->tally : (statistics_count){0};
    CHECK(mmpc_search_target(w->search, w->target, &earlier, members, n, err));
    mmpc_search_release(w->search);
    if (w->tally)
        w->counted = statistics_count_since(w->tally, &before);
    return STATUS_OK;
}

/* --- threads --- */

static size_t number_of(const worker *w) {
    return (size_t)(w - w->of->workers) + 1;
}

/* Is it time for other threads? */
static bool is_worth_a_team(const team *t) {
    enum { LEAST_MS = 5 };
    return t->n_done > t->part && run_time_left_s(t->start_s, t->n_done - t->part, t->end - t->part) >= LEAST_MS * 1e-3;
}

/* What a thread waits for. */
typedef struct {
    const team *of;
    size_t target; /* n: none */
} target_search;

static bool is_target_there(void *self) {
    target_search *search = self;
    const team *t = search->of;
    bool is_more = !t->is_over && t->n_done < t->end;
    search->target = is_more ? choose(t) : t->n;
    return !is_more || search->target < t->n;
}

/* Under the lock; false once there are no more. A thread without a target takes part in what another shares. */
static bool wait_for_target(team *t, const worker *w, size_t *target) {
    target_search search = {.of = t};
    shared_work_take_part_until(&t->threads.work, number_of(w), is_target_there, &search);
    *target = search.target;
    return search.target < t->n;
}

static status prepare(worker *w, error_info *err) {
    team *t = w->of;
    const mmpc_helpers *helpers = &t->rules->helpers;
    const decision_source *quick = t->rules->quick;
    if (w->is_prepared)
        return STATUS_OK;
    w->is_prepared = true;
    if (!w->search) {
        association_source source;
        CHECK(helpers->join(helpers->self, number_of(w) - 2, &source, &quick, &w->tally, err));
        CHECK(mmpc_search_create_beside(t->workers[0].search, &source, quick, w->tally, &w->search, err));
    }
    if (t->n_workers == 1)
        return STATUS_OK;
    mmpc_search_set_watch(w->search, (mmpc_watch){w, watch_left});
    return mmpc_search_share(w->search, &t->threads, number_of(w), err);
}

/* Under the lock: until it is known whether more threads than the first are needed; false: they are not. */
static bool wait_for_team(team *t) {
    while (!atomic_load(&t->threads.have_begun) && !t->is_over && t->n_done < t->end)
        shared_work_wait(&t->threads.work);
    return !t->is_over && t->n_done < t->end;
}

static status work(void *self, size_t index, error_info *err) {
    status st = STATUS_OK;
    team *t = self;
    worker *w = &t->workers[index];
    size_t target;
    bool is_wanted;

    spin_lock(&t->lock);
    is_wanted = index == 0 || wait_for_team(t);
    (void)pthread_mutex_unlock(&t->lock);
    if (!is_wanted)
        return STATUS_OK;
    st = prepare(w, err);
    spin_lock(&t->lock);
    while (st == STATUS_OK && wait_for_target(t, w, &target)) {
        const size_t *members = NULL;
        size_t n = 0;
        TRY(begin(t, w, target, err));
        (void)pthread_mutex_unlock(&t->lock);
        st = search(w, &members, &n, err);
        spin_lock(&t->lock);
        if (st == STATUS_OK)
            TRY(end(t, w, members, n, err));
        if (is_worth_a_team(t))
            atomic_store(&t->threads.have_begun, true);
        shared_work_tell(&t->threads.work);
    }
cleanup:
    t->is_over = t->is_over || st != STATUS_OK;
    shared_work_tell(&t->threads.work);
    (void)pthread_mutex_unlock(&t->lock);
    return st;
}

/* --- all of it --- */

static void clear_arrays(index_array *arrays, size_t n) {
    for (size_t i = 0; arrays && i < n; i++)
        free(arrays[i].items);
    free(arrays);
}

static void team_clear(team *t) {
    for (size_t i = t->workers ? t->n_workers : 0; i-- > 0;) { /* the first has the records of all */
        mmpc_search_destroy(t->workers[i].search);
        free(t->workers[i].left);
        free(t->workers[i].claims.items);
    }
    free(t->workers);
    mmpc_checkpoint_clear(&t->checkpoint);
    mmpc_threads_clear(&t->threads);
    free(t->state);
    free(t->worker_of);
    clear_arrays(t->claims, t->n);
    clear_arrays(t->found, t->n);
    (void)pthread_cond_destroy(&t->change);
    (void)pthread_mutex_destroy(&t->lock);
}

/* Is it known of each target what the later ones need? */
static bool has_order(const mmpc_rules *rules) {
    return rules->use_refusals && rules->use_claims && rules->quick && rules->quick->repeat;
}

static size_t count_workers(const mmpc_rules *rules) {
    return has_order(rules) && rules->quick->may_depend && rules->tally ? rules->helpers.count + 1 : 1;
}

static status team_init(team *t, const association_source *source, error_info *err) {
    CHECK(mmpc_threads_init(&t->threads, t->n_workers, &t->lock, &t->change, err));
    CHECK_ALLOC(t->workers = calloc(t->n_workers, sizeof *t->workers));
    CHECK_ALLOC(t->state = calloc(t->n + 1, sizeof *t->state));
    CHECK_ALLOC(t->worker_of = calloc(t->n + 1, sizeof *t->worker_of));
    CHECK_ALLOC(t->claims = calloc(t->n + 1, sizeof *t->claims));
    CHECK_ALLOC(t->found = calloc(t->n + 1, sizeof *t->found));
    for (size_t i = 0; i < t->n_workers; i++) {
        t->workers[i].of = t;
        CHECK_ALLOC(t->workers[i].left = calloc(words_of(t), sizeof *t->workers[i].left));
    }
    t->workers[0].tally = t->rules->tally;
    return mmpc_search_create(source, t->n, t->rules, t->ctx, &t->workers[0].search, err);
}

static status open_checkpoint(team *t, error_info *err) {
    mmpc_checkpoint *c = &t->checkpoint;
    mmpc_taker taker = {t, take_found};
    if (!t->ctx->checkpoint || !t->rules->key)
        return STATUS_OK;
    CHECK(mmpc_checkpoint_open(c, t->ctx->checkpoint, t->rules->key, t->n, t->workers[0].search, &t->rules->parts,
                               taker, err));
    statistics_count_add(t->rules->tally, &c->read);
    for (; t->n_done < c->n_done; t->n_done++)
        CHECK(settle(t, t->n_done, err));
    tell(t, count_pairs(t, t->n_done));
    return STATUS_OK;
}

static status search_part(team *t, error_info *err) {
    const mmpc_parts *parts = &t->rules->parts;
    run_context told = *t->ctx;
    t->part = t->n_done;
    t->end = parts->end ? parts->end(parts->self, t->part) : t->n;
    if (t->ctx->tell) {
        told.tell = tell_of_part;
        told.listener = t;
    }
    if (parts->begin)
        CHECK(parts->begin(parts->self, t->part, t->end, &told, err));
    t->start_s = run_clock_s();
    return parallel_run(t->n_workers, work, t, err);
}

static status gather(const team *t, pdag **out, error_info *err) {
    AUTO_PTR(neighbour_lists_destroy) neighbour_lists *lists = NULL;
    CHECK(neighbour_lists_create(t->n, &lists, err));
    for (size_t i = 0; i < t->n_done; i++)
        CHECK(neighbour_lists_append(lists, t->found[i].items, t->found[i].count, err));
    return neighbour_lists_skeleton(lists, (symmetry_rule)t->rules->symmetry, out, err);
}

status mmpc_skeleton(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                     const run_context *ctx, pdag **out, bool *is_cut_short, error_info *err) {
    AUTO(team_clear) team t = {.rules = rules, .n = n_variables, .n_workers = count_workers(rules), .ctx = ctx};

    (void)pthread_mutex_init(&t.lock, NULL);
    (void)pthread_cond_init(&t.change, NULL);
    CHECK(team_init(&t, source, err));
    CHECK(open_checkpoint(&t, err));
    while (t.n_done < t.n && !t.is_over)
        CHECK(search_part(&t, err));
    CHECK(gather(&t, out, err));
    *is_cut_short = t.n_done < t.n;
    return STATUS_OK;
}
