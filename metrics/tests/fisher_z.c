/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the partial correlation r of two columns given a set of |z| others, on n rows. Fisher's z (Metron 1 (1921)
 * 3-32) takes atanh(r) sqrt(n - |z| - 3) as standard normal, and is reliable from n = |z| + 4 on. The correlation
 * itself (Metron 3 (1924) 329-332): r sqrt((n - |z| - 2) / (1 - r^2)) follows Student's t, and is reliable from n = |z|
 * + 3 on.
 */
#include "metrics/tests/fisher_z.h"

#include "metrics/numerics/log_tail.h"
#include "metrics/numerics/partial_correlation.h"
#include "metrics/tests/ci_test_internal.h"
#include "metrics/tests/separation_search_internal.h"

#include <math.h>
#include <stdlib.h>

static const option_spec options[] = {
    CI_LEVEL_ROW(correlation_test_options, alpha, 0.05, "level: dependent iff p <= alpha"),
    {OPT_CHOICE, "tail", offsetof(correlation_test_options, tail), CI_TAIL_TWO, 0, 0,
     "p-value of both signs, or of the sign that is seen: half of it", "two|one", true},
    {0},
};

typedef struct correlation_test {
    const gaussian_moments *moments;
    gaussian_moments *own_moments; /* NULL: another's are used */
    partial_correlation *correlations;
    double n;
    bool is_one_sided;
    /* the result of a correlation r given so many columns */
    void (*judge)(const struct correlation_test *t, double r, size_t n_z, ci_result *out);
    separation_search *search; /* NULL before first use */
    double log_alpha;          /* of the search */
} correlation_test;

static void close_test(void *state) {
    correlation_test *t = state;
    if (!t)
        return;
    separation_search_destroy(t->search);
    partial_correlation_destroy(t->correlations);
    gaussian_moments_destroy(t->own_moments);
    free(t);
}

typedef void (*judgement)(const correlation_test *t, double r, size_t n_z, ci_result *out);

static status open_test(const void *opts, const dataset *data, const run_context *ctx, judgement judge, void **state,
                        error_info *err) {
    const correlation_test_options *o = opts;
    correlation_test *t = calloc(1, sizeof *t);
    CHECK_ALLOC(*state = t);
    t->judge = judge;
    t->n = (double)dataset_row_count(data);
    t->is_one_sided = o->tail == CI_TAIL_ONE;
    CHECK(gaussian_moments_create(data, ctx ? ctx->n_threads : 1, &t->own_moments, err));
    t->moments = t->own_moments;
    return partial_correlation_create(t->moments, &t->correlations, err);
}

static status twin_test(const void *state, void **out, error_info *err) {
    const correlation_test *like = state;
    correlation_test *t = calloc(1, sizeof *t);
    CHECK_ALLOC(*out = t);
    t->moments = like->moments;
    t->n = like->n;
    t->is_one_sided = like->is_one_sided;
    t->judge = like->judge;
    return partial_correlation_create(t->moments, &t->correlations, err);
}

/* From the log of one tail. */
static void set_p(const correlation_test *t, double log_tail, ci_result *out) {
    out->log_p = fmin(t->is_one_sided ? log_tail : log_tail + M_LN2, 0);
    out->p_value = exp(out->log_p);
}

static status evaluate(void *state, size_t x, size_t y, const size_t *z, size_t n_z, ci_result *out, error_info *err) {
    correlation_test *t = state;
    double r = 0;
    CHECK(partial_correlation_get(t->correlations, x, y, z, n_z, &r, err));
    t->judge(t, r, n_z, out);
    return STATUS_OK;
}

/* --- many sets --- */

static bool is_dependent_at(void *self, double r, size_t n_z) {
    const correlation_test *t = self;
    ci_result result = {0};
    t->judge(t, r, n_z, &result);
    return result.log_p <= t->log_alpha;
}

static status is_dependent(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *out, error_info *err) {
    const correlation_test *t = self;
    ci_result result = {0};
    CHECK(evaluate(self, x, y, z, n_z, &result, err));
    *out = result.log_p <= t->log_alpha;
    return STATUS_OK;
}

static status separate(correlation_test *t, double alpha, bool (*has_enough_rows)(const void *, size_t),
                       const separation_task *task, separation *out, error_info *err) {
    correlation_rule rule = {t, is_dependent_at, has_enough_rows, is_dependent};
    if (!t->search) {
        t->log_alpha = log(alpha);
        CHECK(separation_search_create(t->moments, &rule, &t->search, err));
    }
    return separation_search_find(t->search, task, out, err);
}

/* --- Fisher's z --- */

static bool z_has_enough_rows(const void *state, size_t n_z) {
    const correlation_test *t = state;
    return t->n >= (double)n_z + 4;
}

static void judge_z(const correlation_test *t, double r, size_t n_z, ci_result *out) {
    out->df = fmax(t->n - (double)n_z - 3, 0);
    out->statistic = atanh(r) * sqrt(out->df);
    set_p(t, normal_log_tail(fabs(out->statistic)), out);
}

static status open_z(const void *opts, const dataset *data, const run_context *ctx, void **state, error_info *err) {
    return open_test(opts, data, ctx, judge_z, state, err);
}

static status separate_z(void *state, double alpha, const separation_task *task, separation *out, error_info *err) {
    return separate(state, alpha, z_has_enough_rows, task, out, err);
}

const ci_test_kind ci_test_zf = {
    .name = "zf",
    .aliases = (const char *const[]){"fisher-z", NULL},
    .summary = "Fisher's z of the partial correlation, by the normal distribution",
    .citation = "Fisher 1921, Metron 1; Spirtes, Glymour, Scheines 2000, Causation, Prediction, and Search, ch. 5",
    .accepts = DATA_CONTINUOUS,
    .is_usual_for = DATA_CONTINUOUS,
    .options = options,
    .options_size = sizeof(correlation_test_options),
    .evaluator = &(const ci_evaluator){open_z, z_has_enough_rows, evaluate, close_test, separate_z, twin_test},
};

/* --- Student's t --- */

static bool t_has_enough_rows(const void *state, size_t n_z) {
    const correlation_test *t = state;
    return t->n >= (double)n_z + 3;
}

static void judge_t(const correlation_test *t, double r, size_t n_z, ci_result *out) {
    out->df = fmax(t->n - (double)n_z - 2, 0);
    out->statistic = out->df > 0 ? r : 0;
    set_p(t, out->df > 0 ? t_log_tail(fabs(r) * sqrt(out->df / ((1 - r) * (1 + r))), out->df) : -M_LN2, out);
}

static status open_t(const void *opts, const dataset *data, const run_context *ctx, void **state, error_info *err) {
    return open_test(opts, data, ctx, judge_t, state, err);
}

static status separate_t(void *state, double alpha, const separation_task *task, separation *out, error_info *err) {
    return separate(state, alpha, t_has_enough_rows, task, out, err);
}

const ci_test_kind ci_test_cor = {
    .name = "cor",
    .aliases = (const char *const[]){"student-t", NULL},
    .summary = "the partial correlation, by Student's t",
    .citation = "Fisher 1924, Metron 3",
    .accepts = DATA_CONTINUOUS,
    .options = options,
    .options_size = sizeof(correlation_test_options),
    .evaluator = &(const ci_evaluator){open_t, t_has_enough_rows, evaluate, close_test, separate_t, twin_test},
};
