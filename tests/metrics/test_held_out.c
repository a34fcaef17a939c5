/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/prediction/held_out.h"

#include "tests/support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Train = the eight rows (X, Y), test = 00, 01, 11, 11, the DAG X -> Y. */
typedef struct {
    dataset *train, *test;
    dag *g;
} example;

static int make_example(void **state) {
    static const size_t n_states[] = {2, 2};
    static const int train[] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1}, test[] = {0, 0, 0, 1, 1, 1, 1, 1};
    example *e = calloc(1, sizeof *e);
    e->train = make_dataset(8, 2, n_states, train);
    e->test = make_dataset(4, 2, n_states, test);
    *state = e;
    return dag_create(2, &e->g, NULL) == STATUS_OK && dag_add_arc(e->g, 0, 1, NULL) == STATUS_OK ? 0 : -1;
}

static int destroy_example(void **state) {
    example *e = *state;
    dataset_destroy(e->train);
    dataset_destroy(e->test);
    dag_destroy(e->g);
    free(e);
    return 0;
}

static void the_worked_example_comes_out(void **state) {
    const example *e = *state;
    error_info err = {0};
    double value;
    assert_ok(held_out_bdeu(e->g, e->test, 10, &value, &err), &err);
    assert_close(value, -5.748701, 1e-7);
    assert_ok(held_out_loglik(e->g, e->train, e->test, ESTIMATE_BDEU, 10, &value, &err), &err);
    assert_close(value, -5.194480, 1e-7);
    assert_ok(held_out_loglik(e->g, e->train, e->test, ESTIMATE_LAPLACE, 0, &value, &err), &err);
    assert_close(value, -5.087596, 1e-7);
}

static void what_does_not_fit_together_is_refused(void **state) {
    const example *e = *state;
    error_info err = {0};
    double value = 7;
    dag *g = NULL;
    dataset *other = make_dataset(1, 2, (const size_t[]){2, 3}, (const int[]){0, 0});
    dataset *wider = make_dataset(1, 3, (const size_t[]){2, 2, 2}, (const int[]){0, 0, 0});
    assert_ok(dag_create(3, &g, &err), &err);
    assert_int_equal(held_out_bdeu(g, e->test, 10, &value, &err), STATUS_INVALID);
    assert_message_has(&err, "the graph has 3 nodes and the data 2 columns");
    assert_int_equal(held_out_bdeu(e->g, e->test, 0, &value, &err), STATUS_INVALID);
    assert_message_has(&err, "ess is 0; it must be positive");
    assert_int_equal(held_out_loglik(e->g, e->train, e->test, ESTIMATE_BDEU, -1, &value, &err), STATUS_INVALID);
    assert_int_equal(held_out_loglik(e->g, e->train, e->test, ESTIMATE_BDEU, NAN, &value, &err), STATUS_INVALID);
    assert_int_equal(held_out_loglik(e->g, e->train, other, ESTIMATE_BDEU, 10, &value, &err), STATUS_INVALID);
    assert_message_has(&err, "column 2");
    assert_int_equal(held_out_loglik(e->g, e->train, wider, ESTIMATE_BDEU, 10, &value, &err), STATUS_INVALID);
    assert_close(value, 7, 0);
    dag_destroy(g);
    dataset_destroy(other);
    dataset_destroy(wider);
}

/* The definition, row by row: count the training rows that agree with the test row. */
static double plain_loglik(const dag *g, const dataset *train, const dataset *test, table_estimate estimate,
                           double ess) {
    double sum = 0;
    for (size_t row = 0; row < dataset_row_count(test); row++) {
        for (size_t x = 0; x < dag_node_count(g); x++) {
            size_t n_parents;
            const size_t *parents = dag_parents(g, x, &n_parents);
            double n_ij = 0, n_ijk = 0, q = 1, r = (double)dataset_state_count(train, x);
            for (size_t k = 0; k < n_parents; k++)
                q *= (double)dataset_state_count(train, parents[k]);
            for (size_t t = 0; t < dataset_row_count(train); t++) {
                bool same = true;
                for (size_t k = 0; k < n_parents; k++)
                    same = same && dataset_state(train, t, parents[k]) == dataset_state(test, row, parents[k]);
                n_ij += same;
                n_ijk += same && dataset_state(train, t, x) == dataset_state(test, row, x);
            }
            sum += estimate == ESTIMATE_LAPLACE ? log((n_ijk + 1) / (n_ij + r))
                                                : log((n_ijk + ess / (q * r)) / (n_ij + ess / q));
        }
    }
    return sum;
}

static dataset *with_rows(const dataset *data, size_t first, size_t n) {
    error_info err = {0};
    size_t p = dataset_column_count(data);
    variable *variables = calloc(p, sizeof *variables);
    dataset *part = NULL;
    for (size_t c = 0; c < p; c++)
        assert_ok(variable_copy(dataset_variable(data, c), &variables[c], &err), &err);
    assert_ok(dataset_create(variables, p, n, &part, &err), &err);
    for (size_t row = 0; row < n; row++) {
        for (size_t c = 0; c < p; c++)
            dataset_set_state(part, row, c, dataset_state(data, first + row, c));
    }
    variables_destroy(variables, p);
    return part;
}

