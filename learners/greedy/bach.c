/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mercer kernels: Bach, Jordan, Advances in Neural Information Processing Systems 15 (2003) 1009-1016. Greedy search
 * from the empty graph on the score "kgv", as Fu 2005 (master's thesis, Vanderbilt University), sec. III.3.1, uses it.
 */
#include "learners/greedy/bach.h"

#include "learners/greedy/greedy_search.h"
#include "metrics/scores/kernel_score.h"

static const option_spec options[] = {
    KERNEL_OPTION_ROWS(bach_options, kernel),
    {OPT_INT, "max_parents", offsetof(bach_options, max_parents), -1, -1, 1000000,
     "most parents of a node; -1: no limit", NULL},
    {0},
};

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const bach_options *o = opts;
    greedy_search_plan plan = {.options.max_parents = o->max_parents};
    AUTO_PTR(score_destroy) score *scorer = NULL;
    (void)self;

    CHECK(score_create_within(&score_kgv, &o->kernel, data, ctx, &scorer, err));
    plan.scorer = scorer;
    CHECK(greedy_search(data, &plan, ctx, result, err));
    result->score_name = score_kgv.name;
    return STATUS_OK;
}

const learner learner_bach = {
    .name = "bach",
    .summary = "greedy search on the mutual information in the feature space of a kernel",
    .citation = "Bach and Jordan 2003, NIPS 15; Fu 2005, master's thesis, Vanderbilt University",
    .version = 2,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(bach_options),
    .run = run,
};
