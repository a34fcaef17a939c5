/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of sets, by one thread and by several, also where it grows too large and is begun anew. */
#include "tests/support/support.h"

#include "core/run/parallel.h"
#include "metrics/numerics/set_terms_internal.h"
#include "metrics/tests/ci_test_internal.h"
#include "metrics/tests/table_tests.h"

#include <malloc.h>
#include <string.h>

enum { COLUMNS = 56, ROWS = 40, THREADS = 3 };

typedef struct {
    set_terms *sets[THREADS]; /* by thread */
} shared_terms;

static set_term made_up(size_t a, size_t b, size_t c, size_t d) {
    return (set_term){(int64_t)(((a * COLUMNS + b) * COLUMNS + c) * COLUMNS + d), (double)d};
}

/* Sets of four columns, each with a sum of its own, by all threads; now and then one looks whether they are too many.
 */
static status know_many(void *self, size_t worker, error_info *err) {
    const shared_terms *shared = self;
    set_terms *s = shared->sets[worker];
    for (size_t a = 0; a < COLUMNS; a++) {
        for (size_t b = a + 1; b < COLUMNS; b++) {
            for (size_t c = b + 1; c < COLUMNS; c++) {
                for (size_t d = c + 1; d < COLUMNS; d++) {
                    set_term expected = made_up(a, b, c, d), found;
                    if (!set_terms_find(s, (const size_t[]){a, b}, 2, c, d, &found))
                        set_terms_add(s, (const size_t[]){a, b}, 2, c, d, &expected);
                    else if (found.sum != expected.sum || found.n_cells != expected.n_cells)
                        return error_set(err, STATUS_BUG, "%zu %zu %zu %zu: another sum", a, b, c, d);
                }
            }
            set_terms_shrink(s);
        }
    }
    return STATUS_OK;
}

static void threads_know_the_same_sums_and_forget_them_together(void **state) {
    random_stream random;
    dataset *data;
    whole_terms terms;
    shared_terms shared = {0};
    set_term found;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(3));
    data = make_random_dataset(&random, ROWS, COLUMNS, 3);
    assert_ok(whole_terms_init(&terms, ROWS, &err), &err);
    assert_ok(set_terms_create(data, &terms, &shared.sets[0], &err), &err);
    assert_ok(set_terms_share(shared.sets[0], &err), &err);
    for (size_t i = 1; i < THREADS; i++)
        assert_ok(set_terms_create_beside(shared.sets[0], &shared.sets[i], &err), &err);
    set_terms_add(shared.sets[0], (const size_t[]){0, 1}, 2, 2, 3, &(set_term){made_up(0, 1, 2, 3).sum, 3});
    assert_true(set_terms_find(shared.sets[1], (const size_t[]){1, 3}, 2, 2, 0, &found));
    for (int round = 0; round < 2; round++)
        assert_ok(parallel_run(THREADS, know_many, &shared, &err), &err);
    for (size_t i = 0; i < THREADS; i++) /* the first goes first: what is known is no one thread's */
        set_terms_destroy(shared.sets[i]);
    whole_terms_clear(&terms);
    dataset_destroy(data);
}

static void add_all(set_terms *s) {
    for (size_t a = 0; a < COLUMNS; a++) {
        for (size_t b = a + 1; b < COLUMNS; b++) {
            for (size_t c = b + 1; c < COLUMNS; c++) {
                for (size_t d = c + 1; d < COLUMNS; d++)
                    set_terms_add(s, (const size_t[]){a, b}, 2, c, d, &(set_term){made_up(a, b, c, d).sum, 1});
            }
        }
    }
}

static bool is_known(set_terms *s) {
    set_term found;
    return set_terms_find(s, (const size_t[]){0, 1}, 2, 2, 3, &found);
}

/* Blocks that went back to the heap would leave holes in it, which blocks to come need not fit. Where malloc tells how
 * much of its heap is in use. */
static void what_is_forgotten_leaves_its_memory_for_what_comes(void **state) {
    enum { LITTLE = 1 << 16, ROUNDS = 4 };
    random_stream random;
    dataset *data;
    whole_terms terms;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(6));
    data = make_random_dataset(&random, ROWS, COLUMNS, 3);
    assert_ok(whole_terms_init(&terms, ROWS, &err), &err);
    for (size_t n = 1; n <= 2; n++) {
        set_terms *sets[2] = {NULL, NULL};
        assert_ok(set_terms_create(data, &terms, &sets[0], &err), &err);
        if (n == 2) {
            assert_ok(set_terms_share(sets[0], &err), &err);
            assert_ok(set_terms_create_beside(sets[0], &sets[1], &err), &err);
        }
        for (int round = 0; round < ROUNDS; round++) {
            size_t full;
            add_all(sets[0]);
            full = mallinfo2().uordblks;
            assert_true(is_known(sets[0]));
            for (size_t i = 0; i < n; i++) {
                set_terms_shrink(sets[i]);
                assert_false(is_known(sets[i]));
            }
            assert_in_range(mallinfo2().uordblks + LITTLE, full, SIZE_MAX);
        }
        for (size_t i = 0; i < n; i++)
            set_terms_destroy(sets[i]);
    }
    whole_terms_clear(&terms);
    dataset_destroy(data);
}

