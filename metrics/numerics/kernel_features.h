/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A column of data in the feature space of a kernel, by a few features that are orthogonal: what Bach and Jordan take
 * for jointly Gaussian. Bach and Jordan, Advances in Neural Information Processing Systems 15 (2003) 1009-1016; the
 * computation as in their Journal of Machine Learning Research 3 (2002) 1-48.
 */
#ifndef BNB_METRICS_NUMERICS_KERNEL_FEATURES_H
#define BNB_METRICS_NUMERICS_KERNEL_FEATURES_H

#include "core/base/options.h"
#include "core/base/status.h"
#include "core/data/dataset.h"
#include "core/run/run_context.h"

/** Of continuous columns, standardised: exp(-(x - y)^2 / (2 sigma^2)), or x y. Of discrete ones: 1 if equal, else 0. */
enum kernel_kind { KERNEL_GAUSSIAN, KERNEL_LINEAR };

typedef struct {
    double sigma; /* width of the Gaussian kernel, in standard deviations, > 0 */
    double kappa; /* regularisation, > 0 */
    double eta;   /* eigenvalues below eta times the rows are left out, below 1; 0: a hundredth of kappa */
    int kernel;   /* enum kernel_kind */
} kernel_options;

#define KERNEL_SIGMA 1.0
#define KERNEL_KAPPA 0.01

/* One row a line. */
/* clang-format off */

/** The rows of an options table for a `kernel_options` member of the struct `type`. */
#define KERNEL_OPTION_ROWS(type, member)                                                                               \
    {OPT_REAL, "sigma", offsetof(type, member.sigma), KERNEL_SIGMA, 1e-3, 1e3,                                         \
     "width of the kernel, in standard deviations of the column", NULL},                                               \
    {OPT_REAL, "kappa", offsetof(type, member.kappa), KERNEL_KAPPA, 1e-8, 10, "regularisation", NULL},                 \
    {OPT_REAL, "eta", offsetof(type, member.eta), 0, 0, 0.5,                                                           \
     "least eigenvalue of a feature that is kept, a row; 0: kappa / 100", NULL},                                       \
    {OPT_CHOICE, "kernel", offsetof(type, member.kernel), 0, 0, 0,                                                     \
     "of continuous columns: exp(-(x-y)^2/(2 sigma^2)), or x y", "gaussian|linear"}

/* clang-format on */

/** Columns of the kernel matrix that one column of data may need, which is the most states that are seen of it. */
enum { KERNEL_MAX_RANK = 1024 };

/** Features of all columns together, at most: their correlations are 2 GiB then. */
enum { KERNEL_MAX_FEATURES = 16384 };

/** Features of one column. Zero-initialise. */
typedef struct {
    size_t n_rows, n_features; /* no features: the column is constant */
    double *columns;           /* U: n_rows x n_features, column after column; orthonormal, each of mean 0 */
    double *eigenvalues;       /* of the centred kernel matrix, descending */
    double *shrinkage;         /* l / (l + n_rows kappa) */
} kernel_features;

/**
 * @return STATUS_INVALID: a value that is not finite, and where; or a column that needs more than KERNEL_MAX_RANK
 * columns of its kernel matrix: too many values for so small a sigma or eta.
 * O(n_rows M^2) for rank M; the kernel matrix is never formed. BLAS on one thread.
 * Those with an eigenvalue of at least eta n_rows are kept, and at least one of a column that varies.
 */
BNB_MUST_CHECK status kernel_features_create(const dataset *data, size_t column, const kernel_options *options,
                                             kernel_features *out, error_info *err);
void kernel_features_clear(kernel_features *f);

/** The correlations of all features of all columns. Zero-initialise. */
typedef struct {
    size_t n_rows, n_columns;
    size_t *first; /* column i has the features first[i] .. first[i + 1] - 1; n_columns + 1 */
    double
        *matrix; /* R, D x D for D = first[n_columns], symmetric; the block of a column with itself is the identity */
} kernel_correlation;

/**
 * R_ij = diag(w_i) U_i' U_j diag(w_j), with w the shrinkage; positive definite.
 * @param ctx  once its deadline has passed, no column gets features: a search that comes then will stop at once. NULL:
 *             no deadline
 * @return as kernel_features_create; STATUS_MEMORY: more than KERNEL_MAX_FEATURES.
 * O(n_rows D^2), 8 n_rows D + 8 D^2 bytes.
 */
BNB_MUST_CHECK status kernel_correlation_create(const dataset *data, const kernel_options *options,
                                                const run_context *ctx, kernel_correlation *out, error_info *err);
void kernel_correlation_clear(kernel_correlation *r);

/** The features of a column: d_i. */
static inline size_t kernel_correlation_size(const kernel_correlation *r, size_t column) {
    return r->first[column + 1] - r->first[column];
}

#endif
