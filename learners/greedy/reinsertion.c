/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One step of Optimal Reinsertion: Moore, Wong 2003 (ICML). The target T loses all arcs and gets the best parents among
 * its candidates, and with them the best children. Every cycle through T passes from a child of T to a parent of T, so
 * once the parents are chosen the children are those that gain and are no ancestors of a parent, each for itself. The
 * present parents are tried first: the score never falls.
 */
#include "learners/greedy/reinsertion_internal.h"

#include "core/base/bits.h"
#include "learners/greedy/set_scores_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t node;
    double gain;
} child;

struct reinsertion {
    size_t n, n_ranked, n_words;
    score *scorer;
    set_scores *sets;
    const run_context *ctx;
    size_t *ranked;  /* n rows of n_ranked nodes, the best single parents first */
    bool *is_ranked; /* by row */
    double *singles; /* scratch of the ranking */
    size_t *stack;   /* scratch of the search for ancestors */

    /* of one step */
    dag *rest; /* the DAG without the target's arcs */
    size_t target, max_parents;
    size_t *candidates, n_candidates;
    uint64_t *above;     /* of each candidate, the bits of its ancestors in `rest` and of itself */
    child *children;     /* those that gain */
    size_t n_children;   /* of them */
    double lost;         /* what the present children that do not gain cost */
    size_t *chosen;      /* the parents being tried */
    uint64_t *forbidden; /* for each number of chosen parents, the bits of their ancestors */
    size_t *best, n_best;
    double best_value;
    bool is_expired;
};

void reinsertion_destroy(reinsertion *r) {
    if (!r)
        return;
    free(r->ranked);
    free(r->is_ranked);
    free(r->singles);
    free(r->stack);
    set_scores_destroy(r->sets);
    dag_destroy(r->rest);
    free(r->candidates);
    free(r->above);
    free(r->children);
    free(r->chosen);
    free(r->forbidden);
    free(r->best);
    free(r);
}

status reinsertion_create(size_t n_nodes, size_t n_candidates, score *scorer, const run_context *ctx, reinsertion **out,
                          error_info *err) {
    AUTO_PTR(reinsertion_destroy) reinsertion *r = NULL;
    size_t cells;
    CHECK_ALLOC(r = calloc(1, sizeof *r));
    r->n = n_nodes;
    r->n_ranked = n_candidates < n_nodes ? n_candidates : n_nodes;
    r->n_words = (n_nodes + 63) / 64;
    r->scorer = scorer;
    r->ctx = ctx;
    CHECK(set_scores_create(scorer, ctx, &r->sets, err));
    if (__builtin_mul_overflow(n_nodes, r->n_ranked, &cells))
        return error_out_of_memory(err);
    CHECK_ALLOC(r->ranked = calloc(cells + 1, sizeof *r->ranked));
    CHECK_ALLOC(r->is_ranked = calloc(n_nodes, sizeof *r->is_ranked));
    CHECK_ALLOC(r->singles = calloc(n_nodes, sizeof *r->singles));
    CHECK_ALLOC(r->stack = calloc(n_nodes, sizeof *r->stack));
    CHECK_ALLOC(r->candidates = calloc(n_nodes, sizeof *r->candidates));
    CHECK_ALLOC(r->children = calloc(n_nodes, sizeof *r->children));
    CHECK_ALLOC(r->chosen = calloc(n_nodes, sizeof *r->chosen));
    CHECK_ALLOC(r->best = calloc(n_nodes, sizeof *r->best));
    *out = TAKE(r);
    return STATUS_OK;
}

static bool has_expired(reinsertion *r) {
    r->is_expired = r->is_expired || run_context_is_expired(r->ctx);
    return r->is_expired;
}

/* --- candidates --- */

/* The first node within the tolerance of the best; takes it out of the running. */
static size_t take_best_single(reinsertion *r) {
    double most = -INFINITY;
    size_t node = 0;
    for (size_t p = 0; p < r->n; p++)
        most = fmax(most, r->singles[p]);
    while (r->singles[node] < most - SCORE_TOLERANCE)
        node++;
    r->singles[node] = -INFINITY;
    return node;
}

/* A row of the ranking, made when its node first is the target; the node itself comes last, so it is left out. */
static status rank_singles(reinsertion *r, size_t target, error_info *err) {
    if (r->is_ranked[target])
        return STATUS_OK;
    r->singles[target] = -INFINITY;
    for (size_t p = 0; p < r->n && !has_expired(r); p++) {
        if (p != target)
            CHECK(score_node_with(r->scorer, target, NULL, 0, p, &r->singles[p], err));
    }
    for (size_t i = 0; i < r->n_ranked && i + 1 < r->n && !r->is_expired; i++)
        r->ranked[target * r->n_ranked + i] = take_best_single(r);
    r->is_ranked[target] = !r->is_expired;
    return STATUS_OK;
}

