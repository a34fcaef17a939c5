/* SPDX-License-Identifier: GPL-3.0-or-later */
/* friedman, monti, steck: scores and searches for one graph. */
#include "core/data/dataset_csv.h"
#include "discretizers/integrated/integrated_internal.h"
#include "tests/discretizers/integrated_support.h"

static const integrated_method *const methods[] = {&integrated_friedman, &integrated_monti, &integrated_steck};

static const integrated_options usual = {
    .k = 3, .initial = INITIAL_EQFREQ, .ess = 1, .min_levels = 1, .max_iterations = 50, .max_visits = 100};

/* ---- small problems ---- */

typedef struct {
    dataset *data;
    dag *graph;
    integration in;
    run_context ctx;
    integrated_options options;
} problem;

static void begin(problem *p, size_t method, dataset *data, dag *graph, const integrated_options *options) {
    error_info err = {0};
    p->data = data;
    p->graph = graph;
    p->options = *options;
    run_context_init(&p->ctx, 1);
    assert_ok(integration_init(&p->in, methods[method], &p->options, data, &p->ctx, &err), &err);
    p->in.graph = graph;
}

static void end(problem *p) {
    integration_clear(&p->in);
    dataset_destroy(p->data);
    dag_destroy(p->graph);
}

/* In steck's score an empty interval of any column makes the whole minus infinity: equal counts leave none. */
static void begin_random(problem *p, size_t method, size_t most_rows, random_stream *random) {
    size_t n_rows = 6 + (size_t)random_below(random, most_rows - 5), n_columns = 2 + (size_t)random_below(random, 4);
    dataset *data = random_mixed(random, n_rows, n_columns);
    integrated_options options = usual;
    options.k = 2 + (int)random_below(random, 3);
    if (method != REFERENCE_STECK && random_below(random, 3) == 0)
        options.initial = INITIAL_EQWIDTH;
    options.ess = random_below(random, 2) ? 1 : 5;
    begin(p, method, data, make_random_dag(random, n_columns, .5), &options);
}

/* Its own copy of the policy, with room for thresholds. */
static cut_policy roomy(const cut_policy *p) {
    cut_policy copy = {0};
    error_info err = {0};
    assert_ok(policy_init(&copy, p->n_columns, &err), &err);
    for (size_t c = 0; c < p->n_columns; c++) {
        copy.columns[c] = (column_policy){p->columns[c].n, calloc(REFERENCE_ROWS, sizeof(double))};
        if (p->columns[c].n)
            memcpy(copy.columns[c].thresholds, p->columns[c].thresholds, p->columns[c].n * sizeof(double));
    }
    return copy;
}

static reference reference_of(const problem *p, size_t method, const cut_policy *policy) {
    return (reference){.method = (reference_method)method,
                       .ess = p->options.ess,
                       .data = p->data,
                       .graph = p->graph,
                       .policy = policy};
}

/* ---- the worked example ---- */

/* X = (1, 2, 3, 4, 10, 12) with the parent P = (0, 0, 0, 1, 1, 1). */
static void begin_example(problem *p, size_t method) {
    static const char text[] = "X,P\n1.0,a\n2.0,a\n3.0,a\n4.0,b\n10.0,b\n12.0,b\n";
    variable columns[2] = {{0}};
    dataset *data = NULL;
    dag *graph = NULL;
    error_info err = {0};
    assert_ok(variable_init_continuous(&columns[0], "X", &err), &err);
    assert_ok(variable_init_discrete(&columns[1], "P", (const char *const[]){"a", "b"}, 2, &err), &err);
    assert_ok(
        dataset_parse_csv(text, sizeof text - 1, &(data_reading){.given = columns, .n_given = 2}, &data, NULL, &err),
        &err);
    variable_clear(&columns[0]);
    variable_clear(&columns[1]);
    assert_ok(dag_create(2, &graph, &err), &err);
    assert_ok(dag_add_arc(graph, 1, 0, &err), &err);
    begin(p, method, data, graph, &usual);
}

