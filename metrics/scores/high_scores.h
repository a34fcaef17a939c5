/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The scores of a node with a family and each further column, where few of them matter: the highest of those that are
 * above the score of the family. For all columns bounds are found, many at once, and only the highest are scored. By as
 * many threads as like.
 */
#ifndef BNB_METRICS_SCORES_HIGH_SCORES_H
#define BNB_METRICS_SCORES_HIGH_SCORES_H

#include "core/run/crew.h"
#include "metrics/scores/score.h"

/** What all threads read: the columns of a score's data. */
typedef struct high_columns high_columns;

/** Of the data of `s`, which must outlive it; `s` may be any score of the data. NULL into `*out` where bounds of them
 * all would take longer than their scores. */
BNB_MUST_CHECK status high_columns_create(const score *s, size_t n_threads, high_columns **out, error_info *err);
void high_columns_destroy(high_columns *c); /* NULL is fine */
AUTO_PTR_OF(high_columns, high_columns_destroy)

/** Of the columns: threads may divide them. */
size_t high_columns_shares(const high_columns *c);

/** What one thread needs. */
typedef struct high_scores high_scores;

/** `s` and `c` are borrowed, and of the same data; bit vectors of `c` are lent to `s`, which may be asked nothing after
 * `c` is destroyed. */
BNB_MUST_CHECK status high_scores_create(score *s, const high_columns *c, high_scores **out, error_info *err);
void high_scores_destroy(high_scores *h); /* NULL is fine */
AUTO_PTR_OF(high_scores, high_scores_destroy)

/**
 * bounds[i], of each column i of the share: a number that the score of x with the parents and it does not pass. x and
 * the parents have any. Consecutive calls should share x and parents.
 */
BNB_MUST_CHECK status high_scores_bound(high_scores *h, size_t share, size_t x, const size_t *parents, size_t n_parents,
                                        double *bounds, error_info *err);

typedef enum { HIGH_COARSE, HIGH_CLOSE, HIGH_EXACT } high_kind;

/** A score, where it is exact: then what score_node_fresh gives, bit for bit. Else it is no more than this. */
typedef struct {
    double score;
    uint32_t column;
    high_kind kind;
} high_score;

enum { HIGH_MOST_EXACT = 16 };

/**
 * Lists, by the bounds of all shares, every column that scores above x with the parents alone by SCORE_TOLERANCE, and
 * some that do not; `out` has room for all columns. The highest are scored, until n_exact of them, HIGH_MOST_EXACT at
 * most, are exact that pass all others. Nothing is counted in the tally.
 */
BNB_MUST_CHECK status high_scores_list(high_scores *h, size_t x, const size_t *parents, size_t n_parents,
                                       const double *bounds, size_t n_exact, high_score *out, size_t *n,
                                       error_info *err);

/** The score of x and the parents of which scores were listed last: what score_node_fresh gives, bit for bit. */
double high_scores_without(const high_scores *h);

#endif
