/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The learners whose moves stand in a delta table, by several threads: what is found beforehand is what is asked for
 * one by one, and graph, score, counters and figures are those of one thread.
 */
#include "tests/learners/threads_support.h"

#include "core/base/array.h"
#include "core/run/trace.h"
#include "learners/greedy/delta_ahead_internal.h"

#include <math.h>
#include <stdlib.h>

enum { N_COLUMNS = 150, N_ROWS = 400, MOST_THREADS = 3 };

/* --- what is found beforehand --- */

typedef struct {
    size_t y, parents[3], n_parents, columns[N_COLUMNS], n;
} drawn_row;

static bool is_parent(const drawn_row *r, size_t x) {
    return array_has_size(r->parents, r->n_parents, x);
}

/* Of few nodes, so that one comes more than once; every column but a few. */
static void draw_row(random_stream *random, drawn_row *r) {
    size_t n_parents = (size_t)random_below(random, 4);
    *r = (drawn_row){.y = (size_t)random_below(random, 5)};
    for (size_t x = 5; r->n_parents < n_parents; x += 1 + (size_t)random_below(random, 9))
        r->parents[r->n_parents++] = x;
    for (size_t x = (size_t)random_below(random, 60); x < N_COLUMNS; x += 1 + (size_t)random_below(random, 8) / 7) {
        if (x != r->y && !is_parent(r, x))
            r->columns[r->n++] = x;
    }
}

/* Some of the columns of a row, from anywhere in it. */
static void compare_some(delta_ahead *a, score *plain, random_stream *random, const drawn_row *r, size_t *n_known) {
    size_t first = (size_t)random_below(random, r->n), n = 1 + (size_t)random_below(random, r->n - first);
    double found[N_COLUMNS], expected;
    bool is_known = false;
    error_info err = {0};
    assert_ok(delta_ahead_take(a, r->y, r->parents, r->n_parents, r->columns + first, n, found, &is_known, &err), &err);
    for (size_t i = 0; i < n && is_known; i++) {
        assert_ok(score_node_fresh(plain, r->y, r->parents, r->n_parents, r->columns[first + i], &expected, &err),
                  &err);
        if (found[i] != expected)
            fail_msg("%zu with %zu: %a, not %a", r->y, r->columns[first + i], found[i], expected);
    }
    *n_known += is_known ? n : 0;
}

static void foresee_rows(delta_ahead *a, score *plain, random_stream *random, size_t *n_known) {
    static drawn_row rows[12];
    error_info err = {0};
    assert_ok(delta_ahead_forget(a, &err), &err);
    for (size_t i = 0; i < 12; i++) {
        draw_row(random, &rows[i]);
        assert_ok(delta_ahead_add(a, rows[i].y, rows[i].parents, rows[i].n_parents, rows[i].columns, rows[i].n, &err),
                  &err);
    }
    assert_ok(delta_ahead_begin(a, &err), &err);
    for (size_t i = 0; i < 12; i++) {
        if (random_below(random, 4) > 0)
            compare_some(a, plain, random, &rows[i], n_known);
    }
}

static void scores_found_beforehand_are_those_that_are_asked_for(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(91));
    for (size_t n_threads = 2; n_threads <= MOST_THREADS; n_threads++) {
        dataset *data = sample_random(&random, N_COLUMNS, 2, N_ROWS);
        const score_kind *kind = NULL;
        score *s = NULL, *plain = NULL;
        pair_tables *tables = NULL;
        scored_extras *own = NULL;
        delta_ahead *a = NULL;
        size_t n_known = 0;
        error_info err = {0};
        assert_ok(score_kind_find("bdeu", &kind, &err), &err);
        assert_ok(score_create(kind, NULL, data, NULL, &s, &err), &err);
        assert_ok(score_create(kind, NULL, data, NULL, &plain, &err), &err);
        assert_ok(score_make_tables(s, 1, NULL, &tables, &err), &err);
        assert_ok(scored_extras_create(s, tables, &own, &err), &err);
        assert_ok(delta_ahead_create(s, tables, own, n_threads, &a, &err), &err);
        for (int round = 0; round < 60; round++)
            foresee_rows(a, plain, &random, &n_known);
        assert_true(n_known > 1000);
        delta_ahead_destroy(a);
        scored_extras_destroy(own);
        pair_tables_destroy(tables);
        score_destroy(plain);
        score_destroy(s);
        dataset_destroy(data);
    }
}