static void the_scores_of_a_column_are_those_of_the_worked_example(void **state) {
    static const struct {
        size_t n;
        double thresholds[2], score[N_METHODS];
    } rows[] = {
        {0, {0}, {0, -14.387372, -4.787492}},
        {1, {3.5}, {-.828036, -11.130729, -3.347953}},
        {1, {2.5}, {-3.077376, -13.974980, -5.950643}},
        {1, {7}, {-3.077376, -14.544797, -5.950643}},
        {2, {3.5, 7}, {-3.888306, -12.771515, -6.244152}},
    };
    (void)state;
    for (size_t m = 0; m < N_METHODS; m++) {
        problem p;
        error_info err = {0};
        begin_example(&p, m);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            double score = 0;
            assert_ok(integration_score_column(&p.in, p.in.tables, 0, rows[i].thresholds, rows[i].n, &score, &err),
                      &err);
            if (fabs(score - rows[i].score[m]) > 1e-6)
                fail_msg("%s, row %zu: %.9g, expected %.9g", reference_names[m], i, score, rows[i].score[m]);
        }
        end(&p);
    }
}

static void the_thresholds_are_those_of_the_worked_example(void **state) {
    (void)state;
    for (size_t m = 0; m < N_METHODS; m++) {
        problem p;
        column_candidate found = {0};
        error_info err = {0};
        begin_example(&p, m);
        assert_ok(integration_search_column(&p.in, p.in.tables, 0, &found, &err), &err);
        if (m == REFERENCE_FRIEDMAN) {
            assert_int_equal(found.n, 0); /* the gain picks 3.5, and the description is longer with it */
        } else {
            assert_int_equal(found.n, 1);
            assert_close(found.thresholds[0], 3.5, 0);
        }
        free(found.thresholds);
        end(&p);
    }
}

/* ---- against scores and searches from scratch ---- */

static void the_score_of_the_whole_is_that_of_its_definition(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(21));
    for (size_t round = 0; round < 300; round++) {
        size_t m = round % N_METHODS;
        problem p;
        reference r;
        error_info err = {0};
        double score = 0, expected;
        begin_random(&p, m, 40, &random);
        r = reference_of(&p, m, &p.in.policy);
        expected = reference_score(&r);
        assert_ok(integration_score(&p.in, &score, &err), &err);
        assert_close(score, expected, 1e-9);
        end(&p);
    }
}

/* Every midpoint that is no threshold yet, at each step and at the last, which takes none. */
static uint64_t count_of_tries(uint64_t n_cuts, uint64_t n_thresholds) {
    return (n_thresholds + 1) * n_cuts - n_thresholds * (n_thresholds + 1) / 2;
}

/* Every column searched with every policy of its neighbours that begins a run: thresholds, score and what was tried. */
static void compare_search(size_t round, size_t m, random_stream *random) {
    problem p;
    cut_policy copy;
    reference r;
    begin_random(&p, m, 24, random);
    p.options.min_levels = 1 + (int)(round % 3);
    copy = roomy(&p.in.policy);
    r = reference_of(&p, m, &copy);
    for (size_t c = 0; c < p.in.n_columns; c++) {
        double none = 0, reference_none, reference_found;
        column_policy before = copy.columns[c];
        double kept[REFERENCE_ROWS];
        column_candidate found = {0};
        error_info err = {0};
        if (!integration_is_continuous(&p.in, c))
            continue;
        memcpy(kept, before.thresholds, sizeof kept);
        assert_ok(integration_search_column(&p.in, p.in.tables, c, &found, &err), &err);
        assert_int_equal(found.threshold_evaluations, count_of_tries(p.in.sorted[c].n_cuts, found.n));
        assert_ok(integration_score_column(&p.in, p.in.tables, c, NULL, 0, &none, &err), &err);
        copy.columns[c].n = 0;
        reference_none = reference_score(&r);
        reference_found = reference_search(&r, &copy, c, (size_t)p.options.min_levels);
        assert_same_thresholds(round, reference_names[m], c, &copy.columns[c], found.thresholds, found.n);
        assert_close(found.score - none, reference_found - reference_none, 1e-9);
        memcpy(copy.columns[c].thresholds, kept, sizeof kept);
        copy.columns[c].n = before.n;
        free(found.thresholds);
    }
    policy_clear(&copy);
    end(&p);
}

static void thresholds_are_those_of_trying_every_midpoint(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(22));
    for (size_t m = 0; m < N_METHODS; m++)
        for (size_t round = 0; round < 200; round++)
            compare_search(round, m, &random);
}

