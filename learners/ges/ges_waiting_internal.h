/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Insertions that wait for a path to be broken, found again from the nodes of the path. */
#ifndef BNB_LEARNERS_GES_GES_WAITING_INTERNAL_H
#define BNB_LEARNERS_GES_GES_WAITING_INTERNAL_H

#include "learners/ges/ges_arrows_internal.h"

/** What waits at one node: numbers of arrows. */
typedef struct {
    uint32_t *items;
    size_t count, capacity;
} ges_watchers;

/** Zero-initialise. */
typedef struct {
    size_t n_nodes;
    ges_arrow *arrows; /* those that were released stay, and are marked */
    size_t n_arrows, capacity;
    ges_watchers *at; /* by node */
    size_t n_watchers;
} ges_waiting;

BNB_MUST_CHECK status ges_waiting_init(ges_waiting *w, size_t n_nodes, error_info *err);
void ges_waiting_clear(ges_waiting *w);

/** Nothing waits. */
void ges_waiting_forget(ges_waiting *w);

/** The arrow waits until one of these nodes changes. */
BNB_MUST_CHECK status ges_waiting_add(ges_waiting *w, const ges_arrow *arrow, const size_t *path, size_t n,
                                      error_info *err);

/** Puts what waits for these nodes on the heap; all that waits, where too much does. */
BNB_MUST_CHECK status ges_waiting_release(ges_waiting *w, const size_t *changed, size_t n, ges_arrows *heap,
                                          error_info *err);

#endif
