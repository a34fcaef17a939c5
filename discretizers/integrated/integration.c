/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of an integrated discretizer (Fu 2005, III.1): the policy, the state of each row under it, and the score of
 * graph and policy. States and policy always agree. The score is a sum over families and intervals, by tables of what
 * one more row adds to a count.
 */
#include "discretizers/base/cut_rules.h"
#include "discretizers/integrated/integrated_internal.h"
#include "discretizers/integrated/row_codes.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LEAST_SHARED_CELLS = 1 << 12 }; /* columns times rows: a graph and a policy take some milliseconds */

void integration_clear(integration *in) {
    for (size_t c = 0; c < in->n_columns; c++) {
        if (in->sorted)
            sorted_column_clear(&in->sorted[c]);
        if (in->states)
            free(in->states[c]);
    }
    free(in->sorted);
    free(in->states);
    free(in->n_states);
    free(in->log_gamma);
    policy_clear(&in->policy);
    increment_tables_destroy(in->tables);
    for (size_t i = 0; in->their_tables && i + 1 < crew_size(in->threads); i++)
        increment_tables_destroy(in->their_tables[i]);
    free(in->their_tables);
    crew_destroy(in->threads);
    *in = (integration){0};
}

bool integration_is_continuous(const integration *in, size_t column) {
    return dataset_reals(in->data, column) != NULL;
}

status integration_set(integration *in, size_t column, const double *thresholds, size_t n, error_info *err) {
    const sorted_column *s = &in->sorted[column];
    const column_policy *p = &in->policy.columns[column];
    uint32_t state = 0;
    CHECK(policy_set(&in->policy, column, thresholds, n, err));
    for (size_t i = 0; i < s->n; i++) {
        while (state < p->n && p->thresholds[state] <= s->values[i])
            state++;
        in->states[column][s->rows[i]] = state;
    }
    in->n_states[column] = p->n + 1;
    return STATUS_OK;
}

static status start_continuous(integration *in, size_t c, error_info *err) {
    const integrated_options *o = in->options;
    size_t k = (size_t)(o->k > o->min_levels ? o->k : o->min_levels), n = 0;
    AUTO_FREE double *thresholds = calloc(k, sizeof *thresholds);
    CHECK_ALLOC(thresholds);
    CHECK(sorted_column_init(&in->sorted[c], dataset_reals(in->data, c), in->n_rows, err));
    if (in->sorted[c].n_cuts > 0)
        n = o->initial == INITIAL_EQFREQ ? cut_nearest_counts(&in->sorted[c], k, thresholds)
                                         : cut_equal_width(&in->sorted[c], k, thresholds);
    return integration_set(in, c, thresholds, n, err);
}

static void start_discrete(integration *in, size_t c) {
    in->n_states[c] = dataset_state_count(in->data, c);
    for (size_t row = 0; row < in->n_rows; row++)
        in->states[c][row] = (uint32_t)dataset_state(in->data, row, c);
}

static status start_column(integration *in, size_t c, error_info *err) {
    CHECK_ALLOC(in->states[c] = calloc(in->n_rows + 1, sizeof *in->states[c]));
    if (integration_is_continuous(in, c))
        return start_continuous(in, c, err);
    start_discrete(in, c);
    return STATUS_OK;
}

/* The columns, which threads start side by side. */
typedef struct {
    integration *in;
    atomic_size_t next; /* the first that nobody has taken */
} column_pile;

static status start_some(void *self, size_t worker, error_info *err) {
    column_pile *p = self;
    size_t c;
    (void)worker;
    while ((c = atomic_fetch_add(&p->next, 1)) < p->in->n_columns)
        CHECK(start_column(p->in, c, err));
    return STATUS_OK;
}

static status start_columns(integration *in, error_info *err) {
    column_pile pile = {in, 0};
    return crew_run(in->threads, start_some, &pile, err);
}

static status prepare_threads(integration *in, error_info *err) {
    bool is_worth_sharing = in->n_columns * in->n_rows >= LEAST_SHARED_CELLS;
    CHECK(crew_create(is_worth_sharing ? in->ctx->n_threads : 1, &in->threads, err));
    CHECK_ALLOC(in->their_tables = calloc(crew_size(in->threads), sizeof(increment_tables *)));
    for (size_t i = 0; i + 1 < crew_size(in->threads); i++)
        CHECK(increment_tables_create(in->n_rows, &in->their_tables[i], err));
    return STATUS_OK;
}

