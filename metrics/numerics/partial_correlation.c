/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/partial_correlation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_share = 1e-10, /* of a variance that others leave; less is rounding */
    most = 1 - 1e-12;                    /* of a correlation */

/*
 * With R = L L' the correlations of z, w(x) = L^-1 R(z, x): what z explains of x is w(x)'w(x), of the product of x and
 * y w(x)'w(y).
 */
struct partial_correlation {
    const gaussian_moments *moments;
    size_t capacity; /* of sets */
    size_t *z, n_z;
    double *factor; /* L, capacity x capacity by rows; a diagonal of 0 where a column is passed over */
    double *of_x, *of_y;
    size_t y; /* that of_y belongs to, given all of z */
    bool has_y;
};

void partial_correlation_destroy(partial_correlation *c) {
    if (!c)
        return;
    free(c->z);
    free(c->factor);
    free(c->of_x);
    free(c->of_y);
    free(c);
}

/* Room for sets of so many; what is known of the last one is forgotten. */
static status reserve(partial_correlation *c, size_t capacity, error_info *err) {
    free(c->z);
    free(c->factor);
    free(c->of_x);
    free(c->of_y);
    c->capacity = c->n_z = 0;
    c->has_y = false;
    c->z = calloc(capacity, sizeof *c->z);
    c->factor = calloc(capacity, capacity * sizeof *c->factor);
    c->of_x = calloc(capacity, sizeof *c->of_x);
    c->of_y = calloc(capacity, sizeof *c->of_y);
    if (!c->z || !c->factor || !c->of_x || !c->of_y)
        return error_out_of_memory(err);
    c->capacity = capacity;
    return STATUS_OK;
}

enum { FIRST_CAPACITY = 8 };

status partial_correlation_create(const gaussian_moments *moments, partial_correlation **out, error_info *err) {
    AUTO_PTR(partial_correlation_destroy) partial_correlation *c = NULL;
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    c->moments = moments;
    CHECK(reserve(c, FIRST_CAPACITY, err));
    *out = TAKE(c);
    return STATUS_OK;
}

/* w(x) on the first n of z. */
static void solve(const partial_correlation *c, size_t x, size_t n, double *w) {
    for (size_t i = 0; i < n; i++) {
        const double *row = c->factor + i * c->capacity;
        double rest = gaussian_moments_correlation(c->moments, c->z[i], x);
        for (size_t j = 0; j < i; j++)
            rest -= row[j] * w[j];
        w[i] = row[i] > 0 ? rest / row[i] : 0;
    }
}

/* The share of the variance that z leaves, 0 where it is rounding. */
static double share_left(const double *w, size_t n) {
    double share = 1;
    for (size_t i = 0; i < n; i++)
        share -= w[i] * w[i];
    return share < least_share ? 0 : share;
}

static status turn_to_set(partial_correlation *c, const size_t *z, size_t n_z, error_info *err) {
    size_t n = 0;
    if (n_z > c->capacity) {
        CHECK(reserve(c, 2 * n_z, err));
    }
    while (n < n_z && n < c->n_z && c->z[n] == z[n])
        n++;
    if (n == n_z && n == c->n_z)
        return STATUS_OK;
    c->has_y = false;
    for (; n < n_z; n++) {
        double *row = c->factor + n * c->capacity;
        solve(c, z[n], n, row);
        row[n] = sqrt(share_left(row, n));
        c->z[n] = z[n];
    }
    c->n_z = n_z;
    return STATUS_OK;
}

static double correlation_given_set(const partial_correlation *c, size_t x) {
    double left = share_left(c->of_x, c->n_z) * share_left(c->of_y, c->n_z);
    double rest = gaussian_moments_correlation(c->moments, x, c->y);
    for (size_t i = 0; i < c->n_z; i++)
        rest -= c->of_x[i] * c->of_y[i];
    return left > 0 ? fmax(-most, fmin(rest / sqrt(left), most)) : 0;
}

status partial_correlation_get(partial_correlation *c, size_t x, size_t y, const size_t *z, size_t n_z, double *out,
                               error_info *err) {
    CHECK(turn_to_set(c, z, n_z, err));
    if (!c->has_y || c->y != y) {
        solve(c, y, n_z, c->of_y);
        c->y = y;
        c->has_y = true;
    }
    solve(c, x, n_z, c->of_x);
    *out = correlation_given_set(c, x);
    return STATUS_OK;
}
