/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which arcs of a DAG are compelled follows from its v-structures by the rules R1 to R3 of Meek (UAI 1995). The labels
 * of the arcs into a node y depend on the adjacencies of its parents and on the labels of the arcs into these: so after
 * a change at y they are found anew there and at its children, and from a node whose labels have changed on, at its
 * children again. As the DAG has no cycle, the labels that agree with each other everywhere are the only ones.
 *
 * The edges that are not compelled form chordal graphs; any order of a maximum cardinality search (Tarjan and
 * Yannakakis 1984, SIAM Journal on Computing 13) makes a member of the class of one, and it may start with any clique.
 */
#include "learners/ges/ges_labels_internal.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

/* A node of a bucket; buckets are lists, from the last. */
struct ges_bucket_entry {
    size_t node, next;
};

#define NONE SIZE_MAX

status ges_class_init(ges_class *c, size_t n_nodes, error_info *err) {
    c->n = n_nodes;
    CHECK_ALLOC(c->is_listed = calloc(n_nodes + 1, sizeof *c->is_listed));
    CHECK_ALLOC(c->rank = calloc(n_nodes + 1, sizeof *c->rank));
    CHECK_ALLOC(c->degree = calloc(n_nodes + 1, sizeof *c->degree));
    for (size_t i = 0; i < n_nodes; i++)
        c->rank[i] = NONE;
    CHECK(pdag_create(n_nodes, &c->member, err));
    return pdag_create(n_nodes, &c->cpdag, err);
}

void ges_class_clear(ges_class *c) {
    pdag_destroy(c->cpdag);
    pdag_destroy(c->member);
    free(c->past);
    free(c->is_listed);
    free(c->list);
    free(c->rank);
    free(c->entries);
    free(c->heads);
    free(c->degree);
    free(c->is_compelled);
    *c = (ges_class){0};
}

/* --- another member --------------------------------------------------------------------------- */

static bool is_turned(const ges_class *c, size_t y, const size_t *before, size_t n_before) {
    size_t count;
    const pdag_edge *edges = pdag_edges(c->cpdag, y, &count);
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == EDGE_UNDIRECTED && (pdag_edge_between(c->member, y, edges[i].node) == EDGE_IN) !=
                                                    array_has_size(before, n_before, edges[i].node))
            return false;
    }
    return true;
}

static status put_in_bucket(ges_class *c, size_t bucket, size_t node, error_info *err) {
    size_t had = c->heads_capacity;
    CHECK(ARRAY_RESERVE(c->heads, c->heads_capacity, bucket + 1, err));
    for (size_t i = had; i < c->heads_capacity; i++)
        c->heads[i] = NONE;
    CHECK(ARRAY_PUSH(c->entries, c->n_entries, c->entries_capacity, err,
                     (struct ges_bucket_entry){node, c->heads[bucket]}));
    c->heads[bucket] = c->n_entries - 1;
    return STATUS_OK;
}

/* Gives the node the next rank; its neighbours without one have one more neighbour with one. */
static status rank_next(ges_class *c, size_t node, size_t *n_ranked, size_t *top, error_info *err) {
    size_t count;
    const pdag_edge *edges = pdag_edges(c->cpdag, node, &count);
    CHECK(ARRAY_RESERVE(c->list, c->list_capacity, *n_ranked + 1, err));
    c->list[*n_ranked] = node;
    c->rank[node] = (*n_ranked)++;
    for (size_t i = 0; i < count; i++) {
        size_t z = edges[i].node;
        if (edges[i].kind != EDGE_UNDIRECTED || c->rank[z] != NONE)
            continue;
        c->degree[z]++;
        *top = c->degree[z] > *top ? c->degree[z] : *top;
        CHECK(put_in_bucket(c, c->degree[z], z, err));
    }
    return STATUS_OK;
}

/* The node without a rank that has the most neighbours with one; NONE: all that hang together have one. */
static size_t take_top(ges_class *c, size_t *top) {
    for (; *top > 0; (*top)--) {
        while (c->heads[*top] != NONE) {
            size_t node = c->entries[c->heads[*top]].node;
            c->heads[*top] = c->entries[c->heads[*top]].next;
            if (c->rank[node] == NONE && c->degree[node] == *top)
                return node;
        }
    }
    return NONE;
}

