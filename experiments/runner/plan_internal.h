/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The cells of an experiment and their keys. Cells are numbered 0 .. count-1, network by network, then sample size,
 * replicate and learner, so a number alone says which cell it is.
 */
#ifndef BNB_RUNNER_PLAN_INTERNAL_H
#define BNB_RUNNER_PLAN_INTERNAL_H

#include "core/bayes_net.h"
#include "core/random.h"
#include "core/status.h"
#include "experiments/runner/experiment.h"

enum { PLAN_KEY_SIZE = 65 }; /* 64 hex digits and NUL */

typedef struct {
    size_t network, size, replicate, variant; /* positions in the experiment */
} plan_cell;

typedef struct plan plan;

/** `e` is borrowed and must outlive the plan. No network is read yet. */
BNB_MUST_CHECK status plan_create(const experiment *e, plan **out, error_info *err);
void plan_destroy(plan *p); /* NULL is fine */

size_t plan_cell_count(const plan *p);
plan_cell plan_cell_at(const plan *p, size_t i);
const experiment *plan_experiment(const plan *p);

/** Reads every network that is not read yet. */
BNB_MUST_CHECK status plan_load_networks(plan *p, error_info *err);

/** The network at that position, read when it is first asked for. Borrowed; lives as long as the plan. */
BNB_MUST_CHECK status plan_network(plan *p, size_t network, const bayes_net **out, error_info *err);

/**
 * The key of a cell: SHA-256 in hex of all that its result depends on (seed, network with its tables, sizes, column
 * order, learner with version and every option, threads) and of the learner's id. Limits are not part of it.
 */
BNB_MUST_CHECK status plan_key(plan *p, size_t i, char key[PLAN_KEY_SIZE], error_info *err);

/** Every key, `count` times PLAN_KEY_SIZE bytes, on the heap. */
BNB_MUST_CHECK status plan_keys(plan *p, char (**out)[PLAN_KEY_SIZE], error_info *err);

/** The options of a variant as a JSON object; of an external learner its command. On the heap. */
BNB_MUST_CHECK status plan_options_json(const learner_variant *v, char **out, error_info *err);

/** The keys of the streams of a cell. Data do not depend on the sample size, so that a smaller sample begins a larger.
 */
random_key plan_data_key(const plan *p, const plan_cell *cell);
random_key plan_test_key(const plan *p, const plan_cell *cell);
random_key plan_order_key(const plan *p, const plan_cell *cell);

/** The seed that a learner gets: the same for every learner of the replicate, below 2^31. */
uint64_t plan_learner_seed(const plan *p, const plan_cell *cell);

/** "child, 500 rows, replicate 1, pmmhc" into `buffer`; replicates count from 1 for people. */
const char *plan_cell_label(const plan *p, size_t i, char *buffer, size_t size);

#endif
