/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/cli_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 24 };

char *cli_out, *cli_errors;
const char *cli_folder;

static void forget_output(void) {
    free(cli_out);
    free(cli_errors);
    cli_out = cli_errors = NULL;
}

int cli_start_test(void **state) {
    (void)state;
    cli_folder = scratch_folder();
    return 0;
}

int cli_end_test(void **state) {
    const char *remove[] = {"rm", "-rf", cli_folder, NULL};
    (void)state;
    forget_output();
    return run_program(remove, NULL, NULL);
}

const char *cli_program(void) {
    const char *path = getenv("BNB_PROGRAM");
    if (!path || access(path, X_OK) != 0)
        fail_msg("BNB_PROGRAM is '%s': no program", path ? path : "");
    return path;
}

int cli_call_list(const char *const *words) {
    const char *argv[MOST_ARGUMENTS + 2] = {cli_program()};
    for (size_t n = 0; words[n]; n++) {
        assert_in_range(n, 0, MOST_ARGUMENTS - 1);
        argv[n + 1] = words[n];
    }
    forget_output();
    return run_program(argv, &cli_out, &cli_errors);
}

int cli_call_shell(const char *script) {
    const char *argv[] = {"sh", "-c", script, cli_program(), cli_folder, NULL};
    forget_output();
    return run_program(argv, &cli_out, &cli_errors);
}

void assert_text_has(const char *text, const char *words) {
    if (!strstr(text, words))
        fail_msg("'%s' is not in: %s", words, text);
}

void assert_text_lacks(const char *text, const char *words) {
    if (strstr(text, words))
        fail_msg("'%s' is in: %s", words, text);
}

const char *in_folder(const char *name) {
    static char paths[32][512];
    static int turn;
    char *path = paths[turn++ % 32];
    (void)snprintf(path, sizeof paths[0], "%s/%s", cli_folder, name);
    return path;
}

const char *write_file(const char *name, const char *text) {
    const char *path = in_folder(name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    return path;
}

bool is_there(const char *path) {
    return access(path, F_OK) == 0;
}

json_t *parse_answer(void) {
    json_error_t error;
    json_t *answer = json_loads(cli_out, JSON_REJECT_DUPLICATES, &error);
    if (!answer)
        fail_msg("no JSON (line %d: %s): %s", error.line, error.text, cli_out);
    return answer;
}

double number_at(const json_t *object, const char *key) {
    const json_t *v = json_object_get(object, key);
    if (!json_is_number(v))
        fail_msg("'%s' is no number in: %s", key, cli_out);
    return json_number_value(v);
}

const char *text_at(const json_t *object, const char *key) {
    const json_t *v = json_object_get(object, key);
    if (!json_is_string(v))
        fail_msg("'%s' is no text in: %s", key, cli_out);
    return json_string_value(v);
}
