/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SGS3 keeps what repairs of moves came to while the graph changes elsewhere. A search that begins anew at every graph
 * has nothing kept: it goes the same way.
 */
#include "tests/support/support.h"

#include "core/base/bits.h"
#include "learners/sgs/repair_memo_internal.h"
#include "learners/sgs/sgs_search.h"

#include <math.h>

enum { N = 80, N_CANDIDATES = 10, MOST_PARENTS = 4, N_THREADS = 2 };

typedef struct {
    uint64_t seed;
    size_t lists[N][N_CANDIDATES], counts[N];
    const size_t *candidates[N];
} problem;

static double number_of(random_key key) {
    random_stream random;
    random_stream_init(&random, key);
    return random_uniform(&random);
}

/* A sum over the parents, which makes long climbs, and a part of the family's own. */
static status family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                     error_info *err) {
    const problem *p = self;
    random_key all = random_key_of(p->seed);
    double sum = 0;
    (void)err;
    for (size_t i = 0; i <= n_parents; i++) {
        size_t y = i < n_parents ? parents[i] : extra;
        random_key key = random_key_number(random_key_number(random_key_of(p->seed), x), y);
        if (y == FAMILY_NO_EXTRA)
            continue;
        sum += number_of(key) - 0.3;
        all.hash ^= key.hash;
    }
    *out = sum + number_of(all) / 2;
    return STATUS_OK;
}

/* Candidates are near, as in a tile of a large network, but for a few. */
static void make_problem(problem *p, uint64_t seed) {
    random_stream random;
    random_stream_init(&random, random_key_of(seed));
    *p = (problem){.seed = seed};
    for (size_t x = 0; x < N; x++) {
        bool is_taken[N] = {0};
        for (size_t n = 0; n < N_CANDIDATES;) {
            bool is_near = random_below(&random, 8) > 0;
            size_t y = (size_t)random_below(&random, is_near ? 24 : N);
            y = is_near ? (x + y + N - 12) % N : y;
            n += y != x && !is_taken[y];
            is_taken[y] = y != x;
        }
        for (size_t y = 0; y < N; y++) {
            if (is_taken[y])
                p->lists[x][p->counts[x]++] = y;
        }
        p->candidates[x] = p->lists[x];
    }
}

static sgs_result search_on(problem *p, bool looks_everywhere, const dag *start, size_t max_moves, size_t n_threads) {
    family_source source = {p, family, N};
    sgs_plan plan = {.neighbourhood = SGS_STARS,
                     .n_restarts = 1,
                     .max_parents = MOST_PARENTS,
                     .max_moves = max_moves,
                     .start = start,
                     .looks_everywhere = looks_everywhere,
                     .candidates = p->candidates,
                     .n_candidates = p->counts};
    sgs_result result = {0};
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    ctx.n_threads = n_threads;
    assert_ok(sgs_search(&source, &plan, &ctx, &result, &err), &err);
    return result;
}

static void assert_same(const dag *a, const dag *b) {
    for (size_t i = 0; i < N * N; i++)
        assert_true(dag_has_arc(a, i / N, i % N) == dag_has_arc(b, i / N, i % N));
}

static dag *make_empty(void) {
    dag *g = NULL;
    error_info err = {0};
    assert_ok(dag_create(N, &g, &err), &err);
    return g;
}

/* @return how many moves with repairs there were */
static size_t compare(problem *p, bool looks_everywhere) {
    dag *g = make_empty(), *start = make_empty();
    size_t n_moves = 0, n_repaired = 0;
    double score = -INFINITY;
    for (bool has_gained = true; has_gained;) {
        sgs_result one = search_on(p, looks_everywhere, g, 1, 1);
        has_gained = one.score > score;
        score = one.score;
        n_moves += has_gained;
        n_repaired += one.longest_move > 1;
        dag_destroy(g);
        g = one.graph;
    }
    for (size_t n = 1; n <= N_THREADS; n++) {
        sgs_result whole = search_on(p, looks_everywhere, start, SIZE_MAX, n);
        assert_same(whole.graph, g);
        assert_close(whole.score, score, 1e-9);
        dag_destroy(whole.graph);
    }
    dag_destroy(g);
    dag_destroy(start);
    assert_true(n_moves > N);
    return n_repaired;
}

