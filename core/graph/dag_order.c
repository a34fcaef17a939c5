/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths and orders. A dag keeps a topological order, so a search for a path looks at the part
 * between its ends alone. */
#include "core/graph/dag_internal.h"

#include "core/base/bits.h"
#include "core/graph/index_heap.h"

#include <stdlib.h>
#include <string.h>

enum { AHEAD = 8 }; /* nodes whose neighbours are fetched before their turn */

status dag_search_create(size_t n_nodes, dag_search **out, error_info *err) {
    AUTO_PTR(dag_search_destroy) dag_search *s = NULL;
    CHECK_ALLOC(s = calloc(1, sizeof *s));
    CHECK_ALLOC(s->marks = calloc(n_nodes + 1, sizeof *s->marks));
    CHECK_ALLOC(s->queue = calloc(n_nodes + 1, sizeof *s->queue));
    CHECK_ALLOC(s->nodes = calloc(n_nodes + 1, sizeof *s->nodes));
    CHECK_ALLOC(s->before = calloc(n_nodes / 64 + 1, sizeof *s->before));
    CHECK_ALLOC(s->after = calloc(n_nodes / 64 + 1, sizeof *s->after));
    *out = TAKE(s);
    return STATUS_OK;
}

void dag_search_destroy(dag_search *s) {
    if (!s)
        return;
    free(s->marks);
    free(s->queue);
    free(s->nodes);
    free(s->before);
    free(s->after);
    free(s);
}

/* The next two stamps, too, are in no mark. */
static void clear_marks_of(dag_search *search, size_t n_nodes) {
    if (++search->stamp >= UINT32_MAX - 2) {
        memset(search->marks, 0, n_nodes * sizeof *search->marks);
        search->stamp = 1;
    }
}

static void clear_marks(const dag *g) {
    clear_marks_of(g->search, g->n_nodes);
}

static bool mark(dag_search *search, size_t node) {
    if (search->marks[node] == search->stamp)
        return false;
    search->marks[node] = search->stamp;
    return true;
}

/*
 * Collects at queue[begin ..] the nodes that `start` leads to along the lists without leaving the positions
 * lowest .. highest; returns the end. Stops early, with the end of what it has, where it meets `goal`.
 */
static size_t collect(const dag *g, const index_list *lists, size_t start, size_t lowest, size_t highest, size_t begin,
                      size_t goal, bool *met) {
    dag_search *search = g->search;
    size_t end = begin;
    *met = false;
    (void)mark(search, start);
    search->queue[end++] = start;
    for (size_t at = begin; at < end; at++) {
        const index_list *next = &lists[search->queue[at]];
        if (at + AHEAD < end)
            __builtin_prefetch(lists[search->queue[at + AHEAD]].items);
        for (size_t k = 0; k < next->count; k++) {
            size_t node = next->items[k];
            if (node == goal) {
                *met = true;
                return end;
            }
            if (g->position[node] >= lowest && g->position[node] <= highest && mark(search, node))
                search->queue[end++] = node;
        }
    }
    return end;
}

/* One half of a search from both ends: a queue of nodes with a mark of their own. */
typedef struct {
    const index_list *lists; /* where it goes from a node */
    size_t *nodes, at, end;
    size_t n_looks;
    uint32_t mark;
} half_search;

static half_search begin_half(dag_search *search, const index_list *lists, size_t *nodes, size_t start) {
    half_search half = {lists, nodes, 0, 1, 0, ++search->stamp};
    search->marks[start] = half.mark;
    nodes[0] = start;
    return half;
}

/* Goes on from one node, to those between the positions; true where the other half has been. */
static bool go_on(const dag *g, uint32_t *marks, half_search *half, uint32_t others, size_t lowest, size_t highest) {
    const index_list *next = &half->lists[half->nodes[half->at++]];
    half->n_looks += next->count;
    if (half->at + AHEAD < half->end)
        __builtin_prefetch(half->lists[half->nodes[half->at + AHEAD]].items);
    for (size_t k = 0; k < next->count; k++) {
        size_t node = next->items[k];
        if (marks[node] == others)
            return true;
        if (marks[node] == half->mark || g->position[node] < lowest || g->position[node] > highest)
            continue;
        marks[node] = half->mark;
        half->nodes[half->end++] = node;
    }
    return false;
}

