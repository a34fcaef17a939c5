/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The parts of a declaration, each read from its node of the tree into the experiment. */
#ifndef BNB_RUNNER_DECLARE_INTERNAL_H
#define BNB_RUNNER_DECLARE_INTERNAL_H

#include "experiments/runner/experiment.h"
#include "experiments/runner/yaml_tree_internal.h"

enum {
    MOST_NETWORKS = 1000,
    MOST_SIZES = 1000,
    MOST_VARIANTS = 1000,
    MOST_REPLICATES = 100000,
    MOST_OUTPUTS = 200,
    MOST_CELLS = 10000000
};
#define MOST_SAMPLES ((uint64_t)1000000000)

/** `networks`. With `check_files`, a path must be there. */
BNB_MUST_CHECK status declare_networks(const yaml_node *node, bool check_files, experiment *e, error_info *err);

/** `learners`, sweeps unrolled; sets outputs.learners too. */
BNB_MUST_CHECK status declare_learners(const yaml_node *node, experiment *e, error_info *err);

/** `metrics`, `tables`, `plots` (each may be NULL); learners and data are there already. */
BNB_MUST_CHECK status declare_metrics(const yaml_node *node, experiment *e, error_info *err);
BNB_MUST_CHECK status declare_tables(const yaml_node *node, experiment *e, error_info *err);
BNB_MUST_CHECK status declare_plots(const yaml_node *node, experiment *e, error_info *err);

void learner_variant_clear(learner_variant *v);

/** A path as the experiment means it: relative to its folder. On the heap; NULL without memory. */
char *experiment_path(const experiment *e, const char *path);

#endif
