/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse Candidate by several threads: the same graph, score and counters as by one. */
#include "tests/learners/threads_support.h"

#include "core/counting/tuple_cache.h"
#include "learners/hybrid/sc_candidates_internal.h"

/* As many tests as are worth other threads. */
enum { N_COLUMNS = 200, N_ROWS = 400 };

static void compare_threads(const dataset *data, const char *const *pairs) {
    outcome one = assert_threads_agree("sc", data, pairs, 3);
    outcome two = learn_by_threads("sc", data, pairs, 2, INFINITY);
    assert_true(pdag_edge_count(one.result.graph) > 0);
    assert_true(one.result.score == two.result.score);
    assert_memory_equal(&one.ctx.scores, &two.ctx.scores, sizeof one.ctx.scores);
    pdag_destroy(two.result.graph);
    pdag_destroy(one.result.graph);
}

static void threads_change_neither_graph_nor_score_nor_counters(void **state) {
    static const char *const options[][5] = {
        {NULL}, {"k", "9", "start", "empty", NULL}, {"candidates", "score", "k", "3", NULL}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(81));
    for (size_t i = 0; i < 6; i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 2 + (double)(i % 3), N_ROWS);
        compare_threads(data, options[i % 3]);
        dataset_destroy(data);
    }
}

/* --- counters --- */

/* Every test of a choice of candidates, as a cache of pairs and sets counts them. */
static void count_plainly(tuple_cache *cache, const dag *g, statistics_count *tally) {
    size_t n = dag_node_count(g);
    for (size_t x = 0; x < n; x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, x, &n_parents);
        for (size_t y = 0; y < n; y++) {
            uint32_t key[16];
            size_t length;
            if (y == x || dag_has_arc(g, y, x))
                continue;
            length = tuple_key_pair(key, x, y, parents, n_parents);
            tally->requests++;
            tally->computed += !tuple_cache_find(cache, key, length);
            tuple_cache_set(cache, key, length, (tuple_value){0});
        }
    }
}

/* Few nodes with few parents: some have the same, and some have them once more. */
static dag *draw_graph(random_stream *random) {
    enum { N = 12, MOST = 3 };
    dag *g = NULL;
    error_info err = {0};
    assert_ok(dag_create(N, &g, &err), &err);
    for (size_t x = 3; x < N; x++) {
        for (size_t y = 0; y < MOST; y++) {
            if (random_below(random, 3) == 0)
                assert_ok(dag_add_arc(g, y, x, &err), &err);
        }
    }
    return g;
}

static void a_test_is_counted_as_computed_once(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(82));
    for (size_t i = 0; i < 20; i++) {
        dataset *data = make_random_dataset(&random, 50, 12, 3);
        statistics_count plain = {0};
        tuple_cache *cache = NULL;
        sc_candidates *c = NULL;
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        assert_ok(tuple_cache_create(SIZE_MAX, &cache, &err), &err);
        assert_ok(sc_candidates_create(data, 4, &ctx, &c, &err), &err);
        for (size_t round = 0; round < 6; round++) {
            dag *g = draw_graph(&random);
            bool is_changed, is_expired;
            assert_ok(sc_candidates_choose(c, g, NULL, &is_changed, &is_expired, &err), &err);
            assert_false(is_expired);
            count_plainly(cache, g, &plain);
            assert_int_equal(ctx.tests.requests, plain.requests);
            assert_int_equal(ctx.tests.computed, plain.computed);
            dag_destroy(g);
        }
        sc_candidates_destroy(c);
        tuple_cache_destroy(cache);
        dataset_destroy(data);
    }
}

static void past_the_deadline_every_thread_ends(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(83));
    for (size_t i = 0; i < 8; i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 4, N_ROWS);
        assert_ends_at_deadline("sc", data, 2e-3 * (double)i);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_neither_graph_nor_score_nor_counters),
        cmocka_unit_test(a_test_is_counted_as_computed_once),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
