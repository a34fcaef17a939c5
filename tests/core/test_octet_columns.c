/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that are added to the numbers of their cells, all vectors at once, against a look at every bit. */
#include "tests/support/support.h"

#include "core/counting/octet_columns.h"
#include "core/counting/octet_kernels_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VECTORS = 200, MOST_WORDS = 96, MOST_ROWS = MOST_WORDS * 64, MOST_CELLS = 60 };

static uint64_t vectors[MOST_VECTORS * MOST_WORDS];
static uint8_t values[2][MOST_ROWS];

static bool has_bit(size_t n_words, size_t vector, size_t row) {
    return vectors[vector * n_words + row / 64] >> row % 64 & 1;
}

/* Half of the rows have a bit, and those from n_rows on none. */
static void fill(random_stream *random, size_t n_vectors, size_t n_words, size_t n_rows) {
    memset(vectors, 0, sizeof vectors);
    for (size_t v = 0; v < n_vectors; v++) {
        for (size_t row = 0; row < n_rows; row++)
            vectors[v * n_words + row / 64] |= (uint64_t)random_below(random, 2) << row % 64;
    }
}

/* --- kernels --- */

enum {
    N_WORDS = 64,
    N_ROWS = N_WORDS * 64,
    SET_BYTES = N_WORDS * OCTETS_OF_WORD * OCTET_LANES,
    UNUSED = 7,
    MOST_LANES = OCTET_SETS * OCTET_LANES
};

/* Most rows are in one cell, so that its bytes are full often. */
static void draw_cells(random_stream *random, size_t n_cells, size_t *cells) {
    for (size_t i = 0; i < N_ROWS; i++)
        cells[i] = random_below(random, 3) > 0 ? 0 : random_below(random, n_cells);
}

/* The last vector has all rows. */
static void lay(const octet_kernels *kernels, size_t n_sets, uint8_t *out) {
    memset(vectors + (n_sets * OCTET_LANES - 1) * N_WORDS, 0xff, N_WORDS * sizeof *vectors);
    for (size_t s = 0; s < n_sets; s++) {
        const uint64_t *lanes[OCTET_LANES];
        for (size_t k = 0; k < OCTET_LANES; k++)
            lanes[k] = k == UNUSED ? NULL : vectors + (s * OCTET_LANES + k) * N_WORDS;
        kernels->lay(lanes, N_WORDS, out + s * SET_BYTES);
    }
}

static void subtract_plainly(uint32_t *counts, const size_t *cells, size_t n_lanes) {
    for (size_t row = 0; row < N_ROWS; row++) {
        for (size_t k = 0; k < n_lanes; k++)
            counts[cells[row] * MOST_LANES + k] -= k % OCTET_LANES != UNUSED && has_bit(N_WORDS, k, row);
    }
}

static void add_and_compare(random_stream *random, const octet_kernels *kernels, size_t n_sets, size_t n_copies,
                            size_t n_cells) {
    size_t n_lanes = n_sets * OCTET_LANES, n_bytes = n_cells * n_copies * n_lanes, cells[N_ROWS];
    uint8_t *octets = aligned_alloc(64, n_sets * SET_BYTES), *bytes = aligned_alloc(32, n_bytes);
    uint32_t starts[N_ROWS], *counts = calloc(n_cells, MOST_LANES * sizeof *counts);
    octet_tally tally = {n_sets, n_copies, bytes, counts, MOST_LANES};
    assert_true(octets && bytes && counts);
    memset(bytes, 0, n_bytes);
    fill(random, n_lanes, N_WORDS, N_ROWS);
    draw_cells(random, n_cells, cells);
    for (size_t i = 0; i < N_ROWS; i++)
        starts[i] = (uint32_t)(cells[i] * octet_cell_bytes(&tally));
    lay(kernels, n_sets, octets);
    kernels->add(&tally, starts, N_ROWS / 8, octets, SET_BYTES);
    kernels->finish(&tally, n_cells);
    subtract_plainly(counts, cells, n_lanes);
    for (size_t i = 0; i < n_cells * MOST_LANES; i++)
        assert_int_equal(counts[i], 0);
    free(octets);
    free(bytes);
    free(counts);
}

