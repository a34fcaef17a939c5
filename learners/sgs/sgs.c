/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The learners sgs1, sgs2, sgs3: Vandel, Mangin, de Givry 2012, "New local move operators for Bayesian network
 * structure learning", PGM 2012. Default values are those of its section 4.1; the filter is that of section 4.3. The
 * paper draws at random among all equally good neighbours, and does not say whether one that takes fewer operations
 * counts as better: `ties=shortest` is that reading. Its moves took at most 4 operations from the empty graph and 5
 * from random ones (footnote 11), which Algorithm 2 does not limit: `most_operations` does.
 */
#include "core/base/array.h"
#include "learners/constraint/mmpc.h"
#include "learners/sgs/data_families_internal.h"

#include <stdlib.h>

enum { START_EMPTY, START_RANDOM };
enum { TIES_RANDOM, TIES_FIRST, TIES_SHORTEST };
enum { FILTER_NONE, FILTER_SCORE, FILTER_MMPC };

typedef struct {
    greedy_options search;
    int restarts, start, ties, filter;
    double alpha;
    bool uncover, keep_if_better, look_everywhere;
    int most_operations;
} sgs_options;

#define ROW(kind, name, initial, least, most, help, choices)                                                           \
    { kind, #name, offsetof(sgs_options, name), initial, least, most, help, choices }
#define SEARCH_ROW(kind, name, initial, least, most, help, choices)                                                    \
    { kind, #name, offsetof(sgs_options, search.name), initial, least, most, help, choices }

#define SGS_ROWS                                                                                                       \
    ROW(OPT_INT, restarts, 10, 1, 1e6, "greedy searches, of which the best is kept", NULL),                            \
        ROW(OPT_CHOICE, start, START_EMPTY, 0, 0, "where a search starts; random: two parents a node",                 \
            "empty|random"),                                                                                           \
        SEARCH_ROW(OPT_INT, max_parents, 5, -1, 1e6, "most parents of a node; -1: no limit", NULL),                    \
        SCORE_OPTION_ROWS(sgs_options, 1),                                                                             \
        ROW(OPT_CHOICE, ties, TIES_RANDOM, 0, 0,                                                                       \
            "choice among equally good moves; shortest: at random among those of the fewest operations",               \
            "random|first|shortest"),                                                                                  \
        ROW(OPT_CHOICE, filter, FILTER_NONE, 0, 0,                                                                     \
            "candidate parents: all; those that raise the score alone; the neighbours by MMPC", "none|score|mmpc"),    \
        ROW(OPT_REAL, alpha, 0.05, 1e-300, 0.999999, "level of the tests of the filter mmpc", NULL),                   \
        ROW(OPT_BOOL, uncover, false, 0, 0, "afterwards take the extra edge out of covered v-structures", NULL),       \
        ROW(OPT_BOOL, keep_if_better, true, 0, 0,                                                                      \
            "uncover where the three variables alone score higher so; else wherever they are connected", NULL)

static const option_spec rows[] = {SGS_ROWS, {0}};

static const option_spec star_rows[] = {
    SGS_ROWS,
    ROW(OPT_BOOL, look_everywhere, true, 0, 0,
        "try moves with repairs also where their first gain is below the best move known; false: faster", NULL),
    {OPT_INT, "most_operations", offsetof(sgs_options, most_operations), -1, -1, 1000000,
     "most operations of a move, repairs among them; -1: no limit", .is_later = true},
    {0},
};

/* --- candidate parents --- */

typedef struct {
    size_t *nodes; /* what `lists` points into */
    size_t n_nodes, capacity;
    size_t *counts, **lists;
} candidate_lists;

static void candidates_clear(candidate_lists *c) {
    free(c->nodes);
    free(c->counts);
    free(c->lists);
}

static status push_candidate(candidate_lists *c, size_t x, size_t y, error_info *err) {
    c->counts[x]++;
    return ARRAY_PUSH(c->nodes, c->n_nodes, c->capacity, err, y);
}

/* y stays with x where it raises the score of x as its only parent. */
static status filter_by_score(score *scorer, size_t x, size_t n, const run_context *ctx, candidate_lists *c,
                              bool *is_expired, error_info *err) {
    double alone, with;
    CHECK(score_node(scorer, x, NULL, 0, &alone, err));
    for (size_t y = 0; y < n && !*is_expired; y++) {
        *is_expired = run_context_is_expired_at(ctx, y);
        if (y == x)
            continue;
        CHECK(score_node_with(scorer, x, NULL, 0, y, &with, err));
        if (with > alone + SCORE_TOLERANCE)
            CHECK(push_candidate(c, x, y, err));
    }
    return STATUS_OK;
}

static status take_neighbours(const pdag *skeleton, size_t x, candidate_lists *c, error_info *err) {
    size_t degree;
    const pdag_edge *edges = pdag_edges(skeleton, x, &degree);
    for (size_t i = 0; i < degree; i++)
        CHECK(push_candidate(c, x, edges[i].node, err));
    return STATUS_OK;
}

typedef struct {
    mmpc_options skeleton;
} mmpc_filter;

static const option_spec mmpc_rows[] = {MMPC_ROWS(mmpc_filter), {0}};

static status find_candidates(const dataset *data, const sgs_options *o, score *scorer, run_context *ctx,
                              candidate_lists *c, bool *is_cut_short, error_info *err) {
    size_t n = dataset_column_count(data), at = 0;
    mmpc_filter mmpc;
    AUTO_PTR(pdag_destroy) pdag *skeleton = NULL;
    options_set_initial(mmpc_rows, &mmpc);
    mmpc.skeleton.test.alpha = o->alpha;
    CHECK_ALLOC(c->counts = calloc(n + 1, sizeof *c->counts));
    CHECK_ALLOC(c->lists = calloc(n + 1, sizeof *c->lists));
    if (o->filter == FILTER_MMPC)
        CHECK(mmpc_phase(data, MMPC_BY_ALL_SETS, &mmpc.skeleton, ctx, &skeleton, is_cut_short, err));
    for (size_t x = 0; x < n && !*is_cut_short; x++) {
        if (skeleton)
            CHECK(take_neighbours(skeleton, x, c, err));
        else
            CHECK(filter_by_score(scorer, x, n, ctx, c, is_cut_short, err));
    }
    for (size_t x = 0; x < n; at += c->counts[x++])
        c->lists[x] = c->nodes + at;
    return trace_set_figure(ctx->trace, "candidate_arcs", (double)c->n_nodes, err);
}

/* --- the run --- */

static status report(const sgs_result *found, run_context *ctx, error_info *err) {
    static const char *const names[SGS_N_USES] = {"add_moves",  "delete_moves",   "reverse_moves",
                                                  "swap_moves", "add_plus_moves", "swap_plus_moves"};
    double n = (double)found->n_searches, n_moves = 0;
    for (size_t i = 0; i < SGS_N_USES; i++) {
        n_moves += (double)found->uses[i];
        CHECK(trace_set_figure(ctx->trace, names[i], (double)found->uses[i] / n, err));
    }
    CHECK(trace_set_figure(ctx->trace, "iterations", n_moves / n, err));
    CHECK(trace_set_figure(ctx->trace, "delete_operations",
                           (double)(found->uses[SGS_USE_DELETE] + found->n_repair_deletions) / n, err));
    CHECK(trace_set_figure(ctx->trace, "swap_operations",
                           (double)(found->uses[SGS_USE_SWAP] + found->n_repair_swaps) / n, err));
    CHECK(trace_set_figure(ctx->trace, "searches", n, err));
    return trace_set_figure(ctx->trace, "longest_move", (double)found->longest_move, err);
}

static sgs_plan plan_of(const sgs_options *o, sgs_neighbourhood neighbourhood) {
    return (sgs_plan){.neighbourhood = neighbourhood,
                      .n_restarts = (size_t)o->restarts,
                      .max_parents = o->search.max_parents < 0 ? SIZE_MAX : (size_t)o->search.max_parents,
                      .max_moves = SIZE_MAX,
                      .max_operations = o->most_operations > 0 ? (size_t)o->most_operations : 0,
                      .starts_at_random = o->start == START_RANDOM,
                      .breaks_ties_at_random = o->ties != TIES_FIRST,
                      .prefers_short_moves = o->ties == TIES_SHORTEST,
                      .looks_everywhere = o->look_everywhere};
}

/* Threads score a row of sgs1 and sgs2 together, and run searches of sgs3 side by side. */
static status share_families(data_families *families, const sgs_plan *plan, const run_context *ctx, error_info *err) {
    size_t n_searches = sgs_search_threads(plan, ctx);
    if (n_searches > 1)
        data_families_count_apart(families);
    return data_families_share(families, plan->neighbourhood == SGS_STARS ? n_searches : ctx->n_threads, err);
}

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const sgs_options *o = opts;
    AUTO(data_families_clear) data_families families = {0};
    AUTO(candidates_clear) candidate_lists candidates = {0};
    AUTO_PTR(dag_destroy) dag *graph = NULL;
    sgs_plan plan = plan_of(o, (sgs_neighbourhood)self->variant);
    sgs_result found;
    family_source source;
    size_t n_uncovered = 0;
    bool is_cut_short = false;

    CHECK(data_families_init(&families, data, &o->search, ctx, err));
    if (o->filter != FILTER_NONE) {
        CHECK(find_candidates(data, o, families.scorer, ctx, &candidates, &is_cut_short, err));
        plan.candidates = (const size_t *const *)candidates.lists;
        plan.n_candidates = candidates.counts;
    }
    CHECK(share_families(&families, &plan, ctx, err));
    source = data_families_source(&families, o->filter != FILTER_SCORE && !o->uncover);
    CHECK(sgs_search(&source, &plan, ctx, &found, err));
    graph = found.graph;
    if (o->uncover)
        CHECK(sgs_uncover_colliders(&source, &plan, o->keep_if_better, &graph, &n_uncovered, err));
    if (n_uncovered)
        CHECK(family_score_dag(&source, graph, &found.score, err));
    data_families_publish(&families);
    CHECK(report(&found, ctx, err));
    return greedy_report(&o->search, graph, found.score, is_cut_short || found.is_cut_short, result, err);
}

#define SHARED                                                                                                         \
    .citation = "Vandel, Mangin, de Givry 2012, PGM 2012", .version = 2, .accepts = DATA_DISCRETE,                     \
    .returns = GRAPH_DAG, .is_anytime = true, .depends_on_order = true, .options_size = sizeof(sgs_options),           \
    .run = run

const learner learner_sgs1 = {
    SHARED,
    .name = "sgs1",
    .summary = "stochastic greedy search: add, delete or reverse an arc, the best of several searches",
    .options = rows,
    .variant = SGS_PLAIN,
};

const learner learner_sgs2 = {
    SHARED,
    .name = "sgs2",
    .summary = "stochastic greedy search that also exchanges a parent for another node",
    .options = rows,
    .variant = SGS_SWAPS,
};

const learner learner_sgs3 = {
    SHARED,
    .name = "sgs3",
    .summary = "stochastic greedy search whose moves break the cycles they close by deletions and exchanges",
    .options = star_rows,
    .variant = SGS_STARS,
};
