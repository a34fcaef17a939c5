/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contract of learners, for constraint-based ones on continuous and mixed data. */
#include "tests/support/oracles.h"

#include "learners/base/learner.h"
#include "learners/registry.h"

#include <stdio.h>

#include <gsl/gsl_randist.h>

static const learner *find_learner(const char *name) {
    const learner *l = NULL;
    error_info err = {0};
    assert_ok(learner_find(name, &l, &err), &err);
    return l;
}

typedef struct {
    learner_result result;
    run_context ctx;
} outcome;

/* Options as "name=value", NULL behind the last. */
static outcome run_limited(const char *name, const dataset *data, const char *const *pairs, size_t n_threads,
                           double limit_s) {
    const learner *l = find_learner(name);
    void *options = learner_options_create(l);
    outcome o = {0};
    error_info err = {0};
    for (size_t i = 0; pairs && pairs[i]; i++)
        assert_ok(options_set_pair(l->options, options, pairs[i], &err), &err);
    run_context_init(&o.ctx, 1);
    o.ctx.n_threads = n_threads;
    o.ctx.deadline_s = run_clock_s() + limit_s;
    assert_ok(learner_run(l, data, options, &o.ctx, &o.result, &err), &err);
    free(options);
    return o;
}

static outcome run(const char *name, const dataset *data, const char *const *pairs) {
    return run_limited(name, data, pairs, 1, INFINITY);
}

static const char *const learners[] = {"pc", "pc-stable", "mmpc", "pmmpc", "pmms", "mmbn", "mmbn-local"};
enum { N_LEARNERS = sizeof learners / sizeof *learners };

/* Each column leans on the one before it; the first n_discrete are cut in two. */
static dataset *make_data(uint64_t seed, size_t n_rows, size_t n_columns, size_t n_discrete) {
    static const char *const states[] = {"low", "high"};
    variable *variables = calloc(n_columns, sizeof *variables);
    random_stream random;
    random_gsl as_gsl;
    const gsl_rng *rng;
    dataset *data = NULL;
    error_info err = {0};
    random_stream_init(&random, random_key_of(seed));
    rng = random_as_gsl(&random, &as_gsl);
    for (size_t c = 0; c < n_columns; c++) {
        char name[32];
        (void)snprintf(name, sizeof name, "v%zu", c);
        if (c < n_discrete)
            assert_ok(variable_init_discrete(&variables[c], name, states, 2, &err), &err);
        else
            assert_ok(variable_init_continuous(&variables[c], name, &err), &err);
    }
    assert_ok(dataset_create(variables, n_columns, n_rows, &data, &err), &err);
    variables_destroy(variables, n_columns);
    for (size_t i = 0; i < n_rows; i++) {
        double last = 0;
        for (size_t c = 0; c < n_columns; c++) {
            last = 0.7 * last + gsl_ran_gaussian(rng, 1);
            if (c < n_discrete)
                dataset_set_state(data, i, c, last > 0);
            else
                dataset_build_reals(data, c)[i] = last;
        }
    }
    return data;
}

static void assert_same_outcome(const outcome *a, const outcome *b) {
    assert_true(pdag_is_equal(a->result.graph, b->result.graph));
    assert_memory_equal(&a->ctx.tests, &b->ctx.tests, sizeof a->ctx.tests);
    assert_int_equal(a->result.is_cut_short, b->result.is_cut_short);
}

/* Rows are enough for the chain to be found, but for one edge or so by chance. */
static void continuous_data_give_the_same_graph_on_any_number_of_threads(void **state) {
    (void)state;
    for (size_t i = 0; i < N_LEARNERS; i++) {
        dataset *data = make_data(1, 2000, 80, 0); /* more targets than go in a block */
        outcome one = run_limited(learners[i], data, NULL, 1, INFINITY);
        outcome four = run_limited(learners[i], data, NULL, 4, INFINITY);
        bool is_local = strcmp(learners[i], "mmbn-local") == 0;
        assert_same_outcome(&one, &four);
        assert_false(one.result.is_cut_short);
        assert_true(one.ctx.tests.skipped == 0);
        assert_true(one.ctx.tests.computed > (is_local ? 79 : 80 * 79 / 2) - 1);
        for (size_t v = 1; v < 80 && !is_local; v++)
            assert_true(pdag_edge_between(one.result.graph, v - 1, v) != EDGE_NONE);
        learner_result_clear(&one.result);
        learner_result_clear(&four.result);
        dataset_destroy(data);
    }
}

