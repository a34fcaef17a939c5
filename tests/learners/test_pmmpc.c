/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/oracles.h"

#include "learners/constraint/pmmpc_search.h"
#include "metrics/tests/table_tests.h"

#include <stdio.h>

static const pmmpc_rules plain_and = {.symmetry = SYMMETRY_AND}, plain_or = {.symmetry = SYMMETRY_OR};

static pdag *learn(association_source source, size_t p, symmetry_rule symmetry) {
    run_context ctx;
    error_info err = {0};
    pdag *g = NULL;
    bool cut_short = true;
    run_context_init(&ctx, 1);
    assert_ok(pmmpc_skeleton(&source, p, &(pmmpc_rules){.symmetry = (int)symmetry}, &ctx, &g, &cut_short, &err), &err);
    assert_false(cut_short);
    assert_undirected(g);
    return g;
}

static void assert_learns(association_source source, size_t p, symmetry_rule symmetry, const char *edges) {
    pdag *g = learn(source, p, symmetry);
    assert_string_equal(edges_text(g), edges);
    pdag_destroy(g);
}

/* --- the paper's example --- */

/* The association of X (0) and T (1) given {}, A (2), B (3), both; A and B belong to T (as 3 and 4)
 * whatever the set. */
typedef struct {
    double none, a, b, both;
    size_t n_asked; /* of X */
} pair_table;

static status measure_pair(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable,
                           association *out, error_info *err) {
    pair_table *t = self;
    const double values[] = {t->none, t->a, t->b, t->both};
    size_t index = 0;
    (void)y;
    (void)err;
    for (size_t i = 0; i < n_z; i++)
        index |= z[i] == 2 ? 1u : z[i] == 3 ? 2u : 0;
    t->n_asked += x == 0;
    *reliable = true;
    *out = strength(x == 0 ? values[index] : 1.0 + (double)x);
    return STATUS_OK;
}

static double greedy(pair_table *table, bool *is_zero) {
    static const size_t z[] = {2, 3};
    association_source source = {table, measure_pair};
    run_context ctx;
    error_info err = {0};
    pmmpc_search *s = NULL;
    association out = {0};
    run_context_init(&ctx, 1);
    assert_ok(pmmpc_search_create(&source, 4, &plain_and, &ctx, &s, &err), &err);
    assert_ok(pmmpc_greedy_minimum(s, 0, 1, z, 2, &out, &err), &err);
    pmmpc_search_destroy(s);
    *is_zero = out.is_zero;
    return out.statistic;
}

static void the_greedy_minimum_stops_where_no_single_addition_lowers_it(void **state) {
    pair_table table = {0.014, 0.015, 0.032, 0, 0};
    bool is_zero = true;
    (void)state;
    assert_close(greedy(&table, &is_zero), 0.014, 1e-15);
    assert_false(is_zero);
    assert_int_equal(table.n_asked, 3);
}

static void the_greedy_minimum_follows_the_path_to_zero(void **state) {
    pair_table table = {0.0152, 0.011, 0.030, 0, 0};
    bool is_zero = false;
    (void)state;
    (void)greedy(&table, &is_zero);
    assert_true(is_zero);
    assert_int_equal(table.n_asked, 4);
}

static void an_equal_association_does_not_lower_it(void **state) {
    pair_table table = {0.014, 0.014, 0.032, 0, 0};
    bool is_zero = true;
    (void)state;
    assert_close(greedy(&table, &is_zero), 0.014, 1e-15);
    assert_int_equal(table.n_asked, 3);
}

