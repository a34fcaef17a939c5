/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Max-min Bayesian network, the edges of the whole (mmbn) or of a region (mmbn-local): Tsamardinos, Aliferis,
 * Statnikov, Brown 2003, Scaling-Up Bayesian Network Learning to Thousands of Variables Using Local Learning Techniques
 * (Vanderbilt University), Figure 1 and section 2. An edge is there wherever the search at one end found the other.
 */
#include "learners/base/learner.h"
#include "learners/constraint/mmbn_search.h"

typedef struct {
    skeleton_test_options test;
    int max_k;
    int target, depth; /* of mmbn-local alone */
} options;

/* clang-format off */
#define ROWS                                                                                                           \
    TEST_SOURCE_ROWS(options, test),                                                                                   \
    {OPT_INT, "maxk", offsetof(options, max_k), 10, -1, 1000000, "largest conditioning set; -1: no limit", NULL}
/* clang-format on */

static const option_spec all_rows[] = {ROWS, {0}};

static const option_spec local_rows[] = {
    ROWS,
    {OPT_INT, "target", offsetof(options, target), 0, 0, 1e9, "column in the middle, counted from 0", NULL},
    {OPT_INT, "depth", offsetof(options, depth), 1, 1, 4, "steps from the target within which neighbours are searched",
     NULL},
    {0},
};

static status run_all(const learner *self, const dataset *data, const void *opts, run_context *ctx,
                      learner_result *result, error_info *err) {
    const options *o = opts;
    AUTO_PTR(neighbour_lists_destroy) neighbour_lists *found = NULL;
    AUTO(text_buffer_clear) text_buffer key = {0};
    if (ctx->checkpoint)
        CHECK(learner_append_key(self, data, o, &key, err));
    CHECK(mmbn_lists(data, &o->test, o->max_k, key.data, ctx, &found, &result->is_cut_short, err));
    CHECK(neighbour_lists_skeleton(found, SYMMETRY_OR, &result->graph, err));
    result->found = TAKE(found);
    return STATUS_OK;
}

static status run_local(const learner *self, const dataset *data, const void *opts, run_context *ctx,
                        learner_result *result, error_info *err) {
    const options *o = opts;
    size_t p = dataset_column_count(data);
    AUTO(test_source_clear) test_source tests = {0};
    mmpc_rules rules = {.max_k = o->max_k, .symmetry = SYMMETRY_OR, .limit = &tests.limit};
    (void)self;
    if ((size_t)o->target >= p)
        return error_set(err, STATUS_INVALID, "target is column %d; the last of %zu is %zu", o->target, p, p - 1);
    CHECK(test_source_init(&tests, data, &o->test, ctx, &ctx->tests, err));
    CHECK(mmbn_region(&tests.source, p, &rules, (size_t)o->target, (size_t)o->depth, ctx, &result->graph,
                      &result->is_cut_short, err));
    return STATUS_OK;
}

#define SHARED                                                                                                         \
    .citation = "Tsamardinos, Aliferis, Statnikov, Brown 2003, Vanderbilt University",                                 \
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED, .returns = GRAPH_SKELETON, .is_anytime = true,            \
    .options_size = sizeof(options)

const learner learner_mmbn = {
    SHARED,
    .name = "mmbn",
    .summary = "skeleton: an edge wherever max-min parents and children of either end hold the other",
    .version = 2,
    .depends_on_order = true, /* ties between associations */
    .keeps_checkpoint = true,
    .options = all_rows,
    .run = run_all,
};

const learner learner_mmbn_local = {
    SHARED,
    .name = "mmbn-local",
    .summary = "the edges that mmbn finds around one column, breadth first",
    .version = 1,
    .depends_on_order = true, /* which column the target is; ties between associations */
    .options = local_rows,
    .run = run_local,
};
