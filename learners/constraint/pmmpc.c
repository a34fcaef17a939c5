/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Polynomial max-min parents and children of every variable: Brown, Tsamardinos, Aliferis 2005 (AAAI). The paper calls
 * the skeleton that they make PMMS: a learner of its own name here, and the same search.
 */
#include "learners/base/learner.h"
#include "learners/constraint/skeleton_phase_internal.h"

typedef struct {
    pmmpc_options skeleton;
} options;

static const option_spec option_rows[] = {
    PMMPC_ROWS(options),
    {0},
};

static status run(const dataset *data, const void *opts, run_context *ctx, learner_result *result, error_info *err) {
    const options *o = opts;
    return skeleton_phase_pmmpc(data, &o->skeleton, ctx, &result->graph, &result->is_cut_short, err);
}

const learner learner_pmmpc = {
    .name = "pmmpc",
    .summary = "skeleton: polynomial max-min parents and children of every variable, as mmpc with a greedy minimum",
    .citation = "Brown, Tsamardinos, Aliferis 2005, AAAI",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_SKELETON,
    .is_anytime = true,
    .depends_on_order = true, /* ties between associations */
    .options = option_rows,
    .options_size = sizeof(options),
    .run = run,
};

const learner learner_pmms = {
    .name = "pmms",
    .summary = "skeleton from pmmpc on every variable, with and without the symmetry correction",
    .citation = "Brown, Tsamardinos, Aliferis 2005, AAAI",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_SKELETON,
    .is_anytime = true,
    .depends_on_order = true,
    .options = option_rows,
    .options_size = sizeof(options),
    .run = run,
};
