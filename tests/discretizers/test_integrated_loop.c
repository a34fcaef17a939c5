/* SPDX-License-Identifier: GPL-3.0-or-later */
/* friedman, monti, steck: the alternation with structure learning. */
#include "discretizers/base/discretizer.h"
#include "discretizers/registry.h"
#include "learners/registry.h"
#include "tests/discretizers/integrated_support.h"

/* ---- the alternation ---- */

/* A learner that gives one graph after the other, and the last one for ever: bit 2 i + j of a graph is the arc from
 * low[i] to high[i] (j = 0) or back, over the pairs of three nodes. */
typedef struct {
    const unsigned *graphs;
    size_t n, calls;
} script;

static status learn_script(void *self, const dataset *discrete, learner_result *result, error_info *err) {
    static const size_t low[] = {0, 0, 1}, high[] = {1, 2, 2};
    script *s = self;
    unsigned wanted = s->graphs[s->calls % s->n];
    s->calls++;
    CHECK(pdag_create(dataset_column_count(discrete), &result->graph, err));
    for (size_t i = 0; i < 3; i++) {
        if (wanted & (1u << (2 * i)))
            CHECK(pdag_set_edge(result->graph, low[i], high[i], EDGE_OUT, err));
        if (wanted & (2u << (2 * i)))
            CHECK(pdag_set_edge(result->graph, high[i], low[i], EDGE_OUT, err));
    }
    return STATUS_OK;
}

/* What a run gives. */
typedef struct {
    cut_policy policy;
    learner_result result;
    trace trace;
    run_context ctx;
} outcome;

static void outcome_clear(outcome *o) {
    policy_clear(&o->policy);
    learner_result_clear(&o->result);
    trace_clear(&o->trace);
}

static outcome integrate_on(size_t n_threads, const char *method, const dataset *data, const char *const *options,
                            const inner_learner *inner, double deadline_s) {
    const discretizer *d = NULL;
    outcome o = {0};
    error_info err = {0};
    void *opts;
    assert_ok(discretizer_find(method, &d, &err), &err);
    opts = discretizer_options_create(d);
    for (; options && *options; options++)
        assert_ok(options_set_pair(d->options, opts, *options, &err), &err);
    run_context_init(&o.ctx, 7);
    o.ctx.n_threads = n_threads;
    o.ctx.trace = &o.trace;
    o.ctx.deadline_s = deadline_s;
    assert_ok(discretizer_integrate(d, data, opts, inner, &o.ctx, &o.policy, &o.result, &err), &err);
    o.ctx.trace = NULL;
    free(opts);
    return o;
}

static outcome integrate_with(const char *method, const dataset *data, const char *const *options,
                              const inner_learner *inner, double deadline_s) {
    return integrate_on(1, method, data, options, inner, deadline_s);
}

static outcome integrate_hc_on(size_t n_threads, const char *method, const dataset *data, const char *const *options,
                               double deadline_s) {
    learner_within hc = {0};
    inner_learner inner;
    run_context ctx;
    void *search;
    outcome o;
    error_info err = {0};
    assert_ok(learner_find("hc", &hc.kind, &err), &err);
    search = learner_options_create(hc.kind);
    run_context_init(&ctx, 7);
    ctx.n_threads = n_threads;
    ctx.deadline_s = deadline_s;
    hc.options = search;
    hc.ctx = &ctx;
    inner = inner_learner_of(&hc);
    o = integrate_on(n_threads, method, data, options, &inner, deadline_s);
    o.ctx.scores = ctx.scores;
    free(search);
    return o;
}

static outcome integrate_hc(const char *method, const dataset *data, const char *const *options, double deadline_s) {
    return integrate_hc_on(1, method, data, options, deadline_s);
}

static bool are_adjacent(const pdag *g, size_t a, size_t b) {
    return pdag_edge_between(g, a, b) != EDGE_NONE;
}

static dataset *chain_of_three(void) {
    enum { N = 200 };
    double x[3 * N];
    random_stream random;
    random_stream_init(&random, random_key_of(26));
    for (size_t i = 0; i < N; i++) {
        x[i] = random_uniform(&random);
        x[N + i] = (x[i] > .3) + .3 * random_uniform(&random);
        x[2 * N + i] = (x[N + i] > .8) + .3 * random_uniform(&random);
    }
    return make_reals(N, 3, x);
}

