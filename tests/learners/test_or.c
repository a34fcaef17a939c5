/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"
#include "tests/support/support.h"

#include "learners/greedy/greedy_search.h"
#include "learners/greedy/reinsertion_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static learner_result run_learner(const dataset *data, const char *const *settings, run_context *ctx) {
    const learner *l = NULL;
    learner_result result = {0};
    void *options;
    error_info err = {0};
    assert_ok(learner_find("or", &l, &err), &err);
    options = learner_options_create(l);
    assert_non_null(options);
    for (size_t i = 0; settings[i]; i++)
        assert_ok(options_set_pair(l->options, options, settings[i], &err), &err);
    assert_ok(learner_run(l, data, options, ctx, &result, &err), &err);
    free(options);
    return result;
}

static score *make_scorer(const dataset *data, double ess, run_context *ctx) {
    greedy_options options = {.ess = ess, .max_parents = -1};
    score *s = NULL;
    error_info err = {0};
    assert_ok(greedy_scorer_create(data, &options, ctx, &s, &err), &err);
    return s;
}

static double total(score *s, const dag *g) {
    double value = 0;
    error_info err = {0};
    assert_ok(score_dag(s, g, &value, NULL, &err), &err);
    return value;
}

/* --- one step */

/* From -89.307082, putting B back once reaches the optimum of hill climbing. */
static void one_step_at_b_is_enough_for_the_forty_rows(void **state) {
    dataset *data = make_forty_rows();
    dag *g = NULL;
    reinsertion *r = NULL;
    score *s;
    double gain = 0;
    bool is_expired = true;
    run_context ctx;
    error_info err = {0};
    (void)state;
    run_context_init(&ctx, 1);
    s = make_scorer(data, 1, &ctx);
    assert_ok(dag_create(3, &g, &err), &err);
    assert_close(total(s, g), -89.307082, 1e-7);
    assert_ok(reinsertion_create(3, 20, s, &ctx, &r, &err), &err);
    assert_ok(reinsertion_step(r, &g, 1, 5, &gain, &is_expired, &err), &err);
    assert_false(is_expired);
    assert_close(gain, 3.126632, 1e-6);
    assert_close(total(s, g), -86.180450, 1e-7);
    assert_int_equal(dag_arc_count(g), 2);
    assert_false(dag_has_arc(g, 0, 2) || dag_has_arc(g, 2, 0));
    assert_ok(reinsertion_step(r, &g, 1, 5, &gain, &is_expired, &err), &err);
    assert_true(gain == 0); /* ties are left as they are */
    reinsertion_destroy(r);
    dag_destroy(g);
    score_destroy(s);
    dataset_destroy(data);
}

enum { N = 5 };

static bool keeps_limit(const dag *g, size_t most) {
    for (size_t v = 0; v < N; v++) {
        size_t n;
        (void)dag_parents(g, v, &n);
        if (n > most)
            return false;
    }
    return true;
}

/* A node has at most that many parents, or gets none that it had not in `before`, where it had more. */
static bool may_become(const dag *before, const dag *after, size_t target, size_t most) {
    for (size_t v = 0; v < N; v++) {
        size_t n;
        bool is_kept = !dag_has_arc(after, target, v) || dag_has_arc(before, target, v);
        (void)dag_parents(after, v, &n);
        for (size_t u = 0; u < N; u++)
            is_kept = is_kept && (u == target || dag_has_arc(before, u, v) == dag_has_arc(after, u, v));
        if (n > most && !is_kept)
            return false;
    }
    return true;
}

