/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches that keep few scores and find the others again: against the same that keep them all. */
#include "tests/learners/threads_support.h"

#include "learners/chc/chc_search.h"
#include "learners/lagd/lagd_search.h"
#include "metrics/scores/bdeu.h"

enum { N_COLUMNS = 260, N_ROWS = 150 };

typedef struct {
    dag *graph;
    double score;
    size_t n_moves;
    statistics_count counted;
} finding;

static void assert_same_finding(const finding *a, const finding *b) {
    assert_int_equal(dag_arc_count(a->graph), dag_arc_count(b->graph));
    for (size_t y = 0; y < dag_node_count(a->graph); y++) {
        size_t n;
        const size_t *parents = dag_parents(a->graph, y, &n);
        for (size_t i = 0; i < n; i++)
            assert_true(dag_has_arc(b->graph, parents[i], y));
    }
    assert_true(a->score == b->score);
    assert_int_equal(a->n_moves, b->n_moves);
    assert_int_equal(a->counted.requests, b->counted.requests);
    assert_int_equal(a->counted.computed, b->counted.computed);
}

/* Without `by_tables` all scores are kept. */
static local_scorer source_of(score *s, bool is_sparse) {
    local_scorer source = local_scorer_of(s);
    if (!is_sparse)
        source.by_tables = NULL;
    return source;
}

static score *make_score(const dataset *data, bool is_k2, run_context *ctx) {
    const score_kind *kind = NULL;
    score *s = NULL;
    error_info err = {0};
    assert_ok(score_kind_find(is_k2 ? "k2" : "bdeu", &kind, &err), &err);
    assert_ok(score_create(kind, is_k2 ? NULL : &(bdeu_options){.ess = 10}, data, &ctx->scores, &s, &err), &err);
    return s;
}

static finding run_chc(const dataset *data, bool is_k2, const chc_plan *of, bool is_sparse) {
    chc_plan plan = *of;
    chc_result found = {0};
    run_context ctx;
    score *s;
    error_info err = {0};
    run_context_init(&ctx, 1);
    s = make_score(data, is_k2, &ctx);
    plan.scorer = source_of(s, is_sparse);
    assert_ok(chc_search(&plan, &ctx, &found, &err), &err);
    score_destroy(s);
    return (finding){found.graph, found.score, found.n_moves, ctx.scores};
}

static finding run_lagd(const dataset *data, bool is_k2, const lagd_plan *of, bool is_sparse) {
    lagd_plan plan = *of;
    lagd_result found = {0};
    run_context ctx;
    score *s;
    error_info err = {0};
    run_context_init(&ctx, 1);
    s = make_score(data, is_k2, &ctx);
    plan.scorer = local_scorer_of(s);
    plan.is_sparse = is_sparse;
    assert_ok(lagd_search(&plan, &ctx, &found, &err), &err);
    score_destroy(s);
    return (finding){found.graph, found.score, found.n_steps, ctx.scores};
}

static void compare(finding kept, finding forgotten) {
    assert_that(kept.n_moves, >, 0);
    assert_same_finding(&forgotten, &kept);
    dag_destroy(kept.graph);
    dag_destroy(forgotten.graph);
}

static void chc_finds_the_same_where_it_keeps_few_scores(void **state) {
    static const chc_release releases[] = {CHC_RELEASE_AB, CHC_RELEASE_FULL, CHC_RELEASE_ADJ, CHC_RELEASE_HEAD};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(95));
    for (size_t i = 0; i < 24; i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 2 + 2 * (double)(i % 3), N_ROWS);
        chc_plan plan = {.n = N_COLUMNS,
                         .variant = i % 6 == 5 ? CHC_ONCE : CHC_FAST,
                         .release = releases[i % 4],
                         .max_parents = i % 3 == 2 ? 2 : -1};
        bool is_k2 = i % 4 == 1;
        compare(run_chc(data, is_k2, &plan, false), run_chc(data, is_k2, &plan, true));
        dataset_destroy(data);
    }
}

static void lagd_finds_the_same_where_it_keeps_few_scores(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(96));
    for (size_t i = 0; i < 6; i++) {
        size_t n = 80 + 10 * i;
        dataset *data = sample_random(&random, n, 2, N_ROWS);
        lagd_plan plan = {.n = n,
                          .h = 1 + i % 3,
                          .l = i % 3 == 2 ? 3 : 5 + 20 * (i / 3),
                          .max_parents = i % 2 ? 3 : -1,
                          .keeps_directions = i == 4};
        compare(run_lagd(data, i == 3, &plan, false), run_lagd(data, i == 3, &plan, true));
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chc_finds_the_same_where_it_keeps_few_scores),
        cmocka_unit_test(lagd_finds_the_same_where_it_keeps_few_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
