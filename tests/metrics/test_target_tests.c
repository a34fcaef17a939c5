/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests around one target: the answers and the counts of the evaluator. */
#include "tests/support/support.h"

#include "core/base/array.h"
#include "core/base/random.h"
#include "metrics/tests/table_tests.h"
#include "metrics/tests/target_tests.h"

#include <stdlib.h>

enum { N_COLUMNS = 40 };

/* Two to five states, a state that no row has, one column with a single state, one with more than bit vectors take. */
static void draw_row(random_stream *random, const void *how, int *row) {
    const size_t *n_states = how;
    for (size_t c = 0; c < N_COLUMNS; c++) {
        bool is_copy = c > 0 && row[c - 1] < (int)n_states[c] && random_below(random, 3) > 0;
        row[c] = is_copy ? row[c - 1] : (int)random_below(random, n_states[c] - (c == 3));
    }
}

static dataset *make_data(random_stream *random, size_t n_rows) {
    size_t n_states[N_COLUMNS];
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = c == 4 ? 1 : c == 9 ? 40 : 2 + c % 3;
    return draw_dataset(random, n_rows, N_COLUMNS, n_states, draw_row, n_states);
}

typedef struct {
    ci_test *evaluator, *within; /* `within` is asked by the tests of a target */
    statistics_count tally, tally_within;
    pair_tables *tables;
    target_tests *tests;
} pair_of_sources;

static void open_sources(pair_of_sources *s, const ci_test_kind *kind, const table_test_options *options,
                         const dataset *data) {
    error_info err = {0};
    assert_ok(ci_test_create(kind, options, data, &s->tally, &s->evaluator, &err), &err);
    assert_ok(ci_test_create(kind, options, data, &s->tally_within, &s->within, &err), &err);
    ci_test_forgo_cache(s->evaluator);
    ci_test_forgo_cache(s->within);
    assert_ok(pair_tables_create(data, 1, &s->tables, &err), &err);
    assert_ok(target_tests_create(s->within, s->tables, &s->tests, &err), &err);
}

static void close_sources(pair_of_sources *s) {
    target_tests_destroy(s->tests);
    pair_tables_destroy(s->tables);
    ci_test_destroy(s->evaluator);
    ci_test_destroy(s->within);
}

static bool is_same(const association *a, const association *b) {
    return a->is_zero == b->is_zero && (a->is_zero || (a->log_p == b->log_p && a->statistic == b->statistic));
}

/* One test by both; true if it was performed and the pair is dependent. */
static bool assert_same_answer(pair_of_sources *s, size_t x, size_t y, const size_t *z, size_t n_z) {
    association_source plain = target_tests_as_source(s->tests);
    decision_source quick = target_tests_as_decisions(s->tests);
    association expected = {.is_zero = true}, found = {0};
    verdict v = {0};
    bool reliable = false, reliable_found = false, reliable_quick = false;
    error_info err = {0};
    assert_ok(ci_test_associate(s->evaluator, x, y, z, n_z, &reliable, &expected, &err), &err);
    assert_ok(plain.measure(plain.self, x, y, z, n_z, &reliable_found, &found, &err), &err);
    assert_ok(quick.decide(quick.self, x, y, z, n_z, &reliable_quick, &v, &err), &err);
    assert_int_equal(reliable_found, reliable);
    assert_int_equal(reliable_quick, reliable);
    if (!reliable)
        return false;
    assert_true(is_same(&found, &expected));
    assert_int_equal(v.is_exact && v.value.is_zero, expected.is_zero);
    if (!v.is_exact) {
        association least = {.log_p = chi_square_log_tail(v.least_statistic, v.most_df),
                             .statistic = v.least_statistic};
        assert_true(association_compare(&least, &expected) <= 0);
        assert_ok(quick.resolve(quick.self, x, y, z, n_z, &found, &err), &err);
        assert_true(is_same(&found, &expected));
    }
    return !expected.is_zero;
}

