/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The words of a command line, read by a table of options from which the help is made as well. */
#ifndef BNB_CLI_BASE_ARGS_H
#define BNB_CLI_BASE_ARGS_H

#include "core/base/status.h"
#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** One option of a command: `--name`, and `-x` where it has a short form. */
typedef struct {
    const char *name;
    char short_name;   /* 0 for none */
    const char *value; /* what the help calls its value: "FILE"; NULL where it takes none */
    const char *help;  /* no full stop; a line break starts a new line of the help */
} arg_option;

/** The syntax of a command. Options end with a row of zeros. */
typedef struct {
    const char *name;
    const char *words;   /* as the help shows them: "LEARNER DATA" */
    const char *summary; /* one line, no full stop */
    const char *details; /* paragraphs for the help */
    const char *examples;
    size_t least_words, most_words;
    const arg_option *options;
} arg_syntax;

typedef struct {
    const arg_option *option;
    const char *value; /* NULL where it takes none */
} arg_given;

/** What was typed. The strings belong to argv. Zero-initialise. */
typedef struct {
    const arg_syntax *syntax;
    size_t n_words, n_given;
    const char **words;
    arg_given *given; /* in the order typed */
} args;

void args_clear(args *a);

/** Every command takes these: --json, --quiet, --help, --version. */
extern const arg_option args_everywhere[];

/**
 * Reads what follows the command's name. `--opt value`, `--opt=value`, `-o value`, `-ovalue`; `--` ends the options,
 * `-` alone is a word. Counts of words are checked unless --help or --version is among the options.
 * @return STATUS_INVALID: an unknown option (with a suggestion), a value too many or missing, too few or too many
 * words.
 */
BNB_MUST_CHECK status args_read(const arg_syntax *syntax, int argc, char *const *argv, args *out, error_info *err);

bool args_has(const args *a, const char *name);

/** The value given last, or NULL. */
const char *args_value(const args *a, const char *name);

/** Every value of an option in the order typed, into `out` (at least n_given entries); returns how many. */
size_t args_values(const args *a, const char *name, const char **out);

/** A whole number between `least` and `most`; `initial` where the option was not given. */
BNB_MUST_CHECK status args_whole(const args *a, const char *name, int64_t least, int64_t most, int64_t initial,
                                 int64_t *out, error_info *err);

/** The help of one command. */
void args_append_help(const arg_syntax *syntax, text_buffer *out);

#endif
