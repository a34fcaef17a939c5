/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/incomplete_cholesky.h"

#include "core/base/array.h"
#include "metrics/numerics/blas_turn.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

/* Residuals below this share of the largest element are rounding. */
static const double noise = 1e-14;

void low_rank_factor_clear(low_rank_factor *factor) {
    free(factor->columns);
    *factor = (low_rank_factor){0};
}

static size_t largest_at(const double *x, size_t n) {
    size_t at = 0;
    for (size_t i = 1; i < n; i++) {
        if (x[i] > x[at])
            at = i;
    }
    return at;
}

static double sum_of(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* The next column of G, of the row `pivot`. */
static void append_column(low_rank_factor *g, const void *matrix, matrix_column column, size_t pivot,
                          double *residual) {
    size_t n = g->n_rows;
    double *next = g->columns + g->rank * n, root = sqrt(residual[pivot]);
    column(matrix, pivot, next);
    if (g->rank > 0) {
        blas_begin();
        cblas_dgemv(CblasColMajor, CblasNoTrans, (blasint)n, (blasint)g->rank, -1, g->columns, (blasint)n,
                    g->columns + pivot, (blasint)n, 1, next, 1);
        blas_end();
    }
    for (size_t i = 0; i < n; i++) {
        next[i] /= root;
        residual[i] = fmax(residual[i] - next[i] * next[i], 0);
    }
    residual[pivot] = 0;
    g->rank++;
}

status incomplete_cholesky(const void *matrix, matrix_column column, double *residual, size_t n_rows, double tolerance,
                           size_t max_rank, low_rank_factor *out, error_info *err) {
    AUTO(low_rank_factor_clear) low_rank_factor g = {.n_rows = n_rows};
    size_t capacity = 0;
    double least = noise * residual[largest_at(residual, n_rows)];

    openblas_set_num_threads(1);
    while (sum_of(residual, n_rows) > tolerance) {
        size_t pivot = largest_at(residual, n_rows);
        if (residual[pivot] <= least)
            break;
        if (g.rank == max_rank)
            return error_set(err, STATUS_INVALID, "the kernel matrix needs more than %zu columns", max_rank);
        CHECK(array_reserve(&g.columns, &capacity, g.rank + 1, n_rows * sizeof *g.columns, err));
        append_column(&g, matrix, column, pivot, residual);
    }
    *out = TAKE(g);
    return STATUS_OK;
}
