/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"
#include "tests/support/support.h"

#include "learners/greedy/greedy_search.h"
#include "metrics/numerics/information.h"

#include <math.h>
#include <stdlib.h>

/* --- the learner through its options --- */

static learner_result run_learner(const char *name, const dataset *data, const char *const *settings,
                                  run_context *ctx) {
    const learner *l = NULL;
    learner_result result = {0};
    void *options;
    error_info err = {0};
    assert_ok(learner_find(name, &l, &err), &err);
    options = learner_options_create(l);
    assert_non_null(options);
    for (size_t i = 0; settings[i]; i++)
        assert_ok(options_set_pair(l->options, options, settings[i], &err), &err);
    assert_ok(learner_run(l, data, options, ctx, &result, &err), &err);
    free(options);
    return result;
}

static learner_result run_quietly(const char *name, const dataset *data, const char *const *settings) {
    run_context ctx;
    run_context_init(&ctx, 1);
    return run_learner(name, data, settings, &ctx);
}

static size_t parent_count(const pdag *g, size_t node) {
    size_t n_edges, n = 0;
    const pdag_edge *edges = pdag_edges(g, node, &n_edges);
    for (size_t i = 0; i < n_edges; i++)
        n += edges[i].kind == EDGE_IN;
    return n;
}

/* With one candidate each (A: B, B: C, C: B) the optimum of hill climbing is reached. */
static void one_candidate_each_is_enough_for_the_forty_rows(void **state) {
    static const char *const variants[][5] = {
        {"k=1", "ess=1", "candidates=mi", NULL},
        {"k=1", "ess=1", "candidates=score", NULL},
        {"k=1", "ess=1", "candidates=mi", "start=empty", NULL},
    };
    dataset *data = make_forty_rows();
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        run_context ctx;
        learner_result result;
        run_context_init(&ctx, 1);
        result = run_learner("sc", data, variants[i], &ctx);
        assert_close(result.score, -86.180450, 1e-7);
        assert_int_equal(pdag_edge_count(result.graph), 2);
        assert_true(pdag_edge_between(result.graph, 1, 0) == EDGE_OUT);
        assert_true(pdag_edge_between(result.graph, 1, 2) != EDGE_NONE);
        assert_true(ctx.tests.requests >= 3); /* the pairs of the first round */
        learner_result_clear(&result);
    }
    dataset_destroy(data);
}

static void with_every_node_a_candidate_it_is_the_tabu_search(void **state) {
    static const char *const all[] = {"k=100", "ess=5", "start=empty", NULL}, *const plain[] = {"ess=5", NULL};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(21));
    for (int round = 0; round < 20; round++) {
        dataset *data = make_random_dataset(&random, 200, 7, 3);
        learner_result sparse = run_quietly("sc", data, all), tabu = run_quietly("gts", data, plain);
        assert_true(pdag_is_equal(sparse.graph, tabu.graph));
        assert_close(sparse.score, tabu.score, 1e-12);
        learner_result_clear(&sparse);
        learner_result_clear(&tabu);
        dataset_destroy(data);
    }
}

/* --- a slow second implementation of the rounds --- */

enum { N = 8, K = 2 };

typedef struct {
    size_t cells[N][K];
    const size_t *rows[N];
    size_t n_rows[N];
} candidates;

static double measure_of(information *info, score *s, bool by_score, const dag *g, size_t x, size_t y) {
    size_t n_parents;
    const size_t *parents = dag_parents(g, x, &n_parents);
    size_t more[N];
    double value = 0;
    error_info err = {0};
    for (size_t i = 0; i < n_parents; i++)
        more[i] = parents[i];
    more[n_parents] = y;
    if (by_score)
        assert_ok(score_node(s, x, more, n_parents + 1, &value, &err), &err);
    else
        assert_ok(information_measure(info, x, y, parents, n_parents, &value, &err), &err);
    return value;
}

