/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One candidate on all rows, on all but a fold, and on halves. */
#include "cli/recommend/recommend.h"
#include "cli/recommend/rows.h"

#include "core/graph/equivalence.h"
#include "learners/registry.h"
#include "metrics/prediction/held_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_RUNS = 1 + TRIAL_FOLDS + TRIAL_SAMPLES };
static const double prior_ess = 1;

void trial_clear(trial *t) {
    free(t->failure);
}

typedef struct {
    const trial_request *in;
    const learner *kind;
    void *options;
    double end_s; /* of its share */
    size_t n_runs;
    size_t *order;               /* of the rows, shuffled */
    pdag *halves[TRIAL_SAMPLES]; /* what it learned from half of the rows */
    trial *out;
} tried;

static void tried_clear(tried *t) {
    for (size_t i = 0; i < TRIAL_SAMPLES; i++)
        pdag_destroy(t->halves[i]);
    free(t->options);
    free(t->order);
}

static status prepare(const first_learner *of, tried *t, error_info *err) {
    CHECK(learner_find(of->learner, &t->kind, err));
    CHECK_ALLOC(t->options = learner_options_create(t->kind));
    for (size_t i = 0; of->options[i]; i++)
        CHECK(options_set_pair(t->kind->options, t->options, of->options[i], err));
    CHECK_ALLOC(t->order = calloc(dataset_row_count(t->in->data) + 1, sizeof *t->order));
    t->end_s = run_clock_s() + t->in->seconds;
    return STATUS_OK;
}

/* Whether the trial goes on: it has not failed, and time is left. */
static bool goes_on(const tried *t) {
    return !t->out->failure && !t->out->is_over;
}

/* Each run has an equal part of the time that is left. */
static status learn(tried *t, const dataset *data, learner_result *result, error_info *err) {
    run_context ctx;
    error_info why = {0};
    double now = run_clock_s();
    status st;
    run_context_init(&ctx, t->in->seed);
    ctx.n_threads = t->in->n_threads;
    ctx.deadline_s = now + fmax(0.01, (t->end_s - now) / (double)(N_RUNS - t->n_runs++));
    st = learner_run(t->kind, data, t->options, &ctx, result, &why);
    if (st == STATUS_MEMORY)
        return error_out_of_memory(err);
    if (st != STATUS_OK)
        CHECK_ALLOC(t->out->failure = text_copy(why.message));
    t->out->is_over |= result->is_cut_short;
    return STATUS_OK;
}

static void shuffle(const tried *t, const char *purpose, size_t number) {
    random_stream stream;
    random_key key = random_key_number(random_key_text(random_key_of(t->in->seed), purpose), number);
    random_stream_init(&stream, key);
    random_permutation(&stream, t->order, dataset_row_count(t->in->data));
}

/* ---- all rows ---- */

static double count_parameters(const dataset *data, const dag *g) {
    double sum = 0;
    for (size_t i = 0; i < dataset_column_count(data); i++) {
        size_t n_parents = 0;
        const size_t *parents = dag_parents(g, i, &n_parents);
        double q = 1;
        for (size_t k = 0; dataset_is_discrete(data) && k < n_parents; k++)
            q *= (double)dataset_state_count(data, parents[k]);
        sum += dataset_is_discrete(data) ? q * (double)(dataset_state_count(data, i) - 1) : 2 + (double)n_parents;
    }
    return sum;
}

static status try_all(tried *t, error_info *err) {
    AUTO(learner_result_clear) learner_result r = {0};
    AUTO_PTR(dag_destroy) dag *g = NULL;
    int fallback = 0;
    double start_s = run_clock_s();
    CHECK(learn(t, t->in->data, &r, err));
    t->out->seconds = run_clock_s() - start_s;
    if (!r.graph)
        return STATUS_OK;
    t->out->n_edges = pdag_edge_count(r.graph);
    CHECK(pdag_extend_anyway(r.graph, &g, &fallback, err));
    if (dataset_kind(t->in->data) != DATA_MIXED)
        t->out->parameters = count_parameters(t->in->data, g);
    return STATUS_OK;
}

/* ---- folds ---- */

/* NAN where the data do not give it. */
static status measure(const dag *g, const dataset *train, const dataset *test, double *out, error_info *err) {
    double value = NAN;
    error_info quiet = {0};
    status st = dataset_is_discrete(train) ? held_out_loglik(g, train, test, ESTIMATE_BDEU, prior_ess, &value, &quiet)
                                           : held_out_gaussian_loglik(g, train, test, &value, &quiet);
    *out = st == STATUS_OK && isfinite(value) ? value / (double)dataset_row_count(test) : NAN;
    return st == STATUS_MEMORY ? error_out_of_memory(err) : STATUS_OK;
}

