/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search against a plain sweep over all pairs, and against a worked example. */
#include "learners/registry.h"
#include "tests/learners/move_reference.h"

#include "core/graph/pdag.h"
#include "learners/base/learner.h"
#include "learners/chc/chc_search.h"
#include "learners/greedy/greedy_search.h"

#include <stdlib.h>

enum { EVENTS_MAX = 4000 };

/* What a search tells, without the graphs. */
typedef struct {
    size_t n, n_moves, n_releases, n_passes, last_pass_moves;
    arc_move moves[EVENTS_MAX];
    size_t released[EVENTS_MAX][2];
} record;

static void keep_event(void *context, const chc_event *event) {
    record *r = context;
    assert_true(++r->n < EVENTS_MAX);
    switch (event->kind) {
    case CHC_MOVED:
        r->moves[r->n_moves++] = event->move;
        break;
    case CHC_RELEASED:
        r->released[r->n_releases][0] = event->a < event->b ? event->a : event->b;
        r->released[r->n_releases++][1] = event->a < event->b ? event->b : event->a;
        break;
    case CHC_PASS_ENDED:
        r->n_passes++;
        r->last_pass_moves = event->n_moves;
        break;
    }
}

static chc_plan make_plan(score_table *t, chc_variant variant, chc_release release, int max_parents) {
    return (chc_plan){
        .n = t->n, .scorer = score_table_source(t), .variant = variant, .release = release, .max_parents = max_parents};
}

static chc_result run_plan(chc_plan plan, record *r) {
    chc_result result = {0};
    run_context ctx;
    error_info err = {0};
    plan.watch = r ? keep_event : NULL;
    plan.watch_context = r;
    run_context_init(&ctx, 1);
    assert_ok(chc_search(&plan, &ctx, &result, &err), &err);
    assert_false(result.is_cut_short);
    return result;
}

static chc_result run_search(score_table *t, chc_variant variant, chc_release release, int max_parents, record *r) {
    return run_plan(make_plan(t, variant, release, max_parents), r);
}

/* --- the reference, to the letter of the definitions */

typedef struct {
    small_graph g;
    score_table *scores;
    bool uses_fp, releases;
    chc_release release;
    int max_parents;
    bool fp[TABLE_NODES][TABLE_NODES]; /* fp[v][x]: x must not become a parent of v */
    arc_move moves[SMALL_MOVES_MAX];
    size_t n_moves;
    record *told;
} plain;

static void examine_plainly(plain *p, arc_move_kind kind, size_t x, size_t y) {
    arc_move m = {kind, x, y, 0};
    double d_delete, d_add;
    size_t head = kind == ARC_REVERSE ? x : y, tail = kind == ARC_REVERSE ? y : x;
    if (!small_is_legal(&p->g, &m, p->max_parents) || (kind != ARC_DELETE && p->fp[head][tail]))
        return;
    small_gain(&p->g, p->scores, &m, &d_delete, &d_add);
    if (p->uses_fp && (d_delete > SCORE_TOLERANCE || d_add < -SCORE_TOLERANCE))
        p->fp[x][y] = p->fp[y][x] = true;
    p->moves[p->n_moves++] = m;
}

static void release_plainly(plain *p, size_t a, size_t b) {
    if (a == b || !p->fp[a][b])
        return;
    p->fp[a][b] = p->fp[b][a] = false;
    p->told->released[p->told->n_releases][0] = a < b ? a : b;
    p->told->released[p->told->n_releases++][1] = a < b ? b : a;
}

static void release_all_plainly(plain *p, const arc_move *m) {
    size_t x = m->kind == ARC_REVERSE ? m->to : m->from, y = m->kind == ARC_REVERSE ? m->from : m->to;
    for (size_t z = 0; z < p->g.n && p->release == CHC_RELEASE_HEAD; z++)
        release_plainly(p, m->to, z);
    for (size_t z = 0; z < p->g.n && p->release == CHC_RELEASE_HEAD && m->kind == ARC_REVERSE; z++)
        release_plainly(p, m->from, z);
    if (p->release == CHC_RELEASE_HEAD)
        return;
    for (size_t z = 0; z < p->g.n && m->kind != ARC_DELETE; z++) {
        if (small_adjacent(&p->g, z, x))
            release_plainly(p, y, z);
        if (p->release != CHC_RELEASE_A && small_has(&p->g, y, z))
            release_plainly(p, x, z);
        if (p->release == CHC_RELEASE_ADJ && small_adjacent(&p->g, y, z))
            release_plainly(p, x, z);
    }
    for (size_t z = 0; z < p->g.n && m->kind != ARC_ADD && p->release == CHC_RELEASE_FULL; z++) {
        if (small_adjacent(&p->g, z, m->from))
            release_plainly(p, m->to, z);
    }
}

