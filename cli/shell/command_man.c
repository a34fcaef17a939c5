/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench man: manual pages, made of the same tables as the help. */
#include "build_info.h"
#include "cli/base/command.h"

#include <ctype.h>
#include <string.h>

static const arg_option options[] = {{0}};

/* Text as roff shows it: no line begins a request, '-' is what is typed. */
static void append_text(text_buffer *out, const char *text) {
    for (const char *c = text; *c; c++) {
        if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n'))
            text_append(out, "\\&");
        if (*c == '\\')
            text_append(out, "\\e");
        else if (*c == '-')
            text_append(out, "\\-");
        else
            text_append_bytes(out, c, 1);
    }
}

static void append_section(text_buffer *out, const char *title) {
    text_append_format(out, ".SH %s\n", title);
}

static void append_as_typed(text_buffer *out, const char *lines) {
    text_append(out, ".nf\n");
    append_text(out, lines);
    text_append(out, "\n.fi\n");
}

static void append_option(text_buffer *out, const arg_option *o) {
    text_append(out, ".TP\n");
    if (o->short_name)
        text_append_format(out, "\\fB\\-%c\\fR, ", o->short_name);
    text_append(out, "\\fB\\-\\-");
    append_text(out, o->name);
    text_append(out, "\\fR");
    if (o->value) {
        text_append(out, " \\fI");
        append_text(out, o->value);
        text_append(out, "\\fR");
    }
    text_append(out, "\n");
    append_text(out, o->help);
    text_append(out, "\n");
}

static void append_options(text_buffer *out, const arg_option *own) {
    append_section(out, "OPTIONS");
    for (const arg_option *o = own; o && o->name; o++)
        append_option(out, o);
    for (const arg_option *o = args_everywhere; o->name; o++)
        append_option(out, o);
}

/* The title, and NAME as apropos reads it. */
static void append_head(text_buffer *out, const char *name, const char *summary) {
    text_append(out, ".TH \"");
    for (const char *c = name; *c; c++)
        text_append_format(out, "%s%c", *c == '-' ? "\\" : "", toupper((unsigned char)*c));
    text_append_format(out, "\" 1 \"\" \"bnbench %s\" \"bnbench\"\n", BNB_VERSION);
    append_section(out, "NAME");
    append_text(out, name);
    text_append(out, " \\- ");
    append_text(out, summary);
    text_append(out, "\n");
}

static void append_exit_statuses(text_buffer *out) {
    append_section(out, "EXIT STATUS");
    append_text(out, "0 done; 1 the answer is no; 2 a word that was typed is wrong; 3 an input is; 4 something is not "
                     "there; 5 memory, disk or the program itself failed; 6 some jobs of a run did not succeed; 7 "
                     "there is nothing to do; 130 interrupted. The manual tells of each command.\n");
}

static void append_command(const command *c, text_buffer *out) {
    const arg_syntax *s = &c->syntax;
    char name[64];
    (void)snprintf(name, sizeof name, "bnbench-%s", s->name);
    append_head(out, name, s->summary);
    append_section(out, "SYNOPSIS");
    text_append(out, "\\fBbnbench ");
    append_text(out, s->name);
    text_append(out, "\\fR ");
    append_text(out, s->words);
    text_append(out, " [options]\n");
    append_section(out, "DESCRIPTION");
    append_text(out, s->details ? s->details : s->summary);
    text_append(out, "\n");
    append_options(out, s->options);
    append_section(out, "EXAMPLES");
    append_as_typed(out, s->examples);
    append_exit_statuses(out);
    append_section(out, "SEE ALSO");
    text_append(out, "\\fBbnbench\\fR(1)\n");
}

static void append_overview(const cli *c, text_buffer *out) {
    append_head(out, "bnbench", "measure programs that learn the structure of Bayesian networks");
    append_section(out, "SYNOPSIS");
    text_append(out, "\\fBbnbench\\fR COMMAND [words] [options]\n");
    append_section(out, "DESCRIPTION");
    append_text(out, "Runs structure learners side by side on sampled or real data, measures time and accuracy, and "
                     "regenerates the comparison tables of published papers. An experiment is one YAML file.\n");
    append_section(out, "COMMANDS");
    for (size_t i = 0; i < c->n_commands; i++) {
        text_append(out, ".TP\n\\fBbnbench\\-");
        append_text(out, c->commands[i]->syntax.name);
        text_append(out, "\\fR(1)\n");
        append_text(out, c->commands[i]->syntax.summary);
        text_append(out, "\n");
    }
    append_options(out, NULL);
    append_exit_statuses(out);
    append_section(out, "ENVIRONMENT");
    append_text(out, "BNBENCH_NETWORKS and BNBENCH_DATASETS: folders, ':' between them, in which networks and data "
                     "sets are looked for first. BNBENCH_CACHE: where downloads are kept. BNBENCH_SHARE: the folder of "
                     "what ships. BNBENCH_SIMD: the counting kernels. BNBENCH_READ_LIMIT: the largest file that is "
                     "read. NO_COLOR: no bold.\n");
}

static status run(cli *c, error_info *err) {
    const char *name = c->args->n_words ? c->args->words[0] : "bnbench";
    const command *chosen = NULL;
    for (size_t i = 0; i < c->n_commands; i++)
        chosen = strcmp(c->commands[i]->syntax.name, name) == 0 ? c->commands[i] : chosen;
    if (!chosen && strcmp(name, "bnbench") != 0)
        return cli_refuse(c, err, "there is no command '%s'; 'bnbench --help' lists what there is", name);
    if (chosen)
        append_command(chosen, &c->out);
    else
        append_overview(c, &c->out);
    return c->json ? json_put(c->answer = json_object(), "page", json_of_buffer(&c->out), err) : STATUS_OK;
}

const command command_man = {
    .run = run,
    .syntax = {.name = "man",
               .words = "[COMMAND]",
               .summary = "print a manual page",
               .details =
                   "The page of a command, or of bnbench, in the form that man reads. Packages install all of them.",
               .examples = "  bnbench man learn >bnbench-learn.1\n"
                           "  bnbench man",
               .least_words = 0,
               .most_words = 1,
               .options = options},
};
