/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench work and bnbench collect: what an engine calls on a folder that bnbench plan made. */
#include "cli/base/command.h"

#include "runner/runner.h"

static const arg_option work_words[] = {
    {"for", 0, "TIME", "take no more jobs after that time, of which a scheduler allows a\ntask only so much"},
    {0},
};

/* How the jobs of the folder stand, behind what the command did. */
static status tell_left(cli *c, const plan_jobs *left, error_info *err) {
    if (left->queued + left->claimed > 0)
        text_append_format(&c->out, "; %zu jobs are queued, %zu with workers", left->queued, left->claimed);
    if (left->given_up > 0)
        text_append_format(&c->out, "; %zu %s given up, having cost too many workers ('bnbench plan' queues %s again)",
                           left->given_up, left->given_up == 1 ? "was" : "were", left->given_up == 1 ? "it" : "them");
    text_append(&c->out, "\n");
    return json_put_all(c->answer, err, {"queued", json_of_size(left->queued)},
                        {"claimed", json_of_size(left->claimed)}, {"given_up", json_of_size(left->given_up)});
}

static status read_duration(const args *a, double *for_s, error_info *err) {
    const char *typed = args_value(a, "for");
    if (!typed || (text_to_seconds(typed, for_s) && *for_s > 0))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "--for is '%s'; it must be a time above 0: 90min, 12h", typed);
}

static status run_work(cli *c, error_info *err) {
    work_options o = {.quiet = c->quiet};
    work_outcome done = {0};
    CHECK(cli_blame(c, BLAME_WORDS, read_duration(c->args, &o.for_s, err)));
    CHECK(cli_blame(c, BLAME_WORK, runner_work(c->args->words[0], &o, &done, err)));
    c->exit_status = done.interrupted ? LEAVE_TRY_AGAIN : LEAVE_DONE;
    text_append_format(&c->out, "%zu jobs done%s", done.n_worked, done.interrupted ? ", then interrupted" : "");
    CHECK(json_put_all(c->answer = json_object(), err, {"worked", json_of_size(done.n_worked)},
                       {"interrupted", json_boolean(done.interrupted)}));
    return tell_left(c, &done.left, err);
}

static status run_collect(cli *c, error_info *err) {
    AUTO(collect_outcome_clear) collect_outcome done = {0};
    CHECK(cli_blame(c, BLAME_WORK, runner_collect(c->args->words[0], c->args->words[1], &done, err)));
    if (done.n_damaged > 0)
        cli_say(c,
                "%zu damaged result%s removed from the store; cells that have none now are queued by 'bnbench plan' of "
                "the same experiment, into %s with --store %s",
                done.n_damaged, done.n_damaged == 1 ? " was" : "s were", c->args->words[0], c->args->words[1]);
    c->exit_status = done.n_refused > 0 ? LEAVE_INCOMPLETE : LEAVE_DONE;
    if (done.n_refused > 0)
        cli_say(c, "%zu files are no results; they are in %s/aside, and their jobs run again:\n%s", done.n_refused,
                c->args->words[0], done.refused.data);
    text_append_format(&c->out, "%zu results added", done.n_added);
    CHECK(json_put_all(c->answer = json_object(), err, {"added", json_of_size(done.n_added)},
                       {"refused", json_of_size(done.n_refused)}));
    return tell_left(c, &done.left, err);
}

const command command_work = {
    .run = run_work,
    .syntax =
        {.name = "work",
         .words = "DIR",
         .summary = "take jobs of a plan until none is left",
         .details =
             "DIR was made by 'bnbench plan'. As many workers as you like may share it, on any machine; each does\n"
             "one job at a time. One that is killed loses the job in flight, which goes to another after the\n"
             "lease of the plan.\n"
             "Exit status 75: it was interrupted (SIGINT, SIGTERM, SIGHUP), and its job went back.",
         .examples = "  bnbench plan quickstart jobs\n"
                     "  bnbench work jobs",
         .least_words = 1,
         .most_words = 1,
         .options = work_words},
};

const command command_collect = {
    .run = run_collect,
    .syntax = {.name = "collect",
               .words = "DIR STORE",
               .summary = "import the results of a plan's folder into a store, once each",
               .details = "May be called while workers run, and again.\n"
                          "Exit status 6: files were no whole results of their cells. They are set aside, and their\n"
                          "jobs are queued again.",
               .examples = "  bnbench plan quickstart jobs\n"
                           "  bnbench work jobs\n"
                           "  bnbench collect jobs stores/quickstart",
               .least_words = 2,
               .most_words = 2},
};
