/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scores.h"

#include "learners/greedy/greedy_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static learner_result run_search(const dataset *data, const greedy_search_plan *plan, run_context *ctx) {
    learner_result result = {0};
    error_info err = {0};
    run_context_init(ctx, 1);
    assert_ok(greedy_search(data, plan, ctx, &result, &err), &err);
    return result;
}

static score *make_bdeu(const dataset *data, double ess) {
    return score_of_data("bdeu", &(bdeu_options){.ess = ess}, data);
}

static double total(score *s, const dag *g) {
    double value = 0;
    error_info err = {0};
    assert_ok(score_dag(s, g, &value, NULL, &err), &err);
    return value;
}

/* --- an exhaustive reference: every legal neighbour is built and scored whole --- */

enum { KINDS = 3 };

/* The neighbour by (kind, from, to), or NULL where the move is not legal. */
static dag *neighbour(const dag *g, int kind, size_t from, size_t to) {
    dag *copy = NULL;
    error_info err = {0};
    bool has = dag_has_arc(g, from, to), legal = from != to && (kind == 0) != has;
    assert_ok(dag_copy(g, &copy, &err), &err);
    if (legal && kind > 0)
        assert_ok(dag_remove_arc(copy, from, to, &err), &err);
    if (legal && kind == 0)
        legal = dag_add_arc(copy, from, to, &err) == STATUS_OK;
    if (legal && kind == 2)
        legal = dag_add_arc(copy, to, from, &err) == STATUS_OK;
    if (!legal) {
        dag_destroy(copy);
        return NULL;
    }
    return copy;
}

static bool same_graph(const dag *a, const dag *b) {
    size_t n = dag_node_count(a);
    for (size_t i = 0; i < n * n; i++) {
        if (dag_has_arc(a, i / n, i % n) != dag_has_arc(b, i / n, i % n))
            return false;
    }
    return true;
}

static bool is_listed(dag *const *list, size_t n, const dag *g) {
    for (size_t i = 0; i < n; i++) {
        if (same_graph(list[i], g))
            return true;
    }
    return false;
}

/* The neighbour that the search's rules choose; NULL where there is none. */
static dag *choose(const dag *g, score *s, double least, dag *const *tabu, size_t n_tabu) {
    size_t n = dag_node_count(g);
    double now = total(s, g), best = -INFINITY;
    dag *chosen = NULL;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < KINDS * n * n && !chosen; i++) {
            dag *h = neighbour(g, (int)(i / n / n), i / n % n, i % n);
            double gain = h ? total(s, h) - now : -INFINITY;
            bool counts = h && gain > least && !is_listed(tabu, n_tabu, h);
            if (counts && pass == 0)
                best = fmax(best, gain);
            if (counts && pass == 1 && gain >= best - SCORE_TOLERANCE)
                chosen = h;
            else
                dag_destroy(h);
        }
    }
    return chosen;
}

static dag *climb_slowly(const dataset *data, score *s, const dag *start) {
    dag *g = NULL, *next;
    error_info err = {0};
    assert_ok(start ? dag_copy(start, &g, &err) : dag_create(dataset_column_count(data), &g, &err), &err);
    while ((next = choose(g, s, SCORE_TOLERANCE, NULL, 0))) {
        dag_destroy(g);
        g = next;
    }
    return g;
}

/* --- a reference for many columns: every gain is asked for at every step, by local scores --- */

enum { WIDE = 75 };

static double local(score *s, const dag *g, size_t y, size_t toggled) {
    size_t kept[WIDE], n = 0, n_parents;
    const size_t *parents = dag_parents(g, y, &n_parents);
    double value = NAN;
    error_info err = {0};
    for (size_t i = 0; i < n_parents; i++) {
        if (parents[i] != toggled)
            kept[n++] = parents[i];
    }
    if (toggled < WIDE && !dag_has_arc(g, toggled, y))
        kept[n++] = toggled;
    assert_ok(score_node(s, y, kept, n, &value, &err), &err);
    return value;
}

