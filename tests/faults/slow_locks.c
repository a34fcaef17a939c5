/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded, it has threads dawdle around locks, now and then and each in its own way, as they do where the system
 * takes the processor from them: what is wrong about the order of things then shows.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

typedef int (*lock_function)(pthread_mutex_t *);

/* Marsaglia 2003, Xorshift RNGs, section 3. */
static uint64_t next_random(void) {
    static _Thread_local uint64_t state;
    if (state == 0) {
        struct timespec now;
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        state = (uint64_t)now.tv_nsec ^ (uint64_t)(uintptr_t)&state ^ 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 20;
}

static void dawdle(void) {
    uint64_t random = next_random();
    if (random % 16 > 0)
        return;
    if (random / 16 % 4 > 0)
        (void)sched_yield();
    else
        (void)usleep((useconds_t)(random / 64 % 400));
}

static lock_function of_the_system(const char *name) {
    union {
        void *symbol;
        lock_function function;
    } found = {dlsym(RTLD_NEXT, name)};
    return found.function;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static _Thread_local lock_function lock;
    if (!lock)
        lock = of_the_system("pthread_mutex_lock");
    dawdle();
    return lock(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    static _Thread_local lock_function unlock;
    int answer;
    if (!unlock)
        unlock = of_the_system("pthread_mutex_unlock");
    answer = unlock(mutex);
    dawdle();
    return answer;
}
