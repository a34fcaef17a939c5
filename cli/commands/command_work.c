/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench work and bnbench collect: what an engine calls on a shared folder. */
#include "cli/base/command.h"

#include "runner/runner.h"

static status tell(cli *c, const char *key, const char *sentence, size_t n, error_info *err) {
    if (!c->json) {
        text_append_format(&c->out, "%zu %s\n", n, sentence);
        return STATUS_OK;
    }
    return json_put(c->answer = json_object(), key, json_of_size(n), err);
}

static status run_work(cli *c, error_info *err) {
    size_t n = 0;
    CHECK(cli_blame(c, BLAME_WORK, runner_work(c->args->words[0], c->quiet, &n, err)));
    return tell(c, "worked", "jobs worked", n, err);
}

static status run_collect(cli *c, error_info *err) {
    size_t n = 0;
    CHECK(cli_blame(c, BLAME_WORK, runner_collect(c->args->words[0], c->args->words[1], &n, err)));
    return tell(c, "added", "results added", n, err);
}

const command command_work = {
    .run = run_work,
    .syntax = {.name = "work",
               .words = "DIR",
               .summary = "take jobs of a plan until none is left (engines call this)",
               .details = "DIR holds the plan; each result is a file in it, renamed into place.",
               .examples = "  bnbench work plan",
               .least_words = 1,
               .most_words = 1},
};

const command command_collect = {
    .run = run_collect,
    .syntax = {.name = "collect",
               .words = "DIR STORE",
               .summary = "import the results of a plan's folder into a store, once each",
               .details = "May be called while workers run, and again.",
               .examples = "  bnbench collect plan stores/quickstart",
               .least_words = 2,
               .most_words = 2},
};
