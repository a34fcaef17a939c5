/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_filling_internal.h"

#include "core/counting/counts.h"
#include "core/run/bell.h"
#include "core/run/spin.h"
#include "core/run/thread_sleep.h"
#include "core/run/thread_start.h"
#include "learners/ges/ges_sift_internal.h"
#include "learners/ges/ges_tasks_internal.h"
#include "metrics/scores/high_scores.h"
#include "metrics/scores/score_rows.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_AT_ONCE = 2 }; /* of a question's scores, the highest */

typedef struct {
    ges_filling *of;
    score_rows rows;
    high_scores *high; /* NULL: scores are found by blocks alone */
    ges_gain *sifted;  /* of a question */
    thread *thread;
    ges_taker taker;
} member;

struct ges_filling {
    run_context ctx; /* without the counters, which are the search's alone */
    const run_context *search_ctx;
    score_columns *columns;
    high_columns *high; /* NULL: as above */
    pthread_mutex_t lock;
    bell news; /* of threads that wait for work */
    pthread_cond_t all_is_done;
    member *members; /* the first is the search */
    size_t n_members, n_room;
    ges_tasks tasks;
    bool is_search_asleep;
    atomic_bool is_over; /* the deadline has passed, or a wanted question has failed, or: */
    bool is_ending;      /* there will be no more questions */
    bool is_asked;       /* what the search waits for was told already */
    error_info failure;  /* the last */
    /* beside all questions; NULL: nothing */
    ges_side_work *side;
    void *side_self;
    atomic_size_t n_at_side; /* threads */
};

/* --- scores; without the lock --- */

static status fill_part(member *m, const ges_task *t, size_t part, error_info *err) {
    const ges_question *q = &t->question;
    if (ges_tasks_are_high(&m->of->tasks, q))
        return high_scores_bound(m->high, part, q->y, q->family, q->n_family, t->scores, err);
    return score_rows_block(&m->rows, part, q->y, q->family, q->n_family, t->scores + part * COLUMN_BLOCK, err);
}

static status fill_piece(member *m, const ges_piece *p, error_info *err) {
    ges_filling *f = m->of;
    const run_context *ctx = m == f->members ? f->search_ctx : &f->ctx; /* whoever watches is shown the counters */
    for (size_t part = p->first; part < p->end; part++) {
        if (run_context_is_expired(ctx))
            atomic_store(&f->is_over, true);
        if (atomic_load(&f->is_over))
            return STATUS_OK;
        CHECK(fill_part(m, p->of, part, err));
    }
    return STATUS_OK;
}

/* With all its bounds. */
static status list_high(member *m, ges_task *t, error_info *err) {
    const ges_question *q = &t->question;
    CHECK(
        high_scores_list(m->high, q->y, q->family, q->n_family, t->scores, EXACT_AT_ONCE, t->found, &t->n_found, err));
    t->without = high_scores_without(m->high);
    return STATUS_OK;
}

static status score_family(const member *m, ges_task *t, error_info *err) {
    const ges_question *q = &t->question;
    return score_node_fresh(m->rows.scorer, q->y, q->family, q->n_family, COUNTS_NO_EXTRA, &t->without, err);
}

/* Where the search has made room: it copies them into memory of its own, as what another thread has allocated comes
 * and goes slowly. */
static void keep_gains(const member *m, ges_task *t) {
    size_t n = ges_tasks_are_high(&m->of->tasks, &t->question)
                   ? ges_sift_high(t->found, t->n_found, t->without, m->sifted)
                   : ges_sift(t->scores, t->question.n_columns, t->without, m->sifted);
    t->rest = ges_sift_out(m->sifted, t->question.most, &n);
    memcpy(t->gains, m->sifted, n * sizeof *t->gains);
    ges_gains_make_heap(t->gains, n);
    t->n_gains = n;
}

/* Once all its parts are done. */
static status finish(member *m, ges_task *t, error_info *err) {
    if (atomic_load(&m->of->is_over))
        return STATUS_OK;
    CHECK(ges_tasks_are_high(&m->of->tasks, &t->question) ? list_high(m, t, err) : score_family(m, t, err));
    if (t->question.most > 0)
        keep_gains(m, t);
    return STATUS_OK;
}

/* With the lock. */
static void end_piece(ges_filling *f, const ges_piece *p, status result, const error_info *err) {
    bool is_all = ges_tasks_end_piece(&f->tasks, p, result);
    if (result != STATUS_OK)
        f->failure = *err;
    if (p->of->is_wanted && p->of->result != STATUS_OK)
        atomic_store(&f->is_over, true);
    if (is_all && f->is_search_asleep)
        (void)pthread_cond_signal(&f->all_is_done);
}

