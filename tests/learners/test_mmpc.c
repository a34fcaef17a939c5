/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/oracles.h"

#include "learners/constraint/mmpc_search.h"
#include "metrics/tests/table_tests.h"

#include <stdio.h>

static const mmpc_rules plain_and = {.max_k = -1, .symmetry = SYMMETRY_AND};
static const mmpc_rules plain_or = {.max_k = -1, .symmetry = SYMMETRY_OR};

static pdag *learn(association_source source, size_t p, mmpc_rules rules) {
    run_context ctx;
    error_info err = {0};
    pdag *g = NULL;
    bool cut_short = true;
    run_context_init(&ctx, 1);
    assert_ok(mmpc_skeleton(&source, p, &rules, &ctx, &g, &cut_short, &err), &err);
    assert_false(cut_short);
    assert_undirected(g);
    return g;
}

static void assert_learns(association_source source, size_t p, mmpc_rules rules, const char *edges) {
    pdag *g = learn(source, p, rules);
    assert_string_equal(edges_text(g), edges);
    pdag_destroy(g);
}

/* The members that the search finds for one target. */
static size_t find_members(association_source source, size_t p, size_t target, size_t *out) {
    run_context ctx;
    error_info err = {0};
    mmpc_search *s = NULL;
    const size_t *members = NULL;
    size_t n = 0;
    run_context_init(&ctx, 1);
    assert_ok(mmpc_search_create(&source, p, &plain_and, &ctx, &s, &err), &err);
    assert_ok(mmpc_search_target(s, target, NULL, &members, &n, &err), &err);
    if (n)
        memcpy(out, members, n * sizeof *out);
    mmpc_search_destroy(s);
    return n;
}

/* --- d-separation --- */

static void the_symmetry_correction_removes_the_known_false_positive(void **state) {
    enum { T, A, B, C };
    dag *g = NULL;
    error_info err = {0};
    separation_oracle oracle = {0};
    association_source source = {&oracle, measure_separation};
    size_t members[4] = {0};
    (void)state;
    assert_ok(dag_create(4, &g, &err), &err);
    assert_ok(dag_add_arc(g, T, A, &err), &err);
    assert_ok(dag_add_arc(g, B, A, &err), &err);
    assert_ok(dag_add_arc(g, A, C, &err), &err);
    assert_ok(dag_add_arc(g, B, C, &err), &err);
    oracle.g = g;
    assert_int_equal(find_members(source, 4, T, members), 2);
    assert_int_equal(members[0], A);
    assert_int_equal(members[1], C);
    assert_int_equal(find_members(source, 4, C, members), 2);
    assert_int_equal(members[0], A);
    assert_int_equal(members[1], B);
    assert_learns(source, 4, plain_and, "0-1 1-2 1-3 2-3");
    assert_learns(source, 4, plain_or, "0-1 0-3 1-2 1-3 2-3");
    dag_destroy(g);
}

/*
 * The parents of X are never dropped from CPC(X), and make X independent of its non-descendants; of two nodes that are
 * not adjacent one is no descendant of the other. So with an oracle the AND rule gives the skeleton, whatever the
 * strengths of association and with the optimisations 4 and 5 too.
 */
static void an_oracle_gives_the_true_skeleton(void **state) {
    random_stream random;
    size_t n_more_by_or = 0;
    (void)state;
    random_stream_init(&random, random_key_of(20));
    for (uint64_t i = 0; i < 300; i++) {
        size_t p = 5 + (size_t)random_below(&random, 6);
        dag *g = make_random_dag(&random, p, 0.15 + 0.3 * random_uniform(&random));
        separation_oracle oracle = {g, i % 3};
        association_source source = {&oracle, measure_separation};
        pdag *truth = skeleton_of_dag(g), *wide = learn(source, p, plain_or);
        for (int opt = 0; opt < 4; opt++) {
            mmpc_rules rules = {-1, SYMMETRY_AND, opt & 1, opt & 2, NULL, NULL};
            pdag *found = learn(source, p, rules);
            if (strcmp(edges_text(found), edges_text(truth)) != 0)
                fail_msg("DAG %d, optimisations %d: %s is not %s", (int)i, opt, edges_text(found), edges_text(truth));
            pdag_destroy(found);
        }
        assert_true(pdag_edge_count(wide) >= pdag_edge_count(truth));
        n_more_by_or += pdag_edge_count(wide) - pdag_edge_count(truth);
        pdag_destroy(truth);
        pdag_destroy(wide);
        dag_destroy(g);
    }
    assert_true(n_more_by_or > 0); /* the OR rule keeps false positives: the cases are not all easy */
}

/* --- worked examples --- */

/* X (0), T (1), A (2), B (3): the table of a worked example; A and B belong to T whatever the set. */
static status measure_table(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable,
                            association *out, error_info *err) {
    static const double table[] = {0.014, 0.015, 0.032, 0}; /* {}, A, B, AB */
    size_t index = 0;
    (void)self;
    (void)y;
    (void)err;
    for (size_t i = 0; i < n_z; i++)
        index |= z[i] == 2 ? 1u : z[i] == 3 ? 2u : 0;
    *reliable = true;
    *out = strength(x == 0 ? table[index] : 1.0 + (double)x);
    return STATUS_OK;
}

