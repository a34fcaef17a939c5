/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators at Y, grouped by the parents that they give Y. Insert(X, Y, T) is worth
 * S(Y, Pa + C + X) - S(Y, Pa + C) with C = NA(Y, X) + T, and C must be a clique: so every clique C among Y's neighbours
 * is visited once, and with it every X whose NA(Y, X) lies in C. All X of a clique share the counting of Y and Pa + C.
 * Delete(X, Y, H) likewise, with C = NA(Y, X) \ H.
 */
#include "learners/ges/ges_search_internal.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SCORE_BYTES = 1 << 28 }; /* past it all insertions are forgotten */

status ges_score_pairs(ges_search *s, error_info *err) {
    double *at = s->marginal;
    for (size_t y = 0; y < s->n && !s->is_expired; y++) {
        double alone, with;
        CHECK(score_node(s->plan->scorer, y, NULL, 0, &alone, err));
        for (size_t x = 0; x < y && !s->is_expired; x++) {
            CHECK(score_node_with(s->plan->scorer, y, NULL, 0, x, &with, err));
            *at++ = with - alone;
            s->is_expired = run_context_is_expired_at(s->ctx, x);
        }
    }
    return STATUS_OK;
}

static double marginal_gain(const ges_search *s, size_t x, size_t y) {
    return x < y ? s->marginal[y * (y - 1) / 2 + x] : s->marginal[x * (x - 1) / 2 + y];
}

static status keep(ges_search *s, double gain, size_t x, size_t y, uint32_t clique, error_info *err) {
    ges_arrow arrow = {gain, (uint32_t)x, (uint32_t)y, s->stamp[y], clique, 0};
    if (!(gain > SCORE_TOLERANCE)) /* nor where both scores are infinite */
        return STATUS_OK;
    s->n_arrows[y]++;
    return ges_arrows_push(&s->arrows, &arrow, err);
}

/* Pa(Y) and the clique, without one node. */
static size_t make_family(struct ges_scratch *w, size_t without) {
    size_t n = 0;
    for (size_t i = 0; i < w->n_parents; i++) {
        if (w->parents[i] != without)
            w->family[n++] = w->parents[i];
    }
    for (size_t i = 0; i < w->n_clique; i++)
        w->family[n++] = w->clique[i];
    return n;
}

/* --- cliques --- */

typedef status visit_clique(ges_search *s, size_t y, size_t x, error_info *err);

static bool extends_clique(const ges_search *s, size_t node) {
    for (size_t i = 0; i < s->scratch.n_clique; i++) {
        if (pdag_edge_between(s->graph.cpdag, s->scratch.clique[i], node) == EDGE_NONE)
            return false;
    }
    return true;
}

/* Adds `by` to the entries of the nodes that are adjacent to `node`. */
static void add_around(const ges_search *s, uint32_t *counters, size_t node, uint32_t by) {
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.cpdag, node, &count);
    for (size_t i = 0; i < count; i++)
        counters[edges[i].node] += by;
}

static int most_parents(const ges_search *s) {
    int wanted = s->plan->max_parents;
    return s->is_limited && (wanted < 0 || wanted > GES_FEW_PARENTS) ? GES_FEW_PARENTS : wanted;
}

/* Would a parent more, beside those of the family, be too many? */
static bool is_full_family(const ges_search *s, size_t n_family) {
    int most = most_parents(s);
    return most >= 0 && n_family >= (size_t)most;
}

/* The present clique, and every one that adds nodes of near[from ...] to it, as long as one more parent may join. */
static status visit_cliques(ges_search *s, size_t y, size_t x, size_t from, visit_clique *visit, error_info *err) {
    status st = STATUS_OK;
    struct ges_scratch *w = &s->scratch;
    s->is_expired = s->is_expired || run_context_is_expired(s->ctx);
    if (s->is_expired)
        return STATUS_OK;
    CHECK(visit(s, y, x, err));
    for (size_t i = from; i < w->n_near; i++) {
        if (is_full_family(s, w->n_parents + w->n_clique + (x == SIZE_MAX)) || !extends_clique(s, w->near[i]))
            continue;
        w->clique[w->n_clique++] = w->near[i];
        add_around(s, w->n_covered, w->near[i], 1);
        st = visit_cliques(s, y, x, i + 1, visit, err);
        add_around(s, w->n_covered, w->near[i], UINT32_MAX); /* less one */
        w->n_clique--;
        CHECK(st);
    }
    return st;
}

/* The cliques that add nodes of near[from ...] to the present one, itself among them; past `most` it stops. */
static size_t count_cliques(ges_search *s, size_t from, size_t most) {
    struct ges_scratch *w = &s->scratch;
    size_t n = 1;
    for (size_t i = from; i < w->n_near && n <= most; i++) {
        if (!extends_clique(s, w->near[i]))
            continue;
        w->clique[w->n_clique++] = w->near[i];
        n += count_cliques(s, i + 1, most - n);
        w->n_clique--;
    }
    return n;
}

static void limit_cliques(ges_search *s) {
    size_t most = (size_t)s->plan->max_cliques;
    if (s->plan->max_cliques >= 0 && !s->is_limited && count_cliques(s, 0, most) > most)
        s->is_limited = true;
}

/* --- insertions --- */

bool ges_is_full(const ges_search *s, size_t node) {
    size_t degree;
    (void)pdag_edges(s->graph.cpdag, node, &degree);
    return s->plan->max_degree >= 0 && degree >= (size_t)s->plan->max_degree;
}

