/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MMPC by several threads: the same skeleton and the same counters as by one. */
#include "tests/support/support.h"

#include "core/run/run_context.h"
#include "generators/sampling/sampling.h"
#include "learners/base/learner.h"
#include "learners/registry.h"
#include "tests/learners/ges_reference.h"

#include <stdlib.h>

/* More columns than a survey of all pairs needs, and work that is worth other threads. */
enum { N_COLUMNS = 150, N_ROWS = 2000 };

static dataset *sample_random(random_stream *random, double arcs_a_node) {
    dag *g = make_random_dag(random, N_COLUMNS, arcs_a_node / (double)N_COLUMNS);
    bayes_net *net = reference_network(random, g, 4);
    dataset *data = NULL;
    error_info err = {0};
    assert_ok(sample_network(net, N_ROWS, random, &data, &err), &err);
    bayes_net_destroy(net);
    dag_destroy(g);
    return data;
}

/* Some columns are copies of the last but one, with noise: a hub, whose members are tested by a lattice. The others
 * depend on nothing. */
static dataset *sample_hub(random_stream *random, size_t n_members) {
    int *cells = calloc((size_t)N_ROWS * N_COLUMNS, sizeof *cells);
    size_t n_states[N_COLUMNS];
    dataset *data;
    assert_non_null(cells);
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = 3;
    for (size_t i = 0; i < N_ROWS; i++) {
        int hub = (int)random_below(random, 3);
        for (size_t c = 0; c < N_COLUMNS; c++) {
            bool is_copy = c == N_COLUMNS - 2 || (c < n_members && random_below(random, 5) < 2);
            cells[i * N_COLUMNS + c] = is_copy ? hub : (int)random_below(random, 3);
        }
    }
    data = make_dataset(N_ROWS, N_COLUMNS, n_states, cells);
    free(cells);
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
    assert_ok(learner_find("mmpc", &l, &err), &err);
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
        for (size_t i = 0; i < n_a; i++)
            assert_int_equal(of_a[i].node, of_b[i].node);
    }
}

static void compare_threads(const dataset *data, const char *const *pairs) {
    outcome one = learn(data, pairs, 1, INFINITY);
    assert_true(pdag_edge_count(one.result.graph) > 0);
    for (size_t n_threads = 2; n_threads <= 4; n_threads++) {
        outcome other = learn(data, pairs, n_threads, INFINITY);
        assert_same_graph(other.result.graph, one.result.graph);
        assert_memory_equal(&other.ctx.tests, &one.ctx.tests, sizeof one.ctx.tests);
        assert_false(other.result.is_cut_short);
        pdag_destroy(other.result.graph);
    }
    pdag_destroy(one.result.graph);
}

static void threads_change_neither_skeleton_nor_counters(void **state) {
    static const char *const options[][5] = {
        {NULL}, {"min_rows", "0", "df", "full", NULL}, {"symmetry", "or", "maxk", "2", NULL}, {"opt4", "false", NULL}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t i = 0; i < 6; i++) {
        dataset *data = sample_random(&random, 2 + (double)(i % 3));
        compare_threads(data, options[i % 4]);
        dataset_destroy(data);
    }
}

static void threads_share_the_work_of_a_hub(void **state) {
    static const char *const none[] = {NULL};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(62));
    for (size_t i = 0; i < 3; i++) {
        dataset *data = sample_hub(&random, 14 + 4 * i);
        compare_threads(data, none);
        dataset_destroy(data);
    }
}

static void past_the_deadline_every_thread_ends(void **state) {
    static const char *const none[] = {NULL};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(63));
    for (size_t i = 0; i < 8; i++) {
        dataset *data = sample_random(&random, 4);
        outcome o = learn(data, none, 3, 4e-3 * (double)i);
        assert_non_null(o.result.graph);
        assert_true(i > 0 || o.result.is_cut_short);
        pdag_destroy(o.result.graph);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_neither_skeleton_nor_counters),
        cmocka_unit_test(threads_share_the_work_of_a_hub),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
