/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"
#include "tests/learners/move_reference.h"
#include "tests/metrics/kernel_reference.h"

#include "learners/base/learner.h"
#include "metrics/scores/score.h"

static const kernel_options usual = {KERNEL_SIGMA, KERNEL_KAPPA, 0, KERNEL_GAUSSIAN};

typedef struct {
    learner_result result;
    run_context ctx;
} outcome;

/* bach with options "name=value" up to NULL. */
static outcome run_bach(const dataset *data, const char *const *set, double limit_s) {
    const learner *l = NULL;
    outcome o = {0};
    error_info err = {0};
    void *options;
    assert_ok(learner_find("bach", &l, &err), &err);
    options = learner_options_create(l);
    assert_non_null(options);
    for (; set && *set; set++)
        assert_ok(options_set_pair(l->options, options, *set, &err), &err);
    run_context_init(&o.ctx, 1);
    o.ctx.deadline_s = run_clock_s() + limit_s;
    assert_ok(learner_run(l, data, options, &o.ctx, &o.result, &err), &err);
    free(options);
    return o;
}

static void assert_found(const small_graph *expected, const outcome *o) {
    dag *g = NULL;
    error_info err = {0};
    assert_ok(pdag_to_dag(o->result.graph, &g, &err), &err);
    assert_true(small_equals(expected, g));
    dag_destroy(g);
}

/* Every local score, by the dense computation. */
static score_table *fill_densely(const dataset *data, const kernel_options *o) {
    dense_score dense = make_dense_score(data, o, false);
    score_table *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->n = dense.n_columns;
    for (size_t y = 0; y < t->n; y++) {
        for (unsigned set = 0; set < 1u << t->n; set++)
            t->value[y][set] = set >> y & 1u ? 0 : -dense_j(&dense, y, set);
    }
    clear_dense_score(&dense);
    return t;
}

/* Hill climbing that looks at every move at every step. */
static small_graph climb_slowly(score_table *t, int most_parents) {
    small_graph g = {.n = t->n};
    for (;;) {
        arc_move moves[SMALL_MOVES_MAX];
        size_t n = 0, chosen;
        for (size_t i = 0; i < 3 * t->n * t->n; i++) {
            arc_move m = {.kind = (arc_move_kind)(i % 3), .from = i / 3 / t->n, .to = i / 3 % t->n};
            double d_delete, d_add;
            if (!small_is_legal(&g, &m, most_parents))
                continue;
            small_gain(&g, t, &m, &d_delete, &d_add);
            moves[n++] = m;
        }
        chosen = choose_move(moves, n, SCORE_TOLERANCE);
        if (chosen == n)
            return g;
        small_apply(&g, &moves[chosen]);
    }
}

static double total(score_table *t, const small_graph *g) {
    double sum = 0;
    for (size_t y = 0; y < g->n; y++)
        sum += score_table_ask(t, y, g->parents[y]);
    return sum;
}

static void it_takes_the_moves_of_a_search_on_dense_scores(void **state) {
    static const struct {
        kernel_options kernel;
        int most_parents;
        const char *set[5];
    } cases[] = {
        {{KERNEL_SIGMA, KERNEL_KAPPA, 0, KERNEL_GAUSSIAN}, -1, {NULL}},
        {{1, 0.001, 0.01, KERNEL_GAUSSIAN}, -1, {"kappa=0.001", "eta=0.01", NULL}},
        {{2, 0.01, 0.05, KERNEL_GAUSSIAN}, 1, {"sigma=2", "eta=0.05", "max_parents=1", NULL}},
        {{1, 0.02, 0, KERNEL_LINEAR}, -1, {"kernel=linear", "kappa=0.02", NULL}},
    };
    random_stream random;
    size_t n_arcs = 0;
    (void)state;
    random_stream_init(&random, random_key_of(21));
    for (size_t round = 0; round < 12; round++) {
        dataset *data = make_mixed(&random, 50 + (size_t)random_below(&random, 60));
        score_table *t = fill_densely(data, &cases[round % 4].kernel);
        small_graph expected = climb_slowly(t, cases[round % 4].most_parents);
        outcome o = run_bach(data, cases[round % 4].set, 60);
        assert_found(&expected, &o);
        assert_close(o.result.score, total(t, &expected), 1e-9);
        n_arcs += pdag_edge_count(o.result.graph);
        learner_result_clear(&o.result);
        free(t);
        dataset_destroy(data);
    }
    assert_true(n_arcs > 20);
}

static void it_reports_its_score_and_what_it_asked_for(void **state) {
    random_stream random;
    dataset *data;
    outcome o;
    kernel_score *s = NULL;
    dag *g = NULL;
    double sum = 0;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(22));
    data = make_mixed(&random, 400);
    o = run_bach(data, NULL, 60);
    assert_string_equal(o.result.score_name, "kgv");
    assert_false(o.result.is_cut_short);
    assert_that(o.ctx.scores.computed, >, 30);
    assert_that(o.ctx.scores.requests, >=, o.ctx.scores.computed);
    assert_int_equal(o.ctx.tests.computed, 0);
    assert_ok(pdag_to_dag(o.result.graph, &g, &err), &err);
    assert_true(dag_has_arc(g, 0, 1) || dag_has_arc(g, 1, 0)); /* a parabola, which has no correlation */
    assert_ok(kernel_score_create(data, &usual, NULL, &s, &err), &err);
    for (size_t y = 0; y < MIXED_COLUMNS; y++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, y, &n_parents);
        double value = NAN;
        assert_ok(kernel_score_node(s, y, parents, n_parents, &value, &err), &err);
        sum += value;
    }
    assert_close(o.result.score, sum, 1e-10);
    kernel_score_destroy(s);
    dag_destroy(g);
    learner_result_clear(&o.result);
    dataset_destroy(data);
}