/* Parents, then one by one the best of the others. */
static void choose(candidates *c, information *info, score *s, bool by_score, const dag *g) {
    for (size_t x = 0; x < N; x++) {
        bool taken[N] = {false};
        size_t n_parents;
        c->rows[x] = c->cells[x];
        c->n_rows[x] = 0;
        for (size_t y = 0; y < N; y++)
            taken[y] = dag_has_arc(g, y, x);
        (void)dag_parents(g, x, &n_parents);
        for (size_t n = n_parents; n < K; n++) {
            size_t best = N;
            double most = -INFINITY;
            for (size_t y = 0; y < N; y++) {
                double value = y == x || taken[y] ? -INFINITY : measure_of(info, s, by_score, g, x, y);
                if (value > most + SCORE_TOLERANCE) {
                    best = y;
                    most = value;
                }
            }
            taken[best] = true;
        }
        for (size_t y = 0; y < N; y++) {
            if (taken[y])
                c->cells[x][c->n_rows[x]++] = y;
        }
    }
}

static bool same_candidates(const candidates *a, const candidates *b) {
    for (size_t x = 0; x < N; x++) {
        for (size_t i = 0; i < K; i++) {
            if (a->cells[x][i] != b->cells[x][i])
                return false;
        }
    }
    return true;
}

static learner_result iterate_slowly(const dataset *data, bool by_score, bool from_previous) {
    information *info = NULL;
    score *s = NULL;
    dag *best = NULL;
    learner_result kept = {0};
    greedy_search_plan plan = {.options = {.ess = 10, .max_parents = -1}, .tabu_length = 100, .tabu_patience = 15};
    candidates old = {0}, now = {0};
    double best_score;
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(information_create(data, NULL, &info, &err), &err);
    assert_ok(greedy_scorer_create(data, &plan.options, &ctx, &s, &err), &err);
    assert_ok(dag_create(N, &best, &err), &err);
    assert_ok(score_dag(s, best, &best_score, NULL, &err), &err);
    for (int round = 0;; round++) {
        learner_result found = {0};
        choose(&now, info, s, by_score && round > 0, best);
        if (round > 0 && same_candidates(&old, &now))
            break;
        old = now;
        plan.candidates = now.rows;
        plan.n_candidates = now.n_rows;
        plan.start = from_previous ? best : NULL;
        assert_ok(greedy_search(data, &plan, &ctx, &found, &err), &err);
        if (found.score <= best_score + SCORE_TOLERANCE) {
            learner_result_clear(&found);
            break;
        }
        learner_result_clear(&kept);
        kept = found;
        best_score = found.score;
        dag_destroy(best);
        best = NULL;
        assert_ok(pdag_to_dag(found.graph, &best, &err), &err);
    }
    dag_destroy(best);
    score_destroy(s);
    information_destroy(info);
    return kept;
}

/* Each column follows the sum of two columns before it, more or less. */
static dataset *make_tangled(random_stream *random, size_t n_rows) {
    size_t n_states[N];
    int *cells = calloc(n_rows * N, sizeof *cells);
    dataset *data;
    for (size_t c = 0; c < N; c++) {
        size_t a = (size_t)random_below(random, c + 1), b = (size_t)random_below(random, c + 1);
        n_states[c] = 2 + (size_t)random_below(random, 3);
        for (size_t i = 0; i < n_rows; i++) {
            int *row = cells + i * N;
            bool follows = a < c && random_uniform(random) < 0.6;
            row[c] =
                follows ? (row[a] + (b < c ? row[b] : 0)) % (int)n_states[c] : (int)random_below(random, n_states[c]);
        }
    }
    data = make_dataset(n_rows, N, n_states, cells);
    free(cells);
    return data;
}