static void random_cases_agree_with_the_definition(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        error_info err = {0};
        size_t n_train = (size_t)random_below(&random, 60), n_test = (size_t)random_below(&random, 40);
        dataset *all = make_random_dataset(&random, n_train + n_test + 1, 8, 10);
        dataset *train = with_rows(all, 0, n_train), *test = with_rows(all, n_train, n_test);
        dag *g = make_random_dag(&random, 8, random_uniform(&random)); /* up to 10^7 configurations: hashed */
        double ess = 0.1 + 20 * random_uniform(&random), value;
        assert_ok(held_out_loglik(g, train, test, ESTIMATE_BDEU, ess, &value, &err), &err);
        assert_close(value, plain_loglik(g, train, test, ESTIMATE_BDEU, ess), 1e-11);
        assert_ok(held_out_loglik(g, train, test, ESTIMATE_LAPLACE, ess, &value, &err), &err);
        assert_close(value, plain_loglik(g, train, test, ESTIMATE_LAPLACE, ess), 1e-11);
        dag_destroy(g);
        dataset_destroy(train);
        dataset_destroy(test);
        dataset_destroy(all);
    }
}

/* A node with 400 parents has more configurations than a double can count; unseen ones give 1 / r each. */
static void more_configurations_than_any_table_holds_are_no_trouble(void **state) {
    (void)state;
    enum { P = 401, ROWS = 50 };
    random_stream random;
    random_stream_init(&random, random_key_of(1));
    error_info err = {0};
    size_t *n_states = calloc(P, sizeof *n_states);
    int *cells = calloc(ROWS * P, sizeof *cells);
    dag *g = NULL;
    double value;
    for (size_t c = 0; c < P; c++)
        n_states[c] = 11;
    for (size_t i = 0; i < ROWS * P; i++)
        cells[i] = (int)random_below(&random, 11);
    dataset *train = make_dataset(ROWS / 2, P, n_states, cells);
    dataset *test = make_dataset(ROWS / 2, P, n_states, cells + ROWS / 2 * P);
    assert_ok(dag_create(P, &g, &err), &err);
    for (size_t i = 0; i + 1 < P; i++)
        assert_ok(dag_add_arc(g, i, P - 1, &err), &err);
    dag *empty = NULL;
    double without;
    assert_ok(dag_create(P, &empty, &err), &err);
    assert_ok(held_out_loglik(g, train, test, ESTIMATE_BDEU, 10, &value, &err), &err);
    assert_ok(held_out_loglik(empty, train, test, ESTIMATE_BDEU, 10, &without, &err), &err);
    for (size_t row = 0; row < ROWS / 2; row++) { /* what the last column alone contributes */
        double n_k = 0;
        for (size_t t = 0; t < ROWS / 2; t++)
            n_k += dataset_state(train, t, P - 1) == dataset_state(test, row, P - 1);
        without -= log((n_k + 10. / 11) / (ROWS / 2 + 10));
    }
    assert_close(value, without + ROWS / 2 * log(1. / 11), 1e-10);
    assert_ok(held_out_loglik(g, train, train, ESTIMATE_BDEU, 10, &value, &err), &err); /* and seen ones nearly 1 */
    assert_true(isfinite(value));
    dag_destroy(g);
    dag_destroy(empty);
    dataset_destroy(train);
    dataset_destroy(test);
    free(n_states);
    free(cells);
}

static void columns_with_many_states_are_read_by_words(void **state) {
    (void)state;
    enum { R = 1000, ROWS = 300 };
    error_info err = {0};
    variable v[2] = {{0}};
    char names[R][8];
    const char *states[R];
    dataset *data = NULL;
    dag *g = NULL;
    double value;
    for (size_t k = 0; k < R; k++) {
        (void)snprintf(names[k], sizeof names[k], "s%zu", k);
        states[k] = names[k];
    }
    assert_ok(variable_init_discrete(&v[0], "wide", states, R, &err), &err);
    assert_ok(variable_init_discrete(&v[1], "narrow", states, 2, &err), &err);
    assert_ok(dataset_create(v, 2, ROWS, &data, &err), &err);
    for (size_t row = 0; row < ROWS; row++) {
        dataset_set_state(data, row, 0, row * 7 % R);
        dataset_set_state(data, row, 1, row / 150);
    }
    assert_ok(dag_create(2, &g, &err), &err);
    assert_ok(dag_add_arc(g, 0, 1, &err), &err);
    assert_ok(held_out_loglik(g, data, data, ESTIMATE_BDEU, 10, &value, &err), &err);
    assert_close(value, plain_loglik(g, data, data, ESTIMATE_BDEU, 10), 1e-11);
    variable_clear(&v[0]);
    variable_clear(&v[1]);
    dataset_destroy(data);
    dag_destroy(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_worked_example_comes_out, make_example, destroy_example),
        cmocka_unit_test_setup_teardown(what_does_not_fit_together_is_refused, make_example, destroy_example),
        cmocka_unit_test(random_cases_agree_with_the_definition),
        cmocka_unit_test(more_configurations_than_any_table_holds_are_no_trouble),
        cmocka_unit_test(columns_with_many_states_are_read_by_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
