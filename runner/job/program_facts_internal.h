/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What an external learner tells of itself, in the file that BNBENCH_FACTS names: docs/experiment-file.md. */
#ifndef BNB_RUNNER_JOB_PROGRAM_FACTS_INTERNAL_H
#define BNB_RUNNER_JOB_PROGRAM_FACTS_INTERNAL_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    bool has_learning_s;
    double learning_s; /* CPU time of learning alone */
    char *version;     /* one line, "bnlearn 4.9.1"; NULL where it tells none */
} program_facts;

void program_facts_clear(program_facts *f);

/** STATUS_PARSE: no JSON object. STATUS_INVALID: a member that is unknown, or out of its range. */
BNB_MUST_CHECK status program_facts_parse(const char *text, size_t length, program_facts *out, error_info *err);

/** The same of a file; without one the program told nothing. */
BNB_MUST_CHECK status program_facts_read(const char *path, program_facts *out, error_info *err);

#endif
