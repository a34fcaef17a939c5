/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking ahead against a plain search that builds every graph, and a worked example. */
#include "learners/registry.h"
#include "tests/learners/move_reference.h"

#include "learners/base/learner.h"
#include "learners/lagd/lagd_search.h"
#include "metrics/scores/bdeu.h"

#include <stdlib.h>

/* --- the reference */

enum { MOVES_MAX = 4 };

typedef struct {
    size_t n;
    double gain;
    arc_move moves[MOVES_MAX];
} plan_ahead;

/* What a search may do. */
typedef struct {
    int max_parents;
    arc_move_kind last_kind;
} rules;

static size_t legal_moves(const small_graph *g, score_table *t, const rules *may, arc_move *out) {
    size_t n = 0;
    for (int kind = ARC_ADD; kind <= (int)may->last_kind; kind++) {
        for (size_t i = 0; i < g->n * g->n; i++) {
            arc_move m = {(arc_move_kind)kind, i / g->n, i % g->n, 0};
            double d_delete, d_add;
            if (!small_is_legal(g, &m, may->max_parents))
                continue;
            small_gain(g, t, &m, &d_delete, &d_add);
            out[n++] = m;
        }
    }
    return n;
}

static plan_ahead look_plainly(const small_graph *g, score_table *t, size_t h, size_t l, const rules *may) {
    arc_move moves[SMALL_MOVES_MAX];
    size_t n = legal_moves(g, t, may, moves);
    plan_ahead best = {0};
    for (size_t i = 0; i < (h == 1 ? 1 : l) && n > 0; i++) {
        size_t at = choose_move(moves, n, -INFINITY);
        arc_move m = moves[at];
        small_graph after = *g;
        plan_ahead tail = {0};
        moves[at] = moves[--n];
        small_apply(&after, &m);
        if (h > 1)
            tail = look_plainly(&after, t, h - 1, l, may);
        if (h > 1 && !(m.gain + tail.gain > best.gain + SCORE_TOLERANCE))
            continue;
        best.n = 1 + tail.n;
        best.gain = m.gain + tail.gain;
        best.moves[0] = m;
        for (size_t k = 0; k < tail.n; k++)
            best.moves[1 + k] = tail.moves[k];
    }
    return best;
}

static small_graph search_plainly(score_table *t, size_t h, size_t l, const rules *may) {
    small_graph g = {.n = t->n};
    while (h > 0) {
        plan_ahead best = look_plainly(&g, t, h, l, may);
        if (best.n < h || best.gain <= SCORE_TOLERANCE) {
            h--;
            continue;
        }
        for (size_t i = 0; i < best.n; i++)
            small_apply(&g, &best.moves[i]);
    }
    return g;
}

/* --- tests */

static void compare_with_plain(score_table *t, const lagd_plan *plan) {
    rules may = {plan->max_parents, plan->keeps_directions ? ARC_DELETE : ARC_REVERSE};
    small_graph expected = search_plainly(t, plan->h, plan->l, &may);
    lagd_result result = {0};
    double total = 0;
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(lagd_search(plan, &ctx, &result, &err), &err);
    assert_true(small_equals(&expected, result.graph));
    for (size_t y = 0; y < plan->n; y++)
        total += t->value[y][expected.parents[y]];
    assert_close(result.score, total, 1e-12);
    dag_destroy(result.graph);
}

/* By rows of ancestors, and by searches for paths. */
static void the_search_finds_what_a_plain_one_finds(void **state) {
    score_table *t = calloc(1, sizeof *t);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(41));
    for (int round = 0; round < 120; round++) {
        lagd_plan plan = {.n = 3 + (size_t)round % 3,
                          .h = 1 + (size_t)round % 3,
                          .l = 1 + (size_t)random_below(&random, 6),
                          .max_parents = round % 2 ? 2 : -1,
                          .keeps_directions = round % 5 == 2};
        fill_at_random(t, plan.n, round % 4 == 0 ? 5 : 300, &random);
        plan.scorer = score_table_source(t);
        compare_with_plain(t, &plan);
        plan.searches_paths = true;
        compare_with_plain(t, &plan);
    }
    free(t);
}

