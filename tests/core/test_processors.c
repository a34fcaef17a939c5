/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/run_support.h"

#include "core/run/control_group_place.h"
#include "core/run/processors.h"
#include "core/run/processors_internal.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

static char *make_group(const char *around, const char *name) {
    char *group = path_join(around, name);
    assert_int_equal(mkdir(group, 0755), 0);
    return group;
}

/* A folder of another file system stands for the kernel's. */
static void the_least_quota_of_all_groups_around_holds(void **state) {
    const char *outside = scratch_folder();
    char *top = make_group(outside, "top"), *slice = make_group(top, "slice");
    char *own = make_group(slice, "own");
    control_group_place place = {own, strlen(top)};
    (void)state;
    assert_true(isinf(control_group_place_least(&place, processors_quota_of)));
    put_file(own, "cpu.max", "max 100000\n");
    assert_true(isinf(control_group_place_least(&place, processors_quota_of)));
    put_file(slice, "cpu.max", "350000 100000\n");
    assert_close(control_group_place_least(&place, processors_quota_of), 3.5, 1e-12);
    put_file(own, "cpu.max", "400000 100000\n");
    assert_close(control_group_place_least(&place, processors_quota_of), 3.5, 1e-12);
    put_file(own, "cpu.max", "50000 100000\n");
    assert_close(control_group_place_least(&place, processors_quota_of), 0.5, 1e-12);
    put_file(top, "cpu.max", "10000 100000\n");
    assert_close(control_group_place_least(&place, processors_quota_of), 0.1, 1e-12);
    put_file(outside, "cpu.max", "1000 100000\n");
    assert_close(control_group_place_least(&place, processors_quota_of), 0.1, 1e-12);
    put_file(own, "cpu.max", "nonsense\n");
    put_file(slice, "cpu.max", "");
    put_file(top, "cpu.max", "0 0\n");
    assert_true(isinf(control_group_place_least(&place, processors_quota_of)));
    free(own);
    free(slice);
    free(top);
}

static void a_quota_of_v1_is_in_two_files(void **state) {
    char *own = make_group(scratch_folder(), "v1"), *root = NULL;
    control_group_place place = {own, strlen(own)};
    (void)state;
    put_file(own, "cpu.cfs_quota_us", "-1\n");
    put_file(own, "cpu.cfs_period_us", "100000\n");
    assert_true(isinf(control_group_place_least(&place, processors_quota_of)));
    put_file(own, "cpu.cfs_quota_us", "200000\n");
    assert_close(control_group_place_least(&place, processors_quota_of), 2, 1e-12);
    place.folder = root = path_join(own, ""); /* as of the group "/" */
    assert_close(control_group_place_least(&place, processors_quota_of), 2, 1e-12);
    free(root);
    free(own);
}

static void without_a_group_there_is_no_quota(void **state) {
    char nowhere[] = "/nowhere/at/all";
    (void)state;
    assert_true(isinf(control_group_place_least(&(control_group_place){NULL, 0}, processors_quota_of)));
    assert_true(isinf(control_group_place_least(&(control_group_place){nowhere, 8}, processors_quota_of)));
}

static void no_more_are_usable_than_there_are(void **state) {
    cpu_set_t all, one;
    int here = sched_getcpu();
    (void)state;
    assert_in_range(processors_usable(), 1, processors_count());
    if (sched_getaffinity(0, sizeof all, &all) != 0 || here < 0 || here >= CPU_SETSIZE)
        skip();
    assert_int_equal(processors_count(), CPU_COUNT(&all));
    CPU_ZERO(&one);
    CPU_SET((unsigned)here, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(processors_count(), 1);
    assert_int_equal(processors_usable(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_quota_of_all_groups_around_holds), cmocka_unit_test(a_quota_of_v1_is_in_two_files),
        cmocka_unit_test(without_a_group_there_is_no_quota), cmocka_unit_test(no_more_are_usable_than_there_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
