/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench plan: the jobs of an experiment as a folder, from which workers on any machine take them. */
#include "cli/base/command.h"
#include "cli/base/run_request.h"

enum { SHORTEST_LEASE_S = 5, USUAL_LEASE_S = 120 };

static const arg_option options[] = {
    EXPERIMENT_OPTIONS,
    {"store", 0, "DIR", "leave out what this store has a result for"},
    {"retry-failed", 0, NULL, "plan cells again that failed before; by default a failure is\na result that stays"},
    {"lease", 0, "TIME",
     "a worker that gave no sign of life for so long is taken for dead,\nand its job goes to another (2min; at least "
     "5s)"},
    {0},
};

static status read_lease(const args *a, double *lease_s, error_info *err) {
    const char *typed = args_value(a, "lease");
    *lease_s = USUAL_LEASE_S;
    if (!typed || (text_to_seconds(typed, lease_s) && *lease_s >= SHORTEST_LEASE_S))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "--lease is '%s'; it must be a time of at least %d s: 90s, 5min", typed,
                     SHORTEST_LEASE_S);
}

static status run(cli *c, error_info *err) {
    const char *folder = c->args->words[1];
    AUTO(run_request_clear) run_request wanted = {0};
    plan_options o = {.store_folder = args_value(c->args, "store"), .retry_failed = args_has(c->args, "retry-failed")};
    plan_jobs jobs = {0};
    CHECK(cli_blame(c, BLAME_WORDS, read_lease(c->args, &o.lease_s, err)));
    CHECK(run_request_read(c, &wanted, err));
    CHECK(cli_blame(c, BLAME_WORK, runner_write_plan(&wanted.e, folder, &o, &jobs, err)));
    if (jobs.n_damaged > 0)
        cli_say(c, "%zu damaged result%s removed from the store; cells without a result are queued", jobs.n_damaged,
                jobs.n_damaged == 1 ? " was" : "s were");
    text_append_format(&c->out, "%zu cells: %zu jobs queued, %zu with workers\n", jobs.total, jobs.queued,
                       jobs.claimed);
    return json_put_all(c->answer = json_object(), err, {"total", json_of_size(jobs.total)},
                        {"queued", json_of_size(jobs.queued)}, {"claimed", json_of_size(jobs.claimed)});
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
