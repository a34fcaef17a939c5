/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench: start-up, the choice of the subcommand, and the one place where a status becomes an exit status. */
#include "build_info.h"
#include "cli/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_errno.h>

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
    const char *names[64], *near;
    size_t n = command_count() < 64 ? command_count() : 64;
    for (size_t i = 0; i < n; i++)
        names[i] = command_at(i)->syntax.name;
    near = text_nearest(typed, names, n);
    if (near)
        (void)fprintf(stderr, "bnbench: unknown command '%s'; did you mean '%s'?\n", typed, near);
    else
        (void)fprintf(stderr, "bnbench: unknown command '%s'; 'bnbench --help' lists what there is\n", typed);
    return LEAVE_USAGE;
}

/* Writes standard output, which nothing else does; a command whose output cannot be written has failed. */
static int write_out(const text_buffer *out, int exit_status) {
    bool ok = !out->failed;
    if (out->length > 0)
        ok = ok && fwrite(out->data, 1, out->length, stdout) == out->length;
    ok = fflush(stdout) == 0 && ok;
    if (ok)
        return exit_status;
    (void)fprintf(stderr, "bnbench: standard output cannot be written: %s\n",
                  out->failed ? "out of memory" : strerror(errno));
    return LEAVE_INTERNAL;
}

static status print_answer(cli *c, error_info *err) {
    char *text;
    if (!c->json)
        return text_buffer_check(&c->out, err);
    text_buffer_clear(&c->out);
    CHECK_ALLOC(text = c->answer ? json_dumps(c->answer, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL);
    text_append(&c->out, text);
    text_append(&c->out, "\n");
    free(text);
    return text_buffer_check(&c->out, err);
}

static int run_command(const command *chosen, const args *a) {
    cli c = {.args = a, .json = args_has(a, "json"), .quiet = args_has(a, "quiet")};
    error_info err = {0};
    int leave;
    status st = chosen->run(&c, &err);
    if (st == STATUS_OK)
        st = print_answer(&c, &err);
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
    text_buffer out = {0};
    int leave;
    if (chosen)
        args_append_help(&chosen->syntax, &out);
    else
        command_append_overview(&out);
    leave = write_out(&out, LEAVE_DONE);
    text_buffer_clear(&out);
    return leave;
}

static int print_version(bool json) {
    text_buffer out = {0};
    int leave;
    text_append_format(&out,
                       json ? "{\"name\": \"bnbench\", \"version\": \"%s\", \"commit\": \"%s\", \"compiler\": \"%s\", "
                              "\"build\": \"%s\"}\n"
                            : "bnbench %s (commit %s, %s, %s)\n",
                       BNB_VERSION, BNB_COMMIT, BNB_COMPILER, BNB_BUILD_TYPE);
    leave = write_out(&out, LEAVE_DONE);
    text_buffer_clear(&out);
    return leave;
}

static int run_words(const command *chosen, int argc, char *const *argv) {
    args a = {0};
    error_info err = {0};
    int leave;
    status st = args_read(&chosen->syntax, argc, argv, &a, &err);
    if (st != STATUS_OK) {
        (void)complain(chosen->syntax.name, &err);
        if (st == STATUS_MEMORY)
            return LEAVE_INTERNAL;
        (void)fprintf(stderr, "'bnbench %s --help' shows how it is used.\n", chosen->syntax.name);
        return LEAVE_USAGE;
    }
    if (args_has(&a, "help"))
        leave = print_help(chosen);
    else if (args_has(&a, "version"))
        leave = print_version(args_has(&a, "json"));
    else
        leave = run_command(chosen, &a);
    args_clear(&a);
    return leave;
}

/* No command among the words: --help, --version, or a mistake. */
static int run_without_command(int argc, char *const *argv) {
    static const arg_syntax bare = {.name = "", .words = "", .summary = "", .examples = ""};
    args a = {0};
    error_info err = {0};
    int leave = LEAVE_USAGE;
    if (args_read(&bare, argc, argv, &a, &err) != STATUS_OK)
        (void)complain("", &err);
    else if (args_has(&a, "version"))
        leave = print_version(args_has(&a, "json"));
    else if (args_has(&a, "help"))
        leave = print_help(NULL);
    if (leave == LEAVE_USAGE)
        (void)fputs("usage: bnbench COMMAND [words] [options]; 'bnbench --help' lists the commands\n", stderr);
    args_clear(&a);
    return leave;
}

int main(int argc, char **argv) {
    const command *chosen;
    guard_standard_streams();
    (void)signal(SIGPIPE, SIG_DFL); /* `bnbench ... | head` ends quietly, whatever the caller had set */
    (void)gsl_set_error_handler_off();
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
