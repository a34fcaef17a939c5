/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Against a sort by comparisons. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "learners/sgs/row_order_internal.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 500 };

typedef struct {
    double value;
    uint32_t position;
} ranked;

static int compare(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    if (p->value != q->value)
        return p->value > q->value ? -1 : 1;
    return (p->position > q->position) - (p->position < q->position);
}

static void assert_in_order(const double *values, size_t n) {
    row_place places[2 * MOST];
    uint32_t order[MOST];
    ranked expected[MOST];
    for (size_t i = 0; i < n; i++)
        expected[i] = (ranked){values[i], (uint32_t)i};
    qsort(expected, n, sizeof *expected, compare);
    row_order_find(values, n, places, order);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(order[i], expected[i].position);
}

typedef double (*make_value)(random_stream *random);

static double make_score(random_stream *random) {
    return -8000 + 100 * random_uniform(random);
}

static double make_tie(random_stream *random) {
    return -(double)random_below(random, 7);
}

/* Too near for 24 bits, below one value far above. */
static double make_cluster(random_stream *random) {
    return random_below(random, 100) == 0 ? 1e9 * random_uniform(random) : -1e9 - 1e-4 * random_uniform(random);
}

static double make_any_size(random_stream *random) {
    double sign = random_below(random, 2) == 0 ? 1 : -1;
    return sign * exp(1400 * random_uniform(random) - 700);
}

static double make_infinite(random_stream *random) {
    return random_below(random, 3) == 0 ? make_score(random) : -INFINITY;
}

static void values_come_in_falling_order_and_ties_by_position(void **state) {
    static const make_value makers[] = {make_score, make_tie, make_cluster, make_any_size, make_infinite};
    double values[MOST];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(12));
    for (size_t k = 0; k < 5 * sizeof makers / sizeof *makers; k++) {
        for (size_t n = 0; n <= MOST; n += n < 4 ? 1 : 31) {
            for (size_t i = 0; i < n; i++)
                values[i] = makers[k / 5](&random);
            assert_in_order(values, n);
        }
    }
}

static void values_that_are_all_alike_stay_in_their_order(void **state) {
    static const double alike[] = {-INFINITY, 0, -0.0, -3.5, INFINITY};
    double values[MOST];
    (void)state;
    for (size_t k = 0; k < sizeof alike / sizeof *alike; k++) {
        for (size_t i = 0; i < MOST; i++)
            values[i] = alike[k];
        assert_in_order(values, MOST);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_in_falling_order_and_ties_by_position),
        cmocka_unit_test(values_that_are_all_alike_stay_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
