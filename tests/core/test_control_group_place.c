/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/run/control_group_place.h"

#include <stdlib.h>
#include <string.h>

#define OTHERS "24 1 0:22 / /proc rw - proc proc rw\n31 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"
#define OF_MEMORY "36 31 0:33 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n"
#define OF_CPU "37 31 0:34 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
#define OF_CPUSET "38 31 0:35 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
#define UNIFIED OTHERS OF_MEMORY "41 31 0:38 / /sys/fs/cgroup/unified rw shared:10 - cgroup2 cgroup2 rw\n"
#define PURE OTHERS "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 master:2 - cgroup2 cgroup2 rw,nsdelegate\n"
#define OF_CONTAINER "29 23 0:26 /docker/ab /sys/fs/cgroup rw - cgroup2 cgroup rw"
#define CPU_OF_CONTAINER "29 23 0:26 /docker/ab /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"

typedef struct {
    const char *mountinfo, *cgroup, *controller, *folder;
    size_t top;
} found_place;

static void assert_place(const found_place *expected) {
    control_group_place place = control_group_place_find(expected->mountinfo, expected->cgroup, expected->controller);
    if (!place.folder || !expected->folder)
        assert_ptr_equal(place.folder, expected->folder);
    else
        assert_string_equal(place.folder, expected->folder);
    assert_int_equal(place.top, expected->top);
    free(place.folder);
}

static void the_group_of_a_process_is_read_from_proc(void **state) {
    static const found_place cases[] = {
        {PURE, "0::/user.slice/a b.scope\n", NULL, "/sys/fs/cgroup/user.slice/a b.scope", 14},
        {UNIFIED, "4:memory:/x\n1:name=systemd:/y\n0::/z\n", NULL, "/sys/fs/cgroup/unified/z", 22},
        {OF_CONTAINER, "0::/docker/ab/c\n", NULL, "/sys/fs/cgroup/c", 14},
        {OF_CONTAINER, "0::/docker/ab", NULL, "/sys/fs/cgroup", 14},
        {OF_CONTAINER, "0::/docker/abc\n", NULL, NULL, 0},
        {PURE, "0::/../elsewhere\n", NULL, NULL, 0}, /* outside of the namespace */
        {PURE, "4:memory:/x\n", NULL, NULL, 0},
        {OTHERS OF_MEMORY, "4:memory:/x\n0::/\n", NULL, NULL, 0},
        {"29 23 0:26 / /a\\040b rw - cgroup2 cgroup rw\n", "0::/\n", NULL, "/a b/", 4},
        {"29 23 0:26 /m-a\\134x2db /sys/c rw - cgroup2 cgroup rw\n", "0::/m-a\\x2db/in\n", NULL, "/sys/c/in", 6},
        {OTHERS OF_CPU "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", "4:cpu,cpuacct:/x\n0::/y\n",
         NULL, "/sys/fs/cgroup/unified/y", 22},
        {"", "0::/\n", NULL, NULL, 0},
        {"nonsense\n - cgroup2 \n\n", "0::/\n", NULL, NULL, 0},
        {PURE, "", NULL, NULL, 0},
        {PURE, "nonsense\n:\n", NULL, NULL, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_place(&cases[i]);
}

static void a_controller_of_v1_has_a_hierarchy_of_its_own(void **state) {
    static const found_place cases[] = {
        {OTHERS OF_MEMORY OF_CPUSET OF_CPU, "5:cpuset:/no\n4:cpu,cpuacct:/x/y\n3:memory:/no\n", "cpu",
         "/sys/fs/cgroup/cpu,cpuacct/x/y", 26},
        {OTHERS OF_CPU, "4:cpuacct,cpu:/\n", "cpuacct", "/sys/fs/cgroup/cpu,cpuacct/", 26},
        {CPU_OF_CONTAINER, "1:cpu:/docker/ab\n0::/\n", "cpu", "/sys/fs/cgroup/cpu", 18},
        {CPU_OF_CONTAINER, "1:cpu:/docker/b\n", "cpu", NULL, 0},
        {CPU_OF_CONTAINER, "2:name=cpu:/docker/ab/no\n1:cpu:/docker/ab/a:b\n", "cpu", "/sys/fs/cgroup/cpu/a:b", 18},
        {OTHERS OF_CPU "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", "4:cpu,cpuacct:/x\n0::/y\n",
         "cpu", "/sys/fs/cgroup/cpu,cpuacct/x", 26},
        {OTHERS OF_CPUSET, "4:cpuset:/x\n", "cpu", NULL, 0},
        {OTHERS OF_CPUSET, "4:cpu:/x\n", "cpu", NULL, 0}, /* not mounted */
        {PURE, "0::/x\n", "cpu", NULL, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_place(&cases[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_group_of_a_process_is_read_from_proc),
                                       cmocka_unit_test(a_controller_of_v1_has_a_hierarchy_of_its_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
