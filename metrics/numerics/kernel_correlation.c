/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/kernel_features.h"

#include "metrics/numerics/blas_turn.h"

#include <stdlib.h>
#include <string.h>

#include <cblas.h>

/* Rows at a time: the deadline is looked at between. */
enum { BLOCK = 8192 };

void kernel_correlation_clear(kernel_correlation *r) {
    free(r->first);
    free(r->matrix);
    *r = (kernel_correlation){0};
}

static bool is_late(const run_context *ctx) {
    return ctx && run_context_is_expired(ctx);
}

/* Of all columns, one after another; none once it is late. */
static status make_all_features(const dataset *data, const kernel_options *o, const run_context *ctx,
                                kernel_features *features, size_t *first, error_info *err) {
    for (size_t c = 0; c < dataset_column_count(data) && !is_late(ctx); c++) {
        CHECK(kernel_features_create(data, c, o, &features[c], err));
        first[c + 1] = first[c] + features[c].n_features;
        if (first[c + 1] > KERNEL_MAX_FEATURES)
            return error_set(err, STATUS_MEMORY,
                             "the first %zu columns have more than %d features of the kernel together; a larger sigma, "
                             "kappa or eta gives fewer",
                             c + 1, KERNEL_MAX_FEATURES);
    }
    return STATUS_OK;
}

/* All features side by side, each times its shrinkage; `features` give up theirs. */
static void gather(kernel_features *features, size_t n_columns, double *all) {
    for (size_t c = 0; c < n_columns; c++) {
        kernel_features *f = &features[c];
        for (size_t k = 0; k < f->n_features; k++, all += f->n_rows) {
            for (size_t i = 0; i < f->n_rows; i++)
                all[i] = f->columns[k * f->n_rows + i] * f->shrinkage[k];
        }
        kernel_features_clear(f);
    }
}

/* The products of all pairs of features, below the diagonal; false when it is late. */
static bool multiply(const double *all, size_t n_rows, size_t d, const run_context *ctx, double *matrix) {
    for (size_t row = 0; row < n_rows && d > 0; row += BLOCK) {
        size_t n = n_rows - row < BLOCK ? n_rows - row : BLOCK;
        if (is_late(ctx))
            return false;
        blas_begin();
        cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (blasint)d, (blasint)n, 1, all + row, (blasint)n_rows, 1,
                    matrix, (blasint)d);
        blas_end();
    }
    return true;
}

static void finish(kernel_correlation *r) {
    size_t d = r->first[r->n_columns];
    for (size_t c = 0; c < r->n_columns; c++) {
        for (size_t i = r->first[c]; i < r->first[c + 1]; i++) {
            for (size_t k = r->first[c]; k <= i; k++)
                r->matrix[k * d + i] = i == k;
        }
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t k = 0; k < i; k++)
            r->matrix[i * d + k] = r->matrix[k * d + i];
    }
}

status kernel_correlation_create(const dataset *data, const kernel_options *options, const run_context *ctx,
                                 kernel_correlation *out, error_info *err) {
    status st = STATUS_OK;
    size_t p = dataset_column_count(data), n = dataset_row_count(data), d;
    kernel_correlation r = {.n_rows = n, .n_columns = p};
    kernel_features *features = calloc(p, sizeof *features);
    double *all = NULL;

    TRY_ALLOC(features);
    TRY_ALLOC(r.first = calloc(p + 1, sizeof *r.first));
    TRY(make_all_features(data, options, ctx, features, r.first, err));
    d = is_late(ctx) ? 0 : r.first[p];
    TRY_ALLOC(all = calloc(n + 1, (d + 1) * sizeof *all));
    TRY_ALLOC(r.matrix = calloc(d + 1, (d + 1) * sizeof *r.matrix));
    if (d > 0)
        gather(features, p, all);
    if (d == 0 || !multiply(all, n, d, ctx, r.matrix))
        memset(r.first, 0, (p + 1) * sizeof *r.first);
    finish(&r);
    *out = TAKE(r);
cleanup:
    for (size_t c = 0; features && c < p; c++)
        kernel_features_clear(&features[c]);
    free(features);
    free(all);
    kernel_correlation_clear(&r);
    return st;
}
