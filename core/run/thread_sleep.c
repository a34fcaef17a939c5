/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/thread_sleep.h"

#include <sched.h>
#include <stdbool.h>

/* Of a thread to the processor that it is on. */
typedef struct {
    cpu_set_t all; /* where it may run otherwise */
    bool is_tied;
} tie;

static tie tie_here(void) {
    int here = sched_getcpu();
    cpu_set_t only;
    tie t = {.is_tied = false};
    if (here < 0 || here >= CPU_SETSIZE || pthread_getaffinity_np(pthread_self(), sizeof t.all, &t.all) != 0)
        return t;
    CPU_ZERO(&only);
    CPU_SET((unsigned)here, &only);
    t.is_tied = CPU_COUNT(&t.all) > 1 && pthread_setaffinity_np(pthread_self(), sizeof only, &only) == 0;
    return t;
}

static void untie(const tie *t) {
    if (t->is_tied)
        (void)pthread_setaffinity_np(pthread_self(), sizeof t->all, &t->all);
}

void thread_sleep(pthread_cond_t *until, pthread_mutex_t *lock) {
    tie t = tie_here();
    (void)pthread_cond_wait(until, lock);
    untie(&t);
}

void thread_lock(pthread_mutex_t *lock) {
    tie t = tie_here();
    (void)pthread_mutex_lock(lock);
    untie(&t);
}

void thread_await_end(pthread_t other) {
    tie t = tie_here();
    (void)pthread_join(other, NULL);
    untie(&t);
}
