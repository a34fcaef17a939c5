/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "core/counting/distinct_rows.h"

#include <stdlib.h>
#include <string.h>

enum { N_COLUMNS = 30, N_ROWS = 4000, N_GROUPED = 10 };

/* The first columns take few configurations: the row of a small table, drawn at random, with a little noise. */
static dataset *make_grouped(random_stream *random) {
    static int cells[N_ROWS * N_COLUMNS];
    int kinds[40][N_GROUPED];
    size_t n_states[N_COLUMNS];
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = 2 + c % 4;
    for (size_t k = 0; k < 40; k++) {
        for (size_t c = 0; c < N_GROUPED; c++)
            kinds[k][c] = (int)random_below(random, n_states[c]);
    }
    for (size_t i = 0; i < N_ROWS; i++) {
        const int *kind = kinds[random_below(random, 40)];
        for (size_t c = 0; c < N_COLUMNS; c++)
            cells[i * N_COLUMNS + c] =
                c < N_GROUPED && random_below(random, 40) > 0 ? kind[c] : (int)random_below(random, n_states[c]);
    }
    return make_dataset(N_ROWS, N_COLUMNS, n_states, cells);
}

/* True if there was a table, and it is that of the rows, one after the other. */
static bool is_counted(distinct_rows *d, const dataset *data, const size_t *columns, size_t n, bool with_extra) {
    static uint32_t cells[1 << 16];
    counts_table t;
    size_t n_z = n - 1 - with_extra, extra = with_extra ? columns[n - 1] : COUNTS_NO_EXTRA;
    if (!distinct_rows_count(d, columns[0], columns + 1, n_z, extra, &t))
        return false;
    assert_int_equal(t.r_first, dataset_state_count(data, columns[0]));
    assert_int_equal(t.r_extra, with_extra ? dataset_state_count(data, extra) : 1);
    assert_that(t.n_cells, <=, 1 << 16);
    assert_int_equal(t.n_cells, t.n_strata * t.r_first * t.r_extra);
    assert_true(t.q_conditioning == (double)t.n_strata);
    memset(cells, 0, t.n_cells * sizeof *cells);
    for (size_t i = 0; i < N_ROWS; i++) {
        size_t at = dataset_state(data, i, columns[0]), scale = t.r_first;
        at += with_extra ? scale * dataset_state(data, i, extra) : 0;
        scale *= t.r_extra;
        for (size_t j = 1; j <= n_z; j++) {
            at += scale * dataset_state(data, i, columns[j]);
            scale *= dataset_state_count(data, columns[j]);
        }
        assert_true(at < t.n_cells);
        cells[at]++;
    }
    assert_memory_equal(t.cells, cells, t.n_cells * sizeof *cells);
    return true;
}

static void swap_two(random_stream *random, size_t *columns, size_t n) {
    size_t *a = columns + random_below(random, n), *b = columns + random_below(random, n), old = *a;
    *a = *b;
    *b = old;
}

static void tables_are_those_of_the_rows(void **state) {
    random_stream random;
    dataset *data;
    distinct_rows *d = NULL;
    error_info err = {0};
    size_t n_counted = 0;
    (void)state;
    random_stream_init(&random, random_key_of(11));
    data = make_grouped(&random);
    assert_ok(distinct_rows_create(data, &d, &err), &err);
    for (int round = 0; round < 60; round++) { /* the columns attended to grow and shrink: from rows and from classes */
        size_t columns[N_GROUPED], n_attended = 2 + random_below(&random, N_GROUPED - 1);
        random_permutation(&random, columns, N_GROUPED);
        distinct_rows_attend(d, columns, n_attended);
        for (int i = 0; i < 240; i++) { /* consecutive tables have the first columns of their sets in common, or none */
            size_t n = 1 + random_below(&random, n_attended < 5 ? n_attended : 5);
            swap_two(&random, columns, n_attended);
            n_counted += is_counted(d, data, columns, n, n > 1 && random_below(&random, 2) > 0);
        }
    }
    assert_true(n_counted > 500);
    distinct_rows_destroy(d);
    dataset_destroy(data);
}

/* Asks often enough for the configurations to be found. */
static bool is_ever_counted(distinct_rows *d, const size_t *columns, size_t n) {
    counts_table table;
    bool any = false;
    for (int i = 0; i < 120; i++)
        any = distinct_rows_count(d, columns[0], columns + 1, n - 2, columns[n - 1], &table) || any;
    return any;
}

static void what_is_no_use_is_left_to_the_rows(void **state) {
    static const size_t few[] = {0, 1, 2, 3}, independent[] = {10, 11, 12, 13, 14, 15, 16, 17};
    static const size_t of_120_configurations[] = {11, 12, 13, 14};
    static const size_t outside[] = {0, 1, 2, 20};
    random_stream random;
    dataset *data;
    distinct_rows *d = NULL;
    error_info err = {0};
    size_t all[N_COLUMNS];
    (void)state;
    random_stream_init(&random, random_key_of(12));
    data = make_grouped(&random);
    assert_ok(distinct_rows_create(data, &d, &err), &err);
    for (size_t i = 0; i < N_COLUMNS; i++)
        all[i] = i;
    assert_false(is_ever_counted(d, few, 4)); /* nothing is attended to */
    distinct_rows_attend(d, few, 4);
    assert_true(is_ever_counted(d, few, 4));
    assert_false(is_ever_counted(d, outside, 4));
    distinct_rows_attend(d, independent, 8); /* nearly every row is of its own */
    assert_false(is_ever_counted(d, independent, 5));
    distinct_rows_attend(d, of_120_configurations, 4);
    assert_true(is_ever_counted(d, of_120_configurations, 4));
    distinct_rows_attend(d, all, N_COLUMNS); /* too many */
    assert_false(is_ever_counted(d, few, 4));
    distinct_rows_attend(d, few, 4);
    assert_true(is_ever_counted(d, few, 4));
    distinct_rows_destroy(d);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_those_of_the_rows),
        cmocka_unit_test(what_is_no_use_is_left_to_the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
