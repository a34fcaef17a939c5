/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/name_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const two[] = {"yes", "no"};
static const char *const three[] = {"low", "mid", "high"};

/* a (2), b (3), c (2), d (3), without arcs. */
static bayes_net *make_net(void) {
    variable v[4] = {0};
    bayes_net *net = NULL;
    error_info err = {0};
    assert_ok(variable_init_discrete(&v[0], "a", two, 2, &err), &err);
    assert_ok(variable_init_discrete(&v[1], "b", three, 3, &err), &err);
    assert_ok(variable_init_discrete(&v[2], "c", two, 2, &err), &err);
    assert_ok(variable_init_discrete(&v[3], "d", three, 3, &err), &err);
    assert_ok(bayes_net_create("small", v, 4, &net, &err), &err);
    for (size_t i = 0; i < 4; i++)
        variable_clear(&v[i]);
    return net;
}

static void fill_uniformly(bayes_net *net, size_t node) {
    size_t r = bayes_net_variable(net, node)->n_states;
    for (size_t i = 0; i < r * bayes_net_configuration_count(net, node); i++)
        bayes_net_build_table(net, node)[i] = 1.0 / (double)r;
}

static void a_network_knows_its_variables_by_number_and_by_name(void **state) {
    bayes_net *net = make_net();
    (void)state;
    assert_string_equal(bayes_net_name(net), "small");
    assert_int_equal(bayes_net_node_count(net), 4);
    assert_int_equal(bayes_net_find_node(net, "c"), 2);
    assert_true(bayes_net_find_node(net, "e") == NAME_NONE);
    assert_string_equal(bayes_net_variable(net, 1)->states[2], "high");
    assert_ptr_equal(bayes_net_variables(net) + 3, bayes_net_variable(net, 3));
    bayes_net_destroy(net);
}

static void parents_keep_the_order_of_the_table(void **state) {
    bayes_net *net = make_net();
    error_info err = {0};
    size_t count;
    const size_t *parents;
    (void)state;
    assert_null(bayes_net_table(net, 3));
    assert_ok(bayes_net_set_parents(net, 3, (size_t[]){2, 0, 1}, 3, &err), &err);
    parents = bayes_net_parents(net, 3, &count);
    assert_int_equal(count, 3);
    assert_int_equal(parents[0], 2);
    assert_int_equal(parents[1], 0);
    assert_int_equal(parents[2], 1);
    assert_int_equal(bayes_net_configuration_count(net, 3), 12);
    assert_true(dag_has_arc(bayes_net_dag(net), 2, 3));
    assert_int_equal(dag_arc_count(bayes_net_dag(net)), 3);
    for (size_t i = 0; i < 36; i++)
        assert_true(bayes_net_table(net, 3)[i] == 0);
    bayes_net_destroy(net);
}

static void free_parameters_are_counted_over_all_configurations(void **state) {
    bayes_net *net = make_net();
    error_info err = {0};
    (void)state;
    assert_ok(bayes_net_set_parents(net, 0, NULL, 0, &err), &err);
    assert_ok(bayes_net_set_parents(net, 1, (size_t[]){0}, 1, &err), &err);
    assert_ok(bayes_net_set_parents(net, 2, (size_t[]){0, 1}, 2, &err), &err);
    assert_ok(bayes_net_set_parents(net, 3, (size_t[]){1}, 1, &err), &err);
    assert_int_equal(bayes_net_parameter_count(net), 1 + 2 * 2 + 6 * 1 + 3 * 2);
    bayes_net_destroy(net);
}

static void parents_that_cannot_be_are_refused_and_leave_the_network_as_it_was(void **state) {
    bayes_net *net = make_net();
    error_info err = {0};
    (void)state;
    assert_ok(bayes_net_set_parents(net, 1, (size_t[]){0}, 1, &err), &err);
    assert_int_equal(bayes_net_set_parents(net, 0, (size_t[]){2, 1}, 2, &err), STATUS_INVALID);
    assert_message_has(&err, "'b' -> 'a' would close a cycle");
    assert_int_equal(dag_arc_count(bayes_net_dag(net)), 1);
    assert_null(bayes_net_table(net, 0));
    assert_int_equal(bayes_net_set_parents(net, 2, (size_t[]){2}, 1, &err), STATUS_INVALID);
    assert_message_has(&err, "its own parent");
    assert_int_equal(bayes_net_set_parents(net, 2, (size_t[]){0, 1, 0}, 3, &err), STATUS_INVALID);
    assert_message_has(&err, "twice a parent");
    assert_int_equal(bayes_net_set_parents(net, 2, (size_t[]){7}, 1, &err), STATUS_INVALID);
    assert_int_equal(bayes_net_set_parents(net, 9, NULL, 0, &err), STATUS_INVALID);
    assert_int_equal(bayes_net_set_parents(net, 1, NULL, 0, &err), STATUS_INVALID);
    assert_message_has(&err, "already");
    assert_int_equal(dag_arc_count(bayes_net_dag(net)), 1);
    assert_ok(bayes_net_set_parents(net, 0, (size_t[]){2}, 1, &err), &err); /* as if nothing had been */
    bayes_net_destroy(net);
}

