/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What `run`, `nightly` and `plan` are asked to run: an experiment, its profile, overrides, and how many jobs at once.
 */
#ifndef BNB_CLI_BASE_RUN_REQUEST_H
#define BNB_CLI_BASE_RUN_REQUEST_H

#include "cli/base/command.h"
#include "runner/runner.h"

#define EXPERIMENT_OPTIONS                                                                                             \
    {"profile", 0, "P", "overlay this profile of the file: quick"}, {                                                  \
        "set", 0, "KEY=VALUE", "override a value of the file: data.replicates=2;\nmay be repeated"                     \
    }
#define RUN_REQUEST_OPTIONS                                                                                            \
    EXPERIMENT_OPTIONS, {                                                                                              \
        "jobs", 'j', "N", "jobs at once (as many as processors may be busy)"                                           \
    }

/** When a worker of a plan folder is taken for dead, and what becomes of its job. */
#define LOSS_OPTIONS                                                                                                   \
    {"lease", 0, "TIME",                                                                                               \
     "a worker that gave no sign of life for so long is taken for dead,\nand its job goes to another (2min; at least " \
     "5s)"},                                                                                                           \
    {                                                                                                                  \
        "retries", 0, "N", "a job with which more than N workers were lost is given up (3)"                            \
    }

/** Zero-initialise. */
typedef struct {
    experiment e;
    char *path;          /* of the experiment file */
    const char *profile; /* NULL for none */
    size_t n_jobs;
} run_request;

void run_request_clear(run_request *w);

/** Reads --jobs where the command has it, then the experiment that the first word names. */
BNB_MUST_CHECK status run_request_read(cli *c, run_request *out, error_info *err);

/** --jobs; 0 without it: the experiment says how many threads each job has. */
BNB_MUST_CHECK status run_request_read_jobs(cli *c, size_t *out, error_info *err);

/** Reads LOSS_OPTIONS into the lease and the retries of `o`. */
BNB_MUST_CHECK status run_request_read_losses(const args *a, plan_options *o, error_info *err);

/** Appends the command that was typed, quoted for a shell. */
void run_request_append_command(const cli *c, text_buffer *out);

#endif
