/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pass over all pairs says of each, held against the test itself. */
#include "metrics/tests/pair_screen.h"
#include "tests/support/support.h"

#include "core/base/random.h"
#include "metrics/tests/table_tests.h"

#include <math.h>
#include <stdlib.h>

enum { N_COLUMNS = 60, N_TIED = 30 /* columns that follow another */ };

/* Two to four states, one of which a column in seven never takes. */
static void draw_row(random_stream *random, const void *how, int *row) {
    const size_t *n_states = how;
    for (size_t c = 0; c < N_COLUMNS; c++) {
        size_t r = n_states[c] - (c % 7 == 3);
        bool is_tied = c >= 3 && c < N_TIED && random_below(random, 10) < 1 + c % 4;
        row[c] = is_tied && row[c - 3] < (int)r ? row[c - 3] : (int)random_below(random, r);
    }
}

static dataset *make_data(random_stream *random, size_t n_rows) {
    size_t n_states[N_COLUMNS];
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = 2 + c % 3;
    return draw_dataset(random, n_rows, N_COLUMNS, n_states, draw_row, n_states);
}

typedef struct {
    ci_test *test;
    pair_tables *tables;
    ci_margin *margins;
    pair_screen *screen;
    pair_blocks blocks;
} screen_of_data;

static void open_screen(screen_of_data *s, const dataset *data, const table_test_options *options) {
    error_info err = {0};
    assert_ok(ci_test_create(&ci_test_g2, options, data, NULL, &s->test, &err), &err);
    assert_ok(pair_tables_create(data, 1, &s->tables, &err), &err);
    assert_ok(pair_screen_margins(s->test, s->tables, &s->margins, &err), &err);
    assert_ok(pair_screen_create(s->test, s->tables, s->margins, &s->screen, &err), &err);
    assert_ok(pair_blocks_init(&s->blocks, data, &err), &err);
}

static void close_screen(screen_of_data *s) {
    pair_blocks_clear(&s->blocks);
    pair_screen_destroy(s->screen);
    free(s->margins);
    pair_tables_destroy(s->tables);
    ci_test_destroy(s->test);
}

typedef struct {
    size_t n_graded, n_past, n_missed; /* dependent pairs with a grade; without one as they depend too much; or so */
} grade_count;

/* No more dependent than its grade says, and not much less: a step is a thirty-second of the statistic. */
static void check_grade(pair_screen *s, size_t x, size_t y, unsigned grade, const association *value) {
    double bound = pair_screen_bound(s, x, y, grade), other = pair_screen_bound(s, y, x, grade);
    assert_in_range(grade, 1, PAIR_MOST_GRADE);
    assert_true(bound < value->log_p);
    assert_true(bound == other);
    assert_true(grade / 32.0 > value->statistic && grade / 32.0 < value->statistic + 0.5);
}

static void check_lane(screen_of_data *s, size_t x, size_t y, size_t lane, screened found, grade_count *count) {
    association value = pair_screen_judge(s->screen, lane);
    bool is_dependent = found.are >> lane & 1;
    unsigned grade = is_dependent ? pair_screen_grade(s->screen, lane) : 0;
    assert_true(value.is_zero || found.may_be >> lane & 1);
    assert_false(value.is_zero && is_dependent);
    count->n_graded += grade > 0;
    if (grade > 0)
        check_grade(s->screen, x, y, grade, &value);
    else if (is_dependent)
        *(value.statistic > PAIR_MOST_GRADE / 32.0 - 0.5 ? &count->n_past : &count->n_missed) += 1;
}

static void check_block(screen_of_data *s, size_t block, grade_count *count) {
    const size_t *columns = s->blocks.columns + s->blocks.starts[block];
    size_t n = s->blocks.starts[block + 1] - s->blocks.starts[block];
    error_info err = {0};
    assert_ok(pair_screen_begin(s->screen, columns, n, &err), &err);
    for (size_t x = 0; x < N_COLUMNS; x++) {
        screened found = pair_screen_count(s->screen, x);
        for (size_t lane = 0; lane < n; lane++) {
            if (columns[lane] != x)
                check_lane(s, x, columns[lane], lane, found, count);
        }
    }
}

static grade_count check_all(const dataset *data, const table_test_options *options) {
    screen_of_data s = {0};
    grade_count count = {0};
    open_screen(&s, data, options);
    for (size_t block = 0; block < s.blocks.n_blocks; block++)
        check_block(&s, block, &count);
    close_screen(&s);
    return count;
}

static void a_grade_bounds_the_association(void **state) {
    static const int known[] = {CI_DF_FULL, CI_DF_ADJ, CI_DF_SGS, CI_DF_OBSERVED};
    grade_count all = {0};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(64));
    for (size_t i = 0; i < 16; i++) {
        dataset *data = make_data(&random, 200 + 300 * i);
        table_test_options options = {.df = known[i % 4], .alpha = i % 3 ? 0.05 : 0.3};
        grade_count count = check_all(data, &options);
        all.n_graded += count.n_graded;
        all.n_past += count.n_past;
        all.n_missed += count.n_missed;
        dataset_destroy(data);
    }
    assert_that(all.n_graded, >, 5000);
    assert_that(all.n_past, >, 100);
    assert_int_equal(all.n_missed, 0);
}

/* Steck's correction takes the cells into account, which a grade does not know. */
static void where_degrees_of_freedom_hang_on_the_table_there_are_no_grades(void **state) {
    table_test_options options = {.df = CI_DF_STECK, .alpha = 0.05};
    random_stream random;
    grade_count count;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(65));
    data = make_data(&random, 500);
    count = check_all(data, &options);
    assert_int_equal(count.n_graded, 0);
    assert_that(count.n_missed, >, 10);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grade_bounds_the_association),
        cmocka_unit_test(where_degrees_of_freedom_hang_on_the_table_there_are_no_grades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
