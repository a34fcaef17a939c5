/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/spin.h"

#include <sched.h>
#include <stdint.h>
#include <time.h>

/* Nanoseconds. */
enum {
    LONG_YIELD = 100000, /* threads that wait, too, give the processor back sooner */
    BUSY_SPAN = 50000000 /* no yield for so long after a long one, which took some 3 ms */
};

/* Of each thread: others may have a processor to themselves. It says how the thread waits, and no result hangs on it.
 */
static _Thread_local int64_t busy_until;

static int64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

bool spin_yield(void) {
    int64_t before = now_ns(), after;
    if (before < busy_until)
        return false;
    (void)sched_yield();
    after = now_ns();
    if (after - before < LONG_YIELD)
        return true;
    busy_until = after + BUSY_SPAN;
    return false;
}
