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

/* Global on purpose: all threads of this process meet the same computer. It says how they wait, and no result hangs on
 * it. */
static atomic_int_least64_t busy_until;

static int64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

bool spin_yield(void) {
    int64_t before = now_ns(), after;
    if (before < atomic_load_explicit(&busy_until, memory_order_relaxed))
        return false;
    (void)sched_yield();
    after = now_ns();
    if (after - before < LONG_YIELD)
        return true;
    atomic_store_explicit(&busy_until, after + BUSY_SPAN, memory_order_relaxed);
    return false;
}
