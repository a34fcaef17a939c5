/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three-Phase Dependency Analysis: Cheng, Greiner, Kelly, Bell, Liu, Artif. Intell. 137 (2002) 43-90. A forest of the
 * most informative pairs is drafted, edges are added where nothing separates a pair, and taken away where something
 * does; then edges are oriented by what separated. tpda_search.c is the search.
 */
#include "learners/base/learner.h"
#include "learners/tpda/tpda_search.h"

#include <math.h>

typedef struct {
    double threshold;
    bool bits, monotone, superset;
} tpda_options;

static const option_spec options[] = {
    {OPT_REAL, "threshold", offsetof(tpda_options, threshold), 0.01, 0, 1e3, "information that makes a dependence",
     NULL},
    {OPT_BOOL, "bits", offsetof(tpda_options, bits), 0, 0, 0, "the threshold is in bits, not nats", NULL},
    {OPT_BOOL, "monotone", offsetof(tpda_options, monotone), 1, 0, 0,
     "thin by the polynomial search that trusts in monotone faithfulness; else by all subsets", NULL},
    {OPT_BOOL, "superset", offsetof(tpda_options, superset), 0, 0, 0,
     "separate by the neighbours of both nodes at once, not of each in turn", NULL},
    {0},
};

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const tpda_options *o = opts;
    tpda_rules rules = {o->bits ? o->threshold * log(2) : o->threshold, o->monotone, o->superset};
    AUTO_PTR(information_destroy) information *info = NULL;
    information_source source;
    (void)self;
    CHECK(information_create(data, &ctx->tests, &info, err));
    source = information_as_source(info);
    return tpda_search(&source, dataset_column_count(data), &rules, ctx, &result->graph, &result->is_cut_short, err);
}

const learner learner_tpda = {
    .name = "tpda",
    .summary = "three-phase dependency analysis: drafting, thickening, thinning by conditional mutual information",
    .citation = "Cheng, Greiner, Kelly, Bell, Liu 2002, Artificial Intelligence 137",
    .version = 2,
    .accepts = DATA_DISCRETE,
    .returns = GRAPH_CPDAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(tpda_options),
    .run = run,
};
