/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which moves of a delta_table are legal: what is forbidden, who has room, which arcs close a cycle. */
#ifndef BNB_LEARNERS_GREEDY_DELTA_LEGAL_INTERNAL_H
#define BNB_LEARNERS_GREEDY_DELTA_LEGAL_INTERNAL_H

#include "learners/greedy/delta_table.h"

/** As bits: who must not be added to the parents of y. */
uint64_t *delta_forbidden_row(const delta_table *t, size_t y);

/** May y have one parent more? */
bool delta_has_room(const delta_table *t, size_t y);

/** Does an arc x -> y, which is not there, close a cycle? */
bool delta_closes_cycle(const delta_table *t, size_t x, size_t y);

/** May x -> y, which is there, be reversed? */
bool delta_may_reverse(const delta_table *t, size_t x, size_t y);

/** The nodes of word w that lie in that half (FROM_LOWER, FROM_HIGHER) and are not forbidden as parents of y. */
uint64_t delta_candidates_in(const delta_table *t, size_t half, size_t y, size_t w);

/**
 * Nodes of the half, ascending, n at most; how many: those that are no parents of y and not forbidden; of these, those
 * from which an arc to y closes no cycle; of these, all that were not legal at the last refresh, and perhaps others.
 */
size_t delta_list_candidates(const delta_table *t, size_t half, size_t y, size_t *out);
size_t delta_list_legal(const delta_table *t, size_t half, size_t y, size_t *out);
size_t delta_list_new(const delta_table *t, size_t half, size_t y, size_t *out);

/** For delta_list_new, which knows of removals what `reaching_less` and `less_reached` say. */
BNB_MUST_CHECK status delta_note_allowed(delta_table *t, size_t from, size_t to, error_info *err);
void delta_forget_new(delta_table *t);

#endif
