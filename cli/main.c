/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench: start-up, the choice of the subcommand, and the one place where a status becomes an exit status. */
#include "build_info.h"
#include "cli/base/command.h"
#include "cli/base/terminal.h"
#include "core/base/freed_memory.h"
#include "core/base/text_fold.h"
#include "core/run/thread_start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_errno.h>
#include <openssl/crypto.h>

#define COMMAND(name) extern const command command_##name;
#include "cli/commands.def"
#undef COMMAND

static const command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static const command *command_find(const char *name) {
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->syntax.name, name) == 0)
            return commands[i];
    }
    return NULL;
}

static void append_overview(text_buffer *out) {
    text_append(out, "bnbench measures programs that learn the structure of Bayesian networks from data,\n"
                     "and regenerates the comparison tables of published papers.\n\n"
                     "Usage: bnbench COMMAND [words] [options]\n\nCommands:\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
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
                     "  bnbench sample asia -n 500 -o data.csv data drawn from a network\n"
                     "  bnbench learn hc data.csv              one learner on a file of data\n"
                     "  bnbench learn --help                   the help of one command\n");
}

/*
 * A standard stream that was closed would give its number to the next file that is opened, and messages would go into
 * that file. Standard output gets a stand-in that cannot be written, so that the loss is noticed.
 */
static void guard_standard_streams(void) {
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            (void)open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    }
}

static void move_leading_options_behind_command(int argc, char **argv) {
    int at = 1;
    while (at < argc && argv[at][0] == '-' && strcmp(argv[at], "--") != 0)
        at++;
    if (at >= argc)
        return;
    char *word = argv[at];
    for (int i = at; i > 1; i--)
        argv[i] = argv[i - 1];
    argv[1] = word;
}

static int complain(const char *command_name, const error_info *err) {
    (void)fprintf(stderr, "bnbench%s%s: %s\n", *command_name ? " " : "", command_name, err->message);
    return LEAVE_USAGE;
}

static int unknown_command(const char *typed) {
    const char *names[N_COMMANDS], *near;
    error_info err = {0}; /* for it shows no control character */
    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i]->syntax.name;
    near = text_nearest(typed, names, N_COMMANDS);
    if (near)
        (void)error_set(&err, STATUS_INVALID, "unknown command '%s'; did you mean '%s'?", typed, near);
    else
        (void)error_set(&err, STATUS_INVALID, "unknown command '%s'; 'bnbench --help' lists what there is", typed);
    return complain("", &err);
}

/* Writes standard output, which nothing else does; a command whose output cannot be written has failed. */
static int write_out(text_buffer *out, int exit_status) {
    bool ok = !out->failed;
    if (ok && out->data && isatty(STDOUT_FILENO))
        terminal_clean(out->data);
    if (out->length > 0)
        ok = ok && fwrite(out->data, 1, out->length, stdout) == out->length;
    ok = fflush(stdout) == 0 && ok;
    if (ok)
        return exit_status;
    (void)fprintf(stderr, "bnbench: standard output cannot be written: %s\n",
                  out->failed ? "out of memory" : strerror(errno));
    return LEAVE_INTERNAL;
}

static status fold_output(cli *c, error_info *err) {
    text_buffer folded = {0};
    text_fold(c->out.data ? c->out.data : "", terminal_width(STDOUT_FILENO), &folded);
    folded.failed |= c->out.failed;
    text_buffer_clear(&c->out);
    c->out = folded;
    return text_buffer_check(&c->out, err);
}

static status print_answer(cli *c, bool is_for_people, error_info *err) {
    AUTO_FREE char *text = NULL;
    if (!c->json)
        return is_for_people ? fold_output(c, err) : text_buffer_check(&c->out, err);
    text_buffer_clear(&c->out);
    CHECK_ALLOC(text = json_to_text(c->answer, JSON_INDENT(2) | JSON_REAL_PRECISION(17)));
    text_append(&c->out, text);
    text_append(&c->out, "\n");
    return text_buffer_check(&c->out, err);
}

