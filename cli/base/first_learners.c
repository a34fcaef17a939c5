/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/first_learners.h"

#include "core/data/dataset.h"

static const first_learner discrete[] = {
    {"empty", {NULL}, "no edges, to compare with"},
    {"hc", {NULL}, "hill climbing with BDeu"},
    {"ges", {"ess=1", NULL}, "greedy search over equivalence classes"},
    {"mmhc", {NULL}, "max-min candidates, then hill climbing"},
    {"pc-stable", {"alpha=0.01", NULL}, "conditional independence tests"},
};

static const first_learner continuous[] = {
    {"empty", {NULL}, "no edges, to compare with"},
    {"hc", {"score=bic-g", NULL}, "hill climbing with the Gaussian BIC"},
    {"ges", {"score=bic-g", NULL}, "greedy search over equivalence classes"},
    {"pc-stable", {"alpha=0.01", NULL}, "conditional independence tests (Fisher's z)"},
    {"bach", {NULL}, "kernels: no assumption of linearity", .is_slow = true},
};

static const first_learner mixed[] = {
    {"empty", {NULL}, "no edges, to compare with"},
    {"bach", {NULL}, "kernels: columns of both kinds at once"},
    {"pc-stable", {"test=rcit", NULL}, "conditional independence tests by random features"},
};

static size_t count(const first_learner *all, size_t n, bool with_slow) {
    while (!with_slow && all[n - 1].is_slow)
        n--;
    return n;
}
#define COUNT(all) count(all, sizeof(all) / sizeof *(all), with_slow)

const first_learner *first_learners_for(int kind, bool with_slow, size_t *n) {
    if (kind == DATA_DISCRETE) {
        *n = COUNT(discrete);
        return discrete;
    }
    *n = kind == DATA_CONTINUOUS ? COUNT(continuous) : COUNT(mixed);
    return kind == DATA_CONTINUOUS ? continuous : mixed;
}
