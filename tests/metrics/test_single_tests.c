/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of a pair given each single column of a pool: the answers and the counts of tests that are asked one by one. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "core/counting/pair_tables.h"
#include "metrics/tests/table_tests.h"

#include <stdlib.h>
#include <string.h>

enum { N_COLUMNS = 60, X = 30 };

/* Copies of copies of X, more or less; one column has a single state, one more than bit vectors take. */
static void draw_row(random_stream *random, const void *how, int *row) {
    const size_t *n_states = how;
    row[X] = (int)random_below(random, n_states[X]);
    for (size_t c = 0; c < N_COLUMNS; c++) {
        int of = c % 3 == 0 || c == 0 ? row[X] : row[c - 1];
        bool is_copy = of < (int)n_states[c] && random_below(random, 2 + c % 5) > 0;
        if (c != X)
            row[c] = is_copy ? of : (int)random_below(random, n_states[c]);
    }
}

static dataset *make_data(random_stream *random, size_t n_rows) {
    size_t n_states[N_COLUMNS];
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = c == 20 ? 1 : c == 50 ? 40 : 2 + c % 4;
    return draw_dataset(random, n_rows, N_COLUMNS, n_states, draw_row, n_states);
}

static ci_test *make_test(const dataset *data, int df, double min_rows, statistics_count *tally) {
    table_test_options options = {.df = df, .alpha = 0.05, .min_rows = min_rows};
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_create(&ci_test_g2, &options, data, tally, &t, &err), &err);
    ci_test_forgo_cache(t);
    return t;
}

static bool is_never_expired(void *clock) {
    (void)clock;
    return false;
}

static bool has(const uint32_t *columns, size_t n, size_t column) {
    for (size_t i = 0; i < n; i++) {
        if (columns[i] == column)
            return true;
    }
    return false;
}

/* The first column that separates the pair, one after the other; N_COLUMNS: none does. */
static size_t find_plainly(ci_test *t, const dataset *data, const separation_task *task, double min_rows) {
    for (size_t i = 0; i < task->n_pool; i++) {
        size_t z = task->pool[i];
        verdict v = {0};
        bool reliable;
        error_info err = {0};
        double cells = task->least_cells * (double)dataset_state_count(data, z);
        if (z == task->y || (double)dataset_row_count(data) < min_rows * cells)
            continue;
        if (has(task->known, task->n_known, z)) {
            (void)ci_test_repeat(t, task->y, task->x, &z, 1);
            continue;
        }
        assert_ok(ci_test_decide(t, task->y, task->x, &z, 1, &reliable, &v, &err), &err);
        if (reliable && v.is_exact && v.value.is_zero)
            return z;
    }
    return N_COLUMNS;
}

static size_t choose(random_stream *random, size_t among, size_t *out) {
    size_t n = 0;
    for (size_t c = 0; c < N_COLUMNS; c++) {
        if (c != X && random_below(random, among) > 0)
            out[n++] = c;
    }
    return n;
}

/* Returns how many pairs were answered; `asks_anew`: none of the tests was asked before. */
static size_t compare(random_stream *random, const dataset *data, int df, double min_rows, bool asks_anew,
                      size_t *n_separated) {
    statistics_count of_plain = {0}, of_quick = {0};
    ci_test *plain = make_test(data, df, min_rows, &of_plain), *quick = make_test(data, df, min_rows, &of_quick);
    size_t attended[N_COLUMNS + 1] = {X}, chosen[N_COLUMNS], n_pool = choose(random, 8, attended + 1), n_answered = 0;
    uint32_t known[N_COLUMNS];
    pair_tables *tables = NULL;
    error_info err = {0};
    assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
    assert_ok(ci_test_use_lanes(quick, tables, &err), &err);
    ci_test_attend(quick, attended, n_pool + 1);
    for (size_t i = 0; i < n_pool; i++) {
        size_t y = attended[i + 1], z = N_COLUMNS, expected;
        separation found = {.z = &z};
        separation_task task = {.x = X,
                                .y = y,
                                .pool = attended + 1,
                                .n_pool = n_pool,
                                .size = 1,
                                .known = known,
                                .n_known = asks_anew ? 0 : choose(random, 3, chosen),
                                .least_cells = 8,
                                .is_expired = is_never_expired};
        for (size_t k = 0; k < task.n_known; k++)
            known[k] = (uint32_t)chosen[k];
        assert_ok(ci_test_separate(quick, &task, &found, &err), &err);
        if (!found.is_answered)
            continue;
        expected = find_plainly(plain, data, &task, min_rows);
        assert_int_equal(found.is_found, expected < N_COLUMNS);
        assert_int_equal(z, expected);
        assert_int_equal(of_quick.requests, of_plain.requests);
        assert_int_equal(of_quick.computed, of_plain.computed);
        assert_int_equal(of_quick.skipped, of_plain.skipped);
        n_answered++;
        *n_separated += found.is_found;
    }
    ci_test_destroy(plain);
    ci_test_destroy(quick);
    pair_tables_destroy(tables);
    return n_answered;
}

static void single_columns_are_answered_and_counted_as_one_by_one(void **state) {
    static const int ways[] = {CI_DF_FULL, CI_DF_ADJ, CI_DF_OBSERVED, CI_DF_STECK, CI_DF_SGS};
    random_stream random;
    size_t n_answered = 0, n_separated = 0;
    (void)state;
    random_stream_init(&random, random_key_of(71));
    for (size_t round = 0; round < 20; round++) {
        dataset *data = make_data(&random, 100 + (size_t)random_below(&random, 2000));
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            n_answered += compare(&random, data, ways[i], round % 2 ? 5 : 0, round / 2 % 2, &n_separated);
        dataset_destroy(data);
    }
    assert_true(n_answered > 2000);
    assert_true(n_separated > 500 && n_separated < n_answered);
}

static void other_pools_than_the_attended_one_are_not_answered(void **state) {
    random_stream random;
    size_t attended[N_COLUMNS], z;
    separation found = {.z = &z};
    separation_task task = {.x = X,
                            .y = 1,
                            .pool = attended + 1,
                            .n_pool = 25,
                            .size = 1,
                            .least_cells = 8,
                            .is_expired = is_never_expired};
    pair_tables *tables = NULL;
    error_info err = {0};
    dataset *data;
    ci_test *t;
    (void)state;
    random_stream_init(&random, random_key_of(72));
    data = make_data(&random, 500);
    t = make_test(data, CI_DF_ADJ, 5, NULL);
    attended[0] = X;
    for (size_t i = 1; i < 30; i++)
        attended[i] = i;
    assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
    assert_ok(ci_test_use_lanes(t, tables, &err), &err);
    assert_ok(ci_test_separate(t, &task, &found, &err), &err);
    assert_false(found.is_answered);
    ci_test_attend(t, attended, 26);
    assert_ok(ci_test_separate(t, &task, &found, &err), &err);
    assert_true(found.is_answered);
    task.n_pool = 24;
    assert_ok(ci_test_separate(t, &task, &found, &err), &err);
    assert_false(found.is_answered);
    ci_test_destroy(t);
    pair_tables_destroy(tables);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_columns_are_answered_and_counted_as_one_by_one),
        cmocka_unit_test(other_pools_than_the_attended_one_are_not_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
