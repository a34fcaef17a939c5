/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual names what the program has: commands, their options, exit statuses, and the rows of its tables of names.
 */
#include "tests/support/cli_support.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *manual;

static int read_manual(void **state) {
    size_t length = 0;
    error_info err = {0};
    (void)state;
    return file_read(source_path("docs/manual.md"), FILE_READ_MOST, &manual, &length, &err) != STATUS_OK;
}

static int forget_manual(void **state) {
    (void)state;
    free(manual);
    return 0;
}

static void assert_manual_has(const char *words) {
    if (!strstr(manual, words))
        fail_msg("docs/manual.md lacks: %s", words);
}

/* As a whole: --in is not there because --integer is. */
static void assert_manual_has_option(const char *command, const char *option) {
    size_t length = strlen(option);
    for (const char *at = manual; (at = strstr(at, option)); at += length) {
        if (!isalnum((unsigned char)at[length]) && at[length] != '-')
            return;
    }
    fail_msg("docs/manual.md lacks %s of %s", option, command);
}

/* Of the help that was printed last: lines such as "  -n, --rows ROWS      how many". */
static void check_options(const char *command) {
    char *help = text_copy(cli_out), *rest = strstr(help, "\nOptions:\n"), *line;
    assert_non_null(rest);
    for (rest += strlen("\nOptions:\n"); (line = strsep(&rest, "\n")) && *line;) {
        char option[40] = "";
        if (sscanf(line, " -%*1c, %39[-a-z]", option) == 1 || sscanf(line, " %39[-a-z]", option) == 1)
            if (strncmp(option, "--", 2) == 0)
                assert_manual_has_option(command, option);
    }
    free(help);
}

/* A row of its table, "| `run FILE` | ...", and all of its options. */
static void every_command_and_its_options_are_named(void **state) {
    char *overview, *rest, *line;
    size_t n = 0;
    (void)state;
    assert_status(0, "--help");
    overview = text_copy(cli_out);
    rest = strstr(overview, "Commands:\n") + strlen("Commands:\n");
    for (; (line = strsep(&rest, "\n")) && *line; n++) {
        char name[32] = "", row[64], bare[64];
        (void)sscanf(line, "%31s", name);
        (void)snprintf(row, sizeof row, "`%s ", name);
        (void)snprintf(bare, sizeof bare, "| `%s` |", name); /* one that takes no words */
        assert_manual_has(strstr(manual, bare) ? bare : row);
        assert_status(0, name, "--help");
        check_options(name);
    }
    assert_that(n, >, 10);
    free(overview);
}

static void every_status_has_a_row(void **state) {
    static const char *const statuses[] = {"0", "1", "2", "3", "4", "5", "6", "7", "130"};
    (void)state;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        char row[16];
        (void)snprintf(row, sizeof row, "\n| %s | ", statuses[i]);
        assert_manual_has(row);
    }
}

/* "`ess`, `prior`"; "-" without any. */
static void append_options(const json_t *options, text_buffer *row) {
    const json_t *option;
    size_t i;
    json_array_foreach(options, i, option)
        text_append_format(row, "%s`%s`", i ? ", " : "", json_string_value(json_object_get(option, "name")));
    text_append(row, json_array_size(options) ? " |" : "- |");
}

/* The row that a table of that kind ought to have for the name. */
static char *row_of(const char *kind, const char *name, bool has_options) {
    text_buffer row = {0};
    json_t *facts;
    const json_t *about;
    assert_status(0, "info", name, "--kind", kind, "--json");
    facts = parse_answer();
    about = json_object_get(facts, strcmp(kind, "experiment") == 0 ? "title" : "summary");
    text_append_format(&row, "| `%s` | %s |%s", name, json_string_value(about), has_options ? " " : "");
    if (has_options)
        append_options(json_object_get(facts, "options"), &row);
    json_decref(facts);
    return row.data;
}

/* "| learner | | options |" is followed by a row a learner. A name without a row is no mistake: one file and one line
 * are all that a learner needs. */
static void every_row_of_names_is_as_the_program_says(void **state) {
    char *copy = text_copy(strstr(manual, "\n## Names\n")), *rest = copy, *line;
    char kind[16] = "", name[64];
    size_t n = 0;
    (void)state;
    assert_non_null(copy);
    while ((line = strsep(&rest, "\n"))) {
        char *expected;
        if (sscanf(line, "| `%63[^`]", name) != 1) {
            (void)sscanf(line, "| %15[a-z] | |", kind);
            continue;
        }
        expected = row_of(kind, name, strcmp(kind, "metric") != 0 && strcmp(kind, "experiment") != 0);
        assert_string_equal(line, expected);
        free(expected);
        n++;
    }
    assert_that(n, >, 100);
    free(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(every_command_and_its_options_are_named),
        cmocka_unit_test(every_status_has_a_row),
        cli_test(every_row_of_names_is_as_the_program_says),
    };
    return cmocka_run_group_tests(tests, read_manual, forget_manual);
}
