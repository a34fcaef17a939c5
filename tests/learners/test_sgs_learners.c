/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sgs1, sgs2, sgs3 as learners: options, random choice, filters, deadline, what they tell of their run. */
#include "learners/registry.h"
#include "tests/support/support.h"

#include "core/graph/equivalence.h"
#include "generators/networks/bif.h"
#include "generators/sampling/sampling.h"
#include "learners/base/learner.h"
#include "learners/greedy/greedy_search.h"
#include "learners/sgs/sgs_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"sgs1", "sgs2", "sgs3"};

/* Runs a learner with options "a=b", ... up to NULL. */
static learner_result learn(const char *name, const dataset *data, uint64_t seed, trace *t, const char *const *pairs) {
    const learner *l = NULL;
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    void *options;
    assert_ok(learner_find(name, &l, &err), &err);
    options = learner_options_create(l);
    assert_non_null(options);
    for (; pairs && *pairs; pairs++)
        assert_ok(options_set_pair(l->options, options, *pairs, &err), &err);
    run_context_init(&ctx, seed);
    ctx.trace = t;
    assert_ok(learner_run(l, data, options, &ctx, &result, &err), &err);
    free(options);
    return result;
}

#define OPTIONS(...)                                                                                                   \
    (const char *const[]) {                                                                                            \
        __VA_ARGS__, NULL                                                                                              \
    }

static dataset *sample_alarm(size_t n_rows, uint64_t seed) {
    bayes_net *net = NULL;
    dataset *data = NULL;
    random_stream random;
    error_info err = {0};
    assert_ok(bif_read(source_path("networks/alarm.bif"), &net, NULL, &err), &err);
    random_stream_init(&random, random_key_of(seed));
    assert_ok(sample_network(net, n_rows, &random, &data, &err), &err);
    bayes_net_destroy(net);
    return data;
}

static void one_search_without_random_choice_is_hill_climbing(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(3));
    for (int i = 0; i < 40; i++) {
        dataset *data = make_random_dataset(&random, 30 + 20 * (size_t)i, 7, 4);
        const char *limit = i % 2 ? "max_parents=2" : "max_parents=-1";
        learner_result slow = learn("hc", data, 1, NULL, OPTIONS("ess=1", limit));
        learner_result fast = learn("sgs1", data, 1, NULL, OPTIONS("restarts=1", "ties=first", limit));
        assert_true(pdag_is_equal(slow.graph, fast.graph));
        assert_close(slow.score, fast.score, 1e-12);
        learner_result_clear(&slow);
        learner_result_clear(&fast);
        dataset_destroy(data);
    }
}

static void the_score_is_that_of_the_graph(void **state) {
    dataset *data = sample_alarm(300, 4);
    greedy_options o = {.ess = 1};
    run_context ctx;
    score *s = NULL;
    error_info err = {0};
    (void)state;
    run_context_init(&ctx, 1);
    assert_ok(greedy_scorer_create(data, &o, &ctx, &s, &err), &err);
    for (size_t i = 0; i < 6; i++) {
        learner_result r = learn(names[i % 3], data, i, NULL,
                                 OPTIONS("restarts=2", i < 3 ? "start=empty" : "start=random", "uncover=true"));
        dag *g = NULL;
        double value = 0;
        assert_ok(pdag_to_dag(r.graph, &g, &err), &err);
        assert_ok(score_dag(s, g, &value, NULL, &err), &err);
        assert_close(value, r.score, 1e-12);
        dag_destroy(g);
        learner_result_clear(&r);
    }
    score_destroy(s);
    dataset_destroy(data);
}

static void a_seed_gives_one_graph_and_other_seeds_other_orientations(void **state) {
    static const int cells[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    static const size_t states[] = {2, 2};
    dataset *data = make_dataset(8, 2, states, cells);
    size_t n_forwards = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        learner_result a = learn("sgs1", data, seed, NULL, OPTIONS("restarts=1"));
        learner_result b = learn("sgs1", data, seed, NULL, OPTIONS("restarts=1"));
        assert_true(pdag_is_equal(a.graph, b.graph));
        assert_int_equal(pdag_edge_count(a.graph), 1);
        n_forwards += pdag_edge_between(a.graph, 0, 1) == EDGE_OUT;
        learner_result_clear(&a);
        learner_result_clear(&b);
    }
    assert_in_range(n_forwards, 8, 32); /* binomial: outside with probability 2e-5 */
    dataset_destroy(data);
}

/* --- starts */