static void mixed_data_are_taken_by_rcit_and_by_no_other_test(void **state) {
    (void)state;
    for (size_t i = 0; i < N_LEARNERS; i++) {
        dataset *data = make_data(2, 300, 6, 3);
        outcome by_data = run(learners[i], data, NULL);
        outcome by_name = run(learners[i], data, (const char *const[]){"test=rcit", NULL});
        const learner *l = find_learner(learners[i]);
        void *options = learner_options_create(l);
        learner_result result = {0};
        error_info err = {0};
        assert_same_outcome(&by_data, &by_name);
        assert_true(pdag_edge_count(by_data.result.graph) > 0);
        assert_ok(options_set_pair(l->options, options, "test=zf", &err), &err);
        assert_int_equal(learner_run(l, data, options, &by_data.ctx, &result, &err), STATUS_INVALID);
        assert_message_has(&err, "zf takes data that are continuous; these are mixed");
        free(options);
        learner_result_clear(&by_data.result);
        learner_result_clear(&by_name.result);
        dataset_destroy(data);
    }
}

/* Tables are not what rcit reads, even where the data would allow it. */
static void rcit_can_be_asked_for_on_discrete_data(void **state) {
    (void)state;
    for (size_t i = 0; i < N_LEARNERS; i++) {
        dataset *data = make_data(3, 200, 5, 5);
        outcome o = run(learners[i], data, (const char *const[]){"test=rcit", NULL});
        assert_true(pdag_edge_count(o.result.graph) > 0);
        learner_result_clear(&o.result);
        dataset_destroy(data);
    }
}

static void a_deadline_ends_the_search(void **state) {
    static const double limits_s[] = {-1, 0, 0.002};
    (void)state;
    for (size_t i = 0; i < N_LEARNERS; i++) {
        dataset *data = make_data(4, 500, 60, 0);
        outcome whole = run(learners[i], data, NULL);
        for (size_t k = 0; k < 3; k++) {
            double start = run_cpu_s();
            outcome o = run_limited(learners[i], data, NULL, 1, limits_s[k]);
            assert_between(run_cpu_s() - start, 0, 5);
            if (!o.result.is_cut_short)
                assert_same_outcome(&o, &whole);
            learner_result_clear(&o.result);
        }
        learner_result_clear(&whole.result);
        dataset_destroy(data);
    }
}

static void make_constant(dataset *data, size_t column, double value) {
    for (size_t i = 0; i < dataset_row_count(data); i++)
        dataset_build_reals(data, column)[i] = value;
}

static void constant_columns_ties_and_few_rows_are_no_error(void **state) {
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8};
    (void)state;
    for (size_t i = 0; i < N_LEARNERS; i++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            dataset *data = make_data(5, sizes[k], 5, 0);
            outcome o = run(learners[i], data, NULL);
            learner_result_clear(&o.result);
            dataset_destroy(data);
        }
        dataset *data = make_data(6, 100, 6, 0);
        outcome o;
        make_constant(data, 0, 0.1);
        make_constant(data, 5, 1e9);
        for (size_t row = 0; row < 100; row++)
            dataset_build_reals(data, 3)[row] = floor(dataset_reals(data, 2)[row]); /* a few values */
        o = run(learners[i], data, (const char *const[]){"alpha=0.001", NULL});
        for (size_t v = 0; v < 6; v++) {
            assert_int_equal(pdag_edge_between(o.result.graph, 0, v), EDGE_NONE);
            assert_int_equal(pdag_edge_between(o.result.graph, 5, v), EDGE_NONE);
        }
        assert_true(strcmp(learners[i], "mmbn-local") == 0 || pdag_edge_between(o.result.graph, 2, 3) != EDGE_NONE);
        learner_result_clear(&o.result);
        dataset_destroy(data);
    }
}

