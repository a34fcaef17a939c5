/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A double that threads write while others read it, where each value that can be seen is right: relaxed, as nothing
 * else hangs on it.
 */
#ifndef BNB_CORE_RUN_SHARED_DOUBLE_H
#define BNB_CORE_RUN_SHARED_DOUBLE_H

#if defined(__SANITIZE_THREAD__)
#define SHARED_DOUBLE_IS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SHARED_DOUBLE_IS_WATCHED 1
#endif
#endif

/**
 * One aligned load, which on the processors that this is built for sees one value as a whole. GCC 12 takes an atomic
 * load of a double by way of an integer register, and the sums of scores became 8% slower by it; the thread sanitizer
 * needs to be told.
 */
static inline double shared_double_get(const double *at) {
#if defined(SHARED_DOUBLE_IS_WATCHED)
    double value;
    __atomic_load(at, &value, __ATOMIC_RELAXED);
    return value;
#else
    return *(const volatile double *)at;
#endif
}

static inline void shared_double_set(double *at, double value) {
    __atomic_store(at, &value, __ATOMIC_RELAXED);
}

#endif
