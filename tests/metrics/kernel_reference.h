/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The kernel score the slow way: the kernel matrix whole, its factor by the book, every eigenvector of the centred
 * matrix, determinants from scratch. And data of all kinds to try it on.
 */
#ifndef BNB_TESTS_METRICS_KERNEL_REFERENCE_H
#define BNB_TESTS_METRICS_KERNEL_REFERENCE_H

#include "metrics/scores/kernel_score.h"
#include "tests/support/gaussian_support.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>

enum { MIXED_COLUMNS = 6 };

/** Two normal columns of a curve, three states that follow the first, one that follows those, a skewed one, a coin. */
static inline dataset *make_mixed(random_stream *random, size_t n_rows) {
    static const char *const states[] = {"low", "middle", "high"};
    static const size_t n_states[MIXED_COLUMNS] = {0, 0, 3, 0, 0, 2};
    variable variables[MIXED_COLUMNS] = {{0}};
    dataset *data = NULL;
    error_info err = {0};
    for (size_t c = 0; c < MIXED_COLUMNS; c++) {
        char name[] = {(char)('a' + c), 0};
        if (n_states[c])
            assert_ok(variable_init_discrete(&variables[c], name, states, n_states[c], &err), &err);
        else
            assert_ok(variable_init_continuous(&variables[c], name, &err), &err);
    }
    assert_ok(dataset_create(variables, MIXED_COLUMNS, n_rows, &data, &err), &err);
    for (size_t i = 0; i < n_rows; i++) {
        double a = normal_deviate(random), e = exp(normal_deviate(random));
        size_t c = a < -0.5 ? 0 : a < 0.5 ? 1 : 2;
        c = random_below(random, 5) ? c : (size_t)random_below(random, 3);
        dataset_build_reals(data, 0)[i] = a;
        dataset_build_reals(data, 1)[i] = a * a + 0.3 * normal_deviate(random);
        dataset_set_state(data, i, 2, c);
        dataset_build_reals(data, 3)[i] = 100 + 10 * (double)c + 4 * normal_deviate(random);
        dataset_build_reals(data, 4)[i] = e;
        dataset_set_state(data, i, 5, e < 1 || random_below(random, 4) == 0);
    }
    for (size_t c = 0; c < MIXED_COLUMNS; c++)
        variable_clear(&variables[c]);
    return data;
}

/** K, of the standardised column. */
static inline gsl_matrix *dense_kernel(const dataset *data, size_t column, const kernel_options *o) {
    size_t n = dataset_row_count(data);
    gsl_matrix *k = gsl_matrix_calloc(n, n);
    double *z = calloc(n, sizeof *z), mean = 0, variance = 0;
    bool is_discrete = dataset_variable(data, column)->kind == VARIABLE_DISCRETE;
    assert_true(k);
    assert_true(z);
    for (size_t i = 0; i < n; i++) {
        z[i] = is_discrete ? (double)dataset_state(data, i, column) : dataset_reals(data, column)[i];
        mean += z[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        variance += (z[i] - mean) * (z[i] - mean) / (double)n;
    for (size_t i = 0; i < n * n; i++) {
        double x = (z[i / n] - mean) / sqrt(variance), y = (z[i % n] - mean) / sqrt(variance);
        double gaussian = exp(-(x - y) * (x - y) / (2 * o->sigma * o->sigma));
        gsl_matrix_set(k, i / n, i % n,
                       is_discrete                  ? (z[i / n] == z[i % n])
                       : o->kernel == KERNEL_LINEAR ? x * y
                                                    : gaussian);
    }
    free(z);
    return k;
}

/** The factor by the book: rows and columns really change places. Into G of n columns; returns its rank. */
static inline size_t dense_cholesky(const gsl_matrix *kernel, double tolerance, gsl_matrix *g) {
    size_t n = kernel->size1, rank = 0, *place = calloc(n, sizeof *place);
    gsl_matrix *l = gsl_matrix_calloc(n, n);
    for (size_t i = 0; i < n; i++)
        place[i] = i;
    for (; rank < n; rank++) {
        double left = 0, largest = -1;
        size_t best = rank, swapped;
        for (size_t i = rank; i < n; i++) {
            double d = gsl_matrix_get(kernel, place[i], place[i]);
            for (size_t m = 0; m < rank; m++)
                d -= pow(gsl_matrix_get(l, i, m), 2);
            left += d;
            if (d > largest || (d == largest && place[i] < place[best])) {
                largest = d;
                best = i;
            }
        }
        if (left <= tolerance)
            break;
        swapped = place[rank];
        place[rank] = place[best];
        place[best] = swapped;
        gsl_matrix_swap_rows(l, rank, best);
        for (size_t i = rank; i < n; i++) {
            double value = gsl_matrix_get(kernel, place[i], place[rank]);
            for (size_t m = 0; m < rank; m++)
                value -= gsl_matrix_get(l, i, m) * gsl_matrix_get(l, rank, m);
            gsl_matrix_set(l, i, rank, value / sqrt(largest));
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t m = 0; m < n; m++)
            gsl_matrix_set(g, place[i], m, m < rank ? gsl_matrix_get(l, i, m) : 0);
    }
    gsl_matrix_free(l);
    free(place);
    return rank;
}

/** H K H with H = I - 1 1'/n. */
static inline void centre_densely(gsl_matrix *k) {
    size_t n = k->size1;
    gsl_matrix *h = gsl_matrix_alloc(n, n), *product = gsl_matrix_alloc(n, n);
    gsl_matrix_set_all(h, -1 / (double)n);
    for (size_t i = 0; i < n; i++)
        *gsl_matrix_ptr(h, i, i) += 1;
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, h, k, 0, product);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, product, h, 0, k);
    gsl_matrix_free(h);
    gsl_matrix_free(product);
}

