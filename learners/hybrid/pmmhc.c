/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Polynomial max-min hill climbing: Brown, Tsamardinos, Aliferis 2005 (AAAI): MMHC with the polynomial skeleton phase.
 */
#include "learners/constraint/skeleton_phase_internal.h"
#include "learners/hybrid/hybrid_internal.h"

typedef struct {
    pmmpc_options skeleton;
    greedy_options search;
    int phase2;
} options;

static const option_spec option_rows[] = {
    PMMPC_ROWS(options),
    GREEDY_OPTION_ROWS(options),
    HYBRID_ROW(options),
    {0},
};

static status run(const dataset *data, const void *opts, run_context *ctx, learner_result *result, error_info *err) {
    const options *o = opts;
    status st = STATUS_OK;
    pdag *skeleton = NULL;
    bool is_cut_short = false;

    TRY(skeleton_phase_pmmpc(data, &o->skeleton, ctx, &skeleton, &is_cut_short, err));
    TRY(hybrid_search(data, skeleton, is_cut_short, &o->search, o->phase2, ctx, result, err));
cleanup:
    pdag_destroy(skeleton);
    return st;
}

const learner learner_pmmhc = {
    .name = "pmmhc",
    .summary = "max-min hill climbing with the polynomial skeleton phase of PMMPC",
    .citation = "Brown, Tsamardinos, Aliferis 2005, AAAI",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED, /* with a score that takes them */
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = option_rows,
    .options_size = sizeof(options),
    .run = run,
};
