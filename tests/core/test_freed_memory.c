/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counted by the system: faults of pages, and pages that are there. A sanitizer has its own malloc. */
#include "tests/support/support.h"

#include "core/base/freed_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/resource.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) ||               \
    __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_OWN_MALLOC 1
#else
#define HAS_OWN_MALLOC 0
#endif

enum { PAGE = 4 << 10, SMALL = 64 << 10, N_SMALL = 40, LARGE = 4 << 20, TOO_LARGE = 64 << 20 };

static long faults(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt;
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

static void what_a_large_block_leaves_serves_small_ones(void **state) {
    void *small[N_SMALL];
    long before, after;
    (void)state;
    free(touch(LARGE));
    before = faults();
    for (size_t i = 0; i < N_SMALL; i++)
        small[i] = touch(SMALL);
    after = faults();
    for (size_t i = 0; i < N_SMALL; i++)
        free(small[i]);
    assert_in_range(after - before, 0, 20); /* of the 640 that so many pages have */
}

static void a_very_large_block_goes_back(void **state) {
    long before = resident_pages(), page = sysconf(_SC_PAGESIZE);
    (void)state;
    free(touch(TOO_LARGE));
    assert_true(resident_pages() - before < TOO_LARGE / 4 / page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_large_block_leaves_serves_small_ones),
        cmocka_unit_test(a_very_large_block_goes_back),
    };
    if (HAS_OWN_MALLOC)
        return 0;
    freed_memory_keep();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
