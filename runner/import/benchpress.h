/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Configurations of Benchpress (Rios, Moffa, Kuipers) as experiments of bnbench. */
#ifndef BNB_RUNNER_IMPORT_BENCHPRESS_H
#define BNB_RUNNER_IMPORT_BENCHPRESS_H

#include "core/base/status.h"
#include "core/base/text.h"

#include <stdbool.h>

typedef struct {
    const char *file;    /* what the experiment is named after */
    const char *setup;   /* title or number (1, 2, ...) of the benchmark setup; NULL: the first */
    bool wants_programs; /* by the scripts of contrib/adapters where they can do it, else by learners of bnbench */
} benchpress_wish;

/** What came of it. Zero-initialise. */
typedef struct {
    text_buffer yaml;
    char **losses; /* "path in the JSON: sentence": what has no counterpart, or another one */
    size_t n_losses, n_networks, n_learners;
} benchpress_experiment;

void benchpress_experiment_clear(benchpress_experiment *x);

/**
 * Reads a configuration (JSON) and writes the experiment that does the same. Networks are those that this computer has:
 * the experiment can be planned as it stands, once the scripts are beside it where programs are wished for.
 * @return STATUS_PARSE: no JSON, or no such configuration. STATUS_INVALID: no such setup; or no network or no learner
 * of it has a counterpart: the losses say why, and there is no text.
 */
BNB_MUST_CHECK status benchpress_import(const char *text, size_t length, const benchpress_wish *wish,
                                        benchpress_experiment *out, error_info *err);

#endif
