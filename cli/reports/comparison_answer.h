/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Two stores held against each other, as `diff` and `nightly` ask for it and answer. */
#ifndef BNB_CLI_REPORTS_COMPARISON_ANSWER_H
#define BNB_CLI_REPORTS_COMPARISON_ANSWER_H

#include "cli/base/command.h"
#include "report/difference/comparison.h"

/** The options that both commands take. */
#define COMPARISON_OPTIONS                                                                                             \
    {"max-slowdown", 0, "RATIO", "how many times the time of before is a regression (1.2)"},                           \
        {"alpha", 0, "LEVEL", "level of the tests on times, over all cells together (0.01)"}, {                        \
        "metrics", 0, "A,B,...", "whose worsening is a regression\n(what the later experiment declares)"               \
    }

/** Reads both stores and the options of the command line, and compares. */
BNB_MUST_CHECK status comparison_make(cli *c, const char *before, const char *after, comparison *out, error_info *err);

/** The JSON object of a comparison. */
BNB_MUST_CHECK status comparison_answer(const comparison *s, json_t **out, error_info *err);

/** 1: a regression; 7: nothing compared, or less measured than before; else 0. */
int comparison_exit_status(const comparison *s);

#endif