typedef struct {
    size_t n_features;
    double *eigenvalues;  /* descending */
    gsl_matrix *features; /* n x n_features: U diag(w) */
} dense_features;

/** Of K as it is, or, where `is_exact` is false, of the product of its incomplete factor. */
static inline dense_features make_dense_features(const dataset *data, size_t column, const kernel_options *o,
                                                 bool is_exact) {
    size_t n = dataset_row_count(data);
    double eta = (o->eta > 0 ? o->eta : 0.01 * o->kappa) * (double)n;
    gsl_matrix *k = dense_kernel(data, column, o), *g = gsl_matrix_calloc(n, n), *vectors = gsl_matrix_alloc(n, n);
    gsl_vector *values = gsl_vector_alloc(n);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(n);
    dense_features f = {.eigenvalues = calloc(n, sizeof(double)), .features = gsl_matrix_calloc(n, n)};
    if (!is_exact && dataset_variable(data, column)->kind == VARIABLE_CONTINUOUS) {
        (void)dense_cholesky(k, eta, g);
        gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1, g, g, 0, k);
    }
    centre_densely(k);
    gsl_eigen_symmv(k, values, vectors, work);
    gsl_eigen_symmv_sort(values, vectors, GSL_EIGEN_SORT_VAL_DESC);
    for (; f.n_features < n && gsl_vector_get(values, f.n_features) >= eta; f.n_features++) {
        double value = gsl_vector_get(values, f.n_features);
        f.eigenvalues[f.n_features] = value;
        for (size_t i = 0; i < n; i++)
            gsl_matrix_set(f.features, i, f.n_features,
                           gsl_matrix_get(vectors, i, f.n_features) * value / (value + (double)n * o->kappa));
    }
    gsl_matrix_free(k);
    gsl_matrix_free(g);
    gsl_matrix_free(vectors);
    gsl_vector_free(values);
    gsl_eigen_symmv_free(work);
    return f;
}

enum { DENSE_SETS = 1 << 8 };

/** All columns of the data, eight at most. */
typedef struct {
    size_t n_rows, n_columns;
    dense_features *columns;
    double determinants[DENSE_SETS]; /* by set, once it was asked for; before, NAN */
} dense_score;

static inline dense_score make_dense_score(const dataset *data, const kernel_options *o, bool is_exact) {
    dense_score s = {.n_rows = dataset_row_count(data), .n_columns = dataset_column_count(data)};
    s.columns = calloc(s.n_columns, sizeof *s.columns);
    assert_non_null(s.columns);
    for (size_t set = 0; set < DENSE_SETS; set++)
        s.determinants[set] = (double)NAN;
    for (size_t c = 0; c < s.n_columns; c++)
        s.columns[c] = make_dense_features(data, c, o, is_exact);
    return s;
}

static inline void clear_dense_score(dense_score *s) {
    for (size_t c = 0; c < s->n_columns; c++) {
        free(s->columns[c].eigenvalues);
        gsl_matrix_free(s->columns[c].features);
    }
    free(s->columns);
}

static inline size_t dense_size(const dense_score *s, unsigned set) {
    size_t d = 0;
    for (size_t c = 0; c < s->n_columns; c++)
        d += set >> c & 1u ? s->columns[c].n_features : 0;
    return d;
}

static inline double product_of_features(const dense_features *a, size_t i, const dense_features *b, size_t j) {
    gsl_vector_view x = gsl_matrix_column(a->features, i), y = gsl_matrix_column(b->features, j);
    double product;
    gsl_blas_ddot(&x.vector, &y.vector, &product);
    return product;
}

/** R_A for the set A as bits. */
static inline gsl_matrix *dense_correlation(const dense_score *s, unsigned set) {
    size_t d = dense_size(s, set), row = 0;
    gsl_matrix *r = gsl_matrix_alloc(d, d);
    for (size_t a = 0; a < s->n_columns; a++) {
        for (size_t i = 0; (set >> a & 1u) && i < s->columns[a].n_features; i++, row++) {
            size_t column = 0;
            for (size_t b = 0; b < s->n_columns; b++) {
                for (size_t j = 0; (set >> b & 1u) && j < s->columns[b].n_features; j++, column++)
                    gsl_matrix_set(r, row, column,
                                   a == b ? i == j : product_of_features(&s->columns[a], i, &s->columns[b], j));
            }
        }
    }
    return r;
}

/** log |R_A|. */
static inline double dense_determinant(dense_score *s, unsigned set) {
    if (dense_size(s, set) == 0)
        return 0;
    if (isnan(s->determinants[set])) {
        gsl_matrix *r = dense_correlation(s, set);
        gsl_linalg_cholesky_decomp1(r);
        s->determinants[set] = 0;
        for (size_t i = 0; i < r->size1; i++)
            s->determinants[set] += 2 * log(gsl_matrix_get(r, i, i));
        gsl_matrix_free(r);
    }
    return s->determinants[set];
}

static inline double dense_information(dense_score *s, size_t x, unsigned parents) {
    return -0.5 *
           (dense_determinant(s, parents | 1u << x) - dense_determinant(s, parents) - dense_determinant(s, 1u << x));
}

/** J, which is minimised. */
static inline double dense_j(dense_score *s, size_t x, unsigned parents) {
    double n = (double)s->n_rows, pairs = (double)(dense_size(s, parents) * dense_size(s, 1u << x));
    return -n * dense_information(s, x, parents) + pairs / 2 * log(n);
}

#endif
