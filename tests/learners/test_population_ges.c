/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GES in the population limit: a thousand random networks of two states a node, and in place of a score of data that of
 * the distribution itself, -N H(x | parents) - 2^|parents| with an N so large that what is left of it decides as
 * d-separation would. This file takes the place of metrics/scores/score.c: the search calls its functions and knows no
 * better.
 */
#include "tests/support/support.h"

#include "core/counting/counts.h"
#include "core/graph/equivalence.h"
#include "core/run/run_context.h"
#include "learners/ges/ges_search_internal.h"
#include "metrics/scores/score.h"
#include "metrics/scores/score_rows.h"

#include <math.h>
#include <stdlib.h>

enum { DAGS = 1000, MOST = 10 };

/* A conditional independence leaves some 1e-16 x N of rounding, well below the penalty of one parameter; a dependence
 * of more than 1e-9 nats outweighs any. */
static const double rows = 1e11;

struct score {
    size_t n;
    double *joint;               /* 2^n */
    double entropies[1 << MOST]; /* by set; NAN where not yet computed */
};

static double entropy(score *s, size_t mask) {
    static double margin[1 << MOST];
    double sum = 0;
    if (!isnan(s->entropies[mask]))
        return s->entropies[mask];
    for (size_t i = 0; i < (size_t)1 << s->n; i++)
        margin[i] = 0;
    for (size_t i = 0; i < (size_t)1 << s->n; i++)
        margin[i & mask] += s->joint[i];
    for (size_t i = 0; i < (size_t)1 << s->n; i++)
        sum -= margin[i] > 0 ? margin[i] * log(margin[i]) : 0;
    return s->entropies[mask] = sum;
}

static double score_of(score *s, size_t x, size_t set, size_t n_parents) {
    return rows * (entropy(s, set) - entropy(s, set | (size_t)1 << x)) - (double)((size_t)1 << n_parents);
}

static size_t set_of(const size_t *nodes, size_t n) {
    size_t set = 0;
    for (size_t i = 0; i < n; i++)
        set |= (size_t)1 << nodes[i];
    return set;
}

/* --- what the search calls --- */

status score_node(score *s, size_t x, const size_t *parents, size_t n_parents, double *out, error_info *err) {
    (void)err;
    *out = score_of(s, x, set_of(parents, n_parents), n_parents);
    return STATUS_OK;
}

status score_node_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                       error_info *err) {
    (void)err;
    *out = score_of(s, x, set_of(parents, n_parents) | (size_t)1 << extra, n_parents + 1);
    return STATUS_OK;
}

status score_node_begin(score *s, size_t x, const size_t *parents, size_t n_parents, double *out, error_info *err) {
    return score_node(s, x, parents, n_parents, out, err);
}

void score_node_end(score *s, size_t x, const size_t *parents, size_t n_parents, double value) {
    (void)s;
    (void)x;
    (void)parents;
    (void)n_parents;
    (void)value;
}

void score_node_told(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *value) {
    (void)s;
    (void)x;
    (void)parents;
    (void)n_parents;
    (void)extra;
    (void)value;
}

/* A thread beside the search would bring nothing here. */
size_t score_row_count(const score *s) {
    (void)s;
    return 0;
}

void score_count(score *s, uint64_t requests, uint64_t computed) {
    (void)s;
    (void)requests;
    (void)computed;
}

status score_count_additions_but(score *s, size_t x, const size_t *parents, size_t n_parents, const size_t *others,
                                 size_t n_others, error_info *err) {
    (void)s;
    (void)x;
    (void)parents;
    (void)n_parents;
    (void)others;
    (void)n_others;
    (void)err;
    return STATUS_OK;
}

status score_count_additions_recalled(score *s, size_t x, const size_t *parents, size_t n_parents,
                                      const left_out_source *source, size_t row, size_t *n_known, error_info *err) {
    (void)source;
    (void)row;
    *n_known = 0;
    return score_count_additions_but(s, x, parents, n_parents, NULL, 0, err);
}

void score_count_recalled(score *s, size_t requests, size_t n_known) {
    score_count(s, requests, requests - n_known);
}

status score_columns_create(const score *s, score_columns **out, error_info *err) {
    (void)s;
    (void)err;
    *out = NULL;
    return STATUS_OK;
}

void score_columns_destroy(score_columns *c) {
    (void)c;
}

void score_rows_clear(score_rows *r) {
    (void)r;
}

