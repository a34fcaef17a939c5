/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gains of a row, which come into order as they are read, against looking through all that are left. */
#include "tests/support/support.h"

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

static void gains_are_read_in_their_order_with_ties_by_node(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t round = 0; round < 400; round++) {
        ges_gain gains[MOST], all[MOST];
        bool is_read[MOST] = {false};
        ges_row row = {.n = 1 + round % MOST, .gains = gains};
        for (size_t i = 0; i < row.n; i++)
            all[i] = (ges_gain){(double)random_below(&random, 1 + round), (uint32_t)((i * 7 + round) % MOST)};
        memcpy(gains, all, row.n * sizeof *all);
        for (size_t i = 0; i < row.n; i++) {
            size_t expected = find_next(all, is_read, row.n);
            const ges_gain *gain = ges_row_gain(&row, i);
            assert_true(gain->gain == all[expected].gain);
            assert_int_equal(gain->x, all[expected].x);
            is_read[expected] = true;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_are_read_in_their_order_with_ties_by_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