static void add_candidate(reinsertion *r, size_t node) {
    for (size_t i = 0; i < r->n_candidates; i++) {
        if (r->candidates[i] == node)
            return;
    }
    r->candidates[r->n_candidates++] = node;
}

static void list_candidates(reinsertion *r, const size_t *parents, size_t n_parents) {
    size_t n_ranked = r->n_ranked < r->n - 1 ? r->n_ranked : r->n - 1;
    r->n_candidates = 0;
    for (size_t i = 0; i < n_ranked; i++)
        add_candidate(r, r->ranked[r->target * r->n_ranked + i]);
    for (size_t i = 0; i < n_parents; i++)
        add_candidate(r, parents[i]);
}

static status find_ancestors(reinsertion *r, error_info *err) {
    free(r->above);
    free(r->forbidden);
    r->forbidden = NULL;
    CHECK_ALLOC(r->above = calloc(r->n_candidates * r->n_words + 1, sizeof *r->above));
    CHECK_ALLOC(r->forbidden = calloc((r->max_parents + 2) * r->n_words, sizeof *r->forbidden));
    for (size_t i = 0; i < r->n_candidates; i++)
        dag_mark_above(r->rest, r->candidates[i], r->above + i * r->n_words, r->stack);
    return STATUS_OK;
}

/* What each node would gain by the target as a parent. One at the limit takes no parent, but may keep one it has. */
static status list_children(reinsertion *r, const dag *g, error_info *err) {
    r->n_children = 0;
    r->lost = 0;
    for (size_t c = 0; c < r->n && !has_expired(r); c++) {
        size_t n_parents;
        const size_t *parents = dag_parents(r->rest, c, &n_parents);
        double with, without;
        if (c == r->target || (n_parents >= r->max_parents && !dag_has_arc(g, r->target, c)))
            continue;
        CHECK(score_node(r->scorer, c, parents, n_parents, &without, err));
        CHECK(score_node_with(r->scorer, c, parents, n_parents, r->target, &with, err));
        if (with > without)
            r->children[r->n_children++] = (child){c, with - without};
        else if (dag_has_arc(g, r->target, c))
            r->lost += without - with;
    }
    return STATUS_OK;
}

/* --- sets of parents --- */

static double sum_children(const reinsertion *r, const uint64_t *forbidden) {
    double sum = 0;
    for (size_t i = 0; i < r->n_children; i++) {
        if (!bits_have(forbidden, r->children[i].node))
            sum += r->children[i].gain;
    }
    return sum;
}

static uint64_t *forbidden_by(const reinsertion *r, size_t n_chosen) {
    return r->forbidden + n_chosen * r->n_words;
}

/* Candidate `at` after the first n_chosen: the parents, and the bits of their ancestors. */
static void choose(reinsertion *r, size_t n_chosen, size_t at) {
    const uint64_t *before = forbidden_by(r, n_chosen), *more = r->above + at * r->n_words;
    uint64_t *after = forbidden_by(r, n_chosen + 1);
    r->chosen[n_chosen] = r->candidates[at];
    for (size_t w = 0; w < r->n_words; w++)
        after[w] = before[w] | more[w];
}

static void offer(reinsertion *r, size_t n_chosen, double value) {
    if (value <= r->best_value + SCORE_TOLERANCE)
        return;
    r->best_value = value;
    r->n_best = n_chosen;
    memcpy(r->best, r->chosen, n_chosen * sizeof *r->best);
}

/* The score of the target with the chosen and one more; `known`: what it is, or NULL. */
static status score_one_more(reinsertion *r, size_t n_chosen, size_t candidate, const found_score *known, double *out,
                             error_info *err) {
    if (!known)
        return score_node_with(r->scorer, r->target, r->chosen, n_chosen, candidate, out, err);
    *out = set_scores_take(r->scorer, r->target, r->chosen, n_chosen, candidate, known);
    return STATUS_OK;
}

/* The sets of a row of the walk: they share the counting, so all are scored before the search goes deeper. */
static status try_row(reinsertion *r, const subset_walk *walk, error_info *err) {
    double at_most = sum_children(r, forbidden_by(r, walk->n));
    size_t first = subset_walk_first(walk);
    const found_score *known;
    CHECK(set_scores_row(r->sets, walk, &known, err));
    for (size_t at = first; at < r->n_candidates && !has_expired(r); at++) {
        double value;
        CHECK(score_one_more(r, walk->n, r->candidates[at], known ? &known[at - first] : NULL, &value, err));
        if (value + at_most <= r->best_value)
            continue;
        choose(r, walk->n, at);
        offer(r, walk->n + 1, value + sum_children(r, forbidden_by(r, walk->n + 1)));
    }
    return STATUS_OK;
}

