/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/fisher_z_internal.h"

#include "metrics/numerics/log_tail.h"
#include "metrics/numerics/partial_correlation.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    gaussian_moments *moments;
    partial_correlation *correlations;
    double n;
    bool is_one_sided;
} correlation_test;

static void close_test(void *state) {
    correlation_test *t = state;
    if (!t)
        return;
    partial_correlation_destroy(t->correlations);
    gaussian_moments_destroy(t->moments);
    free(t);
}

static status open_test(const ci_test_options *options, const dataset *data, void **state, error_info *err) {
    status st = STATUS_OK;
    correlation_test *t = NULL;
    TRY_ALLOC(t = calloc(1, sizeof *t));
    TRY(gaussian_moments_create(data, &t->moments, err));
    TRY(partial_correlation_create(t->moments, &t->correlations, err));
    t->n = (double)dataset_row_count(data);
    t->is_one_sided = options->tail == CI_TAIL_ONE;
    *state = t;
    t = NULL;
cleanup:
    close_test(t);
    return st;
}

/* From the log of one tail. */
static void set_p(const correlation_test *t, double log_tail, ci_result *out) {
    out->log_p = fmin(t->is_one_sided ? log_tail : log_tail + M_LN2, 0);
    out->p_value = exp(out->log_p);
}

/* ---------------------------------------------------------------- Fisher's z */

static bool z_has_enough_rows(const void *state, size_t n_z) {
    const correlation_test *t = state;
    return t->n >= (double)n_z + 4;
}

static status evaluate_z(void *state, size_t x, size_t y, const size_t *z, size_t n_z, ci_result *out,
                         error_info *err) {
    correlation_test *t = state;
    double r = 0;
    CHECK(partial_correlation_get(t->correlations, x, y, z, n_z, &r, err));
    out->df = fmax(t->n - (double)n_z - 3, 0);
    out->statistic = atanh(r) * sqrt(out->df);
    set_p(t, normal_log_tail(fabs(out->statistic)), out);
    return STATUS_OK;
}

const ci_evaluator fisher_z_evaluator = {open_test, z_has_enough_rows, evaluate_z, close_test};

/* ---------------------------------------------------------------- Student's t */

static bool t_has_enough_rows(const void *state, size_t n_z) {
    const correlation_test *t = state;
    return t->n >= (double)n_z + 3;
}

static status evaluate_t(void *state, size_t x, size_t y, const size_t *z, size_t n_z, ci_result *out,
                         error_info *err) {
    correlation_test *t = state;
    double r = 0;
    CHECK(partial_correlation_get(t->correlations, x, y, z, n_z, &r, err));
    out->df = fmax(t->n - (double)n_z - 2, 0);
    out->statistic = out->df > 0 ? r : 0;
    set_p(t, out->df > 0 ? t_log_tail(fabs(r) * sqrt(out->df / ((1 - r) * (1 + r))), out->df) : -M_LN2, out);
    return STATUS_OK;
}

const ci_evaluator correlation_t_evaluator = {open_test, t_has_enough_rows, evaluate_t, close_test};
