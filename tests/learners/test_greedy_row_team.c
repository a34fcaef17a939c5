/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of a search that another thread has opened all slabs of is the row that one thread finds. Here each row that
 * the search shares is opened by a part of another number first, in the same thread. */
#include "tests/support/scores.h"
#include "tests/support/tiled_columns.h"

#include "core/run/thread_start.h"
#include "learners/greedy/greedy_row_team_internal.h"
#include "learners/greedy/greedy_search.h"
#include "metrics/scores/row_bounds.h"

enum { COLUMNS = ANCESTRY_MAX_BESIDE_SUPPORTS + 200, ROWS = 60 };

static size_t n_shared;                   /* rows */
static size_t n_opened, n_missed, n_lost; /* candidates: that the other part opened or left out, and of the second those
                                             that are forgotten */

static void other_first(void *owner, void (*work)(void *self, size_t index), void *self) {
    (void)owner;
    work(self, 1);
    work(self, 0);
}

/* What the other part left out is told. */
static bool has_missed(const greedy_worker *w, const missed_node *m) {
    for (size_t i = 0; i < w->missed.n; i++) {
        if (w->missed.nodes[i].node == m->node)
            return true;
    }
    return false;
}

/* The linker calls these in the place of the library's, which are __real_; the names are its.
 * NOLINTBEGIN(cert-dcl51-cpp) */

/* Without threads that answer ahead, the search shares every row that it needs. */
bool __wrap_thread_start(thread **out, void (*run)(void *), void *argument);

bool __wrap_thread_start(thread **out, void (*run)(void *), void *argument) {
    (void)out;
    (void)run;
    (void)argument;
    return false;
}

status __real_greedy_row_team_answer(greedy_worker *w, const row_question *q, const greedy_state *s,
                                     const run_context *ctx, const pass_helpers *helpers, row_part *parts,
                                     error_info *err);

status __wrap_greedy_row_team_answer(greedy_worker *w, const row_question *q, const greedy_state *s,
                                     const run_context *ctx, const pass_helpers *helpers, row_part *parts,
                                     error_info *err);

status __wrap_greedy_row_team_answer(greedy_worker *w, const row_question *q, const greedy_state *s,
                                     const run_context *ctx, const pass_helpers *helpers, row_part *parts,
                                     error_info *err) {
    static const pass_helpers two = {2, other_first, NULL};
    row_part own[2] = {{0}};
    status st;
    (void)helpers;
    (void)parts;
    CHECK(row_bounds_create(w->scorer, s->tables, s->lanes, s->blocks, &own[1].bounds, err));
    st = __real_greedy_row_team_answer(w, q, s, ctx, &two, own, err);
    n_shared++;
    n_opened += own[1].open.n;
    for (size_t i = 0; i < own[1].missed.n; i++)
        n_lost += !has_missed(w, &own[1].missed.nodes[i]);
    n_missed += own[1].missed.n;
    row_bounds_destroy(own[1].bounds);
    row_part_clear(&own[1]);
    return st;
}

/* NOLINTEND(cert-dcl51-cpp) */

static learner_result search(const dataset *data, size_t n_threads, run_context *ctx) {
    greedy_search_plan plan = {.options = {.ess = 1, .max_parents = 3}};
    learner_result result = {0};
    error_info err = {0};
    run_context_init(ctx, 1);
    ctx->n_threads = n_threads;
    assert_ok(greedy_search(data, &plan, ctx, &result, &err), &err);
    return result;
}

static void a_row_that_another_thread_opens_is_the_same(void **state) {
    random_stream random;
    run_context one_ctx, two_ctx;
    learner_result one, two;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(59));
    data = make_tiled_columns(&random, COLUMNS, ROWS);
    one = search(data, 1, &one_ctx);
    assert_int_equal(n_shared, 0);
    two = search(data, 2, &two_ctx);
    assert_true(n_shared > COLUMNS / 2 && n_opened > n_shared && n_missed > 0);
    assert_int_equal(n_lost, 0);
    assert_true(one.score == two.score);
    assert_true(pdag_is_equal(one.graph, two.graph));
    assert_int_equal(one_ctx.scores.requests, two_ctx.scores.requests);
    assert_int_equal(one_ctx.scores.computed, two_ctx.scores.computed);
    learner_result_clear(&two);
    learner_result_clear(&one);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_that_another_thread_opens_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