static void the_search_keeps_the_false_positive_of_the_example(void **state) {
    pair_table kept = {0.014, 0.015, 0.032, 0, 0}, dropped = {0.0152, 0.011, 0.030, 0, 0};
    run_context ctx;
    error_info err = {0};
    (void)state;
    run_context_init(&ctx, 1);
    for (int i = 0; i < 2; i++) {
        association_source source = {i == 0 ? &kept : &dropped, measure_pair};
        pmmpc_search *s = NULL;
        const size_t *members = NULL;
        size_t n = 0;
        assert_ok(pmmpc_search_create(&source, 4, &plain_and, &ctx, &s, &err), &err);
        assert_ok(pmmpc_search_target(s, 1, &members, &n, &err), &err);
        assert_int_equal(n, i == 0 ? 3 : 2);
        assert_int_equal(members[0], 3);
        assert_int_equal(members[1], 2);
        pmmpc_search_destroy(s);
    }
    assert_int_equal(kept.n_asked, 3); /* through forward and backward phase: nothing is asked for twice */
    assert_int_equal(dropped.n_asked, 4);
}

/* --- a plain second implementation --- */

typedef struct {
    association_source source;
    size_t p, target, members[32], n_members;
    size_t kept_x[8192], kept_mask[8192], n_kept;
    association kept[8192];
    bool kept_reliable[8192];
} plain_search;

static bool ask_plain(plain_search *s, size_t x, size_t mask, association *out) {
    size_t z[32], n_z = 0, at = s->n_kept;
    error_info err = {0};
    for (size_t i = 0; i < s->n_kept; i++) {
        if (s->kept_x[i] == x && s->kept_mask[i] == mask) {
            *out = s->kept[i];
            return s->kept_reliable[i];
        }
    }
    for (size_t v = 0; v < s->p; v++) {
        if (mask >> v & 1)
            z[n_z++] = v;
    }
    assert_true(at < 8192);
    s->kept_x[at] = x;
    s->kept_mask[at] = mask;
    assert_ok(s->source.measure(s->source.self, x, s->target, z, n_z, &s->kept_reliable[at], &s->kept[at], &err), &err);
    s->n_kept++;
    *out = s->kept[at];
    return s->kept_reliable[at];
}

static association greedy_plain(plain_search *s, size_t x, size_t pool) {
    size_t mask = 0;
    association value = {.is_zero = true}, best = {0};
    if (!ask_plain(s, x, 0, &value))
        return strength(0);
    for (;;) {
        size_t arg = s->p;
        for (size_t v = 0; v < s->p && !value.is_zero; v++) {
            association a = {0};
            if (!(pool >> v & 1) || mask >> v & 1 || !ask_plain(s, x, mask | (size_t)1 << v, &a))
                continue;
            if (arg == s->p || association_compare(&a, &best) < 0) {
                best = a;
                arg = v;
            }
            if (best.is_zero)
                break;
        }
        if (arg == s->p || association_compare(&best, &value) >= 0)
            return value;
        value = best;
        mask |= (size_t)1 << arg;
    }
}

static void run_plain(plain_search *s) {
    bool open[32] = {false};
    size_t pool = 0;
    s->n_members = s->n_kept = 0;
    for (size_t x = 0; x < s->p; x++)
        open[x] = x != s->target;
    for (;;) {
        size_t best = s->p;
        association best_value = {0};
        for (size_t x = 0; x < s->p; x++) {
            association a;
            if (!open[x])
                continue;
            a = greedy_plain(s, x, pool);
            open[x] = !a.is_zero;
            if (open[x] && (best == s->p || association_compare(&a, &best_value) > 0)) {
                best = x;
                best_value = a;
            }
        }
        if (best == s->p)
            break;
        open[best] = false;
        s->members[s->n_members++] = best;
        pool |= (size_t)1 << best;
    }
    for (size_t i = 0; i < s->n_members;) {
        size_t x = s->members[i];
        if (greedy_plain(s, x, pool & ~((size_t)1 << x)).is_zero) {
            pool &= ~((size_t)1 << x);
            s->n_members--;
            memmove(&s->members[i], &s->members[i + 1], (s->n_members - i) * sizeof *s->members);
        } else {
            i++;
        }
    }
}