static lagd_result search_data(const dataset *data, bool searches_paths, statistics_count *counts) {
    const score_kind *kind = NULL;
    score *scorer = NULL;
    lagd_plan plan = {
        .n = dataset_column_count(data), .h = 2, .l = 3, .max_parents = -1, .searches_paths = searches_paths};
    lagd_result result = {0};
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(score_kind_find("bdeu", &kind, &err), &err);
    assert_ok(score_create(kind, &(bdeu_options){.ess = 10}, data, &ctx.scores, &scorer, &err), &err);
    plan.scorer = local_scorer_of(scorer);
    assert_ok(lagd_search(&plan, &ctx, &result, &err), &err);
    score_destroy(scorer);
    *counts = ctx.scores;
    return result;
}

/* Of more columns than there are supports, so that paths are searched for; moves are made and undone all the time. */
static void searches_for_paths_find_what_rows_of_ancestors_find(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(42));
    for (int round = 0; round < 2; round++) {
        dataset *data = make_random_dataset(&random, 40, 170, 3);
        statistics_count rows, searches;
        lagd_result by_rows = search_data(data, false, &rows), by_searches = search_data(data, true, &searches);
        assert_true(dag_arc_count(by_rows.graph) > 170);
        assert_int_equal(by_rows.n_steps, by_searches.n_steps);
        assert_true(by_rows.score == by_searches.score);
        assert_int_equal(rows.requests, searches.requests);
        assert_int_equal(rows.computed, searches.computed);
        assert_int_equal(dag_arc_count(by_rows.graph), dag_arc_count(by_searches.graph));
        for (size_t x = 0; x < 170; x++) {
            for (size_t y = 0; y < 170; y++)
                assert_int_equal(dag_has_arc(by_rows.graph, x, y), dag_has_arc(by_searches.graph, x, y));
        }
        dag_destroy(by_rows.graph);
        dag_destroy(by_searches.graph);
        dataset_destroy(data);
    }
}

typedef struct {
    size_t n;
    double first_gain;
} steps;

static void keep_step(void *context, size_t n_moves, double gain, const dag *graph) {
    steps *s = context;
    assert_int_equal(n_moves, dag_arc_count(graph));
    if (s->n++ == 0)
        s->first_gain = gain;
}

static void the_forty_rows_take_one_step_of_two_moves(void **state) {
    dataset *data = make_forty_rows();
    const score_kind *kind = NULL;
    score *scorer = NULL;
    steps seen = {0};
    lagd_plan plan = {.n = 3, .h = 2, .l = 5, .max_parents = 5, .watch = keep_step, .watch_context = &seen};
    lagd_result result = {0};
    run_context ctx;
    error_info err = {0};
    (void)state;
    run_context_init(&ctx, 1);
    assert_ok(score_kind_find("bdeu", &kind, &err), &err);
    assert_ok(score_create(kind, &(bdeu_options){.ess = 1}, data, NULL, &scorer, &err), &err);
    plan.scorer = local_scorer_of(scorer);
    assert_ok(lagd_search(&plan, &ctx, &result, &err), &err);
    assert_int_equal(seen.n, 1);
    assert_int_equal(result.n_steps, 1);
    assert_int_equal(result.n_searches, 1);
    assert_close(seen.first_gain, 3.126632, 1e-6);
    assert_close(result.score, -86.180450, 1e-7);
    dag_destroy(result.graph);
    score_destroy(scorer);
    dataset_destroy(data);
}

static learner_result learn(const char *name, const dataset *data, const char *const *pairs, size_t n_pairs) {
    const learner *l = NULL;
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    void *options;
    assert_ok(learner_find(name, &l, &err), &err);
    options = learner_options_create(l);
    for (size_t i = 0; i < n_pairs; i++)
        assert_ok(options_set_pair(l->options, options, pairs[i], &err), &err);
    run_context_init(&ctx, 1);
    assert_ok(learner_run(l, data, options, &ctx, &result, &err), &err);
    free(options);
    return result;
}

static void looking_one_move_ahead_is_hill_climbing_and_the_published_limit_is_five_parents(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(42));
    for (int round = 0; round < 20; round++) {
        dataset *data = make_random_dataset(&random, 200, 9, 3);
        learner_result one = learn("lagd", data, (const char *const[]){"h=1", "max_parents=-1"}, 2);
        learner_result two = learn("lagd", data, NULL, 0), hc = learn("hc", data, NULL, 0);
        assert_close(one.score, hc.score, 1e-12);
        assert_int_equal(pdag_edge_count(one.graph), pdag_edge_count(hc.graph));
        for (size_t y = 0; y < 9; y++) {
            size_t n_parents = 0;
            for (size_t x = 0; x < 9; x++)
                n_parents += x != y && pdag_edge_between(two.graph, y, x) == EDGE_IN;
            assert_true(n_parents <= 5);
        }
        learner_result_clear(&one);
        learner_result_clear(&two);
        learner_result_clear(&hc);
        dataset_destroy(data);
    }
}

