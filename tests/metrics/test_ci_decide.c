/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions by bounds: the same answers, graphs and counts as the tests themselves. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "learners/constraint/mmpc_search.h"
#include "learners/constraint/pc_skeleton.h"
#include "metrics/tests/table_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_COLUMNS = 10 };

/* Each column copies the state of an earlier one, as far as it has it, but for one time in `period`. */
static dataset *make_copies(random_stream *random, size_t n_rows, size_t period) {
    int *cells = calloc(n_rows * N_COLUMNS, sizeof *cells);
    size_t n_states[N_COLUMNS], parent[N_COLUMNS] = {0};
    dataset *data;
    assert_non_null(cells);
    for (size_t c = 0; c < N_COLUMNS; c++) {
        n_states[c] = 2 + random_below(random, 3);
        parent[c] = c ? random_below(random, c) : 0;
    }
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t c = 0; c < N_COLUMNS; c++) {
            int copied = cells[i * N_COLUMNS + parent[c]], own = (int)random_below(random, n_states[c]);
            bool is_copy = c > 0 && copied < (int)n_states[c] && random_below(random, period) > 0;
            cells[i * N_COLUMNS + c] = is_copy ? copied : own;
        }
    }
    data = make_dataset(n_rows, N_COLUMNS, n_states, cells);
    free(cells);
    return data;
}

static dataset *make_dependent(random_stream *random, size_t n_rows) {
    return make_copies(random, n_rows, 5);
}

/* The last column says something of each of the others, and nothing else does. */
static dataset *make_hub(random_stream *random, size_t n_rows) {
    int *cells = calloc(n_rows * N_COLUMNS, sizeof *cells);
    size_t n_states[N_COLUMNS];
    dataset *data;
    assert_non_null(cells);
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = 2 + random_below(random, 2);
    for (size_t i = 0; i < n_rows; i++) {
        int *row = cells + i * N_COLUMNS, hub = (int)random_below(random, n_states[N_COLUMNS - 1]);
        row[N_COLUMNS - 1] = hub;
        for (size_t c = 0; c + 1 < N_COLUMNS; c++) {
            bool is_copy = hub < (int)n_states[c] && random_below(random, 10) < 4 + c % 4;
            row[c] = is_copy ? hub : (int)random_below(random, n_states[c]);
        }
    }
    data = make_dataset(n_rows, N_COLUMNS, n_states, cells);
    free(cells);
    return data;
}

static ci_test *make_test_at(double alpha, const char *name, int df, double min_rows, const dataset *data,
                             statistics_count *tally) {
    table_test_options options = {.df = df, .alpha = alpha, .min_rows = min_rows};
    const ci_test_kind *kind = NULL;
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_kind_find(name, &kind, &err), &err);
    assert_ok(ci_test_create(kind, &options, data, tally, &t, &err), &err);
    return t;
}

static ci_test *make_test(const char *name, int df, double min_rows, const dataset *data, statistics_count *tally) {
    return make_test_at(0.05, name, df, min_rows, data, tally);
}

static void assert_is_lower_bound(const verdict *v, const association *exact) {
    assert_false(exact->is_zero);
    assert_true(v->least_statistic <= exact->statistic * (1 + 1e-9));
    assert_true(chi_square_log_tail(v->least_statistic, v->most_df) >= exact->log_p * (1 + 1e-9));
}

/* Sums of whole terms do not depend on the order of columns, those of X2 do. */
static void assert_same_association(const association *a, const association *b, bool is_g2) {
    assert_int_equal(a->is_zero, b->is_zero);
    if (!a->is_zero && is_g2) {
        assert_that(a->log_p, ==, b->log_p);
        assert_that(a->statistic, ==, b->statistic);
    }
    if (!a->is_zero) {
        assert_close(a->log_p, b->log_p, 1e-11);
        assert_close(a->statistic, b->statistic, 1e-11);
    }
}