/* Each of the others is no neighbour of the target, a parent or a child: every combination that is a DAG is scored. */
static double best_slowly(const dag *g, size_t target, size_t max_parents, score *s) {
    double best = -INFINITY;
    size_t n_ways = 1;
    for (size_t i = 1; i < N; i++)
        n_ways *= 3;
    for (size_t way = 0; way < n_ways; way++) {
        dag *h = NULL;
        size_t code = way;
        bool is_legal = true;
        error_info err = {0};
        assert_ok(dag_copy(g, &h, &err), &err);
        for (size_t v = 0; v < N; v++) {
            if (dag_has_arc(h, v, target))
                assert_ok(dag_remove_arc(h, v, target, &err), &err);
            if (dag_has_arc(h, target, v))
                assert_ok(dag_remove_arc(h, target, v, &err), &err);
        }
        for (size_t v = 0; v < N; v++) {
            if (v == target)
                continue;
            if (code % 3 == 1)
                is_legal = is_legal && dag_add_arc(h, v, target, &err) == STATUS_OK;
            if (code % 3 == 2)
                is_legal = is_legal && dag_add_arc(h, target, v, &err) == STATUS_OK;
            code /= 3;
        }
        if (is_legal && may_become(g, h, target, max_parents))
            best = fmax(best, total(s, h));
        dag_destroy(h);
    }
    return best;
}

static void a_step_finds_the_best_of_all_ways_to_put_a_node_back(void **state) {
    random_stream random;
    size_t n_changed = 0;
    (void)state;
    random_stream_init(&random, random_key_of(51));
    for (int round = 0; round < 60; round++) {
        dataset *data = make_random_dataset(&random, 20 + (size_t)random_below(&random, 100), N, 3);
        dag *g = make_random_dag(&random, N, 0.4);
        size_t target = (size_t)random_below(&random, N), most = 1 + (size_t)random_below(&random, 4);
        reinsertion *r = NULL;
        score *s;
        double expected, before, gain = 0;
        bool is_expired = true;
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        s = make_scorer(data, 10, &ctx);
        while (!keeps_limit(g, most)) {
            dag_destroy(g);
            g = make_random_dag(&random, N, 0.3);
        }
        before = total(s, g);
        expected = best_slowly(g, target, most, s);
        assert_ok(reinsertion_create(N, 20, s, &ctx, &r, &err), &err);
        assert_ok(reinsertion_step(r, &g, target, most, &gain, &is_expired, &err), &err);
        assert_close(total(s, g), expected, 1e-10);
        assert_close(before + gain, expected, 1e-10);
        assert_true(keeps_limit(g, most));
        n_changed += gain > 0;
        reinsertion_destroy(r);
        score_destroy(s);
        dag_destroy(g);
        dataset_destroy(data);
    }
    assert_true(n_changed > 30);
}

/* Random starts have more parents than the first limits allow: what is there may stay, and no arc goes uncounted. */
static void from_random_starts_the_gain_of_every_step_is_what_the_score_rose_by(void **state) {
    random_stream random;
    size_t n_steps = 0, n_over = 0, n_gained = 0;
    (void)state;
    random_stream_init(&random, random_key_of(55));
    for (int round = 0; round < 400; round++) {
        dataset *data = make_random_dataset(&random, 20 + (size_t)random_below(&random, 100), N, 3);
        dag *g = make_random_dag(&random, N, 0.6);
        reinsertion *r = NULL;
        score *s, *fresh;
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        s = make_scorer(data, 10, &ctx);
        fresh = make_scorer(data, 10, &ctx);
        assert_ok(reinsertion_create(N, 20, s, &ctx, &r, &err), &err);
        for (size_t step = 0; step < 5; step++, n_steps++) {
            size_t target = (size_t)random_below(&random, N), most = 1 + step / 3;
            double before = total(fresh, g), expected = best_slowly(g, target, most, fresh), gain = -1;
            bool is_expired = true;
            n_over += !keeps_limit(g, most);
            assert_ok(reinsertion_step(r, &g, target, most, &gain, &is_expired, &err), &err);
            assert_true(gain >= 0);
            assert_close(total(fresh, g), before + gain, 1e-10);
            assert_close(total(fresh, g), expected, 1e-10);
            n_gained += gain > 0;
        }
        reinsertion_destroy(r);
        score_destroy(s);
        score_destroy(fresh);
        dag_destroy(g);
        dataset_destroy(data);
    }
    assert_int_equal(n_steps, 2000);
    assert_true(n_over > 500);
    assert_true(n_gained > 500);
}

