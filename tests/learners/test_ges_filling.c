/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that several threads fill, foreseen or not: the scores that are asked for one by one, bit for bit. */
#include "tests/support/scores.h"

#include "core/base/random.h"
#include "core/counting/counts.h"
#include "learners/ges/ges_filling_internal.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 3 }; /* gains that are kept */
enum { N_COLUMNS = 300, N_ROWS = 300, MOST_PARENTS = 3, MOST_QUESTIONS = 4, MOST_THREADS = 3, N_STEPS = 100 };

typedef struct {
    size_t family[MOST_PARENTS];
    ges_question question;
} drawn;

static bool is_in(const ges_question *q, size_t node) {
    for (size_t i = 0; i < q->n_family; i++) {
        if (q->family[i] == node)
            return true;
    }
    return node == q->y;
}

/* Of few nodes, so that the same one comes again. */
static void draw_question(random_stream *random, drawn *out) {
    size_t n = (size_t)random_below(random, MOST_PARENTS + 1);
    out->question = (ges_question){.y = (size_t)random_below(random, 6), .family = out->family};
    out->question.n_columns = random_below(random, 4) == 0 ? (size_t)random_below(random, N_COLUMNS + 1) : N_COLUMNS;
    out->question.most = random_below(random, 3) == 0 ? 0 : random_below(random, 2) == 0 ? FEW : N_COLUMNS;
    while (out->question.n_family < n) {
        size_t node = (size_t)random_below(random, 6);
        if (!is_in(&out->question, node))
            out->family[out->question.n_family++] = node;
    }
}

static void assert_scores(score *plain, const ges_question *q, const double *scores) {
    double expected;
    error_info err = {0};
    for (size_t x = 0; x < q->n_columns; x++) {
        if (is_in(q, x)) {
            assert_true(isnan(scores[x]));
            continue;
        }
        assert_ok(score_node_fresh(plain, q->y, q->family, q->n_family, x, &expected, &err), &err);
        if (scores[x] != expected)
            fail_msg("%zu given %zu and column %zu: %a, not %a", q->y, q->n_family, x, scores[x], expected);
    }
}

static const high_score *find_high(const high_score *high, size_t n, size_t x) {
    for (size_t i = 0; i < n; i++) {
        if (high[i].column == x)
            return &high[i];
    }
    return NULL;
}

/* Every score that is above that of the family is listed, or a bound of it. */
static void assert_high(score *plain, const ges_question *q, const high_score *high, size_t n) {
    double expected, without;
    error_info err = {0};
    assert_ok(score_node_fresh(plain, q->y, q->family, q->n_family, COUNTS_NO_EXTRA, &without, &err), &err);
    for (size_t x = 0; x < q->n_columns; x++) {
        const high_score *found = find_high(high, n, x);
        if (is_in(q, x)) {
            assert_null(found);
            continue;
        }
        assert_ok(score_node_fresh(plain, q->y, q->family, q->n_family, x, &expected, &err), &err);
        assert_true(found || !(expected - without > SCORE_TOLERANCE));
        assert_true(!found || found->score >= expected);
        assert_true(!found || found->kind != HIGH_EXACT || found->score == expected);
    }
}

static const ges_gain *find_gain(const ges_gain *gains, size_t n, size_t x) {
    for (size_t i = 0; i < n; i++) {
        if (gains[i].x == x)
            return &gains[i];
    }
    return NULL;
}

/* A heap, in which no gain is missing that is above the rest. */
static void assert_gains(score *plain, ges_filling *f, size_t i, const ges_question *q) {
    double expected, rest = -1, without = ges_filling_without(f, i);
    size_t n = SIZE_MAX;
    const ges_gain *gains = ges_filling_gains(f, i, &n, &rest);
    error_info err = {0};
    assert_int_equal(gains != NULL, q->most > 0);
    if (q->most == 0)
        return;
    assert_in_range(n, 0, 2 * q->most);
    for (size_t k = 1; k < n; k++)
        assert_false(ges_gain_comes_first(&gains[k], &gains[(k - 1) / 2]));
    for (size_t x = 0; x < q->n_columns; x++) {
        const ges_gain *found = find_gain(gains, n, x);
        if (is_in(q, x)) {
            assert_null(found);
            continue;
        }
        assert_ok(score_node_fresh(plain, q->y, q->family, q->n_family, x, &expected, &err), &err);
        if (found && !found->is_bound)
            assert_true(found->gain == expected - without);
        else
            assert_true(expected - without <= (found ? found->gain : rest > 0 ? rest : SCORE_TOLERANCE));
    }
}

static void assert_found(score *plain, ges_filling *f, size_t i, const ges_question *q) {
    size_t n;
    const double *scores = ges_filling_scores(f, i);
    const high_score *high = ges_filling_high(f, i, &n);
    double without;
    error_info err = {0};
    assert_ok(score_node_fresh(plain, q->y, q->family, q->n_family, COUNTS_NO_EXTRA, &without, &err), &err);
    assert_true(q->n_columns == 0 || ges_filling_without(f, i) == without);
    if (scores)
        assert_scores(plain, q, scores);
    else
        assert_high(plain, q, high, n);
    if (q->n_columns > 0)
        assert_gains(plain, f, i, q);
}

typedef struct {
    drawn all[MOST_QUESTIONS];
    ges_question items[MOST_QUESTIONS];
    ges_questions questions;
} drawn_questions;

