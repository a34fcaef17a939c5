/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/scores/gaussian_family_internal.h"

#include <math.h>
#include <stdlib.h>

status gaussian_family_init(gaussian_family *f, const dataset *data, const run_context *ctx, double tolerance,
                            error_info *err) {
    *f = (gaussian_family){.tolerance = tolerance};
    CHECK(gaussian_moments_create(data, ctx ? ctx->n_threads : 1, &f->own_moments, err));
    f->moments = f->own_moments;
    return STATUS_OK;
}

void gaussian_family_clear(gaussian_family *f) {
    gaussian_moments_destroy(f->own_moments);
    free(f->kept);
    free(f->factor);
    free(f->log_det);
    *f = (gaussian_family){0};
}

gaussian_family gaussian_family_twin(const gaussian_family *f) {
    return (gaussian_family){.moments = f->moments, .ridge = f->ridge, .tolerance = f->tolerance};
}

/* Room for so many rows; what was kept is forgotten where it grows, which is rare. */
static status reserve(gaussian_family *f, size_t n, error_info *err) {
    size_t capacity = 2 * n + 8;
    if (f->capacity >= n)
        return STATUS_OK;
    free(f->kept);
    free(f->factor);
    free(f->log_det);
    f->capacity = f->n_kept = 0;
    f->kept = NULL;
    f->factor = f->log_det = NULL;
    CHECK_ALLOC(f->kept = calloc(capacity, sizeof *f->kept));
    CHECK_ALLOC(f->factor = calloc(capacity + 1, (capacity / 2 + 1) * sizeof *f->factor));
    CHECK_ALLOC(f->log_det = calloc(capacity, sizeof *f->log_det));
    f->capacity = capacity;
    return STATUS_OK;
}

/* Row k of the factor, for column c behind the first k of `before`: returns what is left of its sum
 * of squares, or 0. */
static double add_row(gaussian_family *f, size_t k, size_t c, const size_t *before) {
    const double *products = gaussian_moments_products(f->moments, c), *other = f->factor;
    double *row = f->factor + k * (k + 1) / 2, whole = products[c] + f->ridge, left = whole;
    for (size_t j = 0; j < k; j++) {
        double v = products[before[j]];
        for (size_t i = 0; i < j; i++)
            v -= other[i] * row[i];
        v /= other[j];
        row[j] = v;
        left -= v * v;
        other += j + 1;
    }
    if (!(left > f->tolerance * whole))
        return 0;
    row[k] = sqrt(left);
    return left;
}

/* The rows of the parents; false where one of them is a linear function of those before it. */
static bool add_parents(gaussian_family *f, const size_t *parents, size_t n) {
    size_t k = 0;
    while (k < n && k < f->n_kept && f->kept[k] == parents[k])
        k++;
    for (f->n_kept = k; k < n; k++) {
        double left = add_row(f, k, parents[k], parents);
        if (!(left > 0))
            return false;
        f->kept[k] = parents[k];
        f->log_det[k] = (k > 0 ? f->log_det[k - 1] : 0) + log(left);
        f->n_kept = k + 1;
    }
    f->n_kept = n; /* the row behind them is to be that of x */
    return true;
}

status gaussian_family_regress(gaussian_family *f, size_t x, const size_t *parents, size_t n_parents, double *residual,
                               double *log_det, error_info *err) {
    CHECK(reserve(f, n_parents + 1, err));
    *residual = 0;
    if (!add_parents(f, parents, n_parents))
        return STATUS_OK;
    *residual = add_row(f, n_parents, x, parents);
    *log_det = n_parents > 0 ? f->log_det[n_parents - 1] : 0;
    return STATUS_OK;
}

/* The row of x is the factor's inverse times its products; the coefficients are the transpose's inverse times that. */
void gaussian_family_coefficients(const gaussian_family *f, size_t n_parents, double *out) {
    const double *of_x = f->factor + n_parents * (n_parents + 1) / 2;
    for (size_t k = n_parents; k-- > 0;) {
        double v = of_x[k];
        for (size_t i = k + 1; i < n_parents; i++)
            v -= f->factor[i * (i + 1) / 2 + k] * out[i];
        out[k] = v / f->factor[k * (k + 1) / 2 + k];
    }
}
