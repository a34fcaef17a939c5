/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/run/crew.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { N_PIECES = 100 };

typedef struct {
    atomic_size_t n_taken;
    size_t done[N_PIECES];
    size_t failing; /* worker */
} pile;

static status take(void *self, size_t worker, error_info *err) {
    pile *p = self;
    for (size_t i; (i = atomic_fetch_add(&p->n_taken, 1)) < N_PIECES;)
        p->done[i]++;
    if (worker >= p->failing)
        return error_set(err, STATUS_INVALID, "worker %zu", worker);
    return STATUS_OK;
}

static void every_piece_of_every_round_is_done_once(void **state) {
    (void)state;
    for (size_t n_workers = 1; n_workers <= 4; n_workers++) {
        pile p = {.failing = SIZE_MAX};
        crew *c = NULL;
        error_info err = {0};
        assert_ok(crew_create(n_workers, &c, &err), &err);
        crew_set_patience(c, n_workers % 2 * 20);
        for (size_t round = 1; round <= 2000; round++) {
            atomic_store(&p.n_taken, 0);
            assert_ok(crew_run(c, take, &p, &err), &err);
            for (size_t i = 0; i < N_PIECES; i++)
                assert_int_equal(p.done[i], round);
        }
        crew_destroy(c);
    }
}

static void the_failure_of_the_lowest_worker_is_told(void **state) {
    (void)state;
    for (size_t failing = 0; failing < 3; failing++) {
        pile p = {.failing = failing};
        crew *c = NULL;
        error_info err = {0};
        char expected[16];
        assert_ok(crew_create(3, &c, &err), &err);
        assert_int_equal(crew_run(c, take, &p, &err), STATUS_INVALID);
        (void)snprintf(expected, sizeof expected, "worker %zu", failing);
        assert_string_equal(err.message, expected);
        p.failing = SIZE_MAX;
        assert_ok(crew_run(c, take, &p, &err), &err);
        crew_destroy(c);
    }
}

static void threads_that_have_begun_are_waited_for(void **state) {
    (void)state;
    for (size_t n_workers = 1; n_workers <= 3; n_workers++) {
        pile p = {.failing = SIZE_MAX};
        crew *c = NULL;
        error_info err = {0};
        assert_ok(crew_create(n_workers, &c, &err), &err);
        assert_int_equal(crew_size(c), n_workers);
        for (size_t round = 1; round <= 200; round++) {
            atomic_store(&p.n_taken, 0);
            crew_begin(c, take, &p);
            assert_ok(take(&p, 0, &err), &err);
            assert_ok(crew_end(c, &err), &err);
            for (size_t i = 0; i < N_PIECES; i++)
                assert_int_equal(p.done[i], round);
        }
        p.failing = 1;
        crew_begin(c, take, &p);
        assert_int_equal(crew_end(c, &err), n_workers > 1 ? STATUS_INVALID : STATUS_OK);
        crew_destroy(c);
    }
}

static double microseconds_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* Awake, for a sleep of a few microseconds takes fifty and more. */
static void pause_for(size_t microseconds) {
    double end = microseconds_now() + (double)microseconds;
    while (microseconds_now() < end)
        (void)sched_yield();
}

typedef struct {
    size_t microseconds; /* that worker 1 takes */
    atomic_size_t n_done;
} slow_work;

static status take_time(void *self, size_t worker, error_info *err) {
    slow_work *w = self;
    (void)err;
    if (worker == 1)
        pause_for(w->microseconds);
    atomic_fetch_add(&w->n_done, 1);
    return STATUS_OK;
}

/* Without patience a thread sleeps after some 20 microseconds; here it does before, after and while it is woken. */
static void threads_are_woken_wherever_they_are_about_to_sleep(void **state) {
    (void)state;
    for (size_t n_workers = 2; n_workers <= 4; n_workers++) {
        crew *c = NULL;
        error_info err = {0};
        assert_ok(crew_create(n_workers, &c, &err), &err);
        crew_set_patience(c, 0);
        for (size_t round = 0; round < 300; round++) {
            slow_work w = {.microseconds = round % 7 * 10};
            assert_ok(crew_run(c, take_time, &w, &err), &err);
            assert_int_equal(atomic_load(&w.n_done), n_workers);
            pause_for(round % 5 * 10);
        }
        crew_destroy(c);
    }
}

/* Worker 1 does a work for long before it comes to the next. */
typedef struct {
    atomic_bool may_go_on;
    atomic_size_t n_first, n_second;
    bool was_in_order, fails;
} works_in_turn;

static status do_first(void *self, size_t worker, error_info *err) {
    works_in_turn *w = self;
    while (!atomic_load(&w->may_go_on))
        (void)sched_yield();
    atomic_fetch_add(&w->n_first, 1);
    return w->fails ? error_set(err, STATUS_INVALID, "first of %zu", worker) : STATUS_OK;
}

static status do_second(void *self, size_t worker, error_info *err) {
    works_in_turn *w = self;
    if (worker == 0)
        atomic_store(&w->may_go_on, true);
    if (worker == 1)
        w->was_in_order = atomic_load(&w->n_first) > 0;
    atomic_fetch_add(&w->n_second, 1);
    return w->fails ? error_set(err, STATUS_INVALID, "second of %zu", worker) : STATUS_OK;
}

static void a_work_follows_another_that_is_not_done_yet(void **state) {
    (void)state;
    for (size_t n_workers = 2; n_workers <= 4; n_workers++) {
        crew *c = NULL;
        error_info err = {0};
        assert_ok(crew_create(n_workers, &c, &err), &err);
        for (size_t round = 0; round < 200; round++) {
            works_in_turn w = {0};
            crew_begin(c, do_first, &w);
            assert_ok(crew_run(c, do_second, &w, &err), &err);
            assert_ok(crew_end(c, &err), &err);
            assert_int_equal(atomic_load(&w.n_first), n_workers - 1);
            assert_int_equal(atomic_load(&w.n_second), n_workers);
            assert_true(w.was_in_order);
        }
        crew_destroy(c);
    }
}

static void of_two_works_the_first_failure_is_told(void **state) {
    works_in_turn w = {.may_go_on = true, .fails = true};
    crew *c = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(crew_create(3, &c, &err), &err);
    crew_begin(c, do_first, &w);
    crew_begin(c, do_second, &w);
    assert_int_equal(crew_end(c, &err), STATUS_INVALID);
    assert_string_equal(err.message, "first of 1");
    assert_ok(crew_end(c, &err), &err);
    crew_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_piece_of_every_round_is_done_once),
                                       cmocka_unit_test(threads_that_have_begun_are_waited_for),
                                       cmocka_unit_test(threads_are_woken_wherever_they_are_about_to_sleep),
                                       cmocka_unit_test(a_work_follows_another_that_is_not_done_yet),
                                       cmocka_unit_test(of_two_works_the_first_failure_is_told),
                                       cmocka_unit_test(the_failure_of_the_lowest_worker_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
