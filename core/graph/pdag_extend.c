/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A DAG in the class of a PDAG: Dor and Tarsi 1992, A simple algorithm to construct a consistent extension of a
 * partially oriented graph, UCLA Cognitive Systems Laboratory R-185; and what to do where there is none.
 */
#include "core/graph/components.h"
#include "core/graph/equivalence.h"
#include "core/graph/index_heap.h"

#include <stdint.h>
#include <stdlib.h>

/* The DAG with g's skeleton in which every edge leads from the higher rank to the lower. */
static status orient_by_rank(const pdag *g, const size_t *rank, dag **out, error_info *err) {
    AUTO_FREE size_t *from = NULL, *to = NULL;
    size_t n_arcs = 0;

    CHECK_ALLOC(from = calloc(pdag_edge_count(g) + 1, sizeof *from));
    CHECK_ALLOC(to = calloc(pdag_edge_count(g) + 1, sizeof *to));
    for (size_t i = 0; i < pdag_node_count(g); i++) {
        size_t count;
        const pdag_edge *edges = pdag_edges(g, i, &count);
        for (size_t k = 0; k < count; k++) {
            if (rank[i] > rank[edges[k].node]) {
                from[n_arcs] = i;
                to[n_arcs++] = edges[k].node;
            }
        }
    }
    return dag_from_arcs(pdag_node_count(g), from, to, n_arcs, out, err);
}

/* ---- Dor and Tarsi ---- */

/* Ranks that are none yet: of nodes in the heap, and of the others. */
#define RANK_TAKEN (SIZE_MAX - 1)
#define RANK_LEFT SIZE_MAX

/*
 * Nodes are removed one by one, each a sink of what is left; `rank` tells when. Whether a node may be removed can only
 * turn from no to yes, so its check goes on where it stopped: at the undirected neighbour edges[neighbour[x]] and the
 * other neighbour edges[other[x]] that were not adjacent. All checks of a node together look at each such pair once,
 * and not at the nodes in front of edges[first[x]], which are gone: a hub loses its half a million leaves one by one.
 */
typedef struct {
    const pdag *g;
    size_t n_nodes;
    size_t *rank;      /* when it was removed; or RANK_TAKEN, or RANK_LEFT */
    size_t *n_out;     /* directed edges to nodes that are left */
    size_t *neighbour; /* see above */
    size_t *other;
    size_t *first;
    index_heap removable;
} removal;

static void removal_clear(removal *r) {
    free(r->rank);
    free(r->n_out);
    free(r->neighbour);
    free(r->other);
    free(r->first);
    index_heap_clear(&r->removable);
}

static status removal_init(removal *r, const pdag *g, error_info *err) {
    size_t n = pdag_node_count(g);

    *r = (removal){.g = g, .n_nodes = n};
    CHECK_ALLOC(r->rank = calloc(n + 1, sizeof *r->rank));
    CHECK_ALLOC(r->n_out = calloc(n + 1, sizeof *r->n_out));
    CHECK_ALLOC(r->neighbour = calloc(n + 1, sizeof *r->neighbour));
    CHECK_ALLOC(r->other = calloc(n + 1, sizeof *r->other));
    CHECK_ALLOC(r->first = calloc(n + 1, sizeof *r->first));
    for (size_t i = 0; i < n; i++) {
        size_t count;
        const pdag_edge *edges = pdag_edges(g, i, &count);
        r->rank[i] = RANK_LEFT;
        for (size_t k = 0; k < count; k++)
            r->n_out[i] += edges[k].kind == EDGE_OUT;
    }
    return STATUS_OK;
}

static bool is_left(const removal *r, size_t node) {
    return r->rank[node] >= RANK_TAKEN;
}

/* The first edge from `at` on to that node or a later one: a step where it is near, O(log distance) where it is not. */
static size_t seek(const pdag_edge *edges, size_t at, size_t count, size_t node) {
    size_t step = 1, end;
    if (at == count || edges[at].node >= node)
        return at;
    for (; at + step < count && edges[at + step].node < node; step *= 2)
        at += step;
    for (end = at + step < count ? at + step : count, at++; at < end;) {
        size_t middle = at + (end - at) / 2;
        if (edges[middle].node < node)
            at = middle + 1;
        else
            end = middle;
    }
    return at;
}

