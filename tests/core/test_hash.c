/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/hash.h"
#include "core/base/name_index.h"
#include "core/base/random.h"
#include "core/base/text_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000 };

static void numbers_under_a_hash_come_all_and_once(void **state) {
    hash_table table = {0};
    error_info err = {0};
    random_stream random;
    uint64_t hashes[N];
    static size_t seen[N];
    (void)state;
    random_stream_init(&random, random_key_of(7));
    for (size_t i = 0; i < N; i++) {
        hashes[i] = random_below(&random, N / 3) << (i % 2 ? 0 : 40); /* many alike; many alike in their low bits */
        assert_ok(hash_table_add(&table, hashes[i], i, &err), &err);
    }
    assert_int_equal(table.n, N);
    assert_true(table.n_slots >= 2 * table.n);
    for (size_t i = 0; i < N; i++) {
        size_t at = (size_t)hashes[i], number, n_found = 0;
        while ((number = hash_next(&table, hashes[i], &at)) != HASH_NONE) {
            assert_true(hashes[number] == hashes[i]);
            assert_false(seen[number] == i + 1);
            seen[number] = i + 1;
            n_found++;
        }
        for (size_t k = 0; k < N; k++)
            n_found -= hashes[k] == hashes[i];
        if (n_found != 0)
            fail_msg("seed 7: under the hash of %zu not all numbers stand", i);
    }
    assert_true(hash_find(&table, N) == HASH_NONE);
    hash_table_empty(&table);
    assert_true(hash_find(&table, hashes[0]) == HASH_NONE);
    hash_table_clear(&table);
}

static void an_empty_table_holds_nothing(void **state) {
    hash_table table = {0};
    error_info err = {0};
    (void)state;
    assert_true(hash_find(&table, 0) == HASH_NONE);
    hash_table_empty(&table);
    assert_int_equal(hash_table_reserve(&table, SIZE_MAX / 4, &err), STATUS_MEMORY);
    assert_ok(hash_table_reserve(&table, 100, &err), &err);
    assert_true(hash_find(&table, 0) == HASH_NONE);
    hash_table_clear(&table);
}

static void different_numbers_have_different_hashes(void **state) {
    hash_table table = {0};
    error_info err = {0};
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t hash = hash_number(i * i + (i << 33));
        assert_true(hash_find(&table, hash) == HASH_NONE);
        assert_ok(hash_table_add(&table, hash, (size_t)i, &err), &err);
    }
    assert_true(hash_real(0.0) != hash_real(-0.0));
    hash_table_clear(&table);
}

/* Random words, many of them twice, against a plain list. */
static void names_are_found_as_in_a_plain_list(void **state) {
    static char words[N][8];
    size_t numbers[N], n = 0;
    name_index *index = NULL;
    text_set set = {0};
    error_info err = {0};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(11));
    assert_ok(name_index_create(0, &index, &err), &err);
    for (size_t i = 0; i < N; i++) {
        char word[8];
        size_t known = 0, earlier = 0;
        (void)snprintf(word, sizeof word, "%x", (unsigned)random_below(&random, N) << random_below(&random, 12));
        while (known < n && strcmp(words[known], word) != 0)
            known++;
        assert_ok(name_index_add(index, word, i, &earlier, &err), &err);
        assert_true(earlier == (known < n ? numbers[known] : NAME_NONE));
        assert_true(text_set_find(&set, word, strlen(word)) == (known < n ? known : NAME_NONE));
        if (known < n)
            continue;
        assert_ok(text_set_add(&set, word, strlen(word), &err), &err);
        memcpy(words[n], word, sizeof word);
        numbers[n++] = i;
    }
    for (size_t k = 0; k < n; k++) {
        assert_int_equal(name_index_find(index, words[k]), numbers[k]);
        assert_string_equal(set.texts[k], words[k]);
    }
    assert_true(name_index_find(index, "no such word") == NAME_NONE);
    assert_int_equal(name_index_find_n(index, words[0], strlen(words[0])), numbers[0]);
    assert_true(name_index_find_n(index, "no such word", 12) == NAME_NONE);
    name_index_destroy(index);
    text_set_clear(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_under_a_hash_come_all_and_once),
        cmocka_unit_test(an_empty_table_holds_nothing),
        cmocka_unit_test(different_numbers_have_different_hashes),
        cmocka_unit_test(names_are_found_as_in_a_plain_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
