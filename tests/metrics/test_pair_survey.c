/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All pairs at once: the answers and the counts of tests that are asked one by one. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "metrics/tests/fisher_z.h"
#include "metrics/tests/table_tests.h"
#include "tests/support/gaussian_support.h"

#include <stdlib.h>

enum { N_COLUMNS = 400 /* in more blocks than have their rows kept */ };

/* Every third column copies its neighbour two times in three; one has a single state, one more than bit vectors take.
 */
static void draw_row(random_stream *random, const void *how, int *row) {
    const size_t *n_states = how;
    for (size_t c = 0; c < N_COLUMNS; c++) {
        bool is_copy = c > 0 && c % 3 == 0 && row[c - 1] < (int)n_states[c] && random_below(random, 3) > 0;
        row[c] = is_copy ? row[c - 1] : (int)random_below(random, n_states[c]);
    }
}

static dataset *make_data(random_stream *random, size_t n_rows) {
    size_t n_states[N_COLUMNS];
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = c == 20 ? 1 : c == 70 ? 40 : 2 + c % 4;
    return draw_dataset(random, n_rows, N_COLUMNS, n_states, draw_row, n_states);
}

/* Each column leans on the one before it, the less the further on; one has a single value. */
static dataset *make_continuous(random_stream *random, size_t n_rows) {
    double *values = calloc(n_rows, N_COLUMNS * sizeof *values);
    dataset *data;
    assert_non_null(values);
    for (size_t i = 0; i < n_rows * N_COLUMNS; i++) {
        size_t c = i % N_COLUMNS;
        values[i] = c == 20 ? 1 : normal_deviate(random) + (c > 0 ? 2 * values[i - 1] / (double)c : 0);
    }
    data = make_reals(n_rows, N_COLUMNS, values);
    free(values);
    return data;
}

static ci_test *make_correlation_test(const ci_test_kind *kind, const dataset *data, statistics_count *tally) {
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_create(kind, &(correlation_test_options){.alpha = 0.05}, data, tally, &t, &err), &err);
    return t;
}

static ci_test *make_test(const dataset *data, int df, double min_rows, statistics_count *tally) {
    table_test_options options = {.df = df, .alpha = 0.05, .min_rows = min_rows};
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_create(&ci_test_g2, &options, data, tally, &t, &err), &err);
    return t;
}

static void assert_same_answer(ci_test *surveyed, ci_test *plain, size_t x, size_t y) {
    association a = {0}, b = {0};
    verdict v = {0};
    bool reliable_a, reliable_b, reliable_v;
    error_info err = {0};
    assert_ok(ci_test_associate(surveyed, x, y, NULL, 0, &reliable_a, &a, &err), &err);
    assert_ok(ci_test_associate(plain, x, y, NULL, 0, &reliable_b, &b, &err), &err);
    assert_ok(ci_test_decide(surveyed, y, x, NULL, 0, &reliable_v, &v, &err), &err);
    assert_int_equal(reliable_a, reliable_b);
    assert_int_equal(reliable_v, reliable_b);
    if (!reliable_b)
        return;
    assert_int_equal(a.is_zero, b.is_zero);
    assert_true(a.log_p == b.log_p && a.statistic == b.statistic);
    assert_int_equal(v.is_exact && v.value.is_zero, b.is_zero);
}

/* Those that are not left are independent, and tested. */
static void assert_screens_as_it_answers(ci_test *surveyed, statistics_count *tally, const bool *left_out, size_t x) {
    size_t columns[N_COLUMNS], left[N_COLUMNS], n = 0, n_left, at = 0;
    uint64_t n_before = tally->requests, n_asked = 0;
    for (size_t y = 0; y < N_COLUMNS; y++) {
        if (y != x && !left_out[y] && y % 7 > 0)
            columns[n++] = y;
    }
    n_left = ci_test_screen(surveyed, x, columns, n, left);
    assert_int_equal(tally->requests - n_before, n - n_left);
    for (size_t i = 0; i < n; i++) {
        association a = {0};
        bool reliable;
        error_info err = {0};
        assert_ok(ci_test_associate(surveyed, x, columns[i], NULL, 0, &reliable, &a, &err), &err);
        n_asked += reliable;
        if (!reliable || !a.is_zero)
            assert_true(at < n_left && left[at++] == columns[i]);
    }
    assert_int_equal(at, n_left);
    tally->requests -= n - n_left + n_asked;
}