static void compare_with_plain(association_source source, size_t p, const table_limit *limit) {
    static plain_search plain;
    recorder ours = {0}, theirs = {0};
    association_source our_source = record(&ours, source);
    run_context ctx;
    error_info err = {0};
    pmmpc_search *s = NULL;
    pmmpc_rules rules = {.symmetry = SYMMETRY_AND, .limit = limit};
    run_context_init(&ctx, 1);
    plain = (plain_search){.source = record(&theirs, source), .p = p};
    assert_ok(pmmpc_search_create(&our_source, p, &rules, &ctx, &s, &err), &err);
    for (size_t target = 0; target < p; target++) {
        const size_t *members = NULL;
        size_t n = 0;
        plain.target = target;
        run_plain(&plain);
        assert_ok(pmmpc_search_target(s, target, &members, &n, &err), &err);
        assert_int_equal(n, plain.n_members);
        assert_true(n == 0 || memcmp(members, plain.members, n * sizeof *members) == 0);
    }
    assert_same_questions(&ours, &theirs);
    pmmpc_search_destroy(s);
    free(ours.asked);
    free(theirs.asked);
}

static void the_same_members_and_tests_as_the_plain_formulation(void **state) {
    size_t n_states[16];
    (void)state;
    for (size_t v = 0; v < 16; v++)
        n_states[v] = hash_oracle_states(v);
    for (uint64_t seed = 1; seed <= 300; seed++) {
        hash_oracle oracle = {seed, seed % 2 ? 0.02 : 0.1, pow(2, 3 + (double)(seed % 10)), seed % 3 ? 1000 : 3};
        table_limit limit = {n_states, oracle.most, 1};
        compare_with_plain((association_source){&oracle, measure_hash}, 3 + seed % 9, seed & 4 ? &limit : NULL);
    }
}

static void the_same_on_data(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(3));
    for (size_t i = 0; i < 20; i++) {
        size_t n_rows = i < 10 ? 300 : 3000; /* larger sets are reliable */
        dataset *data = make_random_dataset(&random, n_rows, 8, 4);
        table_test_options options = {.df = CI_DF_STECK, .alpha = 0.05, .min_rows = 5};
        const ci_test_kind *kind = NULL;
        ci_test *test = NULL;
        error_info err = {0};
        size_t n_states[8];
        table_limit limit = {n_states, (double)n_rows, 5};
        for (size_t v = 0; v < 8; v++)
            n_states[v] = dataset_state_count(data, v);
        assert_ok(ci_test_kind_find("g2", &kind, &err), &err);
        assert_ok(ci_test_create(kind, &options, data, NULL, &test, &err), &err);
        compare_with_plain(ci_test_as_source(test), 8, i % 2 ? &limit : NULL);
        ci_test_destroy(test);
        dataset_destroy(data);
    }
}

/* --- graphs --- */

/* Where every node has one parent at most, a single neighbour separates any two nodes: greed loses nothing. */
static void an_oracle_gives_the_skeleton_of_a_forest(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(5));
    for (uint64_t i = 0; i < 100; i++) {
        size_t p = 3 + (size_t)random_below(&random, 10);
        dag *g = NULL;
        separation_oracle oracle = {.seed = i % 2};
        association_source source = {&oracle, measure_separation};
        error_info err = {0};
        pdag *truth, *found;
        assert_ok(dag_create(p, &g, &err), &err);
        for (size_t v = 1; v < p; v++) {
            if (random_uniform(&random) < 0.9)
                assert_ok(dag_add_arc(g, (size_t)random_below(&random, v), v, &err), &err);
        }
        oracle.g = g;
        truth = skeleton_of_dag(g);
        found = learn(source, p, SYMMETRY_AND);
        assert_string_equal(edges_text(found), edges_text(truth));
        pdag_destroy(truth);
        pdag_destroy(found);
        dag_destroy(g);
    }
}

