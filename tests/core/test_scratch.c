/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private folders go away, whatever a program has made of them. */
#include "tests/support/support.h"

#include "core/base/scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

static void put(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    (void)close(fd);
}

static void leave_and_remove(char *folder) {
    if (chdir("/") == 0)
        scratch_destroy(folder);
}

/* Makes a folder, fills it from within, and removes it, as a user whose permissions count. The child ends with 1 where
 * it is still there. */
static void assert_goes_away(void (*fill)(void)) {
    pid_t child = fork();
    int how = -1;
    if (child == 0) {
        char *folder = NULL, path[64];
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(2);
        if (scratch_create("/tmp", "bnbench-test-", &folder, NULL) != STATUS_OK || chdir(folder) != 0)
            _exit(3);
        (void)snprintf(path, sizeof path, "%s", folder);
        fill();
        leave_and_remove(folder);
        _exit(access(path, F_OK) == 0);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
}

static void fill_with_a_deep_folder(void) {
    for (int level = 0; level < 3000; level++) {
        if (mkdir("d", 0700) != 0 || chdir("d") != 0)
            _exit(4);
        if (level % 100 == 0)
            put("f");
    }
}

static void fill_with_what_nobody_may_enter(void) {
    if (mkdir("a", 0700) != 0 || mkdir("a/b", 0700) != 0 || mkdir("a/b/c", 0700) != 0)
        _exit(4);
    put("a/b/c/f");
    if (chmod("a/b/c", 0500) != 0 || chmod("a/b", 0) != 0 || chmod("a", 0) != 0 || chmod(".", 0) != 0)
        _exit(4);
}

/* Links to a folder, and two ways round in a circle. */
static void fill_with_links(void) {
    if (mkdir("a", 0700) != 0 || symlink("/", "a/root") != 0 || symlink("..", "a/up") != 0 || symlink("a", "b") != 0)
        _exit(4);
    put("a/f");
    if (link("a/f", "g") != 0)
        _exit(4);
}

static void a_deep_folder_goes_away(void **state) {
    (void)state;
    assert_goes_away(fill_with_a_deep_folder);
}

static void a_folder_that_nobody_may_enter_goes_away(void **state) {
    (void)state;
    assert_goes_away(fill_with_what_nobody_may_enter);
}

static void links_go_away_and_not_what_they_name(void **state) {
    (void)state;
    assert_goes_away(fill_with_links);
}

static void what_a_link_names_stays(void **state) {
    char path[512];
    const char *kept = scratch_folder();
    char *folder = NULL;
    error_info err = {0};
    (void)state;
    (void)snprintf(path, sizeof path, "%s/f", kept);
    put(path);
    assert_ok(scratch_create(kept, "s-", &folder, &err), &err);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("a", 0700), 0);
    assert_int_equal(symlink(kept, "a/out"), 0);
    assert_int_equal(symlink(kept, "out"), 0);
    leave_and_remove(folder);
    assert_int_equal(access(path, F_OK), 0);
    folder_remove("/tmp/bnbench-no-such-folder"); /* nothing to do */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deep_folder_goes_away),
        cmocka_unit_test(a_folder_that_nobody_may_enter_goes_away),
        cmocka_unit_test(links_go_away_and_not_what_they_name),
        cmocka_unit_test(what_a_link_names_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
