/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The searches on continuous data, by several threads: graph, score and counters are those of one. */
#include "tests/learners/threads_support.h"
#include "tests/support/gaussian_support.h"

enum { N_COLUMNS = 200, N_ROWS = 4000, MOST_THREADS = 3 };

/* Each column is a sum of two or so before it, and noise: as much work as the searches share among threads. */
static dataset *sample_reals(random_stream *random) {
    double *values = calloc(N_ROWS, N_COLUMNS * sizeof *values);
    dataset *data;
    assert_non_null(values);
    for (size_t c = 0; c < N_COLUMNS; c++) {
        for (size_t row = 0; row < N_ROWS; row++)
            values[row * N_COLUMNS + c] = normal_deviate(random);
        for (size_t k = 0; k < 2 && c > 0; k++) {
            size_t parent = (size_t)random_below(random, c);
            double weight = normal_deviate(random);
            for (size_t row = 0; row < N_ROWS; row++)
                values[row * N_COLUMNS + c] += weight * values[row * N_COLUMNS + parent];
        }
    }
    data = make_reals(N_ROWS, N_COLUMNS, values);
    free(values);
    return data;
}

static void assert_same_search(const outcome *a, const outcome *b) {
    assert_same_outcome(a, b);
    assert_true(a->result.score == b->result.score);
    assert_int_equal(a->ctx.scores.requests, b->ctx.scores.requests);
    assert_int_equal(a->ctx.scores.computed, b->ctx.scores.computed);
}

static void compare_threads(const char *name, const char *scoring, const dataset *data) {
    const char *pairs[] = {"score", scoring, NULL};
    outcome one = learn_by_threads(name, data, pairs, 1, INFINITY);
    assert_true(pdag_edge_count(one.result.graph) > N_COLUMNS / 2);
    for (size_t n_threads = 2; n_threads <= MOST_THREADS; n_threads++) {
        outcome more = learn_by_threads(name, data, pairs, n_threads, INFINITY);
        assert_same_search(&more, &one);
        learner_result_clear(&more.result);
    }
    learner_result_clear(&one.result);
}

static void threads_change_neither_graph_nor_score_nor_counters(void **state) {
    static const char *const learners[] = {"hc", "gts", "ges", "chc", "fastchc", "lagd"};
    static const char *const scores[] = {"bge", "bic-g", "aic-g"};
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(31));
    data = sample_reals(&random);
    for (size_t i = 0; i < sizeof learners / sizeof *learners; i++) {
        compare_threads(learners[i], "bge", data);
        compare_threads(learners[i], scores[1 + i % 2], data);
    }
    dataset_destroy(data);
}

static void past_the_deadline_every_thread_ends(void **state) {
    static const char *const pairs[] = {"score", "bge", NULL};
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(32));
    data = sample_reals(&random);
    for (size_t i = 0; i < 4; i++) {
        outcome o = learn_by_threads(i % 2 ? "hc" : "ges", data, pairs, 3, 1e-3 * (double)i);
        assert_non_null(o.result.graph);
        learner_result_clear(&o.result);
    }
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_neither_graph_nor_score_nor_counters),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
