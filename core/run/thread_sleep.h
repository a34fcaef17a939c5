/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How a thread sleeps until another one lets it go on. */
#ifndef BNB_CORE_RUN_THREAD_SLEEP_H
#define BNB_CORE_RUN_THREAD_SLEEP_H

#include <pthread.h>

/**
 * As pthread_cond_wait, pthread_mutex_lock and pthread_join; the thread wakes on the processor on which it fell asleep,
 * and from then on goes wherever it could go before. Left to itself, the system of a virtual machine often wakes it on
 * its waker's processor, where the two take turns for ten milliseconds while the other processor is idle.
 */
void thread_sleep(pthread_cond_t *until, pthread_mutex_t *lock);
void thread_lock(pthread_mutex_t *lock);
void thread_await_end(pthread_t other);

#endif
