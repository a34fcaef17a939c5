/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/pdag.h"

#include "core/base/array.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    pdag_edge *items; /* ascending by node */
    size_t count, capacity;
} edge_list;

struct pdag {
    size_t n_nodes, n_edges, n_directed;
    edge_list *lists;
};

/* ---- lists ---- */

static size_t find(const edge_list *list, size_t node, bool *found) {
    size_t at;
    ARRAY_FIND_PLACE(at, list->count, list->items[at].node < node);
    *found = at < list->count && list->items[at].node == node;
    return at;
}

/* Exact where the list is empty, as one that is about to be filled knows its size. */
static status reserve(edge_list *list, size_t capacity, error_info *err) {
    return ARRAY_RESERVE(list->items, list->capacity, capacity, err);
}

/* Room is reserved where a new entry may come. */
static void set_entry(edge_list *list, size_t node, edge_kind kind) {
    bool found;
    size_t place = find(list, node, &found);
    size_t behind = list->count - place;
    if (kind == EDGE_NONE && found) {
        memmove(list->items + place, list->items + place + 1, (behind - 1) * sizeof *list->items);
        list->count--;
    } else if (kind != EDGE_NONE) {
        if (!found) {
            if (behind > 0)
                memmove(list->items + place + 1, list->items + place, behind * sizeof *list->items);
            list->count++;
        }
        list->items[place] = (pdag_edge){node, kind};
    }
}

/* Room is reserved. */
static void append(edge_list *list, size_t node, edge_kind kind) {
    assert(list->items && list->count < list->capacity);
    list->items[list->count++] = (pdag_edge){node, kind};
}

static edge_kind seen_from_the_other(edge_kind kind) {
    return kind == EDGE_OUT ? EDGE_IN : kind == EDGE_IN ? EDGE_OUT : kind;
}

static bool is_directed(edge_kind kind) {
    return kind == EDGE_OUT || kind == EDGE_IN;
}

/* ---- life ---- */

status pdag_create(size_t n_nodes, pdag **out, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *g = calloc(1, sizeof *g);
    CHECK_ALLOC(g);
    CHECK_ALLOC(g->lists = calloc(n_nodes + 1, sizeof *g->lists)); /* one more: calloc of nothing may give NULL */
    g->n_nodes = n_nodes;
    *out = TAKE(g);
    return STATUS_OK;
}

void pdag_destroy(pdag *g) {
    if (!g)
        return;
    for (size_t i = 0; i < g->n_nodes; i++)
        free(g->lists[i].items);
    free(g->lists);
    free(g);
}

status pdag_copy(const pdag *g, pdag **out, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *copy = NULL;

    CHECK(pdag_create(g->n_nodes, &copy, err));
    for (size_t i = 0; i < g->n_nodes; i++) {
        const edge_list *from = &g->lists[i];
        CHECK(reserve(&copy->lists[i], from->count, err));
        for (size_t k = 0; k < from->count; k++)
            append(&copy->lists[i], from->items[k].node, from->items[k].kind);
    }
    copy->n_edges = g->n_edges;
    copy->n_directed = g->n_directed;
    *out = TAKE(copy);
    return STATUS_OK;
}

/* ---- questions ---- */

size_t pdag_node_count(const pdag *g) {
    return g->n_nodes;
}

size_t pdag_edge_count(const pdag *g) {
    return g->n_edges;
}

size_t pdag_directed_count(const pdag *g) {
    return g->n_directed;
}

const pdag_edge *pdag_edges(const pdag *g, size_t node, size_t *count) {
    *count = g->lists[node].count;
    return g->lists[node].items;
}

edge_kind pdag_edge_between(const pdag *g, size_t a, size_t b) {
    if (a >= g->n_nodes || b >= g->n_nodes)
        return EDGE_NONE;
    bool found, from_b = g->lists[b].count < g->lists[a].count; /* search the shorter list */
    const edge_list *list = &g->lists[from_b ? b : a];
    size_t place = find(list, from_b ? a : b, &found);
    if (!found)
        return EDGE_NONE;
    return from_b ? seen_from_the_other(list->items[place].kind) : list->items[place].kind;
}

