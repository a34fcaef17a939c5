/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gains of a row, which come into order as they are read, against looking through all that are left; and those of
 * rows that keep some and are filled again, against scoring one after the other.
 */
#include "tests/support/scores.h"

#include "core/base/random.h"
#include "core/counting/counts.h"
#include "learners/ges/ges_pairs_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 300 };

/* The largest that has not been read, of equal ones that of the lowest node. */
static size_t find_next(const ges_gain *gains, const bool *is_read, size_t n) {
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        bool ties = best < n && gains[i].gain == gains[best].gain;
        if (!is_read[i] && (best == n || gains[i].gain > gains[best].gain || (ties && gains[i].x < gains[best].x)))
            best = i;
    }
    return best;
}

static void assert_is_next(score *s, ges_row *row, size_t i, const ges_gain *all, bool *is_read, size_t n) {
    ges_rows rows = {.scorer = s};
    size_t expected = find_next(all, is_read, n);
    const ges_gain *gain = NULL;
    bool is_expired = false;
    error_info err = {0};
    assert_ok(ges_rows_gain(&rows, row, i, &is_expired, &gain, &err), &err);
    assert_non_null(gain);
    assert_true(gain->gain == all[expected].gain);
    assert_int_equal(gain->x, all[expected].x);
    is_read[expected] = true;
}

static void assert_is_end(score *s, ges_row *row, size_t n) {
    ges_rows rows = {.scorer = s};
    const ges_gain *gain = NULL;
    bool is_expired = false;
    error_info err = {0};
    assert_ok(ges_rows_gain(&rows, row, n, &is_expired, &gain, &err), &err);
    assert_null(gain);
}

static void gains_are_read_in_their_order_with_ties_by_node(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t round = 0; round < 400; round++) {
        ges_gain gains[MOST], all[MOST];
        bool is_read[MOST] = {false};
        size_t n = 1 + round % MOST;
        ges_row row = {.n_open = n, .room = n, .open = gains};
        for (size_t i = 0; i < n; i++)
            all[i] =
                (ges_gain){1 + (double)random_below(&random, 1 + round), (uint32_t)((i * 7 + round) % MOST), false};
        memcpy(gains, all, n * sizeof *all);
        for (size_t i = 0; i < n; i++)
            assert_is_next(NULL, &row, i, all, is_read, n);
        assert_is_end(NULL, &row, n);
    }
}

/* Of node 0, whose score without parents is taken to be so low that there are gains. */
static void bounds_are_scored_before_they_are_read(void **state) {
    enum { COLUMNS = 60 };
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(62));
    for (size_t round = 0; round < 20; round++) {
        dataset *data = make_random_dataset(&random, 100, COLUMNS, 3);
        score *s = score_of_data("bdeu", NULL, data);
        ges_gain open[COLUMNS], all[COLUMNS];
        bool is_read[COLUMNS] = {false};
        ges_row row = {.open = open, .room = COLUMNS};
        size_t n = 0;
        error_info err = {0};
        assert_ok(score_node(s, 0, NULL, 0, &row.without, &err), &err);
        row.without -= 2;
        for (uint32_t x = 1; x < COLUMNS; x++) {
            double with, more = random_below(&random, 2) == 0 ? 0 : 5 * random_uniform(&random);
            assert_ok(score_node_with(s, 0, NULL, 0, x, &with, &err), &err);
            open[row.n_open++] = (ges_gain){with - row.without + more, x, more > 0 || round % 2 == 0};
            if (with - row.without > SCORE_TOLERANCE)
                all[n++] = (ges_gain){with - row.without, x, false};
            else if (!open[row.n_open - 1].is_bound)
                row.n_open--;
        }
        for (size_t i = 0; i < n; i++)
            assert_is_next(s, &row, i, all, is_read, n);
        assert_is_end(s, &row, n);
        score_destroy(s);
        dataset_destroy(data);
    }
}

/* ---- rows that keep some ---- */

/* So many that only the high scores of rows are found, where the processor does so, and so few that all are. */
enum { MANY = 300, FEW = 200, MOST_THREADS = 2 };

/* All columns are like one that is not there, some less than others: each is worth having for each. */
static void draw_alike(random_stream *random, const void *n, int *row) {
    int hidden = (int)random_below(random, 2);
    for (size_t i = 0; i < *(const size_t *)n; i++)
        row[i] = random_uniform(random) < 0.3 + 0.0005 * (double)i ? (int)random_below(random, 2) : hidden;
}

