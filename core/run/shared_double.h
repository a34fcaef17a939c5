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
 * On processors of 64 bits an aligned load of a double sees one value as a whole, and a volatile one is made once and
 * as it stands. GCC 12 takes an atomic load of a double by way of an integer register, which made `ges` 8% slower. The
 * thread sanitizer is told what it is.
 */
static inline double shared_double_get(const double *at) {
#if defined(SHARED_DOUBLE_IS_WATCHED) || !(defined(__x86_64__) || defined(__aarch64__))
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