size_t dag_search_steps(const dag *g) {
    return g->search->n_steps;
}

/* From both ends, the one with less before it first: where one of them has little, the other need not go far. */
static bool do_meet(const dag *g, dag_search *search, half_search *down, half_search *up) {
    bool is_met = false;
    size_t lowest = g->position[down->nodes[0]], highest = g->position[up->nodes[0]];
    while (!is_met && down->at < down->end && up->at < up->end) {
        bool goes_down = down->end - down->at <= up->end - up->at;
        is_met = goes_down ? go_on(g, search->marks, down, up->mark, lowest, highest)
                           : go_on(g, search->marks, up, down->mark, lowest, highest);
    }
    search->n_steps += down->n_looks + up->n_looks;
    return is_met;
}

bool dag_reaches_by(const dag *g, dag_search *search, size_t from, size_t to) {
    if (from >= g->n_nodes || to >= g->n_nodes)
        return false;
    if (from == to)
        return true;
    if (g->position[from] > g->position[to])
        return false;
    clear_marks_of(search, g->n_nodes);
    half_search down = begin_half(search, g->children, search->queue, from);
    half_search up = begin_half(search, g->parents, search->nodes, to);
    return do_meet(g, search, &down, &up);
}

bool dag_reaches(const dag *g, size_t from, size_t to) {
    return dag_reaches_by(g, g->search, from, to);
}

/* Goes on from x but to y. Its mark goes, so that the way up meets it by the arc without a word. */
static void leave_by_others(const dag *g, uint32_t *marks, half_search *down, size_t x, size_t y) {
    const index_list *next = &g->children[x];
    down->at++;
    marks[x] = 0;
    for (size_t k = 0; k < next->count; k++) {
        size_t node = next->items[k];
        if (node == y || g->position[node] > g->position[y])
            continue;
        marks[node] = down->mark;
        down->nodes[down->end++] = node;
    }
}

bool dag_reaches_otherwise(const dag *g, size_t x, size_t y) {
    dag_search *search = g->search;
    clear_marks(g);
    half_search down = begin_half(search, g->children, search->queue, x);
    half_search up = begin_half(search, g->parents, search->nodes, y);
    leave_by_others(g, search->marks, &down, x, y);
    return do_meet(g, search, &down, &up);
}

static void mark_all(const index_list *lists, size_t node, uint64_t *bits, size_t *list) {
    size_t end = 0;
    bits_add(bits, node);
    list[end++] = node;
    for (size_t at = 0; at < end; at++) {
        const index_list *next = &lists[list[at]];
        if (at + AHEAD < end)
            __builtin_prefetch(lists[list[at + AHEAD]].items);
        for (size_t i = 0; i < next->count; i++) {
            size_t z = next->items[i];
            if (bits_have(bits, z))
                continue;
            bits_add(bits, z);
            list[end++] = z;
        }
    }
}

void dag_mark_above(const dag *g, size_t node, uint64_t *bits, size_t *list) {
    mark_all(g->parents, node, bits, list);
}

void dag_mark_below(const dag *g, size_t node, uint64_t *bits, size_t *list) {
    mark_all(g->children, node, bits, list);
}

/* The nodes at the places of these words, in their order; how many. */
static size_t list_nodes(const dag *g, const uint64_t *places, size_t first, size_t last, size_t *out) {
    size_t n = 0;
    for (size_t w = first; w <= last; w++) {
        for (uint64_t rest = places[w]; rest != 0; rest &= rest - 1)
            out[n++] = g->node_at[64 * w + (size_t)__builtin_ctzll(rest)];
    }
    return n;
}

