/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/prediction/network_fit.h"

#include "core/base/text.h"
#include "metrics/prediction/graph_data.h"
#include "metrics/scores/gaussian_family_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static status check_data(const dataset *data, const dag *g, int wanted, error_info *err) {
    CHECK(graph_data_check_nodes(g, data, err));
    if (dataset_kind(data) != wanted)
        return error_set(err, STATUS_INVALID, "the data are %s; they must be %s", data_kinds_name(dataset_kind(data)),
                         data_kinds_name(wanted));
    if (dataset_row_count(data) == 0)
        return error_set(err, STATUS_INVALID, "the data have no rows; it takes one at least");
    return STATUS_OK;
}

/* --- tables --- */

/* The cells of a table start as counts. */
static void count_rows(const dataset *data, const bayes_net *net, size_t x, uint32_t *row_of, double *table) {
    size_t n_parents, n = dataset_row_count(data), r = dataset_state_count(data, x), stride = 1;
    const size_t *parents = bayes_net_parents(net, x, &n_parents);
    memset(row_of, 0, n * sizeof *row_of);
    for (size_t p = 0; p < n_parents; p++) {
        for (size_t i = 0; i < n; i++)
            row_of[i] += (uint32_t)(stride * dataset_state(data, i, parents[p]));
        stride *= dataset_state_count(data, parents[p]);
    }
    for (size_t i = 0; i < n; i++)
        table[row_of[i] * r + dataset_state(data, i, x)]++;
}

/* Counts become shares. `prior` is added to every cell. */
static void make_shares(double *table, size_t q, size_t r, double prior) {
    for (size_t j = 0; j < q; j++) {
        double *row = table + j * r, sum = 0;
        for (size_t k = 0; k < r; k++)
            sum += row[k] + prior;
        for (size_t k = 0; k < r; k++)
            row[k] = sum > 0 ? (row[k] + prior) / sum : 1 / (double)r;
    }
}

status fit_tables(const dataset *data, const dag *g, const char *name, fit_estimate estimate, double ess,
                  bayes_net **out, error_info *err) {
    AUTO_PTR(bayes_net_destroy) bayes_net *net = NULL;
    AUTO_FREE uint32_t *row_of = NULL;
    if (estimate == FIT_BDEU && !(ess > 0 && isfinite(ess)))
        return error_set(err, STATUS_INVALID, "ess is %g; it must be positive", ess);
    CHECK(check_data(data, g, DATA_DISCRETE, err));
    CHECK(bayes_net_create(name, dataset_variable(data, 0), dataset_column_count(data), &net, err));
    CHECK_ALLOC(row_of = calloc(dataset_row_count(data), sizeof *row_of));
    for (size_t x = 0; x < dag_node_count(g); x++) {
        size_t n_parents, q, r = dataset_state_count(data, x);
        const size_t *parents = dag_parents(g, x, &n_parents);
        CHECK(bayes_net_set_parents(net, x, parents, n_parents, err));
        q = bayes_net_configuration_count(net, x);
        count_rows(data, net, x, row_of, bayes_net_build_table(net, x));
        make_shares(bayes_net_build_table(net, x), q, r, estimate == FIT_BDEU ? ess / ((double)q * (double)r) : 0);
    }
    *out = TAKE(net);
    return STATUS_OK;
}

/* --- linear-Gaussian --- */

/* A column of whose sum of squares other columns leave no larger share is a linear function of them. */
static const double singular = 1e-12;

typedef struct {
    const dataset *data;
    gaussian_moments *moments;
    gaussian_family *family;
    enum score_variance variance;
    size_t *used;         /* parents that tell something of their own, ascending */
    double *of_used;      /* their coefficients */
    double *coefficients; /* of all parents */
} fitting;

static void fitting_clear(fitting *f) {
    gaussian_moments_destroy(f->moments);
    free(f->used);
    free(f->of_used);
    free(f->coefficients);
}

