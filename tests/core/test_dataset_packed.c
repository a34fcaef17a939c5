/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/packed_support.h"
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/data/dataset_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Three rows of a {no, yes}, b {x, y, z} and the real c, packed by a program of fifteen lines of Python from the words
 * of docs/file-formats.md.
 */
static const unsigned char golden[] = {
    0x89, 0x42, 0x4e, 0x44, 0x0d, 0x0a, 0x1a, 0x0a, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x4f, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xd0, 0xc3, 0xea, 0x50, 0xdf, 0xbb, 0xd0, 0x55, 0x72,
    0x04, 0xeb, 0xec, 0xda, 0x62, 0xe9, 0x75, 0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0xbe, 0x83, 0x9d, 0x0e,
    0xa5, 0x9f, 0x2c, 0xf8, 0x61, 0x02, 0x00, 0x00, 0x00, 0x6e, 0x6f, 0x03, 0x00, 0x00, 0x00, 0x79, 0x65, 0x73, 0x03,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x59, 0xb0, 0xd4, 0x2d, 0x16, 0x99, 0x75, 0x40, 0x62, 0x01, 0x00, 0x00,
    0x00, 0x78, 0x01, 0x00, 0x00, 0x00, 0x79, 0x01, 0x00, 0x00, 0x00, 0x7a, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
    0x00, 0xcf, 0xa8, 0x6c, 0x1f, 0x39, 0xc5, 0xbc, 0x18, 0x63, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x12, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0xf8, 0x3f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0xd0, 0x3f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00};

static dataset *make_golden(void) {
    static const char *const a[] = {"no", "yes"}, *const b[] = {"x", "y", "z"};
    static const double c[] = {1.5, -2, 0.25};
    variable v[3] = {0};
    dataset *data = NULL;
    error_info err = {0};
    assert_ok(variable_init_discrete(&v[0], "a", a, 2, &err), &err);
    assert_ok(variable_init_discrete(&v[1], "b", b, 3, &err), &err);
    assert_ok(variable_init_continuous(&v[2], "c", &err), &err);
    assert_ok(dataset_create(v, 3, 3, &data, &err), &err);
    for (size_t row = 0; row < 3; row++) {
        dataset_set_state(data, row, 0, (row + 1) % 2);
        dataset_set_state(data, row, 1, (size_t[]){2, 0, 1}[row]);
        dataset_build_reals(data, 2)[row] = c[row];
    }
    for (size_t i = 0; i < 3; i++)
        variable_clear(&v[i]);
    return data;
}

static void assert_same_data(const dataset *a, const dataset *b) {
    char print_a[DATASET_FINGERPRINT_SIZE], print_b[DATASET_FINGERPRINT_SIZE];
    error_info err = {0};
    assert_ok(dataset_fingerprint(a, print_a, &err), &err);
    assert_ok(dataset_fingerprint(b, print_b, &err), &err);
    assert_string_equal(print_a, print_b);
}

static void assert_unpacks_to(const dataset *data, const char *file, size_t size, size_t n_threads) {
    dataset *again = NULL;
    error_info err = {0};
    assert_ok(dataset_unpack(&(packed_source){-1, file, size}, n_threads, &again, &err), &err);
    assert_same_data(data, again);
    dataset_destroy(again);
}

/* Another program's bytes are read, and ours are the same. */
static void a_small_file_has_the_bytes_that_the_format_says(void **state) {
    dataset *data = make_golden();
    char *file = NULL;
    size_t size = 0;
    error_info err = {0};
    (void)state;
    assert_ok(dataset_pack(data, &file, &size, &err), &err);
    assert_int_equal(size, sizeof golden);
    assert_memory_equal(file, golden, sizeof golden);
    assert_unpacks_to(data, (const char *)golden, sizeof golden, 1);
    free(file);
    dataset_destroy(data);
}

/* ---- round trips ---- */

static void draw_variable(random_stream *random, size_t i, variable *v) {
    static const size_t counts[] = {0, 1, 2, 3, 4, 5, 16, 17, 256, 257, 1000};
    size_t n = counts[random_below(random, sizeof counts / sizeof *counts)];
    char **states = calloc(n + 1, sizeof *states), name[32];
    error_info err = {0};
    (void)snprintf(name, sizeof name, "v %zu", i);
    for (size_t k = 0; k < n; k++) {
        char text[32] = "";
        if (k > 0)
            (void)snprintf(text, sizeof text, "s%zu", k);
        states[k] = text_copy(text);
    }
    if (n)
        assert_ok(variable_init_discrete(v, name, (const char *const *)states, n, &err), &err);
    else
        assert_ok(variable_init_continuous(v, name, &err), &err);
    texts_destroy(states, n);
}

