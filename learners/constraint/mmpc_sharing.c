/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tests of one target, by all threads that have nothing to do: each stands in with a search of its own, and what is
 * found and counted is taken as if one test had been asked after the other.
 */
#include "learners/constraint/mmpc_state_internal.h"

#include "core/run/spin.h"

#include <stdlib.h>
#include <string.h>

/* --- threads --- */

status mmpc_threads_init(mmpc_threads *t, size_t n, pthread_mutex_t *lock, pthread_cond_t *change, error_info *err) {
    *t = (mmpc_threads){.work = {.lock = lock, .change = change}};
    CHECK_ALLOC(t->searches = calloc(n, sizeof *t->searches));
    return STATUS_OK;
}

void mmpc_threads_clear(mmpc_threads *t) {
    free(t->searches);
}

/* Threads that have not begun make their tables first, which takes a millisecond or two. */
static void begin_all(mmpc_threads *t) {
    spin_lock(t->work.lock);
    atomic_store(&t->have_begun, true);
    shared_work_tell(&t->work);
    (void)pthread_mutex_unlock(t->work.lock);
}

static bool are_free_for(const mmpc_threads *t, double n_tests) {
    enum { FEW = 6, MANY = 4096 }; /* tests of two microseconds; to begin and to end takes less than one */
    return atomic_load(&t->have_begun) ? n_tests >= FEW && atomic_load(&t->work.n_free) > 0 : n_tests >= MANY;
}

static status run_by_all(void *self, parallel_work work, void *arg, error_info *err) {
    const mmpc_search *s = self;
    if (!atomic_load(&s->threads->have_begun))
        begin_all(s->threads);
    return shared_work_run(&s->threads->work, s->number, work, arg, err);
}

status mmpc_search_share(mmpc_search *s, mmpc_threads *threads, size_t number, error_info *err) {
    const decision_source *quick = s->rules.quick;
    CHECK(test_batch_init(&s->batch, s->n_variables, err));
    CHECK_ALLOC(s->to_settle = calloc(1, sizeof *s->to_settle));
    CHECK_ALLOC(s->pile.counts = calloc(s->n_variables + 1, sizeof *s->pile.counts));
    if (s->keeps_records && quick->tally)
        CHECK_ALLOC(s->pile.depends = calloc(s->n_variables + 1, sizeof *s->pile.depends));
    s->threads = threads;
    s->number = number;
    threads->searches[number - 1] = s;
    if (quick && quick->share)
        quick->share(quick->self, (work_sharing){s, run_by_all});
    return STATUS_OK;
}

/* --- parts of a search --- */

bool mmpc_is_worth_sharing_within(const mmpc_search *s, double n_tests) {
    const decision_source *quick = s->rules.quick;
    return s->threads && !(s->expects && quick->expects_later(quick->self)) && s->n_members <= PENDING_PLACES &&
           are_free_for(s->threads, n_tests);
}

bool mmpc_is_worth_sharing(const mmpc_search *s, double n_tests) {
    return s->depth == 0 && mmpc_is_worth_sharing_within(s, n_tests);
}

/* Turns to the columns that another's tests are about. */
static void attend_as(mmpc_search *s, const mmpc_search *of) {
    size_t size = of->n_attended * sizeof *s->attended;
    if (s->n_attended == of->n_attended && memcmp(s->attended, of->attended, size) == 0)
        return;
    memcpy(s->attended, of->attended, size);
    s->n_attended = of->n_attended;
    association_probe_attend(&s->probe, s->attended, s->n_attended);
}

mmpc_search *mmpc_stand_in(mmpc_search *of, size_t worker) {
    mmpc_search *s = worker > 0 ? of->threads->searches[worker - 1] : of;
    s->depth++;
    if (s == of || s == of->stands_for)
        return s;
    s->stands_for = of;
    s->target = of->target;
    s->n_members = of->n_members;
    s->n_warm = of->n_warm;
    memcpy(s->members, of->members, of->n_members * sizeof *s->members);
    s->expects = of->expects;
    if (s->expects) {
        s->rules.quick->expect_as(s->rules.quick->self, of->rules.quick->self);
        memcpy(s->spots, of->spots, s->n_variables * sizeof *s->spots);
    }
    attend_as(s, of);
    return s;
}

status mmpc_share(mmpc_search *s, parallel_work part, error_info *err) {
    status st;
    atomic_store(&s->is_shared_expired, false);
    if (s->depth == 0)
        st = run_by_all(s, part, s, err);
    else
        st = shared_work_run_within(&s->threads->work, s->stands_for ? s->stands_for : s, part, s, err);
    s->probe.is_expired = s->probe.is_expired || atomic_load(&s->is_shared_expired);
    return st;
}

