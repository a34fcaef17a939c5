/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The moves that gain by their first operation, by head, and what their repairs came to where they close a cycle. As
 * long as no node that it has read, and that a head of its arcs reaches, gets other parents, a repair would go the same
 * way; and as long as a head keeps its parents, its moves are the same.
 */
#ifndef BNB_LEARNERS_SGS_REPAIR_MEMO_INTERNAL_H
#define BNB_LEARNERS_SGS_REPAIR_MEMO_INTERNAL_H

#include "learners/sgs/sgs_state_internal.h"

/** An ADD* or SWAP* of the paper: `from` becomes a parent of the head, in the place of `exchanged` unless that is
 * SGS_NO_PARENT. */
typedef struct {
    uint32_t from, exchanged;
    uint32_t place; /* of the outcome; the memo's */
    double first;   /* gain of the first operation */
    double gain;    /* of all, with the repairs; NAN: not known, or the move closes no cycle */
} repair_star;

#define SGS_NO_PARENT UINT32_MAX

typedef struct {
    bool is_known; /* else it is empty */
    size_t n, capacity;
    repair_star *stars;
} repair_list;

/** For n nodes, in sets of n_words. */
BNB_MUST_CHECK status repair_memo_create(size_t n, size_t n_words, repair_memo **out, error_info *err);
void repair_memo_destroy(repair_memo *o); /* NULL is fine */
void repair_memo_forget_all(repair_memo *o);

/** To be called before and after a node gets other parents. */
void repair_memo_forget_around(repair_memo *o, const ancestry *above, size_t node);

/** The moves of a node that has got other parents. */
void repair_memo_forget_head(repair_memo *o, size_t node);

/** The moves of a head, to be listed by the caller where they are not known. */
repair_list *repair_memo_list(repair_memo *o, size_t node);
BNB_MUST_CHECK status repair_list_add(repair_list *list, size_t from, size_t exchanged, double first, error_info *err);

/** The i-th move of the list of m->to, completed as sgs_repair_move did; its gain is known. */
void repair_memo_recall(const repair_memo *o, size_t i, sgs_move *m);

/** Keeps what sgs_repair_move made of that move; `trail` as sgs_repair_trail gives it. */
BNB_MUST_CHECK status repair_memo_keep(repair_memo *o, size_t i, const sgs_move *m, const uint64_t *trail,
                                       error_info *err);

#endif
