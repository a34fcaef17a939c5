/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The learners that are tried, one of each school, as `bnbench init` chooses them. */
#include "cli/recommend/recommend.h"

static const candidate discrete[] = {
    {"empty", {NULL}, "no edges, to compare with"},
    {"hc", {NULL}, "hill climbing with BDeu"},
    {"ges", {"ess=1", NULL}, "greedy search over equivalence classes"},
    {"mmhc", {NULL}, "max-min candidates, then hill climbing"},
    {"pc-stable", {"alpha=0.01", NULL}, "conditional independence tests"},
};

static const candidate continuous[] = {
    {"empty", {NULL}, "no edges, to compare with"},
    {"hc", {"score=bic-g", NULL}, "hill climbing with the Gaussian BIC"},
    {"ges", {"score=bic-g", NULL}, "greedy search over equivalence classes"},
    {"pc-stable", {"alpha=0.01", NULL}, "conditional independence tests (Fisher's z)"},
};

static const candidate mixed[] = {
    {"empty", {NULL}, "no edges, to compare with"},
    {"bach", {NULL}, "kernels: columns of both kinds at once"},
    {"pc-stable", {"test=rcit", NULL}, "conditional independence tests by random features"},
};

const candidate *candidates_for(int kind, size_t *n) {
    if (kind == DATA_DISCRETE) {
        *n = sizeof discrete / sizeof *discrete;
        return discrete;
    }
    *n = kind == DATA_CONTINUOUS ? sizeof continuous / sizeof *continuous : sizeof mixed / sizeof *mixed;
    return kind == DATA_CONTINUOUS ? continuous : mixed;
}