static void a_search_that_keeps_outcomes_goes_as_one_that_does_not(void **state) {
    size_t n_repaired = 0, n_problems = rounds_here(4);
    (void)state;
    for (uint64_t seed = 1; seed <= n_problems; seed++) {
        problem p;
        make_problem(&p, seed);
        n_repaired += compare(&p, false);
        n_repaired += compare(&p, true);
    }
    assert_true(n_repaired > 20 * n_problems);
}

/* --- one outcome, and what it hung on --- */

enum { HEAD = 1, READ = 30, OTHER = 60, N_WORDS = SGS_SET_BLOCK };

typedef struct {
    repair_memo *memo;
    dag *g;
    ancestry *above;
} noted;

static void note_begin(noted *t, size_t most_rows) {
    error_info err = {0};
    t->g = make_empty();
    assert_ok(ancestry_create(t->g, most_rows, &t->above, &err), &err);
    assert_ok(repair_memo_create(N, N_WORDS, &t->memo, &err), &err);
}

static void note_end(noted *t) {
    repair_memo_destroy(t->memo);
    ancestry_destroy(t->above);
    dag_destroy(t->g);
}

/* Keeps an outcome that hung on one node by one set of its trail, and looks at its list. */
static void keep_outcome(noted *t, size_t set) {
    uint64_t trail[SGS_TRAIL_SETS * N_WORDS] = {0};
    sgs_move move = {.kind = SGS_ADD, .from = OTHER, .to = HEAD, .gain = 2};
    error_info err = {0};
    repair_memo_forget_all(t->memo);
    assert_ok(repair_list_add(repair_memo_list(t->memo, HEAD), OTHER, SGS_NONE, 3, &err), &err);
    assert_ok(repair_memo_reserve(t->memo, HEAD, 0, &err), &err);
    bits_add(trail + set * N_WORDS, READ);
    bits_add(trail + SGS_TRAIL_HEADS * N_WORDS, HEAD);
    repair_memo_keep(t->memo, 0, &move, trail);
    repair_memo_forget_changed(t->memo, HEAD);
}

static bool is_kept(noted *t) {
    return !isnan(repair_memo_list(t->memo, HEAD)->stars[0].gain);
}

static void note_addition(noted *t, size_t from, size_t to) {
    error_info err = {0};
    assert_ok(repair_memo_note_addition(t->memo, t->above, (sgs_arc){from, to}, &err), &err);
}

/* Nodes of cycles are not always among those of which the parents were read: the other end's search finds some. */
static void an_arc_that_vanishes_at_a_node_of_a_cycle_ends_an_outcome(void **state) {
    noted t;
    (void)state;
    note_begin(&t, N);
    keep_outcome(&t, SGS_TRAIL_NODES);
    repair_memo_note_removal(t.memo, OTHER);
    assert_false(repair_memo_is_concerned(t.memo, HEAD));
    repair_memo_note_removal(t.memo, READ);
    assert_true(repair_memo_is_concerned(t.memo, HEAD));
    repair_memo_forget_changed(t.memo, HEAD);
    assert_false(is_kept(&t));
    note_end(&t);
}

static void an_arc_that_vanishes_where_parents_were_read_leaves_an_outcome(void **state) {
    noted t;
    (void)state;
    note_begin(&t, N);
    keep_outcome(&t, SGS_TRAIL_PARENTS_READ);
    repair_memo_note_removal(t.memo, READ);
    repair_memo_forget_changed(t.memo, HEAD);
    assert_true(is_kept(&t));
    note_end(&t);
}

/* It opens a path where a head of the outcome is above it. In many nodes nobody knows who is. */
static void an_arc_that_appears_where_parents_were_read_ends_an_outcome_it_may_reach(void **state) {
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        bool has_rows = i == 0;
        noted t;
        note_begin(&t, has_rows ? N : 0);
        assert_true(ancestry_has_rows(t.above) == has_rows);
        keep_outcome(&t, SGS_TRAIL_PARENTS_READ);
        note_addition(&t, OTHER, READ);
        assert_true(repair_memo_is_concerned(t.memo, HEAD));
        repair_memo_forget_changed(t.memo, HEAD);
        assert_true(is_kept(&t) == has_rows);
        note_end(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_that_keeps_outcomes_goes_as_one_that_does_not),
        cmocka_unit_test(an_arc_that_vanishes_at_a_node_of_a_cycle_ends_an_outcome),
        cmocka_unit_test(an_arc_that_vanishes_where_parents_were_read_leaves_an_outcome),
        cmocka_unit_test(an_arc_that_appears_where_parents_were_read_ends_an_outcome_it_may_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
