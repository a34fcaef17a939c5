/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/growing_factor_internal.h"

#include "metrics/numerics/blas_turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <lapack.h>

struct growing_factor {
    const kernel_correlation *r;
    size_t n;                /* columns in the factor */
    size_t *columns;         /* in its order */
    size_t *size;            /* size[i]: rows of the first i columns; n + 1 */
    double *log_determinant; /* of the first i columns; n + 1 */
    size_t *wanted;          /* columns still to append */
    bool *is_wanted;         /* by column; all false between calls */
    double *l;               /* lower triangle, row after row, `stride` apart */
    size_t stride;
};

status growing_factor_create(const kernel_correlation *r, growing_factor **out, error_info *err) {
    size_t p = r->n_columns;
    AUTO_PTR(growing_factor_destroy) growing_factor *f = NULL;
    CHECK_ALLOC(f = calloc(1, sizeof *f));
    f->r = r;
    CHECK_ALLOC(f->columns = calloc(p + 1, sizeof *f->columns));
    CHECK_ALLOC(f->size = calloc(p + 1, sizeof *f->size));
    CHECK_ALLOC(f->log_determinant = calloc(p + 1, sizeof *f->log_determinant));
    CHECK_ALLOC(f->wanted = calloc(p + 1, sizeof *f->wanted));
    CHECK_ALLOC(f->is_wanted = calloc(p + 1, sizeof *f->is_wanted));
    *out = TAKE(f);
    return STATUS_OK;
}

void growing_factor_destroy(growing_factor *f) {
    if (!f)
        return;
    free(f->columns);
    free(f->size);
    free(f->log_determinant);
    free(f->wanted);
    free(f->is_wanted);
    free(f->l);
    free(f);
}

/* Room for so many rows. */
static status make_room(growing_factor *f, size_t n_rows, error_info *err) {
    size_t stride = f->stride ? f->stride : 32;
    double *l;
    if (n_rows <= f->stride)
        return STATUS_OK;
    while (stride < n_rows)
        stride *= 2;
    if (!(l = calloc(stride, stride * sizeof *l)))
        return error_out_of_memory(err);
    for (size_t i = 0; i < f->size[f->n]; i++)
        memcpy(l + i * stride, f->l + i * f->stride, (i + 1) * sizeof *l);
    free(f->l);
    f->l = l;
    f->stride = stride;
    return STATUS_OK;
}

/* The rows of R that belong to `column`, over the columns in the factor and itself, into the last rows of L. */
static void copy_rows(growing_factor *f, size_t column, size_t d) {
    const kernel_correlation *r = f->r;
    size_t width = r->first[r->n_columns], m = f->size[f->n];
    for (size_t k = 0; k < d; k++) {
        const double *from = r->matrix + (r->first[column] + k) * width;
        double *to = f->l + (m + k) * f->stride;
        for (size_t a = 0; a < f->n; a++)
            memcpy(to + f->size[a], from + r->first[f->columns[a]], (f->size[a + 1] - f->size[a]) * sizeof *to);
        memcpy(to + m, from + r->first[column], d * sizeof *to);
    }
}

/* R = [R_11, .; R_21, R_22]: L_21 = R_21 L_11^-T, L_22 L_22' = R_22 - L_21 L_21'. */
static status factor_rows(growing_factor *f, size_t d, double *log_determinant, error_info *err) {
    blasint m = (blasint)f->size[f->n], n = (blasint)d, stride = (blasint)f->stride, info = 0;
    double *rows = f->l + f->size[f->n] * f->stride, *corner = rows + f->size[f->n];
    blas_begin();
    if (m > 0) {
        cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, n, m, 1, f->l, stride, rows,
                    stride);
        cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, m, -1, rows, stride, 1, corner, stride);
    }
    /* lower by rows is upper by columns, which spares a transposition */
    LAPACK_dpotrf("U", &n, corner, &stride, &info);
    blas_end();
    if (info != 0)
        return error_set(err, STATUS_INVALID,
                         "the correlations of the kernel's features are singular; a larger kappa would do");
    *log_determinant = 0;
    for (size_t k = 0; k < d; k++)
        *log_determinant += 2 * log(corner[k * f->stride + k]);
    return STATUS_OK;
}

static status append(growing_factor *f, size_t column, error_info *err) {
    size_t d = kernel_correlation_size(f->r, column);
    double log_determinant = 0;
    if (d > 0) {
        CHECK(make_room(f, f->size[f->n] + d, err));
        copy_rows(f, column, d);
        CHECK(factor_rows(f, d, &log_determinant, err));
    }
    f->columns[f->n] = column;
    f->size[f->n + 1] = f->size[f->n] + d;
    f->log_determinant[f->n + 1] = f->log_determinant[f->n] + log_determinant;
    f->n++;
    return STATUS_OK;
}

/* Into f->wanted, what the factor lacks: first what it must give up now, in its order. Returns how many. */
static size_t shrink(growing_factor *f, const size_t *columns, size_t n) {
    size_t n_wanted = 0, n_kept = 0, n_held = f->n;
    for (size_t i = 0; i < n; i++)
        f->is_wanted[columns[i]] = true;
    for (; n_kept < n_held && f->is_wanted[f->columns[n_kept]]; n_kept++)
        f->is_wanted[f->columns[n_kept]] = false;
    f->n = n_kept;
    for (size_t i = n_kept; i < n_held; i++) {
        if (f->is_wanted[f->columns[i]]) {
            f->is_wanted[f->columns[i]] = false;
            f->wanted[n_wanted++] = f->columns[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (f->is_wanted[columns[i]])
            f->wanted[n_wanted++] = columns[i];
        f->is_wanted[columns[i]] = false;
    }
    return n_wanted;
}

status growing_factor_log_determinant(growing_factor *f, const size_t *columns, size_t n, double *out,
                                      error_info *err) {
    size_t n_wanted = shrink(f, columns, n);
    for (size_t i = 0; i < n_wanted; i++)
        CHECK(append(f, f->wanted[i], err));
    *out = f->log_determinant[f->n];
    return STATUS_OK;
}
