/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "core/base/sparse_bits.h"

#include <stdlib.h>

enum { MOST = 300 };

static size_t draw_items(random_stream *random, size_t bound, uint64_t one_in, size_t *items) {
    size_t n = 0;
    for (size_t i = 0; i < bound; i++) {
        if (random_below(random, one_in) == 0)
            items[n++] = i;
    }
    return n;
}

static void fill(random_stream *random, size_t bound, sparse_bits *s, bool *plain) {
    size_t items[MOST], n = draw_items(random, bound, 1 + random_below(random, 100), items);
    bool has_others = random_below(random, 2);
    error_info err = {0};
    for (size_t i = 0; i < bound; i++)
        plain[i] = has_others;
    for (size_t i = 0; i < n; i++)
        plain[items[i]] = !has_others;
    if (has_others)
        assert_ok(sparse_bits_set_all_but(s, bound, items, n, &err), &err);
    else
        assert_ok(sparse_bits_set_only(s, items, n, &err), &err);
}

static void assert_same(const sparse_bits *s, const bool *plain, size_t bound, int round) {
    size_t n = 0;
    for (size_t i = 0; i < bound; i++) {
        n += plain[i];
        if (sparse_bits_has(s, i) != plain[i])
            fail_msg("seed 31, round %d: %zu of %zu", round, i, bound);
    }
    assert_int_equal(sparse_bits_count(s, bound), n);
}

static void a_sparse_set_is_the_set_that_an_array_of_flags_is(void **state) {
    random_stream random;
    sparse_bits a = {0}, b = {0};
    (void)state;
    random_stream_init(&random, random_key_of(31));
    for (int round = 0; round < 2000; round++) {
        size_t bound = 1 + (size_t)random_below(&random, MOST), item = (size_t)random_below(&random, bound);
        bool in_a[MOST], in_b[MOST], unites = random_below(&random, 2);
        error_info err = {0};
        fill(&random, bound, &a, in_a);
        fill(&random, bound, &b, in_b);
        assert_ok(sparse_bits_remove(&a, item, &err), &err);
        in_a[item] = false;
        assert_same(&a, in_a, bound, round);
        assert_ok(unites ? sparse_bits_unite(&a, &b, &err) : sparse_bits_subtract(&a, &b, &err), &err);
        for (size_t i = 0; i < bound; i++)
            in_a[i] = unites ? in_a[i] || in_b[i] : in_a[i] && !in_b[i];
        assert_same(&a, in_a, bound, round);
        assert_same(&b, in_b, bound, round);
    }
    sparse_bits_clear(&a);
    sparse_bits_clear(&b);
}

static bool is_flagged(const void *flags, size_t item) {
    return ((const bool *)flags)[item];
}

static void numbers_that_a_rule_names_are_taken_out(void **state) {
    random_stream random;
    sparse_bits a = {0};
    (void)state;
    random_stream_init(&random, random_key_of(32));
    for (int round = 0; round < 2000; round++) {
        size_t bound = 1 + (size_t)random_below(&random, MOST), items[MOST];
        bool in_a[MOST] = {false}, goes[MOST];
        size_t n = draw_items(&random, bound, 1 + random_below(&random, 10), items);
        error_info err = {0};
        assert_ok(sparse_bits_set_only(&a, items, n, &err), &err);
        for (size_t i = 0; i < bound; i++)
            goes[i] = random_below(&random, 2);
        for (size_t i = 0; i < n; i++)
            in_a[items[i]] = !goes[items[i]];
        sparse_bits_remove_if(&a, is_flagged, goes);
        assert_same(&a, in_a, bound, round);
        for (size_t i = 0; i < a.n; i++)
            assert_true(a.words[i].bits != 0);
    }
    sparse_bits_clear(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sparse_set_is_the_set_that_an_array_of_flags_is),
        cmocka_unit_test(numbers_that_a_rule_names_are_taken_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
