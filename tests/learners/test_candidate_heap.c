/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap of open candidates: against a look at all of them. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "learners/greedy/candidate_heap_internal.h"

#include <math.h>

enum { MOST = 200 * CANDIDATES_FIRST, STEPS = 40000 };

static double highest(const double *most, const bool *is_in) {
    double best = -INFINITY;
    for (size_t i = 0; i < MOST; i++)
        best = is_in[i] && most[i] > best ? most[i] : best;
    return best;
}

static void what_is_popped_may_score_most(void **state) {
    double most[MOST] = {0};
    bool is_in[MOST] = {false};
    size_t n = 0;
    candidate_heap heap = {0};
    random_stream random;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t step = 0; step < STEPS; step++) {
        size_t i = random_below(&random, MOST);
        if (!is_in[i]) {
            most[i] = random_below(&random, 9) == 0 ? INFINITY : (double)random_below(&random, 40) - 20;
            is_in[i] = true;
            n++;
            assert_ok(candidate_heap_push(&heap, (open_candidate){most[i], (uint32_t)i, i % 2 == 0}, &err), &err);
        } else {
            double expected = highest(most, is_in);
            open_candidate top;
            assert_true(candidate_heap_most(&heap) == expected);
            top = candidate_heap_pop(&heap);
            assert_true(is_in[top.node] && top.most == most[top.node] && top.most == expected);
            assert_true(top.is_exact == (top.node % 2 == 0));
            is_in[top.node] = false;
            n--;
        }
        assert_int_equal(heap.n, n);
    }
    candidate_heap_clear(&heap);
    assert_int_equal(heap.n, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_popped_may_score_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
