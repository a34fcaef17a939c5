/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/array.h"
#include "core/base/text.h"

#include <stdint.h>
#include <stdlib.h>

static void values_pushed_stand_in_order(void **state) {
    size_t *items = NULL, n = 0, capacity = 0;
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < 1000; i++)
        assert_ok(ARRAY_PUSH(items, n, capacity, &err, i * i), &err);
    assert_int_equal(n, 1000);
    assert_true(capacity >= n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(items[i], i * i);
    free(items);
}

static void capacity_doubles_so_that_pushes_take_linear_time(void **state) {
    size_t n_moves = 0, last = 0, n = 0, capacity = 0;
    unsigned char *items = NULL;
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < 100000; i++) {
        assert_ok(ARRAY_PUSH(items, n, capacity, &err, (unsigned char)i), &err);
        n_moves += capacity != last;
        last = capacity;
    }
    assert_in_range(n_moves, 1, 17);
    free(items);
}

static void an_empty_array_gets_just_what_is_asked_for(void **state) {
    double *items = NULL;
    size_t capacity = 0;
    error_info err = {0};
    (void)state;
    assert_ok(ARRAY_RESERVE(items, capacity, 7, &err), &err);
    assert_int_equal(capacity, 7);
    assert_ok(ARRAY_RESERVE(items, capacity, 5, &err), &err);
    assert_int_equal(capacity, 7);
    assert_ok(ARRAY_RESERVE(items, capacity, 8, &err), &err);
    assert_int_equal(capacity, 14);
    assert_ok(ARRAY_RESERVE(items, capacity, 100, &err), &err);
    assert_int_equal(capacity, 100);
    free(items);
}

static void more_bytes_than_a_size_can_say_are_no_memory(void **state) {
    uint64_t *items = NULL;
    size_t capacity = 0, n = 0;
    error_info err = {0};
    (void)state;
    assert_ok(ARRAY_PUSH(items, n, capacity, &err, 42), &err);
    uint64_t *before = items;
    size_t capacity_before = capacity;
    const size_t wanted[] = {SIZE_MAX, SIZE_MAX / 8 + 1, SIZE_MAX / 4, (size_t)1 << 61};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_int_equal(ARRAY_RESERVE(items, capacity, wanted[i], &err), STATUS_MEMORY);
        assert_ptr_equal(items, before);
        assert_int_equal(capacity, capacity_before);
    }
    assert_int_equal(array_resize(&items, SIZE_MAX / 8 + 1, sizeof *items, &err), STATUS_MEMORY);
    assert_ptr_equal(items, before);
    assert_int_equal(items[0], 42);
    free(items);
}

static void a_value_may_hold_commas(void **state) {
    typedef struct {
        int a, b;
    } pair;
    pair *items = NULL;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    assert_ok(ARRAY_APPEND(items, n, &err, (pair){1, 2}), &err);
    assert_ok(ARRAY_APPEND(items, n, &err, (pair){3, 4}), &err);
    assert_int_equal(items[0].b, 2);
    assert_int_equal(items[1].a, 3);
    free(items);
}

/* Against a count from one end: lists of 0 to 40 numbers with repetitions, items within and beyond them. */
static void the_place_of_an_item_is_how_many_come_before(void **state) {
    size_t items[40];
    (void)state;
    for (size_t n = 0; n <= 40; n++) {
        for (size_t i = 0; i < n; i++)
            items[i] = 1 + (i * i + i % 3) / 7 * 2;
        for (size_t item = 0; item < 500; item++) {
            size_t below = 0, at_most = 0, at;
            for (size_t i = 0; i < n; i++) {
                below += items[i] < item;
                at_most += items[i] <= item;
            }
            assert_int_equal(array_count_below(items, n, item), below);
            ARRAY_FIND_PLACE(at, n, items[at] <= item);
            assert_int_equal(at, at_most);
        }
    }
}

static void a_list_of_texts_owns_copies(void **state) {
    char **texts = NULL, word[] = "one";
    size_t n = 0;
    error_info err = {0};
    (void)state;
    assert_ok(texts_add(&texts, &n, word, &err), &err);
    word[0] = 'X';
    assert_ok(texts_add(&texts, &n, "", &err), &err);
    assert_int_equal(n, 2);
    assert_string_equal(texts[0], "one");
    assert_string_equal(texts[1], "");
    qsort(texts, n, sizeof *texts, texts_compare);
    assert_string_equal(texts[0], "");
    texts_destroy(texts, n);
    texts_destroy(NULL, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_pushed_stand_in_order),
        cmocka_unit_test(capacity_doubles_so_that_pushes_take_linear_time),
        cmocka_unit_test(an_empty_array_gets_just_what_is_asked_for),
        cmocka_unit_test(more_bytes_than_a_size_can_say_are_no_memory),
        cmocka_unit_test(a_value_may_hold_commas),
        cmocka_unit_test(the_place_of_an_item_is_how_many_come_before),
        cmocka_unit_test(a_list_of_texts_owns_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
