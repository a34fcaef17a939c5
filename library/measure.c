/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores, tests, and the parameters of a graph. */
#include "library/library_internal.h"

#include "core/graph/graph_columns.h"
#include "metrics/prediction/fit_options.h"
#include "metrics/prediction/network_fit.h"
#include "metrics/scores/score.h"
#include "metrics/tests/ci_test.h"

#include <stdlib.h>

static status score_graph(const char *name, const char *const *pairs, const bnb_data *data, const bnb_graph *graph,
                          double *total, double *by_node, error_info *err) {
    const score_kind *kind;
    AUTO_FREE void *options = NULL;
    AUTO_FREE size_t *columns = calloc(graph->g.n_nodes + 1, sizeof *columns);
    AUTO_PTR(dag_destroy) dag *g = NULL;
    AUTO_PTR(score_destroy) score *s = NULL;
    double sum = 0;
    CHECK_ALLOC(columns);
    CHECK(score_kind_find(name, &kind, err));
    CHECK_ALLOC(options = options_create(kind->options, kind->options_size));
    CHECK(library_options(pairs, kind->options, options, err));
    CHECK(graph_columns(&graph->g, data->rows, columns, err));
    CHECK(graph_on_columns(&graph->g, data->rows, &g, err));
    CHECK(score_create(kind, options, data->rows, NULL, &s, err));
    for (size_t i = 0; i < graph->g.n_nodes; i++) {
        size_t n;
        const size_t *parents = dag_parents(g, columns[i], &n);
        double local;
        CHECK(score_node(s, columns[i], parents, n, &local, err));
        sum += local;
        if (by_node)
            by_node[i] = local;
    }
    *total = sum;
    return STATUS_OK;
}

bnb_status bnb_score(const char *name, const char *const *options, const bnb_data *data, const bnb_graph *graph,
                     double *total, double *by_node, bnb_error *error) {
    LIBRARY_CALL(error, score_graph(name, options, data, graph, total, by_node, err));
}

static status check_columns(const dataset *data, size_t x, size_t y, const size_t *z, size_t n_z, error_info *err) {
    size_t p = dataset_column_count(data);
    for (size_t i = 0; i < n_z + 2; i++) {
        size_t column = i == 0 ? x : i == 1 ? y : z[i - 2];
        if (column >= p)
            return error_set(err, STATUS_INVALID, "there is no column %zu; they are 0 to %zu", column, p - 1);
        for (size_t k = 0; k < i; k++) {
            if ((k == 0 ? x : k == 1 ? y : z[k - 2]) == column)
                return error_set(err, STATUS_INVALID, "column '%s' is named twice",
                                 dataset_variable(data, column)->name);
        }
    }
    return STATUS_OK;
}

static status evaluate(const char *name, const char *const *pairs, const bnb_data *data, size_t x, size_t y,
                       const size_t *z, size_t n_z, bnb_test_result *out, error_info *err) {
    const ci_test_kind *kind;
    AUTO_FREE void *options = NULL;
    AUTO_PTR(ci_test_destroy) ci_test *t = NULL;
    ci_result r;
    CHECK(ci_test_kind_find(name, &kind, err));
    CHECK_ALLOC(options = options_create(kind->options, kind->options_size));
    CHECK(library_options(pairs, kind->options, options, err));
    CHECK(check_columns(data->rows, x, y, z, n_z, err));
    CHECK(ci_test_create(kind, options, data->rows, NULL, &t, err));
    CHECK(ci_test_evaluate(t, x, y, z, n_z, &r, err));
    *out = (bnb_test_result){.statistic = r.statistic,
                             .df = r.df,
                             .p_value = r.p_value,
                             .log_p_value = r.log_p,
                             .is_reliable = r.is_reliable,
                             .is_independent = r.p_value > ci_test_level(options)};
    return STATUS_OK;
}

bnb_status bnb_test(const char *test, const char *const *options, const bnb_data *data, size_t x, size_t y,
                    const size_t *given, size_t n_given, bnb_test_result *out, bnb_error *error) {
    LIBRARY_CALL(error, evaluate(test, options, data, x, y, given, n_given, out, err));
}

static status fit(const bnb_graph *graph, const bnb_data *data, const char *const *pairs, const char *name,
                  bnb_network **out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *g = NULL;
    AUTO(any_network_clear) any_network net = {0};
    fit_options options;
    const option_spec *rows = fit_options_for(data->rows, &options);
    bnb_network *wrapped;
    CHECK(library_options(pairs, rows, &options, err));
    CHECK(graph_on_columns(&graph->g, data->rows, &g, err));
    if (dataset_is_discrete(data->rows))
        CHECK(fit_tables(data->rows, g, name, (fit_estimate)options.estimate, options.ess, &net.tables, err));
    else
        CHECK(fit_gaussian(data->rows, g, name, (enum score_variance)options.variance, &net.gaussian, err));
    CHECK_ALLOC(wrapped = calloc(1, sizeof *wrapped));
    wrapped->net = TAKE(net);
    *out = wrapped;
    return STATUS_OK;
}

bnb_status bnb_fit(const bnb_graph *graph, const bnb_data *data, const char *const *options, const char *name,
                   bnb_network **out, bnb_error *error) {
    LIBRARY_CALL(error, fit(graph, data, options, name, out, err));
}