/*
 * queue[0 .. n_after) must come after queue[n_after .. n_all); each group keeps its own order, and together they keep
 * the same places, between `lowest` and `highest`. Bits put them in order without a comparison.
 */
static void reorder(dag *g, size_t n_after, size_t n_all, size_t lowest, size_t highest) {
    dag_search *s = g->search;
    size_t first = lowest / 64, last = highest / 64, n;
    for (size_t k = 0; k < n_all; k++)
        bits_add(k < n_after ? s->after : s->before, g->position[s->queue[k]]);
    n = list_nodes(g, s->before, first, last, s->nodes);
    (void)list_nodes(g, s->after, first, last, s->nodes + n);
    n = 0;
    for (size_t w = first; w <= last; w++) {
        for (uint64_t rest = s->before[w] | s->after[w]; rest != 0; rest &= rest - 1) {
            size_t place = 64 * w + (size_t)__builtin_ctzll(rest), node = s->nodes[n++];
            g->position[node] = place;
            g->node_at[place] = node;
        }
        s->before[w] = s->after[w] = 0;
    }
}

bool dag_order_before(dag *g, size_t from, size_t to) {
    size_t lowest = g->position[to], highest = g->position[from];
    bool met;
    if (highest < lowest)
        return true;
    clear_marks(g);
    size_t n_after = collect(g, g->children, to, lowest, highest, 0, from, &met);
    if (met)
        return false;
    size_t n_all = collect(g, g->parents, from, lowest, highest, n_after, SIZE_MAX, &met);
    reorder(g, n_after, n_all, lowest, highest);
    return true;
}

/* Kahn's algorithm; `*n_placed` < n_nodes where a cycle keeps nodes from being ready. */
static status sort_nodes(const dag *g, size_t *order, size_t *n_placed, error_info *err) {
    AUTO_FREE size_t *waiting = calloc(g->n_nodes + 1, sizeof *waiting); /* parents that are not placed yet */
    AUTO(index_heap_clear) index_heap ready = {0};

    CHECK_ALLOC(waiting);
    *n_placed = 0;
    for (size_t i = 0; i < g->n_nodes; i++) {
        waiting[i] = g->parents[i].count;
        if (waiting[i] == 0)
            CHECK(index_heap_push(&ready, i, err));
    }
    while (ready.count > 0) {
        size_t node = index_heap_pop(&ready);
        order[(*n_placed)++] = node;
        for (size_t k = 0; k < g->children[node].count; k++) {
            size_t child = g->children[node].items[k];
            if (--waiting[child] == 0)
                CHECK(index_heap_push(&ready, child, err));
        }
    }
    return STATUS_OK;
}

status dag_topological_order(const dag *g, size_t *order, error_info *err) {
    size_t n_placed;
    return sort_nodes(g, order, &n_placed, err);
}

/* A node on a cycle: walk back over nodes that were never placed until one comes again. */
static size_t find_cycle(const dag *g, const size_t *order, size_t n_placed) {
    dag_search *search = g->search;
    size_t node = 0;
    clear_marks(g);
    for (size_t k = 0; k < n_placed; k++)
        (void)mark(search, order[k]);
    while (search->marks[node] == search->stamp)
        node++;
    memset(search->queue, 0, g->n_nodes * sizeof *search->queue);
    while (search->queue[node]++ == 0) {
        size_t k = 0;
        while (search->marks[g->parents[node].items[k]] == search->stamp)
            k++;
        node = g->parents[node].items[k];
    }
    return node;
}

status dag_order_all(dag *g, error_info *err) {
    size_t n_placed = 0;
    CHECK(sort_nodes(g, g->node_at, &n_placed, err));
    if (n_placed < g->n_nodes)
        return error_set(err, STATUS_INVALID, "the arcs close a cycle through node %zu",
                         find_cycle(g, g->node_at, n_placed));
    for (size_t k = 0; k < g->n_nodes; k++)
        g->position[g->node_at[k]] = k;
    return STATUS_OK;
}
