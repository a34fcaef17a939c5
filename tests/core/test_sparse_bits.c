/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "core/base/sparse_bits.h"

#include <stdlib.h>

enum { MOST = 300, MOST_LONG = 64 * 3 * SPARSE_BITS_GAPS };

typedef struct {
    sparse_bits bits;
    bool flags[MOST_LONG];
} flagged_set;

static size_t draw_items(random_stream *random, size_t bound, uint64_t one_in, size_t *items) {
    size_t n = 0;
    for (size_t i = 0; i < bound; i++) {
        if (random_below(random, one_in) == 0)
            items[n++] = i;
    }
    return n;
}

static void fill(random_stream *random, size_t bound, sparse_bits *s, bool *plain) {
    size_t items[MOST_LONG], n = draw_items(random, bound, 1 + random_below(random, 100), items);
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

static void change_a_long_set(random_stream *random, flagged_set *a, flagged_set *b, size_t bound) {
    size_t way = random_below(random, a->bits.others ? 2 : 3), item = (size_t)random_below(random, bound);
    error_info err = {0};
    fill(random, bound, &b->bits, b->flags);
    if (random_below(random, 2) == 0)
        assert_ok(sparse_bits_unite(&b->bits, &(sparse_bits){0}, &err), &err); /* which may have gaps then */
    assert_ok(sparse_bits_remove(&a->bits, item, &err), &err);
    a->flags[item] = false;
    if (way == 0)
        assert_ok(sparse_bits_unite(&a->bits, &b->bits, &err), &err);
    else if (way == 1)
        assert_ok(sparse_bits_subtract(&a->bits, &b->bits, &err), &err);
    else
        sparse_bits_remove_if(&a->bits, is_flagged, b->flags);
    for (size_t i = 0; i < bound; i++)
        a->flags[i] = way == 0 ? a->flags[i] || b->flags[i] : a->flags[i] && !b->flags[i];
}

/* Sets of so many words that a union may have gaps, and what comes of it words again. */
static void a_long_set_is_the_set_that_an_array_of_flags_is(void **state) {
    flagged_set *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    size_t n_gaps = 0, n_lists = 0;
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(33));
    for (int round = 0; round < 500; round++) {
        size_t bound = 64 * SPARSE_BITS_GAPS + (size_t)random_below(&random, MOST_LONG - 64 * SPARSE_BITS_GAPS);
        fill(&random, bound, &a->bits, a->flags);
        for (int change = 0; change < 5; change++) {
            change_a_long_set(&random, a, b, bound);
            assert_same(&a->bits, a->flags, bound, round);
            n_gaps += a->bits.gaps != NULL;
            n_lists += a->bits.gaps == NULL;
        }
    }
    assert_true(n_gaps > 100 && n_lists > 100);
    sparse_bits_clear(&a->bits);
    sparse_bits_clear(&b->bits);
    free(a);
    free(b);
}

/* Numbers that lie one, two and three bytes apart, among so many words that there are gaps. */
static void numbers_far_apart_are_kept_by_their_distances(void **state) {
    enum { BOUND = 250000, N = 7 + 2 * SPARSE_BITS_GAPS };
    static bool flags[BOUND];
    size_t items[N] = {0, 1, 63, 64, 191, 192, 16575};
    sparse_bits all = {0}, some = {0};
    error_info err = {0};
    (void)state;
    for (size_t i = 7; i < N; i++)
        items[i] = items[i - 1] + (i % 5 == 0 ? 16384 : 1 + 61 * i % 300);
    assert_true(items[N - 1] < BOUND);
    for (size_t i = 0; i < N; i++)
        flags[items[i]] = true;
    assert_ok(sparse_bits_set_only(&some, items, N, &err), &err);
    assert_ok(sparse_bits_unite(&all, &some, &err), &err);
    assert_non_null(all.gaps);
    assert_same(&all, flags, BOUND, 0);
    for (size_t i = 0; i < N; i += 2)
        flags[items[i]] = false;
    for (size_t i = 0; 2 * i < N; i++)
        items[i] = items[2 * i];
    assert_ok(sparse_bits_set_only(&some, items, (N + 1) / 2, &err), &err);
    assert_ok(sparse_bits_subtract(&all, &some, &err), &err);
    assert_same(&all, flags, BOUND, 1);
    assert_ok(sparse_bits_unite(&all, &some, &err), &err);
    assert_non_null(all.gaps);
    assert_ok(sparse_bits_subtract(&some, &all, &err), &err);
    assert_int_equal(sparse_bits_count(&some, BOUND), 0);
    sparse_bits_clear(&all);
    sparse_bits_clear(&some);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sparse_set_is_the_set_that_an_array_of_flags_is),
        cmocka_unit_test(numbers_that_a_rule_names_are_taken_out),
        cmocka_unit_test(a_long_set_is_the_set_that_an_array_of_flags_is),
        cmocka_unit_test(numbers_far_apart_are_kept_by_their_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
