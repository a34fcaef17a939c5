/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes by their numbers: which are read off /proc, and how their end is waited for. */
#include "tests/support/support.h"

#include "runner/job/process_internal.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <sys/ptrace.h>
#include <sys/wait.h>

static void only_whole_ids_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        pid_t ids[3]; /* up to a 0 */
    } cases[] = {
        {"", {0}},
        {"123 45678 ", {123, 45678}},
        {"123 4567", {123}}, /* the start of a longer one */
        {"4567", {0}},
        {"123 1 ", {123}}, /* that of init */
        {"0 ", {0}},       /* kill takes it for all of the group */
        {"-1 ", {0}},      /* and this for all processes */
        {"12 x 13 ", {12}},
        {"12x 13 ", {0}},
        {"12\n13 ", {0}},
        {"99999999999 ", {0}},
        {"4294967298 ", {0}}, /* 2 in 32 bits */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = cases[i].text;
        pid_t id = 0;
        for (size_t k = 0; cases[i].ids[k]; k++) {
            at = process_next_id(at, &id);
            assert_non_null(at);
            assert_int_equal(id, cases[i].ids[k]);
        }
        assert_null(process_next_id(at, &id));
    }
}

/* A child of a new process, which tells its id, ends its children and then itself. */
static pid_t start_one_that_ends_its_child(int told, int go) {
    pid_t parent = fork(), child;
    char byte;
    if (parent != 0)
        return parent;
    (void)alarm(60); /* rather than wait for ever */
    child = fork();
    if (child == 0) {
        (void)alarm(60);
        for (;;)
            (void)pause();
    }
    if (write(told, &child, sizeof child) != sizeof child || read(go, &byte, 1) != 1)
        _exit(1);
    process_end_children();
    _exit(0);
}

/* Traced, a killed process stays a zombie until the tracer has seen its end, and its parent is told nothing. */
static void a_child_that_does_not_end_is_given_up(void **state) {
    (void)state;
    for (int is_traced = 0; is_traced < 2; is_traced++) {
        int told[2], go[2], how = 0;
        pid_t parent, child = 0;
        assert_int_equal(pipe(told), 0);
        assert_int_equal(pipe(go), 0);
        parent = start_one_that_ends_its_child(told[1], go[0]);
        assert_int_equal(read(told[0], &child, sizeof child), sizeof child);
        if (is_traced && ptrace(PTRACE_SEIZE, child, NULL, NULL) != 0) {
            (void)kill(parent, SIGKILL);
            (void)kill(child, SIGKILL);
            skip();
        }
        assert_int_equal(write(go[1], "", 1), 1);
        assert_int_equal(waitpid(parent, &how, 0), parent);
        assert_int_equal(how, 0);
        if (is_traced) {
            assert_int_equal(waitpid(child, &how, 0), child);
            assert_int_equal(WTERMSIG(how), SIGKILL);
        }
        for (int i = 0; i < 2; i++) {
            (void)close(told[i]);
            (void)close(go[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_whole_ids_are_read),
        cmocka_unit_test(a_child_that_does_not_end_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