/* Fold k: the rows from k n / K on, of the shuffled ones. They are put last. */
static status try_fold(tried *t, size_t k, error_info *err) {
    size_t n = dataset_row_count(t->in->data), from = k * n / TRIAL_FOLDS, to = (k + 1) * n / TRIAL_FOLDS;
    AUTO_FREE size_t *rows = calloc(n + 1, sizeof *rows);
    AUTO_PTR(dataset_destroy) dataset *train = NULL;
    AUTO_PTR(dataset_destroy) dataset *test = NULL;
    AUTO(learner_result_clear) learner_result r = {0};
    AUTO_PTR(dag_destroy) dag *g = NULL;
    int fallback = 0;
    size_t n_train = 0;
    CHECK_ALLOC(rows);
    for (size_t i = 0; i < n; i++) {
        if (i < from || i >= to)
            rows[n_train++] = t->order[i];
    }
    CHECK(rows_take(t->in->data, rows, n_train, &train, err));
    CHECK(rows_take(t->in->data, t->order + from, to - from, &test, err));
    CHECK(learn(t, train, &r, err));
    if (!goes_on(t))
        return STATUS_OK;
    CHECK(pdag_extend_anyway(r.graph, &g, &fallback, err));
    CHECK(measure(g, train, test, &t->out->held_out[t->out->n_folds], err));
    t->out->n_folds++;
    return STATUS_OK;
}

static status try_folds(tried *t, error_info *err) {
    double sum = 0;
    if (dataset_kind(t->in->data) == DATA_MIXED || dataset_row_count(t->in->data) < 2 * TRIAL_FOLDS)
        return STATUS_OK;
    shuffle(t, "folds", 0);
    for (size_t k = 0; k < TRIAL_FOLDS && goes_on(t); k++)
        CHECK(try_fold(t, k, err));
    for (size_t k = 0; k < t->out->n_folds; k++)
        sum += t->out->held_out[k];
    if (t->out->n_folds == TRIAL_FOLDS)
        t->out->mean_held_out = sum / TRIAL_FOLDS;
    return STATUS_OK;
}

/* ---- halves ---- */

static status try_half(tried *t, size_t b, error_info *err) {
    size_t n = dataset_row_count(t->in->data);
    AUTO_PTR(dataset_destroy) dataset *half = NULL;
    AUTO(learner_result_clear) learner_result r = {0};
    shuffle(t, "half", b);
    CHECK(rows_take(t->in->data, t->order, n / 2, &half, err));
    CHECK(learn(t, half, &r, err));
    if (goes_on(t))
        t->halves[b] = TAKE(r.graph);
    return STATUS_OK;
}

/* Edges of both by edges of either, whatever their directions; NAN where neither has any. */
static double jaccard(const pdag *a, const pdag *b) {
    size_t n_both = 0, n_either;
    for (size_t v = 0; v < pdag_node_count(a); v++) {
        size_t n = 0;
        const pdag_edge *edges = pdag_edges(a, v, &n);
        for (size_t k = 0; k < n; k++)
            n_both += edges[k].node > v && pdag_edge_between(b, v, edges[k].node) != EDGE_NONE;
    }
    n_either = pdag_edge_count(a) + pdag_edge_count(b) - n_both;
    return n_either ? (double)n_both / (double)n_either : NAN;
}

static status try_halves(tried *t, error_info *err) {
    double sum = 0;
    size_t n = 0;
    for (size_t b = 0; b < TRIAL_SAMPLES && goes_on(t) && dataset_row_count(t->in->data) >= 4; b++)
        CHECK(try_half(t, b, err));
    for (size_t a = 0; a < TRIAL_SAMPLES; a++) {
        for (size_t b = 0; b < a; b++) {
            double alike = t->halves[a] && t->halves[b] ? jaccard(t->halves[a], t->halves[b]) : NAN;
            sum += isnan(alike) ? 0 : alike;
            n += isnan(alike) ? 0 : 1;
        }
    }
    t->out->stability = n ? sum / (double)n : NAN;
    return STATUS_OK;
}

status trial_run(const trial_request *in, const first_learner *of, trial *out, error_info *err) {
    AUTO(tried_clear) tried t = {.in = in, .out = out};
    *out = (trial){.of = of, .parameters = NAN, .mean_held_out = NAN, .stability = NAN};
    CHECK(prepare(of, &t, err));
    CHECK(try_all(&t, err));
    CHECK(try_folds(&t, err));
    return try_halves(&t, err);
}
