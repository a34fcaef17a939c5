/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/bits.h"
#include "core/counting/column_blocks.h"
#include "core/counting/count_kernels_internal.h"
#include "core/counting/quad_kernels_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 150 };

static dataset *make_columns(random_stream *random, size_t n_rows, size_t n_columns, const size_t *n_states) {
    int *cells = calloc(n_rows * n_columns + 1, sizeof *cells);
    dataset *data;
    for (size_t i = 0; i < n_rows * n_columns; i++) {
        size_t r = n_states[i % n_columns];
        cells[i] = (int)(random_below(random, 3) == 0 ? random_below(random, r) : r / 2);
    }
    data = make_dataset(n_rows, n_columns, n_states, cells);
    free(cells);
    return data;
}

/* A cell of a base of the first n_base columns, with a state of another. */
static uint32_t count_slowly(const dataset *data, uint32_t cell, size_t n_base, size_t column, size_t state) {
    uint32_t n = 0;
    for (size_t i = 0; i < dataset_row_count(data); i++) {
        uint32_t left = cell;
        bool fits = dataset_state(data, i, column) == state;
        for (size_t c = 0; c < n_base && fits; c++) {
            fits = dataset_state(data, i, c) == left % dataset_state_count(data, c);
            left /= (uint32_t)dataset_state_count(data, c);
        }
        n += fits;
    }
    return n;
}

static void check_group(const dataset *data, size_t n_base, const counts_base *base, const column_block *block,
                        const column_group *g, const uint32_t *common) {
    for (size_t k = 0; k < base->n; k++) {
        for (size_t i = 0; i < g->n_members * g->n_states; i++) {
            size_t column = block->first + block->members[g->first_member + i % g->n_members];
            assert_int_equal(common[k * block->n_counts + g->first_count + i],
                             count_slowly(data, base->cell[k], n_base, column, i / g->n_members));
        }
    }
}

/* Every block with the bases of the first one, two and three columns. */
static void check_data(const dataset *data) {
    static const size_t conditioning[] = {1, 2};
    uint32_t label[MOST_COLUMNS], *common;
    column_blocks *blocks = NULL;
    column_base cells = {0};
    counts *c = NULL;
    counts_base base;
    error_info err = {0};
    for (uint32_t i = 0; i < MOST_COLUMNS; i++)
        label[i] = 7 - i % 3;
    assert_ok(column_blocks_create(data, label, &blocks, &err), &err);
    assert_ok(counts_create(data, &c, &err), &err);
    for (size_t n = 1; n <= 3; n++) {
        assert_ok(counts_get_base(c, 0, conditioning, n - 1, &base, &err), &err);
        for (size_t b = 0; b < column_blocks_count(blocks); b++) {
            const column_block *block = column_blocks_at(blocks, b);
            common = calloc(base.n * block->n_counts + 1, sizeof *common);
            assert_ok(column_base_set(&cells, blocks, &base, &err), &err);
            column_blocks_cross(blocks, b, &cells, common);
            for (size_t i = 0; i < block->n_groups; i++)
                check_group(data, n, &base, block, &block->groups[i], common);
            free(common);
        }
    }
    column_base_clear(&cells);
    counts_destroy(c);
    column_blocks_destroy(blocks);
}

static void check_at_every_level(const dataset *data) {
    for (size_t level = 0; count_kernels_level(level); level++) {
        assert_int_equal(setenv("BNBENCH_SIMD", count_kernels_level(level)->name, 1), 0);
        check_data(data);
    }
    assert_int_equal(unsetenv("BNBENCH_SIMD"), 0);
}

/* A group has up to 64 members: up to 128 vectors, which lie side by side, and one more set. */
static void groups_of_any_size_are_counted(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(60));
    for (size_t n_columns = 3; n_columns <= MOST_COLUMNS; n_columns += n_columns < 20 ? 1 : 13) {
        size_t n_states[MOST_COLUMNS], n_rows = 1 + random_below(&random, 300);
        dataset *data;
        for (size_t i = 0; i < n_columns; i++)
            n_states[i] = i < 3 ? 2 + i : n_columns % 3 == 0 ? 4 : 2 + random_below(&random, n_columns % 3);
        data = make_columns(&random, n_rows, n_columns, n_states);
        check_at_every_level(data);
        dataset_destroy(data);
    }
}

static void any_number_of_rows_is_counted(void **state) {
    static const size_t n_states[] = {2, 3, 5, 2, 32, 33, 1, 4};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t n_rows = 1; n_rows <= 35000; n_rows += n_rows < 20     ? 1
                                                       : n_rows < 260  ? 9
                                                       : n_rows < 1000 ? 247
                                                                       : 16111) {
        dataset *data = make_columns(&random, n_rows, sizeof n_states / sizeof *n_states, n_states);
        check_at_every_level(data);
        dataset_destroy(data);
    }
}

/* Runs of ones, of zeros and of neither, which the byte counters' worst cases are among. */
static void fill_vectors(random_stream *random, uint64_t *vectors, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t kind = random_below(random, 8);
        vectors[i] = kind == 0 ? 0 : kind < 6 ? UINT64_MAX : random_next(random);
    }
}

static void check_quads(const quad_kernels *quads) {
    enum { LANES = QUAD_SETS * QUAD_LANES };
    uint64_t *vectors = aligned_alloc(64, (LANES + 1) * QUAD_WORDS * sizeof *vectors),
             *one = vectors + LANES * QUAD_WORDS;
    uint8_t *lanes = aligned_alloc(64, LANES * QUAD_WORDS * QUADS_OF_WORD);
    row_quad *list = malloc((QUAD_WORDS * QUADS_OF_WORD + QUADS_AT_ONCE) * sizeof *list);
    random_stream random;
    random_stream_init(&random, random_key_of(62));
    for (size_t n_words = KERNEL_WORDS; n_words <= QUAD_WORDS; n_words += KERNEL_WORDS) {
        size_t n_sets = n_words / KERNEL_WORDS % QUAD_SETS + 1, n_vectors = n_sets * QUAD_LANES - n_words % 29;
        uint32_t plain[LANES], sums[LANES];
        fill_vectors(&random, vectors, n_vectors * n_words);
        fill_vectors(&random, one, n_words);
        for (size_t s = 0; s < n_sets; s++)
            quads->lay(vectors + s * QUAD_LANES * n_words, s + 1 < n_sets ? QUAD_LANES : n_vectors - s * QUAD_LANES,
                       n_words, lanes + s * QUAD_LANES, n_sets * QUAD_LANES);
        count_kernels_level(0)->count_block(one, vectors, n_vectors, n_words, plain);
        for (size_t i = 0; i < LANES; i++)
            sums[i] = (uint32_t)i;
        quads->count(list, quads->list(one, n_words, list), lanes, n_sets, sums);
        for (size_t i = 0; i < n_vectors; i++)
            assert_int_equal(sums[i], plain[i] + i);
    }
    free(list);
    free(lanes);
    free(vectors);
}

static void quads_give_the_ones_of_whole_vectors(void **state) {
    (void)state;
    for (size_t i = 1; count_kernels_level(i); i++)
        check_quads(quad_kernels_level(i));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_of_any_size_are_counted),
        cmocka_unit_test(any_number_of_rows_is_counted),
        cmocka_unit_test(quads_give_the_ones_of_whole_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