/* Two evaluators of the same test; both end here. */
static void assert_same_for_all_pairs(ci_test *surveyed, statistics_count *tally_a, ci_test *plain,
                                      const statistics_count *tally_b, const bool *left_out, pair_tables *lent,
                                      size_t n_threads, bool has_crew) {
    uint64_t n_surveyed;
    run_context ctx;
    crew *threads = NULL;
    error_info err = {0};
    run_context_init(&ctx, 1);
    ctx.n_threads = n_threads;
    if (has_crew)
        assert_ok(crew_create(n_threads, &threads, &err), &err);
    assert_ok(ci_test_survey(surveyed, left_out, lent, &ctx, threads, &err), &err);
    n_surveyed = tally_a->computed;
    for (size_t x = 0; x < N_COLUMNS; x++) {
        if (!left_out[x])
            assert_screens_as_it_answers(surveyed, tally_a, left_out, x);
        for (size_t y = 0; y < x; y++) {
            if (!left_out[x] && !left_out[y])
                assert_same_answer(surveyed, plain, x, y);
        }
    }
    assert_true(n_surveyed > 0); /* there was a survey */
    assert_int_equal(tally_a->computed, tally_b->computed);
    assert_int_equal(tally_a->requests, 2 * tally_b->requests); /* associate and decide */
    ci_test_destroy(surveyed);
    ci_test_destroy(plain);
    crew_destroy(threads);
}

static bool has_lists(const pair_tables *tables) {
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (pair_tables_columns(tables)[i].rows)
            return true;
    }
    return false;
}

/* A survey lists the rows of the tables that it uses, where the level of the kernels counts by them: AVX2. */
static void assert_listed(const pair_tables *tables, const dataset *data) {
    pair_tables *listed = NULL;
    error_info err = {0};
    assert_ok(pair_tables_create(data, 1, &listed, &err), &err);
    assert_ok(pair_tables_list_rows(listed, 1, &err), &err);
    assert_true(has_lists(tables) == has_lists(listed));
    pair_tables_destroy(listed);
}

/* With tables of its own, or with such as are lent. */
static void compare_tables(const dataset *data, const bool *left_out, int df, double min_rows, size_t n_threads,
                           bool has_crew, bool is_lent) {
    statistics_count a = {0}, b = {0};
    pair_tables *tables = NULL;
    error_info err = {0};
    if (is_lent)
        assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
    assert_same_for_all_pairs(make_test(data, df, min_rows, &a), &a, make_test(data, df, min_rows, &b), &b, left_out,
                              tables, n_threads, has_crew);
    if (is_lent)
        assert_listed(tables, data);
    pair_tables_destroy(tables);
}

static void compare_correlations(const dataset *data, const bool *left_out, const ci_test_kind *kind, size_t n_threads,
                                 bool has_crew) {
    statistics_count a = {0}, b = {0};
    assert_same_for_all_pairs(make_correlation_test(kind, data, &a), &a, make_correlation_test(kind, data, &b), &b,
                              left_out, NULL, n_threads, has_crew);
}

static void a_survey_gives_the_answers_and_counts_of_single_tests(void **state) {
    static const double min_rows[] = {0, 5, 20};
    bool left_out[N_COLUMNS] = {[3] = true, [20] = true, [64] = true};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(31));
    for (size_t round = 0; round < 4; round++) {
        dataset *data = make_data(&random, round == 3 ? 9000 : 60 + 150 * round);
        for (int df = CI_DF_FULL; df <= CI_DF_OBSERVED; df++)
            compare_tables(data, left_out, df, min_rows[round % 3], 3 - round % 3, df % 2, (round + (size_t)df) % 2);
        dataset_destroy(data);
    }
}

