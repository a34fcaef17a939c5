/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the cells that are left may take: the sums, done by hand. */
#include "tests/support/support.h"

#include "runner/plan/pace_internal.h"

enum { QUICK, SLOW };            /* learners */
enum { SMALL, LARGE, N_GROUPS }; /* groups */
static const double sizes[N_GROUPS] = {100, 400};

static pace *make(void) {
    pace *p = NULL;
    error_info err = {0};
    assert_ok(pace_create(2, N_GROUPS, sizes, &p, &err), &err);
    return p;
}

static void nothing_is_known_before_a_cell_is_over(void **state) {
    pace *p = make();
    bool is_guess = false;
    (void)state;
    assert_close(pace_left(p, NULL, 0, 1, &is_guess), 0, 0); /* nothing is left, either */
    pace_await(p, QUICK, SMALL, 1);
    assert_true(pace_expect(p, QUICK, SMALL, &is_guess) < 0);
    assert_true(pace_left(p, NULL, 0, 1, &is_guess) < 0);
    pace_destroy(p);
}

static void like_cells_give_their_mean(void **state) {
    pace *p = make();
    bool is_guess = false;
    (void)state;
    pace_add(p, QUICK, SMALL, 1);
    pace_add(p, QUICK, SMALL, 3);
    pace_add(p, SLOW, SMALL, 100);
    assert_close(pace_expect(p, QUICK, SMALL, &is_guess), 2, 1e-12);
    assert_false(is_guess);
    pace_destroy(p);
}

static void a_learner_elsewhere_is_scaled_by_what_others_took_here(void **state) {
    pace *p = make();
    bool is_guess = false;
    (void)state;
    pace_add(p, SLOW, SMALL, 10);
    assert_close(pace_expect(p, SLOW, LARGE, &is_guess), 40, 1e-12); /* by size, as there is no other */
    assert_true(is_guess);
    pace_add(p, QUICK, SMALL, 1);
    pace_add(p, QUICK, LARGE, 7);
    assert_close(pace_expect(p, SLOW, LARGE, &is_guess), 70, 1e-12);
    pace_destroy(p);
}

static void a_learner_that_has_not_run_takes_what_others_do(void **state) {
    pace *p = make();
    bool is_guess = false;
    (void)state;
    pace_add(p, QUICK, SMALL, 3);
    assert_close(pace_expect(p, SLOW, SMALL, &is_guess), 3, 1e-12);
    assert_true(is_guess);
    assert_close(pace_expect(p, SLOW, LARGE, &is_guess), 12, 1e-12);
    pace_destroy(p);
}

/* Quick cells first, slow ones last: the pace so far would say that two of the seven left take 2/5 of what was. */
static void slow_learners_that_are_left_count_as_slow(void **state) {
    pace *p = make();
    bool is_guess = true;
    (void)state;
    for (int i = 0; i < 5; i++)
        pace_add(p, QUICK, SMALL, 1);
    pace_add(p, SLOW, SMALL, 6);
    pace_await(p, SLOW, SMALL, 1);
    pace_await(p, SLOW, SMALL, 1);
    assert_close(pace_left(p, NULL, 0, 1, &is_guess), 12, 1e-12);
    assert_false(is_guess);
    assert_close(pace_left(p, NULL, 0, 2, &is_guess), 6, 1e-12);
    assert_close(pace_left(p, NULL, 0, 8, &is_guess), 6, 1e-12); /* one cell is not divided */
    pace_await(p, SLOW, SMALL, -1);
    assert_close(pace_left(p, NULL, 0, 1, &is_guess), 6, 1e-12);
    pace_destroy(p);
}

static void a_running_cell_needs_what_it_has_not_had(void **state) {
    pace *p = make();
    bool is_guess = false;
    (void)state;
    pace_add(p, SLOW, SMALL, 6);
    assert_close(pace_left(p, &(pace_cell){SLOW, SMALL, 2}, 1, 1, &is_guess), 4, 1e-12);
    assert_false(is_guess);
    assert_close(pace_left(p, &(pace_cell){SLOW, SMALL, 20}, 1, 1, &is_guess), 2, 1e-12);
    assert_true(is_guess); /* it takes longer than the others did */
    pace_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known_before_a_cell_is_over),
        cmocka_unit_test(like_cells_give_their_mean),
        cmocka_unit_test(a_learner_elsewhere_is_scaled_by_what_others_took_here),
        cmocka_unit_test(a_learner_that_has_not_run_takes_what_others_do),
        cmocka_unit_test(slow_learners_that_are_left_count_as_slow),
        cmocka_unit_test(a_running_cell_needs_what_it_has_not_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
