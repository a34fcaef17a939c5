/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The moves that gain by their first operation, by head, and what their repairs came to where they close a cycle. As
 * long as no arc comes or goes that its trail hangs on (sgs_repair_trail), a repair would go the same way; and as long
 * as a head keeps its parents, its moves are the same.
 */
#ifndef BNB_LEARNERS_SGS_REPAIR_MEMO_INTERNAL_H
#define BNB_LEARNERS_SGS_REPAIR_MEMO_INTERNAL_H

#include "learners/sgs/sgs_state_internal.h"

/** An ADD* or SWAP* of the paper: `from` becomes a parent of the head, in the place of `exchanged` unless that is
 * SGS_NO_PARENT. */
typedef struct {
    uint32_t from, exchanged;
    uint32_t place; /* of the outcome in the list; the memo's */
    double first;   /* gain of the first operation */
    double gain;    /* of all, with the repairs; NAN: not known, or the move closes no cycle */
} repair_star;

#define SGS_NO_PARENT UINT32_MAX

typedef struct repair_outcome repair_outcome;

typedef struct {
    bool is_known; /* else it is empty */
    size_t n, capacity;
    repair_star *stars;
    /* the memo's: by place, for moves that have closed a cycle at some time */
    size_t n_places, place_capacity, trail_capacity;
    repair_outcome *outcomes;
    uint64_t *trails;
} repair_list;

/** For n nodes, in sets of n_words. */
BNB_MUST_CHECK status repair_memo_create(size_t n, size_t n_words, repair_memo **out, error_info *err);
void repair_memo_destroy(repair_memo *o); /* NULL is fine */
void repair_memo_forget_all(repair_memo *o);

/** Some arc into the head was taken out. */
void repair_memo_note_removal(repair_memo *o, size_t head);

/** An arc was put in; to be called after all removals and additions of a change. */
BNB_MUST_CHECK status repair_memo_note_addition(repair_memo *o, const ancestry *above, sgs_arc arc, error_info *err);

/** Forgets of a head's list what the noted changes concern; to be called for every head before they are cleared, but
 * for heads that they do not concern. */
void repair_memo_forget_changed(repair_memo *o, size_t node);
void repair_memo_clear_changes(repair_memo *o);

/** Whether, by the noted changes, a move of the head may close a cycle that did not before, or an outcome may have to
 * be forgotten. Good for a head of which nothing was kept since repair_memo_forget_changed. */
bool repair_memo_is_concerned(const repair_memo *o, size_t node);

/** The moves of a node that has got other parents. */
void repair_memo_forget_head(repair_memo *o, size_t node);

/** The moves of a head, to be listed by the caller where they are not known. */
repair_list *repair_memo_list(repair_memo *o, size_t node);
BNB_MUST_CHECK status repair_list_add(repair_list *list, size_t from, size_t exchanged, double first, error_info *err);

/** Makes room for the outcome of the i-th move of the list of `node`. */
BNB_MUST_CHECK status repair_memo_reserve(repair_memo *o, size_t node, size_t i, error_info *err);

/** Keeps what sgs_repair_move made of the i-th move of the list of m->to, in the room that was made for it; `trail` as
 * sgs_repair_trail gives it. */
void repair_memo_keep(repair_memo *o, size_t i, const sgs_move *m, const uint64_t *trail);

/** The i-th move of the list of m->to, completed as sgs_repair_move did; its gain is known. */
void repair_memo_recall(const repair_memo *o, size_t i, sgs_move *m);

#endif