static dataset *draw_data(random_stream *random) {
    enum { MOST = 9 };
    variable v[MOST] = {0};
    size_t p = 1 + (size_t)random_below(random, MOST),
           n = 1 + (size_t)random_below(random, random_below(random, 4) ? 150 : 20000);
    dataset *data = NULL;
    error_info err = {0};
    for (size_t c = 0; c < p; c++)
        draw_variable(random, c, &v[c]);
    assert_ok(dataset_create(v, p, n, &data, &err), &err);
    for (size_t c = 0; c < p; c++) {
        for (size_t row = 0; row < n; row++) {
            if (v[c].n_states)
                dataset_set_state(data, row, c, (size_t)random_below(random, v[c].n_states));
            else
                dataset_build_reals(data, c)[row] =
                    (random_uniform(random) - 0.5) * pow(10, (double)random_below(random, 600) - 300);
        }
        variable_clear(&v[c]);
    }
    return data;
}

static void random_data_read_back(void **state) {
    static const char *const names[] = {"x.bnd", "x.bnd.gz"};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(29));
    for (size_t i = 0; i < 120; i++) {
        dataset *data = draw_data(&random), *again = NULL;
        char *path = path_join(scratch_folder(), names[i % 2]);
        schema_origin origin = SCHEMA_GIVEN;
        error_info err = {0};
        assert_ok(dataset_write(data, path, &err), &err);
        assert_ok(dataset_read(path, &(data_reading){.n_threads = 1 + i % 3}, &again, &origin, &err), &err);
        assert_int_equal(origin, SCHEMA_OWN);
        assert_same_data(data, again);
        dataset_destroy(data);
        dataset_destroy(again);
        free(path);
    }
}

/* The dataset promises zeros behind the last value. */
static void the_padding_of_a_column_is_zero(void **state) {
    char file[sizeof golden];
    dataset *data = NULL;
    error_info err = {0};
    (void)state;
    memcpy(file, golden, sizeof file);
    file[0xC0] = '\x7D'; /* bits behind the third value of a */
    packed_mend(file, sizeof file);
    assert_ok(dataset_unpack(&(packed_source){-1, file, sizeof file}, 1, &data, &err), &err);
    for (size_t i = 3; i < 64; i++)
        assert_int_equal(dataset_bytes(data, 0)[i], 0);
    dataset_destroy(data);
}

static void the_first_bytes_say_what_a_file_is(void **state) {
    char *path = path_join(scratch_folder(), "data.csv");
    dataset *data = make_golden(), *again = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(file_write(path, (const char *)golden, sizeof golden, &err), &err);
    assert_ok(dataset_read(path, NULL, &again, NULL, &err), &err);
    assert_same_data(data, again);
    dataset_destroy(data);
    dataset_destroy(again);
    free(path);
}

/* ---- state spaces that are given ---- */

static void given_states_are_matched_by_name(void **state) {
    static const char *const a[] = {"yes", "perhaps", "no"}, *const less[] = {"yes", "perhaps"};
    variable v[3] = {0};
    dataset *data = NULL, *none = NULL;
    char *path = path_join(scratch_folder(), "g.bnd");
    data_reading how = {.given = v, .n_given = 3};
    error_info err = {0};
    (void)state;
    assert_ok(variable_init_discrete(&v[0], "a", a, 3, &err), &err);
    assert_ok(variable_init_discrete(&v[1], "b", (const char *const[]){"x", "y", "z"}, 3, &err), &err);
    assert_ok(variable_init_continuous(&v[2], "c", &err), &err);
    assert_ok(file_write(path, (const char *)golden, sizeof golden, &err), &err);
    assert_ok(dataset_read(path, &how, &data, NULL, &err), &err);
    assert_int_equal(dataset_state_count(data, 0), 3);
    assert_int_equal(dataset_state(data, 0, 0), 0);
    assert_int_equal(dataset_state(data, 1, 0), 2);
    assert_int_equal(dataset_state(data, 0, 1), 2);
    assert_close(dataset_reals(data, 2)[1], -2, 0);
    how.n_given = 2;
    assert_int_equal(dataset_read(path, &how, &none, NULL, &err), STATUS_PARSE);
    assert_message_has(&err, "g.bnd: the column 'c' is not among the 2 variables given");
    variable_clear(&v[0]);
    assert_ok(variable_init_discrete(&v[0], "a", less, 2, &err), &err);
    how.n_given = 3;
    assert_int_equal(dataset_read(path, &how, &none, NULL, &err), STATUS_PARSE);
    assert_message_has(&err, "row 2: 'no' is not a state of 'a'");
    variable_clear(&v[0]);
    assert_ok(variable_init_continuous(&v[0], "a", &err), &err);
    assert_int_equal(dataset_read(path, &how, &none, NULL, &err), STATUS_PARSE);
    assert_message_has(&err, "the column 'a' is discrete in the file, and continuous among the variables given");
    assert_null(none);
    dataset_destroy(data);
    for (size_t i = 0; i < 3; i++)
        variable_clear(&v[i]);
    free(path);
}

