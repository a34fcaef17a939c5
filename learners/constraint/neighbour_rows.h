/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The neighbours of every node of an undirected graph that only loses edges: of a few million edges and more, memory
 * is what there is the least of. Eight bytes an edge, and one more where edges are marked. */
#ifndef BNB_LEARNERS_CONSTRAINT_NEIGHBOUR_ROWS_H
#define BNB_LEARNERS_CONSTRAINT_NEIGHBOUR_ROWS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Of one node, ascending. */
typedef struct {
    const uint32_t *items;
    size_t count;
} neighbour_row;

/** Neighbours below some nodes, each of which has all of them here and no row yet. */
typedef struct {
    uint32_t *items;
    size_t count, capacity;
    size_t n_nodes;
} neighbour_chunk;

/** Those that one thread has found. */
typedef struct {
    neighbour_chunk *chunks;
    size_t n_chunks, capacity;
} neighbour_part;

/** Where those of a node are. */
typedef struct {
    uint32_t part, chunk;
    size_t start;
} neighbour_place;

typedef struct {
    size_t n_nodes, n_parts;
    neighbour_part *parts;  /* before neighbour_rows_join, as: */
    neighbour_place *below; /* by node that has some */
    uint32_t *counts;       /* by node: its neighbours, and: */
    size_t *starts;         /* where they begin in: */
    uint32_t *items;
    size_t *edges;        /* by node: where its edges to lower nodes begin in: */
    unsigned char *marks; /* by edge; NULL: not wanted yet */
    size_t marks_capacity;
} neighbour_rows;

/** Below 2^32 nodes, without edges. */
BNB_MUST_CHECK status neighbour_rows_init(neighbour_rows *r, size_t n_nodes, size_t n_parts, error_info *err);
void neighbour_rows_clear(neighbour_rows *r);

/** The neighbours below a node, ascending; copied. At most once a node; a part is for one thread at a time. */
BNB_MUST_CHECK status neighbour_rows_put_below(neighbour_rows *r, size_t part, size_t node, const size_t *neighbours,
                                               size_t n, error_info *err);

/** Makes the rows of what was put, once; that goes bit by bit meanwhile. What follows is for afterwards. */
BNB_MUST_CHECK status neighbour_rows_join(neighbour_rows *r, error_info *err);

static inline neighbour_row neighbour_rows_get(const neighbour_rows *r, size_t node) {
    return (neighbour_row){r->items + r->starts[node], r->counts[node]};
}

/** How many neighbours of a node are below `other`: its place, if it is one. O(log count), as the next one. */
size_t neighbour_rows_find(const neighbour_rows *r, size_t node, size_t other);
bool neighbour_rows_has(const neighbour_rows *r, size_t node, size_t other);

/** Lays the neighbours out as size_t; returns their number. */
size_t neighbour_rows_copy(const neighbour_rows *r, size_t node, size_t *out);

/** Every edge is marked with 0. */
BNB_MUST_CHECK status neighbour_rows_unmark(neighbour_rows *r, error_info *err);

/** How many neighbours of a node are below it, and their marks. */
static inline size_t neighbour_rows_count_below(const neighbour_rows *r, size_t node) {
    return r->edges[node + 1] - r->edges[node];
}
static inline unsigned char *neighbour_rows_marks_below(const neighbour_rows *r, size_t node) {
    return r->marks + r->edges[node];
}

/** Of an edge. */
static inline unsigned char *neighbour_rows_mark(const neighbour_rows *r, size_t a, size_t b) {
    size_t lower = a < b ? a : b, upper = a < b ? b : a;
    return neighbour_rows_marks_below(r, upper) + neighbour_rows_find(r, upper, lower);
}

/** Marks of the edges from one node after the other to higher nodes, for one thread: without a search, and of each edge
 * one line of memory is read. */
typedef struct {
    size_t node;
    size_t *at; /* by higher node: the edge's place among all marks; of other nodes, that of the next lower neighbour */
} mark_cursor;

BNB_MUST_CHECK status mark_cursor_init(mark_cursor *c, const neighbour_rows *r, error_info *err);
void mark_cursor_clear(mark_cursor *c);

/** Before anything else after neighbour_rows_unmark. O(nodes). */
void mark_cursor_restart(mark_cursor *c, const neighbour_rows *r);

/** Turns to a node. O(edges of the nodes between), and at most O(nodes) more than from the first node. */
void mark_cursor_seek(mark_cursor *c, const neighbour_rows *r, size_t node);

/** Of the edge to a higher node, which there is. */
static inline unsigned char *mark_cursor_get(const mark_cursor *c, const neighbour_rows *r, size_t higher) {
    return r->marks + c->at[higher];
}

/** Takes away the edges whose mark is `limit` or more; marks have no meaning any more. O(nodes + edges). */
BNB_MUST_CHECK status neighbour_rows_keep(neighbour_rows *r, unsigned char limit, error_info *err);

#endif