status score_rows_block(score_rows *r, size_t block, size_t x, const size_t *parents, size_t n_parents, double *out,
                        error_info *err) {
    size_t family = set_of(parents, n_parents) | (size_t)1 << x;
    assert_int_equal(block, 0);
    for (size_t i = 0; i < r->scorer->n; i++) {
        out[i] = (double)NAN;
        if (!(family >> i & 1))
            CHECK(score_node_with(r->scorer, x, parents, n_parents, i, &out[i], err));
    }
    return STATUS_OK;
}

status score_node_fresh(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                        error_info *err) {
    return extra == COUNTS_NO_EXTRA ? score_node(s, x, parents, n_parents, out, err)
                                    : score_node_with(s, x, parents, n_parents, extra, out, err);
}

status high_columns_create(const score *s, size_t n_threads, high_columns **out, error_info *err) {
    (void)n_threads;
    *out = NULL;
    return s->n > 0 ? STATUS_OK : error_set(err, STATUS_BUG, "a score without nodes");
}

void high_columns_destroy(high_columns *c) {
    assert_null(c);
}

size_t high_columns_shares(const high_columns *c) {
    assert_null(c);
    return 0;
}

status high_scores_create(score *s, const high_columns *c, high_scores **out, error_info *err) {
    (void)s;
    (void)out;
    assert_non_null(c);
    return error_set(err, STATUS_BUG, "no columns");
}

void high_scores_destroy(high_scores *h) {
    assert_null(h);
}

status high_scores_bound(high_scores *h, size_t share, size_t x, const size_t *parents, size_t n_parents,
                         double *bounds, error_info *err) {
    (void)share;
    (void)x;
    (void)parents;
    (void)n_parents;
    (void)bounds;
    assert_non_null(h);
    return error_set(err, STATUS_BUG, "no columns");
}

double high_scores_without(const high_scores *h) {
    (void)h;
    return 0;
}

status high_scores_list(high_scores *h, size_t x, const size_t *parents, size_t n_parents, const double *bounds,
                        size_t n_exact, high_score *out, size_t *n, error_info *err) {
    (void)bounds;
    (void)n_exact;
    (void)out;
    (void)n;
    return high_scores_bound(h, 0, x, parents, n_parents, NULL, err);
}

/* --- networks --- */

/* A table with a probability of one state at random for each configuration. */
static void fill_joint(random_stream *random, const dag *g, double *joint) {
    size_t n = dag_node_count(g);
    double table[MOST][1 << MOST];
    for (size_t v = 0; v < n; v++) {
        for (size_t j = 0; j < (size_t)1 << n; j++)
            table[v][j] = 0.05 + 0.9 * random_uniform(random);
    }
    for (size_t i = 0; i < (size_t)1 << n; i++) {
        joint[i] = 1;
        for (size_t v = 0; v < n; v++) {
            size_t n_parents;
            const size_t *parents = dag_parents(g, v, &n_parents);
            double p = table[v][i & set_of(parents, n_parents)];
            joint[i] *= i >> v & 1 ? p : 1 - p;
        }
    }
}

static pdag *search(score *s) {
    ges_search state = {0};
    ges_plan plan = {.scorer = s, .max_parents = -1, .max_degree = -1, .max_cliques = -1};
    pdag *found;
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(ges_search_init(&state, &plan, &ctx, s->n, &err), &err);
    assert_ok(ges_search_run(&state, &err), &err);
    found = state.graph.class.cpdag;
    state.graph.class.cpdag = NULL;
    ges_search_clear(&state);
    return found;
}

static void ges_finds_the_class(void **state) {
    random_stream random;
    score *s = calloc(1, sizeof *s);
    double *joint = calloc((size_t)1 << MOST, sizeof *joint);
    size_t n_directed = 0;
    (void)state;
    assert_non_null(s);
    assert_non_null(joint);
    s->joint = joint;
    random_stream_init(&random, random_key_of(74));
    for (int i = 0; i < DAGS; i++) {
        dag *g = make_random_dag(&random, 5 + (size_t)random_below(&random, 6), 0.15 + 0.35 * random_uniform(&random));
        pdag *truth = NULL, *found;
        error_info err = {0};
        s->n = dag_node_count(g);
        for (size_t k = 0; k < (size_t)1 << MOST; k++)
            s->entropies[k] = NAN;
        fill_joint(&random, g, joint);
        assert_ok(cpdag_from_dag(g, &truth, &err), &err);
        found = search(s);
        if (!pdag_is_equal(found, truth))
            fail_msg("DAG %d of %zu nodes and %zu arcs: found %zu edges", i, s->n, dag_arc_count(g),
                     pdag_edge_count(found));
        n_directed += pdag_directed_count(truth);
        pdag_destroy(found);
        pdag_destroy(truth);
        dag_destroy(g);
    }
    assert_true(n_directed > DAGS);
    free(joint);
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ges_finds_the_class)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
