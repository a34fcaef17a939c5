/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/kernel_features.h"

#include "core/base/text.h"
#include "metrics/numerics/blas_turn.h"
#include "metrics/numerics/gaussian_moments.h"
#include "metrics/numerics/incomplete_cholesky.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <lapack.h>

/* Eigenvalues below this share of the largest are rounding. */
static const double noise = 1e-12;

static double least_eigenvalue(const kernel_options *o, size_t n_rows) {
    return (o->eta > 0 ? o->eta : o->kappa / 100) * (double)n_rows;
}

void kernel_features_clear(kernel_features *f) {
    free(f->columns);
    free(f->eigenvalues);
    free(f->shrinkage);
    *f = (kernel_features){0};
}

/* --- the kernel matrix, as G G' --------------------------------------------------------------- */

/* To mean 0 and (population) standard deviation 1; false for a constant. Scaled by the range first, so that no square
   is lost. */
static bool standardise(const double *x, size_t n, double *z) {
    double least = x[0], most = x[0], middle, half, mean, deviation, sum = 0, squares = 0;
    for (size_t i = 1; i < n; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    middle = least / 2 + most / 2;
    half = most / 2 - least / 2;
    if (!(half > 0))
        return false;
    for (size_t i = 0; i < n; i++)
        sum += z[i] = (x[i] - middle) / half;
    mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        z[i] -= mean;
        squares += z[i] * z[i];
    }
    deviation = sqrt(squares / (double)n);
    for (size_t i = 0; i < n; i++)
        z[i] /= deviation;
    return true;
}

typedef struct {
    const double *z;
    size_t n;
    double sigma;
} standardised;

static void gaussian_column(const void *matrix, size_t pivot, double *out) {
    const standardised *s = matrix;
    double factor = -0.5 / (s->sigma * s->sigma);
    for (size_t i = 0; i < s->n; i++) {
        double difference = s->z[i] - s->z[pivot];
        out[i] = exp(factor * difference * difference);
    }
}

static void linear_column(const void *matrix, size_t pivot, double *out) {
    const standardised *s = matrix;
    for (size_t i = 0; i < s->n; i++)
        out[i] = s->z[i] * s->z[pivot];
}

static status factor_continuous(const double *x, size_t n, const kernel_options *o, low_rank_factor *out,
                                error_info *err) {
    bool is_linear = o->kernel == KERNEL_LINEAR;
    AUTO_FREE double *z = calloc(n, sizeof *z), *residual = calloc(n, sizeof *residual);
    standardised s = {z, n, o->sigma};
    CHECK_ALLOC(z);
    CHECK_ALLOC(residual);
    if (!standardise(x, n, z))
        return STATUS_OK; /* of rank 0, once centred */
    for (size_t i = 0; i < n; i++)
        residual[i] = is_linear ? z[i] * z[i] : 1;
    return incomplete_cholesky(&s, is_linear ? linear_column : gaussian_column, residual, n, least_eigenvalue(o, n),
                               KERNEL_MAX_RANK, out, err);
}

/* place[k]: which of the states that occur k is, by number. Returns how many occur. */
static size_t number_seen_states(const dataset *data, size_t column, size_t *place) {
    size_t n_states = dataset_state_count(data, column), n_seen = 0;
    for (size_t i = 0; i < dataset_row_count(data); i++)
        place[dataset_state(data, i, column)] = 1;
    for (size_t k = 0; k < n_states; k++) {
        if (place[k])
            place[k] = n_seen++;
    }
    return n_seen;
}

/* One column a state that occurs, which is exact. */
static status factor_discrete(const dataset *data, size_t column, low_rank_factor *out, error_info *err) {
    size_t n = dataset_row_count(data), n_seen;
    AUTO_FREE size_t *place = calloc(dataset_state_count(data, column), sizeof *place);
    low_rank_factor g = {.n_rows = n};
    CHECK_ALLOC(place);
    n_seen = number_seen_states(data, column, place);
    if (n_seen > KERNEL_MAX_RANK)
        return error_set(err, STATUS_INVALID, "%zu states occur; a kernel takes up to %d", n_seen, KERNEL_MAX_RANK);
    CHECK_ALLOC(g.columns = calloc(n, n_seen * sizeof *g.columns));
    g.rank = n_seen;
    for (size_t i = 0; i < n; i++)
        g.columns[place[dataset_state(data, i, column)] * n + i] = 1;
    *out = g;
    return STATUS_OK;
}

static void centre(low_rank_factor *g) {
    for (size_t m = 0; m < g->rank; m++) {
        double *column = g->columns + m * g->n_rows, sum = 0;
        for (size_t i = 0; i < g->n_rows; i++)
            sum += column[i];
        for (size_t i = 0; i < g->n_rows; i++)
            column[i] -= sum / (double)g->n_rows;
    }
}

