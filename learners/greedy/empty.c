/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The graph without edges: what every learner ought to beat, and the least that a learner needs. To add one:
 *
 *   1. Copy this file to learners/NAME.c; rename the struct at its end to learner_NAME; the name shown to people may
 *      hold dashes. Say in `citation` whose algorithm it is.
 *   2. Write `LEARNER(NAME)` into registry.def. That line is all that the program, the manual and the tests need.
 *   3. Write `run`. It reads `data` (borrowed, immutable), draws from `ctx->random` alone, counts what it computes in
 *      `ctx->tests` and `ctx->scores`, asks run_context_is_expired now and then, and at the deadline returns the best
 *      graph so far with `is_cut_short` set. Node i of the graph is column i. learner_run has checked the kinds of
 *      columns and that there is a row. On failure it returns a status and leaves `result` as it was.
 *   4. Options: a struct, a table of option_spec that ends in {0}, and its size below; `run` gets a filled struct.
 *   5. Raise `version` whenever a change may change results: stored results of the old version are then run again.
 *
 * The contract test (tests/test_learners.c) walks the registry and holds every learner to this.
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