enum { ARC_01 = 1, ARC_10 = 2, ARC_02 = 4, ARC_12 = 16, ARC_21 = 32 };

static inner_learner scripted(script *s) {
    return (inner_learner){.self = s, .returns = GRAPH_DAG, .learn = learn_script};
}

static void a_worse_pair_ends_friedman_and_steck_with_the_pair_before(void **state) {
    static const unsigned graphs[] = {ARC_01, ARC_01 | ARC_12, 0, ARC_01 | ARC_12};
    static const size_t which[] = {REFERENCE_FRIEDMAN, REFERENCE_STECK};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        dataset *data = chain_of_three();
        script s = {graphs, 4, 0};
        inner_learner inner = scripted(&s);
        outcome o = integrate_with(reference_names[which[i]], data, fit_options("k=2"), &inner, INFINITY);
        const trace_series *scores = trace_find_series(&o.trace, "policy_score");
        assert_int_equal(s.calls, 3);
        assert_true(*trace_find_figure(&o.trace, "outer_iterations") == 2);
        assert_true(*trace_find_figure(&o.trace, "loop_guard") == 0);
        assert_int_equal(pdag_edge_count(o.result.graph), 2);
        assert_int_equal(scores->n, 3);
        assert_true(scores->points[1].value > scores->points[0].value);
        assert_true(scores->points[2].value < scores->points[1].value);
        outcome_clear(&o);
        dataset_destroy(data);
    }
}

static void the_same_graph_again_ends_monti(void **state) {
    static const unsigned graphs[] = {ARC_01, ARC_01 | ARC_12, 0, ARC_02, ARC_02};
    dataset *data = chain_of_three();
    script s = {graphs, 5, 0};
    inner_learner inner = scripted(&s);
    outcome o = integrate_with("monti", data, fit_options("k=2"), &inner, INFINITY);
    (void)state;
    assert_int_equal(s.calls, 5);
    assert_true(*trace_find_figure(&o.trace, "outer_iterations") == 4);
    assert_true(*trace_find_figure(&o.trace, "loop_guard") == 0);
    assert_true(are_adjacent(o.result.graph, 0, 2));
    outcome_clear(&o);
    dataset_destroy(data);
}

static void a_cycle_ends_monti_with_its_best_pair(void **state) {
    static const unsigned graphs[] = {ARC_01 | ARC_12, 0, ARC_01 | ARC_12};
    (void)state;
    for (size_t start = 0; start < 2; start++) { /* the last pair is the better one, and the worse */
        dataset *data = chain_of_three();
        script s = {graphs + start, 2, 0};
        inner_learner inner = scripted(&s);
        outcome o = integrate_with("monti", data, fit_options("k=2"), &inner, INFINITY);
        assert_true(s.calls < 10);
        assert_true(*trace_find_figure(&o.trace, "loop_guard") == 1);
        assert_int_equal(pdag_edge_count(o.result.graph), 2);
        outcome_clear(&o);
        dataset_destroy(data);
    }
}

static void the_number_of_turns_is_bounded(void **state) {
    static const unsigned graphs[] = {ARC_01, ARC_12, ARC_02, ARC_01 | ARC_12, ARC_10, ARC_21};
    dataset *data = chain_of_three();
    script s = {graphs, 6, 0};
    inner_learner inner = scripted(&s);
    outcome o = integrate_with("monti", data, fit_options("max_iterations=2"), &inner, INFINITY);
    (void)state;
    assert_int_equal(s.calls, 3);
    assert_true(*trace_find_figure(&o.trace, "outer_iterations") == 2);
    assert_true(*trace_find_figure(&o.trace, "loop_guard") == 1);
    outcome_clear(&o);
    dataset_destroy(data);
}

