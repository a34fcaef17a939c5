/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What repairs of moves that close a cycle came to, kept from one step to the next. A repair looks at nothing but the
 * nodes between the head and the tail of its first arc, below the one and above the other, and those that it met on the
 * search for later cycles. As long as none of them gets other parents, it would go the same way.
 */
#ifndef BNB_LEARNERS_SGS_SGS_OUTCOMES_INTERNAL_H
#define BNB_LEARNERS_SGS_SGS_OUTCOMES_INTERNAL_H

#include "learners/sgs/sgs_state_internal.h"

/** For a graph of n nodes. */
BNB_MUST_CHECK status sgs_outcomes_create(size_t n, sgs_outcomes **out, error_info *err);
void sgs_outcomes_destroy(sgs_outcomes *o); /* NULL is fine */
void sgs_outcomes_forget_all(sgs_outcomes *o);

/** To be called before and after a node gets other parents. */
void sgs_outcomes_forget_around(sgs_outcomes *o, const ancestry *above, size_t node);

/** A step begins that will ask for at most so many moves: what is neither recalled nor kept in it is forgotten. */
BNB_MUST_CHECK status sgs_outcomes_begin_step(sgs_outcomes *o, size_t n_moves, error_info *err);

/** Completes a move as sgs_repair_move did; false where that is not known. */
bool sgs_outcomes_recall(sgs_outcomes *o, sgs_move *m);

/** Keeps what sgs_repair_move made of a move; `met` as sgs_repair_met gives it. */
void sgs_outcomes_keep(sgs_outcomes *o, const sgs_move *m, const uint64_t *met);

#endif
