/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States in a few bits each, and the vectors that are made of them. */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/base/random.h"
#include "core/counting/state_vectors_internal.h"
#include "core/data/dataset_file.h"
#include "core/run/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

/* n values of so many bits by the words of docs/file-formats.md, on a multiple of eight bytes. */
static unsigned char *pack(const uint8_t *values, size_t n, size_t bits) {
    unsigned char *packed = calloc(n * bits / 64 + 1, 8);
    for (size_t i = 0; i < n * bits; i++)
        packed[i / 8] |= (unsigned char)((values[i / bits] >> i % bits & 1) << i % 8);
    return packed;
}

static void values_come_out_as_they_went_in(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(5));
    for (size_t round = 0; round < 400; round++) {
        size_t bits = (size_t)1 << random_below(&random, 4), n = 1 + random_below(&random, 900);
        uint8_t values[900], seen[902] = {0};
        for (size_t i = 0; i < n; i++)
            values[i] = (uint8_t)random_below(&random, (uint64_t)1 << bits);
        unsigned char *packed = pack(values, n, bits);
        packed_values v = {packed, bits};
        size_t first = random_below(&random, n) / 8 * 8, some = 1 + random_below(&random, n - first);
        seen[some] = 77;
        packed_values_unpack(&v, first, some, seen);
        assert_memory_equal(seen, values + first, some);
        assert_int_equal(seen[some], 77);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(packed_values_at(&v, i), values[i]);
        free(packed);
    }
}

static void a_value_that_is_no_state_is_seen(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(6));
    for (size_t round = 0; round < 4000; round++) {
        size_t bits = (size_t)1 << random_below(&random, 4), n = 1 + random_below(&random, 200);
        size_t r = 1 + random_below(&random, (uint64_t)1 << bits), most = 0;
        uint8_t values[200];
        for (size_t i = 0; i < n; i++)
            values[i] = (uint8_t)random_below(&random, r);
        if (round % 2)
            values[random_below(&random, n)] = (uint8_t)random_below(&random, (uint64_t)1 << bits);
        for (size_t i = 0; i < n; i++)
            most = values[i] > most ? values[i] : most;
        unsigned char *packed = pack(values, n, bits);
        assert_int_equal(packed_values_exceed(&(packed_values){packed, bits}, n, r), most >= r);
        free(packed);
    }
}

/* ---- a dataset whose columns are packed ---- */

static dataset *draw_data(size_t n_rows, uint64_t seed) {
    static const size_t counts[] = {1, 2, 3, 4, 7, 16, 17, 256, 300};
    enum { N = sizeof counts / sizeof *counts };
    variable v[N] = {0};
    dataset *data = NULL;
    random_stream random;
    error_info err = {0};
    random_stream_init(&random, random_key_of(seed));
    for (size_t c = 0; c < N; c++) {
        char name[16], *states[300];
        (void)snprintf(name, sizeof name, "V%zu", c);
        for (size_t k = 0; k < counts[c]; k++) {
            states[k] = malloc(16);
            (void)snprintf(states[k], 16, "s%zu", k);
        }
        assert_ok(variable_init_discrete(&v[c], name, (const char *const *)states, counts[c], &err), &err);
        for (size_t k = 0; k < counts[c]; k++)
            free(states[k]);
    }
    assert_ok(dataset_create(v, N, n_rows, &data, &err), &err);
    for (size_t c = 0; c < N; c++) {
        for (size_t row = 0; row < n_rows; row++)
            dataset_set_state(data, row, c, (size_t)random_below(&random, counts[c]));
        variable_clear(&v[c]);
    }
    return data;
}

static dataset *read_back(const dataset *data) {
    char *path = path_join(scratch_folder(), "packed.bnd");
    dataset *again = NULL;
    error_info err = {0};
    assert_ok(dataset_write(data, path, &err), &err);
    assert_ok(dataset_read(path, NULL, &again, NULL, &err), &err);
    free(path);
    return again;
}