static void the_forty_rows_give_the_skeletons_of_the_worked_example(void **state) {
    dataset *data = make_forty_rows();
    table_test_options options = {.df = CI_DF_FULL, .alpha = 0.05, .min_rows = 5};
    statistics_count tally = {0};
    const ci_test_kind *kind = NULL;
    ci_test *test = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(ci_test_kind_find("g2", &kind, &err), &err);
    assert_ok(ci_test_create(kind, &options, data, &tally, &test, &err), &err);
    assert_learns(ci_test_as_source(test), 3, SYMMETRY_AND, "1-2"); /* one member at most in a set: as MMPC */
    assert_int_equal(tally.requests, 7);
    assert_int_equal(tally.computed, 4);
    assert_learns(ci_test_as_source(test), 3, SYMMETRY_OR, "0-1 1-2");
    ci_test_destroy(test);
    dataset_destroy(data);
}

/* --- limits --- */

static void a_pair_without_a_reliable_test_is_no_edge(void **state) {
    hash_oracle oracle = {7, 0, 8, 1000}; /* B has three states and C four: A and B together six, B and C twelve */
    (void)state;
    assert_learns((association_source){&oracle, measure_hash}, 4, SYMMETRY_AND, "0-1 0-2 0-3 1-3 2-3");
}

static void the_deadline_leaves_what_there_is(void **state) {
    (void)state;
    for (size_t after = 0; after < 300; after += 3) {
        hash_oracle oracle = {after + 1, 0.1, 1e9, 1000};
        run_context ctx;
        recorder log = {.expires = &ctx, .expire_after = after};
        association_source source = record(&log, (association_source){&oracle, measure_hash});
        error_info err = {0};
        pdag *g = NULL, *whole = learn((association_source){&oracle, measure_hash}, 12, SYMMETRY_OR);
        bool cut_short = false;
        run_context_init(&ctx, 1);
        if (after == 0)
            ctx.deadline_s = -1;
        assert_ok(pmmpc_skeleton(&source, 12, &plain_or, &ctx, &g, &cut_short, &err), &err);
        assert_true(cut_short || log.n_asked < after);
        assert_true(log.n_asked <= after + 16);
        assert_int_equal(pdag_node_count(g), 12);
        assert_edges_of(g, whole);
        pdag_destroy(g);
        pdag_destroy(whole);
        free(log.asked);
    }
}

static status learn_plainly(association_source source, run_context *ctx, pdag **out, error_info *err) {
    bool cut_short = false;
    return pmmpc_skeleton(&source, 10, &plain_and, ctx, out, &cut_short, err);
}

static void a_test_that_fails_fails_the_search(void **state) {
    (void)state;
    assert_failing_tests_fail(learn_plainly);
}

static void one_variable_has_no_edge_and_two_may(void **state) {
    hash_oracle oracle = {7, 0, 1e9, 1000};
    (void)state;
    assert_learns((association_source){&oracle, measure_hash}, 1, SYMMETRY_AND, "");
    assert_learns((association_source){&oracle, measure_hash}, 2, SYMMETRY_AND, "0-1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_greedy_minimum_stops_where_no_single_addition_lowers_it),
        cmocka_unit_test(the_greedy_minimum_follows_the_path_to_zero),
        cmocka_unit_test(an_equal_association_does_not_lower_it),
        cmocka_unit_test(the_search_keeps_the_false_positive_of_the_example),
        cmocka_unit_test(the_same_members_and_tests_as_the_plain_formulation),
        cmocka_unit_test(the_same_on_data),
        cmocka_unit_test(an_oracle_gives_the_skeleton_of_a_forest),
        cmocka_unit_test(the_forty_rows_give_the_skeletons_of_the_worked_example),
        cmocka_unit_test(a_pair_without_a_reliable_test_is_no_edge),
        cmocka_unit_test(the_deadline_leaves_what_there_is),
        cmocka_unit_test(a_test_that_fails_fails_the_search),
        cmocka_unit_test(one_variable_has_no_edge_and_two_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
