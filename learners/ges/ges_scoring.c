/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators at Y, grouped by the parents that they give Y. Insert(X, Y, T) is worth
 * S(Y, Pa + C + X) - S(Y, Pa + C) with C = NA(Y, X) + T, and C must be a clique: so every clique C among Y's neighbours
 * is visited once, and with it every X whose NA(Y, X) lies in C. All X of a clique share the counting of Y and Pa + C.
 * Delete(X, Y, H) likewise, with C = NA(Y, X) \ H.
 */
#include "learners/ges/ges_search_internal.h"

#include "core/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        if (pdag_edge_between(s->graph.class.cpdag, s->scratch.clique[i], node) == EDGE_NONE)
            return false;
    }
    return true;
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
        st = visit_cliques(s, y, x, i + 1, visit, err);
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
    (void)pdag_edges(s->graph.class.cpdag, node, &degree);
    return s->plan->max_degree >= 0 && degree >= (size_t)s->plan->max_degree;
}

static void leave_out(ges_search *s, size_t x) {
    s->scratch.out_bits[x / 64] |= UINT64_C(1) << x % 64;
}

static void leave_out_around(ges_search *s, size_t node) {
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.class.cpdag, node, &count);
    for (size_t i = 0; i < count; i++)
        leave_out(s, edges[i].node);
}

/* Takes the nodes out of the bits, ascending. */
static size_t take_bits(uint64_t *bits, size_t n_words, size_t *out) {
    size_t n = 0;
    for (size_t w = 0; w < n_words; w++) {
        for (; bits[w]; bits[w] &= bits[w] - 1)
            out[n++] = 64 * w + (size_t)__builtin_ctzll(bits[w]);
    }
    return n;
}

/*
 * The nodes that cannot be X, ascending: y; what is adjacent to it; what is adjacent to one of its neighbours outside
 * of the clique, so that NA(Y, X) does not lie in the clique; what is full.
 */
static void list_left_out(ges_search *s, size_t y) {
    struct ges_scratch *w = &s->scratch;
    leave_out(s, y);
    leave_out_around(s, y);
    for (size_t i = 0; i < w->n_near; i++) {
        if (!array_has_size(w->clique, w->n_clique, w->near[i]))
            leave_out_around(s, w->near[i]);
    }
    for (size_t x = 0; s->plan->max_degree >= 0 && x < s->n; x++) {
        if (ges_is_full(s, x))
            leave_out(s, x);
    }
    w->n_left_out = take_bits(w->out_bits, s->n / 64 + 1, w->left_out);
}

/* The row of the family with the clique; NULL where nothing can be said of it, as its score is infinite. */
static status ask_for_row(ges_search *s, size_t y, size_t n_family, error_info *err) {
    struct ges_scratch *w = &s->scratch;
    double without = 0;
    CHECK(score_node(s->plan->scorer, y, w->family, n_family, &without, err));
    if (isinf(without))
        return STATUS_OK; /* too many configurations to count already */
    if (!ges_rows_find(&s->rows, y, w->family, n_family))
        CHECK(ges_rows_add(&s->rows, y, w->family, n_family, without, err));
    return score_count_additions_but(s->plan->scorer, y, w->family, n_family, w->left_out, w->n_left_out, err);
}

/* The clique, to be looked at when all rows are filled. */
static status note_insertions(ges_search *s, size_t y, size_t n_family, error_info *err) {
    struct ges_scratch *w = &s->scratch;
    ges_visit visit = {.y = (uint32_t)y, .stamp = s->stamp[y]};
    CHECK(ges_sets_add(&s->cliques, w->clique, w->n_clique, &visit.clique, err));
    CHECK(ges_sets_add(&s->noted, w->family, n_family, &visit.family, err));
    CHECK(ges_sets_add(&s->noted, w->left_out, w->n_left_out, &visit.left_out, err));
    return ARRAY_PUSH(s->visits, s->n_visits, s->visits_capacity, err, visit);
}

