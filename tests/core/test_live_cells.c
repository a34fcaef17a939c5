/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/bits.h"
#include "core/counting/live_cells_internal.h"

#include <stdlib.h>
#include <string.h>

enum { N_COLUMNS = 3, MAX_STATES = 5 };

/* The cell of a row in the table of the first k + 1 columns, the first one varying fastest. */
static uint32_t cell_of(const dataset *data, size_t row, size_t k) {
    uint32_t cell = 0, scale = 1;
    for (size_t c = 0; c <= k; c++) {
        cell += scale * (uint32_t)dataset_state(data, row, c);
        scale *= (uint32_t)dataset_state_count(data, c);
    }
    return cell;
}

/* Every row is in its cell alone, and every cell has as many rows as it says, at least one. */
static void assert_holds_rows(const live_cells *cells, const dataset *data, size_t k, size_t n_words) {
    size_t n_rows = dataset_row_count(data), sum = 0;
    for (size_t i = 0; i < cells->n; i++) {
        uint32_t n = 0;
        for (size_t row = 0; row < n_rows; row++) {
            bool is_in = bits_have(cells->bits + i * n_words, row);
            assert_int_equal(is_in, cell_of(data, row, k) == cells->cell[i]);
            n += is_in;
        }
        assert_int_equal(n, cells->tally[i]);
        assert_true(n > 0);
        sum += n;
    }
    assert_int_equal(sum, n_rows);
}

static void splits_hold_the_rows_of_their_cells(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_text(random_key_of(1), "live cells"));
    for (size_t n_rows = 1; n_rows <= 700; n_rows += 1 + n_rows / 2) {
        dataset *data = make_random_dataset(&random, n_rows, N_COLUMNS, MAX_STATES);
        live_cells levels[N_COLUMNS] = {0};
        state_bits states = {0};
        uint32_t scale = (uint32_t)dataset_state_count(data, 0);
        error_info err = {0};
        assert_ok(state_bits_init(&states, data, &err), &err);
        assert_ok(live_cells_start(&levels[0], &states, 0, &err), &err);
        assert_holds_rows(&levels[0], data, 0, states.n_words);
        for (size_t k = 1; k < N_COLUMNS; k++) {
            assert_ok(live_cells_split(&levels[k - 1], &states, k, scale, &levels[k], &err), &err);
            assert_holds_rows(&levels[k], data, k, states.n_words);
            scale *= (uint32_t)dataset_state_count(data, k);
        }
        for (size_t k = 0; k < N_COLUMNS; k++)
            live_cells_clear(&levels[k]);
        state_bits_clear(&states);
        dataset_destroy(data);
    }
}

/* Cells of the rows of some data, and what is found of them. */
typedef struct {
    size_t n_rows;
    uint32_t *cell_of_row, tallies[LIVE_CELLS_MOST + 1], place[LIVE_CELLS_MOST + 1];
    state_bits states;
    dataset *data;
    live_cells cells;
} table;

static void table_open(table *t, size_t n_rows) {
    random_stream random;
    error_info err = {0};
    random_stream_init(&random, random_key_of(73));
    *t = (table){.n_rows = n_rows, .cell_of_row = calloc(n_rows, sizeof *t->cell_of_row)};
    t->data = make_random_dataset(&random, n_rows, 1, 2);
    assert_ok(state_bits_init(&t->states, t->data, &err), &err);
}

static void table_close(table *t) {
    live_cells_clear(&t->cells);
    state_bits_clear(&t->states);
    dataset_destroy(t->data);
    free(t->cell_of_row);
}

static void find_cells(table *t, size_t n_cells) {
    error_info err = {0};
    memset(t->tallies, 0, sizeof t->tallies);
    for (size_t i = 0; i < t->n_rows; i++)
        t->tallies[t->cell_of_row[i]]++;
    assert_ok(live_cells_of_rows(&t->cells, &t->states, t->cell_of_row, t->tallies, n_cells, t->place, &err), &err);
}

/* A row is in the vector of its cell alone, and what is padding is in none. */
static void assert_has_rows(const table *t) {
    for (size_t i = 0; i < t->cells.n; i++) {
        for (size_t row = 0; row < 64 * t->states.n_words; row++) {
            bool is_in = bits_have(t->cells.bits + i * t->states.n_words, row);
            assert_int_equal(is_in, row < t->n_rows && t->cell_of_row[row] == t->cells.cell[i]);
        }
    }
}

static void cells_without_rows_are_left_out(void **state) {
    static const uint32_t rows[] = {1, 1, 5, 4, 1, 5};
    table t;
    (void)state;
    table_open(&t, 6);
    memcpy(t.cell_of_row, rows, sizeof rows);
    find_cells(&t, 6);
    assert_int_equal(t.cells.n, 3);
    assert_memory_equal(t.cells.cell, ((uint32_t[]){1, 4, 5}), 3 * sizeof(uint32_t));
    assert_memory_equal(t.cells.tally, ((uint32_t[]){3, 1, 2}), 3 * sizeof(uint32_t));
    assert_int_equal(t.place[1], 0);
    assert_int_equal(t.place[4], 1);
    assert_int_equal(t.place[5], 2);
    assert_has_rows(&t);
    table_close(&t);
}

/* Of many rows and few cells, of few rows and many cells, and so that either way to find the vectors is taken. */
static void vectors_hold_the_rows_of_their_cells(void **state) {
    static const size_t n_rows[] = {1, 63, 300, 5000}, n_cells[] = {2, 40, LIVE_CELLS_MOST};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(72));
    for (size_t i = 0; i < 12; i++) {
        table t;
        table_open(&t, n_rows[i % 4]);
        for (size_t row = 0; row < t.n_rows; row++)
            t.cell_of_row[row] = (uint32_t)random_below(&random, n_cells[i / 4]);
        find_cells(&t, n_cells[i / 4]);
        assert_true(t.cells.n > 0);
        assert_has_rows(&t);
        table_close(&t);
    }
}

static void too_many_cells_are_not_listed(void **state) {
    table t;
    (void)state;
    table_open(&t, LIVE_CELLS_MOST + 1);
    for (size_t i = 0; i < t.n_rows; i++)
        t.cell_of_row[i] = (uint32_t)(i < LIVE_CELLS_MOST ? i : 0);
    find_cells(&t, LIVE_CELLS_MOST);
    assert_int_equal(t.cells.n, LIVE_CELLS_MOST);
    t.cell_of_row[LIVE_CELLS_MOST] = LIVE_CELLS_MOST;
    find_cells(&t, LIVE_CELLS_MOST + 1);
    assert_int_equal(t.cells.n, 0);
    assert_false(live_cells_fit(LIVE_CELLS_MOST + 1, 8));
    table_close(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_hold_the_rows_of_their_cells),
        cmocka_unit_test(cells_without_rows_are_left_out),
        cmocka_unit_test(vectors_hold_the_rows_of_their_cells),
        cmocka_unit_test(too_many_cells_are_not_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