static status no_family(void *self, size_t x, const size_t *parents, size_t n, size_t extra, double *out,
                        error_info *err) {
    (void)self, (void)x, (void)parents, (void)n, (void)extra, (void)err;
    *out = -1;
    return STATUS_OK;
}

static dag *random_start(size_t n, size_t max_parents, uint64_t seed) {
    family_source source = {NULL, no_family, n};
    sgs_plan plan = {.n_restarts = 1, .max_parents = max_parents, .starts_at_random = true};
    sgs_result r = {0};
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, seed);
    assert_ok(sgs_search(&source, &plan, &ctx, &r, &err), &err); /* no moves: the start comes back */
    return r.graph;
}

static void a_random_start_of_37_nodes_has_71_arcs(void **state) {
    size_t n_reversed = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        dag *g = random_start(37, 5, seed);
        assert_int_equal(dag_arc_count(g), 71); /* 2 * 37 - 3: Vandel et al., section 4.2 */
        for (size_t x = 0; x < 37; x++) {
            size_t n_parents;
            const size_t *parents = dag_parents(g, x, &n_parents);
            assert_in_range(n_parents, 0, 2);
            n_reversed += n_parents && parents[0] > x;
        }
        dag_destroy(g);
    }
    assert_true(n_reversed > 0);
}

static void a_random_start_keeps_the_limit_of_parents(void **state) {
    dag *g = random_start(20, 1, 1);
    (void)state;
    for (size_t x = 0; x < 20; x++) {
        size_t n_parents;
        (void)dag_parents(g, x, &n_parents);
        assert_in_range(n_parents, 0, 1);
    }
    assert_int_equal(dag_arc_count(g), 19);
    dag_destroy(g);
}

/* --- filters, limits */

static void arcs_come_from_candidates_alone(void **state) {
    dataset *data = sample_alarm(400, 8);
    greedy_options o = {.ess = 1};
    run_context ctx;
    score *s = NULL;
    error_info err = {0};
    learner_result mmpc = learn("mmpc", data, 1, NULL, OPTIONS("alpha=0.01"));
    (void)state;
    run_context_init(&ctx, 1);
    assert_ok(greedy_scorer_create(data, &o, &ctx, &s, &err), &err);
    for (size_t i = 0; i < 6; i++) {
        trace t = {0};
        learner_result r = learn(names[i % 3], data, i, &t,
                                 OPTIONS("restarts=2", i < 3 ? "filter=score" : "filter=mmpc", "alpha=0.01",
                                         i % 2 ? "start=random" : "start=empty"));
        for (size_t x = 0; x < 37; x++) {
            size_t degree;
            const pdag_edge *edges = pdag_edges(r.graph, x, &degree);
            for (size_t k = 0; k < degree; k++) {
                double alone = 0, with = 0;
                size_t y = edges[k].node;
                assert_ok(score_node(s, x, NULL, 0, &alone, &err), &err);
                assert_ok(score_node(s, x, &y, 1, &with, &err), &err);
                assert_true(i < 3 ? with > alone : pdag_edge_between(mmpc.graph, x, y) != EDGE_NONE);
            }
        }
        assert_true(pdag_edge_count(r.graph) > 20);
        if (i >= 3)
            assert_close(*trace_find_figure(&t, "candidate_arcs"), 2 * (double)pdag_edge_count(mmpc.graph), 1e-12);
        learner_result_clear(&r);
        trace_clear(&t);
    }
    learner_result_clear(&mmpc);
    score_destroy(s);
    dataset_destroy(data);
}

static void no_node_gets_more_parents_than_allowed(void **state) {
    dataset *data = sample_alarm(2000, 9);
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        learner_result r = learn(names[i], data, 1, NULL, OPTIONS("restarts=2", "max_parents=2"));
        dag *g = NULL;
        error_info err = {0};
        assert_ok(pdag_to_dag(r.graph, &g, &err), &err);
        for (size_t x = 0; x < 37; x++) {
            size_t n_parents;
            (void)dag_parents(g, x, &n_parents);
            assert_in_range(n_parents, 0, 2);
        }
        dag_destroy(g);
        learner_result_clear(&r);
    }
    dataset_destroy(data);
}

static void past_its_deadline_a_search_returns_what_it_has(void **state) {
    dataset *data = sample_alarm(200, 2);
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const learner *l = NULL;
        learner_result r = {0};
        run_context ctx;
        error_info err = {0};
        void *options;
        assert_ok(learner_find(names[i], &l, &err), &err);
        options = learner_options_create(l);
        run_context_init(&ctx, 1);
        ctx.deadline_s = run_clock_s() - 1;
        assert_ok(learner_run(l, data, options, &ctx, &r, &err), &err);
        assert_true(r.is_cut_short);
        assert_int_equal(pdag_edge_count(r.graph), 0);
        free(options);
        learner_result_clear(&r);
    }
    dataset_destroy(data);
}