void mmpc_step_back(mmpc_search *s, mmpc_search *of) {
    s->depth--;
    if (s != of)
        s->stands_for = NULL;
    if (s->probe.is_expired)
        atomic_store(&of->is_shared_expired, true);
}

/* --- tests of the candidates in the forward phase --- */

static bool depends_as_expected(void *self, size_t column, size_t n_z, verdict *out) {
    return mmpc_is_expected_dependent(self, column, n_z, out);
}

static status ask_beside(void *self, size_t worker, error_info *err) {
    mmpc_search *of = self, *s = mmpc_stand_in(of, worker);
    status st =
        test_batch_ask(&of->batch, &(batch_asker){&s->probe, s->rules.tally, s->z, s, depends_as_expected}, err);
    mmpc_step_back(s, of);
    return st;
}

status mmpc_ask_together(mmpc_search *s, error_info *err) {
    return mmpc_share(s, ask_beside, err);
}

/* The candidates of which a batch asks. */
static size_t put_candidates(mmpc_search *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->n_open; i++) {
        if (!s->open[i].is_closed)
            s->batch.columns[n++] = s->open[i].variable;
    }
    s->batch.target = s->target;
    s->batch.pool = s->members;
    s->batch.limit = s->rules.limit;
    test_batch_begin(&s->batch, n);
    return n;
}

static status take_answers(mmpc_search *s, candidate *c, size_t column, error_info *err) {
    const test_batch *b = &s->batch;
    for (size_t set = 0; set < b->n_sets && !c->minimum.is_zero; set++) {
        const batch_answer *a = test_batch_answer(b, set, column);
        if (!a->is_there)
            continue;
        statistics_count_add(s->rules.tally, &a->count);
        if (!a->is_reliable)
            continue;
        s->z_members = b->sets[set];
        CHECK(mmpc_take_verdict(s, c, test_batch_lay(s->members, b->sets[set], s->z), &a->verdict, err));
    }
    return STATUS_OK;
}

/* What the batch says of the candidates. */
static status lower_by_batch(mmpc_search *s, error_info *err) {
    size_t n_kept = 0, column = 0;
    CHECK(mmpc_ask_together(s, err));
    for (size_t i = 0; i < s->n_open && !s->probe.is_expired; i++) {
        candidate *c = &s->open[i];
        if (!c->is_closed)
            CHECK(take_answers(s, c, column++, err));
        if (!c->minimum.is_zero)
            s->open[n_kept++] = *c;
    }
    if (!s->probe.is_expired)
        s->n_open = n_kept;
    return STATUS_OK;
}

status mmpc_tighten_together(mmpc_search *s, set_walk *w, bool with_next, error_info *err) {
    bool more = true;
    while (more && !s->probe.is_expired && put_candidates(s) > 0) {
        for (; more && !test_batch_is_full(&s->batch); more = set_walk_next(w)) {
            mmpc_lay_set(s, w, with_next);
            test_batch_add(&s->batch, s->z_members);
        }
        CHECK(lower_by_batch(s, err));
    }
    return STATUS_OK;
}

/* --- pending sets --- */

/* By the minimum before, and what this thread has found less: of what is more than that nothing is looked for. */
static status weigh_sets(mmpc_search *s, pending_pile *p, error_info *err) {
    enum { SHARES = 16 };
    candidate of = *p->of;
    size_t taken = p->n / SHARES + 1;
    for (size_t first; (first = atomic_fetch_add(&p->next, taken)) < p->n;) {
        for (size_t i = first; i < p->n && i < first + taken; i++) {
            p->may_lower[i] = false;
            if (!association_probe_is_expired(&s->probe))
                CHECK(mmpc_weigh(s, &of, &p->sets[i], &p->values[i], &p->may_lower[i], err));
            if (p->may_lower[i])
                CHECK(mmpc_take_if_less(s, &of, &p->values[i], err));
        }
    }
    return STATUS_OK;
}

static status weigh_beside(void *self, size_t worker, error_info *err) {
    mmpc_search *of = self, *s = mmpc_stand_in(of, worker);
    status st = weigh_sets(s, of->to_settle, err);
    if (st != STATUS_OK)
        atomic_store(&of->to_settle->next, of->to_settle->n); /* what the others find is of no use */
    mmpc_step_back(s, of);
    return st;
}

status mmpc_weigh_together(mmpc_search *s, const candidate *c, error_info *err) {
    pending_pile *p = s->to_settle;
    p->of = c;
    atomic_store(&p->next, 0);
    return p->n > 1 ? mmpc_share(s, weigh_beside, err) : weigh_sets(s, p, err);
}
