/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/run/processors.h"
#include "runner/job/process_internal.h"
#include "runner/jobs_at_once_internal.h"

#include <stdio.h>

#include <sys/resource.h>

static void assert_reasons(const experiment *e, size_t typed, const char *expected) {
    AUTO(text_buffer_clear) text_buffer reasons = {0};
    jobs_append_reasons(e, typed, &reasons);
    assert_string_equal(reasons.data ? reasons.data : "", expected);
}

static void processors_are_shared_between_jobs_and_their_threads(void **state) {
    size_t n = processors_usable();
    char expected[160];
    (void)state;
    for (size_t n_threads = 1; n_threads <= 2 * n; n_threads++) {
        experiment e = {.n_threads = n_threads};
        size_t n_jobs = jobs_at_once(&e, 0);
        assert_true(n_jobs * n_threads <= n || n_jobs == 1);
        assert_true((n_jobs + 1) * n_threads > n);
        (void)snprintf(expected, sizeof expected,
                       "Jobs at once: %zu, with %zu threads each, for %zu processors; --jobs says otherwise.\n", n_jobs,
                       n_threads, n);
        assert_reasons(&e, 0, n_threads > 1 ? expected : "");
    }
}

/* `before`, and what is said of jobs that were typed, where it is not a thread a processor. */
static void assert_typed(const experiment *e, size_t typed, size_t n_jobs, const char *before) {
    size_t n = processors_usable(), all = n_jobs * e->n_threads;
    char expected[320];
    int at = snprintf(expected, sizeof expected, "%s", before);
    if (all != n)
        (void)snprintf(expected + at, sizeof expected - (size_t)at,
                       "Jobs at once: %zu, with %zu thread%s each: %zu thread%s for %zu processor%s; --jobs is %zu.\n",
                       n_jobs, e->n_threads, e->n_threads == 1 ? "" : "s", all, all == 1 ? "" : "s", n,
                       n == 1 ? "" : "s", typed);
    assert_reasons(e, typed, expected);
}

static void what_is_typed_counts(void **state) {
    experiment e = {.n_threads = 1000};
    (void)state;
    assert_int_equal(jobs_at_once(&e, 5), 5);
    assert_typed(&e, 5, 5, "");
}

static void typed_jobs_are_told_where_they_are_not_a_thread_a_processor(void **state) {
    size_t n = processors_usable();
    experiment one = {.n_threads = 1}, two = {.n_threads = 2}, all = {.n_threads = n};
    char expected[160];
    (void)state;
    (void)snprintf(expected, sizeof expected,
                   "Jobs at once: %zu, with 2 threads each: %zu threads for %zu processor%s; --jobs is %zu.\n", n + 1,
                   2 * n + 2, n, n == 1 ? "" : "s", n + 1);
    assert_reasons(&two, n + 1, expected);
    (void)snprintf(expected, sizeof expected,
                   "Jobs at once: %zu, with 1 thread each: %zu threads for %zu processor%s; --jobs is %zu.\n", n + 1,
                   n + 1, n, n == 1 ? "" : "s", n + 1);
    assert_reasons(&one, n + 1, expected);
    assert_reasons(&one, n, "");
    assert_reasons(&all, 1, "");
    if (n > 1)
        assert_typed(&one, 1, 1, "");
}

static void jobs_fit_into_memory_together(void **state) {
    uint64_t memory = process_physical_memory();
    experiment e = {.n_threads = 1, .memory_limit_bytes = memory / 2 + 1};
    char expected[160];
    (void)state;
    assert_true(memory > 0);
    assert_int_equal(jobs_that_fit(3, 0), 3);
    assert_int_equal(jobs_that_fit(3, memory / 2), 2);
    assert_int_equal(jobs_that_fit(2, memory / 4), 2);
    assert_int_equal(jobs_that_fit(3, 2 * memory), 1);
    (void)snprintf(expected, sizeof expected,
                   "Jobs at once: 1, not 3: each may take %.3g GiB (limits: memory), of %.3g.\n",
                   (double)e.memory_limit_bytes / (1 << 30), (double)memory / (1 << 30));
    assert_typed(&e, 3, 1, expected);
}

/* The last of the tests: open files stay few. */
static void jobs_fit_among_the_files_that_may_be_open(void **state) {
    struct rlimit files;
    experiment e = {.n_threads = 1};
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = 37;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    assert_int_equal(jobs_that_fit(9, 0), 2);
    assert_typed(&e, 9, 2, "Jobs at once: 2, not 9: more files may not be open (ulimit -n).\n");
    files.rlim_cur = 20;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    assert_int_equal(jobs_that_fit(9, 0), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processors_are_shared_between_jobs_and_their_threads),
        cmocka_unit_test(what_is_typed_counts),
        cmocka_unit_test(typed_jobs_are_told_where_they_are_not_a_thread_a_processor),
        cmocka_unit_test(jobs_fit_into_memory_together),
        cmocka_unit_test(jobs_fit_among_the_files_that_may_be_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
