/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The shortest cycle of a graph without cycles to which arcs were added: every cycle goes through one of them. It is
 * searched from both its ends, on a copy that differs from the graph in a few sets.
 */
#ifndef BNB_LEARNERS_SGS_CYCLES_INTERNAL_H
#define BNB_LEARNERS_SGS_CYCLES_INTERNAL_H

#include "learners/sgs/sgs_state_internal.h"

typedef struct sgs_cycles sgs_cycles;

/** The graph, borrowed: by node the sets of its parents and of its children, of n_words each, a multiple of
 * SGS_SET_BLOCK. */
typedef struct {
    size_t n_nodes, n_words;
    const uint64_t *parents, *children;
} sgs_cycles_graph;

/** What searches hung on, sets of nodes: no cycle would be shorter, or come before the one that was found, if an arc
 * appeared of whose tail the children were not read, nor the parents of its head. */
typedef struct {
    uint64_t *parents_read, *children_read;
} sgs_cycles_reading;

BNB_MUST_CHECK status sgs_cycles_create(const sgs_cycles_graph *graph, sgs_cycles **out, error_info *err);
void sgs_cycles_destroy(sgs_cycles *c); /* NULL is fine */
AUTO_PTR_OF(sgs_cycles, sgs_cycles_destroy)

/** Goes on with another graph of as many nodes, which its sets of parents tell from this one; sgs_cycles_begin comes
 * next. */
void sgs_cycles_turn_to(sgs_cycles *c, const sgs_cycles_graph *graph);

/** The copy is the graph again, which may have changed. */
void sgs_cycles_begin(sgs_cycles *c);

/** An arc that the copy has not, or has. After an error only sgs_cycles_begin goes on. */
BNB_MUST_CHECK status sgs_cycles_add(sgs_cycles *c, sgs_arc arc, error_info *err);
BNB_MUST_CHECK status sgs_cycles_remove(sgs_cycles *c, sgs_arc arc, error_info *err);

/**
 * The nodes of the shortest cycle, from the head of an added arc along the arcs to its tail; of several, one through
 * the arc that was added first, and of those the one that comes first when they are read backwards. Valid until the
 * next call; NULL, and no nodes, where there is none. What is read is added to `reading`.
 */
BNB_MUST_CHECK status sgs_cycles_find(sgs_cycles *c, const sgs_cycles_reading *reading, const size_t **cycle,
                                      size_t *n_nodes, error_info *err);

#endif
