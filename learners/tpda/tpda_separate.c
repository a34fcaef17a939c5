/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is an edge needed? EdgeNeeded_H, EdgeNeeded and EdgeNeeded* of Cheng, Greiner, Kelly, Bell, Liu 2002. A pair is
 * separated by a set of nodes that lie between its ends and bring their information below the threshold: sought
 * greedily one by one, by rounds that trust in monotone faithfulness, or among all subsets. Only nodes on a path that
 * joins the pair are asked about.
 */
#include "learners/tpda/tpda_internal.h"

#include "learners/base/set_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void init_foresight(tpda_separator *s) {
    const tpda_rules *rules = s->rules;
    bool is_possible = rules->n_of_threads > 1 && s->source->compute;
    s->foresight = (tpda_foresight){
        .source = s->source, .others = rules->of_threads, .threads = is_possible ? rules->threads : NULL};
}

status tpda_separator_init(tpda_separator *s, error_info *err) {
    init_foresight(s);
    CHECK(path_finder_create(s->n, &s->paths, err));
    CHECK_ALLOC(s->near_x = calloc(s->n, sizeof *s->near_x));
    CHECK_ALLOC(s->near_y = calloc(s->n, sizeof *s->near_y));
    CHECK_ALLOC(s->around_x = calloc(s->n, sizeof *s->around_x));
    CHECK_ALLOC(s->around_y = calloc(s->n, sizeof *s->around_y));
    CHECK_ALLOC(s->set = calloc(s->n, sizeof *s->set));
    CHECK_ALLOC(s->trial = calloc(s->n, sizeof *s->trial));
    CHECK_ALLOC(s->chosen = calloc(s->n, sizeof *s->chosen));
    CHECK_ALLOC(s->mark = calloc(s->n, sizeof *s->mark));
    return STATUS_OK;
}

void tpda_separator_clear(tpda_separator *s) {
    path_finder_destroy(s->paths);
    tpda_foresight_clear(&s->foresight);
    free(s->near_x);
    free(s->near_y);
    free(s->around_x);
    free(s->around_y);
    free(s->set);
    free(s->trial);
    free(s->chosen);
    free(s->mark);
}

/* --- sets of nodes --- */

typedef struct {
    const size_t *nodes; /* ascending */
    size_t n;
} node_set;

/* True if a path other than the edge itself joins the pair. */
static bool has_detour(tpda_separator *s, const tpda_pair *pair) {
    size_t count;
    tpda_foresight_begin(&s->foresight, pair->x, pair->y);
    s->is_between = path_finder_find(s->paths, s->g, pair->x, pair->y, &count);
    return count > 0;
}

/* Neighbours of x on a path of the pair at hand. */
static node_set find_near(const tpda_separator *s, size_t x, size_t *nodes) {
    size_t n_edges, n = 0;
    const pdag_edge *edges = pdag_edges(s->g, x, &n_edges);
    for (size_t i = 0; i < n_edges; i++) {
        if (s->is_between[edges[i].node])
            nodes[n++] = edges[i].node;
    }
    return (node_set){nodes, n};
}

/* Those marked, ascending; takes the marks away. */
static node_set collect_marked(tpda_separator *s, size_t *nodes) {
    size_t n = 0;
    for (size_t v = 0; v < s->n; v++) {
        if (s->mark[v])
            nodes[n++] = v;
        s->mark[v] = false;
    }
    return (node_set){nodes, n};
}

/* The set and those of its neighbours that lie on a path. */
static node_set find_around(tpda_separator *s, node_set near, size_t *nodes) {
    for (size_t i = 0; i < near.n; i++) {
        size_t n_edges;
        const pdag_edge *edges = pdag_edges(s->g, near.nodes[i], &n_edges);
        s->mark[near.nodes[i]] = true;
        for (size_t j = 0; j < n_edges; j++)
            s->mark[edges[j].node] = s->mark[edges[j].node] || s->is_between[edges[j].node];
    }
    return collect_marked(s, nodes);
}

static node_set unite(tpda_separator *s, node_set a, node_set b, size_t *nodes) {
    for (size_t i = 0; i < a.n; i++)
        s->mark[a.nodes[i]] = true;
    for (size_t i = 0; i < b.n; i++)
        s->mark[b.nodes[i]] = true;
    return collect_marked(s, nodes);
}

/* The sets in which a separating set is sought: one, or two, the smaller first. */
static size_t find_sources(tpda_separator *s, const tpda_pair *pair, node_set out[2]) {
    node_set x = find_near(s, pair->x, s->near_x), y = find_near(s, pair->y, s->near_y);
    if (s->rules->by_union) {
        out[0] = unite(s, x, y, s->around_x);
        return 1;
    }
    out[0] = y.n < x.n ? y : x;
    out[1] = y.n < x.n ? x : y;
    return 2;
}

/* --- questions --- */

/* About the pair at hand. */
static status ask(tpda_separator *s, const size_t *set, size_t n, double *out, error_info *err) {
    return tpda_foresight_ask(&s->foresight, set, n, out, err);
}

/* The set's members but one. */
static size_t leave_out(const tpda_separator *s, size_t n, size_t left_out, size_t *out) {
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (i != left_out)
            out[m++] = s->set[i];
    }
    return m;
}

static status ask_without(tpda_separator *s, size_t n, size_t left_out, double *out, error_info *err) {
    size_t m = leave_out(s, n, left_out, s->trial);
    return ask(s, s->trial, m, out, err);
}

