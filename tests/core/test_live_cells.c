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

static void a_list_leaves_out_cells_without_rows(void **state) {
    static const uint32_t tallies[] = {0, 3, 0, 0, 1, 2};
    uint32_t place[6];
    live_cells cells = {0};
    error_info err = {0};
    (void)state;
    assert_ok(live_cells_list(&cells, tallies, 6, 8, place, &err), &err);
    assert_int_equal(cells.n, 3);
    assert_memory_equal(cells.cell, ((uint32_t[]){1, 4, 5}), 3 * sizeof(uint32_t));
    assert_memory_equal(cells.tally, ((uint32_t[]){3, 1, 2}), 3 * sizeof(uint32_t));
    assert_int_equal(place[1], 0);
    assert_int_equal(place[4], 1);
    assert_int_equal(place[5], 2);
    for (size_t i = 0; i < 3 * 8; i++)
        cells.bits[i] = UINT64_MAX; /* there is room */
    live_cells_clear(&cells);
}

static void too_many_cells_are_not_listed(void **state) {
    uint32_t tallies[LIVE_CELLS_MOST + 1], place[LIVE_CELLS_MOST + 1];
    live_cells cells = {0};
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i <= LIVE_CELLS_MOST; i++)
        tallies[i] = 1;
    assert_ok(live_cells_list(&cells, tallies, LIVE_CELLS_MOST, 8, place, &err), &err);
    assert_int_equal(cells.n, LIVE_CELLS_MOST);
    assert_ok(live_cells_list(&cells, tallies, LIVE_CELLS_MOST + 1, 8, place, &err), &err);
    assert_int_equal(cells.n, 0);
    assert_false(live_cells_fit(LIVE_CELLS_MOST + 1, 8));
    live_cells_clear(&cells);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_hold_the_rows_of_their_cells),
        cmocka_unit_test(a_list_leaves_out_cells_without_rows),
        cmocka_unit_test(too_many_cells_are_not_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
