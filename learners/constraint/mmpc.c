/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Max-min parents and children of every variable as a skeleton. mmpc: Tsamardinos, Brown, Aliferis 2006, Mach. Learn.
 * 65:31-78, Algorithm 2. pmmpc replaces its minimum over all sets by a greedy one, so that the tests are polynomially
 * many: Brown, Tsamardinos, Aliferis 2005 (AAAI). That paper calls the skeleton PMMS, which is a learner of its own
 * name here, and the same search. mmpc_search.c and pmmpc_search.c find the neighbours of one variable.
 */
#include "learners/constraint/mmpc.h"

#include "core/base/cache_line.h"
#include "learners/base/learner.h"
#include "learners/constraint/mmpc_search.h"
#include "learners/constraint/pmmpc_search.h"

#include <stdlib.h>

/* --- other threads --- */

/* Tests of its own for one thread more. */
typedef struct {
    _Alignas(CACHE_LINE) test_source tests;
    statistics_count tally;
} helper;

typedef struct {
    const test_source *first;
    bool uses_bounds;
    helper *items;
    size_t count;
} helper_list;

static void helpers_clear(helper_list *list) {
    for (size_t i = 0; i < list->count; i++)
        test_source_clear(&list->items[i].tests);
    free(list->items);
}

static status join(void *self, size_t number, association_source *source, const decision_source **quick,
                   statistics_count **tally, error_info *err) {
    helper_list *list = self;
    helper *h = &list->items[number];
    CHECK(test_source_init_beside(&h->tests, list->first, &h->tally, err));
    ci_test_share_survey(list->first->test, h->tests.test);
    if (list->uses_bounds)
        CHECK(ci_test_borrow_terms(h->tests.test, list->first->test, err));
    *source = h->tests.source;
    *quick = &h->tests.quick;
    *tally = &h->tally;
    return STATUS_OK;
}

/* Where a survey tells which targets may be searched side by side. */
static status prepare_helpers(helper_list *list, size_t n_columns, size_t n_threads, error_info *err) {
    if (!test_source_is_worth_twins(n_columns) || !ci_test_can_survey(list->first->test))
        return STATUS_OK;
    CHECK_ALLOC(list->items = cache_lines_create(n_threads * sizeof *list->items));
    list->count = n_threads - 1;
    return list->count && list->uses_bounds ? ci_test_lend_terms(list->first->test, err) : STATUS_OK;
}

static void add_tallies(const helper_list *list, statistics_count *sum) {
    for (size_t i = 0; i < list->count; i++)
        statistics_count_add(sum, &list->items[i].tally);
}

/* --- parts --- */

/* Who finds at once which pairs of a part are dependent. */
typedef struct {
    const dataset *data;
    const test_source *tests;
    const helper_list *helpers; /* that are to know, too */
    size_t most;                /* columns of a part; 0: as many as fit */
    bool of_tables;             /* the tests; then, where there are several parts: */
    pair_tables *tables;
} surveyor;

static void surveyor_clear(surveyor *s) {
    pair_tables_destroy(s->tables);
}

static size_t end_of_part(void *self, size_t first) {
    const surveyor *s = self;
    size_t p = dataset_column_count(s->data);
    if (!ci_test_can_survey(s->tests->test))
        return p;
    if (s->most > 0)
        return p - first > s->most ? first + s->most : p;
    return ci_test_survey_end(s->tests->test, first);
}

static status begin_part(void *self, size_t first, size_t end, const run_context *ctx, error_info *err) {
    surveyor *s = self;
    ci_test *test = s->tests->test;
    if (!ci_test_can_survey(test))
        return STATUS_OK;
    if (s->of_tables && !s->tables && end < dataset_column_count(s->data))
        CHECK(pair_tables_create(s->data, ctx->n_threads, &s->tables, err));
    CHECK(ci_test_survey_part(test, first, end, s->tables, ctx, err));
    for (size_t i = 0; i < s->helpers->count; i++) {
        if (s->helpers->items[i].tests.test)
            ci_test_share_survey(test, s->helpers->items[i].tests.test);
    }
    return STATUS_OK;
}

static uint64_t count_surveyed(void *self, size_t first, size_t end) {
    const surveyor *s = self;
    const ci_test *test = s->tests->test;
    return ci_test_can_survey(test) ? ci_test_count_pairs(test, first, end) : 0;
}

/* --- the skeletons --- */

/* What a search asks is known here where each of its targets learns of all before it. */
static bool knows_what_it_asks(const mmpc_options *options) {
    return options->opt4 && options->opt5;
}

