/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/thread_start.h"

#include <sched.h>

/* Where the caller may run, and of these processors the others; false: there are none, or one cannot tell. */
static bool find_others(cpu_set_t *all, cpu_set_t *others) {
    int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || pthread_getaffinity_np(pthread_self(), sizeof *all, all) != 0)
        return false;
    *others = *all;
    CPU_CLR((unsigned)here, others);
    return CPU_COUNT(others) > 0;
}

static bool start_on(const cpu_set_t *processors, pthread_t *out, void *(*run)(void *), void *argument) {
    pthread_attr_t attributes;
    bool is_started;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    is_started = pthread_attr_setaffinity_np(&attributes, sizeof *processors, processors) == 0 &&
                 pthread_create(out, &attributes, run, argument) == 0;
    (void)pthread_attr_destroy(&attributes);
    return is_started;
}

bool thread_start(pthread_t *out, void *(*run)(void *), void *argument) {
    cpu_set_t all, others;
    if (find_others(&all, &others) && start_on(&others, out, run, argument)) {
        (void)pthread_setaffinity_np(*out, sizeof all, &all);
        return true;
    }
    return pthread_create(out, NULL, run, argument) == 0;
}
