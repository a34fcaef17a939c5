/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * n times the squared norm of the covariance of random Fourier features of x and of y, once features of z are regressed
 * out of them; under independence a weighted sum of chi-squares. Any columns. Reliable from twenty rows on.
 * Source: Strobl, Zhang, Visweswaran 2019, Journal of Causal Inference 7: as RCoT the features are of x and of y alone,
 * as RCIT of x with z and of y with z (there: of y with z and of x; both here, so that x and y can change places).
 * Departures: features of z are a quarter of the rows at most, and the null distribution takes account of the degrees
 * of freedom that they take, without which small samples reject too often; features that z explains but for a millionth
 * part count as constant.
 */
#include "metrics/tests/rcit.h"

#include "metrics/numerics/blas_turn.h"
#include "metrics/numerics/feature_regression.h"
#include "metrics/tests/ci_test_internal.h"
#include "metrics/tests/weighted_chi_square.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cblas.h> /* OpenBLAS answers it, but its own header clashes with that of GSL */
#include <gsl/gsl_eigen.h>

static const option_spec options[] = {
    CI_LEVEL_ROW(rcit_options, alpha, 0.05, "level: dependent iff p <= alpha"),
    {OPT_CHOICE, "variant", offsetof(rcit_options, variant), CI_VARIANT_RCOT, 0, 0,
     "random features of each column alone, or of each with the set", "rcot|rcit", true},
    {OPT_INT, "features", offsetof(rcit_options, features), 5, 1, 20, "random features of either column", NULL, true},
    {OPT_INT, "set_features", offsetof(rcit_options, set_features), 100, 1, 2000,
     "random features of the set; a quarter of the rows at most", NULL, true},
    {OPT_INT, "feature_seed", offsetof(rcit_options, feature_seed), 1, 0, 2147483647,
     "what the random features are drawn from", NULL, true},
    {OPT_CHOICE, "approximation", offsetof(rcit_options, approximation), TAIL_LINDSAY_PILLA_BASAK, 0, 0,
     "p-value by a mixture of gammas, a shifted gamma, or a gamma", "lpb|hbe|sw", true},
    {0},
};

/* What a set leaves of the features of a column. */
typedef struct {
    bool is_used;
    size_t column;
    uint64_t set; /* 0: the empty one */
    double *values;
    uint64_t last_use;
} residual;

enum { RESIDUALS = 2 }; /* tests in a row share the set and one of the pair */

typedef struct {
    const dataset *data;
    fourier_features *features;
    feature_regression *regression;
    size_t n, count; /* rows; features of x, and of y */
    bool is_augmented;
    weighted_chi_square_tail approximation;
    double **of_columns; /* features of single columns, NULL where not yet made; not more than memory allows */
    size_t n_kept, most_kept;
    residual residuals[RESIDUALS];
    uint64_t clock;
    size_t *z, *group;
    double *products; /* count^2 x n: of a feature of x with one of y */
    double *covariance, *weights;
    gsl_eigen_symm_workspace *eigen;
} rcit;

static void close_test(void *state) {
    rcit *t = state;
    if (!t)
        return;
    feature_regression_destroy(t->regression);
    fourier_features_destroy(t->features);
    for (size_t c = 0; t->of_columns && c < dataset_column_count(t->data); c++)
        free(t->of_columns[c]);
    for (size_t i = 0; i < RESIDUALS; i++)
        free(t->residuals[i].values);
    free(t->of_columns);
    free(t->z);
    free(t->group);
    free(t->products);
    free(t->covariance);
    free(t->weights);
    if (t->eigen)
        gsl_eigen_symm_free(t->eigen);
    free(t);
}

enum { LEAST_ROWS = 20, ROWS_A_FEATURE = 4, MEMORY = 64 << 20 };

static size_t set_feature_count(const rcit_options *o, size_t n) {
    size_t wanted = (size_t)o->set_features, most = n / ROWS_A_FEATURE > 0 ? n / ROWS_A_FEATURE : 1;
    return wanted < most ? wanted : most;
}