static void with_few_candidates_a_step_never_lowers_the_score(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(52));
    for (int round = 0; round < 60; round++) {
        dataset *data = make_random_dataset(&random, 60, 9, 3);
        dag *g = make_random_dag(&random, 9, 0.25);
        reinsertion *r = NULL;
        score *s;
        bool is_expired;
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        s = make_scorer(data, 10, &ctx);
        assert_ok(reinsertion_create(9, 1, s, &ctx, &r, &err), &err);
        for (size_t target = 0; target < 9; target++) {
            double before = total(s, g), gain = -1;
            assert_ok(reinsertion_step(r, &g, target, 8, &gain, &is_expired, &err), &err);
            assert_true(gain >= 0);
            assert_close(total(s, g), before + gain, 1e-10);
        }
        reinsertion_destroy(r);
        score_destroy(s);
        dag_destroy(g);
        dataset_destroy(data);
    }
}

/* --- the learner */

static void the_forty_rows_reach_the_score_of_the_worked_example(void **state) {
    static const char *const settings[] = {"ess=1", "budget=0", NULL};
    dataset *data = make_forty_rows();
    run_context ctx;
    learner_result result;
    (void)state;
    run_context_init(&ctx, 1);
    result = run_learner(data, settings, &ctx);
    assert_close(result.score, -86.180450, 1e-7);
    assert_false(result.is_cut_short);
    assert_true(isinf(ctx.deadline_s)); /* it is the caller's */
    learner_result_clear(&result);
    dataset_destroy(data);
}

/* No node can be put back better, and restarts keep the best. */
static void the_result_is_a_local_optimum_and_restarts_only_raise_it(void **state) {
    static const char *const once[] = {"max_parents=3", "budget=0", NULL};
    static const char *const again[] = {"max_parents=3", "budget=0", "restarts=5", NULL};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(53));
    for (int round = 0; round < 10; round++) {
        dataset *data = make_random_dataset(&random, 150, 8, 3);
        run_context ctx;
        learner_result one, six;
        dag *g = NULL;
        reinsertion *r = NULL;
        score *s;
        error_info err = {0};
        run_context_init(&ctx, 1);
        one = run_learner(data, once, &ctx);
        run_context_init(&ctx, 1);
        six = run_learner(data, again, &ctx);
        assert_true(six.score >= one.score - SCORE_TOLERANCE);
        s = make_scorer(data, 10, &ctx);
        assert_ok(pdag_to_dag(one.graph, &g, &err), &err);
        assert_close(total(s, g), one.score, 1e-12);
        assert_ok(reinsertion_create(8, 20, s, &ctx, &r, &err), &err);
        for (size_t target = 0; target < 8; target++) {
            double gain = 1;
            bool is_expired;
            assert_ok(reinsertion_step(r, &g, target, 3, &gain, &is_expired, &err), &err);
            assert_true(gain == 0);
        }
        reinsertion_destroy(r);
        dag_destroy(g);
        score_destroy(s);
        learner_result_clear(&one);
        learner_result_clear(&six);
        dataset_destroy(data);
    }
}

static double seconds_of(const dataset *data, const char *const *settings, learner_result *result) {
    run_context ctx;
    double start_s = run_cpu_s();
    run_context_init(&ctx, 1);
    *result = run_learner(data, settings, &ctx);
    return run_cpu_s() - start_s;
}

/* The budget counts CPU time, so that a loaded machine changes little. Sets of up to twenty parents of a hundred: what
 * is done in one step alone would take minutes. */
static void the_budget_is_kept_within_a_step(void **state) {
    static const char *const settings[] = {"max_parents=20", "budget=0.5", NULL};
    random_stream random;
    dataset *data;
    learner_result result;
    double seconds;
    (void)state;
    random_stream_init(&random, random_key_of(54));
    data = make_random_dataset(&random, 300, 100, 3);
    seconds = seconds_of(data, settings, &result);
    assert_between(seconds, 0.4, 10);
    assert_true(result.is_cut_short);
    assert_true(pdag_edge_count(result.graph) > 0);
    learner_result_clear(&result);
    dataset_destroy(data);
}

