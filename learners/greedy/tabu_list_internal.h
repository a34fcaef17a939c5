/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The last structures of a search, so that it does not return to them. */
#ifndef BNB_LEARNERS_GREEDY_TABU_LIST_INTERNAL_H
#define BNB_LEARNERS_GREEDY_TABU_LIST_INTERNAL_H

#include "core/graph/dag.h"

#include <stdint.h>

typedef struct tabu_list tabu_list;

BNB_MUST_CHECK status tabu_list_create(size_t length, tabu_list **out, error_info *err);
void tabu_list_destroy(tabu_list *t);
AUTO_PTR_OF(tabu_list, tabu_list_destroy)

/** Appends the structure, dropping the oldest where the list is full. */
BNB_MUST_CHECK status tabu_list_push(tabu_list *t, const dag *g, error_info *err);

/** A change of one structure: arcs to drop and to add; (from == to) for none. */
typedef struct {
    size_t drop_from, drop_to, add_from, add_to;
} arc_change;

/** True if the last pushed structure, so changed, is on the list. */
bool tabu_list_has(const tabu_list *t, const arc_change *change);

#endif