static void draw_questions(random_stream *random, size_t n, drawn_questions *out) {
    for (size_t i = 0; i < n; i++) {
        draw_question(random, &out->all[i]);
        out->items[i] = out->all[i].question;
    }
    out->questions = (ges_questions){out->items, n};
}

/* Some are foreseen: before those that are asked, among them, or with them. */
static void step(ges_filling *f, score *plain, random_stream *random) {
    drawn_questions asked, before, next;
    bool is_expired = false;
    error_info err = {0};
    draw_questions(random, MOST_QUESTIONS, &before);
    draw_questions(random, 1 + (size_t)random_below(random, MOST_QUESTIONS), &asked);
    draw_questions(random, (size_t)random_below(random, MOST_QUESTIONS + 1), &next);
    ges_filling_foresee(f, &before.questions);
    if (random_below(random, 2) == 0)
        ges_filling_foresee_first(f, &asked.questions);
    if (random_below(random, 2) == 0)
        assert_ok(ges_filling_ask(f, &asked.questions, &err), &err);
    assert_ok(ges_filling_answer(f, &asked.questions, &next.questions, &is_expired, &err), &err);
    assert_false(is_expired);
    for (size_t i = 0; i < asked.questions.n; i++)
        assert_found(plain, f, i, &asked.items[i]);
}

static void rows_are_those_of_single_scores(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(21));
    for (size_t n_threads = 1; n_threads <= MOST_THREADS; n_threads++) {
        dataset *data = make_random_dataset(&random, N_ROWS, N_COLUMNS, 4);
        score *scorers[MOST_THREADS], *plain = score_of_data("bdeu", NULL, data);
        ges_filling *f = NULL;
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        for (size_t i = 0; i < n_threads; i++)
            scorers[i] = score_of_data("bdeu", NULL, data);
        assert_ok(ges_filling_create(scorers, n_threads, N_COLUMNS, &ctx, &f, &err), &err);
        for (size_t i = 0; i < N_STEPS; i++)
            step(f, plain, &random);
        ges_filling_destroy(f);
        for (size_t i = 0; i < n_threads; i++)
            score_destroy(scorers[i]);
        score_destroy(plain);
        dataset_destroy(data);
    }
}

enum { N_PIECES = 500 };

typedef struct {
    score *const *scorers; /* by thread */
    atomic_size_t n_begun, n_done;
    size_t done[N_PIECES];
} pieces;

static bool do_piece(void *self, size_t thread, score *scorer) {
    pieces *p = self;
    size_t i = atomic_fetch_add(&p->n_begun, 1);
    if (i >= N_PIECES)
        return false;
    p->done[i] += thread > 0 && thread < MOST_THREADS && p->scorers[thread] == scorer;
    atomic_fetch_add(&p->n_done, 1);
    return true;
}

static void other_threads_work_beside_the_questions(void **state) {
    random_stream random;
    dataset *data;
    score *scorers[MOST_THREADS], *plain;
    pieces all = {.scorers = scorers}, begun = {.scorers = scorers};
    ges_filling *f = NULL;
    run_context ctx;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(23));
    data = make_random_dataset(&random, N_ROWS, N_COLUMNS, 4);
    plain = score_of_data("bdeu", NULL, data);
    run_context_init(&ctx, 1);
    for (size_t i = 0; i < MOST_THREADS; i++)
        scorers[i] = score_of_data("bdeu", NULL, data);
    assert_ok(ges_filling_create(scorers, MOST_THREADS, N_COLUMNS, &ctx, &f, &err), &err);
    ges_filling_begin_side(f, do_piece, &all);
    step(f, plain, &random);
    while (all.n_done < N_PIECES)
        (void)sched_yield();
    ges_filling_end_side(f);
    for (size_t i = 0; i < N_PIECES; i++)
        assert_int_equal(all.done[i], 1);
    ges_filling_begin_side(f, do_piece, &begun);
    ges_filling_end_side(f);
    assert_int_equal(begun.n_done, begun.n_begun < N_PIECES ? begun.n_begun : N_PIECES);
    step(f, plain, &random);
    ges_filling_destroy(f);
    for (size_t i = 0; i < MOST_THREADS; i++)
        score_destroy(scorers[i]);
    score_destroy(plain);
    dataset_destroy(data);
}

static void past_the_deadline_nothing_is_to_be_read(void **state) {
    random_stream random;
    dataset *data;
    score *scorers[2];
    ges_filling *f = NULL;
    run_context ctx;
    ges_question one = {.y = 1, .n_columns = N_COLUMNS};
    ges_questions asked = {&one, 1};
    bool is_expired = false;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(22));
    data = make_random_dataset(&random, N_ROWS, N_COLUMNS, 4);
    run_context_init(&ctx, 1);
    ctx.deadline_s = run_clock_s() - 1;
    scorers[0] = score_of_data("bdeu", NULL, data);
    scorers[1] = score_of_data("bdeu", NULL, data);
    assert_ok(ges_filling_create(scorers, 2, N_COLUMNS, &ctx, &f, &err), &err);
    ges_filling_foresee(f, &asked);
    assert_ok(ges_filling_answer(f, &asked, &(ges_questions){NULL, 0}, &is_expired, &err), &err);
    assert_true(is_expired);
    ges_filling_destroy(f);
    score_destroy(scorers[0]);
    score_destroy(scorers[1]);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_single_scores),
        cmocka_unit_test(other_threads_work_beside_the_questions),
        cmocka_unit_test(past_the_deadline_nothing_is_to_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