static status rank_component(ges_class *c, size_t y, const size_t *before, size_t n_before, size_t *n_ranked,
                             error_info *err) {
    size_t top = 0;
    c->n_entries = 0;
    for (size_t i = 0; i < n_before; i++)
        CHECK(rank_next(c, before[i], n_ranked, &top, err));
    for (size_t node = y; node != NONE; node = take_top(c, &top))
        CHECK(rank_next(c, node, n_ranked, &top, err));
    return STATUS_OK;
}

static status turn_edges(ges_class *c, size_t node, error_info *err) {
    size_t count;
    const pdag_edge *edges = pdag_edges(c->cpdag, node, &count);
    for (size_t i = 0; i < count; i++) {
        size_t z = edges[i].node;
        if (edges[i].kind == EDGE_UNDIRECTED && c->rank[node] < c->rank[z] &&
            pdag_edge_between(c->member, node, z) != EDGE_OUT)
            CHECK(pdag_set_edge(c->member, node, z, EDGE_OUT, err));
    }
    return STATUS_OK;
}

status ges_class_turn(ges_class *c, size_t y, const size_t *before, size_t n_before, error_info *err) {
    size_t n_ranked = 0;
    if (is_turned(c, y, before, n_before))
        return STATUS_OK;
    CHECK(rank_component(c, y, before, n_before, &n_ranked, err));
    for (size_t i = 0; i < n_ranked; i++)
        CHECK(turn_edges(c, c->list[i], err));
    for (size_t i = 0; i < n_ranked; i++) {
        c->rank[c->list[i]] = NONE;
        c->degree[c->list[i]] = 0;
    }
    return STATUS_OK;
}

/* --- labels ----------------------------------------------------------------------------------- */

static bool is_arc(const pdag *g, size_t from, size_t to) {
    return pdag_edge_between(g, from, to) == EDGE_OUT;
}

static bool is_adjacent(const ges_class *c, size_t a, size_t b) {
    return pdag_edge_between(c->member, a, b) != EDGE_NONE;
}

/* a -> y by R1: a compelled arc z -> a, and z is not adjacent to y. */
static bool follows_from_above(const ges_class *c, size_t a, size_t y) {
    size_t count;
    const pdag_edge *edges = pdag_edges(c->cpdag, a, &count);
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == EDGE_IN && !is_adjacent(c, edges[i].node, y))
            return true;
    }
    return false;
}

/* a -> y in a v-structure, or by R3: of one of two parents z and w of y, not adjacent to each other, a is a parent. */
static bool follows_from_parents(const ges_class *c, size_t a, const size_t *parents, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (parents[i] != a && !is_adjacent(c, a, parents[i]))
            return true;
    }
    for (size_t i = 0; i < n; i++) {
        if (parents[i] == a || !is_arc(c->member, a, parents[i]))
            continue;
        for (size_t k = 0; k < n; k++) {
            if (parents[k] != a && k != i && !is_adjacent(c, parents[i], parents[k]))
                return true;
        }
    }
    return false;
}

/* a -> y by R2: compelled a -> z -> y. */
static bool follows_from_between(const ges_class *c, size_t a, const size_t *parents, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (c->is_compelled[i] && is_arc(c->cpdag, a, parents[i]))
            return true;
    }
    return false;
}

static void label(ges_class *c, size_t y, const size_t *parents, size_t n) {
    bool goes_on = true;
    for (size_t i = 0; i < n; i++)
        c->is_compelled[i] = follows_from_parents(c, parents[i], parents, n) || follows_from_above(c, parents[i], y);
    while (goes_on) {
        goes_on = false;
        for (size_t i = 0; i < n; i++) {
            if (c->is_compelled[i] || !follows_from_between(c, parents[i], parents, n))
                continue;
            c->is_compelled[i] = 1;
            goes_on = true;
        }
    }
}

static status set_edge(ges_class *c, size_t a, size_t b, edge_kind kind, error_info *err) {
    ges_past_edge past = a < b ? (ges_past_edge){a, b, pdag_edge_between(c->cpdag, a, b), c->n_past}
                               : (ges_past_edge){b, a, pdag_edge_between(c->cpdag, b, a), c->n_past};
    CHECK(ARRAY_PUSH(c->past, c->n_past, c->past_capacity, err, past));
    return pdag_set_edge(c->cpdag, a, b, kind, err);
}

/* The nodes at the other end of arcs of the member out of y, or into it. */
static size_t list_ends(const ges_class *c, size_t y, edge_kind kind, size_t *out) {
    size_t count, n = 0;
    const pdag_edge *edges = pdag_edges(c->member, y, &count);
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == kind)
            out[n++] = edges[i].node;
    }
    return n;
}

