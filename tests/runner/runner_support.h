/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the tests of plans, runs and work folders share. */
#ifndef BNB_TESTS_RUNNER_RUNNER_SUPPORT_H
#define BNB_TESTS_RUNNER_RUNNER_SUPPORT_H

#include "tests/support/run_support.h"

#include "core/run/run_context.h"

#include <unistd.h>

static const char small[] = "name: small\n"
                            "seed: 3\n"
                            "networks: [asia, survey]\n"
                            "data: {samples: [100, 300], replicates: 2, test_samples: 200}\n"
                            "learners: [hc, {learner: mmpc, alpha: 0.01}, empty]\n";

#define CELL "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{learner: hc, id: x}]\n"

/* Returns an empty graph at its deadline. */
static inline status wait_out(const learner *self, const dataset *data, const void *options, run_context *ctx,
                              learner_result *result, error_info *err) {
    (void)self;
    (void)options;
    while (!run_context_is_expired(ctx))
        (void)usleep(1000);
    result->is_cut_short = true;
    return pdag_create(dataset_column_count(data), &result->graph, err);
}

#endif
