/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Short ways to ask the kernel score. */
#ifndef BNB_TESTS_METRICS_KERNEL_SUPPORT_H
#define BNB_TESTS_METRICS_KERNEL_SUPPORT_H

#include "tests/metrics/kernel_reference.h"

static const kernel_options usual = {KERNEL_SIGMA, KERNEL_KAPPA, 0, KERNEL_GAUSSIAN};

enum { ROWS = 200, SETS = 1 << MIXED_COLUMNS };

static inline dataset *make_two_hundred(uint64_t seed) {
    random_stream random;
    random_stream_init(&random, random_key_of(seed));
    return make_mixed(&random, ROWS);
}

static inline kernel_score *make_score(const dataset *data, const kernel_options *o) {
    kernel_score *s = NULL;
    error_info err = {0};
    assert_ok(kernel_score_create(data, o, NULL, &s, &err), &err);
    return s;
}

static inline size_t members(unsigned set, size_t *out) {
    size_t n = 0;
    for (size_t c = 0; set >> c; c++) {
        if (set >> c & 1u)
            out[n++] = c;
    }
    return n;
}

static inline double node(kernel_score *s, size_t x, unsigned parents) {
    size_t list[32], n = members(parents, list);
    double value = NAN;
    error_info err = {0};
    assert_ok(kernel_score_node(s, x, list, n, &value, &err), &err);
    return value;
}

static inline double information(kernel_score *s, size_t x, unsigned parents) {
    size_t list[32], n = members(parents, list);
    double value = NAN;
    error_info err = {0};
    assert_ok(kernel_score_information(s, x, list, n, &value, &err), &err);
    return value;
}

static inline kernel_features features_of(const dataset *data, size_t column, const kernel_options *o) {
    kernel_features f = {0};
    error_info err = {0};
    assert_ok(kernel_features_create(data, column, o, &f, &err), &err);
    return f;
}

static inline void assert_orthonormal(const kernel_features *f) {
    for (size_t a = 0; a < f->n_features; a++) {
        double sum = 0;
        for (size_t i = 0; i < f->n_rows; i++)
            sum += f->columns[a * f->n_rows + i];
        assert_close(sum, 0, 1e-9);
        for (size_t b = 0; b < f->n_features; b++) {
            double product = 0;
            for (size_t i = 0; i < f->n_rows; i++)
                product += f->columns[a * f->n_rows + i] * f->columns[b * f->n_rows + i];
            assert_close(product, a == b, 1e-9);
        }
    }
}

#endif