static void a_bound_never_says_more_than_the_test(void **state) {
    random_stream random;
    size_t n_bounds = 0, n_exact = 0, n_zero = 0;
    (void)state;
    random_stream_init(&random, random_key_of(21));
    for (int round = 0; round < 40; round++) {
        dataset *data = make_dependent(&random, 200 + random_below(&random, 2000));
        int df = round % 5;
        ci_test *quick = make_test(round % 8 ? "g2" : "x2", df, 5, data, NULL);
        ci_test *plain = make_test(round % 8 ? "g2" : "x2", df, 5, data, NULL);
        error_info err = {0};
        if (round % 3 == 0)
            ci_test_forgo_cache(quick);
        for (int i = 0; i < 300; i++) {
            size_t order[N_COLUMNS], n_z = random_below(&random, 5);
            bool reliable = false, same = false;
            verdict v = {0};
            association exact = {0}, later = {0};
            random_permutation(&random, order, N_COLUMNS);
            if (i % 50 == 0)
                ci_test_attend(quick, order, 6);
            assert_ok(ci_test_decide(quick, order[0], order[1], order + 2, n_z, &reliable, &v, &err), &err);
            assert_ok(ci_test_associate(plain, order[0], order[1], order + 2, n_z, &same, &exact, &err), &err);
            assert_int_equal(reliable, same);
            if (!reliable)
                continue;
            n_zero += exact.is_zero;
            n_exact += v.is_exact;
            n_bounds += !v.is_exact;
            if (v.is_exact)
                assert_same_association(&v.value, &exact, round % 8);
            else
                assert_is_lower_bound(&v, &exact);
            assert_ok(ci_test_resolve(quick, order[0], order[1], order + 2, n_z, &later, &err), &err);
            assert_same_association(&later, &exact, round % 8);
        }
        ci_test_destroy(quick);
        ci_test_destroy(plain);
        dataset_destroy(data);
    }
    print_message("  %zu by bounds, %zu by tests, %zu of them independent\n", n_bounds, n_exact, n_zero);
    assert_that(n_bounds, >, 200);
    assert_that(n_exact, >, 1000);
    assert_that(n_zero, >, 200);
}

/* Decides a pair given up to most_z columns at random, as the plain test does. */
static verdict assert_decided(random_stream *random, ci_test *quick, ci_test *plain, size_t most_z,
                              association *exact) {
    size_t order[N_COLUMNS], n_z = 1 + random_below(random, most_z);
    bool reliable = false;
    verdict v = {0};
    error_info err = {0};
    random_permutation(random, order, N_COLUMNS);
    assert_ok(ci_test_decide(quick, order[0], order[1], order + 2, n_z, &reliable, &v, &err), &err);
    assert_ok(ci_test_associate(plain, order[0], order[1], order + 2, n_z, &reliable, exact, &err), &err);
    if (v.is_exact)
        assert_same_association(&v.value, exact, true);
    else
        assert_is_lower_bound(&v, exact);
    return v;
}

static void a_bound_never_says_more_than_a_test_at_an_extreme_level(void **state) {
    random_stream random;
    size_t n_bounds = 0, n_zero = 0;
    (void)state;
    random_stream_init(&random, random_key_of(25));
    for (int round = 0; round < 60; round++) {
        dataset *data = make_dependent(&random, 200 + random_below(&random, 2000));
        double alpha = pow(10, -20 - 280 * random_uniform(&random));
        ci_test *quick = make_test_at(alpha, "g2", round % 5, 0, data, NULL);
        ci_test *plain = make_test_at(alpha, "g2", round % 5, 0, data, NULL);
        for (int i = 0; i < 300; i++) {
            association exact;
            verdict v = assert_decided(&random, quick, plain, 4, &exact);
            n_bounds += !v.is_exact;
            n_zero += exact.is_zero;
        }
        ci_test_destroy(quick);
        ci_test_destroy(plain);
        dataset_destroy(data);
    }
    assert_that(n_bounds, >, 200);
    assert_that(n_zero, >, 200);
}

