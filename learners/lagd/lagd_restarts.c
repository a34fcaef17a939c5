/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/lagd/lagd_restarts.h"

#include <stdlib.h>

/* Node i of a search is node order[i] of the plan; scores are asked for under the plan's names, so that a cache behind
 * them serves every search. */
typedef struct {
    local_scorer inner;
    const size_t *order;
    size_t *parents; /* scratch */
} renaming;

static const size_t *rename_parents(const renaming *r, const size_t *parents, size_t n_parents) {
    for (size_t i = 0; i < n_parents; i++)
        r->parents[i] = r->order[parents[i]];
    return r->parents;
}

static status score_node_renamed(void *context, size_t y, const size_t *parents, size_t n_parents, double *out,
                                 error_info *err) {
    const renaming *r = context;
    return r->inner.node(r->inner.context, r->order[y], rename_parents(r, parents, n_parents), n_parents, out, err);
}

static status score_with_renamed(void *context, size_t y, const size_t *parents, size_t n_parents, size_t extra,
                                 double *out, error_info *err) {
    const renaming *r = context;
    return r->inner.node_with(r->inner.context, r->order[y], rename_parents(r, parents, n_parents), n_parents,
                              r->order[extra], out, err);
}

static status rename_graph(const dag *g, const size_t *order, dag **out, error_info *err) {
    status st = STATUS_OK;
    size_t *from = NULL, *to = NULL, n_arcs = 0;
    TRY_ALLOC(from = calloc(dag_arc_count(g) + 1, sizeof *from));
    TRY_ALLOC(to = calloc(dag_arc_count(g) + 1, sizeof *to));
    for (size_t y = 0; y < dag_node_count(g); y++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, y, &n_parents);
        for (size_t i = 0; i < n_parents; i++) {
            from[n_arcs] = order[parents[i]];
            to[n_arcs++] = order[y];
        }
    }
    TRY(dag_from_arcs(dag_node_count(g), from, to, n_arcs, out, err));
cleanup:
    free(from);
    free(to);
    return st;
}

/* Keeps `found` in `best`, under the plan's names, where it is better. */
static status keep_best(const lagd_result *found, const size_t *order, lagd_result *best, error_info *err) {
    dag *renamed = NULL;
    best->is_cut_short = found->is_cut_short;
    best->n_steps += found->n_steps;
    best->n_searches += found->n_searches;
    if (best->graph && found->score <= best->score + SCORE_TOLERANCE)
        return STATUS_OK;
    CHECK(rename_graph(found->graph, order, &renamed, err));
    dag_destroy(best->graph);
    best->graph = renamed;
    best->score = found->score;
    return STATUS_OK;
}

status lagd_search_in_orders(const lagd_plan *plan, size_t n_searches, run_context *ctx, lagd_result *out,
                             error_info *err) {
    status st = STATUS_OK;
    size_t *order = NULL;
    lagd_plan inner = *plan;
    lagd_result found = {0}, best = {0};
    renaming names = {.inner = plan->scorer};
    TRY_ALLOC(order = calloc(plan->n + 1, sizeof *order));
    TRY_ALLOC(names.parents = calloc(plan->n + 1, sizeof *names.parents));
    names.order = order;
    inner.scorer = (local_scorer){&names, score_node_renamed, score_with_renamed};
    for (size_t i = 0; i < n_searches && !best.is_cut_short; i++) {
        random_permutation(&ctx->random, order, plan->n);
        TRY(lagd_search(&inner, ctx, &found, err));
        TRY(keep_best(&found, order, &best, err));
        TRY(trace_add_point(ctx->trace, "best_score", i + 1, best.score, err));
        dag_destroy(found.graph);
        found.graph = NULL;
    }
    *out = best;
    best.graph = NULL;
cleanup:
    dag_destroy(found.graph);
    dag_destroy(best.graph);
    free(order);
    free(names.parents);
    return st;
}
