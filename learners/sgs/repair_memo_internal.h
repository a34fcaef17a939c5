/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What repairs of moves that close a cycle came to, kept from one step to the next. As long as no node that it has
 * read, and that a head of its arcs reaches, gets other parents, a repair would go the same way.
 */
#ifndef BNB_LEARNERS_SGS_REPAIR_MEMO_INTERNAL_H
#define BNB_LEARNERS_SGS_REPAIR_MEMO_INTERNAL_H

#include "learners/sgs/sgs_state_internal.h"

/** For sets of nodes of n_words. */
BNB_MUST_CHECK status repair_memo_create(size_t n_words, repair_memo **out, error_info *err);
void repair_memo_destroy(repair_memo *o); /* NULL is fine */
void repair_memo_forget_all(repair_memo *o);

/** To be called before and after a node gets other parents. */
void repair_memo_forget_around(repair_memo *o, const ancestry *above, size_t node);

/** A step begins that will ask for at most so many moves: what is neither recalled nor kept in it is forgotten. */
BNB_MUST_CHECK status repair_memo_begin_step(repair_memo *o, size_t n_moves, error_info *err);

/** Completes a move as sgs_repair_move did; false where that is not known. */
bool repair_memo_recall(repair_memo *o, sgs_move *m);

/** Keeps what sgs_repair_move made of a move; `trail` as sgs_repair_trail gives it. */
void repair_memo_keep(repair_memo *o, const sgs_move *m, const uint64_t *trail);

#endif