static size_t pass_plainly(plain *p) {
    size_t n_applied = 0;
    memset(p->fp, 0, sizeof p->fp);
    for (;; n_applied++) {
        size_t chosen;
        p->n_moves = 0;
        for (size_t x = 0; x < p->g.n; x++) {
            for (size_t y = 0; y < p->g.n; y++) {
                examine_plainly(p, ARC_DELETE, x, y);
                examine_plainly(p, ARC_REVERSE, x, y);
                examine_plainly(p, ARC_ADD, x, y);
            }
        }
        chosen = choose_move(p->moves, p->n_moves, SCORE_TOLERANCE);
        if (chosen == p->n_moves)
            return n_applied;
        small_apply(&p->g, &p->moves[chosen]);
        p->told->moves[p->told->n_moves++] = p->moves[chosen];
        if (p->releases)
            release_all_plainly(p, &p->moves[chosen]);
    }
}

static small_graph search_plainly(score_table *t, chc_variant variant, chc_release release, int max_parents,
                                  record *told) {
    plain p = {.g.n = t->n,
               .scores = t,
               .uses_fp = variant != CHC_HC,
               .releases = variant == CHC_FAST,
               .release = release,
               .max_parents = max_parents,
               .told = told};
    size_t n_moves;
    for (size_t y = 0; y < t->n; y++)
        (void)score_table_ask(t, y, 0);
    n_moves = pass_plainly(&p);
    p.uses_fp = variant != CHC_HC && variant != CHC_STAR;
    if (variant == CHC_STAR || variant == CHC_TWICE)
        (void)pass_plainly(&p);
    while (variant == CHC_REPEATED && n_moves > 0)
        n_moves = pass_plainly(&p);
    return p.g;
}

/* --- the two compared */

static bool same_moves(const record *a, const record *b) {
    bool same = a->n_moves == b->n_moves;
    for (size_t i = 0; same && i < a->n_moves; i++)
        same = a->moves[i].kind == b->moves[i].kind && a->moves[i].from == b->moves[i].from &&
               a->moves[i].to == b->moves[i].to;
    return same;
}

/* The order in which one move releases pairs is free. */
static size_t times_released(const record *r, size_t a, size_t b) {
    size_t times = 0;
    for (size_t i = 0; i < r->n_releases; i++)
        times += r->released[i][0] == a && r->released[i][1] == b;
    return times;
}

static void compare_with_plain(score_table *t, const chc_plan *plan) {
    record *expected = calloc(1, sizeof *expected), *found = calloc(1, sizeof *found);
    small_graph g;
    chc_result result;
    size_t n_asked;
    score_table_forget(t);
    g = search_plainly(t, plan->variant, plan->release, plan->max_parents, expected);
    n_asked = t->n_asked;
    score_table_forget(t);
    result = run_plan(*plan, found);
    assert_true(same_moves(expected, found));
    assert_true(small_equals(&g, result.graph));
    assert_int_equal(t->n_asked, n_asked);
    for (size_t a = 0; a < t->n; a++) {
        for (size_t b = a + 1; b < t->n; b++)
            assert_int_equal(times_released(expected, a, b), times_released(found, a, b));
    }
    dag_destroy(result.graph);
    free(expected);
    free(found);
}

/* By rows of ancestors, and by searches for paths. */
static void compare_both_ways(score_table *t, chc_variant variant, chc_release release, int max_parents) {
    chc_plan plan = make_plan(t, variant, release, max_parents);
    compare_with_plain(t, &plan);
    plan.searches_paths = true;
    compare_with_plain(t, &plan);
}

static void every_variant_makes_the_moves_of_a_plain_sweep_and_asks_for_the_same_scores(void **state) {
    score_table *t = calloc(1, sizeof *t);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(31));
    for (int round = 0; round < 400; round++) {
        int max_parents = round % 3 == 0 ? 1 + round % 2 : -1;
        fill_at_random(t, 3 + (size_t)round % 4, round % 5 == 0 ? 6 : 400, &random);
        for (chc_variant v = CHC_HC; v < CHC_FAST; v++)
            compare_both_ways(t, v, CHC_RELEASE_AB, max_parents);
        for (chc_release r = CHC_RELEASE_A; r <= CHC_RELEASE_HEAD; r++)
            compare_both_ways(t, CHC_FAST, r, max_parents);
    }
    free(t);
}

