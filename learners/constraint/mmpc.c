/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Max-min parents and children of every variable: Tsamardinos, Brown, Aliferis 2006, Mach. Learn. 65:31-78. */
#include "learners/base/learner.h"
#include "learners/constraint/skeleton_phase_internal.h"

typedef struct {
    mmpc_options skeleton;
} options;

static const option_spec option_rows[] = {
    MMPC_ROWS(options),
    {0},
};

static status run(const dataset *data, const void *opts, run_context *ctx, learner_result *result, error_info *err) {
    const options *o = opts;
    return skeleton_phase_mmpc(data, &o->skeleton, ctx, &result->graph, &result->is_cut_short, err);
}

const learner learner_mmpc = {
    .name = "mmpc",
    .summary = "skeleton: max-min parents and children of every variable",
    .citation = "Tsamardinos, Brown, Aliferis 2006, Machine Learning 65:31-78",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_SKELETON,
    .is_anytime = true,
    .depends_on_order = true, /* optimisations 4 and 5; without them, ties */
    .options = option_rows,
    .options_size = sizeof(options),
    .run = run,
};
