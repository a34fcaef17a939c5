/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/feature_regression.h"

#include "metrics/numerics/blas_turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

/* Of a mean square of 1: features of few columns are nearly dependent on each other. */
static const double ridge = 1e-8;

enum { MEMORY = 64 << 20, MOST_SETS = 256, LEAST_SETS = 2 };

typedef struct {
    size_t *z, n_z;
    double *features; /* count x n */
    double *factor;   /* lower triangle by columns: L L' = features' features / n + ridge */
    uint64_t last_use;
    regression_set known;
} set_entry;

struct feature_regression {
    fourier_features *source;
    size_t n, count, n_targets;
    set_entry *sets;
    size_t n_sets, most_sets;
    const set_entry *at_hand;
    uint64_t clock;
    double *inverse;      /* count x count */
    double *coefficients; /* n_targets x count */
};

static void clear_set(set_entry *s) {
    free(s->z);
    free(s->features);
    free(s->factor);
    *s = (set_entry){0};
}

void feature_regression_destroy(feature_regression *r) {
    if (!r)
        return;
    for (size_t i = 0; i < r->n_sets; i++)
        clear_set(&r->sets[i]);
    free(r->sets);
    free(r->inverse);
    free(r->coefficients);
    free(r);
}

static size_t sets_in_memory(size_t n, size_t count) {
    double fit = MEMORY / ((double)(n + count) * (double)count * sizeof(double));
    return fit < LEAST_SETS ? LEAST_SETS : fit > MOST_SETS ? MOST_SETS : (size_t)fit;
}

status feature_regression_create(fourier_features *features, size_t n_rows, size_t count, size_t n_targets,
                                 feature_regression **out, error_info *err) {
    AUTO_PTR(feature_regression_destroy) feature_regression *r = NULL;
    CHECK_ALLOC(r = calloc(1, sizeof *r));
    r->source = features;
    r->n = n_rows;
    r->count = count;
    r->n_targets = n_targets;
    r->most_sets = sets_in_memory(n_rows, count);
    CHECK_ALLOC(r->sets = calloc(r->most_sets, sizeof *r->sets));
    CHECK_ALLOC(r->inverse = calloc(count, count * sizeof *r->inverse));
    CHECK_ALLOC(r->coefficients = calloc(count, n_targets * sizeof *r->coefficients));
    openblas_set_num_threads(1);
    *out = TAKE(r);
    return STATUS_OK;
}

/* --- a set --- */

/* In place, by columns; positive definite by the ridge. */
static void factor_in_place(double *a, size_t n) {
    for (size_t j = 0; j < n; j++) {
        double *column = a + j * n, pivot = sqrt(fmax(column[j], ridge / 2));
        column[j] = pivot;
        for (size_t i = j + 1; i < n; i++)
            column[i] /= pivot;
        for (size_t k = j + 1; k < n; k++) {
            for (size_t i = k; i < n; i++)
                a[k * n + i] -= column[i] * column[k];
        }
    }
}

/* The trace of the regression's hat matrix: count - ridge trace((L L')^-1). */
static double degrees_of_freedom(feature_regression *r, const double *factor) {
    size_t count = r->count;
    double squares = 0;
    memset(r->inverse, 0, count * count * sizeof *r->inverse);
    for (size_t i = 0; i < count; i++)
        r->inverse[i * count + i] = 1;
    blas_begin();
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (blasint)count, (blasint)count, 1,
                factor, (blasint)count, r->inverse, (blasint)count);
    blas_end();
    for (size_t i = 0; i < count * count; i++)
        squares += r->inverse[i] * r->inverse[i];
    return (double)count - ridge * squares;
}

static void fill_set(feature_regression *r, set_entry *s, const size_t *z, size_t n_z) {
    blasint n = (blasint)r->n, count = (blasint)r->count;
    memcpy(s->z, z, n_z * sizeof *z);
    s->n_z = n_z;
    fourier_features_make(r->source, "set", z, n_z, r->count, s->features);
    blas_begin();
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, count, n, 1 / (double)r->n, s->features, n, 0, s->factor, count);
    blas_end();
    for (size_t i = 0; i < r->count; i++)
        s->factor[i * r->count + i] += ridge;
    factor_in_place(s->factor, r->count);
    s->known = (regression_set){++r->clock, degrees_of_freedom(r, s->factor)};
}

static status make_set(feature_regression *r, set_entry *s, const size_t *z, size_t n_z, error_info *err) {
    AUTO(clear_set) set_entry made = {0};
    CHECK_ALLOC(made.z = calloc(n_z, sizeof *made.z));
    CHECK_ALLOC(made.features = calloc(r->count, r->n * sizeof *made.features));
    CHECK_ALLOC(made.factor = calloc(r->count, r->count * sizeof *made.factor));
    fill_set(r, &made, z, n_z);
    *s = TAKE(made);
    return STATUS_OK;
}

static set_entry *find_set(feature_regression *r, const size_t *z, size_t n_z) {
    for (size_t i = 0; i < r->n_sets; i++) {
        if (r->sets[i].n_z == n_z && memcmp(r->sets[i].z, z, n_z * sizeof *z) == 0)
            return &r->sets[i];
    }
    return NULL;
}

/* An empty one, or that which has not been used for longest, emptied. */
static set_entry *take_place(feature_regression *r) {
    set_entry *oldest = &r->sets[0];
    for (size_t i = 0; i < r->n_sets; i++) {
        if (!r->sets[i].z)
            return &r->sets[i];
        if (r->sets[i].last_use < oldest->last_use)
            oldest = &r->sets[i];
    }
    if (r->n_sets < r->most_sets)
        return &r->sets[r->n_sets++];
    clear_set(oldest);
    return oldest;
}

status feature_regression_turn_to(feature_regression *r, const size_t *z, size_t n_z, regression_set *out,
                                  error_info *err) {
    set_entry *s = find_set(r, z, n_z);
    if (!s) {
        r->at_hand = NULL;
        s = take_place(r);
        CHECK(make_set(r, s, z, n_z, err));
    }
    s->last_use = ++r->clock;
    r->at_hand = s;
    *out = s->known;
    return STATUS_OK;
}

/* --- a regression --- */

void feature_regression_subtract(feature_regression *r, double *targets) {
    const set_entry *s = r->at_hand;
    blasint n = (blasint)r->n, count = (blasint)r->count, width = (blasint)r->n_targets;
    blas_begin();
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, count, width, n, 1 / (double)r->n, s->features, n, targets, n,
                0, r->coefficients, count);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, count, width, 1, s->factor, count,
                r->coefficients, count);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, count, width, 1, s->factor, count,
                r->coefficients, count);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, width, count, -1, s->features, n, r->coefficients, count,
                1, targets, n);
    blas_end();
}