/* --- the worked example */

enum { A, B, C, D, E };

static void fill_with_example(score_table *t) {
    double b[TABLE_NODES][TABLE_NODES] = {0}, noise[] = {1, 1, 1, 1};
    size_t order[] = {A, D, C, B};
    covariance c;
    b[A][B] = 0.5;
    b[C][B] = 1;
    b[D][C] = 0.9;
    c = covariance_of(4, order, b, noise);
    standardise(&c);
    fill_with_bic(t, &c, 10000);
}

static void the_worked_example_has_its_gains(void **state) {
    static const struct {
        size_t from, to;
        unsigned given;
        double gain;
    } rows[] = {
        {A, B, 0, 421.55},      {A, C, 0, -4.61},        {A, D, 0, -4.61},   {B, C, 0, 4471.75},
        {B, D, 0, 1532.82},     {C, D, 0, 2962.03},      {C, B, 0, 4471.75}, {D, C, 1u << B, 1424.61},
        {B, D, 1u << C, -4.61}, {A, C, 1u << B, 684.96},
    };
    score_table *t = calloc(1, sizeof *t);
    (void)state;
    fill_with_example(t);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double gain = t->value[rows[i].to][rows[i].given | 1u << rows[i].from] - t->value[rows[i].to][rows[i].given];
        assert_true(fabs(gain - rows[i].gain) < 0.006);
    }
    free(t);
}

static void assert_run(score_table *t, chc_variant variant, const char *arcs, double total, size_t n_asked, record *r) {
    chc_result result;
    score_table_forget(t);
    result = run_search(t, variant, CHC_RELEASE_AB, -1, r);
    assert_int_equal(t->n_asked, n_asked);
    assert_true(fabs(result.score - total) < 6e-5);
    assert_int_equal(dag_arc_count(result.graph), strlen(arcs) / 2);
    for (; *arcs; arcs += 2)
        assert_true(dag_has_arc(result.graph, (size_t)(arcs[0] - 'A'), (size_t)(arcs[1] - 'A')));
    dag_destroy(result.graph);
}

static void the_worked_example_has_its_results(void **state) {
    score_table *t = calloc(1, sizeof *t);
    record *r = calloc(1, sizeof *r);
    (void)state;
    fill_with_example(t);
    assert_run(t, CHC_HC, "ABACBCCD", 8540.2881, 22, NULL);
    assert_run(t, CHC_ONCE, "ABCBCD", 8544.8933, 17, NULL);
    assert_run(t, CHC_FAST, "ABCBCD", 8544.8933, 18, r);
    assert_int_equal(r->n_releases, 2);
    assert_int_equal(r->released[0][0], A);
    assert_int_equal(r->released[0][1], C);
    assert_int_equal(r->released[1][0], B);
    assert_int_equal(r->released[1][1], D);
    assert_int_equal(r->n_moves, 4);
    assert_int_equal(r->moves[3].kind, ARC_REVERSE);
    assert_true(fabs(r->moves[3].gain - 689.57) < 0.006);
    free(r);
    free(t);
}

/* A -> B comes, then D -> B, C -> D and A -> C, by which A leads to B another way, and no move has touched B since its
 * arc from A could be reversed: that gains 3 all the time. */
static void fill_with_late_cycle(score_table *t) {
    t->n = 5;
    for (size_t y = 0; y < t->n; y++) {
        for (unsigned parents = 1; parents < 1u << t->n; parents++)
            t->value[y][parents] = -1000;
    }
    t->value[B][1u << A] = 80;
    t->value[B][1u << D] = 75;
    t->value[B][1u << A | 1u << D] = 110;
    t->value[A][1u << B] = 38;
    t->value[D][1u << C] = 25;
    t->value[C][1u << A] = 20;
    t->value[C][1u << E] = 0;
    t->value[C][1u << A | 1u << E] = 21;
}

static void a_reversal_that_closes_a_cycle_by_now_gives_way(void **state) {
    score_table *t = calloc(1, sizeof *t);
    chc_result result;
    (void)state;
    fill_with_late_cycle(t);
    result = run_search(t, CHC_HC, CHC_RELEASE_AB, -1, NULL);
    assert_close(result.score, 110 + 25 + 21, 1e-12);
    assert_int_equal(dag_arc_count(result.graph), 5);
    assert_true(dag_has_arc(result.graph, E, C));
    dag_destroy(result.graph);
    compare_both_ways(t, CHC_HC, CHC_RELEASE_AB, -1);
    free(t);
}

