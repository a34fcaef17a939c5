/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three-Phase Dependency Analysis: Cheng, Greiner, Kelly, Bell, Liu, Artif. Intell. 137 (2002) 43-90. A forest of the
 * most informative pairs is drafted, edges are added where nothing separates a pair, and taken away where something
 * does; then edges are oriented by what separated. tpda_search.c is the search.
 */
#include "core/base/cache_line.h"
#include "learners/base/learner.h"
#include "learners/tpda/tpda_search.h"

#include <math.h>
#include <stdlib.h>

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

/* --- threads --- */

/* Asked once about a pair without condition, so that nothing is kept. */
typedef struct {
    _Alignas(CACHE_LINE) statistics_count tally; /* of the first, the caller's is used */
    information *info;
} pair_evaluator;

/* One a thread. */
typedef struct {
    crew *threads;
    pair_tables *tables;
    pair_evaluator *items;
    information_source *as_sources;
    size_t count;
} pair_evaluators;

static void evaluators_clear(pair_evaluators *e) {
    for (size_t i = 0; e->items && i < e->count; i++)
        information_destroy(e->items[i].info);
    free(e->items);
    free(e->as_sources);
    pair_tables_destroy(e->tables);
    crew_destroy(e->threads);
}

/* One where other threads would take longer to start than there is to do. */
static size_t count_threads(const dataset *data, const run_context *ctx) {
    enum { MANY = 1 << 13 }; /* pairs, of 0.1 microseconds or more, and as much again given sets */
    size_t p = dataset_column_count(data);
    return p * p / 2 >= MANY ? ctx->n_threads : 1;
}

static status evaluators_init(pair_evaluators *e, const dataset *data, run_context *ctx, error_info *err) {
    CHECK(crew_create(count_threads(data, ctx), &e->threads, err));
    e->count = crew_size(e->threads);
    CHECK(pair_tables_create(data, e->count, &e->tables, err));
    CHECK_ALLOC(e->items = cache_lines_create(e->count * sizeof *e->items));
    CHECK_ALLOC(e->as_sources = calloc(e->count, sizeof *e->as_sources));
    for (size_t i = 0; i < e->count; i++) {
        pair_evaluator *item = &e->items[i];
        CHECK(information_create(data, i > 0 ? &item->tally : &ctx->tests, &item->info, err));
        CHECK(information_use_tables(item->info, e->tables, err));
        e->as_sources[i] = information_as_source(item->info);
    }
    return STATUS_OK;
}

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const tpda_options *o = opts;
    AUTO(evaluators_clear) pair_evaluators pairs = {0};
    tpda_rules rules = {.threshold = o->bits ? o->threshold * log(2) : o->threshold,
                        .is_monotone = o->monotone,
                        .by_union = o->superset};
    AUTO_PTR(information_destroy) information *info = NULL;
    information_source source;
    (void)self;
    CHECK(information_create(data, &ctx->tests, &info, err));
    source = information_as_source(info);
    CHECK(evaluators_init(&pairs, data, ctx, err));
    rules.of_threads = pairs.as_sources;
    rules.n_of_threads = pairs.count;
    rules.threads = pairs.threads;
    CHECK(tpda_search(&source, dataset_column_count(data), &rules, ctx, &result->graph, &result->is_cut_short, err));
    for (size_t i = 0; i < pairs.count; i++)
        statistics_count_add(&ctx->tests, &pairs.items[i].tally);
    return STATUS_OK;
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
