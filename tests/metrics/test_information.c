/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "metrics/numerics/information.h"

#include <math.h>

static information *make_information(const dataset *data, statistics_count *tally) {
    information *info = NULL;
    error_info err = {0};
    assert_ok(information_create(data, tally, &info, &err), &err);
    return info;
}

static double measure(information *info, size_t x, size_t y, const size_t *z, size_t n_z) {
    double value = -1;
    error_info err = {0};
    assert_ok(information_measure(info, x, y, z, n_z, &value, &err), &err);
    return value;
}

static void the_forty_rows_have_the_information_of_the_worked_example(void **state) {
    dataset *data = make_forty_rows();
    information *info = make_information(data, NULL);
    size_t b = 1;
    (void)state;
    assert_close(measure(info, 1, 2, NULL, 0), 0.12998, 1e-5);
    assert_close(measure(info, 0, 1, NULL, 0), 0.06274, 1e-5);
    assert_close(measure(info, 0, 2, NULL, 0), 0.03167, 1e-5);
    assert_close(measure(info, 0, 2, &b, 1), 0.00432, 1e-5);
    information_destroy(info);
    dataset_destroy(data);
}

static bool agrees(const dataset *data, size_t i, size_t j, const size_t *columns, size_t n) {
    for (size_t c = 0; c < n; c++) {
        if (dataset_state(data, i, columns[c]) != dataset_state(data, j, columns[c]))
            return false;
    }
    return true;
}

/* The mean over the rows of log P(x, y | z) / (P(x | z) P(y | z)), by comparing every row with every other. */
static double measure_slowly(const dataset *data, const size_t *xyz, size_t n_z) {
    size_t n = dataset_row_count(data);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double n_z_rows = 0, n_xz = 0, n_yz = 0, n_xyz = 0;
        for (size_t j = 0; j < n; j++) {
            bool same_z = agrees(data, i, j, xyz + 2, n_z), same_x = agrees(data, i, j, xyz, 1),
                 same_y = agrees(data, i, j, xyz + 1, 1);
            n_z_rows += same_z;
            n_xz += same_z && same_x;
            n_yz += same_z && same_y;
            n_xyz += same_z && same_x && same_y;
        }
        sum += log(n_xyz * n_z_rows / (n_xz * n_yz));
    }
    return sum / (double)n;
}

static void it_is_what_comparing_rows_gives_and_counts_what_it_computes(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(31));
    for (int round = 0; round < 40; round++) {
        dataset *data = make_random_dataset(&random, 1 + (size_t)random_below(&random, 120), 6, 4);
        statistics_count tally = {0};
        information *info = make_information(data, &tally);
        for (size_t n_z = 0; n_z <= 4; n_z++) {
            size_t order[6];
            random_permutation(&random, order, 6);
            assert_close(measure(info, order[0], order[1], order + 2, n_z), measure_slowly(data, order, n_z), 1e-10);
            assert_close(measure(info, order[1], order[0], order + 2, n_z), measure_slowly(data, order, n_z), 1e-10);
        }
        assert_int_equal(tally.requests, 10);
        assert_int_equal(tally.computed, 5);
        information_destroy(info);
        dataset_destroy(data);
    }
}

static void a_column_that_does_not_vary_within_the_strata_has_none(void **state) {
    static const size_t n_states[] = {2, 2, 10};
    int cells[3 * 100];
    dataset *data;
    information *info;
    size_t z = 2;
    (void)state;
    for (int i = 0; i < 100; i++) {
        cells[3 * i] = cells[3 * i + 1] = i % 2;
        cells[3 * i + 2] = i % 10;
    }
    data = make_dataset(100, 3, n_states, cells);
    info = make_information(data, NULL);
    assert_close(measure(info, 0, 1, NULL, 0), log(2), 1e-12);
    assert_true(measure(info, 0, 1, &z, 1) == 0);
    information_destroy(info);
    dataset_destroy(data);
}

/* Tables of pairs are counted otherwise, up to columns of more states than they have bit vectors for. */
static void tables_of_pairs_change_no_value_and_nothing_is_kept(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(12));
    for (size_t most_states = 2; most_states <= 40; most_states += 19) {
        dataset *data = make_random_dataset(&random, 300, 6, most_states);
        statistics_count tally = {0};
        information *kept = make_information(data, NULL), *info = make_information(data, &tally);
        pair_tables *tables = NULL;
        error_info err = {0};
        assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
        assert_ok(information_use_tables(info, tables, &err), &err);
        for (size_t i = 0; i < 200; i++) {
            size_t x = (size_t)random_below(&random, 3), y = 3 + (size_t)random_below(&random, 2), z = 5, n_z = i % 2;
            assert_true(measure(info, x, y, &z, n_z) == measure(kept, x, y, &z, n_z));
            assert_true(measure(info, y, x, &z, n_z) == measure(kept, x, y, &z, n_z));
        }
        assert_int_equal(tally.requests, 400);
        assert_int_equal(tally.computed, 400);
        information_destroy(info);
        information_destroy(kept);
        pair_tables_destroy(tables);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_forty_rows_have_the_information_of_the_worked_example),
        cmocka_unit_test(it_is_what_comparing_rows_gives_and_counts_what_it_computes),
        cmocka_unit_test(a_column_that_does_not_vary_within_the_strata_has_none),
        cmocka_unit_test(tables_of_pairs_change_no_value_and_nothing_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