static void where_a_set_leaves_little_open_the_decision_is_that_of_the_test(void **state) {
    random_stream random;
    size_t n_zero = 0, n_dependent = 0;
    (void)state;
    random_stream_init(&random, random_key_of(26));
    for (int round = 0; round < 60; round++) {
        dataset *data = make_copies(&random, 200 + random_below(&random, 2000), 20 + random_below(&random, 400));
        ci_test *quick = make_test("g2", round % 5, 0, data, NULL), *plain = make_test("g2", round % 5, 0, data, NULL);
        if (round % 2)
            ci_test_forgo_cache(quick);
        for (int i = 0; i < 300; i++) {
            association exact;
            (void)assert_decided(&random, quick, plain, 6, &exact);
            n_zero += exact.is_zero;
            n_dependent += !exact.is_zero;
        }
        ci_test_destroy(quick);
        ci_test_destroy(plain);
        dataset_destroy(data);
    }
    assert_that(n_zero, >, 2000);
    assert_that(n_dependent, >, 2000);
}

static void a_decision_is_counted_as_the_test_and_once(void **state) {
    random_stream random;
    dataset *data;
    statistics_count tally = {0};
    ci_test *t;
    bool reliable = false;
    verdict v = {0};
    association a = {0};
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(22));
    data = make_dependent(&random, 1000);
    t = make_test("g2", CI_DF_ADJ, 5, data, &tally);
    for (int i = 0; i < 2; i++)
        assert_ok(ci_test_decide(t, 0, 1, (size_t[]){2}, 1, &reliable, &v, &err), &err);
    assert_ok(ci_test_associate(t, 1, 0, (size_t[]){2}, 1, &reliable, &a, &err), &err);
    assert_true(reliable);
    assert_int_equal(tally.requests, 3);
    assert_int_equal(tally.computed, 1);
    assert_ok(ci_test_resolve(t, 0, 1, (size_t[]){2}, 1, &a, &err), &err);
    assert_int_equal(tally.requests, 3);
    assert_ok(ci_test_decide(t, 0, 1, (size_t[]){2, 3, 4, 5, 6, 7, 8, 9}, 8, &reliable, &v, &err), &err);
    assert_false(reliable);
    assert_int_equal(tally.skipped, 1);
    ci_test_destroy(t);
    dataset_destroy(data);
}

/* --- searches --- */

typedef struct {
    pdag *g;
    statistics_count tally;
} outcome;

static outcome find_pc(const dataset *data, bool is_stable, double min_rows, bool is_quick) {
    outcome result = {0};
    ci_test *t = make_test("g2", CI_DF_ADJ, min_rows, data, &result.tally);
    association_source source = ci_test_as_source(t);
    decision_source quick = ci_test_as_decisions(t);
    pc_rules rules = {.is_stable = is_stable, .max_k = -1, .quick = is_quick ? &quick : NULL};
    separating_sets *sets = NULL;
    run_context ctx;
    bool cut_short = true;
    error_info err = {0};
    if (is_quick && is_stable) /* the search knows its repetitions */
        ci_test_forgo_cache(t);
    run_context_init(&ctx, 1);
    assert_ok(pc_skeleton(&source, N_COLUMNS, &rules, &ctx, &result.g, &sets, &cut_short, &err), &err);
    separating_sets_destroy(sets);
    ci_test_destroy(t);
    return result;
}

static outcome find_mmpc(const dataset *data, bool shares, double min_rows, bool is_quick) {
    outcome result = {0};
    ci_test *t = make_test("g2", CI_DF_ADJ, min_rows, data, &result.tally);
    association_source source = ci_test_as_source(t);
    decision_source quick = ci_test_as_decisions(t);
    mmpc_rules rules = {10, SYMMETRY_OR, shares, shares, NULL, is_quick ? &quick : NULL};
    run_context ctx;
    bool cut_short = true;
    error_info err = {0};
    if (is_quick && shares)
        ci_test_forgo_cache(t);
    run_context_init(&ctx, 1);
    assert_ok(mmpc_skeleton(&source, N_COLUMNS, &rules, &ctx, &result.g, &cut_short, &err), &err);
    ci_test_destroy(t);
    return result;
}

