/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How a thread looks for what another will change, before it sleeps. */
#ifndef BNB_CORE_RUN_SPIN_H
#define BNB_CORE_RUN_SPIN_H

#include "core/run/thread_sleep.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/** Looks before a thread sleeps: some 20 microseconds, what waking up costs. */
enum { SPIN_LOOKS = 1000 };

/** How often a thread whose pauses are many then lets others have the processor, a millisecond in all: in a virtual
 * machine whoever wakes a thread pays up to 50 microseconds for it. */
enum { SPIN_YIELDS = 2000 };

/** Between two looks. */
static inline void spin_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/**
 * Lets others have the processor. False: this took 0.1 ms or longer, or such a yield of this thread was less than 50 ms
 * ago, and now nothing was done. Then other work wants the processor and keeps it for milliseconds after each yield: a
 * thread that sleeps gets it back sooner.
 */
bool spin_yield(void);

/** Waits so far for what another thread is at; {0} at first. */
typedef struct {
    size_t n;
} spin;

/** One wait more: a pause, from the 1,001st on a yield, and at last, or where other work wants the processor, a sleep
 * of 50 microseconds. */
static inline void spin_wait(spin *s) {
    const struct timespec a_moment = {0, 50000};
    if (s->n < SPIN_LOOKS)
        spin_pause();
    else if (s->n >= SPIN_LOOKS + SPIN_YIELDS)
        (void)nanosleep(&a_moment, NULL);
    else if (!spin_yield())
        s->n = SPIN_LOOKS + SPIN_YIELDS;
    s->n++;
}

/** Looks, and then yields up to n_yields times, until `*value` differs from `old`. False: it does not yet, after
 * all of them or where other work wants the processor. */
static inline bool spin_until_changed(const atomic_size_t *value, size_t old, size_t n_yields) {
    for (size_t i = 0; i < SPIN_LOOKS; i++) {
        if (atomic_load_explicit(value, memory_order_acquire) != old)
            return true;
        spin_pause();
    }
    for (size_t i = 0; i < n_yields; i++) {
        if (atomic_load_explicit(value, memory_order_acquire) != old)
            return true;
        if (!spin_yield())
            break;
    }
    return atomic_load_explicit(value, memory_order_acquire) != old;
}

/** Takes a lock that is held for moments only: sleeping and being woken takes longer. */
static inline void spin_lock(pthread_mutex_t *lock) {
    for (size_t i = 0; i < SPIN_LOOKS; i++) {
        if (pthread_mutex_trylock(lock) == 0)
            return;
        spin_pause();
    }
    thread_lock(lock);
}

#endif
