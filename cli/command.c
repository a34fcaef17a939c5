/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COMMAND(name) extern const command command_##name;
#include "cli/commands.def"
#undef COMMAND

static const command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
};

size_t command_count(void) {
    return sizeof commands / sizeof *commands;
}

const command *command_at(size_t i) {
    return commands[i];
}

const command *command_find(const char *name) {
    for (size_t i = 0; i < command_count(); i++) {
        if (strcmp(commands[i]->syntax.name, name) == 0)
            return commands[i];
    }
    return NULL;
}

void command_append_overview(text_buffer *out) {
    text_append(out, "bnbench measures programs that learn the structure of Bayesian networks from data,\n"
                     "and regenerates the comparison tables of published papers.\n\n"
                     "Usage: bnbench COMMAND [words] [options]\n\nCommands:\n");
    for (size_t i = 0; i < command_count(); i++)
        text_append_format(out, "  %-10s %s\n", commands[i]->syntax.name, commands[i]->syntax.summary);
    text_append(out, "\nOptions:\n");
    for (const arg_option *o = args_everywhere; o->name; o++) {
        char form[32];
        (void)snprintf(form, sizeof form, o->short_name ? "-%c, --%s" : "%c   --%s",
                       o->short_name ? o->short_name : ' ', o->name);
        text_append_format(out, "  %-15s %s\n", form, o->help);
    }
    text_append(out, "\nExamples:\n"
                     "  bnbench run quickstart                 a first comparison with its tables and plots\n"
                     "  bnbench list learners                  what can be compared\n"
                     "  bnbench learn hc data.csv              one learner on data of one's own\n"
                     "  bnbench learn --help                   the help of one command\n");
}

status cli_blame(cli *c, blame b, status st) {
    if (st != STATUS_OK)
        c->blame = b;
    return st;
}

static int exit_status_of_output(status st) {
    return st == STATUS_INVALID ? LEAVE_USAGE : LEAVE_INTERNAL;
}

int cli_exit_status(const cli *c, status st) {
    if (c->blame == BLAME_OUTPUT)
        return exit_status_of_output(st);
    switch (st) {
    case STATUS_OK:
        return c->exit_status;
    case STATUS_INVALID:
        return c->blame == BLAME_WORDS ? LEAVE_USAGE : LEAVE_INPUT;
    case STATUS_PARSE:
        return LEAVE_INPUT;
    case STATUS_MISSING:
        return LEAVE_MISSING;
    case STATUS_IO:
    case STATUS_MEMORY: /* of an input: a file that cannot be read, a table that does not fit */
        return c->blame == BLAME_INPUT ? LEAVE_INPUT : LEAVE_INTERNAL;
    case STATUS_BUG:
        break;
    }
    return LEAVE_INTERNAL;
}

void cli_say(const cli *c, const char *format, ...) {
    va_list list;
    if (c->quiet)
        return;
    va_start(list, format);
    (void)vfprintf(stderr, format, list);
    va_end(list);
    (void)fputc('\n', stderr);
}