/* --- the learners --- */

typedef struct {
    learner_result result;
    trace told;
    run_context ctx;
} traced;

/* `pair`: an option and its value; NULL: none. */
static void learn(const char *name, const char *const *pair, const dataset *data, size_t n_threads,
                  uint64_t most_scores, traced *out) {
    const learner *l = NULL;
    void *options;
    error_info err = {0};
    *out = (traced){0};
    assert_ok(learner_find(name, &l, &err), &err);
    assert_non_null(options = learner_options_create(l));
    if (pair[0])
        assert_ok(options_set(l->options, options, pair[0], pair[1], &err), &err);
    run_context_init(&out->ctx, 1);
    out->ctx.n_threads = n_threads;
    out->ctx.most_scores = most_scores;
    out->ctx.trace = &out->told;
    assert_ok(learner_run(l, data, options, &out->ctx, &out->result, &err), &err);
    free(options);
}

static void forget(traced *t) {
    learner_result_clear(&t->result);
    trace_clear(&t->told);
}

static void assert_same(const traced *a, const traced *b) {
    const double *steps_a = trace_find_figure(&a->told, "iterations"),
                 *steps_b = trace_find_figure(&b->told, "iterations");
    assert_same_graph(a->result.graph, b->result.graph);
    assert_true(a->result.score == b->result.score);
    assert_int_equal(a->result.is_cut_short, b->result.is_cut_short);
    assert_int_equal(a->ctx.scores.requests, b->ctx.scores.requests);
    assert_int_equal(a->ctx.scores.computed, b->ctx.scores.computed);
    assert_non_null(steps_a);
    assert_non_null(steps_b);
    assert_true(*steps_a == *steps_b);
}

static void compare_threads(const char *name, const char *const *pair, const dataset *data, uint64_t most_scores) {
    traced one, more;
    learn(name, pair, data, 1, most_scores, &one);
    assert_int_equal(one.result.is_cut_short, most_scores > 0);
    for (size_t n_threads = 2; n_threads <= MOST_THREADS; n_threads++) {
        learn(name, pair, data, n_threads, most_scores, &more);
        assert_same(&more, &one);
        forget(&more);
    }
    forget(&one);
}

static const char *const learners[] = {"chc", "chc-star", "ichc", "2ichc", "fastchc", "lagd"};

enum { N_LEARNERS = sizeof learners / sizeof *learners };

static void threads_change_neither_graph_nor_counters(void **state) {
    static const char *const options[][2] = {{NULL}, {"max_parents", "2"}, {"score", "bic"}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(92));
    for (size_t i = 0; i < 3; i++) {
        dataset *data = sample_random(&random, N_COLUMNS + 30 * i, 2 + (double)i, (size_t)N_ROWS << i);
        for (size_t l = 0; l < N_LEARNERS; l++)
            compare_threads(learners[l], options[(i + l) % 3], data, 0);
        dataset_destroy(data);
    }
}

static void threads_leave_a_budget_of_scores_as_it_is(void **state) {
    static const char *const none[] = {NULL};
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(93));
    data = sample_random(&random, N_COLUMNS, 2, N_ROWS);
    for (size_t l = 0; l < N_LEARNERS; l++)
        compare_threads(learners[l], none, data, 4000 + 500 * l);
    dataset_destroy(data);
}

static void past_the_deadline_every_thread_ends(void **state) {
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(94));
    data = sample_random(&random, 2 * N_COLUMNS, 3, 4 * N_ROWS);
    for (size_t i = 0; i < 3 * N_LEARNERS; i++)
        assert_ends_at_deadline(learners[i % N_LEARNERS], data, 2e-3 * (double)(i / N_LEARNERS));
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_found_beforehand_are_those_that_are_asked_for),
        cmocka_unit_test(threads_change_neither_graph_nor_counters),
        cmocka_unit_test(threads_leave_a_budget_of_scores_as_it_is),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
