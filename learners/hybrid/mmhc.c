/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Max-min hill climbing: Tsamardinos, Brown, Aliferis 2006, Mach. Learn. 65:31-78, Algorithm 3: the skeleton of MMPC,
 * then a greedy search with a TABU list in which arcs are added along its edges alone.
 */
#include "learners/constraint/skeleton_phase_internal.h"
#include "learners/hybrid/hybrid_internal.h"

typedef struct {
    mmpc_options skeleton;
    greedy_options search;
    int phase2;
} options;

static const option_spec option_rows[] = {
    MMPC_ROWS(options),
    GREEDY_OPTION_ROWS(options),
    HYBRID_ROW(options),
    {0},
};

static status run(const dataset *data, const void *opts, run_context *ctx, learner_result *result, error_info *err) {
    const options *o = opts;
    status st = STATUS_OK;
    pdag *skeleton = NULL;
    bool is_cut_short = false;

    TRY(skeleton_phase_mmpc(data, &o->skeleton, ctx, &skeleton, &is_cut_short, err));
    TRY(hybrid_search(data, skeleton, is_cut_short, &o->search, o->phase2, ctx, result, err));
cleanup:
    pdag_destroy(skeleton);
    return st;
}

const learner learner_mmhc = {
    .name = "mmhc",
    .summary = "max-min hill climbing: a greedy search along the edges that MMPC finds",
    .citation = "Tsamardinos, Brown, Aliferis 2006, Machine Learning 65:31-78",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED, /* with a score that takes them */
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = option_rows,
    .options_size = sizeof(options),
    .run = run,
};
