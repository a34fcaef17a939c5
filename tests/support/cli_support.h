/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The program from outside, for the tests of the command line: BNB_PROGRAM names it. */
#ifndef BNB_TESTS_SUPPORT_CLI_SUPPORT_H
#define BNB_TESTS_SUPPORT_CLI_SUPPORT_H

#include "tests/support/support.h"

#include <jansson.h>

/** What the last call wrote; valid until the next. */
extern char *cli_out, *cli_errors;

/** A scratch folder, fresh for every test: use these two around each. */
extern const char *cli_folder;
int cli_start_test(void **state);
int cli_end_test(void **state);
#define cli_test(name) cmocka_unit_test_setup_teardown(name, cli_start_test, cli_end_test)

const char *cli_program(void);

/** Runs the program with these words (NULL ends them); the exit status, or 128 + signal. */
int cli_call_list(const char *const *words);
#define cli_call(...) cli_call_list((const char *const[]){__VA_ARGS__, NULL})

/** Runs a shell script in which $0 is the program and $1 the scratch folder. */
int cli_call_shell(const char *script);

/** The call, its exit status, and both streams where it was another. */
#define assert_status(expected, ...)                                                                                   \
    do {                                                                                                               \
        int status_seen = cli_call(__VA_ARGS__);                                                                       \
        if (status_seen != (expected))                                                                                 \
            fail_msg("status %d, expected %d\nstdout: %s\nstderr: %s", status_seen, expected, cli_out, cli_errors);    \
    } while (0)

void assert_text_has(const char *text, const char *words);
void assert_text_lacks(const char *text, const char *words);

/** A path in the scratch folder; the last 32 stay valid. */
const char *in_folder(const char *name);

/** Writes a file there; its path, as in_folder. */
const char *write_file(const char *name, const char *text);
bool is_there(const char *path);

/** The output of the last call as JSON; json_decref it. */
json_t *parse_answer(void);
double number_at(const json_t *object, const char *key);
const char *text_at(const json_t *object, const char *key);

#endif
