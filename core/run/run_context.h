/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What travels through a learner's run: random stream, threads, deadline, counters, trace. */
#ifndef BNB_CORE_RUN_RUN_CONTEXT_H
#define BNB_CORE_RUN_RUN_CONTEXT_H

#include "core/base/random.h"
#include "core/base/status.h"
#include "core/run/trace.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <pthread.h>

/** "Number of statistics": every request, those computed (the rest came from a cache), those skipped as unreliable. */
typedef struct {
    uint64_t requests, computed, skipped;
} statistics_count;

typedef struct run_context run_context;

/** Somebody outside who may end a run: asked in the thread `asker`, some twenty times a second. Initialise all. */
typedef struct {
    bool (*proceed)(void *self, const run_context *ctx);
    void *self;
    pthread_t asker;
    double next_s; /* on run_clock_s: before this nobody is asked */
    atomic_bool is_stopped;
} run_watch;

/* Every thread asks whether the time is over; one thread counts. What the one needs lies a cache line away from what
 * the other writes. */
struct run_context {
    size_t n_threads;      /* at least 1 */
    double deadline_s;     /* on run_clock_s; INFINITY for none */
    double cpu_deadline_s; /* on run_cpu_s; 0 for none */
    double cpu_soonest_s;  /* on run_clock_s: before this the CPU clock need not be read */
    uint64_t most_scores;  /* scores.computed at which a run is over; 0: none. Unlike time, the same on any machine */
    run_watch *watch;      /* borrowed; NULL: nobody */

    random_stream random;
    trace *trace; /* what the learner tells of its run goes there (borrowed); NULL: nowhere */
    /* The file by which a learner that keeps checkpoints goes on after its process was killed (borrowed); NULL: none */
    const char *checkpoint;
    /* Is told from time to time what part of the work is done, from 0 to 1, by one thread at a time; NULL: nobody is */
    void (*tell)(void *listener, double part);
    void *listener;

    statistics_count tests;  /* independence tests and associations */
    statistics_count scores; /* local scores */
    /* of integrated discretizers: thresholds tried, policies scored, columns searched for thresholds */
    uint64_t threshold_evaluations, policy_scores, column_searches;
};

/** No deadline, one thread, the stream of that seed. */
void run_context_init(run_context *ctx, uint64_t seed);

/** Seconds on the monotonic clock. */
double run_clock_s(void);

/** Seconds that n things will still take if those that are not done take as long as the n_done, at least one, that were
 * done since start_s, on run_clock_s. */
double run_time_left_s(double start_s, size_t n_done, size_t n);

/** CPU seconds of this process, all threads; of the calling thread. */
double run_cpu_s(void);
double run_thread_cpu_s(void);

/**
 * Sets the CPU deadline: `seconds` of this process's CPU time from `start_cpu_s` (on run_cpu_s) on, which cannot be
 * over before as many seconds have passed on the clock, by all threads together.
 */
void run_context_limit_cpu(run_context *ctx, double start_cpu_s, double seconds);

/** True once a deadline has passed, most_scores is reached, or the watch said so. Costs a clock reading (some 25 ns);
 * near a CPU deadline a system call. */
bool run_context_is_expired(const run_context *ctx);

/** The same in a loop whose i-th step may be short against a clock reading: the clock is read in every 16th. */
static inline bool run_context_is_expired_at(const run_context *ctx, size_t i) {
    return i % 16 == 0 && run_context_is_expired(ctx);
}

/** Adds `part` to `sum`: what a thread of its own counted. */
void statistics_count_add(statistics_count *sum, const statistics_count *part);

/** What was counted from `before` to `now`. */
statistics_count statistics_count_since(const statistics_count *now, const statistics_count *before);

/** Tests and scores together. */
statistics_count run_context_statistics(const run_context *ctx);

/** Peak resident memory of this process, in bytes. */
uint64_t run_peak_memory_bytes(void);

#endif
