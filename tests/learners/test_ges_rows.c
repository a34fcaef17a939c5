/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gains of a row, which come into order as they are read, against looking through all that are left. */
#include "tests/support/scores.h"

#include "core/base/random.h"
#include "learners/ges/ges_rows_internal.h"

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
    error_info err = {0};
    assert_ok(ges_rows_gain(&rows, row, i, &gain, &err), &err);
    assert_non_null(gain);
    assert_true(gain->gain == all[expected].gain);
    assert_int_equal(gain->x, all[expected].x);
    is_read[expected] = true;
}

static void assert_is_end(score *s, ges_row *row, size_t n) {
    ges_rows rows = {.scorer = s};
    const ges_gain *gain = NULL;
    error_info err = {0};
    assert_ok(ges_rows_gain(&rows, row, n, &gain, &err), &err);
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
        ges_row row = {.n_open = n, .open = gains};
        for (size_t i = 0; i < n; i++)
            all[i] =
                (ges_gain){1 + (double)random_below(&random, 1 + round), (uint32_t)((i * 7 + round) % MOST), false};
        memcpy(gains, all, n * sizeof *all);
        for (size_t i = 0; i < n; i++)
            assert_is_next(NULL, &row, i, all, is_read, n);
        assert_is_end(NULL, &row, n);
        free(row.gains);
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
        ges_row row = {.open = open};
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
        free(row.gains);
        score_destroy(s);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_are_read_in_their_order_with_ties_by_node),
        cmocka_unit_test(bounds_are_scored_before_they_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