static bool may_insert(const ges_search *s, size_t x) {
    const struct ges_scratch *w = &s->scratch;
    return !w->is_adjacent[x] && w->n_covered[x] == w->n_shared[x] && !ges_is_full(s, x);
}

/* The row of y and its family: the score with each further parent, NaN where it was not asked for yet. */
static status insertion_row(ges_search *s, size_t y, size_t n_family, double **out, error_info *err) {
    size_t most = MOST_SCORE_BYTES / ((s->n + 16) * sizeof **out) + 1;
    AUTO_FREE double *row = NULL;
    *out = family_index_find(s->insertions, y, s->scratch.family, n_family);
    if (*out)
        return STATUS_OK;
    if (family_index_count(s->insertions) == most)
        CHECK(family_index_forget(s->insertions, err));
    CHECK_ALLOC(row = malloc((s->n + 1) * sizeof *row));
    for (size_t x = 0; x < s->n; x++)
        row[x] = (double)NAN;
    CHECK(family_index_add(s->insertions, row, err));
    *out = TAKE(row);
    return STATUS_OK;
}

/* The score of y with its family and x, from the row of the family or into it; what is new joins scratch.asked. */
static status score_with(ges_search *s, size_t y, size_t n_family, size_t x, double *row, size_t *n_asked,
                         error_info *err) {
    if (!isnan(row[x])) {
        score_count(s->plan->scorer, 1, 0);
        return STATUS_OK;
    }
    s->scratch.asked[(*n_asked)++] = x;
    CHECK(score_node_fresh(s->plan->scorer, y, s->scratch.family, n_family, x, &row[x], err));
    s->is_expired = run_context_is_expired_at(s->ctx, x);
    return STATUS_OK;
}

/* Every X that the clique suits. */
static status score_insertions(ges_search *s, size_t y, size_t ignored, error_info *err) {
    struct ges_scratch *w = &s->scratch;
    size_t n = make_family(w, SIZE_MAX), n_asked = 0;
    double without = (double)NAN, *row = NULL;
    uint32_t clique;
    (void)ignored;
    if (is_full_family(s, n))
        return STATUS_OK;
    CHECK(ges_sets_add(&s->cliques, w->clique, w->n_clique, &clique, err));
    for (size_t x = 0; x < s->n && !s->is_expired; x++) {
        if (!may_insert(s, x))
            continue;
        if (n == 0) {
            CHECK(keep(s, marginal_gain(s, x, y), x, y, clique, err));
            continue;
        }
        if (!row) {
            CHECK(score_node(s->plan->scorer, y, w->family, n, &without, err));
            CHECK(insertion_row(s, y, n, &row, err));
        }
        if (isinf(without))
            break; /* too many configurations to count already */
        CHECK(score_with(s, y, n, x, row, &n_asked, err));
        CHECK(keep(s, row[x] - without, x, y, clique, err));
    }
    return score_count_additions(s->plan->scorer, y, w->family, n, w->asked, n_asked, err);
}

static status score_inserts_into(ges_search *s, size_t y, error_info *err) {
    status st;
    struct ges_scratch *w = &s->scratch;
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.cpdag, y, &count);
    if (ges_is_full(s, y))
        return STATUS_OK;
    w->n_near = 0;
    w->is_adjacent[y] = 1;
    for (size_t i = 0; i < count; i++) {
        w->is_adjacent[edges[i].node] = 1;
        if (edges[i].kind == EDGE_UNDIRECTED) {
            w->near[w->n_near++] = edges[i].node;
            add_around(s, w->n_shared, edges[i].node, 1);
        }
    }
    limit_cliques(s);
    st = visit_cliques(s, y, SIZE_MAX, 0, score_insertions, err);
    w->is_adjacent[y] = 0;
    for (size_t i = 0; i < count; i++)
        w->is_adjacent[edges[i].node] = 0;
    for (size_t i = 0; i < w->n_near; i++)
        add_around(s, w->n_shared, w->near[i], UINT32_MAX);
    return st;
}

/* --- deletions --- */

static status score_deletion(ges_search *s, size_t y, size_t x, error_info *err) {
    size_t n = make_family(&s->scratch, x);
    double without, with;
    uint32_t clique;
    CHECK(score_node(s->plan->scorer, y, s->scratch.family, n, &without, err));
    CHECK(score_node_with(s->plan->scorer, y, s->scratch.family, n, x, &with, err));
    if (without - with > SCORE_TOLERANCE) {
        CHECK(ges_sets_add(&s->cliques, s->scratch.clique, s->scratch.n_clique, &clique, err));
        CHECK(keep(s, without - with, x, y, clique, err));
    }
    return STATUS_OK;
}

static status score_deletes_into(ges_search *s, size_t y, error_info *err) {
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.cpdag, y, &count);
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == EDGE_OUT)
            continue;
        s->scratch.n_near = ges_graph_shared(&s->graph, y, edges[i].node, s->scratch.near);
        CHECK(visit_cliques(s, y, edges[i].node, 0, score_deletion, err));
    }
    return STATUS_OK;
}

status ges_score_operators(ges_search *s, ges_phase phase, size_t y, error_info *err) {
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.cpdag, y, &count);
    s->stamp[y]++;
    s->n_stale += s->n_arrows[y];
    s->n_arrows[y] = 0;
    s->scratch.n_parents = 0;
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == EDGE_IN)
            s->scratch.parents[s->scratch.n_parents++] = edges[i].node;
    }
    return phase == GES_INSERT ? score_inserts_into(s, y, err) : score_deletes_into(s, y, err);
}
