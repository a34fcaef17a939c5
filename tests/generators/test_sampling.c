/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "generators/networks/bif.h"
#include "generators/sampling/sampling.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bayes_net *read_net(const char *relative) {
    bayes_net *net = NULL;
    error_info err = {0};
    assert_ok(bif_read(source_path(relative), &net, NULL, &err), &err);
    return net;
}

static dataset *sample(const bayes_net *net, size_t n_rows, uint64_t seed) {
    random_stream random;
    dataset *data = NULL;
    error_info err = {0};
    random_stream_init(&random, random_key_of(seed));
    assert_ok(sample_network(net, n_rows, &random, &data, &err), &err);
    return data;
}

static void name_states(variable *v, size_t number, size_t n_states) {
    char **states = calloc(n_states, sizeof *states), name[32];
    error_info err = {0};
    for (size_t k = 0; k < n_states; k++) {
        states[k] = malloc(32);
        (void)snprintf(states[k], 32, "s%zu", k);
    }
    (void)snprintf(name, sizeof name, "v%zu", number);
    assert_ok(variable_init_discrete(v, name, (const char *const *)states, n_states, &err), &err);
    for (size_t k = 0; k < n_states; k++)
        free(states[k]);
    free(states);
}

/* Rows with zeros, some of them at the end, and some rows with all weight on one state. */
static void fill_randomly(bayes_net *net, size_t node, random_stream *random) {
    size_t r = bayes_net_variable(net, node)->n_states;
    for (size_t j = 0; j < bayes_net_configuration_count(net, node); j++) {
        double *row = bayes_net_build_table(net, node) + j * r, sum = 0;
        size_t sure = (size_t)random_below(random, r);
        for (size_t k = 0; k < r; k++)
            sum += row[k] = k == sure || random_uniform(random) < 0.6 ? random_uniform(random) + 1e-6 : 0;
        for (size_t k = 0; k < r; k++)
            row[k] /= sum;
    }
}

static bayes_net *make_random_net(random_stream *random, const size_t *n_states, size_t n_nodes) {
    variable *v = calloc(n_nodes, sizeof *v);
    dag *g = make_random_dag(random, n_nodes, 0.4);
    bayes_net *net = NULL;
    error_info err = {0};
    for (size_t i = 0; i < n_nodes; i++)
        name_states(&v[i], i, n_states[i]);
    assert_ok(bayes_net_create("random", v, n_nodes, &net, &err), &err);
    for (size_t i = 0; i < n_nodes; i++) {
        size_t count;
        const size_t *parents = dag_parents(g, i, &count);
        assert_ok(bayes_net_set_parents(net, i, parents, count < 3 ? count : 3, &err), &err);
        fill_randomly(net, i, random);
    }
    variables_destroy(v, n_nodes);
    dag_destroy(g);
    return net;
}

/* The definition, word for word. */
static size_t draw_plainly(const double *row, size_t r, double u) {
    double sum = 0;
    for (size_t k = 0; k < r; k++) {
        sum += row[k];
        if (sum > u)
            return k;
    }
    while (!(row[r - 1] > 0))
        r--;
    return r - 1;
}

static void assert_as_defined(const bayes_net *net, size_t n_rows, uint64_t seed) {
    size_t n = bayes_net_node_count(net);
    size_t *order = calloc(n, sizeof *order), *states = calloc(n, sizeof *states);
    dataset *data = sample(net, n_rows, seed);
    random_stream random;
    error_info err = {0};
    random_stream_init(&random, random_key_of(seed));
    assert_ok(dag_topological_order(bayes_net_dag(net), order, &err), &err);
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t i = 0; i < n; i++) {
            size_t node = order[i], count, stride = 1, j = 0, r = bayes_net_variable(net, node)->n_states;
            const size_t *parents = bayes_net_parents(net, node, &count);
            for (size_t p = 0; p < count; p++) {
                j += stride * states[parents[p]];
                stride *= bayes_net_variable(net, parents[p])->n_states;
            }
            states[node] = draw_plainly(bayes_net_table(net, node) + j * r, r, random_uniform(&random));
            assert_int_equal(dataset_state(data, row, node), states[node]);
            assert_true(bayes_net_table(net, node)[j * r + states[node]] > 0);
        }
    }
    dataset_destroy(data);
    free(order);
    free(states);
}

/* Few and many states, more than fit into a byte, tables with more rows than are drawn. */
static void states_are_drawn_as_the_definition_says(void **state) {
    static const size_t n_states[] = {2, 300, 3, 8, 9, 1, 2, 40, 12, 5};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(5));
    for (uint64_t repeat = 0; repeat < 20; repeat++) {
        bayes_net *net = make_random_net(&random, n_states, 10);
        assert_as_defined(net, 10, repeat);
        assert_as_defined(net, 500, repeat);
        bayes_net_destroy(net);
    }
}

