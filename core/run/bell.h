/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What threads wait for under a lock of theirs: they look for a while, and then sleep. */
#ifndef BNB_CORE_RUN_BELL_H
#define BNB_CORE_RUN_BELL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/** Of a lock of the caller's; only the count is read without it. */
typedef struct {
    atomic_size_t n_rings;
    size_t n_asleep;
    pthread_cond_t rings;
} bell;

void bell_init(bell *b);
void bell_destroy(bell *b); /* nobody waits any more */

/** Under the lock: all that wait go on, those that sleep too. */
void bell_ring(bell *b);

/** Under the lock: those that still look go on; of those that sleep, one where `wakes`. */
void bell_ring_for_one(bell *b, bool wakes);

/**
 * Under the lock, which it leaves for the while: until the bell rings, once or more. It remembers no ring of before,
 * and it may ring for something else: look for what is waited for, under the same lock, before and after.
 */
void bell_wait(bell *b, pthread_mutex_t *lock);

/** The same; between some 20 microseconds of looking and the sleep others have the processor so many times, which takes
 * half a microsecond or so each and counts as time of this thread. */
void bell_wait_with_patience(bell *b, pthread_mutex_t *lock, size_t n_yields);

#endif