/* Of all pairs given the columns next to them. */
static void assert_answers_alike(ci_test *a, ci_test *b) {
    error_info err = {0};
    for (size_t i = 0; i < N_COLUMNS * N_COLUMNS; i++) {
        size_t x = i % N_COLUMNS, y = i / N_COLUMNS, z[] = {(x + 1) % N_COLUMNS, (x + 2) % N_COLUMNS};
        size_t n_z = i % 3;
        ci_result of_a, of_b;
        if (x == y || (n_z > 0 && z[0] == y) || (n_z > 1 && z[1] == y))
            continue;
        assert_ok(ci_test_evaluate(a, x, y, z, n_z, &of_a, &err), &err);
        assert_ok(ci_test_evaluate(b, x, y, z, n_z, &of_b, &err), &err);
        assert_true(of_a.statistic == of_b.statistic && of_a.df == of_b.df && of_a.log_p == of_b.log_p);
        assert_int_equal(of_a.is_reliable, of_b.is_reliable);
    }
}

static void a_test_beside_another_answers_alike_and_counts_for_itself(void **state) {
    static const ci_test_kind *const kinds[] = {&ci_test_g2, &ci_test_x2};
    random_stream random;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(34));
    for (int i = 0; i < 8; i++) {
        table_test_options options = {0.01 * (1 + i), i, i % 2 ? CI_DF_FULL : CI_DF_ADJ};
        statistics_count of_first = {0}, of_second = {0};
        dataset *data = make_dependent(&random, 200 + 50 * (size_t)i);
        ci_test *first = NULL, *second = NULL;
        assert_ok(ci_test_create(kinds[i / 2 % 2], &options, data, &of_first, &first, &err), &err);
        assert_ok(ci_test_create_beside(first, &of_second, &second, &err), &err);
        assert_answers_alike(first, second);
        assert_true(of_first.requests > 0);
        assert_int_equal(of_first.requests, of_second.requests);
        ci_test_destroy(second);
        assert_answers_alike(first, first);
        ci_test_destroy(first);
        dataset_destroy(data);
    }
}

static void assert_same(outcome a, outcome b) {
    assert_true(pdag_is_equal(a.g, b.g));
    assert_memory_equal(&a.tally, &b.tally, sizeof a.tally);
    pdag_destroy(a.g);
    pdag_destroy(b.g);
}

static void a_search_that_asks_for_decisions_learns_and_counts_the_same(void **state) {
    random_stream random;
    uint64_t n_tests = 0;
    (void)state;
    random_stream_init(&random, random_key_of(23));
    for (int round = 0; round < 30; round++) {
        dataset *data = make_dependent(&random, 200 + random_below(&random, 3000));
        bool flag = round % 2;
        double min_rows = round % 3 ? 5 : 0;
        outcome pc = find_pc(data, flag, min_rows, true), mmpc = find_mmpc(data, flag, min_rows, true);
        n_tests += pc.tally.computed + mmpc.tally.computed;
        assert_same(pc, find_pc(data, flag, min_rows, false));
        assert_same(mmpc, find_mmpc(data, flag, min_rows, false));
        dataset_destroy(data);
    }
    assert_true(n_tests > 5000);
}

static void a_search_around_a_hub_learns_and_counts_the_same(void **state) {
    random_stream random;
    uint64_t n_tests = 0;
    (void)state;
    random_stream_init(&random, random_key_of(29));
    for (int round = 0; round < 12; round++) {
        dataset *data = make_hub(&random, 1000 + random_below(&random, 4000));
        double min_rows = round % 3 ? 5 : 0;
        outcome mmpc = find_mmpc(data, true, min_rows, true);
        n_tests += mmpc.tally.computed;
        assert_same(mmpc, find_mmpc(data, true, min_rows, false));
        assert_same(find_pc(data, true, min_rows, true), find_pc(data, true, min_rows, false));
        dataset_destroy(data);
    }
    assert_that(n_tests, >, 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bound_never_says_more_than_the_test),
        cmocka_unit_test(a_bound_never_says_more_than_a_test_at_an_extreme_level),
        cmocka_unit_test(where_a_set_leaves_little_open_the_decision_is_that_of_the_test),
        cmocka_unit_test(a_decision_is_counted_as_the_test_and_once),
        cmocka_unit_test(a_test_beside_another_answers_alike_and_counts_for_itself),
        cmocka_unit_test(a_search_that_asks_for_decisions_learns_and_counts_the_same),
        cmocka_unit_test(a_search_around_a_hub_learns_and_counts_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