/* @param key  of the checkpoint; NULL: none is kept */
static status by_all_sets(const dataset *data, const mmpc_options *options, const char *key, run_context *ctx,
                          pdag **out, bool *is_cut_short, error_info *err) {
    AUTO(test_source_clear) test_source tests = {0};
    AUTO(helpers_clear) helper_list helpers = {.first = &tests, .uses_bounds = true};
    AUTO(surveyor_clear)
    surveyor parts = {.data = data,
                      .tests = &tests,
                      .helpers = &helpers,
                      .most = options->part_columns,
                      .of_tables = test_source_is_of_tables(&options->test, data)};
    size_t p = dataset_column_count(data);
    mmpc_rules rules = {.max_k = options->max_k,
                        .symmetry = options->symmetry,
                        .use_refusals = options->opt4,
                        .use_claims = options->opt5,
                        .limit = &tests.limit,
                        .quick = &tests.quick,
                        .tally = &ctx->tests,
                        .key = key};
    CHECK(test_source_init(&tests, data, &options->test, ctx, &ctx->tests, err));
    if (knows_what_it_asks(options)) {
        ci_test_forgo_cache(tests.test);
        rules.parts = (mmpc_parts){&parts, end_of_part, begin_part, count_surveyed};
    } else {
        CHECK(ci_test_survey(tests.test, NULL, NULL, ctx, NULL, err));
    }
    CHECK(prepare_helpers(&helpers, p, ctx->n_threads, err));
    rules.helpers = (mmpc_helpers){helpers.count, &helpers, join};
    CHECK(mmpc_skeleton(&tests.source, p, &rules, ctx, out, is_cut_short, err));
    add_tallies(&helpers, &ctx->tests);
    return STATUS_OK;
}

static status greedily(const dataset *data, const mmpc_options *options, run_context *ctx, pdag **out,
                       bool *is_cut_short, error_info *err) {
    AUTO(test_source_clear) test_source tests = {0};
    AUTO(helpers_clear) helper_list helpers = {.first = &tests};
    size_t p = dataset_column_count(data);
    pmmpc_rules rules = {.symmetry = options->symmetry, .limit = &tests.limit, .tally = &ctx->tests};
    CHECK(test_source_init(&tests, data, &options->test, ctx, &ctx->tests, err));
    CHECK(ci_test_survey(tests.test, NULL, NULL, ctx, NULL, err));
    if (ci_test_was_surveyed(tests.test)) {
        ci_test_forgo_cache(tests.test); /* the search knows which tests it has asked for */
        CHECK(prepare_helpers(&helpers, p, ctx->n_threads, err));
        rules.quick = &tests.quick;
    }
    rules.helpers = (mmpc_helpers){helpers.count, &helpers, join};
    CHECK(pmmpc_skeleton(&tests.source, p, &rules, ctx, out, is_cut_short, err));
    add_tallies(&helpers, &ctx->tests);
    return STATUS_OK;
}

status mmpc_phase(const dataset *data, mmpc_kind kind, const mmpc_options *options, run_context *ctx, pdag **out,
                  bool *is_cut_short, error_info *err) {
    void (*tell)(void *, double) = ctx->tell;
    status st;
    ctx->tell = NULL; /* it would tell of a part of the work as of all */
    st = kind == MMPC_BY_ALL_SETS ? by_all_sets(data, options, NULL, ctx, out, is_cut_short, err)
                                  : greedily(data, options, ctx, out, is_cut_short, err);
    ctx->tell = tell;
    return st;
}

typedef struct {
    mmpc_options skeleton;
} options;

static const option_spec mmpc_rows[] = {MMPC_ROWS(options), {0}};
static const option_spec pmmpc_rows[] = {PMMPC_ROWS(options), {0}};

static status run_mmpc(const learner *self, const dataset *data, const void *opts, run_context *ctx,
                       learner_result *result, error_info *err) {
    const options *o = opts;
    AUTO(text_buffer_clear) text_buffer key = {0};
    if (ctx->checkpoint && !knows_what_it_asks(&o->skeleton))
        return error_set(err, STATUS_INVALID, "mmpc keeps a checkpoint with opt4 and opt5 alone");
    if (ctx->checkpoint)
        CHECK(learner_append_key(self, data, o, &key, err));
    return by_all_sets(data, &o->skeleton, key.data, ctx, &result->graph, &result->is_cut_short, err);
}

static status run_greedily(const learner *self, const dataset *data, const void *opts, run_context *ctx,
                           learner_result *result, error_info *err) {
    const options *o = opts;
    (void)self;
    return greedily(data, &o->skeleton, ctx, &result->graph, &result->is_cut_short, err);
}

#define SHARED                                                                                                         \
    .version = 1, .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED, .returns = GRAPH_SKELETON,                  \
    .is_anytime = true, .options_size = sizeof(options)

const learner learner_mmpc = {
    SHARED,
    .name = "mmpc",
    .summary = "skeleton: max-min parents and children of every variable",
    .citation = "Tsamardinos, Brown, Aliferis 2006, Machine Learning 65:31-78",
    .depends_on_order = true, /* optimisations 4 and 5; without them, ties */
    .options = mmpc_rows,
    .keeps_checkpoint = true,
    .run = run_mmpc,
};

const learner learner_pmmpc = {
    SHARED,
    .name = "pmmpc",
    .summary = "skeleton: polynomial max-min parents and children of every variable, as mmpc with a greedy minimum",
    .citation = "Brown, Tsamardinos, Aliferis 2005, AAAI",
    .depends_on_order = true, /* ties between associations */
    .options = pmmpc_rows,
    .run = run_greedily,
};

const learner learner_pmms = {
    SHARED,
    .name = "pmms",
    .summary = "skeleton from pmmpc on every variable, with and without the symmetry correction",
    .citation = "Brown, Tsamardinos, Aliferis 2005, AAAI",
    .depends_on_order = true, /* ties between associations */
    .options = pmmpc_rows,
    .run = run_greedily,
};