/* ---- what is refused ---- */

static void assert_refused(const char *file, size_t size, const char *message) {
    dataset *data = NULL;
    error_info err = {0};
    for (size_t as_file = 0; as_file < 2; as_file++) {
        status st = as_file ? unpack_from_file(file, size, 2, &data, &err)
                            : dataset_unpack(&(packed_source){-1, file, size}, 2, &data, &err);
        if (st != STATUS_PARSE || !strstr(err.message, message) || data)
            fail_msg("expected a refusal with '%s', found %s '%s'", message, status_name(st), err.message);
    }
}

static void every_bit_that_flips_and_every_byte_that_lacks_is_found(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof golden; i++) {
        char *cut = malloc(i + 1), file[sizeof golden];
        memcpy(cut, golden, i);
        assert_refused(cut, i, i < 64 ? "cut short" : "it was cut short");
        free(cut);
        for (size_t bit = 0; bit < 8; bit++) {
            memcpy(file, golden, sizeof file);
            file[i] = (char)(file[i] ^ 1 << bit);
            assert_refused(file, sizeof file, "");
        }
    }
}

static void assert_change_refused(size_t at, uint64_t value, size_t n_bytes, const char *message) {
    char file[sizeof golden];
    memcpy(file, golden, sizeof file);
    for (size_t i = 0; i < n_bytes; i++)
        file[at + i] = (char)(value >> 8 * i);
    packed_mend(file, sizeof file);
    assert_refused(file, sizeof file, message);
}

/* Files whose sums are right, by intent or by a program's mistake. */
static void what_cannot_be_is_refused(void **state) {
    char longer[sizeof golden + 1] = {0}, file[sizeof golden];
    (void)state;
    assert_change_refused(PACKED_AT_ROWS, 0, 8, "holds no rows");
    assert_change_refused(PACKED_AT_COLUMNS, 0, 8, "holds no columns");
    assert_change_refused(PACKED_AT_ROWS, UINT64_MAX, 8, "the rows do not fit");
    assert_change_refused(PACKED_AT_ROWS, 1000, 8, "the values do not fit");
    assert_change_refused(PACKED_AT_COLUMNS, UINT64_MAX, 8, "the names of the columns do not fit");
    assert_change_refused(PACKED_AT_COLUMNS, 4, 8, "there are fewer columns than it says");
    assert_change_refused(PACKED_AT_COLUMNS, 2, 8, "it leaves bytes over");
    assert_change_refused(PACKED_AT_SCHEMA_SIZE, UINT64_MAX, 8, "the names of the columns do not fit");
    assert_change_refused(64, UINT32_MAX, 4, "");
    assert_change_refused(64 + 4, UINT32_MAX, 4, "a name goes past its end");
    assert_change_refused(64 + 4, 0, 4, "");
    assert_change_refused(64 + 16, 0, 1, "holds a NUL byte");
    assert_change_refused(64 + 16, 'b', 1, "two columns are named 'b'");
    assert_change_refused(0x100, 0x13, 1, "row 1 of 'b' is state 3, counted from 0, and there are 3");
    assert_change_refused(0x140 + 8, 0x7FF8000000000000u, 8, "row 2 of 'c' is no finite number");
    memcpy(longer, golden, sizeof golden);
    assert_refused(longer, sizeof longer, "it was added to");
    memcpy(file, golden, sizeof file);
    file[PACKED_AT_VERSION] = 2;
    assert_refused(file, sizeof file, "is of version 2 of packed data; this bnbench reads version 1");
    memcpy(file, golden, sizeof file);
    file[0xC0] ^= 1;
    assert_refused(file, sizeof file, "is damaged: the values of 'a' do not fit their checksum");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_file_has_the_bytes_that_the_format_says),
        cmocka_unit_test(random_data_read_back),
        cmocka_unit_test(the_padding_of_a_column_is_zero),
        cmocka_unit_test(the_first_bytes_say_what_a_file_is),
        cmocka_unit_test(given_states_are_matched_by_name),
        cmocka_unit_test(every_bit_that_flips_and_every_byte_that_lacks_is_found),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
