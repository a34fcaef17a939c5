/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of learners with several threads share: data, a run, and what must be the same on any number of threads.
 */
#ifndef BNB_TESTS_LEARNERS_THREADS_SUPPORT_H
#define BNB_TESTS_LEARNERS_THREADS_SUPPORT_H

#include "tests/support/support.h"

#include "core/run/run_context.h"
#include "generators/sampling/sampling.h"
#include "learners/base/learner.h"
#include "learners/registry.h"
#include "tests/learners/ges_reference.h"

#include <stdlib.h>

/* Rows of a random network of up to 4 states a node: few rows refuse tests, many leave sets of several columns. */
static inline dataset *sample_random(random_stream *random, size_t p, double arcs_a_node, size_t n_rows) {
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

static inline outcome learn_by_threads(const char *name, const dataset *data, const char *const *pairs,
                                       size_t n_threads, double limit_s) {
    const learner *l = NULL;
    outcome o = {0};
    error_info err = {0};
    void *options;
    assert_ok(learner_find(name, &l, &err), &err);
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

static inline void assert_same_graph(const pdag *a, const pdag *b) {
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

static inline void assert_same_outcome(const outcome *a, const outcome *b) {
    assert_same_graph(a->result.graph, b->result.graph);
    assert_memory_equal(&a->ctx.tests, &b->ctx.tests, sizeof a->ctx.tests);
    assert_false(a->result.is_cut_short);
}

/* By 2, 3, ... threads as by one. Returns the outcome of one; the caller destroys its graph. */
static inline outcome assert_threads_agree(const char *name, const dataset *data, const char *const *pairs,
                                           size_t most_threads) {
    outcome one = learn_by_threads(name, data, pairs, 1, INFINITY);
    for (size_t n_threads = 2; n_threads <= most_threads; n_threads++) {
        outcome other = learn_by_threads(name, data, pairs, n_threads, INFINITY);
        assert_same_outcome(&other, &one);
        pdag_destroy(other.result.graph);
    }
    return one;
}

/* By one thread and by so many: for what takes long, where each case has another number. As above. */
static inline outcome assert_so_many_threads_agree(const char *name, const dataset *data, const char *const *pairs,
                                                   size_t n_threads) {
    outcome one = learn_by_threads(name, data, pairs, 1, INFINITY);
    outcome other = learn_by_threads(name, data, pairs, n_threads, INFINITY);
    assert_same_outcome(&other, &one);
    pdag_destroy(other.result.graph);
    return one;
}

/* By three threads; without any time the graph is not complete. */
static inline void assert_ends_at_deadline(const char *name, const dataset *data, double limit_s) {
    static const char *const none[] = {NULL};
    outcome o = learn_by_threads(name, data, none, 3, limit_s);
    assert_non_null(o.result.graph);
    assert_true(limit_s > 0 || o.result.is_cut_short);
    pdag_destroy(o.result.graph);
}

#endif
