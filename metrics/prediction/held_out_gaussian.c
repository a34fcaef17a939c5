/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/prediction/graph_data.h"
#include "metrics/prediction/held_out.h"
#include "metrics/prediction/network_fit.h"
#include "metrics/scores/gaussian_score.h"

#include <math.h>

status held_out_gaussian_bic(const dag *g, const dataset *test, double *out, error_info *err) {
    AUTO_PTR(score_destroy) score *bic = NULL;
    CHECK(graph_data_check_nodes(g, test, err));
    CHECK(score_create(&score_bic_g, NULL, test, NULL, &bic, err));
    return score_dag(bic, g, out, NULL, err);
}

/* The log density of a column's test values given its parents'. */
static double node_loglik(const gaussian_net *net, size_t x, const dataset *test) {
    gaussian_terms terms = gaussian_net_terms(net, x);
    size_t n_parents, n = dataset_row_count(test);
    const size_t *parents = gaussian_net_parents(net, x, &n_parents);
    const double *values = dataset_reals(test, x);
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        double left = values[i] - terms.intercept;
        for (size_t k = 0; k < n_parents; k++)
            left -= terms.coefficients[k] * dataset_reals(test, parents[k])[i];
        squares += left * left;
    }
    if (!(terms.sd > 0))
        return squares > 0 ? -INFINITY : INFINITY;
    return -(double)n * (log(terms.sd) + log(2 * M_PI) / 2) - squares / (2 * terms.sd * terms.sd);
}

status held_out_gaussian_loglik(const dag *g, const dataset *train, const dataset *test, double *out, error_info *err) {
    AUTO_PTR(gaussian_net_destroy) gaussian_net *net = NULL;
    double sum = 0;
    CHECK(graph_data_check_columns(train, test, err));
    CHECK(fit_gaussian(train, g, "", SCORE_VARIANCE_UNBIASED, &net, err));
    for (size_t x = 0; x < dag_node_count(g); x++)
        sum += node_loglik(net, x, test);
    *out = sum;
    return STATUS_OK;
}