/* --- properties */

static void no_move_loses_and_ichc_ends_with_a_pass_without_moves(void **state) {
    score_table *t = calloc(1, sizeof *t);
    record *r = calloc(1, sizeof *r);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(32));
    for (int round = 0; round < 60; round++) {
        fill_at_random(t, 6, 1000, &random);
        for (chc_variant v = CHC_HC; v <= CHC_FAST; v++) {
            chc_result result;
            *r = (record){0};
            result = run_search(t, v, CHC_RELEASE_AB, -1, r);
            for (size_t i = 0; i < r->n_moves; i++)
                assert_true(r->moves[i].gain > SCORE_TOLERANCE);
            assert_true(v != CHC_REPEATED || r->last_pass_moves == 0);
            assert_int_equal(result.n_moves, r->n_moves);
            assert_int_equal(v == CHC_TWICE || v == CHC_STAR ? 2 : v == CHC_REPEATED ? r->n_passes : 1, r->n_passes);
            dag_destroy(result.graph);
        }
    }
    free(r);
    free(t);
}

static bool has_removal(const record *r) {
    for (size_t i = 0; i < r->n_moves; i++) {
        if (r->moves[i].kind != ARC_ADD)
            return true;
    }
    return false;
}

static void compare_paths_with_rows(const dataset *data, chc_variant variant, chc_release release) {
    record *found[2] = {calloc(1, sizeof(record)), calloc(1, sizeof(record))};
    statistics_count counts[2];
    for (int searches = 0; searches < 2; searches++) {
        greedy_options o = {.ess = 10, .max_parents = -1};
        score *scorer = NULL;
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        assert_ok(greedy_scorer_create(data, &o, &ctx, &scorer, &err), &err);
        chc_plan plan = {.n = dataset_column_count(data),
                         .scorer = local_scorer_of(scorer),
                         .variant = variant,
                         .release = release,
                         .max_parents = -1,
                         .searches_paths = searches == 1};
        dag_destroy(run_plan(plan, found[searches]).graph);
        counts[searches] = ctx.scores;
        score_destroy(scorer);
    }
    assert_true(has_removal(found[0]));
    assert_true(same_moves(found[0], found[1]));
    assert_int_equal(found[0]->n_releases, found[1]->n_releases);
    assert_int_equal(counts[0].requests, counts[1].requests);
    assert_int_equal(counts[0].computed, counts[1].computed);
    free(found[0]);
    free(found[1]);
}

/* Of more columns than there are supports, so that paths are searched for. */
static void searches_for_paths_make_the_moves_that_rows_of_ancestors_make(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(37));
    for (int round = 0; round < 4; round++) {
        dataset *data = make_random_dataset(&random, 60, 300, 4);
        compare_paths_with_rows(data, CHC_FAST, round % 2 ? CHC_RELEASE_AB : CHC_RELEASE_FULL);
        compare_paths_with_rows(data, CHC_STAR, CHC_RELEASE_AB);
        dataset_destroy(data);
    }
}

static learner_result learn(const char *name, const dataset *data, const char *option, const char *value,
                            run_context *ctx) {
    const learner *l = NULL;
    learner_result result = {0};
    error_info err = {0};
    void *options;
    assert_ok(learner_find(name, &l, &err), &err);
    options = learner_options_create(l);
    if (option)
        assert_ok(options_set(l->options, options, option, value, &err), &err);
    run_context_init(ctx, 1);
    assert_ok(learner_run(l, data, options, ctx, &result, &err), &err);
    free(options);
    return result;
}

