/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/distance.h"

#include "core/base/cache_line.h"
#include "core/run/run_context.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { N_TRIPS = 400, N_MEANS = 5 };

/* The line goes out with an odd number, and comes back with the even one after it. */
typedef struct {
    _Alignas(CACHE_LINE) atomic_int line;
    _Alignas(CACHE_LINE) size_t processors[2];
} court;

static bool stay_on(size_t processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

static bool find_processors(const cpu_set_t *allowed, size_t processors[2]) {
    size_t n = 0;
    for (size_t i = 0; i < CPU_SETSIZE && n < 2; i++) {
        if (CPU_ISSET(i, allowed))
            processors[n++] = i;
    }
    return n == 2;
}

static void wait_for(court *c, int number) {
    while (atomic_load(&c->line) != number)
        ;
}

static void *send_back(void *arg) {
    court *c = arg;
    (void)stay_on(c->processors[1]);
    for (int i = 0; i <= N_MEANS * N_TRIPS; i++) { /* one more: until both are there */
        wait_for(c, 2 * i + 1);
        atomic_store(&c->line, 2 * i + 2);
    }
    return NULL;
}

static void send(court *c, int i) {
    atomic_store(&c->line, 2 * i + 1);
    wait_for(c, 2 * i + 2);
}

static double least_mean(court *c) {
    double least = INFINITY;
    int i = 0;
    send(c, i++);
    for (int k = 0; k < N_MEANS; k++) {
        double began = run_clock_s();
        for (int end = i + N_TRIPS; i < end; i++)
            send(c, i);
        least = fmin(least, (run_clock_s() - began) / N_TRIPS);
    }
    return least;
}

double distance_round_trip_s(void) {
    double seconds;
    court c = {0};
    cpu_set_t allowed;
    pthread_t other;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !find_processors(&allowed, c.processors) ||
        !stay_on(c.processors[0]))
        return NAN;
    if (pthread_create(&other, NULL, send_back, &c) == 0) {
        seconds = least_mean(&c);
        (void)pthread_join(other, NULL);
    } else {
        seconds = NAN;
    }
    (void)sched_setaffinity(0, sizeof allowed, &allowed);
    return seconds;
}