static void a_survey_by_correlations_gives_the_answers_and_counts_of_single_tests(void **state) {
    bool left_out[N_COLUMNS] = {[3] = true, [64] = true};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(33));
    for (size_t round = 0; round < 4; round++) {
        dataset *data = make_continuous(&random, 5 + 100 * round);
        compare_correlations(data, left_out, &ci_test_zf, 1 + round % 3, round % 2);
        compare_correlations(data, left_out, &ci_test_cor, 1 + round % 3, true);
        dataset_destroy(data);
    }
}

static void nothing_is_surveyed_after_the_deadline(void **state) {
    random_stream random;
    statistics_count tally = {0};
    run_context ctx;
    error_info err = {0};
    dataset *data;
    ci_test *t;
    (void)state;
    random_stream_init(&random, random_key_of(32));
    data = make_data(&random, 100);
    t = make_test(data, CI_DF_ADJ, 5, &tally);
    run_context_init(&ctx, 1);
    ctx.deadline_s = run_clock_s() - 1;
    assert_ok(ci_test_survey(t, NULL, NULL, &ctx, NULL, &err), &err);
    assert_int_equal(tally.computed, 0);
    ci_test_destroy(t);
    dataset_destroy(data);
}

/* --- parts --- */

/* Of a column before the part only pairs are asked that were found to be dependent: they still are. */
static void assert_knows_dependent(ci_test *parted, ci_test *plain, size_t x, size_t y) {
    association a = {0};
    bool reliable;
    error_info err = {0};
    assert_ok(ci_test_associate(plain, x, y, NULL, 0, &reliable, &a, &err), &err);
    if (reliable && !a.is_zero)
        assert_same_answer(parted, plain, x, y);
}

static void assert_part(ci_test *parted, const statistics_count *tally, ci_test *plain, size_t first, size_t end,
                        pair_tables *tables) {
    uint64_t n_before = tally->computed;
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    ctx.n_threads = 1 + end % 3;
    assert_ok(ci_test_survey_part(parted, first, end, tables, &ctx, &err), &err);
    assert_true(tally->computed - n_before == ci_test_count_pairs(parted, first, end));
    for (size_t x = first; x < end; x++) {
        for (size_t y = x + 1; y < N_COLUMNS; y++)
            assert_same_answer(parted, plain, x, y);
        if (first > 0)
            assert_knows_dependent(parted, plain, (x * 7) % first, x);
    }
}

/* Two evaluators of the same test; both end here. */
static void assert_same_by_parts(ci_test *parted, const statistics_count *tally_a, ci_test *plain,
                                 const statistics_count *tally_b, pair_tables *tables) {
    static const size_t ends[] = {1, 90, 154, N_COLUMNS - 1, N_COLUMNS};
    size_t first = 0;
    assert_true(ci_test_can_survey(parted));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        assert_part(parted, tally_a, plain, first, ends[i], tables);
        first = ends[i];
    }
    assert_true(tally_a->computed == tally_b->computed);
    assert_int_equal(ci_test_survey_end(parted, 0), N_COLUMNS); /* so few fit into one */
    ci_test_destroy(parted);
    ci_test_destroy(plain);
}

static void parts_give_the_answers_and_counts_of_single_tests(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(34));
    for (size_t round = 0; round < 3; round++) {
        statistics_count counts[4] = {{0}};
        size_t n_rows = 60 + 600 * round;
        dataset *data = make_data(&random, n_rows), *continuous = make_continuous(&random, n_rows);
        pair_tables *tables = NULL;
        error_info err = {0};
        assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
        assert_same_by_parts(make_test(data, CI_DF_ADJ, 5, &counts[0]), &counts[0],
                             make_test(data, CI_DF_ADJ, 5, &counts[1]), &counts[1], round % 2 ? tables : NULL);
        assert_same_by_parts(make_correlation_test(&ci_test_zf, continuous, &counts[2]), &counts[2],
                             make_correlation_test(&ci_test_zf, continuous, &counts[3]), &counts[3], NULL);
        pair_tables_destroy(tables);
        dataset_destroy(data);
        dataset_destroy(continuous);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_survey_gives_the_answers_and_counts_of_single_tests),
        cmocka_unit_test(a_survey_by_correlations_gives_the_answers_and_counts_of_single_tests),
        cmocka_unit_test(nothing_is_surveyed_after_the_deadline),
        cmocka_unit_test(parts_give_the_answers_and_counts_of_single_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