/* --- what is told */

static void figures_and_series_tell_of_the_searches(void **state) {
    static const char *const moves[] = {"add_moves",  "delete_moves",   "reverse_moves",
                                        "swap_moves", "add_plus_moves", "swap_plus_moves"};
    dataset *data = sample_alarm(300, 5);
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        trace t = {0};
        learner_result r = learn(names[i], data, 1, &t, OPTIONS("restarts=6"));
        const trace_series *best = trace_find_series(&t, "best_score"), *each = trace_find_series(&t, "search_score");
        double sum = 0, top = -INFINITY;
        for (size_t k = 0; k < 6; k++)
            sum += *trace_find_figure(&t, moves[k]);
        assert_close(sum, *trace_find_figure(&t, "iterations"), 1e-12);
        assert_true(sum >= (double)pdag_edge_count(r.graph) / 2);
        assert_close(*trace_find_figure(&t, "searches"), 6, 0);
        assert_true(*trace_find_figure(&t, "longest_move") >= 1);
        assert_true(*trace_find_figure(&t, "delete_operations") >= *trace_find_figure(&t, "delete_moves"));
        assert_true(*trace_find_figure(&t, "swap_operations") >= *trace_find_figure(&t, "swap_moves"));
        assert_true(i == 2 || *trace_find_figure(&t, "add_plus_moves") == 0);
        assert_true(i > 0 || *trace_find_figure(&t, "swap_moves") == 0);
        assert_int_equal(best->n, 6);
        assert_int_equal(each->n, 6);
        for (size_t k = 0; k < 6; k++) {
            top = fmax(top, each->points[k].value);
            assert_int_equal(best->points[k].step, k + 1);
            assert_close(best->points[k].value, top, 1e-12);
        }
        assert_close(top, r.score, 1e-12);
        learner_result_clear(&r);
        trace_clear(&t);
    }
    dataset_destroy(data);
}

static void no_move_of_sgs3_takes_more_operations_than_allowed(void **state) {
    static const char *const limits[] = {"most_operations=-1", "most_operations=3", "most_operations=1"};
    double longest[3];
    dataset *data = sample_alarm(500, 5);
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        trace t = {0};
        learner_result r = learn("sgs3", data, 1, &t, OPTIONS("restarts=3", "start=random", limits[i]));
        longest[i] = *trace_find_figure(&t, "longest_move");
        trace_clear(&t);
        learner_result_clear(&r);
    }
    assert_true(longest[0] > 3);
    assert_close(longest[1], 3, 0);
    assert_close(longest[2], 1, 0);
    dataset_destroy(data);
}

static void lagd_in_several_orders_keeps_the_best(void **state) {
    greedy_options o = {.ess = 1};
    size_t n_better = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        dataset *data = sample_alarm(300, 30 + seed);
        learner_result one = learn("lagd", data, seed, NULL, OPTIONS("restarts=1", "ess=1"));
        learner_result six = learn("lagd", data, seed, NULL, OPTIONS("restarts=6", "ess=1"));
        run_context ctx;
        score *s = NULL;
        dag *g = NULL;
        double value = 0;
        error_info err = {0};
        run_context_init(&ctx, 1);
        assert_ok(greedy_scorer_create(data, &o, &ctx, &s, &err), &err);
        assert_ok(pdag_to_dag(six.graph, &g, &err), &err);
        assert_ok(score_dag(s, g, &value, NULL, &err), &err);
        assert_close(value, six.score, 1e-12); /* the nodes are those of the data again */
        assert_true(six.score >= one.score);   /* the first order is the same */
        n_better += six.score > one.score + 1;
        dag_destroy(g);
        score_destroy(s);
        learner_result_clear(&one);
        learner_result_clear(&six);
        dataset_destroy(data);
    }
    assert_true(n_better > 0);
}

static void larger_neighbourhoods_score_higher_on_alarm(void **state) {
    double mean[3] = {0};
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        dataset *data = sample_alarm(500, 100 + seed);
        for (size_t i = 0; i < 3; i++) {
            learner_result r = learn(names[i], data, seed, NULL, NULL);
            mean[i] += r.score / 6;
            learner_result_clear(&r);
        }
        dataset_destroy(data);
    }
    assert_true(mean[2] >= mean[1]);
    assert_true(mean[1] >= mean[0]);
}

