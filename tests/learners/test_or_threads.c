/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimal Reinsertion by several threads, and the walk over the sets by which they share its scores. */
#include "tests/learners/threads_support.h"

#include "learners/greedy/set_scores_internal.h"
#include "learners/greedy/subset_walk_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the walk --- */

/* By rows, as a recursion writes the sets down: a bit a place. */
static void list_by_recursion(size_t n_candidates, size_t most, uint32_t set, size_t size, size_t first, uint32_t *out,
                              size_t *n) {
    if (size == most)
        return;
    for (size_t at = first; at < n_candidates; at++)
        out[(*n)++] = set | 1u << at;
    for (size_t at = first; at + 1 < n_candidates; at++)
        list_by_recursion(n_candidates, most, set | 1u << at, size + 1, at + 1, out, n);
}

static size_t list_by_walk(size_t n_candidates, size_t most, uint32_t *out) {
    subset_walk walk = subset_walk_begin(n_candidates, most);
    size_t n = 0;
    do {
        uint32_t set = 0;
        for (size_t i = 0; i < walk.n; i++)
            set |= 1u << walk.places[i];
        for (size_t at = subset_walk_first(&walk); at < n_candidates; at++)
            out[n++] = set | 1u << at;
    } while (subset_walk_next(&walk));
    return n;
}

static void a_walk_meets_every_set_once_in_the_order_of_a_recursion(void **state) {
    static uint32_t walked[1 << 10], expected[1 << 10];
    (void)state;
    for (size_t n_candidates = 0; n_candidates <= 10; n_candidates++) {
        for (size_t most = 1; most <= 11; most++) {
            bool is_met[1 << 10] = {0};
            size_t n = 0, n_sets = 0;
            list_by_recursion(n_candidates, most, 0, 0, 0, expected, &n);
            assert_int_equal(list_by_walk(n_candidates, most, walked), n);
            assert_memory_equal(walked, expected, n * sizeof *walked);
            for (size_t i = 0; i < n; i++) {
                assert_false(is_met[walked[i]]);
                is_met[walked[i]] = true;
            }
            for (uint32_t set = 1; set < 1u << n_candidates; set++)
                n_sets += (size_t)__builtin_popcount(set) <= most;
            assert_int_equal(n, n_sets);
        }
    }
}

/* --- scores of a walk --- */

enum { N_COLUMNS = 24, N_ROWS = 300 };

static score *make_scorer(const dataset *data, run_context *ctx) {
    const score_kind *kind = NULL;
    score *s = NULL;
    error_info err = {0};
    assert_ok(score_kind_find("bdeu", &kind, &err), &err);
    assert_ok(score_create_within(kind, NULL, data, ctx, &s, &err), &err);
    return s;
}

/* Whole walks one after the other, so that some families are known from the one before. */
static void scores_are_those_of_one_by_one(void **state) {
    random_stream random;
    run_context ctx, plain_ctx;
    dataset *data;
    score *s, *plain;
    set_scores *a = NULL;
    size_t n_known = 0, candidates[N_COLUMNS - 1];
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(21));
    data = make_random_dataset(&random, N_ROWS, N_COLUMNS, 4);
    run_context_init(&ctx, 1);
    run_context_init(&plain_ctx, 1);
    ctx.n_threads = 3;
    s = make_scorer(data, &ctx);
    plain = make_scorer(data, &plain_ctx);
    assert_ok(set_scores_create(s, &ctx, &a, &err), &err);
    for (size_t i = 0; i < 12; i++) {
        size_t target = i % 4, n_candidates = 4 + 3 * (i % 7);
        subset_walk walk = subset_walk_begin(n_candidates, 1 + i % 4);
        for (size_t c = 0; c < n_candidates; c++)
            candidates[c] = (target + 1 + (c + i) % (N_COLUMNS - 1)) % N_COLUMNS;
        set_scores_begin(a, target, candidates);
        do {
            size_t parents[SUBSET_WALK_MOST], first = subset_walk_first(&walk);
            const found_score *known;
            for (size_t p = 0; p < walk.n; p++)
                parents[p] = candidates[walk.places[p]];
            assert_ok(set_scores_row(a, &walk, &known, &err), &err);
            for (size_t at = first; at < n_candidates; at++) {
                double value, expected;
                assert_ok(score_node_with(plain, target, parents, walk.n, candidates[at], &expected, &err), &err);
                if (known)
                    value = set_scores_take(s, target, parents, walk.n, candidates[at], &known[at - first]);
                else
                    assert_ok(score_node_with(s, target, parents, walk.n, candidates[at], &value, &err), &err);
                n_known += known != NULL;
                assert_true(value == expected);
            }
        } while (subset_walk_next(&walk));
    }
    assert_true(n_known > 3000);
    assert_memory_equal(&ctx.scores, &plain_ctx.scores, sizeof ctx.scores);
    assert_true(ctx.scores.computed < ctx.scores.requests);
    set_scores_destroy(a);
    score_destroy(plain);
    score_destroy(s);
    dataset_destroy(data);
}

/* --- the learner --- */

static void assert_same_by_threads(const dataset *data, const char *const *pairs) {
    outcome one = learn_by_threads("or", data, pairs, 1, INFINITY);
    for (size_t n_threads = 2; n_threads <= 3; n_threads++) {
        outcome other = learn_by_threads("or", data, pairs, n_threads, INFINITY);
        assert_same_graph(other.result.graph, one.result.graph);
        assert_memory_equal(&other.ctx.scores, &one.ctx.scores, sizeof one.ctx.scores);
        assert_true(other.result.score == one.result.score);
        assert_int_equal(other.result.is_cut_short, one.result.is_cut_short);
        pdag_destroy(other.result.graph);
    }
    pdag_destroy(one.result.graph);
}

static void threads_find_what_one_finds(void **state) {
    static const char *const whole[] = {"budget", "0", "max_parents", "4", NULL},
                             *const restarts[] = {"budget", "0", "max_parents", "3", "restarts", "2", NULL},
                             *const many[] = {"budget", "0", "max_parents", "2", "candidates", "60", NULL},
                             *const limited[] = {"evaluations", "9000", NULL};
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(22));
    data = sample_random(&random, 40, 3, 500);
    assert_same_by_threads(data, whole);
    assert_same_by_threads(data, restarts);
    assert_same_by_threads(data, many);
    assert_same_by_threads(data, limited);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_meets_every_set_once_in_the_order_of_a_recursion),
        cmocka_unit_test(scores_are_those_of_one_by_one),
        cmocka_unit_test(threads_find_what_one_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