status integration_init(integration *in, const integrated_method *method, const integrated_options *options,
                        const dataset *data, run_context *ctx, error_info *err) {
    size_t n = dataset_column_count(data);
    *in = (integration){.method = method,
                        .options = options,
                        .data = data,
                        .ctx = ctx,
                        .n_rows = dataset_row_count(data),
                        .n_columns = n};
    CHECK_ALLOC(in->sorted = calloc(n, sizeof *in->sorted));
    CHECK_ALLOC(in->states = calloc(n, sizeof *in->states));
    CHECK_ALLOC(in->n_states = calloc(n, sizeof *in->n_states));
    CHECK_ALLOC(in->log_gamma = calloc(in->n_rows + 1, sizeof *in->log_gamma));
    in->log_gamma[0] = INFINITY;
    for (size_t m = 2; m <= in->n_rows; m++)
        in->log_gamma[m] = in->log_gamma[m - 1] + log((double)(m - 1));
    CHECK(policy_init(&in->policy, n, err));
    CHECK(increment_tables_create(in->n_rows, &in->tables, err));
    CHECK(prepare_threads(in, err));
    return start_columns(in, err);
}

bool integration_improves(double score, double than) {
    return isfinite(than) ? score > than + 1e-9 + 1e-12 * fabs(than) : score > than;
}

status integrated_bdeu_terms(const integration *in, increment_tables *tables, double r, double q, policy_terms *out,
                             error_info *err) {
    *out = (policy_terms){0};
    CHECK(increment_tables_gamma(tables, in->options->ess / (q * r), &out->cell, err));
    return increment_tables_gamma(tables, in->options->ess / q, &out->row, err);
}

/* --- the score of the whole --- */

/* The sum of a function of the counts of each code, by its increments. */
static double sum_of_counts(const row_codes *c, const double *increments, uint32_t *counts) {
    double sum = 0;
    for (size_t i = 0; i < c->n; i++)
        sum += increments[counts[c->codes[i]]++];
    for (size_t i = 0; i < c->n; i++)
        counts[c->codes[i]] = 0;
    return sum;
}

typedef struct {
    const integration *in;
    uint32_t *rows;   /* 0, 1, ...: codes in the order of rows */
    uint32_t *counts; /* of any code; zero between uses */
} scoring;

static status add_column(scoring *s, row_codes *c, size_t column, error_info *err) {
    return row_codes_add(c, s->in->states[column], s->rows, s->in->n_states[column], err);
}

static status family_score(scoring *s, size_t x, double *out, error_info *err) {
    const integration *in = s->in;
    size_t n_parents;
    const size_t *parents = dag_parents(in->graph, x, &n_parents);
    AUTO(row_codes_clear) row_codes codes = {0}, own = {0};
    policy_terms terms;
    double q = 1, sum = 0;
    increment_tables_trim(in->tables);
    CHECK(row_codes_init(&codes, in->n_rows, err));
    CHECK(row_codes_init(&own, in->n_rows, err));
    for (size_t i = 0; i < n_parents; i++) {
        q = fmin(q * (double)in->n_states[parents[i]], INTEGRATED_MOST_CONFIGURATIONS);
        CHECK(add_column(s, &codes, parents[i], err));
    }
    CHECK(in->method->terms(in, in->tables, (double)in->n_states[x], q, &terms, err));
    sum -= sum_of_counts(&codes, terms.row, s->counts);
    CHECK(add_column(s, &codes, x, err));
    sum += sum_of_counts(&codes, terms.cell, s->counts);
    CHECK(add_column(s, &own, x, err));
    if (terms.margin)
        sum -= sum_of_counts(&own, terms.margin, s->counts);
    *out = sum + terms.constant;
    if (in->method->node)
        *out += in->method->node(in, n_parents, in->n_states[x], integration_is_continuous(in, x));
    return STATUS_OK;
}

/* What the intervals of a column add. */
static double intervals_score(const integration *in, size_t c) {
    const sorted_column *s = &in->sorted[c];
    const column_policy *p = &in->policy.columns[c];
    double sum = in->method->column ? in->method->column(in, p->n + 1, s->n_cuts + 1) : 0;
    size_t from = 0;
    for (size_t k = 0; in->method->interval && k <= p->n; k++) {
        double low = k ? p->thresholds[k - 1] : s->values[0], high = k < p->n ? p->thresholds[k] : s->values[s->n - 1];
        size_t to = k < p->n ? sorted_column_below(s, high) : s->n;
        sum += in->method->interval(in, to - from, high - low);
        from = to;
    }
    return sum;
}

status integration_score(integration *in, double *out, error_info *err) {
    AUTO_FREE uint32_t *rows = calloc(in->n_rows + 1, sizeof *rows);
    AUTO_FREE uint32_t *counts = calloc(row_codes_most(in->n_rows), sizeof *counts);
    scoring s = {in, rows, counts};
    double total = 0;
    CHECK_ALLOC(rows);
    CHECK_ALLOC(counts);
    for (size_t i = 0; i < in->n_rows; i++)
        rows[i] = (uint32_t)i;
    for (size_t x = 0; x < in->n_columns; x++) {
        double family = 0;
        CHECK(family_score(&s, x, &family, err));
        total += family;
        if (integration_is_continuous(in, x))
            total += intervals_score(in, x);
    }
    in->ctx->policy_scores++;
    *out = total;
    return STATUS_OK;
}