bool pdag_is_equal(const pdag *a, const pdag *b) {
    if (a->n_nodes != b->n_nodes || a->n_edges != b->n_edges || a->n_directed != b->n_directed)
        return false;
    for (size_t i = 0; i < a->n_nodes; i++) {
        const edge_list *x = &a->lists[i], *y = &b->lists[i];
        if (x->count != y->count)
            return false;
        for (size_t k = 0; k < x->count; k++) {
            if (x->items[k].node != y->items[k].node || x->items[k].kind != y->items[k].kind)
                return false;
        }
    }
    return true;
}

/* ---- changes ---- */

static status check_pair(size_t n_nodes, size_t a, size_t b, error_info *err) {
    if (a >= n_nodes || b >= n_nodes)
        return error_set(err, STATUS_INVALID, "edge %zu, %zu: there are only %zu nodes, from 0 on", a, b, n_nodes);
    if (a == b)
        return error_set(err, STATUS_INVALID, "edge %zu, %zu: a node has no edge to itself", a, b);
    return STATUS_OK;
}

status pdag_set_edge(pdag *g, size_t a, size_t b, edge_kind kind, error_info *err) {
    CHECK(check_pair(g->n_nodes, a, b, err));
    edge_kind before = pdag_edge_between(g, a, b);
    if (before == EDGE_NONE && kind != EDGE_NONE) {
        CHECK(reserve(&g->lists[a], g->lists[a].count + 1, err));
        CHECK(reserve(&g->lists[b], g->lists[b].count + 1, err));
    }
    set_entry(&g->lists[a], b, kind);
    set_entry(&g->lists[b], a, seen_from_the_other(kind));
    g->n_edges += (size_t)(kind != EDGE_NONE) - (size_t)(before != EDGE_NONE);
    g->n_directed += (size_t)is_directed(kind) - (size_t)is_directed(before);
    return STATUS_OK;
}

/* ---- all edges at once ---- */

static int compare_edges(const void *a, const void *b) {
    size_t x = ((const pdag_edge *)a)->node, y = ((const pdag_edge *)b)->node;
    return (x > y) - (x < y);
}

static status sort_and_check(edge_list *list, size_t node, error_info *err) {
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, compare_edges);
    for (size_t k = 1; k < list->count; k++) {
        if (list->items[k].node == list->items[k - 1].node)
            return error_set(err, STATUS_INVALID, "nodes %zu and %zu have two edges; a pair has one at most", node,
                             list->items[k].node);
    }
    return STATUS_OK;
}

/* Gives each list exactly the room that it needs. */
static status size_lists(pdag *g, const pdag_pair *pairs, size_t n_pairs, error_info *err) {
    AUTO_FREE size_t *degree = calloc(g->n_nodes + 1, sizeof *degree);

    CHECK_ALLOC(degree);
    for (size_t k = 0; k < n_pairs; k++) {
        CHECK(check_pair(g->n_nodes, pairs[k].a, pairs[k].b, err));
        degree[pairs[k].a] += pairs[k].kind != EDGE_NONE;
        degree[pairs[k].b] += pairs[k].kind != EDGE_NONE;
    }
    for (size_t i = 0; i < g->n_nodes; i++)
        CHECK(reserve(&g->lists[i], degree[i], err));
    return STATUS_OK;
}

status pdag_from_pairs(size_t n_nodes, const pdag_pair *pairs, size_t n_pairs, pdag **out, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *g = NULL;

    CHECK(pdag_create(n_nodes, &g, err));
    CHECK(size_lists(g, pairs, n_pairs, err));
    for (size_t k = 0; k < n_pairs; k++) {
        const pdag_pair *pair = &pairs[k];
        if (pair->kind == EDGE_NONE)
            continue;
        append(&g->lists[pair->a], pair->b, pair->kind);
        append(&g->lists[pair->b], pair->a, seen_from_the_other(pair->kind));
        g->n_edges++;
        g->n_directed += is_directed(pair->kind);
    }
    for (size_t i = 0; i < n_nodes; i++)
        CHECK(sort_and_check(&g->lists[i], i, err));
    *out = TAKE(g);
    return STATUS_OK;
}

