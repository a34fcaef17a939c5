/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/shared_work.h"

#include "core/run/spin.h"
#include "core/run/thread_sleep.h"

void shared_work_tell(shared_work *s) {
    atomic_fetch_add(&s->n_changes, 1);
    (void)pthread_cond_broadcast(s->change);
}

void shared_work_wait(shared_work *s) {
    size_t before = atomic_load(&s->n_changes);
    (void)pthread_mutex_unlock(s->lock);
    (void)spin_until_changed(&s->n_changes, before, SPIN_YIELDS);
    spin_lock(s->lock);
    while (atomic_load(&s->n_changes) == before)
        thread_sleep(s->change, s->lock);
}

/* True if the piece is now the shared one. */
static bool begin(shared_work *s, parallel_work work, void *arg) {
    bool is_shared;
    spin_lock(s->lock);
    is_shared = !s->is_taken;
    if (is_shared) {
        s->number++;
        s->work = work;
        s->self = arg;
        s->is_taken = true;
        s->result = STATUS_OK;
    }
    shared_work_tell(s);
    (void)pthread_mutex_unlock(s->lock);
    return is_shared;
}

static status end(shared_work *s, status own, error_info *err) {
    status st = own;
    spin_lock(s->lock);
    s->work = NULL;
    while (s->n_busy > 0)
        shared_work_wait(s);
    if (st == STATUS_OK && s->result != STATUS_OK)
        st = error_set(err, s->result, "%s", s->err.message);
    s->is_taken = false;
    (void)pthread_mutex_unlock(s->lock);
    return st;
}

status shared_work_run(shared_work *s, parallel_work work, void *arg, error_info *err) {
    bool is_shared = begin(s, work, arg);
    status st = work(arg, 0, err);
    return is_shared ? end(s, st, err) : st;
}

bool shared_work_take_part(shared_work *s, size_t number, size_t *last) {
    parallel_work work = s->work; /* its owner takes it back as soon as its own share is done */
    void *self = s->self;
    error_info err = {0};
    status st;
    if (!work || *last == s->number)
        return false;
    *last = s->number;
    s->n_busy++;
    (void)pthread_mutex_unlock(s->lock);
    st = work(self, number, &err);
    spin_lock(s->lock);
    if (s->result == STATUS_OK && st != STATUS_OK) {
        s->result = st;
        s->err = err;
    }
    if (--s->n_busy == 0)
        shared_work_tell(s);
    return true;
}
