/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A subcommand: its syntax and its function. Adding one is one file and one line in commands.def. */
#ifndef BNB_CLI_BASE_COMMAND_H
#define BNB_CLI_BASE_COMMAND_H

#include "cli/base/args.h"
#include "core/base/json.h"
#include "core/base/status.h"
#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Exit statuses (docs/manual.md). */
enum {
    LEAVE_DONE = 0,
    LEAVE_NO = 1,
    LEAVE_USAGE = 2,
    LEAVE_INPUT = 3,
    LEAVE_MISSING = 4,
    LEAVE_INTERNAL = 5,
    LEAVE_INCOMPLETE = 6,
    LEAVE_NOTHING = 7,
    LEAVE_TRY_AGAIN = 75, /* EX_TEMPFAIL: a scheduler queues the job again */
    LEAVE_INTERRUPTED = 130
};

/** What a failing call was busy with: the same status means another exit status for a typed word than for a file. */
typedef enum { BLAME_WORK, BLAME_WORDS, BLAME_INPUT, BLAME_OUTPUT } blame;

/**
 * What a command is given and what it leaves. Everything for standard output is collected here and written once, at
 * the end, by main: a command that fails has written nothing.
 */
typedef struct cli {
    const args *args;
    const struct command *const *commands; /* n_commands of them: all that there are */
    size_t n_commands;
    bool json, quiet;
    text_buffer out; /* for people */
    json_t *answer;  /* for machines, with --json; owned */
    int exit_status; /* of a command that ends well */
    blame blame;
} cli;

typedef struct command {
    arg_syntax syntax;
    status (*run)(cli *c, error_info *err);
    bool is_for_people; /* what it prints is no file: it is folded at the width of the terminal */
} command;

/** Marks what a call that failed was busy with; passes its status on: TRY(cli_blame(c, BLAME_WORDS, call)). */
status cli_blame(cli *c, blame b, status st);

/** STATUS_INVALID with that sentence, for which the words of the command line are to blame. */
status cli_refuse(cli *c, error_info *err, const char *format, ...) BNB_PRINTF(3, 4);

/** Writes text to a file; "-" and NULL are standard output. */
BNB_MUST_CHECK status cli_write(cli *c, const char *path, const text_buffer *text, error_info *err);

/** The exit status of a failure. */
int cli_exit_status(const cli *c, status st);

/** A remark on standard error, a line; --quiet drops it. */
void cli_say(const cli *c, const char *format, ...) BNB_PRINTF(2, 3);

#endif
