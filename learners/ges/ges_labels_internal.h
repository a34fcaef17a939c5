/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A class of equivalent DAGs, held as its CPDAG and one member, and changed arc by arc: only what an arc can reach is
 * looked at.
 */
#ifndef BNB_LEARNERS_GES_GES_LABELS_INTERNAL_H
#define BNB_LEARNERS_GES_GES_LABELS_INTERNAL_H

#include "core/graph/pdag.h"

#include <stdint.h>

/** What an edge of the CPDAG was, a < b, seen from a. */
typedef struct {
    size_t a, b;
    edge_kind kind;
    size_t turn; /* the earlier, the lower */
} ges_past_edge;

/** Zero-initialise. */
typedef struct {
    pdag *cpdag;
    pdag *member; /* a DAG: every edge is directed */
    size_t n;
    ges_past_edge *past; /* edges of the CPDAG before they were set, since the last ges_class_changes */
    size_t n_past, past_capacity;
    unsigned char *is_listed; /* per node; zero between calls */
    size_t *list, *rank;
    size_t list_capacity;
    struct ges_bucket_entry *entries; /* of a maximum cardinality search */
    size_t n_entries, entries_capacity;
    size_t *heads, heads_capacity, *degree;
    unsigned char *is_compelled; /* of the arcs into the node at work */
    size_t compelled_capacity;
} ges_class;

/** The graph without edges. */
BNB_MUST_CHECK status ges_class_init(ges_class *c, size_t n_nodes, error_info *err);
void ges_class_clear(ges_class *c);

/**
 * Takes a member in which, of the undirected neighbours of y, those of `before` are parents and all others children.
 * `before` must be a clique. O(undirected edges that hang together with y); O(1) where the member is such.
 */
BNB_MUST_CHECK status ges_class_turn(ges_class *c, size_t y, const size_t *before, size_t n_before, error_info *err);

/**
 * Adds x -> y to the member, or takes it out, and makes the CPDAG that of the new member. The class becomes that of
 * the member as it was with the arc or without: a caller has turned it first.
 */
BNB_MUST_CHECK status ges_class_add(ges_class *c, size_t x, size_t y, error_info *err);
BNB_MUST_CHECK status ges_class_remove(ges_class *c, size_t x, size_t y, error_info *err);

/** The nodes that have other parents or undirected neighbours since the last call, ascending; `changed` has room for n.
 */
void ges_class_changes(ges_class *c, size_t *changed, size_t *n_changed);

#endif