static void assert_term(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y, const set_term *term) {
    size_t columns[10], n = n_z;
    set_term expected;
    error_info err = {0};
    memcpy(columns, z, n_z * sizeof *z);
    if (x != COUNTS_NO_EXTRA)
        columns[n++] = x;
    if (y != COUNTS_NO_EXTRA)
        columns[n++] = y;
    assert_ok(set_terms_get(s, columns, n, COUNTS_NO_EXTRA, &expected, &err), &err);
    assert_that(term->sum, ==, expected.sum);
    assert_that(term->n_cells, ==, expected.n_cells);
}

/* Tables of up to six columns of up to twenty states and of a hundred rows: the larger are sparse. */
static void a_test_measures_the_terms_of_its_table_and_of_the_margins(void **state) {
    table_test_options options = {.df = CI_DF_FULL, .alpha = 0.05};
    const ci_test_kind *kind = NULL;
    random_stream random;
    dataset *data;
    whole_terms terms;
    ci_test *t = NULL;
    set_terms *s = NULL;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(4));
    data = make_random_dataset(&random, 100, 10, 20);
    assert_ok(whole_terms_init(&terms, 100, &err), &err);
    assert_ok(set_terms_create(data, &terms, &s, &err), &err);
    assert_ok(ci_test_kind_find("g2", &kind, &err), &err);
    assert_ok(ci_test_create(kind, &options, data, NULL, &t, &err), &err);
    for (int i = 0; i < 300; i++) {
        size_t order[10], n_z = 1 + random_below(&random, 4), x, y;
        ci_measurement m;
        random_permutation(&random, order, 10);
        x = order[n_z];
        y = order[n_z + 1];
        assert_ok(ci_test_measure_table(t, x, y, order, n_z, &m, &err), &err);
        assert_term(s, order, n_z, x, y, &m.cells);
        assert_term(s, order, n_z, x, COUNTS_NO_EXTRA, &m.with_x);
        assert_term(s, order, n_z, y, COUNTS_NO_EXTRA, &m.with_y);
        assert_term(s, order, n_z, COUNTS_NO_EXTRA, COUNTS_NO_EXTRA, &m.alone);
    }
    ci_test_destroy(t);
    set_terms_destroy(s);
    whole_terms_clear(&terms);
    dataset_destroy(data);
}

/* One sum, under the key of its columns, whichever of them are named apart. */
static void a_set_is_found_whichever_columns_are_named_apart(void **state) {
    random_stream random;
    dataset *data;
    whole_terms terms;
    set_terms *s = NULL;
    set_term found = {0}, expected = {7, 3};
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(5));
    data = make_random_dataset(&random, ROWS, 4, 3);
    assert_ok(whole_terms_init(&terms, ROWS, &err), &err);
    assert_ok(set_terms_create(data, &terms, &s, &err), &err);
    assert_false(set_terms_find(s, (const size_t[]){2, 0}, 2, COUNTS_NO_EXTRA, COUNTS_NO_EXTRA, &found));
    set_terms_add(s, (const size_t[]){2}, 1, COUNTS_NO_EXTRA, 0, &expected);
    assert_true(set_terms_find(s, (const size_t[]){2, 0}, 2, COUNTS_NO_EXTRA, COUNTS_NO_EXTRA, &found));
    assert_true(found.sum == 7 && found.n_cells == 3);
    assert_true(set_terms_find(s, (const size_t[]){0}, 1, 2, COUNTS_NO_EXTRA, &found));
    assert_false(set_terms_find(s, (const size_t[]){0}, 1, 2, 3, &found));
    set_terms_destroy(s);
    whole_terms_clear(&terms);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_know_the_same_sums_and_forget_them_together),
        cmocka_unit_test(what_is_forgotten_leaves_its_memory_for_what_comes),
        cmocka_unit_test(a_set_is_found_whichever_columns_are_named_apart),
        cmocka_unit_test(a_test_measures_the_terms_of_its_table_and_of_the_margins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