static void rounds_go_as_in_a_slow_second_implementation(void **state) {
    static const char *const variants[4][4] = {{"k=2", "candidates=mi", "start=previous", NULL},
                                               {"k=2", "candidates=score", "start=previous", NULL},
                                               {"k=2", "candidates=mi", "start=empty", NULL},
                                               {"k=2", "candidates=score", "start=empty", NULL}};
    random_stream random;
    size_t n_different = 0;
    (void)state;
    random_stream_init(&random, random_key_of(22));
    for (int round = 0; round < 25; round++) {
        dataset *data = make_tangled(&random, 400);
        learner_result of[4];
        for (size_t i = 0; i < 4; i++) {
            learner_result expected = iterate_slowly(data, i % 2 == 1, i < 2);
            of[i] = run_quietly("sc", data, variants[i]);
            if (expected.graph) { /* else no arc gains anything */
                assert_true(pdag_is_equal(of[i].graph, expected.graph));
                assert_close(of[i].score, expected.score, 1e-12);
            } else {
                assert_int_equal(pdag_edge_count(of[i].graph), 0);
            }
            for (size_t x = 0; x < N; x++)
                assert_true(parent_count(of[i].graph, x) <= K);
            learner_result_clear(&expected);
        }
        n_different += !pdag_is_equal(of[0].graph, of[1].graph);
        for (size_t i = 0; i < 4; i++)
            learner_result_clear(&of[i]);
        dataset_destroy(data);
    }
    assert_true(n_different > 0); /* or the measures would not be told apart here */
}

/* --- what it asks of the greedy search --- */

static void a_search_from_a_start_keeps_to_directed_candidates(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(23));
    for (int round = 0; round < 30; round++) {
        dataset *data = make_random_dataset(&random, 300, N, 3);
        dag *start = make_random_dag(&random, N, 0.2);
        size_t cells[N][N], n_rows[N] = {0};
        const size_t *rows[N];
        greedy_search_plan plan = {
            .options = {.ess = 10, .max_parents = -1}, .candidates = rows, .n_candidates = n_rows, .start = start};
        learner_result result = {0};
        score *s = NULL;
        double start_score;
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        for (size_t y = 0; y < N; y++) {
            rows[y] = cells[y];
            for (size_t x = 0; x < N; x++) {
                if (x != y && (dag_has_arc(start, x, y) || random_uniform(&random) < 0.3))
                    cells[y][n_rows[y]++] = x;
            }
        }
        assert_ok(greedy_scorer_create(data, &plan.options, &ctx, &s, &err), &err);
        assert_ok(score_dag(s, start, &start_score, NULL, &err), &err);
        assert_ok(greedy_search(data, &plan, &ctx, &result, &err), &err);
        assert_true(result.score >= start_score - 1e-9);
        for (size_t y = 0; y < N; y++) {
            for (size_t x = 0; x < N; x++) {
                bool is_candidate = false;
                for (size_t i = 0; i < n_rows[y]; i++)
                    is_candidate = is_candidate || cells[y][i] == x;
                assert_true(x == y || is_candidate || pdag_edge_between(result.graph, x, y) != EDGE_OUT);
            }
        }
        score_destroy(s);
        learner_result_clear(&result);
        dag_destroy(start);
        dataset_destroy(data);
    }
}

static void a_start_outside_the_candidates_is_refused(void **state) {
    dataset *data = make_forty_rows();
    dag *start = NULL;
    static const size_t from = 0, to = 1, n_rows[3] = {0};
    static const size_t *const rows[3] = {&from, &from, &from};
    greedy_search_plan plan = {.options = {.ess = 10, .max_parents = -1}, .candidates = rows, .n_candidates = n_rows};
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    (void)state;
    run_context_init(&ctx, 1);
    assert_ok(dag_from_arcs(3, &from, &to, 1, &start, &err), &err);
    plan.start = start;
    assert_int_equal(greedy_search(data, &plan, &ctx, &result, &err), STATUS_INVALID);
    assert_message_has(&err, "0 -> 1");
    assert_null(result.graph);
    dag_destroy(start);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_candidate_each_is_enough_for_the_forty_rows),
        cmocka_unit_test(with_every_node_a_candidate_it_is_the_tabu_search),
        cmocka_unit_test(rounds_go_as_in_a_slow_second_implementation),
        cmocka_unit_test(a_search_from_a_start_keeps_to_directed_candidates),
        cmocka_unit_test(a_start_outside_the_candidates_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
