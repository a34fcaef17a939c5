/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The graph without edges: what every learner ought to beat, and the least that a learner needs. docs/adding/learner.md
 * tells the steps of adding one, what `run` is given, and what it owes.
 */
#include "learners/base/learner.h"

static status run(const learner *self, const dataset *data, const void *options, run_context *ctx,
                  learner_result *result, error_info *err) {
    (void)self;
    (void)options;
    (void)ctx;
    return pdag_create(dataset_column_count(data), &result->graph, err);
}

const learner learner_empty = {
    .name = "empty",
    .summary = "the graph without edges, a yardstick",
    .citation = "none",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = false,
    .run = run,
};
