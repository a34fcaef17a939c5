/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap of open candidates: against a look at all of them. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "learners/greedy/candidate_heap_internal.h"

#include <math.h>
#include <string.h>

enum { MOST = 5000, STEPS = 20000, ROUNDS = 6 };

/* What ought to be in the heap. */
typedef struct {
    candidate_heap heap;
    double most[MOST];
    bool is_in[MOST];
    size_t n;
} checked_heap;

static void check_push(checked_heap *c, size_t i, double most) {
    open_candidate candidate = {most, (uint32_t)i, i % 2 == 0, i % 3 == 0};
    error_info err = {0};
    c->most[i] = most;
    c->is_in[i] = true;
    c->n++;
    assert_ok(candidate_heap_push(&c->heap, candidate, &err), &err);
    assert_int_equal(c->heap.n, c->n);
}

static double highest(const checked_heap *c) {
    double best = -INFINITY;
    for (size_t i = 0; i < MOST; i++)
        best = c->is_in[i] && c->most[i] > best ? c->most[i] : best;
    return best;
}

static open_candidate check_pop(checked_heap *c) {
    double expected = highest(c);
    open_candidate top;
    assert_true(candidate_heap_most(&c->heap) == expected);
    top = candidate_heap_pop(&c->heap);
    assert_true(c->is_in[top.node] && top.most == c->most[top.node] && top.most == expected);
    assert_true(top.is_exact == (top.node % 2 == 0) && top.is_close == (top.node % 3 == 0));
    c->is_in[top.node] = false;
    c->n--;
    assert_int_equal(c->heap.n, c->n);
    return top;
}

static double draw_most(random_stream *random, size_t n_values) {
    return random_below(random, 99) == 0 ? INFINITY : (double)random_below(random, n_values) - (double)n_values / 2;
}

static void what_is_popped_may_score_most(void **state) {
    static checked_heap c;
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t step = 0; step < STEPS; step++) {
        size_t i = random_below(&random, 60);
        if (c.is_in[i])
            (void)check_pop(&c);
        else
            check_push(&c, i, draw_most(&random, 40));
    }
    candidate_heap_clear(&c.heap);
    assert_int_equal(c.heap.n, 0);
}

/* As a search does: thousands come, the first are taken, and most of them come back with a closer bound. */
static void closer_bounds_come_back_among_thousands(void **state) {
    static checked_heap c;
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(62));
    for (size_t round = 0; round < ROUNDS; round++) {
        size_t n = round % 2 == 0 ? MOST : MOST / 50;
        for (size_t i = 0; i < n; i++)
            check_push(&c, i, draw_most(&random, round < 2 ? 20 : 100000));
        for (size_t i = 0; i < 2 * n / 3; i++) {
            open_candidate top = check_pop(&c);
            if (random_below(&random, 4) > 0)
                check_push(&c, top.node, fmin(top.most, 50000) - (double)random_below(&random, 20000));
        }
        while (round < 4 && c.n > 0)
            (void)check_pop(&c);
        candidate_heap_empty(&c.heap);
        memset(c.is_in, 0, sizeof c.is_in);
        c.n = 0;
    }
    candidate_heap_clear(&c.heap);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_popped_may_score_most),
        cmocka_unit_test(closer_bounds_come_back_among_thousands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
