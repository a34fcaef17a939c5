/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/run_context.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/resource.h>

void run_context_init(run_context *ctx, uint64_t seed) {
    *ctx = (run_context){.n_threads = 1, .deadline_s = INFINITY};
    random_stream_init(&ctx->random, random_key_text(random_key_of(seed), "learner"));
}

static double read_clock(clockid_t clock) {
    struct timespec t = {0};
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double run_clock_s(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double run_time_left_s(double start_s, size_t n_done, size_t n) {
    return (run_clock_s() - start_s) / (double)n_done * (double)(n - n_done);
}

double run_cpu_s(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double run_thread_cpu_s(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void run_context_limit_cpu(run_context *ctx, double start_cpu_s, double seconds) {
    double left = start_cpu_s + seconds - run_cpu_s();
    ctx->cpu_deadline_s = start_cpu_s + seconds;
    ctx->cpu_soonest_s = run_clock_s() + left / (double)ctx->n_threads;
}

enum { ASKED_PER_SECOND = 20 };

static bool is_stopped(const run_context *ctx) {
    run_watch *w = ctx->watch;
    if (atomic_load_explicit(&w->is_stopped, memory_order_relaxed))
        return true;
    if (!pthread_equal(w->asker, pthread_self()) || run_clock_s() < w->next_s)
        return false;
    if (!w->proceed(w->self, ctx))
        atomic_store(&w->is_stopped, true);
    w->next_s = run_clock_s() + 1.0 / ASKED_PER_SECOND;
    return atomic_load(&w->is_stopped);
}

bool run_context_is_expired(const run_context *ctx) {
    double now_s;
    if (ctx->most_scores > 0 && ctx->scores.computed >= ctx->most_scores)
        return true;
    if (ctx->watch && is_stopped(ctx))
        return true;
    if (!isfinite(ctx->deadline_s) && ctx->cpu_deadline_s <= 0)
        return false;
    now_s = run_clock_s();
    return now_s >= ctx->deadline_s ||
           (ctx->cpu_deadline_s > 0 && now_s >= ctx->cpu_soonest_s && run_cpu_s() >= ctx->cpu_deadline_s);
}

void statistics_count_add(statistics_count *sum, const statistics_count *part) {
    sum->requests += part->requests;
    sum->computed += part->computed;
    sum->skipped += part->skipped;
}

statistics_count statistics_count_since(const statistics_count *now, const statistics_count *before) {
    return (statistics_count){now->requests - before->requests, now->computed - before->computed,
                              now->skipped - before->skipped};
}

statistics_count run_context_statistics(const run_context *ctx) {
    statistics_count sum = ctx->tests;
    statistics_count_add(&sum, &ctx->scores);
    return sum;
}

/* As Linux keeps it of the memory that the process has; 0 where it does not tell. */
static uint64_t peak_of_proc(void) {
    unsigned long long kilobytes = 0;
    char line[256];
    FILE *f = fopen("/proc/self/status", "re");
    while (f && kilobytes == 0 && fgets(line, sizeof line, f)) {
        if (strncmp(line, "VmHWM:", 6) == 0)
            kilobytes = strtoull(line + 6, NULL, 10);
    }
    if (f)
        (void)fclose(f);
    return (uint64_t)kilobytes * 1024;
}

/* That of getrusage begins with the memory of the process that called this one. */
uint64_t run_peak_memory_bytes(void) {
    struct rusage usage = {0};
    uint64_t peak = peak_of_proc();
    if (peak > 0)
        return peak;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}
