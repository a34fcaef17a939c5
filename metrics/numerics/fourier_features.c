/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/fourier_features.h"

#include "core/base/random.h"
#include "metrics/numerics/gaussian_moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>

enum { DISTANCE_ROWS = 256 };

struct fourier_features {
    const dataset *data;
    uint64_t seed;
    size_t n;
    double **inputs;        /* by column; NULL of a discrete one */
    size_t step, n_sampled; /* rows that distances are taken between: 0, step, 2 step, ... */
    double *distances;      /* squared, of each pair of them */
    double *weights;        /* of the states of a column */
};

void fourier_features_destroy(fourier_features *f) {
    if (!f)
        return;
    for (size_t c = 0; f->inputs && c < dataset_column_count(f->data); c++)
        free(f->inputs[c]);
    free(f->inputs);
    free(f->distances);
    free(f->weights);
    free(f);
}

/* Twice, for the first mean is rounded. */
static double centre(double *x, size_t n) {
    double first = 0;
    for (int twice = 0; twice < 2; twice++) {
        double mean = 0;
        for (size_t i = 0; i < n; i++)
            mean += x[i];
        mean /= (double)n;
        for (size_t i = 0; i < n; i++)
            x[i] -= mean;
        first += mean;
    }
    return first;
}

/* Mean 0 and mean square 1; all 0 where there is no variation but that of rounding. */
static void standardise(double *x, size_t n) {
    double mean = centre(x, n), squares = 0, scale;
    for (size_t i = 0; i < n; i++)
        squares += x[i] * x[i];
    scale = squares > (1e-28 * mean * mean + 1e-280) * (double)n ? sqrt((double)n / squares) : 0;
    for (size_t i = 0; i < n; i++)
        x[i] *= scale;
}

static status make_inputs(fourier_features *f, error_info *err) {
    for (size_t c = 0; c < dataset_column_count(f->data); c++) {
        if (dataset_variable(f->data, c)->kind == VARIABLE_DISCRETE)
            continue;
        CHECK(gaussian_moments_check_column(f->data, c, err));
        CHECK_ALLOC(f->inputs[c] = calloc(f->n + 1, sizeof(double)));
        memcpy(f->inputs[c], dataset_reals(f->data, c), f->n * sizeof(double));
        standardise(f->inputs[c], f->n);
    }
    return STATUS_OK;
}

status fourier_features_create(const dataset *data, uint64_t seed, fourier_features **out, error_info *err) {
    AUTO_PTR(fourier_features_destroy) fourier_features *f = NULL;
    size_t n = dataset_row_count(data), m;
    CHECK_ALLOC(f = calloc(1, sizeof *f));
    f->data = data;
    f->seed = seed;
    f->n = n;
    f->step = n > DISTANCE_ROWS ? n / DISTANCE_ROWS : 1;
    f->n_sampled = m = n > DISTANCE_ROWS ? DISTANCE_ROWS : n;
    CHECK_ALLOC(f->inputs = calloc(dataset_column_count(data), sizeof *f->inputs));
    CHECK_ALLOC(f->distances = calloc(m * m + 1, sizeof *f->distances));
    CHECK_ALLOC(f->weights = calloc(dataset_most_states(data), sizeof *f->weights));
    CHECK(make_inputs(f, err));
    *out = TAKE(f);
    return STATUS_OK;
}

/* --- the width --- */

static void add_distances(fourier_features *f, size_t column) {
    const double *x = f->inputs[column];
    double *d = f->distances;
    for (size_t i = 0; i < f->n_sampled; i++) {
        for (size_t j = 0; j < i; j++) {
            size_t a = i * f->step, b = j * f->step;
            if (x)
                *d++ += (x[a] - x[b]) * (x[a] - x[b]);
            else /* two unit vectors */
                *d++ += dataset_state(f->data, a, column) == dataset_state(f->data, b, column) ? 0 : 2;
        }
    }
}

static double find_width(fourier_features *f, const size_t *columns, size_t n_columns) {
    size_t n_pairs = f->n_sampled * (f->n_sampled - 1) / 2;
    double median;
    if (f->n_sampled < 2)
        return 1;
    memset(f->distances, 0, n_pairs * sizeof *f->distances);
    for (size_t k = 0; k < n_columns; k++)
        add_distances(f, columns[k]);
    median = gsl_stats_select(f->distances, 1, n_pairs, n_pairs / 2);
    return median > 0 ? sqrt(median) : 1;
}

/* --- the features --- */

static random_key key_of(const fourier_features *f, const char *role, const char *what) {
    return random_key_text(random_key_text(random_key_text(random_key_of(f->seed), "fourier"), role), what);
}

static void start_phases(const fourier_features *f, const char *role, size_t count, double *out) {
    random_stream random;
    random_stream_init(&random, key_of(f, role, "phases"));
    for (size_t j = 0; j < count; j++) {
        double phase = 2 * M_PI * random_uniform(&random);
        for (size_t i = 0; i < f->n; i++)
            out[j * f->n + i] = phase;
    }
}

static void add_reals(const fourier_features *f, const double *x, double weight, double *out) {
    for (size_t i = 0; i < f->n; i++)
        out[i] += weight * x[i];
}

static void add_states(const fourier_features *f, size_t column, double *out) {
    for (size_t i = 0; i < f->n; i++)
        out[i] += f->weights[dataset_state(f->data, i, column)];
}

/* What a column adds to the arguments of the cosines. */
static void add_column(fourier_features *f, const char *role, size_t column, double width, size_t count, double *out) {
    random_stream random;
    random_gsl as_gsl;
    const gsl_rng *rng;
    random_stream_init(&random, random_key_text(key_of(f, role, "column"), dataset_variable(f->data, column)->name));
    rng = random_as_gsl(&random, &as_gsl);
    for (size_t j = 0; j < count; j++) {
        if (f->inputs[column]) {
            add_reals(f, f->inputs[column], gsl_ran_gaussian(rng, 1 / width), out + j * f->n);
            continue;
        }
        for (size_t s = 0; s < dataset_state_count(f->data, column); s++)
            f->weights[s] = gsl_ran_gaussian(rng, 1 / width);
        add_states(f, column, out + j * f->n);
    }
}

void fourier_features_make(fourier_features *f, const char *role, const size_t *columns, size_t n_columns, size_t count,
                           double *out) {
    double width = find_width(f, columns, n_columns);
    start_phases(f, role, count, out);
    for (size_t k = 0; k < n_columns; k++)
        add_column(f, role, columns[k], width, count, out);
    for (size_t j = 0; j < count; j++) {
        for (size_t i = 0; i < f->n; i++)
            out[j * f->n + i] = cos(out[j * f->n + i]);
        standardise(out + j * f->n, f->n);
    }
}
