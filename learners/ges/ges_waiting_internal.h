/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Insertions that wait for a path to be broken, found again from the edges of the path. */
#ifndef BNB_LEARNERS_GES_GES_WAITING_INTERNAL_H
#define BNB_LEARNERS_GES_GES_WAITING_INTERNAL_H

#include "core/graph/pdag.h"
#include "learners/ges/ges_arrows_internal.h"

/** Waits for an edge out of a node to become one into it. */
typedef struct {
    uint32_t number; /* of the arrow */
    uint32_t next;   /* the other end of the edge */
} ges_watcher;

/** What waits at one node. */
typedef struct {
    ges_watcher *items;
    size_t count, capacity;
} ges_watchers;

/** Zero-initialise. */
typedef struct {
    size_t n_nodes;
    ges_arrow *arrows; /* those that were released stay, and are marked */
    size_t n_arrows, capacity;
    ges_watchers *at; /* by node */
    size_t n_watchers;
    size_t most; /* watchers, and arrows: past so many, what waits no more is dropped */
} ges_waiting;

BNB_MUST_CHECK status ges_waiting_init(ges_waiting *w, size_t n_nodes, error_info *err);
void ges_waiting_clear(ges_waiting *w);

/** Nothing waits. */
void ges_waiting_forget(ges_waiting *w);

/** The arrow waits until this path from y to x is broken: its nodes from x's predecessor back to y. */
BNB_MUST_CHECK status ges_waiting_add(ges_waiting *w, const ges_arrow *arrow, const size_t *path, size_t n,
                                      error_info *err);

/** Puts on the heap what waited for a path that is broken at one of these nodes. Arrows whose stamp is not that of
 * their y, stamp[y], may be forgotten. */
BNB_MUST_CHECK status ges_waiting_release(ges_waiting *w, const pdag *g, const size_t *changed, size_t n,
                                          const uint32_t *stamp, ges_arrows *heap, error_info *err);

#endif
