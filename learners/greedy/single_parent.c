/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The candidate parents of SGS by themselves: Vandel, Mangin, de Givry 2012, PGM, sec. 4.3, after Goldenberg and Moore
 * 2004, ICML. BDeu scores both directions of a pair alike, so the candidates are a skeleton.
 */
#include "core/base/array.h"
#include "learners/base/learner.h"
#include "metrics/scores/bdeu.h"

#include <stdlib.h>

typedef struct {
    double ess;
} single_parent_options;

static const option_spec options[] = {
    {OPT_REAL, "ess", offsetof(single_parent_options, ess), 1, 1e-16, 1e12, "equivalent sample size of BDeu", NULL},
    {0},
};

/*
 * The pairs x - y, y > x, of which y raises the score of x as its only parent. Columns that do not vary are left out: a
 * gain there would be the prior's doing alone.
 */
static status scan_node(score *scorer, size_t x, size_t n, const run_context *ctx, pdag_pair *pairs, size_t *n_pairs,
                        bool *is_expired, error_info *err) {
    double alone = 0, with = 0;
    if (score_is_constant(scorer, x))
        return STATUS_OK;
    CHECK(score_node(scorer, x, NULL, 0, &alone, err));
    for (size_t y = x + 1; y < n && !*is_expired; y++) {
        *is_expired = run_context_is_expired_at(ctx, y - x - 1);
        if (score_is_constant(scorer, y))
            continue;
        CHECK(score_node_with(scorer, x, NULL, 0, y, &with, err));
        if (with > alone + SCORE_TOLERANCE)
            pairs[(*n_pairs)++] = (pdag_pair){x, y, EDGE_UNDIRECTED};
    }
    return STATUS_OK;
}

static status scan(const dataset *data, score *scorer, run_context *ctx, learner_result *result, error_info *err) {
    size_t n = dataset_column_count(data), n_pairs = 0, capacity = 0;
    AUTO_FREE pdag_pair *pairs = NULL;
    for (size_t x = 0; x < n && !result->is_cut_short; x++) {
        CHECK(ARRAY_RESERVE(pairs, capacity, n_pairs + n, err)); /* a node may add n - 1 */
        CHECK(scan_node(scorer, x, n, ctx, pairs, &n_pairs, &result->is_cut_short, err));
    }
    return pdag_from_pairs(n, pairs, n_pairs, &result->graph, err);
}

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const single_parent_options *o = opts;
    AUTO_PTR(score_destroy) score *scorer = NULL;
    (void)self;
    CHECK(score_create_within(&score_bdeu, &(bdeu_options){.ess = o->ess}, data, ctx, &scorer, err));
    return scan(data, scorer, ctx, result, err);
}

const learner learner_single_parent = {
    .name = "single-parent",
    .summary = "pairs of which one raises the BDeu score of the other as its only parent: the candidates of sgs",
    .citation = "Vandel, Mangin, de Givry 2012, PGM, sec. 4.3",
    .version = 1,
    .accepts = DATA_DISCRETE,
    .returns = GRAPH_SKELETON,
    .is_anytime = false,
    .depends_on_order = false,
    .options = options,
    .options_size = sizeof(single_parent_options),
    .run = run,
};