static status reserve(rcit *t, error_info *err) {
    size_t p = dataset_column_count(t->data), pairs = t->count * t->count;
    t->most_kept = (size_t)MEMORY / (t->count * (t->n + 1) * sizeof(double));
    CHECK_ALLOC(t->of_columns = calloc(p, sizeof *t->of_columns));
    for (size_t i = 0; i < RESIDUALS; i++)
        CHECK_ALLOC(t->residuals[i].values = calloc(t->count, (t->n + 1) * sizeof(double)));
    CHECK_ALLOC(t->z = calloc(p + 1, sizeof *t->z));
    CHECK_ALLOC(t->group = calloc(p + 1, sizeof *t->group));
    CHECK_ALLOC(t->products = calloc(pairs, (t->n + 1) * sizeof *t->products));
    CHECK_ALLOC(t->covariance = calloc(pairs, pairs * sizeof *t->covariance));
    CHECK_ALLOC(t->weights = calloc(pairs, sizeof *t->weights));
    CHECK_ALLOC(t->eigen = gsl_eigen_symm_alloc(pairs));
    return STATUS_OK;
}

static status open_test(const void *opts, const dataset *data, const run_context *ctx, void **state, error_info *err) {
    const rcit_options *o = opts;
    rcit *t;
    (void)ctx;
    if (o->features < 1 || o->set_features < 1)
        return error_set(err, STATUS_INVALID,
                         "features and set_features are %d and %d; rcit needs one of each at least", o->features,
                         o->set_features);
    CHECK_ALLOC(*state = t = calloc(1, sizeof *t));
    t->data = data;
    t->n = dataset_row_count(data);
    t->count = (size_t)o->features;
    t->is_augmented = o->variant == CI_VARIANT_RCIT;
    t->approximation = (weighted_chi_square_tail)o->approximation;
    CHECK(fourier_features_create(data, (uint64_t)o->feature_seed, &t->features, err));
    CHECK(feature_regression_create(t->features, t->n, set_feature_count(o, t->n), t->count, &t->regression, err));
    return reserve(t, err);
}

static bool has_enough_rows(const void *state, size_t n_z) {
    const rcit *t = state;
    (void)n_z;
    return t->n >= LEAST_ROWS;
}

/* --- features of one end, given the set --- */

/* Of the column alone. */
static status copy_single(rcit *t, size_t column, double *out, error_info *err) {
    size_t size = t->count * t->n * sizeof *out;
    if (t->of_columns[column]) {
        memcpy(out, t->of_columns[column], size);
        return STATUS_OK;
    }
    fourier_features_make(t->features, "end", &column, 1, t->count, out);
    if (t->n_kept < t->most_kept) {
        CHECK_ALLOC(t->of_columns[column] = malloc(size + 1));
        memcpy(t->of_columns[column], out, size);
        t->n_kept++;
    }
    return STATUS_OK;
}

/* Of the column with the set, in ascending order; drawn for this column. */
static void make_augmented(rcit *t, size_t column, size_t n_z, double *out) {
    size_t n = 0;
    for (size_t i = 0; i < n_z && t->z[i] < column; i++)
        t->group[n++] = t->z[i];
    t->group[n++] = column;
    for (size_t i = n - 1; i < n_z; i++)
        t->group[n++] = t->z[i];
    fourier_features_make(t->features, dataset_variable(t->data, column)->name, t->group, n, t->count, out);
}

/* Features that are explained but for rounding say nothing. */
static void drop_explained(const rcit *t, double *values) {
    static const double least = 1e-6;
    for (size_t j = 0; j < t->count; j++) {
        double *x = values + j * t->n, squares = 0;
        for (size_t i = 0; i < t->n; i++)
            squares += x[i] * x[i];
        if (squares < least * (double)t->n)
            memset(x, 0, t->n * sizeof *x);
    }
}

static residual *older_residual(rcit *t) {
    residual *oldest = &t->residuals[0];
    for (size_t i = 1; i < RESIDUALS; i++) {
        if (t->residuals[i].last_use < oldest->last_use)
            oldest = &t->residuals[i];
    }
    return oldest;
}