typedef struct {
    size_t n_columns;
    dataset *data;
    score *plain, *scorers[MOST_THREADS];
    run_context ctx;
    ges_rows rows;
} alike;

static void make_alike(alike *a, size_t n_columns, size_t n_threads) {
    size_t n_states[MANY];
    random_stream random;
    error_info err = {0};
    random_stream_init(&random, random_key_of(63));
    for (size_t i = 0; i < n_columns; i++)
        n_states[i] = 2;
    *a = (alike){.n_columns = n_columns};
    a->data = draw_dataset(&random, 600, n_columns, n_states, draw_alike, &n_columns);
    a->plain = score_of_data("bdeu", NULL, a->data);
    for (size_t i = 0; i < n_threads; i++)
        a->scorers[i] = score_of_data("bdeu", NULL, a->data);
    run_context_init(&a->ctx, 1);
    assert_ok(ges_rows_init(&a->rows, a->scorers, n_threads, n_columns, &a->ctx, &err), &err);
    a->rows.n_kept = GES_LEAST_KEPT; /* as of many columns */
}

static void clear_alike(alike *a) {
    ges_rows_clear(&a->rows);
    for (size_t i = 0; i < MOST_THREADS && a->scorers[i]; i++)
        score_destroy(a->scorers[i]);
    score_destroy(a->plain);
    dataset_destroy(a->data);
}

static double score_plain(const alike *a, size_t y, const size_t *family, size_t n) {
    double out;
    error_info err = {0};
    assert_ok(score_node_fresh(a->plain, y, family, n, COUNTS_NO_EXTRA, &out, &err), &err);
    return out;
}

static double gain_plain(const alike *a, size_t y, const size_t *family, size_t n, size_t x) {
    double with;
    error_info err = {0};
    assert_ok(score_node_fresh(a->plain, y, family, n, x, &with, &err), &err);
    return with - score_plain(a, y, family, n);
}

/* Reads the row to its end: these, that are sorted, and no more. */
static void assert_reads(alike *a, ges_row *row, const ges_gain *expected, size_t n) {
    bool is_expired = false;
    const ges_gain *gain;
    error_info err = {0};
    for (size_t i = 0; i < n; i++) {
        assert_ok(ges_rows_gain(&a->rows, row, i, &is_expired, &gain, &err), &err);
        assert_non_null(gain);
        if (gain->x != expected[i].x || gain->gain != expected[i].gain)
            fail_msg("gain %zu of %zu is %a of %u, not %a of %u", i, row->y, gain->gain, gain->x, expected[i].gain,
                     expected[i].x);
    }
    assert_ok(ges_rows_gain(&a->rows, row, n, &is_expired, &gain, &err), &err);
    assert_null(gain);
    assert_false(is_expired);
}

static int compare_gains(const void *left, const void *right) {
    const ges_gain *a = left, *b = right;
    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

static size_t add_gain(ges_gain *all, size_t n, double gain, size_t x) {
    if (gain > SCORE_TOLERANCE)
        all[n++] = (ges_gain){gain, (uint32_t)x, false};
    return n;
}

static ges_row *fill_row(alike *a, size_t y, size_t parent) {
    ges_row *row = NULL;
    bool is_expired = false;
    error_info err = {0};
    assert_null(ges_rows_find(&a->rows, y, &parent, 1));
    assert_ok(ges_rows_add(&a->rows, y, &parent, 1, score_plain(a, y, &parent, 1), &row, &err), &err);
    assert_ok(ges_rows_fill(&a->rows, &is_expired, &err), &err);
    assert_false(is_expired);
    return row;
}

static size_t list_gains_plain(const alike *a, size_t y, size_t parent, ges_gain *all) {
    size_t n = 0;
    for (size_t x = 0; x < a->n_columns; x++) {
        if (x != y && x != parent)
            n = add_gain(all, n, gain_plain(a, y, &parent, 1, x), x);
    }
    qsort(all, n, sizeof *all, compare_gains);
    return n;
}

/* And once more from the first, which was kept while the row was filled again. */
static void assert_row_is_read_to_its_end(alike *a, size_t y, size_t parent) {
    ges_gain all[MANY];
    ges_row *row = fill_row(a, y, parent);
    size_t n = list_gains_plain(a, y, parent, all);
    assert_true(n > 2 * GES_LEAST_KEPT);
    assert_int_equal(row->n_open, GES_LEAST_KEPT);
    assert_reads(a, row, all, n);
    assert_reads(a, row, all, n);
}

static void a_row_keeps_the_largest_gains_and_finds_the_others_again(void **state) {
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        alike a;
        make_alike(&a, i % 2 == 0 ? MANY : FEW, 1 + i / 2);
        for (size_t y = 0; y < 6; y++)
            assert_row_is_read_to_its_end(&a, y * (a.n_columns / 6), 3);
        clear_alike(&a);
    }
}

