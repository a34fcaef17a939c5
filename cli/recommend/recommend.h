/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A few learners tried on somebody's data within a budget of time: how well, how stably, and how fast they learn. */
#ifndef BNB_CLI_RECOMMEND_RECOMMEND_H
#define BNB_CLI_RECOMMEND_RECOMMEND_H

#include "cli/base/first_learners.h"
#include "core/data/dataset.h"
#include "learners/base/learner.h"

enum { TRIAL_FOLDS = 5, TRIAL_SAMPLES = 8 };

/** What a trial is given. */
typedef struct {
    const dataset *data;
    uint64_t seed;
    size_t n_threads;
    double seconds; /* for one candidate */
} trial_request;

/** What became of a candidate. */
typedef struct {
    const first_learner *of;
    bool is_over;      /* its share of the time ended before it did: what follows is partly there */
    char *failure;     /* what it said where it does not work on such data; owned; NULL: nothing */
    double seconds;    /* elapsed, on all rows */
    size_t n_edges;    /* on all rows */
    double parameters; /* of its graph, free ones; NAN of mixed data */
    size_t n_folds;
    double held_out[TRIAL_FOLDS]; /* nats a row, of rows that it did not learn from; NAN where there is no such value */
    double mean_held_out;         /* NAN unless there is one of every fold */
    double stability; /* mean Jaccard index of the skeletons of pairs of half samples, one of which has an edge */
} trial;

void trial_clear(trial *t);

/** Runs a candidate. Failures of the learner are in the trial. STATUS_MEMORY. */
BNB_MUST_CHECK status trial_run(const trial_request *in, const first_learner *of, trial *out, error_info *err);

/** A choice among trials. */
typedef struct {
    size_t chosen;    /* n where none ended */
    size_t best;      /* by the held-out likelihood; n where no trial has one */
    bool by_score;    /* there are likelihoods; else stability alone chose */
    bool none_better; /* none is better than the graph without edges by more than a standard error */
} choice;

/** The standard error of the difference of two trials' held-out values, fold by fold. */
double trial_difference_error(const trial *a, const trial *b);

/** Whether `t` is within one standard error of the best. */
bool trial_is_as_good(const trial *t, const trial *best);

/** Of those within a standard error of the best the most stable, of equals the first. Trial 0 has no edges. */
choice trials_choose(const trial *trials, size_t n);

#endif
