/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What each further parent would bring: rows of gains by node and family, of which those that are positive can be read,
 * the largest first.
 * New rows are collected and then filled by all threads at once; what is in them does not depend on how many there are.
 */
#ifndef BNB_LEARNERS_GES_GES_ROWS_INTERNAL_H
#define BNB_LEARNERS_GES_GES_ROWS_INTERNAL_H

#include "core/run/run_context.h"
#include "learners/base/family_index.h"
#include "learners/ges/ges_filling_internal.h"
#include "learners/ges/ges_gains_internal.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * A row keeps so many gains at first, or up to twice as many: a search reads five or so of most rows. Of few columns it
 * keeps more, as many as make the second number for all nodes.
 */
enum { GES_LEAST_KEPT = 64, GES_KEPT_OF_ALL = 1 << 18 };

/** The gains of y over its score with the family. */
typedef struct {
    size_t y, n_family;
    size_t n_columns; /* the first so many are looked at */
    double without;   /* the score of the family; NAN: it comes with the gains */
    size_t n_read, n_open, room;
    ges_gain *open;   /* first the n_open that are kept to be read; last, backwards, the n_read that were, the largest
                         first */
    bool is_heap;     /* what is to be read, the largest first */
    bool is_of_pairs; /* no family; it is the later node's score that counts */
    double rest;      /* none of those that were left out gains more; 0: there are none */
    size_t most;      /* that are kept */
    size_t n_users;   /* streams of arrows that read it, and the index */
    bool was_asked;
    size_t unasked_at, n_unasked; /* where they are in ges_rows.unasked, and how many */
    size_t family[];              /* in the order in which it was asked for first */
} ges_row;

/** Zero-initialise. */
typedef struct {
    size_t n;
    score *scorer; /* borrowed; the search's */
    family_index *index;
    size_t n_kept;     /* of a new row */
    size_t n_gains;    /* of all rows in the index: what they take */
    uint32_t *unasked; /* of these rows, the nodes with which the family was never asked for; ascending, a row's */
    size_t n_unasked, unasked_capacity;
    ges_filling *filling;
    ges_row **waiting; /* for ges_rows_fill */
    size_t n_waiting, waiting_capacity, n_blocks_waiting;
    ges_questions questions; /* of these */
    ges_gain *found;         /* of one of them */
    size_t questions_capacity, found_capacity;
    ges_questions foreseen;    /* since they were told; GES_MOST_FORESEEN at most */
    size_t *foreseen_families; /* n each, in the same order */
    bool is_asked;             /* what waits */
    ges_row **pairs;           /* of the first arcs, by node; the caller's */
    bool *is_known;            /* by node; false between calls */
} ges_rows;

/** `scorers`: one a thread, of the same data and options; borrowed. */
BNB_MUST_CHECK status ges_rows_init(ges_rows *r, score *const *scorers, size_t n_scorers, size_t n_nodes,
                                    const run_context *ctx, error_info *err);
void ges_rows_clear(ges_rows *r);

/** The row of y and the family in any order; NULL where there is none. */
ges_row *ges_rows_find(ges_rows *r, size_t y, const size_t *family, size_t n);

/** A row for the family that was just looked for in vain; it waits to be filled. `without`: its score; NAN: it was
 * begun (score_node_begin), and is found with the gains. */
BNB_MUST_CHECK status ges_rows_add(ges_rows *r, size_t y, const size_t *family, size_t n, double without, ges_row **out,
                                   error_info *err);

/** All nodes but `left_out` (ascending) are asked for, of a row of the index. Were they all before? */
BNB_MUST_CHECK status ges_rows_note_asked(ges_rows *r, ges_row *row, const size_t *left_out, size_t n, bool *is_known,
                                          error_info *err);

/** Of the row's gains, the largest but i, until the next call; NULL: they are no more, or the deadline came first.
 * Those before it were asked for. A row that has left it out is filled again. */
BNB_MUST_CHECK status ges_rows_gain(ges_rows *r, ges_row *row, size_t i, bool *is_expired, const ges_gain **out,
                                    error_info *err);

/** Is it time to fill what waits? */
bool ges_rows_are_many(const ges_rows *r);

/** Fills the rows that wait, and tells of those that were foreseen, instead of those before. *is_expired: the deadline
 * came first, and they are not to be read. */
BNB_MUST_CHECK status ges_rows_fill(ges_rows *r, bool *is_expired, error_info *err);

/** The row of y and the family is presumably asked for next, after those that were foreseen before it. */
void ges_rows_foresee(ges_rows *r, size_t y, const size_t *family, size_t n);

/** Tells the other threads of the rows that were foreseen since they were told; then come those that they
 * were told of before. */
void ges_rows_tell_foreseen(ges_rows *r);

/** Forgets rows where they take too much; none must wait. */
BNB_MUST_CHECK status ges_rows_shrink(ges_rows *r, error_info *err);

/** A row for the first n_columns nodes, of one user. */
BNB_MUST_CHECK status ges_rows_create_row(const ges_rows *r, size_t y, const size_t *family, size_t n, size_t n_columns,
                                          ges_row **out, error_info *err);

/** It waits to be filled. */
BNB_MUST_CHECK status ges_rows_wait_for(ges_rows *r, ges_row *row, error_info *err);

/** The other threads begin with what waits, and nothing more may wait until it is filled. */
BNB_MUST_CHECK status ges_rows_ask(ges_rows *r, error_info *err);

/** One user less, of at least one; the last destroys it. */
void ges_row_release(void *row);

#endif