static void assert_asked(ges_rows *r, ges_row *row, size_t left_out, bool is_known) {
    bool was_known = !is_known;
    error_info err = {0};
    assert_ok(ges_rows_note_asked(r, row, &left_out, 1, &was_known, &err), &err);
    assert_int_equal(was_known, is_known);
}

static void what_rows_were_asked_for_is_known_until_they_are_forgotten(void **state) {
    alike a;
    ges_row *row, *other, *again;
    ges_gain all[MANY];
    error_info err = {0};
    (void)state;
    make_alike(&a, FEW, 1);
    row = fill_row(&a, 0, 3);
    other = fill_row(&a, 1, 3);
    assert_asked(&a.rows, row, 7, false);
    assert_asked(&a.rows, other, 8, false);
    assert_asked(&a.rows, row, 7, true);
    assert_asked(&a.rows, other, 9, false); /* now with 8, too */
    assert_asked(&a.rows, other, 8, true);
    assert_asked(&a.rows, row, 7, true);
    row->n_users++;
    a.rows.n_gains = SIZE_MAX / 2;
    assert_ok(ges_rows_shrink(&a.rows, &err), &err);
    again = fill_row(&a, 0, 3);
    assert_ptr_not_equal(again, row);
    assert_asked(&a.rows, again, 7, false);
    assert_asked(&a.rows, again, 7, true);
    assert_reads(&a, row, all, list_gains_plain(&a, 0, 3, all));
    ges_row_release(row);
    clear_alike(&a);
}

static void fill_pairs(alike *a, ges_row **rows) {
    bool is_expired = false;
    error_info err = {0};
    assert_ok(ges_pairs_begin(&a->rows, rows, &err), &err);
    for (size_t y = 0; y < a->n_columns; y++)
        rows[y]->without = score_plain(a, y, NULL, 0);
    assert_ok(ges_pairs_end(&a->rows, &is_expired, &err), &err);
    assert_false(is_expired);
}

static void assert_pairs_are_read_to_their_end(alike *a, ges_row *row) {
    ges_gain all[MANY];
    size_t n = 0;
    for (size_t x = 0; x < a->n_columns; x++) {
        if (x != row->y)
            n = add_gain(all, n, x < row->y ? gain_plain(a, row->y, NULL, 0, x) : gain_plain(a, x, NULL, 0, row->y), x);
    }
    qsort(all, n, sizeof *all, compare_gains);
    assert_true(n > 2 * GES_LEAST_KEPT);
    assert_in_range(row->n_open, GES_LEAST_KEPT, 2 * GES_LEAST_KEPT);
    assert_reads(a, row, all, n);
}

static void first_arcs_are_found_again_with_the_score_of_the_later_node(void **state) {
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        alike a;
        ges_row *rows[MANY];
        make_alike(&a, i % 2 == 0 ? MANY : FEW, 1 + i / 2);
        fill_pairs(&a, rows);
        for (size_t y = 0; y < a.n_columns; y++) {
            if (y % 20 == 0)
                assert_pairs_are_read_to_their_end(&a, rows[y]);
            ges_row_release(rows[y]);
        }
        clear_alike(&a);
    }
}

static void past_the_deadline_a_row_is_not_filled_again(void **state) {
    alike a;
    ges_row *row;
    const ges_gain *gain = NULL;
    bool is_expired = false;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    make_alike(&a, FEW, 1);
    row = fill_row(&a, 0, 3);
    a.ctx.deadline_s = run_clock_s() - 1;
    do {
        assert_ok(ges_rows_gain(&a.rows, row, n, &is_expired, &gain, &err), &err);
    } while (gain && n++ < FEW);
    assert_true(is_expired);
    assert_in_range(n, GES_LEAST_KEPT - 1, GES_LEAST_KEPT);
    clear_alike(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_are_read_in_their_order_with_ties_by_node),
        cmocka_unit_test(bounds_are_scored_before_they_are_read),
        cmocka_unit_test(a_row_keeps_the_largest_gains_and_finds_the_others_again),
        cmocka_unit_test(what_rows_were_asked_for_is_known_until_they_are_forgotten),
        cmocka_unit_test(first_arcs_are_found_again_with_the_score_of_the_later_node),
        cmocka_unit_test(past_the_deadline_a_row_is_not_filled_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
