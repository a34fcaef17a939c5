/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches on continuous data. */
#include "tests/metrics/gaussian_score_support.h"

#include "core/graph/equivalence.h"
#include "learners/greedy/greedy_search.h"

/* What the learner says is what its graph scores; a CPDAG's is that of any member. */
static void check_learner(const char *name, const char *scoring, const dataset *data) {
    learner_result found = learn(name, scoring, data);
    score *s = make_score(scoring, NULL, data, NULL);
    dag *g = NULL;
    error_info err = {0};
    assert_ok(pdag_extend(found.graph, &g, &err), &err);
    assert_non_null(g);
    assert_close(total(s, g), found.score, 1e-10);
    dag_destroy(g);
    score_destroy(s);
    learner_result_clear(&found);
}

static const char *const searches[] = {"hc", "gts", "ges", "chc", "chc-star", "ichc", "2ichc", "fastchc", "lagd"};

enum { N_SEARCHES = sizeof searches / sizeof *searches };

static void every_search_takes_every_score_of_continuous_data(void **state) {
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(9));
    data = make_random_reals(&random, 300, 9);
    for (size_t l = 0; l < N_SEARCHES; l++) {
        for (size_t i = 1; i < N_GAUSSIAN; i++)
            check_learner(searches[l], gaussian_kinds[i], data);
    }
    dataset_destroy(data);
}

/* Columns 0 .. 5 of random data, and a constant one in front of, between or behind them. */
static dataset *with_constant(const dataset *data, size_t at) {
    size_t n = dataset_row_count(data);
    double *values = calloc(n * 7, sizeof *values);
    dataset *out;
    assert_non_null(values);
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < 7; c++)
            values[i * 7 + c] = c == at ? 3 : dataset_reals(data, c - (c > at))[i];
    }
    out = make_reals(n, 7, values);
    free(values);
    return out;
}

static void a_constant_column_stays_alone_and_changes_nothing_else(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(10));
    for (size_t at = 0; at < 7; at += 3) {
        dataset *data = make_random_reals(&random, 200, 6), *wider = with_constant(data, at);
        for (size_t l = 0; l < N_SEARCHES; l++) {
            learner_result plain = learn(searches[l], "bic-g", data), found = learn(searches[l], "bic-g", wider);
            size_t degree;
            (void)pdag_edges(found.graph, at, &degree);
            assert_int_equal(degree, 0);
            assert_true(found.score == -INFINITY);
            for (size_t x = 0; x < 6; x++) {
                for (size_t y = 0; y < 6; y++)
                    assert_int_equal(pdag_edge_between(found.graph, x + (x >= at), y + (y >= at)),
                                     pdag_edge_between(plain.graph, x, y));
            }
            learner_result_clear(&plain);
            learner_result_clear(&found);
        }
        dataset_destroy(data);
        dataset_destroy(wider);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_search_takes_every_score_of_continuous_data),
        cmocka_unit_test(a_constant_column_stays_alone_and_changes_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
