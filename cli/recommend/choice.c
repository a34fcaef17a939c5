/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/recommend/recommend.h"

#include <math.h>

double trial_difference_error(const trial *a, const trial *b) {
    double mean = a->mean_held_out - b->mean_held_out, sum = 0;
    for (size_t k = 0; k < TRIAL_FOLDS; k++) {
        double d = a->held_out[k] - b->held_out[k] - mean;
        sum += d * d;
    }
    return sqrt(sum / (TRIAL_FOLDS - 1) / TRIAL_FOLDS);
}

bool trial_is_as_good(const trial *t, const trial *best) {
    return best->mean_held_out - t->mean_held_out <= trial_difference_error(best, t);
}

static bool has_ended(const trial *t) {
    return !t->failure && !t->is_over;
}

static bool can_be_chosen(const trial *t, const trial *best) {
    return has_ended(t) && (!best || (!isnan(t->mean_held_out) && trial_is_as_good(t, best)));
}

static bool is_more_stable(const trial *a, const trial *b) {
    return a->stability > b->stability || (!isnan(a->stability) && isnan(b->stability));
}

choice trials_choose(const trial *trials, size_t n) {
    choice c = {.chosen = n, .best = n};
    for (size_t i = 1; i < n; i++) {
        if (has_ended(&trials[i]) && !isnan(trials[i].mean_held_out) &&
            (c.best == n || trials[i].mean_held_out > trials[c.best].mean_held_out))
            c.best = i;
    }
    c.by_score = c.best < n;
    for (size_t i = 1; i < n; i++) {
        if (can_be_chosen(&trials[i], c.by_score ? &trials[c.best] : NULL) &&
            (c.chosen == n || is_more_stable(&trials[i], &trials[c.chosen])))
            c.chosen = i;
    }
    c.none_better = c.by_score && !isnan(trials[0].mean_held_out) && trial_is_as_good(&trials[0], &trials[c.best]);
    return c;
}
