/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be loaded in front of the C library: the time of day jumps, by up to some four months each way, with every look at
 * it. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include <sys/time.h>

int clock_gettime(clockid_t clock, struct timespec *out) {
    static _Atomic uint64_t state = 88172645463325252;
    int (*real)(clockid_t, struct timespec *) = NULL;
    uint64_t x = atomic_fetch_add(&state, 0x9e3779b97f4a7c15);
    int answer;
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    answer = real(clock, out);
    if (clock == CLOCK_REALTIME)
        out->tv_sec += (time_t)((x ^ x >> 31) % 20000000) - 10000000;
    return answer;
}

time_t time(time_t *out) {
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    struct timespec now = {0};
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return 0;
}