/* ---- from one kind of graph to another ---- */

/* Parents and children are both ascending: merge them. */
static status merge_neighbours(const dag *g, size_t node, edge_list *list, error_info *err) {
    size_t n_parents, n_children, i = 0, j = 0;
    const size_t *parents = dag_parents(g, node, &n_parents), *children = dag_children(g, node, &n_children);
    CHECK(reserve(list, n_parents + n_children, err));
    while (i < n_parents || j < n_children) {
        if (j == n_children || (i < n_parents && parents[i] < children[j]))
            append(list, parents[i++], EDGE_IN);
        else
            append(list, children[j++], EDGE_OUT);
    }
    return STATUS_OK;
}

status pdag_from_dag(const dag *g, pdag **out, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *copy = NULL;

    CHECK(pdag_create(dag_node_count(g), &copy, err));
    for (size_t i = 0; i < copy->n_nodes; i++)
        CHECK(merge_neighbours(g, i, &copy->lists[i], err));
    copy->n_edges = copy->n_directed = dag_arc_count(g);
    *out = TAKE(copy);
    return STATUS_OK;
}

static status find_undirected(const pdag *g, error_info *err) {
    for (size_t i = 0; i < g->n_nodes; i++) {
        for (size_t k = 0; k < g->lists[i].count; k++) {
            if (g->lists[i].items[k].kind == EDGE_UNDIRECTED)
                return error_set(err, STATUS_INVALID,
                                 "the edge between nodes %zu and %zu is undirected; a DAG is needed", i,
                                 g->lists[i].items[k].node);
        }
    }
    return STATUS_OK;
}

status pdag_to_dag(const pdag *g, dag **out, error_info *err) {
    AUTO_FREE size_t *from = NULL, *to = NULL;
    size_t n_arcs = 0;

    if (g->n_directed < g->n_edges)
        CHECK(find_undirected(g, err));
    CHECK_ALLOC(from = calloc(g->n_edges + 1, sizeof *from));
    CHECK_ALLOC(to = calloc(g->n_edges + 1, sizeof *to));
    for (size_t i = 0; i < g->n_nodes; i++) {
        for (size_t k = 0; k < g->lists[i].count; k++) {
            if (g->lists[i].items[k].kind == EDGE_OUT) {
                from[n_arcs] = i;
                to[n_arcs++] = g->lists[i].items[k].node;
            }
        }
    }
    return dag_from_arcs(g->n_nodes, from, to, n_arcs, out, err);
}

status pdag_skeleton(const pdag *g, pdag **out, error_info *err) {
    pdag *copy = NULL;
    CHECK(pdag_copy(g, &copy, err));
    for (size_t i = 0; i < copy->n_nodes; i++) {
        for (size_t k = 0; k < copy->lists[i].count; k++)
            copy->lists[i].items[k].kind = EDGE_UNDIRECTED;
    }
    copy->n_directed = 0;
    *out = copy;
    return STATUS_OK;
}

static const char *const kind_names[] = {[GRAPH_DAG] = "dag", [GRAPH_CPDAG] = "cpdag", [GRAPH_SKELETON] = "skeleton"};

const char *graph_kind_name(graph_kind kind) {
    return kind_names[kind];
}

bool graph_kind_find(const char *name, graph_kind *out) {
    for (graph_kind kind = GRAPH_DAG; kind <= GRAPH_SKELETON; kind++) {
        if (strcmp(name, kind_names[kind]) == 0) {
            *out = kind;
            return true;
        }
    }
    return false;
}

status pdag_kind(const pdag *g, graph_kind *out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *as_dag = NULL;
    status st = g->n_directed < g->n_edges ? STATUS_INVALID : pdag_to_dag(g, &as_dag, err);
    if (st != STATUS_OK && st != STATUS_INVALID)
        return st;
    *out = st == STATUS_OK ? GRAPH_DAG : g->n_directed == 0 ? GRAPH_SKELETON : GRAPH_CPDAG;
    return STATUS_OK;
}
