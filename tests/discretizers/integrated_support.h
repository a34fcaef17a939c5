/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Mixed data for the tests of the integrated discretizers. */
#ifndef BNB_TESTS_DISCRETIZERS_INTEGRATED_SUPPORT_H
#define BNB_TESTS_DISCRETIZERS_INTEGRATED_SUPPORT_H

#include "tests/discretizers/discretize_support.h"
#include "tests/discretizers/policy_reference.h"

enum { N_METHODS = 3 };

/** Columns that hang on each other: of reals, some of them with ties, and of states. */
static inline dataset *random_mixed(random_stream *random, size_t n_rows, size_t n_columns) {
    variable *v = calloc(n_columns, sizeof *v);
    dataset *data = NULL;
    error_info err = {0};
    for (size_t c = 0; c < n_columns; c++) {
        char name[32];
        (void)snprintf(name, sizeof name, "V%zu", c);
        if (c > 0 && random_below(random, 4) == 0)
            assert_ok(policy_number_states(&v[c], name, 2 + (size_t)random_below(random, 3), &err), &err);
        else
            assert_ok(variable_init_continuous(&v[c], name, &err), &err);
    }
    assert_ok(dataset_create(v, n_columns, n_rows, &data, &err), &err);
    for (size_t c = 0; c < n_columns; c++) {
        bool has_ties = random_below(random, 3) == 0;
        double weight = random_uniform(random) * 2;
        for (size_t row = 0; row < n_rows; row++) {
            double before = c && dataset_reals(data, c - 1) ? dataset_reals(data, c - 1)[row] : (double)(row % 2);
            double x = weight * before + random_uniform(random);
            if (v[c].kind == VARIABLE_CONTINUOUS)
                dataset_build_reals(data, c)[row] = has_ties ? floor(3 * x) : x;
            else
                dataset_set_state(data, row, c, (size_t)fabs(2 * x) % v[c].n_states);
        }
    }
    variables_destroy(v, n_columns);
    return data;
}

static inline void assert_same_thresholds(size_t round, const char *method, size_t column,
                                          const column_policy *expected, const double *thresholds, size_t n) {
    bool same = n == expected->n;
    for (size_t k = 0; same && k < n; k++)
        same = thresholds[k] == expected->thresholds[k];
    if (!same)
        fail_msg("round %zu, %s, column %zu: %zu thresholds, expected %zu, or others", round, method, column, n,
                 expected->n);
}

#endif