static void rows_are_added_to_their_cells(void **state) {
    const octet_kernels *kernels = octet_kernels_own();
    random_stream random;
    (void)state;
    if (!kernels)
        skip();
    random_stream_init(&random, random_key_of(71));
    for (size_t n_sets = 1; n_sets <= OCTET_SETS; n_sets++) {
        for (size_t n_copies = 1; n_copies <= OCTET_COPIES; n_copies += OCTET_COPIES - 1) {
            add_and_compare(&random, kernels, n_sets, n_copies, 1);
            add_and_compare(&random, kernels, n_sets, n_copies, 37);
        }
    }
}

/* --- columns --- */

static void draw_values(random_stream *random, size_t n_rows, const size_t states[2]) {
    for (size_t c = 0; c < 2; c++) {
        for (size_t row = 0; row < n_rows; row++)
            values[c][row] = (uint8_t)random_below(random, states[c]);
    }
}

static void compare_vector(const octet_counts *o, size_t vector, size_t n_words, size_t n_rows, size_t r_first,
                           size_t n_cells) {
    uint32_t rows[MOST_CELLS] = {0}, ones[MOST_CELLS] = {0};
    for (size_t row = 0; row < n_rows; row++) {
        size_t cell = values[0][row] + r_first * values[1][row];
        rows[cell]++;
        ones[cell] += has_bit(n_words, vector, row);
    }
    for (size_t cell = 0; cell < n_cells; cell++) {
        assert_int_equal(octet_counts_rows(o)[cell * o->step], rows[cell]);
        assert_int_equal(octet_counts_of(o, vector)[cell * o->step], ones[cell]);
    }
}

/* The rows in two pieces, the second by counts of its own that are added up. */
static void count_in_parts(octet_counts *o, const octet_columns *columns, const octet_base_column *base, size_t n_rows,
                           size_t n_cells, size_t first, size_t end) {
    octet_counts more = {0};
    error_info err = {0};
    size_t middle = n_rows / 16 * 8;
    assert_ok(octet_counts_begin(o, n_cells, &err), &err);
    octet_counts_add(o, columns, base, 2, n_cells, 0, middle);
    assert_ok(octet_counts_want_none(&more, columns, &err), &err);
    octet_counts_want(&more, first, end);
    assert_ok(octet_counts_begin(&more, n_cells, &err), &err);
    octet_counts_add(&more, columns, base, 2, n_cells, middle, n_rows);
    octet_counts_add_up(o, &more, n_cells);
    octet_counts_clear(&more);
}

static void what_is_wanted_is_counted(void **state) {
    static const size_t n_vectors[] = {1, 31, 32, 125, MOST_VECTORS}, n_rows[] = {1, 77, 4096, 6001},
                        n_states[][2] = {{2, 1}, {3, 4}, {20, 3}};
    random_stream random;
    octet_counts counts = {0};
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(72));
    for (size_t i = 0; i < 20; i++) {
        octet_columns *columns = NULL;
        size_t n = n_vectors[i % 5], rows = n_rows[i % 4], n_words = (rows / 64 / 8 + 1) * 8;
        const size_t *r = n_states[i % 3];
        size_t first = random_below(&random, n), end = i % 2 ? n : first + 1;
        octet_base_column base[2] = {{values[0], r[0]}, {values[1], r[1]}};
        fill(&random, n, n_words, rows);
        draw_values(&random, rows, r);
        assert_ok(octet_columns_create(vectors, n, n_words, rows, 1 + i % 3, &columns, &err), &err);
        if (!columns) /* this level counts whole vectors */
            skip();
        assert_ok(octet_counts_want_none(&counts, columns, &err), &err);
        octet_counts_want(&counts, first, end);
        assert_in_range(octet_counts_sets(&counts), 1, n / 31 + 1);
        count_in_parts(&counts, columns, base, rows, r[0] * r[1], first, end);
        for (size_t v = first; v < end; v++)
            compare_vector(&counts, v, n_words, rows, r[0], r[0] * r[1]);
        octet_columns_destroy(columns);
    }
    octet_counts_clear(&counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_added_to_their_cells),
        cmocka_unit_test(what_is_wanted_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
