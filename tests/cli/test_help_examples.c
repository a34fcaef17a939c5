/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every example of every --help works as it is printed: line by line, from top to bottom, in an empty folder, with the
 * networks that ship and no other.
 */
#include "tests/support/cli_support.h"

#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Commands whose examples need what a test does without: a server. */
static const char *const left_out[] = {"networks", "datasets"};

static bool is_left_out(const char *name) {
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strcmp(left_out[i], name) == 0)
            return true;
    return false;
}

/* Whether this computer has what the line draws with. */
static bool can_run(const char *line) {
    return !strstr(line, "--plot ") || cli_call_shell("command -v gnuplot") == 0;
}

/* 1 is the answer "slower" of two commands that compare times. */
static bool is_success(const char *line, int leave) {
    return leave == 0 ||
           (leave == 1 && (strncmp(line, "bnbench diff ", 13) == 0 || strncmp(line, "bnbench nightly ", 16) == 0));
}

/* What an example reads and bnbench does not write: a file of another program. */
static void write_inputs(const char *folder) {
    if (strcmp(folder, "import") == 0)
        (void)write_file(
            "config.json",
            "{\"benchmark_setup\": {\"data\": [{\"parameters_id\": \"asia.rds\", \"data_id\": \"rows\"}], "
            "\"evaluation\": {}}, \"resources\": {\"data\": {\"iid\": [{\"id\": \"rows\", \"n\": 100}]}, "
            "\"structure_learning_algorithms\": {\"bnlearn_hc\": [{\"id\": \"hc\", \"score\": \"bde\"}]}}}");
}

static void run_line(const char *folder, const char *line) {
    text_buffer script = {0};
    int leave;
    text_append_format(&script,
                       "unset BNBENCH_NETWORKS BNBENCH_DATASETS XDG_CACHE_HOME\n"
                       "export BNBENCH_CACHE=\"$1/cache\" PATH=\"$(dirname \"$0\"):$PATH\"\n"
                       "mkdir -p \"$1/%s\" && cd \"$1/%s\" || exit 99\n"
                       "[ ! -e \"$1/config.json\" ] || mv \"$1/config.json\" .\n%s\n",
                       folder, folder, line);
    assert_false(script.failed);
    leave = cli_call_shell(script.data);
    if (!is_success(line, leave))
        fail_msg("%s --help: '%s' ends with status %d: %s", folder, line, leave, cli_errors);
    text_buffer_clear(&script);
}

/* The lines of a help behind "Examples:"; behind three blanks the overview explains what they do. */
static size_t run_examples(const char *folder, const char *help) {
    char *copy = text_copy(help), *rest = strstr(copy, "\nExamples:\n"), *line;
    size_t n = 0;
    if (!rest)
        fail_msg("%s --help has no examples", folder);
    write_inputs(folder);
    for (rest += strlen("\nExamples:\n"); (line = strsep(&rest, "\n"));) {
        char *remark = strlen(line) > 41 && strcmp(folder, "overview") == 0 ? line + 41 : NULL;
        if (strncmp(line, "  ", 2) != 0)
            continue;
        if (remark)
            *remark = '\0';
        if (can_run(line + 2))
            run_line(folder, line + 2);
        n++;
    }
    free(copy);
    return n;
}

static void the_examples_of_every_help_work_as_printed(void **state) {
    char *overview, *rest, *line;
    size_t n_commands = 0, n_examples;
    (void)state;
    assert_status(0, "--help");
    overview = text_copy(cli_out);
    n_examples = run_examples("overview", overview);
    assert_that(n_examples, >, 0);
    rest = strstr(overview, "Commands:\n");
    assert_non_null(rest);
    for (rest += strlen("Commands:\n"); (line = strsep(&rest, "\n")) && *line;) {
        char name[32] = "";
        if (strncmp(line, "  ", 2) != 0 || sscanf(line, "%31s", name) != 1)
            continue;
        n_commands++;
        assert_status(0, name, "--help");
        if (!is_left_out(name)) {
            char *help = text_copy(cli_out);
            n_examples = run_examples(name, help);
            assert_that(n_examples, >, 0);
            free(help);
        }
    }
    assert_that(n_commands, >, sizeof left_out / sizeof *left_out);
    free(overview);
}

int main(void) {
    const struct CMUnitTest tests[] = {cli_test(the_examples_of_every_help_work_as_printed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