static void a_value_that_is_not_finite_is_refused_by_every_learner(void **state) {
    (void)state;
    for (size_t i = 0; i < N_LEARNERS; i++) {
        dataset *data = make_data(7, 50, 4, 0);
        const learner *l = find_learner(learners[i]);
        void *options = learner_options_create(l);
        learner_result result = {0};
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        dataset_build_reals(data, 2)[10] = INFINITY;
        assert_int_equal(learner_run(l, data, options, &ctx, &result, &err), STATUS_INVALID);
        assert_message_has(&err, "column v2 holds inf in row 11");
        free(options);
        dataset_destroy(data);
    }
}

/* --- v-structures --- */

/* Whatever the rule, the skeleton is the same; cautious rules direct no edge where v-structures clash. */
static void rules_of_v_structures_change_directions_alone(void **state) {
    static const char *const rules[] = {"colliders=separating-set", "colliders=conservative", "colliders=majority"};
    (void)state;
    for (int stable = 0; stable < 2; stable++) {
        dataset *data = make_data(8, 400, 25, 0);
        pdag *skeletons[3];
        error_info err = {0};
        for (size_t k = 0; k < 3; k++) {
            outcome o = run(stable ? "pc-stable" : "pc", data, (const char *const[]){rules[k], "alpha=0.2", NULL});
            assert_ok(pdag_skeleton(o.result.graph, &skeletons[k], &err), &err);
            print_message("  %s: %zu of %zu directed, %zu tests\n", rules[k], pdag_directed_count(o.result.graph),
                          pdag_edge_count(o.result.graph), (size_t)o.ctx.tests.computed);
            learner_result_clear(&o.result);
        }
        assert_true(pdag_is_equal(skeletons[0], skeletons[1]));
        assert_true(pdag_is_equal(skeletons[0], skeletons[2]));
        for (size_t k = 0; k < 3; k++)
            pdag_destroy(skeletons[k]);
        dataset_destroy(data);
    }
}

/* A -> C <- B and a chain behind it, from data: every rule finds the v-structure and directs the chain. */
static void a_plain_v_structure_is_found_by_every_rule(void **state) {
    static const char *const rules[] = {"colliders=separating-set", "colliders=conservative", "colliders=majority"};
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        dataset *data = make_data(9, 2000, 4, 0);
        outcome o;
        random_stream random;
        random_gsl as_gsl;
        const gsl_rng *rng;
        random_stream_init(&random, random_key_of(10));
        rng = random_as_gsl(&random, &as_gsl);
        for (size_t i = 0; i < 2000; i++) {
            double a = gsl_ran_gaussian(rng, 1), b = gsl_ran_gaussian(rng, 1);
            double c = a + b + gsl_ran_gaussian(rng, 0.5);
            dataset_build_reals(data, 0)[i] = a;
            dataset_build_reals(data, 1)[i] = b;
            dataset_build_reals(data, 2)[i] = c;
            dataset_build_reals(data, 3)[i] = c + gsl_ran_gaussian(rng, 1);
        }
        o = run("pc-stable", data, (const char *const[]){rules[k], "alpha=0.001", NULL});
        assert_int_equal(pdag_edge_between(o.result.graph, 0, 2), EDGE_OUT);
        assert_int_equal(pdag_edge_between(o.result.graph, 1, 2), EDGE_OUT);
        assert_int_equal(pdag_edge_between(o.result.graph, 2, 3), EDGE_OUT);
        assert_int_equal(pdag_edge_count(o.result.graph), 3);
        learner_result_clear(&o.result);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(continuous_data_give_the_same_graph_on_any_number_of_threads),
        cmocka_unit_test(mixed_data_are_taken_by_rcit_and_by_no_other_test),
        cmocka_unit_test(rcit_can_be_asked_for_on_discrete_data),
        cmocka_unit_test(a_deadline_ends_the_search),
        cmocka_unit_test(constant_columns_ties_and_few_rows_are_no_error),
        cmocka_unit_test(a_value_that_is_not_finite_is_refused_by_every_learner),
        cmocka_unit_test(rules_of_v_structures_change_directions_alone),
        cmocka_unit_test(a_plain_v_structure_is_found_by_every_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