typedef struct {
    learner_result result;
    run_context ctx;
    trace t;
} outcome;

static void run_by_threads(const char *name, const dataset *data, size_t n_threads, bool starts_at_random,
                           uint64_t most_scores, outcome *out) {
    const learner *l = NULL;
    error_info err = {0};
    void *options;
    *out = (outcome){0};
    assert_ok(learner_find(name, &l, &err), &err);
    options = learner_options_create(l);
    assert_ok(options_set_pair(l->options, options, "restarts=4", &err), &err);
    assert_ok(options_set_pair(l->options, options, starts_at_random ? "start=random" : "start=empty", &err), &err);
    run_context_init(&out->ctx, 5);
    out->ctx.n_threads = n_threads;
    out->ctx.most_scores = most_scores;
    out->ctx.trace = &out->t;
    assert_ok(learner_run(l, data, options, &out->ctx, &out->result, &err), &err);
    free(options);
}

static void assert_same_trace(const trace *a, const trace *b) {
    static const char *const figures[] = {"add_plus_moves", "swap_plus_moves", "iterations", "swap_operations",
                                          "longest_move"};
    const trace_series *of_a = trace_find_series(a, "search_score"), *of_b = trace_find_series(b, "search_score");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        assert_true(*trace_find_figure(a, figures[i]) == *trace_find_figure(b, figures[i]));
    assert_int_equal(of_a->n, of_b->n);
    for (size_t i = 0; i < of_a->n; i++)
        assert_true(of_a->points[i].value == of_b->points[i].value);
}

/* Every second run stops in the midst of a scan: at so many scores. */
static void assert_threads_agree(const char *name, const dataset *data, uint64_t some_scores) {
    for (int number = 0; number < 4; number++) {
        bool random = number / 2;
        uint64_t most_scores = number % 2 ? some_scores : 0;
        outcome one, many;
        run_by_threads(name, data, 1, random, most_scores, &one);
        assert_int_equal(one.result.is_cut_short, most_scores > 0);
        for (size_t n_threads = 2; n_threads <= 3; n_threads++) {
            run_by_threads(name, data, n_threads, random, most_scores, &many);
            assert_true(pdag_is_equal(one.result.graph, many.result.graph));
            assert_true(one.result.score == many.result.score);
            assert_memory_equal(&one.ctx.scores, &many.ctx.scores, sizeof one.ctx.scores);
            assert_same_trace(&one.t, &many.t);
            learner_result_clear(&many.result);
            trace_clear(&many.t);
        }
        learner_result_clear(&one.result);
        trace_clear(&one.t);
    }
}

/* With a limit of scores they come one after the other; it is never reached, or in the midst. */
static void searches_by_several_threads_are_those_of_one(void **state) {
    dataset *data = sample_alarm(300, 8);
    (void)state;
    assert_threads_agree("sgs3", data, 4000);
    dataset_destroy(data);
}

/* A row of alarm with so many rows of data is worth several threads, and two rows are at the limit of scores. */
static void families_by_several_threads_are_those_of_one(void **state) {
    (void)state;
    for (uint64_t seed = 8; seed < 10; seed++) {
        dataset *data = sample_alarm(4000, seed);
        assert_threads_agree("sgs1", data, 1400 + 10 * seed);
        assert_threads_agree("sgs2", data, 1400 + 10 * seed);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_search_without_random_choice_is_hill_climbing),
        cmocka_unit_test(the_score_is_that_of_the_graph),
        cmocka_unit_test(a_seed_gives_one_graph_and_other_seeds_other_orientations),
        cmocka_unit_test(a_random_start_of_37_nodes_has_71_arcs),
        cmocka_unit_test(a_random_start_keeps_the_limit_of_parents),
        cmocka_unit_test(arcs_come_from_candidates_alone),
        cmocka_unit_test(no_node_gets_more_parents_than_allowed),
        cmocka_unit_test(past_its_deadline_a_search_returns_what_it_has),
        cmocka_unit_test(figures_and_series_tell_of_the_searches),
        cmocka_unit_test(no_move_of_sgs3_takes_more_operations_than_allowed),
        cmocka_unit_test(lagd_in_several_orders_keeps_the_best),
        cmocka_unit_test(searches_by_several_threads_are_those_of_one),
        cmocka_unit_test(families_by_several_threads_are_those_of_one),
        cmocka_unit_test(larger_neighbourhoods_score_higher_on_alarm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
