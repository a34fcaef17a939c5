/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counted by the system: faults of pages, and pages that are there. A sanitizer has its own malloc, and the pages of 2
 * MiB of a thread are the system's to give. */
#include "tests/support/support.h"

#include "build_info.h"
#include "core/base/freed_memory.h"
#include "core/base/huge_pages.h"
#include "core/run/thread_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

enum { PAGE = 4 << 10, SMALL = 64 << 10, N_SMALL = 40, N_MANY = 128, LARGE = 4 << 20, TOO_LARGE = 64 << 20 };

/* Of this thread. */
static long faults(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage.ru_minflt;
}

static bool huge_pages_come(const char *when) {
    char answer[64] = "";
    FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (!f)
        return false;
    if (!fgets(answer, sizeof answer, f))
        answer[0] = '\0';
    (void)fclose(f);
    return strstr(answer, when);
}

static bool do_huge_pages_come_unasked(void) {
    return huge_pages_come("[always]");
}

static bool are_huge_pages_to_be_had(void) {
    return do_huge_pages_come_unasked() || huge_pages_come("[madvise]");
}

static long resident_pages(void) {
    long all, resident;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld %ld", &all, &resident), 2);
    (void)fclose(f);
    return resident;
}

static void *touch(size_t bytes) {
    volatile char *block = malloc(bytes);
    assert_non_null((const void *)block);
    for (size_t i = 0; i < bytes; i += PAGE)
        block[i] = 1;
    return (void *)block;
}

static long faults_of_small_blocks(size_t n) {
    void *small[N_MANY];
    long before = faults(), after;
    for (size_t i = 0; i < n; i++)
        small[i] = touch(SMALL);
    after = faults();
    for (size_t i = 0; i < n; i++)
        free(small[i]);
    return after - before;
}

static void what_a_large_block_leaves_serves_small_ones(void **state) {
    (void)state;
    free(touch(LARGE));
    assert_in_range(faults_of_small_blocks(N_SMALL), 0, 20); /* of the 640 that so many pages have */
}

static void what_comes_anew_comes_in_huge_pages(void **state) {
    (void)state;
    if (!are_huge_pages_to_be_had())
        skip();
    /* Of 2,048: the heap begins anywhere, and a busy system may refuse one of four. */
    assert_in_range(faults_of_small_blocks(N_MANY), 0, 2 * HUGE_PAGE / PAGE + 40);
}

static void count_faults(void *n) {
    *(long *)n = faults_of_small_blocks(N_SMALL);
}

static void a_thread_has_huge_pages_and_so_has_the_next_one(void **state) {
    (void)state;
    if (!are_huge_pages_to_be_had())
        skip();
    for (size_t i = 0; i < 3; i++) {
        long n = -1;
        thread *t;
        assert_true(thread_start(&t, count_faults, &n));
        thread_join(t);
        assert_in_range(n, 0, i == 0 ? 40 : 1); /* the next one finds what the first had */
    }
}

/* A thread's first huge page would hold three quarters of the small blocks. */
static void a_program_that_has_not_chosen_it_has_small_pages(void **state) {
    long n = -1;
    thread *t;
    (void)state;
    assert_false(freed_memory_is_kept());
    if (do_huge_pages_come_unasked())
        skip();
    assert_true(thread_start(&t, count_faults, &n));
    thread_join(t);
    assert_in_range(n, N_SMALL * SMALL / PAGE, N_SMALL * SMALL / PAGE + 100);
}

static void a_very_large_block_goes_back(void **state) {
    long before = resident_pages(), page = sysconf(_SC_PAGESIZE);
    (void)state;
    free(touch(TOO_LARGE));
    assert_true(resident_pages() - before < TOO_LARGE / 4 / page);
}

static void a_sanitizers_malloc_takes_no_wish(void **state) {
    (void)state;
    freed_memory_keep();
    assert_false(freed_memory_is_kept());
}

int main(void) {
    const struct CMUnitTest otherwise[] = {cmocka_unit_test(a_sanitizers_malloc_takes_no_wish)};
    const struct CMUnitTest before[] = {cmocka_unit_test(a_program_that_has_not_chosen_it_has_small_pages)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_anew_comes_in_huge_pages), /* first: nothing was freed yet */
        cmocka_unit_test(what_a_large_block_leaves_serves_small_ones),
        cmocka_unit_test(a_thread_has_huge_pages_and_so_has_the_next_one),
        cmocka_unit_test(a_very_large_block_goes_back),
    };
    int answer;
    if (*BNB_SANITIZERS) /* which have a malloc of their own */
        return cmocka_run_group_tests(otherwise, NULL, NULL);
    if (fork() == 0)
        _exit(
            cmocka_run_group_tests(before, NULL, NULL)); /* a process of its own, whose threads leave nothing behind */
    if (wait(&answer) < 0 || answer != 0)
        return 1;
    freed_memory_keep();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
