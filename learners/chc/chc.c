/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The family of constrained hill climbing; see chc_search.h for the papers. */
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

static status learn(const dataset *data, const chc_options *o, chc_variant variant, run_context *ctx,
                    learner_result *result, error_info *err) {
    status st = STATUS_OK;
    score *scorer = NULL;
    chc_result found = {0};
    chc_plan plan = {.n = dataset_column_count(data),
                     .variant = variant,
                     .release = (chc_release)o->release,
                     .max_parents = o->search.max_parents};
    TRY(greedy_scorer_create(data, &o->search, ctx, &scorer, err));
    plan.scorer = local_scorer_of(scorer);
    TRY(chc_search(&plan, ctx, &found, err));
    TRY(trace_set_figure(ctx->trace, "iterations", (double)found.n_moves, err));
    TRY(pdag_from_dag(found.graph, &result->graph, err));
    result->score_name = greedy_score_name(&o->search);
    result->score = found.score;
    result->is_cut_short = found.is_cut_short;
cleanup:
    dag_destroy(found.graph);
    score_destroy(scorer);
    return st;
}

#define RUN(name, variant)                                                                                             \
    static status name(const dataset *data, const void *opts, run_context *ctx, learner_result *result,                \
                       error_info *err) {                                                                              \
        return learn(data, opts, variant, ctx, result, err);                                                           \
    }

RUN(run_once, CHC_ONCE)
RUN(run_star, CHC_STAR)
RUN(run_repeated, CHC_REPEATED)
RUN(run_twice, CHC_TWICE)
RUN(run_fast, CHC_FAST)

const learner learner_chc = {
    .name = "chc",
    .summary = "hill climbing that does not score a pair again once its gain said independent",
    .citation = "Gamez, Puerta 2005, LNCS 3571:161-173",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(chc_options),
    .run = run_once,
};

const learner learner_chc_star = {
    .name = "chc-star",
    .aliases = (const char *const[]){"chc*", NULL},
    .summary = "CHC, then plain hill climbing from its result",
    .citation = "Gamez, Puerta 2005, LNCS 3571:161-173",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(chc_options),
    .run = run_star,
};

const learner learner_ichc = {
    .name = "ichc",
    .summary = "CHC again and again from its own result, until nothing changes",
    .citation = "Gamez, Mateo, Puerta 2011, Data Mining and Knowledge Discovery 22:106-148",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(chc_options),
    .run = run_repeated,
};

const learner learner_2ichc = {
    .name = "2ichc",
    .summary = "CHC, and once more from its result",
    .citation = "Gamez, Mateo, Puerta 2011, Data Mining and Knowledge Discovery 22:106-148",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(chc_options),
    .run = run_twice,
};

const learner learner_fastchc = {
    .name = "fastchc",
    .summary = "CHC in one pass that allows forbidden pairs again where a change of the graph asks for it",
    .citation = "Gamez, Mateo, Puerta 2012, Progress in Artificial Intelligence 1:329-346",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = fast_options,
    .options_size = sizeof(chc_options),
    .run = run_fast,
};
