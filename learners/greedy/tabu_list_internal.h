/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The last structures of a search, so that it does not return to them. */
#ifndef BNB_LEARNERS_GREEDY_TABU_LIST_INTERNAL_H
#define BNB_LEARNERS_GREEDY_TABU_LIST_INTERNAL_H

#include "core/base/status.h"
#include "learners/greedy/arc_move.h"

#include <stdint.h>

typedef struct tabu_list tabu_list;

/** Of up to `length` structures, at least one; the first, that of the search's start, is on it. O(length) bytes. */
BNB_MUST_CHECK status tabu_list_create(size_t length, tabu_list **out, error_info *err);
void tabu_list_destroy(tabu_list *t);
AUTO_PTR_OF(tabu_list, tabu_list_destroy)

/** Appends the structure that the move makes of the newest, dropping the oldest where the list is full. */
void tabu_list_push(tabu_list *t, const arc_move *m);

/** True if the structure that the move makes of the newest is on the list. */
bool tabu_list_has(const tabu_list *t, const arc_move *m);

#endif
