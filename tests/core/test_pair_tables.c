/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/counting/counts.h"
#include "core/counting/pair_block.h"
#include "core/run/parallel.h"
#include "metrics/tests/table_tests.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 6, MOST_STATES = 70 };

/* Columns of 2 to 4 states, one of a single state, one too wide for bit vectors; the last is a copy of the second. */
static dataset *make_data(random_stream *random, size_t n_rows) {
    static const size_t n_states[COLUMNS] = {2, 3, 1, 4, MOST_STATES, 3};
    char names[MOST_STATES][8];
    const char *states[MOST_STATES];
    variable variables[COLUMNS] = {0};
    dataset *data = NULL;
    error_info err = {0};
    for (size_t k = 0; k < MOST_STATES; k++) {
        (void)snprintf(names[k], sizeof names[k], "%zu", k);
        states[k] = names[k];
    }
    for (size_t c = 0; c < COLUMNS; c++)
        assert_ok(variable_init_discrete(&variables[c], states[c + 2], states, n_states[c], &err), &err);
    assert_ok(dataset_create(variables, COLUMNS, n_rows, &data, &err), &err);
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t c = 0; c < COLUMNS; c++)
            dataset_set_state(data, i, c,
                              c == 5 ? dataset_state(data, i, 1) : (size_t)random_below(random, n_states[c]));
    }
    for (size_t c = 0; c < COLUMNS; c++)
        variable_clear(&variables[c]);
    return data;
}

/* The table of x and y from a block of y and its copy, which has as many states, in turn. */
static void assert_same_in_block(const pair_tables *tables, size_t x, size_t y, const uint32_t *expected, size_t n) {
    pair_block block = {0};
    error_info err = {0};
    uint32_t cells[MOST_STATES * MOST_STATES];
    size_t columns[PAIR_BLOCK_COLUMNS], lane = 60 + (y == 5);
    if (!pair_tables_columns(tables)[x].bits || !pair_tables_columns(tables)[y].bits)
        return;
    for (size_t i = 0; i < PAIR_BLOCK_COLUMNS; i++)
        columns[i] = y == 1 || y == 5 ? 1 + i % 2 * 4 : y;
    memset(cells, 0xFF, sizeof cells);
    assert_ok(pair_block_begin(&block, tables, columns, lane + 1, &err), &err);
    for (int turned = 0; turned < 2; turned++) {
        if (turned)
            pair_block_turn(&block);
        pair_block_count(&block, x);
        pair_block_lay(&block, lane, cells);
        assert_memory_equal(cells, expected, n * sizeof *cells);
    }
    pair_block_clear(&block);
}

static void a_table_is_that_of_the_counting_service(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(50));
    for (size_t n_rows = 1; n_rows < 1200; n_rows += 1 + n_rows / 2) {
        dataset *data = make_data(&random, n_rows);
        pair_tables *tables = NULL;
        counts *service = NULL;
        uint32_t cells[MOST_STATES * MOST_STATES];
        error_info err = {0};
        assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
        assert_ok(pair_tables_list_rows(tables, 1, &err), &err);
        assert_ok(counts_create(data, &service, &err), &err);
        counts_force_method(service, COUNTS_HISTOGRAM);
        for (size_t x = 0; x < COLUMNS; x++) {
            for (size_t y = 0; y < COLUMNS; y++) {
                size_t n = dataset_state_count(data, x) * dataset_state_count(data, y);
                counts_table expected;
                if (x == y)
                    continue;
                memset(cells, 0xFF, sizeof cells);
                pair_tables_count(tables, x, y, cells);
                assert_ok(counts_get(service, y, NULL, 0, x, &expected, &err), &err);
                if (expected.cells) /* not where cells far outnumber the rows */
                    assert_memory_equal(cells, expected.cells, n * sizeof *cells);
                assert_same_in_block(tables, x, y, cells, n);
            }
        }
        counts_destroy(service);
        pair_tables_destroy(tables);
        dataset_destroy(data);
    }
}

/* G2 to the last bit; the terms of X2 may have been summed from the other end. */
static void assert_same_association(const association *a, const association *b, bool is_g2) {
    assert_int_equal(a->is_zero, b->is_zero);
    if (!a->is_zero) {
        assert_close(a->log_p, b->log_p, is_g2 ? 0 : 1e-12);
        assert_close(a->statistic, b->statistic, is_g2 ? 0 : 1e-12);
    }
}