/* With the lock, which it leaves for the while. Whoever ends the last part finishes the question. */
static void work_on(member *m, const ges_piece *p) {
    ges_filling *f = m->of;
    error_info err = {0};
    status st;
    (void)pthread_mutex_unlock(&f->lock);
    st = fill_piece(m, p, &err);
    spin_lock(&f->lock);
    if (st == STATUS_OK && p->of->result == STATUS_OK && ges_tasks_is_last(p)) {
        (void)pthread_mutex_unlock(&f->lock);
        st = finish(m, p->of, &err);
        spin_lock(&f->lock);
    }
    end_piece(f, p, st, &err);
}

/* --- the threads --- */

/* With the lock, which it leaves for the while. */
static void work_beside(member *m) {
    ges_filling *f = m->of;
    ges_side_work *work = f->side;
    bool is_left;
    f->n_at_side++;
    (void)pthread_mutex_unlock(&f->lock);
    is_left = work(f->side_self, (size_t)(m - f->members), m->rows.scorer);
    spin_lock(&f->lock);
    f->n_at_side--;
    if (!is_left)
        f->side = NULL;
}

static void serve(void *self) {
    member *m = self;
    ges_filling *f = m->of;
    spin_lock(&f->lock);
    while (!f->is_ending) {
        ges_piece p;
        if (ges_tasks_take(&f->tasks, &m->taker, f->n_members, &p))
            work_on(m, &p);
        else if (f->side)
            work_beside(m);
        else
            bell_wait(&f->news, &f->lock);
    }
    (void)pthread_mutex_unlock(&f->lock);
}

/* As many as the system gives. */
static void start_threads(ges_filling *f, size_t n) {
    spin_lock(&f->lock);
    for (f->n_members = 1; f->n_members < n; f->n_members++) {
        member *m = &f->members[f->n_members];
        if (!thread_start(&m->thread, serve, m))
            break;
    }
    (void)pthread_mutex_unlock(&f->lock);
}

static status member_init(member *m, ges_filling *f, score *scorer, error_info *err) {
    m->of = f;
    m->taker.is_search = m == f->members;
    m->rows = (score_rows){.scorer = scorer, .columns = f->columns};
    CHECK_ALLOC(m->sifted = calloc(f->tasks.n_columns + 1, sizeof *m->sifted));
    return f->high ? high_scores_create(scorer, f->high, &m->high, err) : STATUS_OK;
}

status ges_filling_create(score *const *scorers, size_t n_scorers, size_t n_columns, const run_context *ctx,
                          ges_filling **out, error_info *err) {
    AUTO_PTR(ges_filling_destroy) ges_filling *f = NULL;
    CHECK_ALLOC(f = calloc(1, sizeof *f));
    (void)pthread_mutex_init(&f->lock, NULL);
    bell_init(&f->news);
    (void)pthread_cond_init(&f->all_is_done, NULL);
    f->search_ctx = ctx;
    f->ctx = *ctx;
    f->ctx.most_scores = 0;
    CHECK_ALLOC(f->members = calloc(n_scorers, sizeof *f->members));
    CHECK(score_columns_create(scorers[0], &f->columns, err));
    CHECK(high_columns_create(scorers[0], n_scorers, &f->high, err));
    ges_tasks_init(&f->tasks, n_columns, f->high ? high_columns_shares(f->high) : 0);
    for (; f->n_room < n_scorers; f->n_room++)
        CHECK(member_init(&f->members[f->n_room], f, scorers[f->n_room], err));
    start_threads(f, n_scorers);
    *out = TAKE(f);
    return STATUS_OK;
}

static void end_threads(ges_filling *f) {
    spin_lock(&f->lock);
    f->is_ending = true;
    atomic_store(&f->is_over, true);
    bell_ring(&f->news);
    (void)pthread_mutex_unlock(&f->lock);
    for (size_t i = 1; i < f->n_members; i++)
        thread_join(f->members[i].thread);
}

void ges_filling_destroy(ges_filling *f) {
    if (!f)
        return;
    end_threads(f);
    for (size_t i = 0; i < f->n_room; i++) {
        score_rows_clear(&f->members[i].rows);
        free(f->members[i].sifted);
        high_scores_destroy(f->members[i].high);
    }
    ges_tasks_clear(&f->tasks);
    (void)pthread_mutex_destroy(&f->lock);
    bell_destroy(&f->news);
    (void)pthread_cond_destroy(&f->all_is_done);
    score_columns_destroy(f->columns);
    high_columns_destroy(f->high);
    free(f->members);
    free(f);
}