/* ask_without will be asked of each member. */
static status foresee_without(tpda_separator *s, size_t n, error_info *err) {
    if (!tpda_foresight_is_worth(&s->foresight, n))
        return STATUS_OK;
    for (size_t i = 0; i < n; i++) {
        size_t *set = tpda_foresight_add(&s->foresight, n - 1, err);
        if (!set)
            return STATUS_MEMORY;
        (void)leave_out(s, n, i, set);
    }
    return tpda_foresight_compute(&s->foresight, err);
}

static void remove_member(size_t *set, size_t *n, size_t at) {
    for (size_t i = at + 1; i < *n; i++)
        set[i - 1] = set[i];
    --*n;
}

static status keep_cut(tpda_pair *pair, const size_t *set, size_t n, error_info *err) {
    size_t *cut = calloc(n + 1, sizeof *cut);
    CHECK_ALLOC(cut);
    memcpy(cut, set, n * sizeof *cut);
    free(pair->cut);
    pair->cut = cut;
    pair->n_cut = n;
    pair->is_separated = true;
    return STATUS_OK;
}

static bool is_below(const tpda_separator *s, double value) {
    return value < s->rules->threshold;
}

/* --- EdgeNeeded_H --- */

static const double tie = 1e-12; /* nats: what rounding may do */

/* The member without which the information is least, the first of several. */
static status find_worst_member(tpda_separator *s, size_t n, size_t *worst, double *least, error_info *err) {
    *least = INFINITY;
    CHECK(foresee_without(s, n, err));
    for (size_t i = 0; i < n; i++) {
        double value;
        CHECK(ask_without(s, n, i, &value, err));
        if (value < *least - tie) {
            *worst = i;
            *least = value;
        }
    }
    return STATUS_OK;
}

/* Members leave one by one while the information does not rise. */
static status shrink(tpda_separator *s, tpda_pair *pair, node_set from, error_info *err) {
    size_t n = from.n, worst = 0;
    double value, least;
    memcpy(s->set, from.nodes, n * sizeof *s->set);
    CHECK(ask(s, s->set, n, &value, err));
    while (!is_below(s, value) && n > 1 && !run_context_is_expired(s->ctx)) {
        CHECK(find_worst_member(s, n, &worst, &least, err));
        if (least > value + tie)
            return STATUS_OK;
        remove_member(s->set, &n, worst);
        value = least;
    }
    if (is_below(s, value))
        CHECK(keep_cut(pair, s->set, n, err));
    return STATUS_OK;
}

status tpda_separate_heuristically(tpda_separator *s, tpda_pair *pair, error_info *err) {
    node_set sources[2];
    size_t n_sources;
    if (!has_detour(s, pair))
        return STATUS_OK;
    n_sources = find_sources(s, pair, sources);
    for (size_t i = 0; i < n_sources && !pair->is_separated; i++)
        CHECK(shrink(s, pair, sources[i], err));
    return STATUS_OK;
}

/* --- EdgeNeeded --- */

/* One round: every member that the information does not need leaves at once; `*n` stays where none does. */
static status drop_members(tpda_separator *s, tpda_pair *pair, size_t *n, double value, error_info *err) {
    size_t n_kept = 0;
    CHECK(foresee_without(s, *n, err));
    for (size_t i = 0; i < *n; i++) {
        double without;
        CHECK(ask_without(s, *n, i, &without, err));
        if (is_below(s, without)) {
            CHECK(keep_cut(pair, s->trial, *n - 1, err));
            return STATUS_OK;
        }
        if (without > value + s->rules->threshold)
            s->chosen[n_kept++] = s->set[i];
    }
    memcpy(s->set, s->chosen, n_kept * sizeof *s->set);
    *n = n_kept;
    return STATUS_OK;
}

status tpda_separate_monotonely(tpda_separator *s, tpda_pair *pair, error_info *err) {
    node_set x, y, smaller;
    size_t n, before;
    double value;
    if (!has_detour(s, pair))
        return STATUS_OK;
    x = find_around(s, find_near(s, pair->x, s->near_x), s->around_x);
    y = find_around(s, find_near(s, pair->y, s->near_y), s->around_y);
    smaller = y.n < x.n ? y : x;
    n = smaller.n;
    memcpy(s->set, smaller.nodes, n * sizeof *s->set);
    do {
        before = n;
        CHECK(ask(s, s->set, n, &value, err));
        if (is_below(s, value))
            CHECK(keep_cut(pair, s->set, n, err));
        else if (n > 1)
            CHECK(drop_members(s, pair, &n, value, err));
    } while (!pair->is_separated && n > 0 && n < before && !run_context_is_expired(s->ctx));
    return STATUS_OK;
}

/* --- EdgeNeeded* --- */

static status try_subsets(tpda_separator *s, tpda_pair *pair, node_set from, size_t size, error_info *err) {
    set_walk w = {.pool = from.nodes, .n_pool = from.n, .k = size, .places = s->chosen, .set = s->trial};
    bool more = set_walk_first(&w);
    do {
        double value;
        CHECK(ask(s, s->trial, size, &value, err));
        if (is_below(s, value))
            CHECK(keep_cut(pair, s->trial, size, err));
        more = !pair->is_separated && set_walk_next(&w);
    } while (more && !run_context_is_expired(s->ctx));
    return STATUS_OK;
}

status tpda_separate_exhaustively(tpda_separator *s, tpda_pair *pair, error_info *err) {
    node_set sources[2];
    size_t n_sources;
    if (!has_detour(s, pair))
        return STATUS_OK;
    n_sources = find_sources(s, pair, sources);
    for (size_t i = 0; i < n_sources; i++) {
        for (size_t size = 1; size <= sources[i].n && !pair->is_separated && !run_context_is_expired(s->ctx); size++)
            CHECK(try_subsets(s, pair, sources[i], size, err));
    }
    return STATUS_OK;
}
