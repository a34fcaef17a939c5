/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The cells of an experiment and their keys. Cells are numbered 0 .. count-1, network by network, then sample size,
 * noise level, replicate and learner, so a number alone says which cell it is, and none is held.
 */
#ifndef BNB_RUNNER_PLAN_PLAN_INTERNAL_H
#define BNB_RUNNER_PLAN_PLAN_INTERNAL_H

#include "core/base/random.h"
#include "core/base/status.h"
#include "runner/declare/experiment.h"
#include "runner/plan/world_internal.h"
#include "store/store.h"

enum { PLAN_KEY_SIZE = JOB_KEY_SIZE };

typedef struct {
    size_t network, size, sigma, replicate, variant; /* positions in the experiment; sigma 0 without noise levels */
} plan_cell;

typedef struct plan plan;

/** `e` is borrowed and must outlive the plan. No network is read yet. */
BNB_MUST_CHECK status plan_create(const experiment *e, plan **out, error_info *err);
void plan_destroy(plan *p); /* NULL is fine */
AUTO_PTR_OF(plan, plan_destroy)

size_t plan_cell_count(const plan *p);
plan_cell plan_cell_at(const plan *p, size_t i);
const experiment *plan_experiment(const plan *p);

/** The noise level of a cell's data; 0 where they are not made continuous. */
double plan_sigma(const plan *p, const plan_cell *cell);

/** Training rows of a cell: those declared, or all that a real data set has (0 until it is read). */
size_t plan_rows(const plan *p, const plan_cell *cell);

/** Variables of a network; 0 until it is read. */
size_t plan_node_count(const plan *p, size_t network);

/** Reads every network that is not read yet. */
BNB_MUST_CHECK status plan_load_networks(plan *p, error_info *err);

/** The same of those that have cells. */
BNB_MUST_CHECK status plan_check_networks(plan *p, error_info *err);

/**
 * The network at that position with its data, read or made when it is first asked for. Borrowed; lives as long as the
 * plan. STATUS_PARSE: a real data set has fewer rows than a sample size asks for.
 */
BNB_MUST_CHECK status plan_world(plan *p, size_t network, const world **out, error_info *err);

/**
 * The key of a cell: SHA-256 in hex of all that its result depends on (seed, network with its tables, sizes, noise
 * level, column order, learner with version and every option, threads) and of the learner's id. Limits are not part of
 * it.
 */
BNB_MUST_CHECK status plan_key(plan *p, size_t i, char key[PLAN_KEY_SIZE], error_info *err);

/** Of which version of its learner the key of a cell is, up to that of this program; 0 for a program, and -1 where
 * something else differs too. */
BNB_MUST_CHECK status plan_stored_version(plan *p, size_t i, const char *stored, int *version, error_info *err);

/** The keys of all cells, each made when it is asked for; they live as long as the plan. */
job_keys plan_job_keys(plan *p);

/** Every key, `count` times PLAN_KEY_SIZE bytes, on the heap. */
BNB_MUST_CHECK status plan_keys(plan *p, char (**out)[PLAN_KEY_SIZE], error_info *err);

/**
 * The cell whose time gives this one its budget: the same data set, another learner; `*has_base` is false for a budget
 * that is not relative.
 */
size_t plan_base_cell(const plan *p, size_t i, bool *has_base);

/**
 * The options of a variant as a JSON object; of an external learner its command. On the heap. `budget_s` is what a
 * budget that hangs on another learner came to, and stands beside "budget_times" and "budget_of"; 0: not known.
 */
BNB_MUST_CHECK status plan_options_json(const plan *p, size_t variant, double budget_s, char **out, error_info *err);

/** The keys of the streams of a cell. That of the data does not depend on the sample size: a larger sample begins with
 * the smaller one. */
random_key plan_data_key(const plan *p, const plan_cell *cell);
random_key plan_test_key(const plan *p, const plan_cell *cell);
random_key plan_order_key(const plan *p, const plan_cell *cell);

/** SHA-256 in hex of all that the training rows of a cell depend on, made discrete as its learner is to have them. */
BNB_MUST_CHECK status plan_data_digest(const plan *p, const plan_cell *cell, char hex[PLAN_KEY_SIZE], error_info *err);

/** The seed of a discretizer: the same for every learner of the replicate. */
uint64_t plan_discretize_seed(const plan *p, const plan_cell *cell);

/** The seed that a learner gets: the same for every learner of the replicate, below 2^31. */
uint64_t plan_learner_seed(const plan *p, const plan_cell *cell);

/** "child, 500 rows, replicate 1, pmmhc" into `buffer`, with "sigma 0.35, " before the replicate where there is noise,
 * and "all rows" of a real data set that is not read yet; replicates count from 1 for people. */
const char *plan_cell_label(const plan *p, size_t i, char *buffer, size_t size);

/** The same as people type it: "child/500/1/pmmhc", "child/500/0.35/1/pmmhc", "yeast/all/1/hc". */
const char *plan_cell_name(const plan *p, size_t i, char *buffer, size_t size);

#endif
