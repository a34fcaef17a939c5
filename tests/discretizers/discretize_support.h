/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Columns of numbers and their discretization, for tests. */
#ifndef BNB_TESTS_DISCRETIZERS_DISCRETIZE_SUPPORT_H
#define BNB_TESTS_DISCRETIZERS_DISCRETIZE_SUPPORT_H

#include "core/run/run_context.h"
#include "discretizers/base/discretizer.h"
#include "discretizers/base/sorted_column.h"
#include "discretizers/registry.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A dataset of continuous columns "X0", "X1", ...; values column by column. */
static inline dataset *make_reals(size_t n_rows, size_t n_columns, const double *values) {
    variable *v = calloc(n_columns, sizeof *v);
    dataset *data = NULL;
    error_info err = {0};
    for (size_t c = 0; c < n_columns; c++) {
        char name[32];
        (void)snprintf(name, sizeof name, "X%zu", c);
        assert_ok(variable_init_continuous(&v[c], name, &err), &err);
    }
    assert_ok(dataset_create(v, n_columns, n_rows, &data, &err), &err);
    for (size_t c = 0; c < n_columns; c++)
        memcpy(dataset_build_reals(data, c), values + c * n_rows, n_rows * sizeof *values);
    variables_destroy(v, n_columns);
    return data;
}

/** The policy that a method with these options ("k=3", NULL ends them) finds. */
static inline cut_policy fit_by(size_t n_threads, const dataset *data, const char *method, const char *const *options) {
    const discretizer *d = NULL;
    error_info err = {0};
    cut_policy found = {0};
    run_context ctx;
    void *opts;
    assert_ok(discretizer_find(method, &d, &err), &err);
    opts = discretizer_options_create(d);
    for (; options && *options; options++)
        assert_ok(options_set_pair(d->options, opts, *options, &err), &err);
    run_context_init(&ctx, 7);
    ctx.n_threads = n_threads;
    assert_ok(discretizer_fit(d, data, opts, &ctx, &found, &err), &err);
    free(opts);
    return found;
}

static inline cut_policy fit_with(const dataset *data, const char *method, const char *const *options) {
    return fit_by(1, data, method, options);
}

static inline void assert_thresholds(const cut_policy *p, size_t column, size_t n, const double *expected) {
    if (p->columns[column].n != n)
        fail_msg("%zu thresholds, expected %zu", p->columns[column].n, n);
    for (size_t i = 0; i < n; i++)
        assert_close(p->columns[column].thresholds[i], expected[i], 1e-6);
}

static inline sorted_column sort_values(const double *values, size_t n) {
    sorted_column s = {0};
    error_info err = {0};
    assert_ok(sorted_column_init(&s, values, n, &err), &err);
    return s;
}

#define fit_options(...) ((const char *const[]){__VA_ARGS__, NULL})

static inline void assert_same_policy(const cut_policy *a, const cut_policy *b) {
    assert_int_equal(a->n_columns, b->n_columns);
    for (size_t c = 0; c < a->n_columns; c++) {
        assert_int_equal(a->columns[c].n, b->columns[c].n);
        for (size_t k = 0; k < a->columns[c].n; k++)
            assert_true(a->columns[c].thresholds[k] == b->columns[c].thresholds[k]);
    }
}

#endif
