/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/errand_internal.h"

#include "core/run/spin.h"

void errand_share(errand *e, errand_work work, void *self) {
    spin_lock(e->lock);
    e->work = work;
    e->self = self;
    bell_ring(e->news);
    (void)pthread_mutex_unlock(e->lock);
    work(self, 0);
    spin_lock(e->lock);
    e->work = NULL;
    while (e->n_busy > 0)
        bell_wait(e->done, e->lock);
    (void)pthread_mutex_unlock(e->lock);
}

bool errand_take_part(errand *e, size_t index) {
    errand_work work = e->work;
    void *self = e->self;
    if (!work)
        return false;
    e->n_busy++;
    (void)pthread_mutex_unlock(e->lock);
    work(self, index);
    spin_lock(e->lock);
    e->work = NULL;
    if (--e->n_busy == 0)
        bell_ring(e->done);
    return true;
}