static void the_same_data_give_the_same_graph(void **state) {
    random_stream random;
    dataset *data;
    outcome a, b;
    (void)state;
    random_stream_init(&random, random_key_of(23));
    data = make_mixed(&random, 300);
    a = run_bach(data, NULL, 60);
    b = run_bach(data, NULL, 60);
    assert_true(pdag_is_equal(a.result.graph, b.result.graph));
    assert_memory_equal(&a.result.score, &b.result.score, sizeof a.result.score);
    assert_int_equal(a.ctx.scores.computed, b.ctx.scores.computed);
    learner_result_clear(&a.result);
    learner_result_clear(&b.result);
    dataset_destroy(data);
}

static void it_learns_from_discrete_data_alone(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(24));
    for (int round = 0; round < 10; round++) {
        dataset *data = make_random_dataset(&random, 80, 5, 4);
        score_table *t = fill_densely(data, &usual);
        small_graph expected = climb_slowly(t, -1);
        outcome o = run_bach(data, NULL, 60);
        assert_found(&expected, &o);
        learner_result_clear(&o.result);
        free(t);
        dataset_destroy(data);
    }
}

/* Copies tie in every direction; constant columns gain nothing. */
static void constant_columns_stay_alone_and_copies_find_each_other(void **state) {
    enum { N = 200, P = 4 };
    double values[N * P];
    random_stream random;
    dataset *data;
    outcome o;
    (void)state;
    random_stream_init(&random, random_key_of(25));
    for (size_t i = 0; i < N; i++) {
        values[i * P] = -1;
        values[i * P + 1] = values[i * P + 3] = normal_deviate(&random);
        values[i * P + 2] = (double)random_below(&random, 3);
    }
    data = make_reals(N, P, values);
    o = run_bach(data, NULL, 60);
    assert_int_equal(pdag_edge_count(o.result.graph), 1);
    assert_int_equal(pdag_edge_between(o.result.graph, 1, 3), EDGE_OUT); /* the first of two moves that gain as much */
    learner_result_clear(&o.result);
    dataset_destroy(data);
}

static void past_the_deadline_it_returns_what_it_has(void **state) {
    random_stream random;
    dataset *data;
    outcome o;
    (void)state;
    random_stream_init(&random, random_key_of(26));
    data = make_mixed(&random, 300);
    o = run_bach(data, NULL, -1);
    assert_true(o.result.is_cut_short);
    assert_int_equal(pdag_edge_count(o.result.graph), 0);
    assert_close(o.result.score, 0, 0);
    learner_result_clear(&o.result);
    dataset_destroy(data);
}

/* Long before the work is done: some tenths of a second a column. */
static void a_deadline_is_kept_while_features_are_made(void **state) {
    enum { N = 20000, P = 100 };
    random_stream random;
    double *values = calloc((size_t)N * P, sizeof *values), start;
    dataset *data;
    outcome o;
    (void)state;
    assert_non_null(values);
    random_stream_init(&random, random_key_of(27));
    for (size_t i = 0; i < (size_t)N * P; i++)
        values[i] = random_uniform(&random);
    data = make_reals(N, P, values);
    free(values);
    start = run_cpu_s();
    o = run_bach(data, (const char *const[]){"sigma=0.05", NULL}, 0.2);
    assert_true(o.result.is_cut_short);
    assert_between(run_cpu_s() - start, 0, 20);
    learner_result_clear(&o.result);
    dataset_destroy(data);
}

static void data_that_are_no_numbers_are_refused(void **state) {
    static const double values[] = {1, 2, 3, NAN, 5, 6};
    const learner *l = NULL;
    dataset *data = make_reals(3, 2, values);
    run_context ctx;
    learner_result result = {0};
    void *options;
    error_info err = {0};
    (void)state;
    assert_ok(learner_find("bach", &l, &err), &err);
    options = learner_options_create(l);
    run_context_init(&ctx, 1);
    assert_int_equal(learner_run(l, data, options, &ctx, &result, &err), STATUS_INVALID);
    assert_message_has(&err, "column v1 holds nan in row 2");
    free(options);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_takes_the_moves_of_a_search_on_dense_scores),
        cmocka_unit_test(it_reports_its_score_and_what_it_asked_for),
        cmocka_unit_test(the_same_data_give_the_same_graph),
        cmocka_unit_test(it_learns_from_discrete_data_alone),
        cmocka_unit_test(constant_columns_stay_alone_and_copies_find_each_other),
        cmocka_unit_test(past_the_deadline_it_returns_what_it_has),
        cmocka_unit_test(a_deadline_is_kept_while_features_are_made),
        cmocka_unit_test(data_that_are_no_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
