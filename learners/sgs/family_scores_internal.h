/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scores of families that differ in one parent, kept as rows: row (x, Q) holds the score of x with Q, and with Q and
 * one more. The moves at a node with parents P read row P (additions) and the rows P less one (deletions, exchanges),
 * and a search finds the rows of another one again. All rows lie in a pool; a search has its own way to them.
 */
#ifndef BNB_LEARNERS_SGS_FAMILY_SCORES_INTERNAL_H
#define BNB_LEARNERS_SGS_FAMILY_SCORES_INTERNAL_H

#include "learners/sgs/sgs_search.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct {
    size_t x, n_parents;
    const size_t *parents; /* Q, ascending */
    double base;           /* the score of x with Q */
    double top;            /* the greatest value known, at least -INFINITY */
    size_t n_unknown;
    uint32_t *order;  /* positions by falling value, ties ascending; NULL until the row was filled */
    atomic_int stage; /* family_row_fill's: searches that run side by side may ask for the same row */
    double values[];  /* by position among the candidates of x: NaN unknown, -INFINITY for x and what is in Q */
} family_row;

typedef struct family_pool family_pool;

/** Borrows both, and the plan's candidates. */
BNB_MUST_CHECK status family_pool_create(const family_source *source, const sgs_plan *plan, family_pool **out,
                                         error_info *err);
void family_pool_destroy(family_pool *pool); /* NULL is fine */
AUTO_PTR_OF(family_pool, family_pool_destroy)

/** Forgets every row if they take more than that. No search may be at work. */
BNB_MUST_CHECK status family_pool_trim(family_pool *pool, size_t max_bytes, error_info *err);

/** A way to the rows of a pool, for one thread at a time; beside others where the source's row may be asked so. */
typedef struct family_scores family_scores;

/** `worker`: of the source, below n_workers, another one for each. */
BNB_MUST_CHECK status family_scores_create(family_pool *pool, size_t worker, family_scores **out, error_info *err);
void family_scores_destroy(family_scores *scores); /* NULL is fine */
AUTO_PTR_OF(family_scores, family_scores_destroy)

/** Has the source publish what was counted, beside whatever search. Of the first worker alone. */
void family_scores_publish(family_scores *scores);

/** To be called after the pool may have been trimmed. */
BNB_MUST_CHECK status family_scores_begin(family_scores *scores, error_info *err);

/** The row of x and n parents, ascending; valid until the pool is trimmed. */
BNB_MUST_CHECK status family_scores_get(family_scores *scores, size_t x, const size_t *parents, size_t n,
                                        family_row **out, error_info *err);

/** The number of candidates of x, the one at a position, and the position of one; the number where y is none. */
size_t family_scores_width(const family_scores *scores, size_t x);
size_t family_scores_node(const family_scores *scores, size_t x, size_t position);
size_t family_scores_position(const family_scores *scores, size_t x, size_t y);

/** Whether many values are had sooner together than one by one. */
bool family_scores_ask_together(const family_scores *scores);

/** Asks for n unknown values, positions ascending; some stay unknown where the time is over. */
BNB_MUST_CHECK status family_row_ask_some(family_scores *scores, family_row *row, const size_t *positions, size_t n,
                                          error_info *err);

/** Asks for one value; for all that are unknown, and puts them in order. Of searches side by side one fills the row,
 * and the others wait for it. */
BNB_MUST_CHECK status family_row_ask(family_scores *scores, family_row *row, size_t position, error_info *err);
BNB_MUST_CHECK status family_row_fill(family_scores *scores, family_row *row, error_info *err);

/** Are all its values known, and in order? */
bool family_row_is_full(const family_row *row);

/** Fills a row unless another search is at it: of many rows those first that nobody fills. */
BNB_MUST_CHECK status family_row_fill_if_open(family_scores *scores, family_row *row, error_info *err);

#endif
