/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/* How often a thread looks for work, or for the others' end, before it sleeps, or lets others run: some microseconds.
 */
enum { LOOKS = 500 };

typedef struct {
    crew *of;
    size_t index;
    pthread_t thread;
    status result;
    error_info err;
} member;

struct crew {
    member *members; /* the first is the caller */
    size_t n;        /* that run */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_size_t n_calls; /* a call is work for everyone, and the last is to go home */
    atomic_size_t n_busy;
    parallel_work work; /* NULL: go home */
    void *self;
};

static inline void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void wait_for_call(crew *c, size_t n_seen) {
    for (int i = 0; i < LOOKS && atomic_load(&c->n_calls) == n_seen; i++)
        pause_briefly();
    if (atomic_load(&c->n_calls) != n_seen)
        return;
    (void)pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->n_calls) == n_seen)
        (void)pthread_cond_wait(&c->wake, &c->lock);
    (void)pthread_mutex_unlock(&c->lock);
}

static void *serve(void *argument) {
    member *m = argument;
    crew *c = m->of;
    for (size_t n_seen = 0;; n_seen++) {
        wait_for_call(c, n_seen);
        if (!c->work)
            return NULL;
        m->result = c->work(c->self, m->index, &m->err);
        atomic_fetch_sub(&c->n_busy, 1);
    }
}

static void call(crew *c, parallel_work work, void *self) {
    (void)pthread_mutex_lock(&c->lock);
    c->work = work;
    c->self = self;
    atomic_store(&c->n_busy, c->n - 1);
    atomic_fetch_add(&c->n_calls, 1);
    (void)pthread_cond_broadcast(&c->wake);
    (void)pthread_mutex_unlock(&c->lock);
}

status crew_create(size_t n_workers, crew **out, error_info *err) {
    AUTO_PTR(crew_destroy) crew *c = calloc(1, sizeof *c);
    CHECK_ALLOC(c);
    (void)pthread_mutex_init(&c->lock, NULL);
    (void)pthread_cond_init(&c->wake, NULL);
    c->n = 1;
    CHECK_ALLOC(c->members = calloc(n_workers, sizeof *c->members));
    for (size_t i = 1; i < n_workers; i++) {
        c->members[i] = (member){.of = c, .index = i};
        if (pthread_create(&c->members[i].thread, NULL, serve, &c->members[i]) != 0)
            break; /* the others do it */
        c->n++;
    }
    *out = TAKE(c);
    return STATUS_OK;
}

void crew_destroy(crew *c) {
    if (!c)
        return;
    call(c, NULL, NULL);
    for (size_t i = 1; i < c->n; i++)
        (void)pthread_join(c->members[i].thread, NULL);
    (void)pthread_cond_destroy(&c->wake);
    (void)pthread_mutex_destroy(&c->lock);
    free(c->members);
    free(c);
}

status crew_run(crew *c, parallel_work work, void *self, error_info *err) {
    status st;
    call(c, work, self);
    st = work(self, 0, err);
    for (size_t i = 1; atomic_load(&c->n_busy) > 0; i++) {
        pause_briefly();
        if (i % LOOKS == 0)
            (void)sched_yield();
    }
    for (size_t i = 1; i < c->n; i++) {
        if (st == STATUS_OK && c->members[i].result != STATUS_OK)
            st = error_set(err, c->members[i].result, "%s", c->members[i].err.message);
    }
    return st;
}