static bool same_edges(const pdag *a, const pdag *b) {
    for (size_t x = 0; x < pdag_node_count(a); x++) {
        for (size_t y = 0; y < pdag_node_count(a); y++) {
            if (x != y && pdag_edge_between(a, x, y) != pdag_edge_between(b, x, y))
                return false;
        }
    }
    return true;
}

/* The seconds, far too few, are not looked at; what runs twice ends alike, and more scores are never worse. */
static void a_budget_of_scores_ends_the_search_alike_everywhere(void **state) {
    static const char *const budgets[] = {"evaluations=3000", "evaluations=6000", "evaluations=60000"};
    random_stream random;
    dataset *data;
    double last = -INFINITY;
    (void)state;
    random_stream_init(&random, random_key_of(55));
    data = make_random_dataset(&random, 100, 25, 3);
    for (size_t i = 0; i < 3; i++) {
        const char *settings[] = {"max_parents=20", "budget=0.001", budgets[i], NULL};
        size_t most = (size_t)strtoul(strchr(budgets[i], '=') + 1, NULL, 10);
        run_context ctx, again;
        learner_result one, two;
        run_context_init(&ctx, 1);
        run_context_init(&again, 1);
        again.scores.computed = 12345; /* what others counted before is not its */
        one = run_learner(data, settings, &ctx);
        two = run_learner(data, settings, &again);
        assert_true(one.is_cut_short);
        assert_int_equal(ctx.most_scores, 0);
        assert_true(ctx.scores.computed >= most * 92 / 100);
        assert_true(ctx.scores.computed <= most + 100); /* a row or two of families past it */
        assert_int_equal(again.scores.computed, 12345 + ctx.scores.computed);
        assert_true(same_edges(one.graph, two.graph));
        assert_true(one.score >= last - SCORE_TOLERANCE);
        last = one.score;
        learner_result_clear(&one);
        learner_result_clear(&two);
    }
    dataset_destroy(data);
}

static void restarts_end_where_no_score_is_new(void **state) {
    static const char *const settings[] = {"evaluations=1000", "restarts=-1", "ess=1", NULL};
    dataset *data = make_forty_rows(); /* three columns: twelve families */
    run_context ctx;
    learner_result result;
    (void)state;
    run_context_init(&ctx, 1);
    result = run_learner(data, settings, &ctx);
    assert_close(result.score, -86.180450, 1e-7);
    assert_false(result.is_cut_short);
    assert_true(ctx.scores.computed <= 12);
    learner_result_clear(&result);
    dataset_destroy(data);
}

static void restarts_use_the_budget_up(void **state) {
    static const char *const settings[] = {"budget=0.3", "restarts=-1", NULL};
    dataset *data = make_forty_rows();
    learner_result result;
    double seconds = seconds_of(data, settings, &result);
    (void)state;
    assert_between(seconds, 0.26, 5);
    assert_false(result.is_cut_short);
    learner_result_clear(&result);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_at_b_is_enough_for_the_forty_rows),
        cmocka_unit_test(a_step_finds_the_best_of_all_ways_to_put_a_node_back),
        cmocka_unit_test(from_random_starts_the_gain_of_every_step_is_what_the_score_rose_by),
        cmocka_unit_test(with_few_candidates_a_step_never_lowers_the_score),
        cmocka_unit_test(the_forty_rows_reach_the_score_of_the_worked_example),
        cmocka_unit_test(the_result_is_a_local_optimum_and_restarts_only_raise_it),
        cmocka_unit_test(the_budget_is_kept_within_a_step),
        cmocka_unit_test(a_budget_of_scores_ends_the_search_alike_everywhere),
        cmocka_unit_test(restarts_end_where_no_score_is_new),
        cmocka_unit_test(restarts_use_the_budget_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
