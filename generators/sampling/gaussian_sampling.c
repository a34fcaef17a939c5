/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/sampling/gaussian_sampling.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/* A family as the inner loop wants it. */
typedef struct {
    gaussian_terms terms;
    size_t node, n_parents;
    const size_t *parents;
    double *column;
} step;

static status plan_steps(const gaussian_net *net, dataset *data, step *steps, error_info *err) {
    size_t n = gaussian_net_node_count(net);
    AUTO_FREE size_t *order = calloc(n, sizeof *order);
    CHECK_ALLOC(order);
    CHECK(dag_topological_order(gaussian_net_dag(net), order, err));
    for (size_t i = 0; i < n; i++) {
        step *s = &steps[i];
        s->node = order[i];
        s->terms = gaussian_net_terms(net, order[i]);
        s->parents = gaussian_net_parents(net, order[i], &s->n_parents);
        s->column = dataset_build_reals(data, order[i]);
    }
    return STATUS_OK;
}

/* Fills the row; the sum of its sizes, which is not finite where one of them is not. */
static double draw_row(const step *steps, size_t n, size_t row, const gsl_rng *rng, double *values) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const step *s = &steps[i];
        double x = s->terms.intercept;
        for (size_t k = 0; k < s->n_parents; k++)
            x += s->terms.coefficients[k] * values[s->parents[k]];
        x += s->terms.sd * gsl_ran_gaussian_ziggurat(rng, 1);
        values[s->node] = s->column[row] = x;
        sum += fabs(x);
    }
    return sum;
}

status sample_gaussian_network(const gaussian_net *net, size_t n_rows, random_stream *random, dataset **out,
                               error_info *err) {
    size_t n = gaussian_net_node_count(net);
    AUTO_PTR(dataset_destroy) dataset *data = NULL;
    AUTO_FREE step *steps = NULL;
    AUTO_FREE double *values = NULL;
    random_gsl holder;
    const gsl_rng *rng = random_as_gsl(random, &holder);
    CHECK(dataset_create(gaussian_net_variables(net), n, n_rows, &data, err));
    CHECK_ALLOC(steps = calloc(n, sizeof *steps));
    CHECK_ALLOC(values = calloc(n, sizeof *values));
    CHECK(plan_steps(net, data, steps, err));
    for (size_t row = 0; row < n_rows; row++) {
        if (!isfinite(draw_row(steps, n, row, rng, values)))
            return error_set(err, STATUS_INVALID,
                             "row %zu has a value that is not finite: the network's terms are too large", row + 1);
    }
    *out = TAKE(data);
    return STATUS_OK;
}
