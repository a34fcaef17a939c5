/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learners on continuous data, by several threads: graph, score and counters are those of one. */
#include "tests/learners/threads_support.h"
#include "tests/support/gaussian_support.h"

/* As much work as the learners share among threads. Tests are shared from 100 columns on, targets in blocks of 64. */
enum { N_COLUMNS = 200, N_ROWS = 4000, N_TESTED = 140, N_TESTED_ROWS = 1000 };

static void assert_same_search(const outcome *a, const outcome *b) {
    assert_same_outcome(a, b);
    assert_true(a->result.score == b->result.score);
    assert_int_equal(a->ctx.scores.requests, b->ctx.scores.requests);
    assert_int_equal(a->ctx.scores.computed, b->ctx.scores.computed);
}

static void compare_threads(const char *name, const char *const *pairs, const dataset *data, size_t n_threads) {
    outcome one = learn_by_threads(name, data, pairs, 1, INFINITY);
    outcome more = learn_by_threads(name, data, pairs, n_threads, INFINITY);
    assert_true(pdag_edge_count(one.result.graph) > dataset_column_count(data) / 2);
    assert_same_search(&more, &one);
    learner_result_clear(&more.result);
    learner_result_clear(&one.result);
}

/* A search by BGe and one by another score, by two threads and by three in turn. */
static void threads_change_neither_graph_nor_score_nor_counters(void **state) {
    static const char *const learners[] = {"hc", "gts", "ges", "chc", "fastchc", "lagd"};
    static const char *const pairs[][3] = {{"score", "bge"}, {"score", "aic-g"}, {"score", "bic-g"}};
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(31));
    data = sample_reals(&random, N_COLUMNS, N_ROWS);
    for (size_t i = 0; i < sizeof learners / sizeof *learners; i++) {
        compare_threads(learners[i], pairs[0], data, 2 + i % 2);
        compare_threads(learners[i], pairs[1 + i % 2], data, 3 - i % 2);
    }
    dataset_destroy(data);
}

/* Each test by each learner, by two threads and by three in turn. */
static void threads_change_neither_edges_nor_tests(void **state) {
    static const char *const learners[] = {"pc", "pc-stable", "mmpc", "pmmpc", "pmms", "mmbn"};
    static const char *const pairs[][5] = {{"test", "cor", NULL}, {"alpha", "0.3", "test", "zf", NULL}};
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(33));
    data = sample_reals(&random, N_TESTED, N_TESTED_ROWS);
    for (size_t i = 0; i < sizeof learners / sizeof *learners; i++) {
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
            compare_threads(learners[i], pairs[k], data, 2 + (i + k) % 2);
    }
    dataset_destroy(data);
}

static void past_the_deadline_every_thread_ends(void **state) {
    static const char *const learners[] = {"ges", "hc", "pc-stable", "mmpc", "pmmpc", "mmbn"};
    static const char *const pairs[] = {"score", "bge", NULL};
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(32));
    data = sample_reals(&random, N_COLUMNS, N_ROWS);
    for (size_t i = 0; i < 4 * sizeof learners / sizeof *learners; i++) {
        size_t which = i / 4;
        outcome o = learn_by_threads(learners[which], data, which < 2 ? pairs : pairs + 2, 3, 2e-3 * (double)(i % 4));
        assert_non_null(o.result.graph);
        learner_result_clear(&o.result);
    }
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_neither_graph_nor_score_nor_counters),
        cmocka_unit_test(threads_change_neither_edges_nor_tests),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
