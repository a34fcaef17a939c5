/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/prediction/held_out.h"

#include "metrics/prediction/graph_data.h"
#include "metrics/prediction/held_out_cells_internal.h"
#include "metrics/scores/bdeu.h"

#include <math.h>
#include <stdlib.h>

static status check_nodes(const dag *g, const dataset *data, error_info *err) {
    status st = graph_data_check_nodes(g, data, err);
    if (st == STATUS_OK && !dataset_is_discrete(data))
        st = error_set(err, STATUS_INVALID, "the data have continuous columns; held-out scores need discrete ones");
    return st;
}

static status check_ess(double ess, error_info *err) {
    if (ess > 0 && isfinite(ess))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "ess is %g; it must be positive", ess);
}

status held_out_bdeu(const dag *g, const dataset *test, double ess, double *out, error_info *err) {
    AUTO_PTR(score_destroy) score *bdeu = NULL;

    CHECK(check_nodes(g, test, err));
    CHECK(check_ess(ess, err));
    CHECK(score_create(&score_bdeu, &(bdeu_options){.ess = ess}, test, NULL, &bdeu, err));
    return score_dag(bdeu, g, out, NULL, err);
}

/* --- log-likelihood --- */

/* What each cell of a family's table starts with; `log_*` since q may be past what a double holds. */
typedef struct {
    double cell, configuration; /* a_ijk and a_ij */
    double log_cell, log_configuration;
} prior_counts;

static prior_counts prior_of(table_estimate estimate, double ess, double log_q, double r) {
    if (estimate == ESTIMATE_LAPLACE)
        return (prior_counts){1, r, 0, log(r)};
    double log_configuration = log(ess) - log_q, log_cell = log_configuration - log(r);
    return (prior_counts){exp(log_cell), exp(log_configuration), log_cell, log_configuration};
}

static double log_sum(uint32_t count, double prior, double log_prior) {
    return count > 0 ? log((double)count + prior) : log_prior;
}

/* Sum over the cells that the test rows show; a configuration that training did not show gives 1 / r. */
static double family_loglik(const family_cells *f, const prior_counts *prior) {
    double sum = 0;
    for (size_t k = 0; k < f->n_cells; k++) {
        if (f->test_count[k] == 0)
            continue;
        double log_theta = log_sum(f->train_count[k], prior->cell, prior->log_cell) -
                           log_sum(f->train_total[f->configuration[k]], prior->configuration, prior->log_configuration);
        sum += (double)f->test_count[k] * log_theta;
    }
    return sum;
}

static double log_configurations(const dataset *data, const size_t *parents, size_t n_parents) {
    double log_q = 0;
    for (size_t k = 0; k < n_parents; k++)
        log_q += log((double)dataset_state_count(data, parents[k]));
    return log_q;
}

status held_out_loglik(const dag *g, const dataset *train, const dataset *test, table_estimate estimate, double ess,
                       double *out, error_info *err) {
    AUTO_PTR(family_counter_destroy) family_counter *counter = NULL;
    double total = 0;

    CHECK(check_nodes(g, train, err));
    CHECK(graph_data_check_columns(train, test, err));
    if (estimate == ESTIMATE_BDEU)
        CHECK(check_ess(ess, err));
    CHECK(family_counter_create(train, test, &counter, err));
    for (size_t x = 0; x < dag_node_count(g); x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, x, &n_parents);
        prior_counts prior = prior_of(estimate, ess, log_configurations(train, parents, n_parents),
                                      (double)dataset_state_count(train, x));
        total += family_loglik(family_counter_count(counter, x, parents, n_parents), &prior);
    }
    *out = total;
    return STATUS_OK;
}
