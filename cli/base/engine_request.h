/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which engine `run` is asked for, and what is told to it. */
#ifndef BNB_CLI_BASE_ENGINE_REQUEST_H
#define BNB_CLI_BASE_ENGINE_REQUEST_H

#include "cli/base/run_request.h"
#include "runner/engines/shared_run.h"

#define ENGINE_OPTIONS                                                                                                 \
    {"engine", 0, "ENGINE", "local; slurm; command, which --submit gives (docs/clusters.md)"},                         \
        {"follow", 0, NULL, "with an engine other than local: stay, take results in as they\ncome, replace workers"},  \
        {"tasks", 0, "N", "workers that are submitted at most (8)"},                                                   \
        {"shared", 0, "DIR", "the plan folder, where every worker can reach it (STORE-jobs)"},                         \
        {"submit", 0, "COMMAND", "of --engine command: 'qsub -t 1-{tasks} {script}'"},                                 \
        {"slurm-args", 0, "WORDS", "further words for sbatch: '--slurm-args=-p short --exclusive'"},                   \
        {"task-time", 0, "TIME", "the longest time that is asked for a worker (24h)"}, LOSS_OPTIONS

/** Zero-initialise. */
typedef struct {
    bool is_shared; /* not local */
    char *folder;
    shared_options options;
} engine_request;

void engine_request_clear(engine_request *r);

/** Reads ENGINE_OPTIONS, but not yet where the folder lies. STATUS_INVALID: options that do not go together. */
BNB_MUST_CHECK status engine_request_read(cli *c, engine_request *out, error_info *err);

/** Sets the folders, once the store is known: those of the experiment, or of one of its readings. */
BNB_MUST_CHECK status engine_request_place(const cli *c, const char *store_folder, const char *reading,
                                           engine_request *r, error_info *err);

#endif