/* Without a limit, constant columns become parents until the gains are as small as the tolerance, and ties are luck. */
enum { WIDE_PARENTS = 5 };

static bool is_full(const dag *g, size_t y) {
    size_t n_parents;
    (void)dag_parents(g, y, &n_parents);
    return n_parents >= WIDE_PARENTS;
}

/* The gain of a move by (kind, from, to), -INFINITY where it is not legal. */
static double plain_gain(score *s, const dag *g, int kind, size_t from, size_t to) {
    double gain = -INFINITY;
    dag *changed = NULL;
    if (from == to || (kind == 0) == dag_has_arc(g, from, to) || (kind == 0 && dag_reaches(g, to, from)))
        return gain;
    if ((kind == 0 && is_full(g, to)) || (kind == 2 && is_full(g, from)))
        return gain;
    if (kind == 2 && !(changed = neighbour(g, kind, from, to)))
        return gain;
    dag_destroy(changed);
    gain = local(s, g, to, from) - local(s, g, to, SIZE_MAX);
    return kind == 2 ? gain + (local(s, g, from, to) - local(s, g, from, SIZE_MAX)) : gain;
}

static bool step_plainly(score *s, dag **g) {
    double best = -INFINITY, *gains = calloc(KINDS * WIDE * WIDE, sizeof *gains);
    size_t chosen = 0;
    dag *next;
    assert_non_null(gains);
    for (size_t i = 0; i < KINDS * WIDE * WIDE; i++) {
        gains[i] = plain_gain(s, *g, (int)(i / WIDE / WIDE), i / WIDE % WIDE, i % WIDE);
        best = fmax(best, gains[i]);
    }
    while (best > SCORE_TOLERANCE && gains[chosen] < best - SCORE_TOLERANCE)
        chosen++;
    free(gains);
    if (!(best > SCORE_TOLERANCE))
        return false;
    next = neighbour(*g, (int)(chosen / WIDE / WIDE), chosen / WIDE % WIDE, chosen % WIDE);
    dag_destroy(*g);
    *g = next;
    return true;
}

/* Columns of one state that occurs, copies, functions of two others with and without noise, and noise. */
static dataset *make_wide(random_stream *random, size_t n_rows) {
    size_t n_states[WIDE];
    int *cells = calloc(n_rows * WIDE, sizeof *cells);
    dataset *data;
    assert_non_null(cells);
    for (size_t c = 0; c < WIDE; c++) {
        size_t what = c < 10 ? 4 : (size_t)random_below(random, 5), a = c, b = c;
        n_states[c] = 2 + (size_t)random_below(random, 2);
        if (c >= 10) {
            a = (size_t)random_below(random, c);
            b = (size_t)random_below(random, c);
        }
        for (size_t i = 0; i < n_rows; i++) {
            int *row = cells + i * WIDE, noise = (int)random_below(random, n_states[c]);
            int both = (row[a] + 2 * row[b]) % (int)n_states[c];
            int by_kind[] = {0, row[a] % (int)n_states[c], both, random_below(random, 10) ? both : noise, noise};
            row[c] = by_kind[what];
        }
    }
    data = make_dataset(n_rows, WIDE, n_states, cells);
    free(cells);
    return data;
}

enum { STEPS_MAX = 500 };

static dag *tabu_slowly(const dataset *data, double ess, size_t length, size_t patience) {
    score *s = make_bdeu(data, ess);
    dag *visited[STEPS_MAX] = {0}, *best = NULL, *next;
    size_t n = 1, without_gain = 0;
    double best_score;
    error_info err = {0};
    assert_ok(dag_create(dataset_column_count(data), &visited[0], &err), &err);
    assert_ok(dag_copy(visited[0], &best, &err), &err);
    best_score = total(s, best);
    while (without_gain < patience && n < STEPS_MAX) {
        size_t from = n > length ? n - length : 0;
        next = choose(visited[n - 1], s, -INFINITY, visited + from, n - from);
        if (!next)
            break;
        visited[n++] = next;
        without_gain++;
        if (total(s, next) > best_score + SCORE_TOLERANCE) {
            dag_destroy(best);
            assert_ok(dag_copy(next, &best, &err), &err);
            best_score = total(s, next);
            without_gain = 0;
        }
    }
    for (size_t i = 0; i < n; i++)
        dag_destroy(visited[i]);
    score_destroy(s);
    return best;
}