static status try_sets(reinsertion *r, error_info *err) {
    subset_walk walk = subset_walk_begin(r->n_candidates, r->max_parents);
    set_scores_begin(r->sets, r->target, r->candidates);
    CHECK(try_row(r, &walk, err));
    while (!has_expired(r) && subset_walk_next(&walk)) {
        choose(r, walk.n - 1, walk.places[walk.n - 1]);
        CHECK(try_row(r, &walk, err));
    }
    return STATUS_OK;
}

/* --- the step --- */

static status cut_out(reinsertion *r, const dag *g, size_t target, error_info *err) {
    size_t n;
    const size_t *nodes;
    dag_destroy(r->rest);
    r->rest = NULL;
    CHECK(dag_copy(g, &r->rest, err));
    nodes = dag_parents(g, target, &n);
    for (size_t i = 0; i < n; i++)
        CHECK(dag_remove_arc(r->rest, nodes[i], target, err));
    nodes = dag_children(g, target, &n);
    for (size_t i = 0; i < n; i++)
        CHECK(dag_remove_arc(r->rest, target, nodes[i], err));
    return STATUS_OK;
}

/* Puts the set's ancestors into the last row, which no search uses while this runs. */
static double sum_children_of(reinsertion *r, const size_t *parents, size_t n_parents) {
    uint64_t *bits = forbidden_by(r, r->max_parents + 1);
    memset(bits, 0, r->n_words * sizeof *bits);
    for (size_t i = 0; i < n_parents; i++)
        dag_mark_above(r->rest, parents[i], bits, r->stack);
    return sum_children(r, bits);
}

/* The present parents come first, so that nothing worse is ever taken; `*present` is the value as g stands. */
static status try_present(reinsertion *r, const dag *g, double *present, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(g, r->target, &n_parents);
    double alone;
    CHECK(score_node(r->scorer, r->target, parents, n_parents, &alone, err));
    *present = alone - r->lost;
    for (size_t i = 0; i < r->n_children; i++) {
        if (dag_has_arc(g, r->target, r->children[i].node))
            *present += r->children[i].gain;
    }
    for (size_t i = 0; i < n_parents; i++)
        r->best[i] = parents[i];
    r->n_best = n_parents;
    r->best_value = alone + sum_children_of(r, parents, n_parents);
    return STATUS_OK;
}

static status try_none(reinsertion *r, error_info *err) {
    double alone;
    CHECK(score_node(r->scorer, r->target, NULL, 0, &alone, err));
    offer(r, 0, alone + sum_children_of(r, NULL, 0));
    return STATUS_OK;
}

/* Gives `rest` the arcs of the best set and hands it out. */
static status put_back(reinsertion *r, dag **g, error_info *err) {
    const uint64_t *forbidden = forbidden_by(r, r->max_parents + 1);
    (void)sum_children_of(r, r->best, r->n_best);
    for (size_t i = 0; i < r->n_children; i++) {
        if (!bits_have(forbidden, r->children[i].node))
            CHECK(dag_add_arc(r->rest, r->target, r->children[i].node, err));
    }
    for (size_t i = 0; i < r->n_best; i++)
        CHECK(dag_add_arc(r->rest, r->best[i], r->target, err));
    dag_destroy(*g);
    *g = TAKE(r->rest);
    return STATUS_OK;
}

status reinsertion_step(reinsertion *r, dag **g, size_t target, size_t max_parents, double *gain, bool *is_expired,
                        error_info *err) {
    const size_t *parents;
    size_t n_parents;
    double present;
    r->target = target;
    r->max_parents = max_parents;
    r->is_expired = false;
    *gain = 0;
    CHECK(rank_singles(r, target, err));
    CHECK(cut_out(r, *g, target, err));
    CHECK(list_children(r, *g, err));
    *is_expired = r->is_expired;
    if (r->is_expired)
        return STATUS_OK;
    parents = dag_parents(*g, target, &n_parents);
    list_candidates(r, parents, n_parents);
    CHECK(find_ancestors(r, err));
    CHECK(try_present(r, *g, &present, err));
    CHECK(try_none(r, err));
    CHECK(try_sets(r, err));
    *is_expired = r->is_expired;
    if (r->best_value > present + SCORE_TOLERANCE) {
        CHECK(put_back(r, g, err));
        *gain = r->best_value - present;
    }
    return STATUS_OK;
}
