/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What doctor says of a computer on which something is wanting. */
#include "tests/support/cli_support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

static void what_bnbench_needs_is_here(void **state) {
    (void)state;
    assert_status(0, "doctor");
    assert_text_has(cli_out, "ok      networks");
    assert_text_has(cli_out, "ok      cache");
    assert_null(strstr(cli_out, "BROKEN"));
}

/* A program that is not there fails nothing, nor does one that fails. */
static void what_it_can_do_without_is_absent(void **state) {
    (void)state;
    char *path = strdup(getenv("PATH"));
    assert_int_equal(setenv("PATH", cli_folder, 1), 0);
    (void)write_file("dot", "#!/bin/sh\nexit 3\n");
    (void)write_file("gnuplot", "#!/bin/sh\n[ ! -e /proc/$$/fd/77 ] || inherited=' a secret file'\n"
                                "echo gnuplot 9.9 \"$SECRET_OF_THE_USER$inherited\"\n");
    assert_int_equal(chmod(in_folder("dot"), 0755), 0);
    assert_int_equal(chmod(in_folder("gnuplot"), 0755), 0);
    assert_int_equal(setenv("SECRET_OF_THE_USER", "secret", 1), 0);
    assert_int_equal(dup2(2, 77), 77); /* as where a shell started us with one more */
    assert_status(0, "doctor");
    assert_int_equal(close(77), 0);
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_text_has(cli_out, "absent  Graphviz        'dot' ends with an error");
    assert_text_has(cli_out, "absent  pgmpy           no program 'python3'");
    assert_text_has(cli_out, "pip install pgmpy");
    assert_text_has(cli_out, "ok      gnuplot         gnuplot 9.9");
    assert_null(strstr(cli_out, "secret"));
    free(path);
}

static void what_it_needs_is_broken(void **state) {
    (void)state;
    (void)write_file("asia.bif", "network\n");
    assert_int_equal(setenv("BNBENCH_NETWORKS", cli_folder, 1), 0);
    assert_int_equal(setenv("BNBENCH_CACHE", in_folder("asia.bif"), 1), 0);
    assert_status(1, "doctor", "--json");
    assert_text_has(cli_out, "\"BROKEN\"");
    assert_text_has(cli_out, "BNBENCH_CACHE");
    assert_text_has(cli_out, "which ships: ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(what_bnbench_needs_is_here),
        cli_test(what_it_can_do_without_is_absent),
        cli_test(what_it_needs_is_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