static void assert_same(const dag *expected, const learner_result *result) {
    dag *found = NULL;
    error_info err = {0};
    assert_ok(pdag_to_dag(result->graph, &found, &err), &err);
    assert_true(same_graph(expected, found));
    dag_destroy(found);
}

static void hill_climbing_takes_the_moves_of_an_exhaustive_search(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(6));
    for (int round = 0; round < 60; round++) {
        dataset *data = make_random_dataset(&random, 30 + (size_t)random_below(&random, 200), 5, 3);
        double ess = 1 + 9 * random_uniform(&random);
        greedy_search_plan plan = {.options = {.ess = ess, .max_parents = -1}};
        run_context ctx;
        learner_result result = run_search(data, &plan, &ctx);
        score *s = make_bdeu(data, ess);
        dag *expected = climb_slowly(data, s, NULL);
        assert_same(expected, &result);
        assert_close(result.score, total(s, expected), 1e-12);
        score_destroy(s);
        dag_destroy(expected);
        learner_result_clear(&result);
        dataset_destroy(data);
    }
}

/* Much of a random start is turned round or taken away, and what that makes legal is seen. K2 tells
 * directions apart. */
static void from_a_random_start_it_takes_them_too(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(17));
    for (int round = 0; round < 280; round++) {
        dataset *data = make_random_dataset(&random, 60 + (size_t)random_below(&random, 200), 7, 3);
        score *s = score_of_data("k2", NULL, data);
        dag *start = make_random_dag(&random, 7, 0.1 * (round % 7)), *expected = climb_slowly(data, s, start);
        greedy_search_plan plan = {.options = {.score.chosen = 1, .ess = 1, .max_parents = -1}, .start = start};
        run_context ctx;
        learner_result result = run_search(data, &plan, &ctx);
        assert_same(expected, &result);
        dag_destroy(expected);
        dag_destroy(start);
        score_destroy(s);
        learner_result_clear(&result);
        dataset_destroy(data);
    }
}

static void among_many_columns_bounds_change_no_move(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(16));
    for (int round = 0; round < 2; round++) {
        dataset *data = make_wide(&random, 80 + 240 * (size_t)round);
        greedy_search_plan plan = {.options = {.ess = 1, .max_parents = WIDE_PARENTS}};
        run_context ctx;
        learner_result result;
        score *s = make_bdeu(data, 1);
        dag *expected = NULL;
        error_info err = {0};
        run_context_init(&ctx, 1);
        result = run_search(data, &plan, &ctx);
        assert_ok(dag_create(WIDE, &expected, &err), &err);
        while (step_plainly(s, &expected))
            ;
        assert_same(expected, &result);
        assert_close(result.score, total(s, expected), 1e-12);
        score_destroy(s);
        dag_destroy(expected);
        learner_result_clear(&result);
        dataset_destroy(data);
    }
}

static void the_tabu_search_takes_the_moves_of_an_exhaustive_search(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(7));
    for (int round = 0; round < 12; round++) {
        dataset *data = make_random_dataset(&random, 30 + (size_t)random_below(&random, 100), 4, 3);
        size_t length = 1 + (size_t)random_below(&random, 20);
        greedy_search_plan plan = {.options = {.ess = 5, .max_parents = -1}, .tabu_length = length, .tabu_patience = 8};
        run_context ctx;
        learner_result result = run_search(data, &plan, &ctx);
        dag *expected = tabu_slowly(data, 5, length, 8);
        assert_same(expected, &result);
        dag_destroy(expected);
        learner_result_clear(&result);
        dataset_destroy(data);
    }
}