/* Neither a worse pair, nor the same graph, nor a cycle ends it. */
static void with_turns_given_all_are_taken_and_the_best_pair_is_kept(void **state) {
    static const unsigned graphs[] = {ARC_01, ARC_01 | ARC_12, 0};
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        dataset *data = chain_of_three();
        script s = {graphs, 3, 0};
        inner_learner inner = scripted(&s);
        outcome o = integrate_with(reference_names[m], data, fit_options("k=2", "turns=12", "max_iterations=3"), &inner,
                                   INFINITY);
        const trace_series *calls = trace_find_series(&o.trace, "discretization_calls");
        assert_int_equal(s.calls, 13);
        assert_true(*trace_find_figure(&o.trace, "outer_iterations") == 12);
        assert_true(*trace_find_figure(&o.trace, "loop_guard") == 0);
        assert_int_equal(pdag_edge_count(o.result.graph), 2);
        assert_int_equal(calls->n, 13);
        for (size_t i = 1; i < calls->n; i++)
            assert_true(calls->points[i].step == i && calls->points[i].value > calls->points[i - 1].value);
        assert_true(calls->points[12].value == *trace_find_figure(&o.trace, "discretization_calls"));
        outcome_clear(&o);
        dataset_destroy(data);
    }
}

static void turns_end_once_nothing_changes(void **state) {
    static const unsigned graphs[] = {ARC_01 | ARC_12};
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        dataset *data = chain_of_three();
        script s = {graphs, 1, 0};
        inner_learner inner = scripted(&s);
        outcome o = integrate_with(reference_names[m], data, fit_options("k=2", "turns=1000"), &inner, INFINITY);
        assert_true(s.calls < 20);
        assert_true(*trace_find_figure(&o.trace, "loop_guard") == 0);
        assert_false(o.result.is_cut_short);
        outcome_clear(&o);
        dataset_destroy(data);
    }
}

static void skeletons_and_discretizers_without_a_graph_are_refused(void **state) {
    dataset *data = chain_of_three();
    script s = {0};
    inner_learner inner = scripted(&s);
    cut_policy policy = {0};
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    const discretizer *steck = NULL, *eqfreq = NULL;
    (void)state;
    run_context_init(&ctx, 1);
    inner.returns = GRAPH_SKELETON;
    assert_ok(discretizer_find("steck", &steck, &err), &err);
    assert_ok(discretizer_find("eqfreq", &eqfreq, &err), &err);
    assert_int_equal(discretizer_integrate(steck, data, NULL, &inner, &ctx, &policy, &result, &err), STATUS_INVALID);
    assert_message_has(&err, "skeleton");
    assert_int_equal(discretizer_integrate(eqfreq, data, NULL, &inner, &ctx, &policy, &result, &err), STATUS_INVALID);
    assert_message_has(&err, "eqfreq does not learn a graph");
    dataset_destroy(data);
}

static void a_deadline_gives_the_best_pair_so_far_marked_cut_short(void **state) {
    (void)state;
    for (size_t m = 0; m < N_METHODS; m++) {
        dataset *data = chain_of_three();
        outcome o = integrate_hc(reference_names[m], data, NULL, run_clock_s() - 1);
        assert_true(o.result.is_cut_short);
        assert_non_null(o.result.graph);
        assert_int_equal(o.policy.n_columns, 3);
        assert_int_equal(o.policy.columns[0].n, 2); /* the initial three intervals */
        outcome_clear(&o);
        dataset_destroy(data);
    }
}

/* The clock passes the deadline while the first policy is searched for. */
static status learn_then_wait(void *self, const dataset *discrete, learner_result *result, error_info *err) {
    static const unsigned graphs[] = {ARC_01 | ARC_12};
    script s = {graphs, 1, 0};
    double until_s = *(const double *)self;
    while (run_clock_s() < until_s)
        continue;
    return learn_script(&s, discrete, result, err);
}

static void a_deadline_between_graph_and_policy_keeps_the_graph(void **state) {
    (void)state;
    for (size_t m = 0; m < N_METHODS; m++) {
        dataset *data = chain_of_three();
        double until_s = run_clock_s() + .02;
        inner_learner inner = {.self = &until_s, .returns = GRAPH_DAG, .learn = learn_then_wait};
        outcome o = integrate_with(reference_names[m], data, NULL, &inner, until_s);
        assert_true(o.result.is_cut_short);
        assert_int_equal(pdag_edge_count(o.result.graph), 2);
        outcome_clear(&o);
        dataset_destroy(data);
    }
}

/* ---- with hill climbing ---- */