/* First by single values, then by parts, and once all of a column was asked for. */
static void columns_are_the_same_however_they_are_asked_for(void **state) {
    static const size_t sizes[] = {1, 7, 64, 65, 1000, 20000};
    _Alignas(64) uint8_t scratch[128];
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n_rows = sizes[i];
        dataset *data = draw_data(n_rows, i), *packed = read_back(data);
        for (size_t c = 0; c + 1 < dataset_column_count(data); c++) {
            size_t first = n_rows / 128 * 64, n = n_rows - first < 100 ? n_rows - first : 100;
            const uint8_t *plain = dataset_bytes(data, c), *part;
            for (size_t row = 0; row < n_rows; row += 1 + n_rows / 50)
                assert_int_equal(dataset_state(packed, row, c), plain[row]);
            part = dataset_bytes_part(packed, c, first, n, scratch);
            assert_ptr_equal(part, scratch);
            assert_memory_equal(part, plain + first, n);
            for (size_t k = n; k % 64; k++)
                assert_int_equal(part[k], 0);
            assert_memory_equal(dataset_bytes(packed, c), plain, (n_rows / 64 + 1) * 64);
            assert_ptr_equal(dataset_bytes_part(packed, c, first, n, scratch), dataset_bytes(packed, c) + first);
            assert_int_equal(dataset_state(packed, n_rows - 1, c), plain[n_rows - 1]);
        }
        dataset_destroy(packed);
        dataset_destroy(data);
    }
}

/* The fingerprint needs no column as a whole; that of the copy has all of them. */
static void a_copy_of_packed_columns_is_the_same_data(void **state) {
    dataset *data = draw_data(40000, 9), *packed = read_back(data), *copy = NULL;
    size_t order[9];
    char prints[3][DATASET_FINGERPRINT_SIZE];
    error_info err = {0};
    (void)state;
    for (size_t c = 0; c < 9; c++)
        order[c] = c;
    assert_ok(dataset_fingerprint(packed, prints[0], &err), &err);
    assert_ok(dataset_reorder(packed, order, &copy, &err), &err);
    assert_ok(dataset_fingerprint(copy, prints[1], &err), &err);
    assert_ok(dataset_fingerprint(data, prints[2], &err), &err);
    assert_string_equal(prints[0], prints[1]);
    assert_string_equal(prints[0], prints[2]);
    dataset_destroy(copy);
    dataset_destroy(packed);
    dataset_destroy(data);
}

typedef struct {
    const dataset *packed, *plain;
} two;

static status look_at_columns(void *self, size_t worker, error_info *err) {
    const two *t = self;
    for (size_t c = 0; c + 1 < dataset_column_count(t->plain); c++) {
        if (memcmp(dataset_bytes(t->packed, c), dataset_bytes(t->plain, c), dataset_row_count(t->plain)) != 0)
            return error_set(err, STATUS_INVALID, "thread %zu sees other values in column %zu", worker, c);
    }
    return STATUS_OK;
}

static void threads_may_ask_for_a_column_at_once(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        dataset *data = draw_data(3000, seed), *packed = read_back(data);
        error_info err = {0};
        assert_ok(parallel_run(4, look_at_columns, &(two){packed, data}, &err), &err);
        dataset_destroy(packed);
        dataset_destroy(data);
    }
}

/* ---- vectors ---- */

static void vectors_have_the_rows_of_their_states(void **state) {
    static const size_t sizes[] = {1, 63, 64, 1000, 16384, 16385, 40000};
    const count_kernels *kernels = count_kernels_choose();
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        dataset *data = draw_data(sizes[i], 30 + i), *packed = read_back(data);
        size_t n_words = (sizes[i] / 64 / KERNEL_WORDS + 1) * KERNEL_WORDS;
        for (size_t c = 0; c + 1 < dataset_column_count(data); c++) {
            size_t r = dataset_state_count(data, c);
            uint64_t *out = aligned_alloc(64, r * n_words * sizeof *out);
            memset(out, 0xFF, r * n_words * sizeof *out);
            state_vectors_fill(kernels, &(state_vectors){i % 2 ? data : packed, c, r}, n_words, out, n_words);
            for (size_t k = 0; k < r; k++) {
                for (size_t row = 0; row < 64 * n_words; row++) {
                    bool is_in = row < sizes[i] && dataset_bytes(data, c)[row] == k;
                    assert_int_equal(out[k * n_words + row / 64] >> row % 64 & 1, is_in);
                }
            }
            free(out);
        }
        dataset_destroy(packed);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_out_as_they_went_in),
        cmocka_unit_test(a_value_that_is_no_state_is_seen),
        cmocka_unit_test(columns_are_the_same_however_they_are_asked_for),
        cmocka_unit_test(a_copy_of_packed_columns_is_the_same_data),
        cmocka_unit_test(threads_may_ask_for_a_column_at_once),
        cmocka_unit_test(vectors_have_the_rows_of_their_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
