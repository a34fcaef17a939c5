/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constrained hill climbing: a pair of nodes whose gain once said "independent" is not scored again. The learners
 * differ in how many passes they make, and in what lifts the constraint. CHC and CHC*: Gamez, Puerta 2005, LNCS
 * 3571:161-173; iCHC and 2iCHC: Gamez, Mateo, Puerta 2011, Data Min. Knowl. Discov. 22:106-148; FastCHC: the same 2012,
 * Prog. Artif. Intell. 1:329-346. The search is chc_search.c.
 */
#include "learners/chc/chc_search.h"
#include "learners/greedy/greedy_search.h"

typedef struct {
    greedy_options search;
    int release; /* chc_release; fastchc alone */
} chc_options;

static const option_spec options[] = {GREEDY_OPTION_ROWS(chc_options), {0}};

static const option_spec fast_options[] = {
    GREEDY_OPTION_ROWS(chc_options),
    {OPT_CHOICE, "release", offsetof(chc_options, release), CHC_RELEASE_AB, 0, 0,
     "pairs allowed again after a move, see the manual", CHC_RELEASE_CHOICES},
    {0},
};

enum { FEWEST_FOR_FEW_SCORES = 4096 /* variables: of fewer, all scores take a few megabytes */ };

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const chc_options *o = opts;
    AUTO_PTR(score_destroy) score *scorer = NULL;
    AUTO_PTR(dag_destroy) dag *graph = NULL;
    chc_result found;
    chc_plan plan = {.n = dataset_column_count(data),
                     .variant = (chc_variant)self->variant,
                     .release = (chc_release)o->release,
                     .max_parents = o->search.max_parents,
                     .keeps_scores =
                         o->release == CHC_RELEASE_HEAD || dataset_column_count(data) < FEWEST_FOR_FEW_SCORES};
    CHECK(greedy_scorer_create(data, &o->search, ctx, &scorer, err));
    plan.scorer = local_scorer_of(scorer);
    CHECK(chc_search(&plan, ctx, &found, err));
    graph = found.graph;
    CHECK(trace_set_figure(ctx->trace, "iterations", (double)found.n_moves, err));
    return greedy_report(&o->search, graph, found.score, found.is_cut_short, result, err);
}

#define CHC_2005 "Gamez, Puerta 2005, LNCS 3571:161-173"
#define CHC_2011 "Gamez, Mateo, Puerta 2011, Data Mining and Knowledge Discovery 22:106-148"

#define SHARED                                                                                                         \
    .version = 1, .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED, .returns = GRAPH_DAG, .is_anytime = true,   \
    .depends_on_order = true, .options_size = sizeof(chc_options), .run = run

const learner learner_chc = {
    SHARED,
    .name = "chc",
    .summary = "hill climbing that does not score a pair again once its gain said independent",
    .citation = CHC_2005,
    .options = options,
    .variant = CHC_ONCE,
};

const learner learner_chc_star = {
    SHARED,
    .name = "chc-star",
    .aliases = (const char *const[]){"chc*", NULL},
    .summary = "CHC, then plain hill climbing from its result",
    .citation = CHC_2005,
    .options = options,
    .variant = CHC_STAR,
};

const learner learner_ichc = {
    SHARED,
    .name = "ichc",
    .summary = "CHC again and again from its own result, until nothing changes",
    .citation = CHC_2011,
    .options = options,
    .variant = CHC_REPEATED,
};

const learner learner_2ichc = {
    SHARED,
    .name = "2ichc",
    .summary = "CHC, and once more from its result",
    .citation = CHC_2011,
    .options = options,
    .variant = CHC_TWICE,
};

const learner learner_fastchc = {
    SHARED,
    .name = "fastchc",
    .summary = "CHC in one pass that allows forbidden pairs again where a change of the graph asks for it",
    .citation = "Gamez, Mateo, Puerta 2012, Progress in Artificial Intelligence 1:329-346",
    .options = fast_options,
    .variant = CHC_FAST,
};