static void the_policy_for_a_graph_is_that_of_trying_every_midpoint(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(23));
    for (size_t round = 0; round < 120; round++) {
        size_t m = round % N_METHODS;
        problem p;
        cut_policy copy;
        reference r;
        error_info err = {0};
        double before = 0, after = 0;
        begin_random(&p, m, 16, &random);
        copy = roomy(&p.in.policy);
        r = reference_of(&p, m, &copy);
        assert_ok(integration_score(&p.in, &before, &err), &err);
        assert_ok(integration_learn_policy(&p.in, &err), &err);
        assert_ok(integration_score(&p.in, &after, &err), &err);
        assert_close(after, reference_learn(&r, &copy), 1e-9);
        assert_true(after >= before - 1e-9 * fabs(before));
        assert_false(p.in.hit_guard);
        for (size_t c = 0; c < copy.n_columns; c++)
            assert_same_thresholds(round, reference_names[m], c, &copy.columns[c], p.in.policy.columns[c].thresholds,
                                   p.in.policy.columns[c].n);
        policy_clear(&copy);
        end(&p);
    }
}

/* More configurations than rows: they are numbered as they occur. */
static void many_parents_with_many_states_score_as_defined(void **state) {
    enum { N = 40, P = 6 };
    random_stream random;
    double x[N * P];
    (void)state;
    random_stream_init(&random, random_key_of(24));
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = random_uniform(&random) + (i >= N ? x[i - N] : 0);
    for (size_t m = 0; m < N_METHODS; m++) {
        problem p;
        reference r;
        dag *graph = NULL;
        integrated_options options = usual;
        error_info err = {0};
        double score = 0, none = 0;
        cut_policy copy;
        column_candidate found = {0};
        assert_ok(dag_create(P, &graph, &err), &err);
        for (size_t a = 0; a + 1 < P; a++)
            assert_ok(dag_add_arc(graph, a, P - 1, &err), &err);
        options.k = 7;
        begin(&p, m, make_reals(N, P, x), graph, &options);
        copy = roomy(&p.in.policy);
        r = reference_of(&p, m, &copy);
        assert_ok(integration_score(&p.in, &score, &err), &err);
        assert_close(score, reference_score(&r), 1e-9);
        assert_ok(integration_search_column(&p.in, p.in.tables, 0, &found, &err), &err);
        assert_ok(integration_score_column(&p.in, p.in.tables, 0, NULL, 0, &none, &err), &err);
        copy.columns[0].n = 0;
        score = reference_score(&r);
        assert_close(found.score - none, reference_search(&r, &copy, 0, 1) - score, 1e-9);
        assert_same_thresholds(0, reference_names[m], 0, &copy.columns[0], found.thresholds, found.n);
        free(found.thresholds);
        policy_clear(&copy);
        end(&p);
    }
}

static void an_empty_interval_is_left_by_steck_at_once(void **state) {
    static const double x[] = {0, .1, .2, .3, .4, 10, 0, 1, 2, 3, 4, 5};
    dataset *data = make_reals(6, 2, x);
    dag *graph = NULL;
    problem p;
    integrated_options options = usual;
    error_info err = {0};
    double before = 0, after = 0;
    (void)state;
    assert_ok(dag_create(2, &graph, &err), &err);
    options.initial = INITIAL_EQWIDTH;
    begin(&p, REFERENCE_STECK, data, graph, &options);
    assert_ok(integration_score(&p.in, &before, &err), &err);
    assert_true(before == -INFINITY);
    assert_ok(integration_learn_policy(&p.in, &err), &err);
    assert_ok(integration_score(&p.in, &after, &err), &err);
    assert_true(isfinite(after));
    end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scores_of_a_column_are_those_of_the_worked_example),
        cmocka_unit_test(the_thresholds_are_those_of_the_worked_example),
        cmocka_unit_test(the_score_of_the_whole_is_that_of_its_definition),
        cmocka_unit_test(thresholds_are_those_of_trying_every_midpoint),
        cmocka_unit_test(the_policy_for_a_graph_is_that_of_trying_every_midpoint),
        cmocka_unit_test(many_parents_with_many_states_score_as_defined),
        cmocka_unit_test(an_empty_interval_is_left_by_steck_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
