/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/registry.h"

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
