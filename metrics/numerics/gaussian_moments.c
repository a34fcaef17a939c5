/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/gaussian_moments.h"

#include "core/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

struct gaussian_moments {
    size_t n, p;
    double *means;
    double *products; /* p x p */
    double *norms;    /* square roots of the diagonal; 0 of a constant column */
};

/* Rows that are centred at a time: of a thousand columns a block is two megabytes. */
enum { BLOCK = 256 };

static const double largest = 1e150, /* its square, times as many rows as there can be, is finite */
    least_sum_of_squares = 1e-280;   /* below this, squares have lost their digits */

void gaussian_moments_destroy(gaussian_moments *m) {
    if (!m)
        return;
    free(m->means);
    free(m->products);
    free(m->norms);
    free(m);
}

status gaussian_moments_check_column(const dataset *data, size_t column, error_info *err) {
    const variable *v = dataset_variable(data, column);
    char name[TEXT_SHOWN_SIZE];
    const double *x;
    (void)text_show(v->name, strlen(v->name), name);
    if (v->kind != VARIABLE_CONTINUOUS)
        return error_set(err, STATUS_INVALID, "column %s is discrete; it must be continuous here", name);
    x = dataset_reals(data, column);
    for (size_t i = 0; i < dataset_row_count(data); i++) {
        if (!(fabs(x[i]) <= largest))
            return error_set(err, STATUS_INVALID,
                             "column %s holds %g in row %zu; it must be a number of size %g at most", name, x[i], i + 1,
                             largest);
    }
    return STATUS_OK;
}

/* The mean to the last bit or so: once more about the first mean. Of a constant column its value. */
static double mean_of(const double *x, size_t n) {
    double sum = 0, rest = 0, mean;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        rest += x[i] - mean;
    return mean + rest / (double)n;
}

static bool is_one_value(const double *x, size_t n) {
    for (size_t i = 1; i < n; i++) {
        if (x[i] != x[0])
            return false;
    }
    return true;
}

static status find_means(gaussian_moments *m, const dataset *data, error_info *err) {
    for (size_t c = 0; c < m->p; c++) {
        const double *x = dataset_reals(data, c);
        CHECK(gaussian_moments_check_column(data, c, err));
        m->means[c] = is_one_value(x, m->n) ? x[0] : mean_of(x, m->n);
    }
    return STATUS_OK;
}

/* Upper triangle, by rows: blocks are added in order, so that the result does not depend on anything but the data. */
static status add_products(gaussian_moments *m, const dataset *data, error_info *err) {
    AUTO_FREE double *block = calloc(m->p, BLOCK * sizeof *block);
    CHECK_ALLOC(block);
    openblas_set_num_threads(1);
    for (size_t first = 0; first < m->n; first += BLOCK) {
        size_t n_rows = m->n - first < BLOCK ? m->n - first : BLOCK;
        for (size_t c = 0; c < m->p; c++) {
            const double *x = dataset_reals(data, c) + first;
            for (size_t i = 0; i < n_rows; i++)
                block[c * BLOCK + i] = x[i] - m->means[c];
        }
        cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, (blasint)m->p, (blasint)n_rows, 1, block, BLOCK, 1,
                    m->products, (blasint)m->p);
    }
    return STATUS_OK;
}

static void clear_column(gaussian_moments *m, size_t column) {
    for (size_t i = 0; i < m->p; i++)
        m->products[i * m->p + column] = m->products[column * m->p + i] = 0;
}

static void finish(gaussian_moments *m) {
    for (size_t i = 0; i < m->p; i++) {
        for (size_t j = 0; j < i; j++)
            m->products[i * m->p + j] = m->products[j * m->p + i];
    }
    for (size_t i = 0; i < m->p; i++) {
        double squares = m->products[i * m->p + i];
        if (squares < least_sum_of_squares)
            clear_column(m, i);
        else
            m->norms[i] = sqrt(squares);
    }
}

status gaussian_moments_create(const dataset *data, gaussian_moments **out, error_info *err) {
    size_t p = dataset_column_count(data);
    AUTO_PTR(gaussian_moments_destroy) gaussian_moments *m = NULL;

    if (dataset_row_count(data) == 0)
        return error_set(err, STATUS_INVALID, "the data have no rows; it takes one at least");
    CHECK_ALLOC(m = calloc(1, sizeof *m));
    m->n = dataset_row_count(data);
    m->p = p;
    CHECK_ALLOC(m->means = calloc(p, sizeof *m->means));
    CHECK_ALLOC(m->norms = calloc(p, sizeof *m->norms));
    CHECK(find_means(m, data, err));
    CHECK_ALLOC(m->products = calloc(p, p * sizeof *m->products));
    CHECK(add_products(m, data, err));
    finish(m);
    *out = TAKE(m);
    return STATUS_OK;
}

size_t gaussian_moments_row_count(const gaussian_moments *m) {
    return m->n;
}

size_t gaussian_moments_column_count(const gaussian_moments *m) {
    return m->p;
}

double gaussian_moments_mean(const gaussian_moments *m, size_t column) {
    return m->means[column];
}

bool gaussian_moments_is_constant(const gaussian_moments *m, size_t column) {
    return m->norms[column] == 0;
}

const double *gaussian_moments_products(const gaussian_moments *m, size_t x) {
    return m->products + x * m->p;
}

double gaussian_moments_correlation(const gaussian_moments *m, size_t x, size_t y) {
    double r;
    if (m->norms[x] == 0 || m->norms[y] == 0)
        return 0;
    r = x == y ? 1 : m->products[x * m->p + y] / (m->norms[x] * m->norms[y]);
    return fmax(-1, fmin(r, 1));
}
