/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/shared_work.h"

#include "core/run/spin.h"
#include "core/run/thread_sleep.h"

static void wake(shared_work *s) {
    atomic_fetch_add(&s->n_changes, 1);
    (void)pthread_cond_broadcast(s->change);
}

void shared_work_tell(shared_work *s) {
    s->n_told++;
    wake(s);
}

void shared_work_wait(shared_work *s) {
    size_t before = atomic_load(&s->n_changes);
    (void)pthread_mutex_unlock(s->lock);
    (void)spin_until_changed(&s->n_changes, before, SPIN_YIELDS);
    spin_lock(s->lock);
    while (atomic_load(&s->n_changes) == before)
        thread_sleep(s->change, s->lock);
}

/* Under the lock. */
static void begin(shared_work *s, shared_piece *p, parallel_work work, void *arg) {
    p->number = ++s->n_pieces;
    p->work = work;
    p->self = arg;
    p->is_taken = true;
    p->result = STATUS_OK;
    wake(s);
}

/* True if the piece is now the shared one. */
static bool begin_outer(shared_work *s, parallel_work work, void *arg) {
    shared_piece *p = &s->pieces[SHARED_OUTER];
    bool is_shared;
    spin_lock(s->lock);
    is_shared = !p->is_taken;
    if (is_shared)
        begin(s, p, work, arg);
    (void)pthread_mutex_unlock(s->lock);
    return is_shared;
}

static bool begin_inner(shared_work *s, const void *outer, parallel_work work, void *arg) {
    const shared_piece *around = &s->pieces[SHARED_OUTER];
    shared_piece *p = &s->pieces[SHARED_INNER];
    bool is_shared;
    spin_lock(s->lock);
    is_shared = !p->is_taken && around->is_taken && around->self == outer;
    if (is_shared)
        begin(s, p, work, arg);
    (void)pthread_mutex_unlock(s->lock);
    return is_shared;
}

/* By a thread that is free, under the lock, which it leaves for the while: false if there is nothing to take part in,
 * or it was at the last piece already. */
static bool take_part(shared_work *s, shared_piece *p, size_t number, size_t *last) {
    parallel_work work = p->work; /* its owner takes it back as soon as its own share is done */
    void *self = p->self;
    error_info err = {0};
    status st;
    if (!work || *last == p->number)
        return false;
    *last = p->number;
    p->n_busy++;
    atomic_fetch_sub(&s->n_free, 1);
    (void)pthread_mutex_unlock(s->lock);
    st = work(self, number, &err);
    spin_lock(s->lock);
    atomic_fetch_add(&s->n_free, 1);
    if (p->result == STATUS_OK && st != STATUS_OK) {
        p->result = st;
        p->err = err;
    }
    if (--p->n_busy == 0)
        wake(s);
    return true;
}

/* Under the lock, when nobody is at the piece any more: what became of it. */
static status end(shared_piece *p, status own, error_info *err) {
    p->is_taken = false;
    return own == STATUS_OK && p->result != STATUS_OK ? error_set(err, p->result, "%s", p->err.message) : own;
}

static status end_outer(shared_work *s, size_t number, status own, error_info *err) {
    shared_piece *p = &s->pieces[SHARED_OUTER];
    size_t last = 0;
    status st;
    spin_lock(s->lock);
    p->work = NULL;
    atomic_fetch_add(&s->n_free, 1);
    while (p->n_busy > 0) {
        if (!take_part(s, &s->pieces[SHARED_INNER], number, &last))
            shared_work_wait(s);
    }
    atomic_fetch_sub(&s->n_free, 1);
    st = end(p, own, err);
    (void)pthread_mutex_unlock(s->lock);
    return st;
}

static status end_inner(shared_work *s, status own, error_info *err) {
    shared_piece *p = &s->pieces[SHARED_INNER];
    status st;
    spin_lock(s->lock);
    p->work = NULL;
    while (p->n_busy > 0)
        shared_work_wait(s);
    st = end(p, own, err);
    (void)pthread_mutex_unlock(s->lock);
    return st;
}

status shared_work_run(shared_work *s, size_t number, parallel_work work, void *arg, error_info *err) {
    bool is_shared = begin_outer(s, work, arg);
    status st = work(arg, 0, err);
    return is_shared ? end_outer(s, number, st, err) : st;
}

status shared_work_run_within(shared_work *s, const void *outer, parallel_work work, void *arg, error_info *err) {
    bool is_shared = begin_inner(s, outer, work, arg);
    status st = work(arg, 0, err);
    return is_shared ? end_inner(s, st, err) : st;
}

static bool take_any_part(shared_work *s, size_t number, shared_guest *g) {
    return take_part(s, &s->pieces[SHARED_OUTER], number, &g->last[SHARED_OUTER]) ||
           take_part(s, &s->pieces[SHARED_INNER], number, &g->last[SHARED_INNER]);
}

void shared_work_take_part_until(shared_work *s, size_t number, bool (*is_enough)(void *self), void *self) {
    shared_guest g = {{0}};
    size_t n_told;
    if (is_enough(self))
        return;
    atomic_fetch_add(&s->n_free, 1);
    do {
        n_told = s->n_told;
        if (!take_any_part(s, number, &g))
            shared_work_wait(s);
    } while (s->n_told == n_told || !is_enough(self));
    atomic_fetch_sub(&s->n_free, 1);
}

/* Looks for a millisecond, and sleeps for another one. */
static void wait_a_while(shared_work *s) {
    const struct timespec a_while = {0, 1000000};
    size_t before = atomic_load(&s->n_changes);
    (void)pthread_mutex_unlock(s->lock);
    if (!spin_until_changed(&s->n_changes, before, SPIN_YIELDS))
        (void)nanosleep(&a_while, NULL);
    spin_lock(s->lock);
}

void shared_work_visit(shared_work *s, size_t number, shared_guest *g) {
    atomic_fetch_add(&s->n_free, 1);
    if (!take_any_part(s, number, g))
        wait_a_while(s);
    atomic_fetch_sub(&s->n_free, 1);
}