static status make_factor(const dataset *data, size_t column, const kernel_options *o, low_rank_factor *out,
                          error_info *err) {
    if (dataset_variable(data, column)->kind == VARIABLE_DISCRETE)
        CHECK(factor_discrete(data, column, out, err));
    else
        CHECK(factor_continuous(dataset_reals(data, column), dataset_row_count(data), o, out, err));
    centre(out);
    return STATUS_OK;
}

/* --- its eigenvectors ------------------------------------------------------------------------- */

enum { WORK_COLUMNS = 66 }; /* what dsyev asks for, with blocks of up to 64 */

/* G'G = A diag(values) A', ascending; A in place of G'G, column after column. */
static status decompose(const low_rank_factor *g, double *a, double *values, error_info *err) {
    blasint n = (blasint)g->n_rows, m = (blasint)g->rank, n_work = WORK_COLUMNS * m, info = 0;
    AUTO_FREE double *work = calloc((size_t)n_work, sizeof *work);
    CHECK_ALLOC(work);
    blas_begin();
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, m, n, 1, g->columns, n, 0, a, m);
    LAPACK_dsyev("V", "L", &m, a, &m, values, work, &n_work, &info);
    blas_end();
    return info == 0 ? STATUS_OK : error_set(err, STATUS_BUG, "the eigenvalues of a kernel matrix were not found");
}

/* How many of the largest eigenvalues are kept. */
static size_t count_kept(const double *ascending, size_t m, double least) {
    size_t n_kept = 0;
    double largest = m > 0 ? ascending[m - 1] : 0;
    while (n_kept < m && ascending[m - 1 - n_kept] >= fmax(least, noise * largest))
        n_kept++;
    return n_kept == 0 && largest > 0 ? 1 : n_kept;
}

/* Those of the d largest eigenvalues, descending: U = G A diag(l^-1/2). */
static status make_features(const low_rank_factor *g, double *a, const double *ascending, size_t d, double kappa,
                            kernel_features *f, error_info *err) {
    size_t m = g->rank;
    CHECK_ALLOC(f->columns = calloc(g->n_rows, (d + 1) * sizeof *f->columns));
    CHECK_ALLOC(f->eigenvalues = calloc(d + 1, sizeof *f->eigenvalues));
    CHECK_ALLOC(f->shrinkage = calloc(d + 1, sizeof *f->shrinkage));
    f->n_features = d;
    for (size_t k = 0; k < d; k++) {
        double l = ascending[m - 1 - k];
        f->eigenvalues[k] = l;
        f->shrinkage[k] = l / (l + (double)g->n_rows * kappa);
        blas_begin();
        cblas_dscal((blasint)m, 1 / sqrt(l), a + (m - 1 - k) * m, 1);
        cblas_dgemv(CblasColMajor, CblasNoTrans, (blasint)g->n_rows, (blasint)m, 1, g->columns, (blasint)g->n_rows,
                    a + (m - 1 - k) * m, 1, 0, f->columns + k * g->n_rows, 1);
        blas_end();
    }
    return STATUS_OK;
}

static status features_of_factor(const low_rank_factor *g, const kernel_options *o, kernel_features *f,
                                 error_info *err) {
    size_t m = g->rank;
    AUTO_FREE double *a = calloc(m * m + 1, sizeof *a), *values = calloc(m + 1, sizeof *values);
    CHECK_ALLOC(a);
    CHECK_ALLOC(values);
    CHECK(decompose(g, a, values, err));
    return make_features(g, a, values, count_kept(values, m, least_eigenvalue(o, g->n_rows)), o->kappa, f, err);
}

static status check_column(const dataset *data, size_t column, error_info *err) {
    if (dataset_row_count(data) > INT_MAX)
        return error_set(err, STATUS_INVALID, "the data have %zu rows; a kernel takes up to %d",
                         dataset_row_count(data), INT_MAX);
    if (dataset_variable(data, column)->kind == VARIABLE_DISCRETE)
        return STATUS_OK;
    return gaussian_moments_check_column(data, column, err);
}

static void name_column(const dataset *data, size_t column, error_info *err) {
    const char *name = dataset_variable(data, column)->name;
    char shown[TEXT_SHOWN_SIZE];
    (void)text_show(name, strlen(name), shown);
    error_context(err, "column %s", shown);
}

status kernel_features_create(const dataset *data, size_t column, const kernel_options *options, kernel_features *out,
                              error_info *err) {
    status st = check_column(data, column, err);
    low_rank_factor g = {0};
    kernel_features f = {.n_rows = dataset_row_count(data)};
    if (st != STATUS_OK)
        return st; /* it names the column */
    openblas_set_num_threads(1);
    if (f.n_rows > 0)
        TRY(make_factor(data, column, options, &g, err));
    if (g.rank > 0)
        TRY(features_of_factor(&g, options, &f, err));
    *out = TAKE(f);
cleanup:
    if (st == STATUS_INVALID)
        name_column(data, column, err);
    low_rank_factor_clear(&g);
    kernel_features_clear(&f);
    return st;
}
