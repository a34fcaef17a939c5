/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PC-stable on continuous data: all sets of a pair at once, and one test after the other. */
#include "tests/support/gaussian_support.h"

#include "learners/constraint/pc_skeleton.h"
#include "metrics/tests/fisher_z.h"

typedef struct {
    pdag *graph;
    separating_sets *sets;
    statistics_count tally;
} outcome;

static outcome run(const dataset *data, bool at_once, double alpha) {
    ci_test *t = NULL;
    association_source source;
    decision_source quick;
    pc_rules rules = {.is_stable = true, .max_k = -1, .quick = &quick};
    run_context ctx;
    outcome o = {0};
    bool is_cut_short = true;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(ci_test_create(&ci_test_zf, &(correlation_test_options){.alpha = alpha}, data, &o.tally, &t, &err), &err);
    source = ci_test_as_source(t);
    quick = ci_test_as_decisions(t);
    if (!at_once)
        quick.separate = NULL;
    assert_ok(pc_skeleton(&source, dataset_column_count(data), &rules, &ctx, &o.graph, &o.sets, &is_cut_short, &err),
              &err);
    assert_false(is_cut_short);
    ci_test_destroy(t);
    return o;
}

static void clear(outcome *o) {
    pdag_destroy(o->graph);
    separating_sets_destroy(o->sets);
}

static void assert_same_sets(const outcome *a, const outcome *b, size_t n) {
    for (size_t x = 0; x < n; x++) {
        for (size_t y = 0; y < x; y++) {
            size_t n_a, n_b;
            const uint32_t *z_a = separating_sets_get(a->sets, x, y, &n_a);
            const uint32_t *z_b = separating_sets_get(b->sets, x, y, &n_b);
            assert_int_equal(z_a == NULL, z_b == NULL);
            assert_int_equal(n_a, n_b);
            if (n_a > 0)
                assert_memory_equal(z_a, z_b, n_a * sizeof *z_a);
        }
    }
}

static void edges_sets_and_counts_are_those_of_one_test_after_the_other(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(1));
    for (int i = 0; i < 40; i++) {
        size_t n_columns = 2 + random_below(&random, 14);
        dataset *data = make_random_reals(&random, 5 + random_below(&random, i % 2 ? 30 : 2000), n_columns);
        outcome at_once = run(data, true, 0.05), one_by_one = run(data, false, 0.05);
        assert_true(pdag_is_equal(at_once.graph, one_by_one.graph));
        assert_same_sets(&at_once, &one_by_one, n_columns);
        assert_memory_equal(&at_once.tally, &one_by_one.tally, sizeof at_once.tally);
        clear(&at_once);
        clear(&one_by_one);
        dataset_destroy(data);
    }
}

/* A cause of `n` effects, each with a weight that no set of the others makes up for. */
static dataset *make_hub(size_t n_rows, size_t n) {
    double *values = calloc(n_rows * (n + 1), sizeof *values);
    dataset *data;
    random_stream random;
    random_stream_init(&random, random_key_of(2));
    for (size_t i = 0; i < n_rows; i++) {
        double *row = values + i * (n + 1);
        for (size_t c = 0; c <= n; c++)
            row[c] = normal_deviate(&random) + (c > 0 ? row[0] : 0);
    }
    data = make_reals(n_rows, n + 1, values);
    free(values);
    return data;
}

/* 36 2^35 sets of the hub's neighbours: no search that looks at each would end. */
static void a_hub_of_many_neighbours_comes_to_an_end(void **state) {
    enum { EFFECTS = 36 };
    dataset *data = make_hub(5000, EFFECTS);
    outcome o = run(data, true, 1e-4);
    (void)state;
    assert_int_equal(pdag_edge_count(o.graph), EFFECTS);
    for (size_t y = 1; y <= EFFECTS; y++)
        assert_int_equal(pdag_edge_between(o.graph, 0, y), EDGE_UNDIRECTED);
    assert_true(o.tally.requests > (EFFECTS - 1) * (UINT64_C(1) << (EFFECTS - 1)));
    assert_true(o.tally.requests < (EFFECTS + 1) * (UINT64_C(1) << (EFFECTS - 1)));
    clear(&o);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_sets_and_counts_are_those_of_one_test_after_the_other),
        cmocka_unit_test(a_hub_of_many_neighbours_comes_to_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