static void networks_that_ship_are_drawn_as_the_definition_says(void **state) {
    bayes_net *alarm = read_net("networks/alarm.bif"), *child = read_net("networks/child.bif");
    (void)state;
    assert_as_defined(alarm, 300, 1);
    assert_as_defined(child, 300, 2);
    bayes_net_destroy(alarm);
    bayes_net_destroy(child);
}

static void a_longer_sample_begins_with_the_shorter_one(void **state) {
    bayes_net *net = read_net("networks/child.bif");
    dataset *few = sample(net, 20, 7), *many = sample(net, 1000, 7);
    (void)state;
    for (size_t i = 0; i < bayes_net_node_count(net); i++)
        assert_memory_equal(dataset_bytes(few, i), dataset_bytes(many, i), 20);
    dataset_destroy(few);
    dataset_destroy(many);
    bayes_net_destroy(net);
}

static void a_seed_gives_one_sample_and_another_seed_another(void **state) {
    bayes_net *net = read_net("networks/alarm.bif");
    char prints[3][DATASET_FINGERPRINT_SIZE];
    static const uint64_t seeds[] = {1, 1, 2};
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        dataset *data = sample(net, 200, seeds[i]);
        assert_ok(dataset_fingerprint(data, prints[i], &err), &err);
        dataset_destroy(data);
    }
    assert_string_equal(prints[0], prints[1]);
    assert_string_not_equal(prints[0], prints[2]);
    bayes_net_destroy(net);
}

static void columns_are_the_variables_with_their_full_state_spaces(void **state) {
    bayes_net *net = read_net("networks/child.bif");
    dataset *data = sample(net, 1, 1), *none = sample(net, 0, 1);
    (void)state;
    assert_int_equal(dataset_column_count(data), 20);
    assert_int_equal(dataset_row_count(none), 0);
    for (size_t i = 0; i < 20; i++)
        assert_true(variable_is_equal(dataset_variable(data, i), bayes_net_variable(net, i)));
    dataset_destroy(data);
    dataset_destroy(none);
    bayes_net_destroy(net);
}

/* Pearson's X2 of each row of each table against its counts; the smallest of some 250 p-values at a fixed seed. */
static void frequencies_are_those_of_the_tables(void **state) {
    bayes_net *net = read_net("networks/child.bif");
    enum { ROWS = 50000 };
    dataset *data = sample(net, ROWS, 3);
    double smallest = 1;
    size_t n_tests = 0;
    (void)state;
    for (size_t i = 0; i < bayes_net_node_count(net); i++) {
        size_t r = bayes_net_variable(net, i)->n_states, q = bayes_net_configuration_count(net, i), count;
        const size_t *parents = bayes_net_parents(net, i, &count);
        double *counts = calloc(q * r, sizeof *counts);
        for (size_t row = 0; row < ROWS; row++) {
            size_t j = 0, stride = 1;
            for (size_t p = 0; p < count; p++) {
                j += stride * dataset_state(data, row, parents[p]);
                stride *= bayes_net_variable(net, parents[p])->n_states;
            }
            counts[j * r + dataset_state(data, row, i)]++;
        }
        for (size_t j = 0; j < q; j++) {
            double n = 0, x2 = 0, df = -1;
            for (size_t k = 0; k < r; k++)
                n += counts[j * r + k];
            for (size_t k = 0; k < r; k++) {
                double expected = n * bayes_net_table(net, i)[j * r + k];
                if (expected > 0) {
                    x2 += (counts[j * r + k] - expected) * (counts[j * r + k] - expected) / expected;
                    df++;
                }
            }
            if (n < 200 || df < 1)
                continue;
            smallest = fmin(smallest, gsl_cdf_chisq_Q(x2, df));
            n_tests++;
        }
        free(counts);
    }
    assert_true(n_tests > 80);
    assert_true(smallest > 1e-4);
    dataset_destroy(data);
    bayes_net_destroy(net);
}

static void a_network_without_tables_cannot_be_sampled(void **state) {
    variable v = {0};
    bayes_net *net = NULL;
    dataset *data = NULL;
    random_stream random;
    error_info err = {0};
    (void)state;
    name_states(&v, 0, 2);
    assert_ok(bayes_net_create("bare", &v, 1, &net, &err), &err);
    random_stream_init(&random, random_key_of(1));
    assert_int_equal(sample_network(net, 5, &random, &data, &err), STATUS_INVALID);
    assert_message_has(&err, "'v0' has no table");
    assert_null(data);
    bayes_net_destroy(net);
    variable_clear(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_drawn_as_the_definition_says),
        cmocka_unit_test(networks_that_ship_are_drawn_as_the_definition_says),
        cmocka_unit_test(a_longer_sample_begins_with_the_shorter_one),
        cmocka_unit_test(a_seed_gives_one_sample_and_another_seed_another),
        cmocka_unit_test(columns_are_the_variables_with_their_full_state_spaces),
        cmocka_unit_test(frequencies_are_those_of_the_tables),
        cmocka_unit_test(a_network_without_tables_cannot_be_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
