/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scores of families that differ in one parent, kept as rows: row (x, Q) holds the score of x with Q, and with Q and
 * one more. The moves at a node with parents P read row P (additions) and the rows P less one (deletions, exchanges),
 * and a search finds the rows of an earlier one again.
 */
#ifndef BNB_LEARNERS_SGS_FAMILY_SCORES_INTERNAL_H
#define BNB_LEARNERS_SGS_FAMILY_SCORES_INTERNAL_H

#include "learners/sgs/sgs_search.h"

#include <stdint.h>

typedef struct {
    size_t x, n_parents;
    const size_t *parents; /* Q, ascending */
    double base;           /* the score of x with Q */
    double top;            /* the greatest value known, at least -INFINITY */
    size_t n_unknown;
    uint32_t *order; /* positions by falling value, ties ascending; NULL until the row was filled */
    double values[]; /* by position among the candidates of x: NaN unknown, -INFINITY for x and what is in Q */
} family_row;

typedef struct family_scores family_scores;

/** Borrows both, and the plan's candidates. */
BNB_MUST_CHECK status family_scores_create(const family_source *source, const sgs_plan *plan, family_scores **out,
                                           error_info *err);
void family_scores_destroy(family_scores *scores); /* NULL is fine */
AUTO_PTR_OF(family_scores, family_scores_destroy)

/** Forgets every row if they take more than that. */
BNB_MUST_CHECK status family_scores_trim(family_scores *scores, size_t max_bytes, error_info *err);

/** The row of x and n parents, ascending; valid until the rows are trimmed. */
BNB_MUST_CHECK status family_scores_get(family_scores *scores, size_t x, const size_t *parents, size_t n,
                                        family_row **out, error_info *err);

/** The same where the row is there, else NULL; several threads may ask at once. `key` has room for n + 1. */
family_row *family_scores_peek(const family_scores *scores, uint32_t *key, size_t x, const size_t *parents, size_t n);

/** Finds all of a row that can be found, by whatever threads it has: family_row_find of each part, family_row_found. */
typedef struct {
    void *self;
    status (*find)(void *self, family_row *row, error_info *err);
} row_finder;

/** Has family_row_fill find rows so from here on. */
void family_scores_set_finder(family_scores *scores, row_finder finder);

/** The number of candidates of x, the one at a position, and the position of one; the number where y is none. */
size_t family_scores_width(const family_scores *scores, size_t x);
size_t family_scores_node(const family_scores *scores, size_t x, size_t position);
size_t family_scores_position(const family_scores *scores, size_t x, size_t y);

/** Whether many values are had sooner together than one by one. */
bool family_scores_ask_together(const family_scores *scores);

/** Asks for n unknown values, positions ascending; some stay unknown where the time is over. */
BNB_MUST_CHECK status family_row_ask_some(family_scores *scores, family_row *row, const size_t *positions, size_t n,
                                          error_info *err);

/** Asks for one value; for all that are unknown, and puts them in order. */
BNB_MUST_CHECK status family_row_ask(family_scores *scores, family_row *row, size_t position, error_info *err);
BNB_MUST_CHECK status family_row_fill(family_scores *scores, family_row *row, error_info *err);

/**
 * family_row_fill in steps, where the row can be found by the source's workers: the search counts what it asks for;
 * then come the parts of the row of row_step nodes each, several at once in one call, in any order; and when all are
 * there, the row's order.
 */
bool family_row_can_be_found(const family_scores *scores, const family_row *row);
BNB_MUST_CHECK status family_row_count(family_scores *scores, const family_row *row, error_info *err);
BNB_MUST_CHECK status family_row_find(family_scores *scores, size_t worker, family_row *row, size_t first, size_t end,
                                      error_info *err);
BNB_MUST_CHECK status family_row_found(family_scores *scores, size_t worker, family_row *row, error_info *err);

#endif