static void a_pair_is_judged_as_the_test_judges_it(void **state) {
    static const char *const kinds[] = {"g2", "x2"};
    random_stream random;
    size_t n_dependent = 0;
    (void)state;
    random_stream_init(&random, random_key_of(51));
    for (int i = 0; i < 60; i++) {
        dataset *data = make_data(&random, 20 + (size_t)random_below(&random, 400));
        table_test_options options = {.df = i % (CI_DF_OBSERVED + 1), .alpha = 0.2};
        const ci_test_kind *kind = NULL;
        ci_test *test = NULL;
        pair_tables *tables = NULL;
        uint32_t cells[MOST_STATES * MOST_STATES];
        error_info err = {0};
        assert_ok(ci_test_kind_find(kinds[i % 2], &kind, &err), &err);
        assert_ok(ci_test_create(kind, &options, data, NULL, &test, &err), &err);
        assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
        for (size_t x = 0; x < COLUMNS; x++) {
            for (size_t y = 0; y < COLUMNS; y++) {
                size_t r_x = dataset_state_count(data, x), r_y = dataset_state_count(data, y);
                ci_margin of_x = ci_test_margin(test, pair_tables_columns(tables)[x].margin, r_x);
                ci_margin of_y = ci_test_margin(test, pair_tables_columns(tables)[y].margin, r_y);
                association expected, found;
                bool reliable = false;
                if (x == y)
                    continue;
                assert_ok(ci_test_associate(test, x, y, NULL, 0, &reliable, &expected, &err), &err);
                pair_tables_count(tables, x, y, cells);
                found = ci_test_judge_pair(test, cells, r_x, r_y, &of_x, &of_y);
                assert_same_association(&found, &expected, i % 2 == 0);
                n_dependent += !found.is_zero;
            }
        }
        pair_tables_destroy(tables);
        ci_test_destroy(test);
        dataset_destroy(data);
    }
    assert_true(n_dependent > 100);
}

/* --- threads --- */

/* More rows than are filled at once, and so many that threads share them. */
static void tables_are_the_same_by_any_number_of_threads(void **state) {
    enum { ROWS = (1 << 23) / COLUMNS + 100 };
    random_stream random;
    pair_tables *one = NULL, *others[2] = {NULL};
    crew *threads = NULL;
    error_info err = {0};
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(52));
    data = make_data(&random, ROWS);
    assert_ok(pair_tables_create(data, 1, &one, &err), &err);
    assert_ok(pair_tables_create(data, 3, &others[0], &err), &err);
    assert_ok(crew_create(2, &threads, &err), &err);
    assert_ok(pair_tables_create_by(data, 1, threads, &others[1], &err), &err);
    for (size_t x = 0; x < COLUMNS; x++) {
        const pair_column *a = &pair_tables_columns(one)[x];
        size_t r = dataset_state_count(data, x), n_words = pair_tables_word_count(one);
        uint32_t rows[MOST_STATES] = {0};
        for (size_t row = 0; row < ROWS; row++) {
            size_t value = dataset_state(data, row, x);
            rows[value]++;
            for (size_t k = 0; a->bits && k + 1 < r; k++)
                assert_true((a->bits[k * n_words + row / 64] >> row % 64 & 1) == (value == k));
        }
        assert_memory_equal(a->margin, rows, r * sizeof *rows);
        for (size_t i = 0; i < 2; i++) {
            const pair_column *b = &pair_tables_columns(others[i])[x];
            assert_memory_equal(b->margin, rows, r * sizeof *rows);
            if (a->bits)
                assert_memory_equal(a->bits, b->bits, (r - 1) * n_words * sizeof *a->bits);
        }
    }
    pair_tables_destroy(one);
    for (size_t i = 0; i < 2; i++)
        pair_tables_destroy(others[i]);
    crew_destroy(threads);
    dataset_destroy(data);
}

typedef struct {
    atomic_size_t next;
    unsigned char done[1000];
    size_t fails_at;
} pile;

static status take_all(void *self, size_t worker, error_info *err) {
    pile *p = self;
    (void)worker;
    for (;;) {
        size_t i = atomic_fetch_add(&p->next, 1);
        if (i >= sizeof p->done)
            return STATUS_OK;
        if (i == p->fails_at)
            return error_set(err, STATUS_INVALID, "number %zu cannot be done", i);
        p->done[i]++;
    }
}

static void everything_on_the_pile_is_done_once(void **state) {
    (void)state;
    for (size_t n = 0; n <= 8; n++) {
        pile p = {.fails_at = SIZE_MAX};
        error_info err = {0};
        assert_ok(parallel_run(n, take_all, &p, &err), &err);
        for (size_t i = 0; i < sizeof p.done; i++)
            assert_int_equal(p.done[i], 1);
    }
}

static void a_failure_in_any_thread_is_handed_on(void **state) {
    (void)state;
    for (size_t n = 1; n <= 4; n++) {
        pile p = {.fails_at = 7};
        error_info err = {0};
        assert_int_equal(parallel_run(n, take_all, &p, &err), STATUS_INVALID);
        assert_string_equal(err.message, "number 7 cannot be done");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_that_of_the_counting_service),
        cmocka_unit_test(tables_are_the_same_by_any_number_of_threads),
        cmocka_unit_test(a_pair_is_judged_as_the_test_judges_it),
        cmocka_unit_test(everything_on_the_pile_is_done_once),
        cmocka_unit_test(a_failure_in_any_thread_is_handed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