static int run_command(const command *chosen, const args *a) {
    cli c = {.args = a,
             .commands = commands,
             .n_commands = N_COMMANDS,
             .json = args_has(a, "json"),
             .quiet = args_has(a, "quiet")};
    error_info err = {0};
    int leave;
    status st = chosen->run(&c, &err);
    if (st == STATUS_OK)
        st = print_answer(&c, chosen->is_for_people, &err);
    leave = cli_exit_status(&c, st);
    if (st != STATUS_OK)
        (void)complain(chosen->syntax.name, &err);
    if (st != STATUS_OK && leave == LEAVE_USAGE)
        (void)fprintf(stderr, "'bnbench %s --help' shows how it is used.\n", chosen->syntax.name);
    if (st == STATUS_OK)
        leave = write_out(&c.out, leave);
    text_buffer_clear(&c.out);
    json_decref(c.answer);
    return leave;
}

static int print_help(const command *chosen) {
    AUTO(text_buffer_clear) text_buffer out = {0};
    if (chosen)
        args_append_help(&chosen->syntax, &out);
    else
        append_overview(&out);
    return write_out(&out, LEAVE_DONE);
}

static int print_version(bool json) {
    AUTO(text_buffer_clear) text_buffer out = {0};
    text_append_format(&out,
                       json ? "{\"name\": \"bnbench\", \"version\": \"%s\", \"commit\": \"%s\", \"compiler\": \"%s\", "
                              "\"build\": \"%s\"}\n"
                            : "bnbench %s (commit %s, %s, %s)\n",
                       BNB_VERSION, BNB_COMMIT, BNB_COMPILER, BNB_BUILD_TYPE);
    return write_out(&out, LEAVE_DONE);
}

static int run_words(const command *chosen, int argc, char *const *argv) {
    AUTO(args_clear) args a = {0};
    error_info err = {0};
    status st = args_read(&chosen->syntax, argc, argv, &a, &err);
    if (st != STATUS_OK) {
        (void)complain(chosen->syntax.name, &err);
        if (st == STATUS_MEMORY)
            return LEAVE_INTERNAL;
        (void)fprintf(stderr, "'bnbench %s --help' shows how it is used.\n", chosen->syntax.name);
        return LEAVE_USAGE;
    }
    if (args_has(&a, "help"))
        return print_help(chosen);
    if (args_has(&a, "version"))
        return print_version(args_has(&a, "json"));
    return run_command(chosen, &a);
}

/* No command among the words: --help, --version, or a mistake. */
static int run_without_command(int argc, char *const *argv) {
    static const arg_syntax bare = {.name = "", .words = "", .summary = "", .examples = ""};
    AUTO(args_clear) args a = {0};
    error_info err = {0};
    if (args_read(&bare, argc, argv, &a, &err) != STATUS_OK)
        (void)complain("", &err);
    else if (args_has(&a, "version"))
        return print_version(args_has(&a, "json"));
    else if (args_has(&a, "help"))
        return print_help(NULL);
    (void)fputs("usage: bnbench COMMAND [words] [options]; 'bnbench --help' lists the commands\n", stderr);
    return LEAVE_USAGE;
}

int main(int argc, char **argv) {
    const command *chosen;
    freed_memory_keep();
    threads_keep();
    guard_standard_streams();
    (void)signal(SIGPIPE, SIG_DFL); /* `bnbench ... | head` ends quietly, whatever the caller had set */
    (void)gsl_set_error_handler_off();
    if (!OSSL_LIB_CTX_get0_global_default()) { /* it is made now; without memory libcrypto would crash later */
        (void)fprintf(stderr, "bnbench: out of memory\n");
        return LEAVE_INTERNAL;
    }
    move_leading_options_behind_command(argc, argv);
    if (argc < 2 || argv[1][0] == '-')
        return run_without_command(argc - (argc > 0), argv + (argc > 0));
    if (strcmp(argv[1], "help") == 0) {
        chosen = argc > 2 ? command_find(argv[2]) : NULL;
        return argc > 2 && !chosen ? unknown_command(argv[2]) : print_help(chosen);
    }
    chosen = command_find(argv[1]);
    return chosen ? run_words(chosen, argc - 2, argv + 2) : unknown_command(argv[1]);
}