static status fitting_init(fitting *f, gaussian_family *family, const dataset *data, error_info *err) {
    size_t p = dataset_column_count(data);
    f->data = data;
    CHECK(gaussian_moments_create(data, 1, &f->moments, err));
    *family = (gaussian_family){.moments = f->moments, .tolerance = singular};
    f->family = family;
    CHECK_ALLOC(f->used = calloc(p, sizeof *f->used));
    CHECK_ALLOC(f->of_used = calloc(p, sizeof *f->of_used));
    CHECK_ALLOC(f->coefficients = calloc(p, sizeof *f->coefficients));
    return STATUS_OK;
}

/* Regresses x on those of its parents that are no linear functions of the ones before: `n_used` of them. */
static status regress(fitting *f, size_t x, const size_t *parents, size_t n_parents, size_t *n_used, double *residual,
                      error_info *err) {
    size_t n = n_parents;
    double ignored;
    for (size_t i = 0; i < n; i++)
        f->used[i] = parents[i];
    for (;;) {
        size_t bad;
        CHECK(gaussian_family_regress(f->family, x, f->used, n, residual, &ignored, err));
        bad = f->family->n_kept;
        if (bad == n)
            break;
        n--;
        for (size_t i = bad; i < n; i++)
            f->used[i] = f->used[i + 1];
    }
    *n_used = n;
    return STATUS_OK;
}

static status estimate_sd(const fitting *f, size_t x, size_t n_used, double residual, double *sd, error_info *err) {
    double n = (double)dataset_row_count(f->data);
    double divisor = f->variance == SCORE_VARIANCE_UNBIASED ? n - (double)n_used - 1 : n;
    char name[TEXT_SHOWN_SIZE];
    const char *full = dataset_variable(f->data, x)->name;
    if (!(divisor > 0))
        return error_set(err, STATUS_INVALID,
                         "column %s with %zu parents, and %.0f rows: its variance takes %zu rows, or variance=mle",
                         text_show(full, strlen(full), name), n_used, n, n_used + 2);
    *sd = sqrt(residual / divisor);
    return STATUS_OK;
}

static status fit_node(fitting *f, size_t x, const size_t *parents, size_t n_parents, gaussian_net *net,
                       error_info *err) {
    gaussian_terms terms = {.intercept = gaussian_moments_mean(f->moments, x), .coefficients = f->coefficients};
    size_t n_used = 0;
    double residual = 0;
    CHECK(regress(f, x, parents, n_parents, &n_used, &residual, err));
    CHECK(estimate_sd(f, x, n_used, residual, &terms.sd, err));
    gaussian_family_coefficients(f->family, n_used, f->of_used);
    for (size_t i = 0, k = 0; i < n_parents; i++) {
        bool is_used = k < n_used && f->used[k] == parents[i];
        f->coefficients[i] = is_used ? f->of_used[k] : 0;
        terms.intercept -= f->coefficients[i] * gaussian_moments_mean(f->moments, parents[i]);
        k += is_used;
    }
    return gaussian_net_set_node(net, x, parents, n_parents, &terms, err);
}

static status create_network(const dataset *data, const char *name, gaussian_net **out, error_info *err) {
    size_t p = dataset_column_count(data);
    AUTO_FREE const char **names = calloc(p, sizeof *names);
    CHECK_ALLOC(names);
    for (size_t c = 0; c < p; c++)
        names[c] = dataset_variable(data, c)->name;
    return gaussian_net_create(name, names, p, out, err);
}

status fit_gaussian(const dataset *data, const dag *g, const char *name, enum score_variance variance,
                    gaussian_net **out, error_info *err) {
    AUTO(gaussian_family_clear) gaussian_family family = {0};
    AUTO(fitting_clear) fitting f = {.variance = variance};
    AUTO_PTR(gaussian_net_destroy) gaussian_net *net = NULL;
    CHECK(check_data(data, g, DATA_CONTINUOUS, err));
    CHECK(fitting_init(&f, &family, data, err));
    CHECK(create_network(data, name, &net, err));
    for (size_t x = 0; x < dag_node_count(g); x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, x, &n_parents);
        CHECK(fit_node(&f, x, parents, n_parents, net, err));
    }
    *out = TAKE(net);
    return STATUS_OK;
}