/* Sets as a search takes them: many columns given one set, and the next set a little different. */
static size_t ask_many(pair_of_sources *s, random_stream *random) {
    decision_source quick = target_tests_as_decisions(s->tests);
    size_t n_dependent = 0;
    for (int round = 0; round < 60; round++) {
        size_t order[N_COLUMNS], n_z = (size_t)random_below(random, 6), n_asked = round % 2 ? N_COLUMNS : 12;
        for (size_t i = 0; i < N_COLUMNS; i++) {
            size_t j = (size_t)random_below(random, i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        quick.attend(quick.self, order, n_asked);
        for (size_t i = n_z + 1; i < n_asked; i++)
            n_dependent += assert_same_answer(s, order[i], order[0], order + 1, n_z);
        if (n_z > 1)
            n_dependent += assert_same_answer(s, order[n_z], order[0], order + 1, n_z - 1);
    }
    return n_dependent;
}

static void answers_and_counts_are_those_of_the_evaluator(void **state) {
    static const double min_rows[] = {0, 5, 1};
    random_stream random;
    size_t n_dependent = 0;
    (void)state;
    random_stream_init(&random, random_key_of(62));
    for (int i = 0; i < 40; i++) {
        dataset *data = make_data(&random, 1 + (size_t)random_below(&random, i % 4 ? 300 : 3000));
        table_test_options options = {
            .df = i % (CI_DF_OBSERVED + 1), .alpha = i % 2 ? 0.05 : 0.3, .min_rows = min_rows[i % 3]};
        pair_of_sources s = {0};
        open_sources(&s, i % 8 == 7 ? &ci_test_x2 : &ci_test_g2, &options, data);
        n_dependent += ask_many(&s, &random);
        assert_int_equal(s.tally_within.requests, 2 * s.tally.requests); /* measure and decide */
        assert_int_equal(s.tally_within.computed, 2 * s.tally.computed);
        assert_int_equal(s.tally_within.skipped, 2 * s.tally.skipped);
        close_sources(&s);
        dataset_destroy(data);
    }
    assert_that(n_dependent, >, 1000);
}

/* Is what was told at once true? The evaluator counts the test if it was told. */
static bool assert_true_answer(pair_of_sources *s, size_t x, size_t y, const size_t *z, size_t n_z,
                               const quick_answer *a) {
    association expected = {.is_zero = true}, least = {.statistic = a->least_statistic};
    bool reliable = false;
    error_info err = {0};
    if (!a->is_independent && !a->is_dependent)
        return false;
    assert_ok(ci_test_associate(s->evaluator, x, y, z, n_z, &reliable, &expected, &err), &err);
    assert_true(reliable);
    assert_int_equal(a->is_independent, expected.is_zero);
    assert_int_equal(a->is_dependent, !expected.is_zero);
    if (a->is_dependent) {
        least.log_p = chi_square_log_tail(a->least_statistic, a->most_df);
        assert_true(association_compare(&least, &expected) <= 0);
    }
    return true;
}

/* All columns but those of the set and the target, some times over so that groups are filled, at once; then the others
 * one by one. */
static size_t ask_at_once(pair_of_sources *s, random_stream *random) {
    enum { N_ASKED = 8 * N_COLUMNS };
    decision_source quick = target_tests_as_decisions(s->tests);
    size_t n_told = 0;
    for (int round = 0; round < 20; round++) {
        size_t target = (size_t)random_below(random, N_COLUMNS), z[3], asked[N_ASKED], n = 0;
        size_t n_z = 1 + (size_t)random_below(random, 3);
        quick_answer answers[N_ASKED];
        for (size_t i = 0; i < n_z; i++)
            z[i] = (target + 1 + i * (1 + (size_t)round % 7)) % N_COLUMNS;
        while (n < N_ASKED) {
            size_t x = (size_t)random_below(random, N_COLUMNS);
            if (x != target && !array_has_size(z, n_z, x))
                asked[n++] = x;
        }
        if (!quick.decide_many(quick.self, asked, n, target, z, n_z, answers))
            continue;
        for (size_t i = 0; i < n; i++)
            n_told += assert_true_answer(s, asked[i], target, z, n_z, &answers[i]);
        assert_int_equal(s->tally_within.requests, s->tally.requests);
        assert_int_equal(s->tally_within.computed, s->tally.computed);
        assert_int_equal(s->tally_within.skipped, s->tally.skipped);
        for (size_t i = 0; i < n; i++) {
            if (!answers[i].is_independent && !answers[i].is_dependent)
                (void)assert_same_answer(s, asked[i], target, z, n_z);
        }
        s->tally = s->tally_within = (statistics_count){0}; /* those were asked twice */
    }
    return n_told;
}

static void what_is_told_at_once_is_true_and_counted(void **state) {
    random_stream random;
    size_t n_told = 0;
    (void)state;
    random_stream_init(&random, random_key_of(63));
    for (int i = 0; i < 30; i++) {
        dataset *data = make_data(&random, 1 + (size_t)random_below(&random, i % 4 ? 300 : 3000));
        table_test_options options = {.df = i % (CI_DF_OBSERVED + 1), .alpha = 0.05, .min_rows = i % 3 ? 0 : 5};
        pair_of_sources s = {0};
        open_sources(&s, i % 8 == 7 ? &ci_test_x2 : &ci_test_g2, &options, data);
        n_told += ask_at_once(&s, &random);
        close_sources(&s);
        dataset_destroy(data);
    }
    assert_that(n_told, >, 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_told_at_once_is_true_and_counted),
        cmocka_unit_test(answers_and_counts_are_those_of_the_evaluator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
