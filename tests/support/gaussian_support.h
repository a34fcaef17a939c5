/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Continuous data for tests: made up, and random. */
#ifndef BNB_TESTS_SUPPORT_GAUSSIAN_SUPPORT_H
#define BNB_TESTS_SUPPORT_GAUSSIAN_SUPPORT_H

#include "core/data/dataset_csv.h"
#include "core/graph/graph_file.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>

/** Columns "v0", "v1", ...; values row by row. */
static inline dataset *make_reals(size_t n_rows, size_t n_columns, const double *values) {
    variable *variables = calloc(n_columns, sizeof *variables);
    dataset *data = NULL;
    error_info err = {0};
    assert_non_null(variables);
    for (size_t c = 0; c < n_columns; c++) {
        char name[32];
        (void)snprintf(name, sizeof name, "v%zu", c);
        assert_ok(variable_init_continuous(&variables[c], name, &err), &err);
    }
    assert_ok(dataset_create(variables, n_columns, n_rows, &data, &err), &err);
    for (size_t c = 0; c < n_columns; c++) {
        for (size_t i = 0; i < n_rows; i++)
            dataset_build_reals(data, c)[i] = values[i * n_columns + c];
    }
    variables_destroy(variables, n_columns);
    return data;
}

static inline double normal_deviate(random_stream *random) {
    random_gsl gsl;
    return gsl_ran_gaussian_ziggurat(random_as_gsl(random, &gsl), 1);
}

/** Each column is a sum of two or so before it, and noise. */
static inline dataset *sample_reals(random_stream *random, size_t n_columns, size_t n_rows) {
    double *values = calloc(n_rows, n_columns * sizeof *values);
    dataset *data;
    assert_non_null(values);
    for (size_t c = 0; c < n_columns; c++) {
        for (size_t row = 0; row < n_rows; row++)
            values[row * n_columns + c] = normal_deviate(random);
        for (size_t k = 0; k < 2 && c > 0; k++) {
            size_t parent = (size_t)random_below(random, c);
            double weight = normal_deviate(random);
            for (size_t row = 0; row < n_rows; row++)
                values[row * n_columns + c] += weight * values[row * n_columns + parent];
        }
    }
    data = make_reals(n_rows, n_columns, values);
    free(values);
    return data;
}

/** Every column a random mixture of some before it and noise, about a random mean, on a random scale. */
static inline dataset *make_random_reals(random_stream *random, size_t n_rows, size_t n_columns) {
    double *values = calloc(n_rows * n_columns, sizeof *values);
    dataset *data;
    assert_non_null(values);
    for (size_t c = 0; c < n_columns; c++) {
        double mean = 10 * normal_deviate(random), scale = exp(normal_deviate(random));
        for (size_t i = 0; i < n_rows; i++)
            values[i * n_columns + c] = mean + scale * normal_deviate(random);
        for (size_t before = 0; before < c; before++) {
            double weight = random_below(random, 3) == 0 ? normal_deviate(random) : 0;
            for (size_t i = 0; i < n_rows; i++)
                values[i * n_columns + c] += weight * values[i * n_columns + before];
        }
    }
    data = make_reals(n_rows, n_columns, values);
    free(values);
    return data;
}

#endif
