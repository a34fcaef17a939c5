/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constant columns, few values, many values, and values that are no numbers. */
#include "tests/metrics/kernel_support.h"

enum { STRANGE = 7 };

/* Constant; three values; two; a copy of the two; one row unlike all others; large and close together; normal. */
static dataset *make_strange(size_t n_rows) {
    random_stream random;
    double *values = calloc(n_rows * STRANGE, sizeof *values);
    dataset *data;
    random_stream_init(&random, random_key_of(13));
    for (size_t i = 0; i < n_rows; i++) {
        double *row = values + i * STRANGE;
        row[0] = 3.25;
        row[1] = (double)random_below(&random, 3) * 1e-3;
        row[2] = row[3] = (double)(random_below(&random, 2) || row[1] > 1e-3);
        row[4] = i == n_rows / 2 ? 1e100 : -1e-100;
        row[5] = 1e15 + (double)random_below(&random, 4);
        row[6] = normal_deviate(&random) + 1e3 * row[1];
    }
    data = make_reals(n_rows, STRANGE, values);
    free(values);
    return data;
}

static void columns_of_few_values_have_few_features(void **state) {
    static const size_t expected[] = {0, 2, 1, 1, 1, 3};
    dataset *data = make_strange(300);
    (void)state;
    for (size_t c = 0; c < 6; c++) {
        kernel_features f = features_of(data, c, &usual);
        assert_int_equal(f.n_features, expected[c]);
        assert_orthonormal(&f);
        kernel_features_clear(&f);
    }
    dataset_destroy(data);
}

static void a_constant_column_neither_gains_nor_costs(void **state) {
    dataset *data = make_strange(300);
    kernel_score *s = make_score(data, &usual);
    (void)state;
    assert_close(node(s, 0, 2), 0, 0);
    assert_close(node(s, 0, 126), 0, 0);
    assert_close(node(s, 1, 1), 0, 0);
    assert_close(node(s, 6, 3), node(s, 6, 2), 1e-12);
    kernel_score_destroy(s);
    dataset_destroy(data);
}

static void every_family_of_strange_columns_has_a_finite_score(void **state) {
    static const size_t sizes[] = {1, 2, 3, 300};
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        dataset *data = make_strange(sizes[k]);
        kernel_score *s = make_score(data, &(kernel_options){1, 1e-8, 0, KERNEL_GAUSSIAN});
        for (size_t x = 0; x < STRANGE; x++) {
            for (unsigned set = 0; set < 1u << STRANGE; set++) {
                if (!(set >> x & 1u))
                    assert_true(isfinite(node(s, x, set)));
            }
        }
        kernel_score_destroy(s);
        dataset_destroy(data);
    }
}

/* A column of two values is one of two states, whatever the width of the kernel, but for its eigenvalue. */
static void two_values_are_two_states(void **state) {
    static const size_t n_states[] = {2, 2};
    double values[80];
    int cells[80];
    dataset *reals, *discrete;
    kernel_score *a, *b;
    (void)state;
    for (int i = 0; i < 40; i++) {
        cells[2 * i] = i % 2;
        cells[2 * i + 1] = i % 5 == 0 ? i % 2 : i % 3 == 0;
        values[2 * i] = 7 + 2.5 * cells[2 * i];
        values[2 * i + 1] = -0.1 * cells[2 * i + 1];
    }
    reals = make_reals(40, 2, values);
    discrete = make_dataset(40, 2, n_states, cells);
    /* so narrow that exp(-1 / (2 sigma^2)) of unlike values is 0 */
    a = make_score(reals, &(kernel_options){0.01, 0.01, 0, KERNEL_GAUSSIAN});
    b = make_score(discrete, &usual);
    assert_close(node(a, 0, 2), node(b, 0, 2), 1e-10);
    kernel_score_destroy(a);
    kernel_score_destroy(b);
    dataset_destroy(reals);
    dataset_destroy(discrete);
}

static void values_that_are_no_numbers_are_refused_with_their_place(void **state) {
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e300};
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        dataset *data = make_strange(10);
        kernel_score *s = NULL;
        error_info err = {0};
        dataset_build_reals(data, 6)[3] = wrong[k];
        assert_int_equal(kernel_score_create(data, &usual, NULL, &s, &err), STATUS_INVALID);
        assert_message_has(&err, "v6");
        assert_message_has(&err, "row 4");
        assert_null(s);
        dataset_destroy(data);
    }
}

static void a_column_of_too_many_values_for_its_kernel_is_refused(void **state) {
    enum { N = 1500 };
    double values[N];
    dataset *data;
    kernel_features f = {0};
    error_info err = {0};
    (void)state;
    for (int i = 0; i < N; i++)
        values[i] = i;
    data = make_reals(N, 1, values);
    assert_int_equal(kernel_features_create(data, 0, &(kernel_options){1e-3, 0.01, 0, KERNEL_GAUSSIAN}, &f, &err),
                     STATUS_INVALID);
    assert_message_has(&err, "v0");
    assert_message_has(&err, "more than 1024 columns");
    dataset_destroy(data);
}

static void a_column_of_too_many_states_is_refused_too(void **state) {
    enum { N = KERNEL_MAX_RANK + 1 };
    static char text[N][8];
    const char *states[N];
    variable v = {0};
    dataset *data = NULL;
    kernel_features f = {0};
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < N; i++) {
        (void)snprintf(text[i], sizeof text[i], "%zu", i);
        states[i] = text[i];
    }
    assert_ok(variable_init_discrete(&v, "many", states, N, &err), &err);
    assert_ok(dataset_create(&v, 1, N, &data, &err), &err);
    for (size_t i = 0; i < N; i++)
        dataset_set_state(data, i, 0, i);
    assert_int_equal(kernel_features_create(data, 0, &usual, &f, &err), STATUS_INVALID);
    assert_message_has(&err, "column many: 1025 states occur");
    variable_clear(&v);
    dataset_destroy(data);
}

static void a_column_that_varies_keeps_one_feature_however_large_eta_is(void **state) {
    dataset *data = make_strange(300);
    (void)state;
    for (size_t c = 0; c < STRANGE; c++) {
        kernel_features f = features_of(data, c, &(kernel_options){1, 0.01, 0.5, KERNEL_GAUSSIAN});
        assert_int_equal(f.n_features, c > 0);
        kernel_features_clear(&f);
    }
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_few_values_have_few_features),
        cmocka_unit_test(a_constant_column_neither_gains_nor_costs),
        cmocka_unit_test(every_family_of_strange_columns_has_a_finite_score),
        cmocka_unit_test(two_values_are_two_states),
        cmocka_unit_test(values_that_are_no_numbers_are_refused_with_their_place),
        cmocka_unit_test(a_column_of_too_many_values_for_its_kernel_is_refused),
        cmocka_unit_test(a_column_of_too_many_states_is_refused_too),
        cmocka_unit_test(a_column_that_varies_keeps_one_feature_however_large_eta_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
