/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches that run side by side share the rows of scores. */
#include "tests/learners/random_families.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

typedef struct {
    uint64_t seed;
    uint64_t asked;        /* a number for all that was asked, in any order */
    atomic_bool is_asking; /* one thread at a time does, but for rows */
    run_watch *watch;      /* NULL, or it stops the run when it has had so many rows: */
    atomic_size_t n_left;
    size_t n_until_failure; /* rows; 0: none fails */
    bool is_slow;           /* rows of all threads but the run's own, which waits for the first of them */
    atomic_size_t n_slow;
    uint64_t n_counted, n_published;
} shared_families;

static void note(shared_families *f, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    random_key asked = random_key_of(x);
    assert_false(atomic_exchange(&f->is_asking, true));
    for (size_t i = 0; i < n_parents; i++)
        asked = random_key_number(asked, parents[i]);
    f->asked += random_key_number(asked, extra).hash;
    f->n_counted++;
    atomic_store(&f->is_asking, false);
}

static status shared_family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                            error_info *err) {
    shared_families *f = self;
    (void)err;
    note(f, x, parents, n_parents, extra);
    *out = random_score(f->seed, x, parents, n_parents, extra);
    return STATUS_OK;
}

static void take_long(shared_families *f, size_t worker) {
    const struct timespec a_while = {.tv_nsec = 20000000};
    if (worker > 0)
        atomic_fetch_add(&f->n_slow, 1);
    for (size_t i = 0; i < 500 && (atomic_load(&f->n_slow) == 0 || (worker > 0 && i == 0)); i++)
        (void)nanosleep(&a_while, NULL);
}

static status shared_row(void *self, size_t worker, size_t x, const size_t *parents, size_t n_parents, double *values,
                         error_info *err) {
    shared_families *f = self;
    (void)err;
    for (size_t i = 0; i < N_RANDOM; i++)
        values[i] = random_score(f->seed, x, parents, n_parents, i);
    if (f->is_slow)
        take_long(f, worker);
    if (f->watch && !f->is_slow && atomic_fetch_sub(&f->n_left, 1) <= 1)
        atomic_store(&f->watch->is_stopped, true);
    if (f->n_until_failure > 0 && atomic_fetch_sub(&f->n_left, 1) <= 1)
        return error_set(err, STATUS_MEMORY, "no memory for row %zu", x);
    return STATUS_OK;
}

static status count_shared_row(void *self, size_t x, const size_t *parents, size_t n_parents, error_info *err) {
    (void)err;
    note(self, x, parents, n_parents, N_RANDOM);
    return STATUS_OK;
}

/* In the run's own thread, which reads what was counted whenever it likes. */
static void publish_shared(void *self) {
    shared_families *f = self;
    f->n_published += f->n_counted;
    f->n_counted = 0;
}

static family_source shared_source(shared_families *families, size_t n_threads) {
    return (family_source){.self = families,
                           .family = shared_family,
                           .n_variables = N_RANDOM,
                           .row = shared_row,
                           .count_row = count_shared_row,
                           .publish = publish_shared,
                           .n_workers = n_threads};
}

static const sgs_plan twenty_searches = {.neighbourhood = SGS_STARS,
                                         .n_restarts = 20, /* more than may be side by side */
                                         .max_parents = SIZE_MAX,
                                         .max_moves = SIZE_MAX,
                                         .breaks_ties_at_random = true,
                                         .starts_at_random = true,
                                         .looks_everywhere = true};

static status try_search_by(shared_families *families, const sgs_plan *plan, size_t n_threads, sgs_result *out,
                            error_info *err) {
    family_source source = shared_source(families, n_threads);
    run_context ctx;
    run_context_init(&ctx, 1);
    ctx.n_threads = n_threads;
    ctx.watch = families->watch;
    return sgs_search(&source, plan, &ctx, out, err);
}

static sgs_result search_by(shared_families *families, const sgs_plan *plan, size_t n_threads) {
    sgs_result result = {0};
    error_info err = {0};
    assert_ok(try_search_by(families, plan, n_threads, &result, &err), &err);
    return result;
}

