/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Max-min hill climbing: the skeleton of MMPC, then a greedy search with a TABU list that adds arcs along its edges
 * alone. mmhc: Tsamardinos, Brown, Aliferis 2006, Mach. Learn. 65:31-78, Algorithm 3; pmmhc has the polynomial skeleton
 * phase of Brown, Tsamardinos, Aliferis 2005 (AAAI). No arc of the result joins nodes that the skeleton does not.
 */
#include "learners/constraint/mmpc.h"
#include "learners/greedy/greedy_search.h"

/* The second phase: with a TABU list as published, or plain hill climbing, as some programs have it. */
enum { PHASE2_TABU, PHASE2_HC };

typedef struct {
    mmpc_options skeleton;
    greedy_options search;
    int phase2;
} options;

/* clang-format off */
#define SEARCH_ROWS                                                                                                    \
    GREEDY_OPTION_ROWS(options),                                                                                       \
    {OPT_CHOICE, "phase2", offsetof(options, phase2), PHASE2_TABU, 0, 0,                                               \
     "search of the second phase: with a TABU list, or hill climbing", "tabu|hc"}
/* clang-format on */

static const option_spec mmhc_rows[] = {MMPC_ROWS(options), SEARCH_ROWS, {0}};
static const option_spec pmmhc_rows[] = {PMMPC_ROWS(options), SEARCH_ROWS, {0}};

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const options *o = opts;
    AUTO_PTR(pdag_destroy) pdag *skeleton = NULL;
    bool is_cut_short = false;
    greedy_search_plan plan = {.options = o->search};

    CHECK(mmpc_phase(data, (mmpc_kind)self->variant, &o->skeleton, ctx, &skeleton, &is_cut_short, err));
    plan.allowed = skeleton;
    if (o->phase2 == PHASE2_TABU) {
        plan.tabu_length = GREEDY_TABU_LENGTH;
        plan.tabu_patience = GREEDY_TABU_PATIENCE;
    }
    CHECK(greedy_search(data, &plan, ctx, result, err));
    result->is_cut_short = result->is_cut_short || is_cut_short;
    return STATUS_OK;
}

/* The score must take the kind of data too. */
#define SHARED                                                                                                         \
    .version = 2, .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED, .returns = GRAPH_DAG, .is_anytime = true,   \
    .depends_on_order = true, .options_size = sizeof(options), .run = run

const learner learner_mmhc = {
    SHARED,
    .name = "mmhc",
    .summary = "max-min hill climbing: a greedy search along the edges that MMPC finds",
    .citation = "Tsamardinos, Brown, Aliferis 2006, Machine Learning 65:31-78",
    .options = mmhc_rows,
    .variant = MMPC_BY_ALL_SETS,
};

const learner learner_pmmhc = {
    SHARED,
    .name = "pmmhc",
    .summary = "max-min hill climbing with the polynomial skeleton phase of PMMPC",
    .citation = "Brown, Tsamardinos, Aliferis 2005, AAAI",
    .options = pmmhc_rows,
    .variant = MMPC_GREEDILY,
};
