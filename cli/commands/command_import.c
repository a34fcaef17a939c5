/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench import: a configuration of another program as an experiment. */
#include "cli/base/command.h"

#include "core/base/file.h"
#include "core/base/shell_word.h"
#include "runner/import/benchpress.h"

#include <string.h>

enum { MOST_BYTES = 16 << 20 };

static const arg_option options[] = {
    {"setup", 0, "TITLE", "which of several benchmark setups, by title or number (1)"},
    {"adapters", 0, NULL, "the programs themselves as learners, by the scripts of contrib/adapters"},
    {"force", 'f', NULL, "write over a file that is there"},
    {"output", 'o', "FILE", "the experiment's file (standard output)"},
    {0},
};

static status check_words(cli *c, error_info *err) {
    const char *path = args_value(c->args, "output");
    bool is_file = path && strcmp(path, "-") != 0;
    if (strcmp(c->args->words[0], "benchpress") != 0)
        return cli_refuse(c, err, "'%s' is no form of configurations that is read; there is benchpress",
                          c->args->words[0]);
    if (c->json && !is_file)
        return cli_refuse(c, err, "--json and the experiment would both go to standard output; name a file with -o");
    if (is_file && file_exists(path) && !args_has(c->args, "force"))
        return cli_refuse(c, err, "%s is there already; -o names another file, --force writes over it", path);
    return STATUS_OK;
}

static void say_losses(const cli *c, const benchpress_experiment *x) {
    for (size_t i = 0; i < x->n_losses; i++)
        cli_say(c, "%s", x->losses[i]);
}

static status read_file(const cli *c, benchpress_experiment *x, error_info *err) {
    const char *path = c->args->words[1];
    const benchpress_wish wish = {
        .file = path, .setup = args_value(c->args, "setup"), .wants_programs = args_has(c->args, "adapters")};
    AUTO_FREE char *text = NULL;
    size_t length = 0;
    status st = file_read(path, MOST_BYTES, &text, &length, err);
    if (st == STATUS_OK)
        st = benchpress_import(text, length, &wish, x, err);
    if (st != STATUS_OK)
        error_context(err, "%s", path);
    return st;
}

static status answer(cli *c, const benchpress_experiment *x, error_info *err) {
    const char *path = args_value(c->args, "output");
    AUTO(text_buffer_clear) text_buffer line = {0};
    if (c->json)
        return json_put_all(c->answer = json_object(), err, {"file", json_of_text(path)},
                            {"networks", json_of_size(x->n_networks)}, {"learners", json_of_size(x->n_learners)},
                            {"losses", json_of_texts((const char *const *)x->losses, x->n_losses)});
    if (path && strcmp(path, "-") != 0) {
        shell_append_word(&line, path);
        cli_say(c, "%s is written: %zu network%s, %zu learner%s; 'bnbench run %s --dry-run' says what it would run",
                path, x->n_networks, x->n_networks == 1 ? "" : "s", x->n_learners, x->n_learners == 1 ? "" : "s",
                line.data ? line.data : "");
    }
    return STATUS_OK;
}

static status run(cli *c, error_info *err) {
    AUTO(benchpress_experiment_clear) benchpress_experiment x = {0};
    status st;
    CHECK(check_words(c, err));
    st = cli_blame(c, BLAME_INPUT, read_file(c, &x, err));
    say_losses(c, &x);
    CHECK(st);
    CHECK(cli_write(c, args_value(c->args, "output"), &x.yaml, err));
    c->exit_status = x.n_losses > 0 ? LEAVE_NO : LEAVE_DONE;
    return answer(c, &x, err);
}

const command command_import = {
    .run = run,
    .syntax =
        {.name = "import",
         .words = "benchpress FILE",
         .summary = "write the experiment that a configuration of Benchpress describes",
         .details =
             "FILE is a configuration (JSON) of Benchpress. Networks (NAME.rds) and data are those of the same name "
             "on\n"
             "this computer; algorithms become the learners of bnbench that do the same or, with --adapters, the\n"
             "programs themselves, whose scripts of contrib/adapters belong beside the experiment. What has no\n"
             "counterpart is said on standard error and in the experiment, with its path in the JSON; the exit status\n"
             "is 1 then, and 0 where nothing was left out or changed.",
         .examples = "  bnbench import benchpress config.json -o mine.yaml\n"
                     "  bnbench run mine.yaml --dry-run",
         .least_words = 2,
         .most_words = 2,
         .options = options},
};
