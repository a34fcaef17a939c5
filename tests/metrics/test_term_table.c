/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of terms that threads share are those that one thread computes alone. */
#include "tests/support/support.h"

#include "core/run/parallel.h"
#include "metrics/numerics/term_table_internal.h"

#include <math.h>

enum { MOST = 5000, N_THREADS = 4, N_PARAMETERS = 20 };

static double parameter_of(size_t i) {
    return 10.0 / (double)(1 + i * i * i);
}

static void the_first_values_are_those_that_are_asked_for_one_by_one(void **state) {
    error_info err;
    AUTO_PTR(term_tables_destroy) term_tables *t = NULL, *alone = NULL;
    static const uint32_t most[] = {0, 7, 1022, 1023, 1024, 300, 3000, MOST};
    (void)state;
    assert_ok(term_tables_create(MOST, NULL, &t, &err), &err);
    assert_ok(term_tables_create(MOST, NULL, &alone, &err), &err);
    for (size_t i = 0; i < N_PARAMETERS; i++) {
        term_table *shared, *own;
        assert_ok(term_tables_gamma(t, parameter_of(i), &shared, &err), &err);
        assert_ok(term_tables_gamma(alone, parameter_of(i), &own, &err), &err);
        for (uint32_t n = 900; n < 1200; n += 7) /* some are known before */
            assert_true(term_table_at(shared, n) == term_table_at(own, n));
        for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
            const double *values = term_table_first(shared, most[k]);
            assert_non_null(values);
            for (uint32_t n = 0; n <= most[k]; n++)
                assert_true(values[n] == term_table_at(own, n));
            for (uint32_t n = 0; n <= MOST; n += 13)
                assert_true(term_table_at(shared, n) == term_table_at(own, n));
        }
    }
}

static void long_runs_of_many_counts_are_refused(void **state) {
    error_info err;
    AUTO_PTR(term_tables_destroy) term_tables *t = NULL;
    term_table *table;
    (void)state;
    assert_ok(term_tables_create(1 << 16, NULL, &t, &err), &err);
    assert_ok(term_tables_n_log_n(t, &table, &err), &err);
    assert_non_null(term_table_first(table, 1023));
    assert_null(term_table_first(table, 1024));
    assert_true(term_table_first(table, 1000)[1000] == 1000 * log(1000));
}

typedef struct {
    term_tables *of[N_THREADS];
} twins;

static status ask(void *self, size_t worker, error_info *err) {
    twins *w = self;
    for (uint32_t most = 50; most <= MOST; most = most * 3 / 2) {
        for (size_t i = 0; i < N_PARAMETERS; i++) {
            term_table *table;
            const double *values;
            CHECK(term_tables_gamma(w->of[worker], parameter_of(i), &table, err));
            values = term_table_first(table, most);
            for (uint32_t n = 0; n <= most; n += 11) {
                if (!values || values[n] != term_table_at(table, n))
                    return error_set(err, STATUS_BUG, "thread %zu: another value of %u", worker, n);
            }
        }
    }
    return STATUS_OK;
}

/* In an order of its own, so that blocks become full at different moments. */
static status ask_one_by_one(void *self, size_t worker, error_info *err) {
    twins *w = self;
    for (size_t i = 0; i < N_PARAMETERS; i++) {
        term_table *table;
        double a = parameter_of(i), log_gamma = term_log_gamma(a);
        CHECK(term_tables_gamma(w->of[worker], a, &table, err));
        for (uint32_t k = 0; k <= MOST; k++) {
            uint32_t n = (k * 7 + (uint32_t)worker * 1000) % (MOST + 1);
            if (term_table_at(table, n) != term_value(a, log_gamma, n))
                return error_set(err, STATUS_BUG, "thread %zu: another value of %u", worker, n);
        }
    }
    return STATUS_OK;
}

static void threads_share_blocks(void **state) {
    error_info err;
    twins w = {0};
    term_table *tables[2];
    (void)state;
    assert_ok(term_tables_create(MOST, NULL, &w.of[0], &err), &err);
    for (size_t i = 1; i < N_THREADS; i++)
        assert_ok(term_tables_create(MOST, w.of[0], &w.of[i], &err), &err);
    assert_ok(parallel_run(N_THREADS, ask_one_by_one, &w, &err), &err);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(term_tables_gamma(w.of[i], parameter_of(3), &tables[i], &err), &err);
        (void)term_table_fill(tables[i], MOST);
    }
    assert_ptr_equal(tables[0]->blocks[MOST >> TERM_BLOCK_BITS], tables[1]->blocks[MOST >> TERM_BLOCK_BITS]);
    for (size_t i = N_THREADS; i > 0; i--)
        term_tables_destroy(w.of[i - 1]);
}

static void a_value_is_computed_by_one_table(void **state) {
    error_info err;
    AUTO_PTR(term_tables_destroy) term_tables *first = NULL;
    AUTO_PTR(term_tables_destroy) term_tables *second = NULL;
    term_table *tables[2];
    (void)state;
    assert_ok(term_tables_create(MOST, NULL, &first, &err), &err);
    assert_ok(term_tables_create(MOST, first, &second, &err), &err);
    assert_ok(term_tables_gamma(first, parameter_of(1), &tables[0], &err), &err);
    assert_ok(term_tables_gamma(second, parameter_of(1), &tables[1], &err), &err);
    assert_true(term_table_at(tables[0], 3000) == term_table_at(tables[1], 3000));
    assert_true(term_table_at(tables[1], 3001) == term_table_at(tables[0], 3001));
    assert_int_equal(tables[0]->n_filled, 1);
    assert_int_equal(tables[1]->n_filled, 1);
}

static void threads_share_values(void **state) {
    error_info err;
    twins w = {0};
    AUTO_PTR(term_tables_destroy) term_tables *alone = NULL;
    (void)state;
    assert_ok(term_tables_create(MOST, NULL, &alone, &err), &err);
    assert_ok(term_tables_create(MOST, NULL, &w.of[0], &err), &err);
    for (size_t i = 1; i < N_THREADS; i++)
        assert_ok(term_tables_create(MOST, w.of[0], &w.of[i], &err), &err);
    assert_ok(parallel_run(N_THREADS, ask, &w, &err), &err);
    for (size_t i = 0; i < N_PARAMETERS; i++) {
        term_table *shared, *own;
        assert_ok(term_tables_gamma(w.of[N_THREADS - 1], parameter_of(i), &shared, &err), &err);
        assert_ok(term_tables_gamma(alone, parameter_of(i), &own, &err), &err);
        for (uint32_t n = 0; n <= MOST; n++)
            assert_true(term_table_at(shared, n) == term_table_at(own, n));
    }
    for (size_t i = N_THREADS; i > 0; i--)
        term_tables_destroy(w.of[i - 1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_values_are_those_that_are_asked_for_one_by_one),
        cmocka_unit_test(long_runs_of_many_counts_are_refused),
        cmocka_unit_test(a_value_is_computed_by_one_table),
        cmocka_unit_test(threads_share_values),
        cmocka_unit_test(threads_share_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