static void with_nothing_forbidden_the_search_is_hill_climbing(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(33));
    for (int round = 0; round < 40; round++) {
        dataset *data = make_random_dataset(&random, 40 + (size_t)random_below(&random, 400), 9, 4);
        greedy_options o = {.ess = 10, .max_parents = -1};
        run_context ctx, hc_ctx;
        learner_result hc = learn("hc", data, NULL, NULL, &hc_ctx);
        score *scorer = NULL;
        chc_result found = {0};
        chc_plan plan = {.n = 9, .variant = CHC_HC, .max_parents = -1};
        pdag *graph = NULL;
        error_info err = {0};
        run_context_init(&ctx, 1);
        assert_ok(greedy_scorer_create(data, &o, &ctx, &scorer, &err), &err);
        plan.scorer = local_scorer_of(scorer);
        assert_ok(chc_search(&plan, &ctx, &found, &err), &err);
        assert_ok(pdag_from_dag(found.graph, &graph, &err), &err);
        for (size_t a = 0; a < 9; a++) {
            for (size_t b = 0; b < 9; b++)
                assert_true(a == b || pdag_edge_between(graph, a, b) == pdag_edge_between(hc.graph, a, b));
        }
        assert_close(found.score, hc.score, 1e-12);
        assert_int_equal(ctx.scores.requests, hc_ctx.scores.requests);
        pdag_destroy(graph);
        dag_destroy(found.graph);
        score_destroy(scorer);
        learner_result_clear(&hc);
        dataset_destroy(data);
    }
}

static void on_average_chc_asks_for_fewer_scores_than_fastchc_and_that_for_fewer_than_hc(void **state) {
    static const char *const names[] = {"chc", "fastchc", "hc"};
    uint64_t sums[3] = {0};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(34));
    for (int round = 0; round < 10; round++) {
        dataset *data = make_random_dataset(&random, 500, 12, 3);
        for (size_t i = 0; i < 3; i++) {
            run_context ctx;
            learner_result result = learn(names[i], data, NULL, NULL, &ctx);
            sums[i] += ctx.scores.computed;
            learner_result_clear(&result);
        }
        dataset_destroy(data);
    }
    assert_true(sums[0] <= sums[1]);
    assert_true(sums[1] < sums[2]);
}

static void the_learners_have_their_names_and_options(void **state) {
    static const char *const names[] = {"chc", "chc-star", "chc*", "ichc", "2ichc", "fastchc"};
    static const char *const releases[] = {"A", "AB", "adj", "full", "head"};
    random_stream random;
    dataset *data;
    run_context ctx;
    (void)state;
    random_stream_init(&random, random_key_of(35));
    data = make_random_dataset(&random, 300, 8, 3);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        learner_result result = learn(names[i], data, "max_parents", "1", &ctx);
        assert_string_equal(result.score_name, "bdeu");
        for (size_t y = 0; y < 8; y++) {
            size_t n_parents = 0;
            for (size_t x = 0; x < 8; x++)
                n_parents += x != y && pdag_edge_between(result.graph, y, x) == EDGE_IN;
            assert_true(n_parents <= 1);
        }
        assert_that(ctx.scores.requests, >=, ctx.scores.computed);
        assert_that(ctx.scores.computed, >=, 8);
        learner_result_clear(&result);
    }
    for (size_t i = 0; i < sizeof releases / sizeof *releases; i++) {
        learner_result result = learn("fastchc", data, "release", releases[i], &ctx);
        learner_result_clear(&result);
    }
    dataset_destroy(data);
}

static void at_its_deadline_a_search_returns_what_it_has(void **state) {
    score_table *t = calloc(1, sizeof *t);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(36));
    fill_at_random(t, 8, 1000, &random);
    for (chc_variant v = CHC_HC; v <= CHC_FAST; v++) {
        chc_plan plan = {.n = 8, .scorer = score_table_source(t), .variant = v, .max_parents = -1};
        chc_result result = {0};
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        ctx.deadline_s = run_clock_s() - 1;
        assert_ok(chc_search(&plan, &ctx, &result, &err), &err);
        assert_true(result.is_cut_short);
        assert_int_equal(dag_arc_count(result.graph), 0);
        dag_destroy(result.graph);
    }
    free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_makes_the_moves_of_a_plain_sweep_and_asks_for_the_same_scores),
        cmocka_unit_test(the_worked_example_has_its_gains),
        cmocka_unit_test(the_worked_example_has_its_results),
        cmocka_unit_test(a_reversal_that_closes_a_cycle_by_now_gives_way),
        cmocka_unit_test(no_move_loses_and_ichc_ends_with_a_pass_without_moves),
        cmocka_unit_test(searches_for_paths_make_the_moves_that_rows_of_ancestors_make),
        cmocka_unit_test(with_nothing_forbidden_the_search_is_hill_climbing),
        cmocka_unit_test(on_average_chc_asks_for_fewer_scores_than_fastchc_and_that_for_fewer_than_hc),
        cmocka_unit_test(the_learners_have_their_names_and_options),
        cmocka_unit_test(at_its_deadline_a_search_returns_what_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
