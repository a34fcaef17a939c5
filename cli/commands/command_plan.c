/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench plan: the jobs of an experiment as a folder, from which workers on any machine take them. */
#include "cli/base/command.h"
#include "cli/base/run_request.h"

static const arg_option options[] = {
    EXPERIMENT_OPTIONS,
    {"store", 0, "DIR", "leave out what this store has a result for"},
    {"retry-failed", 0, NULL, "plan cells again that failed before; by default a failure is\na result that stays"},
    LOSS_OPTIONS,
    {0},
};

static status run(cli *c, error_info *err) {
    const char *folder = c->args->words[1];
    AUTO(run_request_clear) run_request wanted = {0};
    plan_options o = {.store_folder = args_value(c->args, "store"), .retry_failed = args_has(c->args, "retry-failed")};
    plan_jobs jobs = {0};
    CHECK(cli_blame(c, BLAME_WORDS, run_request_read_losses(c->args, &o, err)));
    CHECK(run_request_read(c, &wanted, err));
    CHECK(cli_blame(c, BLAME_WORK, runner_write_plan(&wanted.e, folder, &o, &jobs, err)));
    if (jobs.n_damaged > 0)
        cli_say(c, "%zu damaged result%s removed from the store; cells without a result are queued", jobs.n_damaged,
                jobs.n_damaged == 1 ? " was" : "s were");
    text_append_format(&c->out, "%zu cells: %zu jobs queued, %zu with workers\n", jobs.total, jobs.queued,
                       jobs.claimed);
    return json_put_all(c->answer = json_object(), err, {"total", json_of_size(jobs.total)},
                        {"queued", json_of_size(jobs.queued)}, {"claimed", json_of_size(jobs.claimed)},
                        {"given_up", json_of_size(jobs.given_up)});
}

const command command_plan = {
    .run = run,
    .syntax =
        {.name = "plan",
         .words = "FILE DIR",
         .summary = "lay the jobs of an experiment out in a folder, for workers on any machine",
         .details =
             "FILE is an experiment file or the name of one that ships; DIR lies where every worker can reach it,\n"
             "and is made. 'bnbench work DIR' does its jobs, 'bnbench collect DIR STORE' imports the results.\n"
             "Called again, also while workers run, it queues what results were lost or broken since.",
         .examples = "  bnbench plan quickstart jobs\n"
                     "  bnbench plan brown2005 jobs-brown --profile quick --store stores/brown2005-quick",
         .least_words = 2,
         .most_words = 2,
         .options = options},
};