static void a_table_past_the_limit_is_refused_before_it_is_allocated(void **state) {
    enum { N = 65 }; /* 2^64 rows: the product itself would overflow */
    variable v[N] = {0};
    size_t parents[N];
    bayes_net *net = NULL;
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < N; i++) {
        char name[8] = {(char)('a' + i / 26), (char)('a' + i % 26), 0};
        assert_ok(variable_init_discrete(&v[i], name, two, 2, &err), &err);
        parents[i] = i + 1;
    }
    assert_ok(bayes_net_create("wide", v, N, &net, &err), &err);
    assert_int_equal(bayes_net_set_parents(net, 0, parents, N - 1, &err), STATUS_MEMORY);
    assert_message_has(&err, "'aa'");
    assert_int_equal(bayes_net_set_parents(net, 0, parents, 28, &err), STATUS_MEMORY);
    assert_int_equal(dag_arc_count(bayes_net_dag(net)), 0);
    assert_ok(bayes_net_set_parents(net, 0, parents, 10, &err), &err);
    bayes_net_destroy(net);
    for (size_t i = 0; i < N; i++)
        variable_clear(&v[i]);
}

static void variables_of_one_name_and_continuous_ones_are_refused(void **state) {
    variable v[2] = {0};
    bayes_net *net = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(variable_init_discrete(&v[0], "a", two, 2, &err), &err);
    assert_ok(variable_init_discrete(&v[1], "a", three, 3, &err), &err);
    assert_int_equal(bayes_net_create("x", v, 2, &net, &err), STATUS_INVALID);
    assert_message_has(&err, "named 'a'");
    variable_clear(&v[1]);
    assert_ok(variable_init_continuous(&v[1], "b", &err), &err);
    assert_int_equal(bayes_net_create("x", v, 2, &net, &err), STATUS_INVALID);
    assert_message_has(&err, "not discrete");
    assert_int_equal(bayes_net_create("x", v, 0, &net, &err), STATUS_INVALID);
    variable_clear(&v[0]);
    variable_clear(&v[1]);
}

static void rows_must_sum_to_one_and_be_probabilities(void **state) {
    static const double bad[][2] = {{0.5, 0.6}, {1.2, -0.2}, {NAN, 1}, {INFINITY, 0}, {0.5, 0.5 + 1e-8}, {0, 0}};
    bayes_net *net = make_net();
    error_info err = {0};
    (void)state;
    assert_int_equal(bayes_net_validate(net, &err), STATUS_INVALID);
    assert_message_has(&err, "no table");
    for (size_t i = 0; i < 4; i++) {
        assert_ok(bayes_net_set_parents(net, i, NULL, 0, &err), &err);
        fill_uniformly(net, i);
    }
    assert_ok(bayes_net_validate(net, &err), &err);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memcpy(bayes_net_build_table(net, 2), bad[i], sizeof bad[i]);
        assert_int_equal(bayes_net_validate(net, &err), STATUS_INVALID);
        assert_message_has(&err, "'c'");
    }
    bayes_net_build_table(net, 2)[0] = 0.5 + 1e-10;
    bayes_net_build_table(net, 2)[1] = 0.5;
    assert_ok(bayes_net_validate(net, &err), &err);
    bayes_net_destroy(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_knows_its_variables_by_number_and_by_name),
        cmocka_unit_test(parents_keep_the_order_of_the_table),
        cmocka_unit_test(free_parameters_are_counted_over_all_configurations),
        cmocka_unit_test(parents_that_cannot_be_are_refused_and_leave_the_network_as_it_was),
        cmocka_unit_test(a_table_past_the_limit_is_refused_before_it_is_allocated),
        cmocka_unit_test(variables_of_one_name_and_continuous_ones_are_refused),
        cmocka_unit_test(rows_must_sum_to_one_and_be_probabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