/* Valid until the next call but one. */
static status get_residual(rcit *t, size_t column, uint64_t set, size_t n_z, const double **out, error_info *err) {
    residual *r = NULL;
    for (size_t i = 0; i < RESIDUALS; i++) {
        if (t->residuals[i].is_used && t->residuals[i].column == column && t->residuals[i].set == set)
            r = &t->residuals[i];
    }
    if (!r) {
        r = older_residual(t);
        r->is_used = false;
        if (t->is_augmented && n_z > 0)
            make_augmented(t, column, n_z, r->values);
        else
            CHECK(copy_single(t, column, r->values, err));
        if (n_z > 0) {
            feature_regression_subtract(t->regression, r->values);
            drop_explained(t, r->values);
        }
        r->column = column;
        r->set = set;
        r->is_used = true;
    }
    r->last_use = ++t->clock;
    *out = r->values;
    return STATUS_OK;
}

/* --- the test --- */

/* n times the squared norm of the covariance; and the products that it is the mean of. */
static double find_statistic(rcit *t, const double *of_x, const double *of_y) {
    double n = (double)t->n, statistic = 0;
    for (size_t a = 0; a < t->count; a++) {
        for (size_t b = 0; b < t->count; b++) {
            const double *x = of_x + a * t->n, *y = of_y + b * t->n;
            double *product = t->products + (a * t->count + b) * t->n, sum = 0;
            for (size_t i = 0; i < t->n; i++) {
                product[i] = x[i] * y[i];
                sum += product[i];
            }
            statistic += sum * sum / n;
        }
    }
    return statistic;
}

/* The variances of the null distribution: eigenvalues of the products' second moments, by degrees of freedom. */
static status find_weights(rcit *t, double df, error_info *err) {
    size_t pairs = t->count * t->count;
    gsl_matrix_view matrix = gsl_matrix_view_array(t->covariance, pairs, pairs);
    gsl_vector_view values = gsl_vector_view_array(t->weights, pairs);
    blas_begin();
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, (int)pairs, (int)t->n, 1 / ((double)t->n - 1 - df), t->products,
                (int)t->n, 0, t->covariance, (int)pairs); /* by rows the lower triangle */
    blas_end();
    if (gsl_eigen_symm(&matrix.matrix, &values.vector, t->eigen) != 0)
        return error_set(err, STATUS_BUG, "no eigenvalues of the %zu products of features were found", pairs);
    for (size_t i = 0; i < pairs; i++)
        t->weights[i] = fmax(t->weights[i], 0);
    return STATUS_OK;
}

static void sort_set(rcit *t, const size_t *z, size_t n_z) {
    for (size_t i = 0; i < n_z; i++) {
        size_t k = i;
        for (; k > 0 && t->z[k - 1] > z[i]; k--)
            t->z[k] = t->z[k - 1];
        t->z[k] = z[i];
    }
}

static status evaluate(void *state, size_t x, size_t y, const size_t *z, size_t n_z, ci_result *out, error_info *err) {
    rcit *t = state;
    regression_set set = {0};
    const double *of_x = NULL, *of_y = NULL;
    *out = (ci_result){.df = (double)(t->count * t->count), .p_value = 1};
    if (t->n < 4)
        return STATUS_OK;
    sort_set(t, z, n_z);
    if (n_z > 0)
        CHECK(feature_regression_turn_to(t->regression, t->z, n_z, &set, err));
    CHECK(get_residual(t, x < y ? x : y, set.serial, n_z, &of_x, err));
    CHECK(get_residual(t, x < y ? y : x, set.serial, n_z, &of_y, err));
    out->statistic = find_statistic(t, of_x, of_y);
    CHECK(find_weights(t, set.df, err));
    out->log_p = weighted_chi_square_log_tail(t->weights, t->count * t->count, out->statistic, t->approximation);
    out->p_value = exp(out->log_p);
    return STATUS_OK;
}

const ci_test_kind ci_test_rcit = {
    .name = "rcit",
    .aliases = (const char *const[]){"rcot", NULL},
    .summary = "non-linear dependence: covariance of random Fourier features, those of the set regressed out",
    .citation = "Strobl, Zhang, Visweswaran 2019, Journal of Causal Inference 7",
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .is_usual_for = DATA_MIXED,
    .options = options,
    .options_size = sizeof(rcit_options),
    .evaluator = &(const ci_evaluator){open_test, has_enough_rows, evaluate, close_test},
};