static void searches_side_by_side_find_what_they_find_one_after_the_other(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        shared_families alone = {.seed = 100 * seed};
        sgs_plan plan = twenty_searches;
        sgs_result one;
        plan.max_moves = seed % 2 ? SIZE_MAX : 3;
        plan.max_row_bytes = seed % 4 < 2 ? 0 : 1;
        plan.starts_at_random = seed % 3;         /* else all ask for the same rows at first */
        plan.n_restarts = seed % 5 == 4 ? 1 : 20; /* one: the other threads help with it from the start */
        one = search_by(&alone, &plan, 1);
        assert_true(dag_arc_count(one.graph) > 0);
        for (size_t n_threads = 2; n_threads <= 4; n_threads++) {
            shared_families together = {.seed = 100 * seed};
            sgs_result many = search_by(&together, &plan, n_threads);
            assert_same_arcs(one.graph, many.graph);
            assert_true(one.score == many.score);
            assert_memory_equal(one.uses, many.uses, sizeof one.uses);
            assert_int_equal(many.n_searches, plan.n_restarts);
            assert_true(alone.asked == together.asked);
            assert_true(together.n_published > 0 && together.n_published == alone.n_published);
            dag_destroy(many.graph);
        }
        dag_destroy(one.graph);
    }
}

static bool let_go_on(void *self, const run_context *ctx) {
    (void)self;
    (void)ctx;
    return true;
}

/* In the first search, or in some that run side by side, or between them. */
static void a_search_that_is_stopped_among_rows_returns_a_graph_with_its_score(void **state) {
    (void)state;
    for (size_t n_rows = 1; n_rows <= 200; n_rows += 1 + n_rows / 16) {
        for (size_t n_threads = 1; n_threads <= 4; n_threads++) {
            run_watch watch = {.proceed = let_go_on, .asker = pthread_self()};
            shared_families families = {.seed = 7, .watch = &watch, .n_left = n_rows};
            family_source source = shared_source(&families, n_threads);
            sgs_result found = search_by(&families, &twenty_searches, n_threads);
            double score = 0;
            error_info err = {0};
            assert_true(found.is_cut_short);
            assert_ok(family_score_dag(&source, found.graph, &score, &err), &err);
            assert_close(found.score, score, 1e-9);
            dag_destroy(found.graph);
        }
    }
}

/* `self`: the families and the number of times that it was asked. */
typedef struct {
    const shared_families *families;
    size_t n_asked;
    uint64_t n_published;
} listener;

static bool hear(void *self, const run_context *ctx) {
    listener *l = self;
    (void)ctx;
    assert_true(l->families->n_published >= l->n_published);
    l->n_published = l->families->n_published;
    l->n_asked++;
    return true;
}

/* Some twenty times a second: the run's own thread is soon out of searches, the other one takes much longer. */
static void whoever_may_end_a_run_is_asked_until_its_end(void **state) {
    shared_families families = {.seed = 7, .is_slow = true};
    listener l = {.families = &families};
    run_watch watch = {.proceed = hear, .self = &l, .asker = pthread_self()};
    sgs_plan plan = twenty_searches;
    sgs_result found;
    (void)state;
    families.watch = &watch;
    plan.n_restarts = 2;
    found = search_by(&families, &plan, 2);
    assert_int_equal(found.n_searches, 2);
    assert_true(atomic_load(&families.n_slow) >= 10);
    assert_true(l.n_asked >= 4);
    dag_destroy(found.graph);
}

/* Others may wait for the row that fails, or go on for a while. */
static void a_row_that_fails_ends_all_searches(void **state) {
    (void)state;
    for (size_t n_rows = 1; n_rows <= 24; n_rows++) {
        for (size_t n_threads = 1; n_threads <= 4; n_threads++) {
            shared_families families = {.seed = 7, .n_until_failure = n_rows, .n_left = n_rows};
            sgs_plan plan = twenty_searches;
            sgs_result none = {0};
            error_info err = {0};
            plan.starts_at_random = n_rows % 2;
            assert_int_equal(try_search_by(&families, &plan, n_threads, &none, &err), STATUS_MEMORY);
            assert_non_null(strstr(err.message, "no memory for row"));
            assert_null(none.graph);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_side_by_side_find_what_they_find_one_after_the_other),
        cmocka_unit_test(a_search_that_is_stopped_among_rows_returns_a_graph_with_its_score),
        cmocka_unit_test(whoever_may_end_a_run_is_asked_until_its_end),
        cmocka_unit_test(a_row_that_fails_ends_all_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