static void the_forty_rows_reach_the_scores_of_the_worked_example(void **state) {
    static const struct {
        int score;
        double ess, final;
    } rows[] = {{0, 1, -86.180450}, {0, 10, -80.952484}, {2, 1, -84.591015}};
    dataset *data = make_forty_rows();
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        greedy_search_plan plan = {.options = {.score.chosen = rows[i].score, .ess = rows[i].ess, .max_parents = -1}};
        run_context ctx;
        learner_result result = run_search(data, &plan, &ctx);
        assert_close(result.score, rows[i].final, 1e-7);
        assert_int_equal(pdag_edge_count(result.graph), 2);
        assert_true(pdag_edge_between(result.graph, 0, 2) == EDGE_NONE);
        assert_true(pdag_edge_between(result.graph, 1, 0) != EDGE_IN ||
                    pdag_edge_between(result.graph, 1, 2) != EDGE_IN);
        learner_result_clear(&result);
    }
    dataset_destroy(data);
}

static void arcs_stay_within_the_allowed_pairs_and_the_parent_limit(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(8));
    for (int round = 0; round < 30; round++) {
        dataset *data = make_random_dataset(&random, 300, 7, 3);
        pdag *allowed = NULL;
        greedy_search_plan plan = {.options = {.ess = 10, .max_parents = 1}, .tabu_length = 20, .tabu_patience = 5};
        run_context ctx;
        learner_result result;
        error_info err = {0};
        assert_ok(pdag_create(7, &allowed, &err), &err);
        for (size_t a = 0; a < 7; a++) {
            for (size_t b = a + 1; b < 7; b++) {
                if (random_uniform(&random) < 0.5)
                    assert_ok(pdag_set_edge(allowed, a, b, EDGE_UNDIRECTED, &err), &err);
            }
        }
        plan.allowed = allowed;
        result = run_search(data, &plan, &ctx);
        for (size_t a = 0; a < 7; a++) {
            size_t parents = 0;
            for (size_t b = 0; b < 7; b++) {
                edge_kind kind = a == b ? EDGE_NONE : pdag_edge_between(result.graph, a, b);
                parents += kind == EDGE_IN;
                assert_true(kind == EDGE_NONE || pdag_edge_between(allowed, a, b) == EDGE_UNDIRECTED);
            }
            assert_true(parents <= 1);
        }
        learner_result_clear(&result);
        pdag_destroy(allowed);
        dataset_destroy(data);
    }
}

static void at_its_deadline_the_search_returns_what_it_has(void **state) {
    random_stream random;
    dataset *data;
    greedy_search_plan plan = {.options = {.ess = 10, .max_parents = -1}};
    run_context ctx;
    learner_result result = {0};
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(9));
    data = make_random_dataset(&random, 500, 20, 3);
    run_context_init(&ctx, 1);
    ctx.deadline_s = run_clock_s() - 1;
    assert_ok(greedy_search(data, &plan, &ctx, &result, &err), &err);
    assert_true(result.is_cut_short);
    assert_int_equal(pdag_edge_count(result.graph), 0);
    learner_result_clear(&result);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hill_climbing_takes_the_moves_of_an_exhaustive_search),
        cmocka_unit_test(from_a_random_start_it_takes_them_too),
        cmocka_unit_test(among_many_columns_bounds_change_no_move),
        cmocka_unit_test(the_tabu_search_takes_the_moves_of_an_exhaustive_search),
        cmocka_unit_test(the_forty_rows_reach_the_scores_of_the_worked_example),
        cmocka_unit_test(arcs_stay_within_the_allowed_pairs_and_the_parent_limit),
        cmocka_unit_test(at_its_deadline_the_search_returns_what_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
