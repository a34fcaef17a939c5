/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PC-stable by several threads: the same graph and the same counters as by one. */
#include "tests/support/support.h"

#include "core/run/run_context.h"
#include "generators/sampling/sampling.h"
#include "learners/base/learner.h"
#include "learners/registry.h"
#include "tests/learners/ges_reference.h"

#include <stdlib.h>

/* Rows of a random network of up to 4 states a node: few rows refuse tests, many leave sets of several columns. */
static dataset *sample_random(random_stream *random, size_t p, double arcs_a_node, size_t n_rows) {
    dag *g = make_random_dag(random, p, arcs_a_node / (double)p);
    bayes_net *net = reference_network(random, g, 4);
    dataset *data = NULL;
    error_info err = {0};
    assert_ok(sample_network(net, n_rows, random, &data, &err), &err);
    bayes_net_destroy(net);
    dag_destroy(g);
    return data;
}

typedef struct {
    learner_result result;
    run_context ctx;
} outcome;

static outcome learn(const dataset *data, const char *const *pairs, size_t n_threads, double limit_s) {
    const learner *l = NULL;
    outcome o = {0};
    error_info err = {0};
    void *options;
    assert_ok(learner_find("pc-stable", &l, &err), &err);
    assert_non_null(options = learner_options_create(l));
    for (; pairs[0]; pairs += 2)
        assert_ok(options_set(l->options, options, pairs[0], pairs[1], &err), &err);
    run_context_init(&o.ctx, 1);
    o.ctx.n_threads = n_threads;
    o.ctx.deadline_s = run_clock_s() + limit_s;
    assert_ok(learner_run(l, data, options, &o.ctx, &o.result, &err), &err);
    free(options);
    return o;
}

static void assert_same_graph(const pdag *a, const pdag *b) {
    assert_int_equal(pdag_edge_count(a), pdag_edge_count(b));
    for (size_t node = 0; node < pdag_node_count(a); node++) {
        size_t n_a, n_b;
        const pdag_edge *of_a = pdag_edges(a, node, &n_a), *of_b = pdag_edges(b, node, &n_b);
        assert_int_equal(n_a, n_b);
        for (size_t i = 0; i < n_a; i++) {
            assert_int_equal(of_a[i].node, of_b[i].node);
            assert_int_equal(of_a[i].kind, of_b[i].kind);
        }
    }
}

/* Separating sets are seen by the v-structures that they leave. */
static void threads_change_neither_graph_nor_counters(void **state) {
    static const char *const options[][7] = {{NULL},
                                             {"test", "x2", NULL},
                                             {"unreliable", "indep", NULL},
                                             {"min_rows", "1", "df", "full", NULL},
                                             {"maxk", "1", "unreliable", "dep", NULL},
                                             {"colliders", "majority", NULL},
                                             {"min_rows", "0", "maxk", "2", "conflicts", "bidirected", NULL}};
    random_stream random;
    uint64_t n_skipped = 0;
    (void)state;
    random_stream_init(&random, random_key_of(57));
    for (size_t i = 0; i < 42; i++) {
        dataset *data = sample_random(&random, 8 + 12 * (i % 4), 2 + (double)(i % 3), (size_t)100 << i % 5);
        const char *const *pairs = options[i % 7];
        outcome one = learn(data, pairs, 1, INFINITY);
        for (size_t n_threads = 2; n_threads <= 3; n_threads++) {
            outcome other = learn(data, pairs, n_threads, INFINITY);
            assert_same_graph(other.result.graph, one.result.graph);
            assert_memory_equal(&other.ctx.tests, &one.ctx.tests, sizeof one.ctx.tests);
            assert_false(other.result.is_cut_short);
            pdag_destroy(other.result.graph);
        }
        n_skipped += one.ctx.tests.skipped;
        pdag_destroy(one.result.graph);
        dataset_destroy(data);
    }
    assert_true(n_skipped > 0);
}

static void past_the_deadline_every_thread_ends(void **state) {
    static const char *const none[] = {NULL};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(58));
    for (size_t i = 0; i < 8; i++) {
        dataset *data = sample_random(&random, 60, 4, 2000);
        outcome o = learn(data, none, 3, 1e-3 * (double)i);
        assert_non_null(o.result.graph);
        assert_true(i > 0 || o.result.is_cut_short);
        pdag_destroy(o.result.graph);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_neither_graph_nor_counters),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