static void the_exhaustive_minimum_finds_the_pair_that_separates(void **state) {
    recorder log = {0};
    association_source source = record(&log, (association_source){NULL, measure_table});
    size_t members[4] = {0}, of_x = 0;
    (void)state;
    assert_int_equal(find_members(source, 4, 1, members), 2);
    assert_int_equal(members[0], 3);
    assert_int_equal(members[1], 2);
    for (size_t i = 0; i < log.n_asked; i++)
        of_x += log.asked[i].x == 0;
    assert_int_equal(of_x, 4);
    free(log.asked);
}

static void the_forty_rows_give_the_lists_and_counts_of_the_worked_example(void **state) {
    dataset *data = make_forty_rows();
    table_test_options options = {.df = CI_DF_FULL, .alpha = 0.05, .min_rows = 5};
    statistics_count tally = {0};
    const ci_test_kind *kind = NULL;
    ci_test *test = NULL;
    error_info err = {0};
    size_t members[3] = {0};
    (void)state;
    assert_ok(ci_test_kind_find("g2", &kind, &err), &err);
    assert_ok(ci_test_create(kind, &options, data, &tally, &test, &err), &err);
    assert_int_equal(find_members(ci_test_as_source(test), 3, 0, members), 1);
    assert_int_equal(members[0], 1);
    assert_int_equal(find_members(ci_test_as_source(test), 3, 1, members), 1);
    assert_int_equal(members[0], 2);
    assert_int_equal(find_members(ci_test_as_source(test), 3, 2, members), 1);
    assert_int_equal(members[0], 1);
    assert_int_equal(tally.requests, 7);
    assert_int_equal(tally.computed, 4);
    assert_int_equal(tally.skipped, 0);
    assert_learns(ci_test_as_source(test), 3, plain_and, "1-2");
    assert_learns(ci_test_as_source(test), 3, plain_or, "0-1 1-2");
    ci_test_destroy(test);
    dataset_destroy(data);
}

/* --- limits --- */

static void no_conditioning_set_is_larger_than_maxk(void **state) {
    (void)state;
    for (int max_k = 0; max_k <= 3; max_k++) {
        hash_oracle oracle = {7, 0.02, 1e9, 1000};
        recorder log = {0};
        association_source source = record(&log, (association_source){&oracle, measure_hash});
        mmpc_rules rules = {max_k, SYMMETRY_AND, false, false, NULL, NULL};
        size_t largest = 0;
        pdag_destroy(learn(source, 8, rules));
        for (size_t i = 0; i < log.n_asked; i++)
            largest = log.asked[i].n_z > largest ? log.asked[i].n_z : largest;
        assert_int_equal(largest, max_k);
        free(log.asked);
    }
}

static void a_pair_without_a_reliable_test_is_no_edge(void **state) {
    hash_oracle oracle = {7, 0, 8, 1000}; /* B has three states and C four: A and B together six, B and C twelve */
    (void)state;
    assert_learns((association_source){&oracle, measure_hash}, 4, plain_and, "0-1 0-2 0-3 1-3 2-3");
}

static void the_deadline_leaves_what_there_is(void **state) {
    (void)state;
    for (size_t after = 0; after < 200; after += 20) {
        hash_oracle oracle = {7, 0.3, 1e9, 1000};
        run_context ctx;
        recorder log = {.expires = &ctx, .expire_after = after};
        association_source source = record(&log, (association_source){&oracle, measure_hash});
        error_info err = {0};
        mmpc_rules rules = {-1, SYMMETRY_AND, false, false, NULL, NULL};
        pdag *g = NULL, *whole = learn((association_source){&oracle, measure_hash}, 10, rules);
        bool cut_short = false;
        run_context_init(&ctx, 1);
        if (after == 0)
            ctx.deadline_s = -1;
        assert_ok(mmpc_skeleton(&source, 10, &rules, &ctx, &g, &cut_short, &err), &err);
        assert_true(cut_short);
        assert_true(log.n_asked <= after + 16); /* it stops soon */
        assert_int_equal(pdag_node_count(g), 10);
        assert_edges_of(g, whole);
        pdag_destroy(g);
        pdag_destroy(whole);
        free(log.asked);
    }
}

static status learn_plainly(association_source source, run_context *ctx, pdag **out, error_info *err) {
    bool cut_short = false;
    return mmpc_skeleton(&source, 10, &plain_and, ctx, out, &cut_short, err);
}

static void a_test_that_fails_fails_the_search(void **state) {
    (void)state;
    assert_failing_tests_fail(learn_plainly);
}

static void one_variable_has_no_edge_and_two_may(void **state) {
    hash_oracle oracle = {7, 0, 1e9, 1000};
    (void)state;
    assert_learns((association_source){&oracle, measure_hash}, 1, plain_and, "");
    assert_learns((association_source){&oracle, measure_hash}, 2, plain_and, "0-1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_symmetry_correction_removes_the_known_false_positive),
        cmocka_unit_test(an_oracle_gives_the_true_skeleton),
        cmocka_unit_test(the_exhaustive_minimum_finds_the_pair_that_separates),
        cmocka_unit_test(the_forty_rows_give_the_lists_and_counts_of_the_worked_example),
        cmocka_unit_test(no_conditioning_set_is_larger_than_maxk),
        cmocka_unit_test(a_pair_without_a_reliable_test_is_no_edge),
        cmocka_unit_test(the_deadline_leaves_what_there_is),
        cmocka_unit_test(a_test_that_fails_fails_the_search),
        cmocka_unit_test(one_variable_has_no_edge_and_two_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