static status relabel(ges_class *c, size_t y, bool *has_changed, error_info *err) {
    size_t count, n;
    AUTO_FREE size_t *parents = NULL;
    (void)pdag_edges(c->member, y, &count);
    CHECK_ALLOC(parents = calloc(count + 1, sizeof *parents));
    CHECK(ARRAY_RESERVE(c->is_compelled, c->compelled_capacity, count + 1, err));
    n = list_ends(c, y, EDGE_IN, parents);
    label(c, y, parents, n);
    for (size_t i = 0; i < n; i++) {
        edge_kind kind = c->is_compelled[i] ? EDGE_OUT : EDGE_UNDIRECTED;
        if (pdag_edge_between(c->cpdag, parents[i], y) != kind) {
            CHECK(set_edge(c, parents[i], y, kind, err));
            *has_changed = true;
        }
    }
    return STATUS_OK;
}

/* Puts the children of y, but for those that are listed, behind the `*end` nodes of the list. */
static status list_children(ges_class *c, size_t y, size_t *end, error_info *err) {
    size_t count;
    const pdag_edge *edges = pdag_edges(c->member, y, &count);
    CHECK(ARRAY_RESERVE(c->list, c->list_capacity, *end + count + 1, err));
    for (size_t i = 0; i < count; i++) {
        size_t z = edges[i].node;
        if (edges[i].kind != EDGE_OUT || c->is_listed[z])
            continue;
        c->is_listed[z] = 1;
        c->list[(*end)++] = z;
    }
    return STATUS_OK;
}

static status relabel_from(ges_class *c, size_t y, error_info *err) {
    status st = STATUS_OK;
    size_t end = 0, i = 0;
    bool has_changed = true; /* another arc into y */
    TRY(relabel(c, y, &has_changed, err));
    TRY(list_children(c, y, &end, err));
    for (; i < end; i++) {
        size_t node = c->list[i];
        c->is_listed[node] = 0;
        has_changed = false;
        TRY(relabel(c, node, &has_changed, err));
        if (has_changed)
            TRY(list_children(c, node, &end, err));
    }
cleanup:
    for (; i < end; i++)
        c->is_listed[c->list[i]] = 0;
    return st;
}

status ges_class_add(ges_class *c, size_t x, size_t y, error_info *err) {
    CHECK(pdag_set_edge(c->member, x, y, EDGE_OUT, err));
    return relabel_from(c, y, err);
}

status ges_class_remove(ges_class *c, size_t x, size_t y, error_info *err) {
    CHECK(pdag_set_edge(c->member, x, y, EDGE_NONE, err));
    CHECK(set_edge(c, x, y, EDGE_NONE, err));
    return relabel_from(c, y, err);
}

/* --- what has changed ------------------------------------------------------------------------- */

static int compare_past(const void *left, const void *right) {
    const ges_past_edge *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

/* Edges to children do not count. */
static bool differ(edge_kind a, edge_kind b) {
    return (a == EDGE_OUT ? EDGE_NONE : a) != (b == EDGE_OUT ? EDGE_NONE : b);
}

static edge_kind seen_from_b(edge_kind kind) {
    return kind == EDGE_OUT ? EDGE_IN : kind == EDGE_IN ? EDGE_OUT : kind;
}

static void list_once(ges_class *c, size_t node, size_t *list, size_t *n) {
    if (!c->is_listed[node])
        list[(*n)++] = node;
    c->is_listed[node] = 1;
}

void ges_class_changes(ges_class *c, size_t *changed, size_t *n_changed) {
    size_t n = 0;
    if (c->n_past > 1)
        qsort(c->past, c->n_past, sizeof *c->past, compare_past);
    for (size_t i = 0; i < c->n_past; i++) {
        const ges_past_edge *past = &c->past[i];
        edge_kind now = pdag_edge_between(c->cpdag, past->a, past->b);
        if (i > 0 && past[-1].a == past->a && past[-1].b == past->b)
            continue;
        if (differ(past->kind, now))
            list_once(c, past->a, changed, &n);
        if (differ(seen_from_b(past->kind), seen_from_b(now)))
            list_once(c, past->b, changed, &n);
    }
    for (size_t i = 0; i < n; i++)
        c->is_listed[changed[i]] = 0;
    array_sort_sizes(changed, n);
    *n_changed = n;
    c->n_past = 0;
}
