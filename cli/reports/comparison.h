/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Two stores held against each other, as `diff` and `nightly` do it. */
#ifndef BNB_CLI_REPORTS_COMPARISON_H
#define BNB_CLI_REPORTS_COMPARISON_H

#include "cli/base/command.h"
#include "report/difference/difference.h"
#include "runner/declare/experiment.h"

/** The options that both commands take. */
#define COMPARISON_OPTIONS                                                                                             \
    {"max-slowdown", 0, "RATIO", "how many times the time of before is a regression (1.2)"},                           \
        {"alpha", 0, "LEVEL", "level of the tests on times, over all cells together (0.01)"}, {                        \
        "metrics", 0, "A,B,...", "whose worsening is a regression\n(what the later experiment declares)"               \
    }

typedef struct {
    experiment e;
    job_record *records; /* of the plan of the store's last run */
    size_t n_records;
} comparison_side;

/** Zero-initialise. */
typedef struct {
    comparison_side before, after;
    difference_options options;
    const char **names; /* metrics that are judged, then learners that are timed */
    char *words;        /* what --metrics names, cut into words */
    difference d;
} comparison;

void comparison_clear(comparison *s);

/** Reads both stores and the options of the command line, and compares. */
BNB_MUST_CHECK status comparison_make(cli *c, const char *before, const char *after, comparison *out, error_info *err);

/** The JSON object of a comparison. */
BNB_MUST_CHECK status comparison_answer(const comparison *s, json_t **out, error_info *err);

/** Writes the HTML page. */
BNB_MUST_CHECK status comparison_write_page(const comparison *s, const char *before, const char *after,
                                            const char *path, error_info *err);

/** 1: a regression; 7: nothing compared, or less measured than before; else 0. */
int comparison_exit_status(const comparison *s);

#endif
