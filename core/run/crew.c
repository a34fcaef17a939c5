/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/crew.h"

#include "core/base/cache_line.h"
#include "core/run/spin.h"
#include "core/run/thread_sleep.h"
#include "core/run/thread_start.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct {
    crew *of;
    size_t worker;
    status result;
    error_info err;
    thread *thread;
} member;

/* What the members do in a round. */
typedef struct {
    parallel_work work;
    void *self;
} crew_task;

struct crew {
    /* of rounds in turn: a member may be a round behind the last that was begun */
    _Alignas(CACHE_LINE) crew_task tasks[2];
    atomic_size_t round;      /* raised when there is work */
    atomic_size_t n_busy;     /* what the members still have to do, each of them in each round */
    atomic_size_t n_sleeping; /* threads that sleep, or are about to: they look once more after they have said so */
    atomic_size_t n_yields;
    bool is_over; /* there will be no more; written before the last round */
    pthread_mutex_t lock;
    pthread_cond_t there_is_work, all_is_done;
    size_t n_members;
    member *members;
};

static void wait_for_round(crew *c, size_t last) {
    if (spin_until_changed(&c->round, last, atomic_load(&c->n_yields)))
        return;
    spin_lock(&c->lock);
    atomic_fetch_add(&c->n_sleeping, 1);
    while (atomic_load(&c->round) == last)
        thread_sleep(&c->there_is_work, &c->lock);
    atomic_fetch_sub(&c->n_sleeping, 1);
    (void)pthread_mutex_unlock(&c->lock);
}

/* To be called once what they wait for is there. Most of the time nobody sleeps. */
static void wake(crew *c, pthread_cond_t *sleepers) {
    if (atomic_load(&c->n_sleeping) == 0)
        return;
    spin_lock(&c->lock);
    (void)pthread_cond_broadcast(sleepers);
    (void)pthread_mutex_unlock(&c->lock);
}

/* A member's first failure is told. */
static void do_task(member *m, const crew_task *task) {
    bool has_failed = m->result != STATUS_OK;
    status result = task->work(task->self, m->worker, has_failed ? NULL : &m->err);
    if (!has_failed)
        m->result = result;
}

static void serve(void *argument) {
    member *m = argument;
    crew *c = m->of;
    for (size_t round = 0;; round++) {
        const crew_task *task = &c->tasks[round % 2];
        wait_for_round(c, round);
        if (c->is_over)
            return;
        do_task(m, task);
        if (atomic_fetch_sub(&c->n_busy, 1) == 1)
            wake(c, &c->all_is_done);
    }
}

static void start_round(crew *c) {
    atomic_fetch_add(&c->n_busy, c->n_members);
    atomic_fetch_add(&c->round, 1);
    wake(c, &c->there_is_work);
}

static void wait_for_members(crew *c) {
    size_t n_busy = atomic_load(&c->n_busy);
    while (n_busy > 0 && spin_until_changed(&c->n_busy, n_busy, atomic_load(&c->n_yields)))
        n_busy = atomic_load(&c->n_busy);
    if (n_busy == 0)
        return;
    spin_lock(&c->lock);
    atomic_fetch_add(&c->n_sleeping, 1);
    while (atomic_load(&c->n_busy) > 0)
        thread_sleep(&c->all_is_done, &c->lock);
    atomic_fetch_sub(&c->n_sleeping, 1);
    (void)pthread_mutex_unlock(&c->lock);
}

status crew_create(size_t n_workers, crew **out, error_info *err) {
    AUTO_FREE crew *c = NULL;
    size_t n = n_workers > 1 ? n_workers - 1 : 0;
    CHECK_ALLOC(c = cache_lines_create(sizeof *c));
    CHECK_ALLOC(c->members = calloc(n + 1, sizeof *c->members));
    atomic_init(&c->n_yields, SPIN_YIELDS);
    (void)pthread_mutex_init(&c->lock, NULL);
    (void)pthread_cond_init(&c->there_is_work, NULL);
    (void)pthread_cond_init(&c->all_is_done, NULL);
    for (; c->n_members < n; c->n_members++) {
        member *m = &c->members[c->n_members];
        m->of = c;
        m->worker = c->n_members + 1;
        if (!thread_start(&m->thread, serve, m))
            break;
    }
    *out = TAKE(c);
    return STATUS_OK;
}

void crew_set_patience(crew *c, size_t n_yields) {
    atomic_store(&c->n_yields, n_yields);
}

void crew_destroy(crew *c) {
    if (!c)
        return;
    c->is_over = true;
    start_round(c);
    for (size_t i = 0; i < c->n_members; i++)
        thread_join(c->members[i].thread);
    (void)pthread_cond_destroy(&c->there_is_work);
    (void)pthread_cond_destroy(&c->all_is_done);
    (void)pthread_mutex_destroy(&c->lock);
    free(c->members);
    free(c);
}

size_t crew_size(const crew *c) {
    return c->n_members + 1;
}

void crew_begin(crew *c, parallel_work work, void *self) {
    c->tasks[atomic_load(&c->round) % 2] = (crew_task){work, self};
    if (c->n_members > 0)
        start_round(c);
}

status crew_end(crew *c, error_info *err) {
    status st = STATUS_OK;
    if (c->n_members > 0)
        wait_for_members(c);
    for (size_t i = c->n_members; i-- > 0;) {
        member *m = &c->members[i];
        if (m->result != STATUS_OK)
            st = error_set(err, m->result, "%s", m->err.message);
        m->result = STATUS_OK;
    }
    return st;
}

status crew_run(crew *c, parallel_work work, void *self, error_info *err) {
    status own, others;
    error_info others_err = {0};
    crew_begin(c, work, self);
    own = work(self, 0, err);
    others = crew_end(c, &others_err);
    return own == STATUS_OK && others != STATUS_OK ? error_set(err, others, "%s", others_err.message) : own;
}