static void assert_same_outcome(const outcome *a, const outcome *b) {
    assert_int_equal(a->ctx.threshold_evaluations, b->ctx.threshold_evaluations);
    assert_int_equal(a->ctx.policy_scores, b->ctx.policy_scores);
    assert_int_equal(a->ctx.column_searches, b->ctx.column_searches);
    assert_int_equal(a->ctx.scores.computed, b->ctx.scores.computed);
    assert_true(a->result.score == b->result.score);
    assert_int_equal(pdag_edge_count(a->result.graph), pdag_edge_count(b->result.graph));
    for (size_t c = 0; c < a->policy.n_columns; c++)
        assert_same_thresholds(0, "twice", c, &a->policy.columns[c], b->policy.columns[c].thresholds,
                               b->policy.columns[c].n);
}

static size_t count_reals(const dataset *data) {
    size_t n = 0;
    for (size_t c = 0; c < dataset_column_count(data); c++)
        n += dataset_reals(data, c) != NULL;
    return n;
}

static void every_run_ends_and_comes_out_the_same_twice(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(27));
    for (size_t round = 0; round < 100; round++) {
        size_t n_rows = 20 + (size_t)random_below(&random, 100), n_columns = 2 + (size_t)random_below(&random, 6);
        dataset *data = random_mixed(&random, n_rows, n_columns);
        for (size_t m = 0; m < N_METHODS; m++) {
            outcome a = integrate_hc(reference_names[m], data, NULL, INFINITY);
            outcome b = integrate_hc(reference_names[m], data, NULL, INFINITY);
            const trace_series *scores = trace_find_series(&a.trace, "policy_score");
            assert_same_outcome(&a, &b);
            assert_false(a.result.is_cut_short);
            assert_true(m == REFERENCE_MONTI || *trace_find_figure(&a.trace, "loop_guard") == 0);
            for (size_t i = 1; m != REFERENCE_MONTI && i + 1 < scores->n; i++)
                assert_true(scores->points[i].value > scores->points[i - 1].value);
            assert_true(*trace_find_figure(&a.trace, "discretization_calls") ==
                        (double)(a.ctx.threshold_evaluations + a.ctx.policy_scores));
            assert_true(*trace_find_figure(&a.trace, "column_searches") >=
                        (double)count_reals(data) * *trace_find_figure(&a.trace, "outer_iterations"));
            assert_true(*trace_find_figure(&a.trace, "column_searches") <= (double)a.ctx.policy_scores);
            outcome_clear(&a);
            outcome_clear(&b);
        }
        dataset_destroy(data);
    }
}

static void any_number_of_threads_comes_out_the_same(void **state) {
    static const char *const acceptances[] = {"acceptance=sum", "acceptance=local"};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(29));
    for (size_t round = 0; round < 8; round++) {
        dataset *data = random_mixed(&random, 500, 6 + (size_t)random_below(&random, 12));
        for (size_t m = 0; m < N_METHODS; m++) {
            const char *const *options =
                m == REFERENCE_MONTI ? fit_options(acceptances[round % 2], "max_iterations=5") : NULL;
            outcome one = integrate_hc_on(1, reference_names[m], data, options, INFINITY);
            for (size_t n_threads = 2; n_threads <= 4; n_threads++) {
                outcome many = integrate_hc_on(n_threads, reference_names[m], data, options, INFINITY);
                assert_same_outcome(&one, &many);
                outcome_clear(&many);
            }
            outcome_clear(&one);
        }
        dataset_destroy(data);
    }
}

static void the_original_acceptance_of_monti_ends_too(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(28));
    for (size_t round = 0; round < 50; round++) {
        dataset *data = random_mixed(&random, 40, 5);
        outcome o =
            integrate_hc("monti", data, fit_options("acceptance=local", "max_visits=5", "max_iterations=8"), INFINITY);
        assert_true(*trace_find_figure(&o.trace, "outer_iterations") <= 8);
        assert_non_null(o.result.graph);
        outcome_clear(&o);
        dataset_destroy(data);
    }
}