size_t ges_filling_threads(const ges_filling *f) {
    return f->n_members;
}

/* --- the search --- */

/* With the lock, which it leaves for the while. */
static void wait_for_all(ges_filling *f) {
    (void)pthread_mutex_unlock(&f->lock);
    for (size_t n = f->tasks.n_left; n > 0 && spin_until_changed(&f->tasks.n_left, n, SPIN_YIELDS);)
        n = f->tasks.n_left;
    spin_lock(&f->lock);
    f->is_search_asleep = true;
    while (f->tasks.n_left > 0)
        thread_sleep(&f->all_is_done, &f->lock);
    f->is_search_asleep = false;
}

/* With the lock. */
static void want(ges_filling *f, const ges_questions *asked) {
    ges_tasks_want(&f->tasks, asked);
    f->is_asked = true;
    if (f->tasks.n_untaken > 0)
        bell_ring(&f->news);
}

/* With the lock: of what is foreseen. */
static void tell_threads(ges_filling *f) {
    if (f->tasks.n_likely > 0)
        bell_ring(&f->news);
}

status ges_filling_ask(ges_filling *f, const ges_questions *asked, error_info *err) {
    CHECK(ges_tasks_reserve(&f->tasks, asked, err));
    spin_lock(&f->lock);
    want(f, asked);
    (void)pthread_mutex_unlock(&f->lock);
    return STATUS_OK;
}

/* With the lock. While another thread is at the last parts, the search does some of what is foreseen. */
static void work_on_all(ges_filling *f) {
    member *search = &f->members[0];
    ges_piece p;
    while (f->tasks.n_left > 0 && ges_tasks_take(&f->tasks, &search->taker, f->n_members, &p))
        work_on(search, &p);
    wait_for_all(f);
}

status ges_filling_answer(ges_filling *f, const ges_questions *asked, const ges_questions *foreseen, bool *is_expired,
                          error_info *err) {
    status st;
    if (!f->is_asked)
        CHECK(ges_tasks_reserve(&f->tasks, asked, err));
    if (run_context_is_expired(f->search_ctx))
        atomic_store(&f->is_over, true);
    spin_lock(&f->lock);
    if (!f->is_asked)
        want(f, asked);
    if (foreseen->n > 0) {
        ges_tasks_foresee(&f->tasks, foreseen);
        tell_threads(f);
    }
    work_on_all(f);
    st = ges_tasks_end_wanted(&f->tasks);
    if (st != STATUS_OK)
        st = error_set(err, st, "%s", f->failure.message);
    (void)pthread_mutex_unlock(&f->lock);
    f->is_asked = false;
    *is_expired = *is_expired || atomic_load(&f->is_over);
    return st;
}

const double *ges_filling_scores(const ges_filling *f, size_t i) {
    const ges_task *t = f->tasks.wanted[i];
    return ges_tasks_are_high(&f->tasks, &t->question) ? NULL : t->scores;
}

const high_score *ges_filling_high(const ges_filling *f, size_t i, size_t *n) {
    *n = f->tasks.wanted[i]->n_found;
    return f->tasks.wanted[i]->found;
}

double ges_filling_without(const ges_filling *f, size_t i) {
    return f->tasks.wanted[i]->without;
}

const ges_gain *ges_filling_gains(const ges_filling *f, size_t i, size_t *n, double *rest) {
    const ges_task *t = f->tasks.wanted[i];
    *n = t->n_gains;
    *rest = t->rest;
    return t->question.most > 0 ? t->gains : NULL;
}

void ges_filling_begin_side(ges_filling *f, ges_side_work *work, void *self) {
    spin_lock(&f->lock);
    f->side = work;
    f->side_self = self;
    bell_ring(&f->news);
    (void)pthread_mutex_unlock(&f->lock);
}

void ges_filling_end_side(ges_filling *f) {
    spin_lock(&f->lock);
    f->side = NULL;
    (void)pthread_mutex_unlock(&f->lock);
    for (spin s = {0}; f->n_at_side > 0;)
        spin_wait(&s);
}

void ges_filling_foresee(ges_filling *f, const ges_questions *foreseen) {
    spin_lock(&f->lock);
    ges_tasks_foresee(&f->tasks, foreseen);
    tell_threads(f);
    (void)pthread_mutex_unlock(&f->lock);
}

void ges_filling_foresee_first(ges_filling *f, const ges_questions *foreseen) {
    spin_lock(&f->lock);
    ges_tasks_foresee_first(&f->tasks, foreseen);
    tell_threads(f);
    (void)pthread_mutex_unlock(&f->lock);
}