static status keep_noted(ges_search *s, error_info *err);

/* Every X that the clique suits. */
static status score_insertions(ges_search *s, size_t y, size_t ignored, error_info *err) {
    struct ges_scratch *w = &s->scratch;
    size_t n = make_family(w, SIZE_MAX);
    (void)ignored;
    if (is_full_family(s, n))
        return STATUS_OK;
    list_left_out(s, y);
    if (w->n_left_out == s->n)
        return STATUS_OK;
    if (n > 0)
        CHECK(ask_for_row(s, y, n, err));
    CHECK(note_insertions(s, y, n, err));
    return ges_rows_are_many(&s->rows) ? keep_noted(s, err) : STATUS_OK;
}

/* The gains of a row but for the nodes left out, which ascend. */
static status keep_row(ges_search *s, const ges_visit *visit, const ges_row *row, error_info *err) {
    size_t n_left_out, k = 0;
    const size_t *left_out = ges_sets_get(&s->noted, visit->left_out, &n_left_out);
    for (size_t i = 0; i < row->n; i++) {
        size_t x = row->gains[i].x;
        while (k < n_left_out && left_out[k] < x)
            k++;
        if (k == n_left_out || left_out[k] != x)
            CHECK(keep(s, row->gains[i].gain, x, visit->y, visit->clique, err));
    }
    return STATUS_OK;
}

/* Makes arrows of what was noted, once its rows are filled. A node that was noted anew since is passed over. */
static status keep_noted(ges_search *s, error_info *err) {
    CHECK(ges_rows_fill(&s->rows, &s->is_expired, err));
    for (size_t i = 0; i < s->n_visits && !s->is_expired; i++) {
        const ges_visit *visit = &s->visits[i];
        size_t n_family;
        const size_t *family = ges_sets_get(&s->noted, visit->family, &n_family);
        const ges_row *row =
            n_family > 0 ? ges_rows_find(&s->rows, visit->y, family, n_family) : s->first_arcs[visit->y];
        if (row && visit->stamp == s->stamp[visit->y])
            CHECK(keep_row(s, visit, row, err));
    }
    s->n_visits = s->noted.count = 0;
    return s->is_expired ? STATUS_OK : ges_rows_shrink(&s->rows, err);
}

static status score_inserts_into(ges_search *s, size_t y, error_info *err) {
    struct ges_scratch *w = &s->scratch;
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.class.cpdag, y, &count);
    if (ges_is_full(s, y))
        return STATUS_OK;
    w->n_near = 0;
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == EDGE_UNDIRECTED)
            w->near[w->n_near++] = edges[i].node;
    }
    limit_cliques(s);
    return visit_cliques(s, y, SIZE_MAX, 0, score_insertions, err);
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
    const pdag_edge *edges = pdag_edges(s->graph.class.cpdag, y, &count);
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == EDGE_OUT)
            continue;
        s->scratch.n_near = ges_graph_shared(&s->graph, y, edges[i].node, s->scratch.near);
        CHECK(visit_cliques(s, y, edges[i].node, 0, score_deletion, err));
    }
    return STATUS_OK;
}

/* The arrows into y are those that come now. */
static void start_anew(ges_search *s, size_t y) {
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.class.cpdag, y, &count);
    s->stamp[y]++;
    s->n_stale += s->n_arrows[y];
    s->n_arrows[y] = 0;
    s->scratch.n_parents = 0;
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == EDGE_IN)
            s->scratch.parents[s->scratch.n_parents++] = edges[i].node;
    }
}

status ges_score_operators(ges_search *s, ges_phase phase, const size_t *nodes, size_t n, error_info *err) {
    for (size_t i = 0; i < n && !s->is_expired; i++) {
        start_anew(s, nodes[i]);
        CHECK(phase == GES_INSERT ? score_inserts_into(s, nodes[i], err) : score_deletes_into(s, nodes[i], err));
    }
    return keep_noted(s, err);
}