static void the_intervals_of_a_noisy_state_variable_are_found_again(void **state) {
    enum { N = 2000 };
    double *x = calloc(3 * N, sizeof *x);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(29));
    for (size_t i = 0; i < N; i++) {
        size_t a = (size_t)random_below(&random, 3),
               b = random_below(&random, 5) ? a : (size_t)random_below(&random, 3);
        x[i] = (double)a + .4 * (random_uniform(&random) - .5);
        x[N + i] = (double)b + .4 * (random_uniform(&random) - .5);
        x[2 * N + i] = (double)((b == 2) != (random_below(&random, 10) == 0)) + .4 * (random_uniform(&random) - .5);
    }
    for (size_t m = 0; m < N_METHODS; m++) {
        dataset *data = make_reals(N, 3, x);
        outcome o = integrate_hc(reference_names[m], data, fit_options("k=2"), INFINITY);
        for (size_t c = 0; c < 3 && m != REFERENCE_MONTI; c++) { /* monti cuts evenly spread states further */
            assert_int_equal(o.policy.columns[c].n, c < 2 ? 2 : 1);
            for (size_t k = 0; k < o.policy.columns[c].n; k++)
                assert_true(fabs(o.policy.columns[c].thresholds[k] - (.5 + (double)k)) < .31);
        }
        assert_true(are_adjacent(o.result.graph, 0, 1));
        assert_true(are_adjacent(o.result.graph, 1, 2));
        assert_true(m == REFERENCE_MONTI || !are_adjacent(o.result.graph, 0, 2));
        outcome_clear(&o);
        dataset_destroy(data);
    }
    free(x);
}

/* ---- odd columns ---- */

static void odd_columns_have_their_documented_answers(void **state) {
    enum { N = 60 };
    double x[4 * N];
    (void)state;
    for (size_t i = 0; i < N; i++) {
        x[i] = 3;                              /* constant */
        x[N + i] = (double)(i % 3);            /* three values */
        x[2 * N + i] = (double)(i % 3 > 0);    /* ties everywhere, hanging on them */
        x[3 * N + i] = (double)((i / 3) % 20); /* nothing to do with the others */
    }
    for (size_t m = 0; m < N_METHODS; m++) {
        dataset *data = make_reals(N, 4, x);
        cut_policy p = fit_with(data, reference_names[m], fit_options("k=2"));
        assert_int_equal(p.columns[0].n, 0);
        assert_that(p.columns[1].n, >=, 1);
        assert_that(p.columns[1].n, <=, 2);
        assert_int_equal(p.columns[2].n, 1);
        assert_close(p.columns[2].thresholds[0], .5, 0);
        if (m == REFERENCE_FRIEDMAN)
            assert_int_equal(p.columns[3].n, 0);
        policy_clear(&p);
        dataset_destroy(data);
    }
}

static void a_least_number_of_levels_is_kept_where_values_allow(void **state) {
    enum { N = 30 };
    double x[3 * N];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(25));
    for (size_t i = 0; i < N; i++) {
        x[i] = random_uniform(&random);
        x[N + i] = random_uniform(&random);
        x[2 * N + i] = 1;
    }
    for (size_t m = 0; m < N_METHODS; m++) {
        dataset *data = make_reals(N, 3, x);
        cut_policy p = fit_with(data, reference_names[m], fit_options("min_levels=2"));
        assert_true(p.columns[0].n >= 1);
        assert_true(p.columns[1].n >= 1);
        assert_int_equal(p.columns[2].n, 0);
        policy_clear(&p);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_columns_have_their_documented_answers),
        cmocka_unit_test(a_least_number_of_levels_is_kept_where_values_allow),
        cmocka_unit_test(a_worse_pair_ends_friedman_and_steck_with_the_pair_before),
        cmocka_unit_test(the_same_graph_again_ends_monti),
        cmocka_unit_test(a_cycle_ends_monti_with_its_best_pair),
        cmocka_unit_test(the_number_of_turns_is_bounded),
        cmocka_unit_test(with_turns_given_all_are_taken_and_the_best_pair_is_kept),
        cmocka_unit_test(turns_end_once_nothing_changes),
        cmocka_unit_test(skeletons_and_discretizers_without_a_graph_are_refused),
        cmocka_unit_test(a_deadline_gives_the_best_pair_so_far_marked_cut_short),
        cmocka_unit_test(a_deadline_between_graph_and_policy_keeps_the_graph),
        cmocka_unit_test(every_run_ends_and_comes_out_the_same_twice),
        cmocka_unit_test(any_number_of_threads_comes_out_the_same),
        cmocka_unit_test(the_original_acceptance_of_monti_ends_too),
        cmocka_unit_test(the_intervals_of_a_noisy_state_variable_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
