/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/placement.h"

#include "bench/suite/fit.h"
#include "core/base/cache_line.h"
#include "core/run/run_context.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

enum { N_TRIPS = 400, N_MEANS = 5, N_TIMES = 7, N_STEPS = 10000, N_CHAINS = 8 };

/* The line goes out with an odd number, and comes back with the even one after it; then both work. */
typedef struct {
    _Alignas(CACHE_LINE) atomic_int line;
    _Alignas(CACHE_LINE) atomic_bool is_over;
    _Alignas(CACHE_LINE) size_t processors[2];
} court;

/* Chains of products beside each other, of which a core has one or more under way all the time. */
static uint64_t work(uint64_t seed) {
    uint64_t x[N_CHAINS], sum = 0;
    for (int k = 0; k < N_CHAINS; k++)
        x[k] = seed + (uint64_t)k;
    for (int i = 0; i < N_STEPS; i++) {
        for (int k = 0; k < N_CHAINS; k++)
            x[k] = x[k] * 0x9e3779b97f4a7c15ULL + 1;
    }
    for (int k = 0; k < N_CHAINS; k++)
        sum ^= x[k];
    return sum;
}

/* The work leaves a number behind, so that it is done. */
static double time_of_work_s(void) {
    static _Atomic uint64_t left;
    double began = run_clock_s();
    atomic_store(&left, work(atomic_load(&left)));
    return run_clock_s() - began;
}

static spread times_of_work(void) {
    double seconds[N_TIMES];
    for (int i = 0; i < N_TIMES; i++)
        seconds[i] = time_of_work_s();
    return spread_of(seconds, N_TIMES);
}

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

static void *play(void *arg) {
    court *c = arg;
    (void)stay_on(c->processors[1]);
    for (int i = 0; i <= N_MEANS * N_TRIPS; i++) { /* one more: until both are there */
        wait_for(c, 2 * i + 1);
        atomic_store(&c->line, 2 * i + 2);
    }
    for (uint64_t number = 0; !atomic_load(&c->is_over);)
        number = work(number);
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

/* The caller stays on the first processor; a second thread comes and goes on the other. */
static placement look(court *c) {
    double alone_s = times_of_work().low;
    placement p = {NAN, NAN};
    pthread_t other;
    if (pthread_create(&other, NULL, play, c) != 0)
        return p;
    p.round_trip_s = least_mean(c);
    p.slowdown = times_of_work().median / alone_s;
    atomic_store(&c->is_over, true);
    (void)pthread_join(other, NULL);
    return p;
}

placement placement_look(void) {
    placement p = {NAN, NAN};
    court c = {0};
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !find_processors(&allowed, c.processors) ||
        !stay_on(c.processors[0]))
        return p;
    p = look(&c);
    (void)sched_setaffinity(0, sizeof allowed, &allowed);
    return p;
}

/* NAN where one of them is not known. */
static double larger(double before, double after) {
    return isnan(before) || before > after ? before : after;
}

placement placement_worse(placement before, placement after) {
    return (placement){larger(before.round_trip_s, after.round_trip_s), larger(before.slowdown, after.slowdown)};
}

bool placement_is_near(placement p) {
    return p.round_trip_s <= PLACEMENT_NEAR_S && p.slowdown <= PLACEMENT_OWN_CORE;
}