/* Are all that are left around x adjacent to its undirected neighbour y? Goes on from other[x]; both lists ascend. */
static bool is_adjacent_to_all(removal *r, size_t y, const pdag_edge *edges, size_t count, size_t *other) {
    size_t n_theirs, at = 0;
    const pdag_edge *theirs = pdag_edges(r->g, y, &n_theirs);
    for (; *other < count; (*other)++) {
        size_t z = edges[*other].node;
        if (z == y || !is_left(r, z))
            continue;
        at = seek(theirs, at, n_theirs, z);
        if (at == n_theirs || theirs[at].node != z)
            return false;
    }
    return true;
}

static bool is_removable(removal *r, size_t x) {
    size_t count;
    const pdag_edge *edges = pdag_edges(r->g, x, &count);
    if (r->n_out[x] > 0)
        return false;
    while (r->first[x] < count && !is_left(r, edges[r->first[x]].node))
        r->first[x]++;
    for (; r->neighbour[x] < count; r->neighbour[x]++, r->other[x] = r->first[x]) {
        const pdag_edge *edge = &edges[r->neighbour[x]];
        if (edge->kind == EDGE_UNDIRECTED && is_left(r, edge->node) &&
            !is_adjacent_to_all(r, edge->node, edges, count, &r->other[x]))
            return false;
    }
    return true;
}

static status offer(removal *r, size_t x, error_info *err) {
    if (r->rank[x] != RANK_LEFT || !is_removable(r, x))
        return STATUS_OK;
    r->rank[x] = RANK_TAKEN;
    return index_heap_push(&r->removable, x, err);
}

/* Removing x can make only its neighbours removable. */
static status remove_sink(removal *r, size_t x, size_t rank, error_info *err) {
    size_t count;
    const pdag_edge *edges = pdag_edges(r->g, x, &count);
    r->rank[x] = rank;
    for (size_t k = 0; k < count; k++) {
        r->n_out[edges[k].node] -= edges[k].kind == EDGE_IN;
        CHECK(offer(r, edges[k].node, err));
    }
    return STATUS_OK;
}

status pdag_extend(const pdag *g, dag **out, error_info *err) {
    dag *member = NULL;
    AUTO(removal_clear) removal r = {0};
    size_t n_removed = 0;

    CHECK(removal_init(&r, g, err));
    for (size_t i = 0; i < r.n_nodes; i++)
        CHECK(offer(&r, i, err));
    while (r.removable.count > 0)
        CHECK(remove_sink(&r, index_heap_pop(&r.removable), n_removed++, err));
    if (n_removed == r.n_nodes)
        CHECK(orient_by_rank(g, r.rank, &member, err));
    *out = member;
    return STATUS_OK;
}

/* ---- where there is none ---- */

static size_t next_child(const void *graph, size_t node, size_t *k) {
    size_t count;
    const pdag_edge *edges = pdag_edges(graph, node, &count);
    while (*k < count && edges[*k].kind != EDGE_OUT)
        ++*k;
    return *k < count ? edges[(*k)++].node : COMPONENTS_NO_EDGE;
}

/* A directed edge lies on a directed cycle if both ends have the same number. */
static status number_components(const pdag *g, size_t *component, error_info *err) {
    size_t n = pdag_node_count(g), n_components;
    AUTO_FREE size_t *order = calloc(n + 1, sizeof *order), *ends = calloc(n + 1, sizeof *ends);

    CHECK_ALLOC(order);
    CHECK_ALLOC(ends);
    CHECK(components_find(g, n, next_child, order, ends, &n_components, err));
    for (size_t c = 0, at = 0; c < n_components; c++) {
        for (; at < ends[c]; at++)
            component[order[at]] = c;
    }
    return STATUS_OK;
}

status pdag_find_cycle(const pdag *g, size_t *node, error_info *err) {
    AUTO_FREE size_t *component = NULL;

    CHECK_ALLOC(component = calloc(pdag_node_count(g) + 1, sizeof *component));
    CHECK(number_components(g, component, err));
    for (*node = 0; *node < pdag_node_count(g); (*node)++) {
        size_t count;
        const pdag_edge *edges = pdag_edges(g, *node, &count);
        for (size_t k = 0; k < count; k++) {
            if (edges[k].kind == EDGE_OUT && component[edges[k].node] == component[*node])
                return STATUS_OK;
        }
    }
    return STATUS_OK;
}

