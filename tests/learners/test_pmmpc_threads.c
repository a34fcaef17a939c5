/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PMMPC by several threads: the same skeleton and the same counters as by one, and as by tests that keep every answer.
 */
#include "tests/learners/threads_support.h"

#include "learners/constraint/pmmpc_search.h"
#include "metrics/tests/table_tests.h"

/* More columns than a survey of all pairs needs, and work that is worth other threads. */
enum { N_COLUMNS = 150, N_ROWS = 20000 };

/* The search that knows of no earlier target: its source keeps what it was asked. */
static outcome learn_by_cache(const dataset *data, int df, double min_rows, int symmetry) {
    table_test_options options = {.alpha = 0.05, .df = df, .min_rows = min_rows};
    pmmpc_rules rules = {.symmetry = symmetry};
    const ci_test_kind *kind = NULL;
    ci_test *test = NULL;
    outcome o = {0};
    error_info err = {0};
    association_source source;
    run_context_init(&o.ctx, 1);
    assert_ok(ci_test_kind_find("g2", &kind, &err), &err);
    assert_ok(ci_test_create(kind, &options, data, &o.ctx.tests, &test, &err), &err);
    source = ci_test_as_source(test);
    assert_ok(pmmpc_skeleton(&source, dataset_column_count(data), &rules, &o.ctx, &o.result.graph,
                             &o.result.is_cut_short, &err),
              &err);
    ci_test_destroy(test);
    return o;
}

static void assert_agree(const dataset *data, const char *const *pairs, int df, double min_rows, int symmetry) {
    outcome one = assert_threads_agree("pmmpc", data, pairs, 3);
    outcome plain = learn_by_cache(data, df, min_rows, symmetry);
    assert_same_graph(one.result.graph, plain.result.graph);
    assert_int_equal(one.ctx.tests.requests, plain.ctx.tests.requests);
    assert_int_equal(one.ctx.tests.computed, plain.ctx.tests.computed);
    assert_true(one.ctx.tests.computed < one.ctx.tests.requests);
    assert_true(pdag_edge_count(one.result.graph) > 0);
    pdag_destroy(plain.result.graph);
    pdag_destroy(one.result.graph);
}

static void threads_change_neither_skeleton_nor_counters(void **state) {
    static const char *const usual[] = {NULL}, *const either[] = {"symmetry", "or", NULL},
                             *const all[] = {"min_rows", "0", "df", "full", NULL};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(71));
    for (size_t i = 0; i < rounds_here(6); i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 2 + (double)(i % 3), N_ROWS);
        assert_agree(data, usual, CI_DF_ADJ, 5, SYMMETRY_AND);
        assert_agree(data, either, CI_DF_ADJ, 5, SYMMETRY_OR);
        assert_agree(data, all, CI_DF_FULL, 0, SYMMETRY_AND);
        dataset_destroy(data);
    }
}

/* Columns are noisy copies of one: a target whose search takes longer than that of all the others, and tests that both
 * ends ask. */
static void draw_hub(random_stream *random, const void *how, int *row) {
    const size_t *n_copies = how;
    int hub = (int)random_below(random, 3);
    for (size_t c = 0; c < N_COLUMNS; c++) {
        bool is_copy = c == N_COLUMNS - 2 || (c < *n_copies && random_below(random, 5) < 2);
        row[c] = is_copy ? hub : (int)random_below(random, 3);
    }
}

static void a_hub_changes_neither(void **state) {
    static const char *const usual[] = {NULL};
    size_t n_states[N_COLUMNS];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(72));
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = 3;
    for (size_t n_copies = 10; n_copies <= 20; n_copies += 10) {
        dataset *data = draw_dataset(&random, N_ROWS, N_COLUMNS, n_states, draw_hub, &n_copies);
        assert_agree(data, usual, CI_DF_ADJ, 5, SYMMETRY_AND);
        dataset_destroy(data);
    }
}

static void past_the_deadline_every_thread_ends(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(73));
    for (size_t i = 0; i < 8; i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 4, N_ROWS);
        assert_ends_at_deadline("pmmpc", data, 4e-3 * (double)i);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_neither_skeleton_nor_counters),
        cmocka_unit_test(a_hub_changes_neither),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
