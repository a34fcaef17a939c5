/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/bell.h"

#include "core/run/spin.h"
#include "core/run/thread_sleep.h"

void bell_init(bell *b) {
    atomic_init(&b->n_rings, 0);
    b->n_asleep = 0;
    (void)pthread_cond_init(&b->rings, NULL);
}

void bell_destroy(bell *b) {
    (void)pthread_cond_destroy(&b->rings);
}

void bell_ring(bell *b) {
    atomic_fetch_add(&b->n_rings, 1);
    if (b->n_asleep > 0)
        (void)pthread_cond_broadcast(&b->rings);
}

void bell_ring_for_one(bell *b, bool wakes) {
    atomic_fetch_add(&b->n_rings, 1);
    if (wakes && b->n_asleep > 0)
        (void)pthread_cond_signal(&b->rings);
}

void bell_wait(bell *b, pthread_mutex_t *lock) {
    bell_wait_with_patience(b, lock, SPIN_YIELDS);
}

void bell_wait_with_patience(bell *b, pthread_mutex_t *lock, size_t n_yields) {
    size_t last = atomic_load(&b->n_rings);
    (void)pthread_mutex_unlock(lock);
    (void)spin_until_changed(&b->n_rings, last, n_yields);
    spin_lock(lock);
    b->n_asleep++;
    while (atomic_load(&b->n_rings) == last)
        thread_sleep(&b->rings, lock);
    b->n_asleep--;
}
