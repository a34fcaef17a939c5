/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/jobs_at_once_internal.h"

#include "core/run/processors.h"
#include "runner/job/process_internal.h"

#include <sys/resource.h>

/* Two descriptors a running job; these stay free for a job that starts, the store, and looks at memory. */
enum { JOB_DESCRIPTORS = 2, SPARE_DESCRIPTORS = 32 };

static size_t threads_of_job(const experiment *e) {
    return e->n_threads > 0 ? e->n_threads : 1;
}

static size_t wished_jobs(const experiment *e, size_t typed) {
    size_t n = typed > 0 ? typed : processors_usable() / threads_of_job(e);
    return n > 0 ? n : 1;
}

static size_t at_most(size_t n, uint64_t fit) {
    return fit >= n ? n : fit > 0 ? (size_t)fit : 1;
}

static size_t fit_memory(size_t n, uint64_t memory_limit_bytes) {
    uint64_t memory = memory_limit_bytes > 0 ? process_physical_memory() : 0;
    return memory > 0 ? at_most(n, memory / memory_limit_bytes) : n;
}

static size_t fit_descriptors(size_t n) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return n;
    return at_most(n, files.rlim_cur > SPARE_DESCRIPTORS ? (files.rlim_cur - SPARE_DESCRIPTORS) / JOB_DESCRIPTORS : 0);
}

size_t jobs_that_fit(size_t n, uint64_t memory_limit_bytes) {
    return fit_descriptors(fit_memory(n, memory_limit_bytes));
}

size_t jobs_at_once(const experiment *e, size_t typed) {
    return jobs_that_fit(wished_jobs(e, typed), e->memory_limit_bytes);
}

static double in_gib(uint64_t bytes) {
    return (double)bytes / (1 << 30);
}

static void append_number(text_buffer *out, const char *before, size_t n, const char *noun) {
    text_append_format(out, "%s%zu %s%s", before, n, noun, n == 1 ? "" : "s");
}

/* Says where a typed number does not come to a thread a processor. */
static void append_typed(size_t typed, size_t n_jobs, size_t n_threads, text_buffer *out) {
    size_t n_processors = processors_usable();
    if (n_jobs * n_threads == n_processors)
        return;
    text_append_format(out, "Jobs at once: %zu", n_jobs);
    append_number(out, ", with ", n_threads, "thread");
    append_number(out, " each: ", n_jobs * n_threads, "thread");
    append_number(out, " for ", n_processors, "processor");
    text_append_format(out, "; --jobs is %zu.\n", typed);
}

void jobs_append_reasons(const experiment *e, size_t typed, text_buffer *out) {
    size_t wished = wished_jobs(e, typed), in_memory = fit_memory(wished, e->memory_limit_bytes);
    size_t fit = fit_descriptors(in_memory);
    if (typed == 0 && e->n_threads > 1)
        text_append_format(out,
                           "Jobs at once: %zu, with %zu threads each, for %zu processors; --jobs says otherwise.\n",
                           wished, e->n_threads, processors_usable());
    if (in_memory < wished)
        text_append_format(out, "Jobs at once: %zu, not %zu: each may take %.3g GiB (limits: memory), of %.3g.\n",
                           in_memory, wished, in_gib(e->memory_limit_bytes), in_gib(process_physical_memory()));
    if (fit < in_memory)
        text_append_format(out, "Jobs at once: %zu, not %zu: more files may not be open (ulimit -n).\n", fit,
                           in_memory);
    if (typed > 0)
        append_typed(typed, fit, threads_of_job(e), out);
}
