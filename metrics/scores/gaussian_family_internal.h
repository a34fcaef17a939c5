/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One column regressed on others, from the sums of squares and products alone. */
#ifndef BNB_METRICS_SCORES_GAUSSIAN_FAMILY_INTERNAL_H
#define BNB_METRICS_SCORES_GAUSSIAN_FAMILY_INTERNAL_H

#include "core/run/run_context.h"
#include "metrics/numerics/gaussian_moments.h"

/** Zero-initialise but for the first three; clear. Families that share their first parents share their work. */
typedef struct {
    const gaussian_moments *moments;
    double ridge;     /* added to every sum of squares */
    double tolerance; /* a column of which no more than this share is left, given those before it, is one too many */
    size_t capacity;  /* columns that there is room for */
    size_t n_kept;    /* of the last parents: those whose rows of the factor stand */
    size_t *kept;
    double *factor;                /* Cholesky's, row by row: row k has k + 1 entries */
    double *log_det;               /* of the first k + 1 */
    gaussian_moments *own_moments; /* NULL where the caller's are used */
} gaussian_family;

/** With the moments of `data`, which gaussian_family_clear frees. */
BNB_MUST_CHECK status gaussian_family_init(gaussian_family *f, const dataset *data, const run_context *ctx,
                                           double tolerance, error_info *err);
void gaussian_family_clear(gaussian_family *f);

/** Another one, for another thread, with the moments of `f`, which must outlive it and may be in use meanwhile. */
gaussian_family gaussian_family_twin(const gaussian_family *f);

/**
 * @param parents        distinct columns other than x; best in a fixed order, as those that come first are kept
 * @param[out] residual  the residual sum of squares of x (ridge included), > 0; 0 where x, or a parent, is a linear
 *                       function of (other) parents
 * @param[out] log_det   of the matrix of the parents; 0 without any. Not set where `residual` is 0.
 * O(n_parents^3), less the rows that were kept.
 */
BNB_MUST_CHECK status gaussian_family_regress(gaussian_family *f, size_t x, const size_t *parents, size_t n_parents,
                                              double *residual, double *log_det, error_info *err);

/**
 * Directly after gaussian_family_regress, where its parents were no linear functions of each other (n_kept is their
 * number): the regression coefficients of x. O(n_parents^2).
 */
void gaussian_family_coefficients(const gaussian_family *f, size_t n_parents, double *out);

#endif