/* Each column follows the two before it, seven times in eight. */
static dataset *make_chained_dataset(random_stream *random, size_t n_rows, size_t n_columns) {
    size_t n_states[16];
    int cells[16 * 200];
    for (size_t c = 0; c < n_columns; c++)
        n_states[c] = 2;
    for (size_t row = 0; row < n_rows; row++) {
        int *at = cells + row * n_columns;
        for (size_t c = 0; c < n_columns; c++) {
            bool follows = c > 1 && random_below(random, 8) > 0;
            at[c] = follows ? at[c - 1] | at[c - 2] : (int)random_below(random, 2);
        }
    }
    return make_dataset(n_rows, n_columns, n_states, cells);
}

static void without_reversals_the_learner_adds_and_deletes_alone(void **state) {
    random_stream random;
    size_t n_different = 0;
    (void)state;
    random_stream_init(&random, random_key_of(44));
    for (int round = 0; round < 20; round++) {
        dataset *data = make_chained_dataset(&random, 120, 7);
        learner_result kept = learn("lagd", data, (const char *const[]){"reversals=false"}, 1);
        learner_result usual = learn("lagd", data, (const char *const[]){"reversals=true"}, 1);
        lagd_plan plan = {.n = 7, .h = 2, .l = 5, .max_parents = 5, .keeps_directions = true};
        lagd_result expected = {0};
        score *scorer = NULL;
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        assert_ok(score_create(&score_bdeu, &(bdeu_options){.ess = 10}, data, NULL, &scorer, &err), &err);
        plan.scorer = local_scorer_of(scorer);
        assert_ok(lagd_search(&plan, &ctx, &expected, &err), &err);
        assert_close(kept.score, expected.score, 1e-12);
        n_different += kept.score != usual.score;
        dag_destroy(expected.graph);
        score_destroy(scorer);
        learner_result_clear(&kept);
        learner_result_clear(&usual);
        dataset_destroy(data);
    }
    assert_true(n_different > 0);
}

/* A source that lets the deadline pass after some scores. */
typedef struct {
    score_table *table;
    run_context *ctx;
    size_t left;
} expiring;

static void spend(expiring *e) {
    if (e->left == 0)
        e->ctx->deadline_s = 0;
    else
        e->left--;
}

static status expiring_node(void *context, size_t y, const size_t *parents, size_t n_parents, double *out,
                            error_info *err) {
    expiring *e = context;
    spend(e);
    return table_node(e->table, y, parents, n_parents, out, err);
}

static status expiring_node_with(void *context, size_t y, const size_t *parents, size_t n_parents, size_t extra,
                                 double *out, error_info *err) {
    expiring *e = context;
    spend(e);
    return table_node_with(e->table, y, parents, n_parents, extra, out, err);
}

static void at_any_deadline_the_graph_is_one_between_two_steps(void **state) {
    score_table *t = calloc(1, sizeof *t);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(43));
    fill_at_random(t, 6, 1000, &random);
    for (size_t left = 0; left < 400; left += 3) {
        run_context ctx;
        expiring e = {t, &ctx, left};
        lagd_plan plan = {.n = 6, .scorer = {&e, expiring_node, expiring_node_with}, .h = 3, .l = 4, .max_parents = -1};
        lagd_result result = {0};
        double total = 0;
        error_info err = {0};
        run_context_init(&ctx, 1);
        assert_ok(lagd_search(&plan, &ctx, &result, &err), &err);
        for (size_t y = 0; y < 6; y++) {
            size_t n_parents;
            const size_t *parents = dag_parents(result.graph, y, &n_parents);
            total += t->value[y][set_of(parents, n_parents)];
        }
        assert_close(result.score, total, 1e-12);
        assert_true(result.is_cut_short == (ctx.deadline_s == 0));
        dag_destroy(result.graph);
    }
    free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_finds_what_a_plain_one_finds),
        cmocka_unit_test(searches_for_paths_find_what_rows_of_ancestors_find),
        cmocka_unit_test(the_forty_rows_take_one_step_of_two_moves),
        cmocka_unit_test(looking_one_move_ahead_is_hill_climbing_and_the_published_limit_is_five_parents),
        cmocka_unit_test(without_reversals_the_learner_adds_and_deletes_alone),
        cmocka_unit_test(at_any_deadline_the_graph_is_one_between_two_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
