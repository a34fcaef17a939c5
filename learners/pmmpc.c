/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polynomial max-min parents and children of every variable (PMMS): Brown, Tsamardinos, Aliferis 2005 (AAAI). */
#include "learners/learner.h"
#include "learners/skeleton_phase_internal.h"

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

static const char *const aliases[] = {"pmms", NULL};

const learner learner_pmmpc = {
    .name = "pmmpc",
    .aliases = aliases,
    .summary = "skeleton: max-min parents and children with a greedy, polynomial minimum",
    .citation = "Brown, Tsamardinos, Aliferis 2005, AAAI",
    .version = 1,
    .accepts = DATA_DISCRETE,
    .returns = GRAPH_SKELETON,
    .is_anytime = true,
    .depends_on_order = true, /* ties between associations */
    .options = option_rows,
    .options_size = sizeof(options),
    .run = run,
};