/* A copy in which the edges on directed cycles are undirected. */
static status without_cycles(const pdag *g, pdag **out, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *copy = NULL;
    AUTO_FREE size_t *component = NULL;

    CHECK_ALLOC(component = calloc(pdag_node_count(g) + 1, sizeof *component));
    CHECK(number_components(g, component, err));
    CHECK(pdag_copy(g, &copy, err));
    for (size_t i = 0; i < pdag_node_count(g); i++) {
        size_t count;
        const pdag_edge *edges = pdag_edges(g, i, &count);
        for (size_t k = 0; k < count; k++) {
            if (edges[k].kind == EDGE_OUT && component[i] == component[edges[k].node])
                CHECK(pdag_set_edge(copy, i, edges[k].node, EDGE_UNDIRECTED, err));
        }
    }
    *out = TAKE(copy);
    return STATUS_OK;
}

/*
 * Nodes by their number of arrows that point to nodes that are left: bucket[d] is a heap of the nodes that had d at
 * some time; an entry whose node has fewer by now, or is gone, is passed over.
 */
typedef struct {
    size_t n_buckets;
    index_heap *bucket;
} bucket_queue;

static status bucket_push(bucket_queue *q, size_t node, size_t n_out, error_info *err) {
    return index_heap_push(&q->bucket[n_out], node, err);
}

static void bucket_queue_clear(bucket_queue *q) {
    for (size_t d = 0; q->bucket && d < q->n_buckets; d++)
        index_heap_clear(&q->bucket[d]);
    free(q->bucket);
}

static status bucket_queue_init(bucket_queue *q, const removal *r, error_info *err) {
    for (size_t i = 0; i < r->n_nodes; i++)
        q->n_buckets = r->n_out[i] >= q->n_buckets ? r->n_out[i] + 1 : q->n_buckets;
    CHECK_ALLOC(q->bucket = calloc(q->n_buckets + 1, sizeof *q->bucket));
    for (size_t i = 0; i < r->n_nodes; i++)
        CHECK(bucket_push(q, i, r->n_out[i], err));
    return STATUS_OK;
}

/* The node that is left with the fewest arrows, the lowest of them; `*fewest` is a bucket below which there is none. */
static size_t take_nearest_sink(bucket_queue *q, const removal *r, size_t *fewest) {
    for (;;) {
        while (q->bucket[*fewest].count == 0)
            (*fewest)++;
        size_t node = index_heap_pop(&q->bucket[*fewest]);
        if (is_left(r, node) && r->n_out[node] == *fewest)
            return node;
    }
}

/* Every arrow of a removed node is lost and every other is kept: so take one with few (Eades, Lin, Smyth 1993). */
static status rank_by_greedy_removal(removal *r, error_info *err) {
    AUTO(bucket_queue_clear) bucket_queue q = {0};
    size_t fewest = 0;

    CHECK(bucket_queue_init(&q, r, err));
    for (size_t n_removed = 0; n_removed < r->n_nodes; n_removed++) {
        size_t x = take_nearest_sink(&q, r, &fewest), count;
        const pdag_edge *edges = pdag_edges(r->g, x, &count);
        r->rank[x] = n_removed;
        for (size_t k = 0; k < count; k++) {
            size_t y = edges[k].node;
            if (edges[k].kind != EDGE_IN || !is_left(r, y))
                continue;
            CHECK(bucket_push(&q, y, --r->n_out[y], err));
            fewest = r->n_out[y] < fewest ? r->n_out[y] : fewest;
        }
    }
    return STATUS_OK;
}

static status orient_greedily(const pdag *g, dag **out, error_info *err) {
    AUTO(removal_clear) removal r = {0};

    CHECK(removal_init(&r, g, err));
    CHECK(rank_by_greedy_removal(&r, err));
    return orient_by_rank(g, r.rank, out, err);
}

status pdag_orient(const pdag *g, dag **out, error_info *err) {
    if (pdag_directed_count(g) == pdag_edge_count(g))
        return pdag_to_dag(g, out, err);
    CHECK(pdag_extend(g, out, err));
    return *out ? STATUS_OK
                : error_set(err, STATUS_INVALID, "no DAG has the same skeleton, v-structures and directed edges");
}

status pdag_extend_anyway(const pdag *g, dag **out, int *fallback, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *uncycled = NULL;
    dag *member = NULL;
    int used = 0;

    CHECK(pdag_extend(g, &member, err));
    if (!member) {
        used = 1;
        CHECK(without_cycles(g, &uncycled, err));
        CHECK(pdag_extend(uncycled, &member, err));
    }
    if (!member) {
        used = 2;
        CHECK(orient_greedily(g, &member, err));
    }
    *out = member;
    *fallback = used;
    return STATUS_OK;
}
