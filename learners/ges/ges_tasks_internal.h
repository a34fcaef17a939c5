/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The questions that are at work: those that a search waits for, and those that it will presumably ask next. Each is
 * some parts of work, which threads take piece by piece. Everything here is done under the caller's lock, but for what
 * says otherwise.
 */
#ifndef BNB_LEARNERS_GES_GES_TASKS_INTERNAL_H
#define BNB_LEARNERS_GES_GES_TASKS_INTERNAL_H

#include "core/base/status.h"
#include "learners/ges/ges_gains_internal.h"
#include "learners/ges/ges_question_internal.h"
#include "metrics/scores/high_scores.h"

#include <stdatomic.h>
#include <stdbool.h>

/** The work on a question. */
typedef struct {
    ges_question question;
    size_t number; /* of the question, among all; from 1 on */
    size_t n_parts, n_done;
    size_t n_first, n_last; /* parts that are taken: the first by the threads, the last by the search */
    double *scores;         /* by block; or bounds by node, of which the highest are: */
    high_score *found;
    size_t n_found;
    double without; /* the score of y and the family */
    ges_gain *gains;
    size_t n_gains;
    double rest;
    bool is_wanted; /* the search waits for it */
    status result;
    /* of one that was foreseen */
    bool is_foreseen;
    size_t round; /* when it was named last */
    size_t *family;
    size_t family_capacity, scores_capacity, found_capacity, gains_capacity;
} ges_task;

/** What a thread takes at once. */
typedef struct {
    ges_task *of;
    size_t first, end; /* parts */
} ges_piece;

/** A thread that takes pieces. */
typedef struct {
    bool is_search;
    size_t last; /* the number of the question of which it took parts last; 0: none yet */
} ges_taker;

typedef struct {
    size_t n_columns;
    size_t n_shares;    /* parts of a question of all columns, of which the high scores alone are found; 0: all are */
    size_t n_questions; /* so far */
    /* what the search waits for */
    ges_task **wanted, *own; /* in their order; and those of them that were not foreseen */
    size_t n_wanted, at, wanted_capacity, own_capacity;
    double *scores; /* of the latter */
    high_score *found;
    ges_gain *gains;
    size_t scores_capacity, found_capacity, gains_capacity, n_untaken;
    atomic_size_t n_left; /* parts that are not done; to be read without the lock as well */
    /* what it will presumably ask for */
    ges_task ahead[GES_MOST_FORESEEN];
    size_t ahead_of[GES_MOST_FORESEEN];   /* their y, for the search to look at */
    ges_task *at_rest[GES_MOST_FORESEEN]; /* of these, known to be neither foreseen nor wanted */
    size_t n_at_rest;
    size_t round;
    ges_task *likely[GES_MOST_FORESEEN]; /* named in this round, the likeliest first */
    size_t n_likely;
} ges_tasks;

/** `all` is zero before. */
void ges_tasks_init(ges_tasks *all, size_t n_columns, size_t n_shares);
void ges_tasks_clear(ges_tasks *all);

/** Of all columns the high scores alone are found, by shares of them; else a part is a block. Needs no lock. */
bool ges_tasks_are_high(const ges_tasks *all, const ges_question *q);

/** Room for questions that come next; by the search, without the lock. */
BNB_MUST_CHECK status ges_tasks_reserve(ges_tasks *all, const ges_questions *asked, error_info *err);

/** The search waits for them from now on; they borrow the questions' families. */
void ges_tasks_want(ges_tasks *all, const ges_questions *asked);

/** It does no more: what was wanted is foreseen no more. The first of the failures, or STATUS_OK. */
status ges_tasks_end_wanted(ges_tasks *all);

/** These are foreseen, the likeliest first, in the place of those before; what is begun of these is kept. Beyond
 * GES_MOST_FORESEEN, or without memory, they are left out. */
void ges_tasks_foresee(ges_tasks *all, const ges_questions *foreseen);

/** Likewise, but those that were foreseen before follow. */
void ges_tasks_foresee_first(ges_tasks *all, const ges_questions *foreseen);

/** What one of n_takers threads does next; false: there is nothing. */
bool ges_tasks_take(ges_tasks *all, ges_taker *by, size_t n_takers, ges_piece *out);

/** Is this the last piece of its question that is not done? */
bool ges_tasks_is_last(const ges_piece *p);

/** The piece is done; true where the search waited for it, and for nothing else. */
bool ges_tasks_end_piece(ges_tasks *all, const ges_piece *p, status result);

#endif
