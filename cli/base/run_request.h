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
        "jobs", 'j', "N", "jobs at once (one for each processor)"                                                      \
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

/** --jobs; without it the number of processors that this process may use. */
BNB_MUST_CHECK status run_request_read_jobs(cli *c, size_t *out, error_info *err);

/** Appends the command that was typed, quoted for a shell. */
void run_request_append_command(const cli *c, text_buffer *out);

#endif
