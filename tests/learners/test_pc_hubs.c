/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ends of many neighbours in PC-stable: the source knows most of their tests without performing them, and threads
 * share one such end. Against the same search by tests that are performed one by one.
 */
#include "tests/learners/threads_support.h"

#include "learners/constraint/pc_skeleton.h"
#include "metrics/tests/ci_test.h"
#include "metrics/tests/table_tests.h"

enum { N_COLUMNS = 40, HUB = 37 };

/* What the columns are: tests have rows for sets of so many. */
typedef struct {
    size_t n_rows, n_states, strength;
} shape;

static const shape of_three = {1500, 3, 40}, of_four = {630, 2, 40};

/* The children are copies of the hub with noise. In families four of them have something else in common too, that no
 * column shows: so the hub is tested with sets that its children were tested with. Some copies are weak, and are found
 * independent or not by chance. */
static int draw(random_stream *random, const shape *of, int hub, const int *common, size_t column) {
    size_t chance = random_below(random, 100), strength = column % 11 == 4 ? 9 : of->strength;
    if (chance < strength)
        return hub;
    if (common && chance < strength + 58)
        return common[column / 4];
    return (int)random_below(random, of->n_states);
}

typedef struct {
    const shape *of;
    size_t n_children;
    bool has_families;
} hub_shape;

static void draw_hub(random_stream *random, const void *how, int *row) {
    const hub_shape *h = how;
    int common[N_COLUMNS];
    for (size_t c = 0; c < N_COLUMNS; c++) {
        row[c] = (int)random_below(random, h->of->n_states);
        common[c] = (int)random_below(random, h->of->n_states);
    }
    for (size_t c = 0; c < h->n_children; c++)
        row[c] = c == HUB ? row[c] : draw(random, h->of, row[HUB], h->has_families ? common : NULL, c);
}

static dataset *sample_hub(random_stream *random, const shape *of, size_t n_children, bool has_families) {
    hub_shape how = {of, n_children, has_families};
    size_t n_states[N_COLUMNS];
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = of->n_states;
    return draw_dataset(random, of->n_rows, N_COLUMNS, n_states, draw_hub, &how);
}

typedef struct {
    pdag *graph;
    separating_sets *sets;
    statistics_count tally;
} skeleton;

static ci_test *make_test(const dataset *data, statistics_count *tally) {
    table_test_options options = {.df = CI_DF_ADJ, .alpha = 0.05, .min_rows = 5};
    const ci_test_kind *kind = NULL;
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_kind_find("g2", &kind, &err), &err);
    assert_ok(ci_test_create(kind, &options, data, tally, &t, &err), &err);
    return t;
}

static skeleton search(const dataset *data, bool is_quick) {
    skeleton found = {0};
    ci_test *t = make_test(data, &found.tally);
    association_source source = ci_test_as_source(t);
    decision_source quick = ci_test_as_decisions(t);
    pc_rules rules = {.is_stable = true, .max_k = -1, .quick = is_quick ? &quick : NULL};
    run_context ctx;
    bool is_cut_short = true;
    error_info err = {0};
    if (is_quick)
        ci_test_forgo_cache(t); /* the search knows its repetitions */
    run_context_init(&ctx, 1);
    assert_ok(pc_skeleton(&source, N_COLUMNS, &rules, &ctx, &found.graph, &found.sets, &is_cut_short, &err), &err);
    assert_false(is_cut_short);
    ci_test_destroy(t);
    return found;
}

static void assert_same_sets(const separating_sets *a, const separating_sets *b) {
    for (size_t x = 0; x < N_COLUMNS; x++) {
        for (size_t y = 0; y < x; y++) {
            size_t n_a = 0, n_b = 0;
            const uint32_t *of_a = separating_sets_get(a, x, y, &n_a), *of_b = separating_sets_get(b, x, y, &n_b);
            assert_int_equal(!of_a, !of_b);
            assert_int_equal(n_a, n_b);
            for (size_t i = 0; i < n_a; i++)
                assert_int_equal(of_a[i], of_b[i]);
        }
    }
}

static void what_is_known_without_tests_is_what_tests_find(void **state) {
    random_stream random;
    size_t most = 0;
    (void)state;
    random_stream_init(&random, random_key_of(71));
    for (size_t i = 1; i < 3; i++) {
        dataset *data = sample_hub(&random, i == 2 ? &of_four : &of_three, 36 + i, i % 2);
        skeleton known = search(data, true), tested = search(data, false);
        size_t n_neighbours;
        assert_same_graph(known.graph, tested.graph);
        assert_same_sets(known.sets, tested.sets);
        assert_memory_equal(&known.tally, &tested.tally, sizeof known.tally);
        (void)pdag_edges(known.graph, HUB, &n_neighbours);
        most = n_neighbours > most ? n_neighbours : most;
        pdag_destroy(known.graph);
        pdag_destroy(tested.graph);
        separating_sets_destroy(known.sets);
        separating_sets_destroy(tested.sets);
        dataset_destroy(data);
    }
    assert_true(most >= 33);
}

static void threads_share_an_end(void **state) {
    static const char *const options[][3] = {{NULL}, {"df", "full", NULL}, {"unreliable", "indep", NULL}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(72));
    for (size_t i = 0; i < 3; i++) {
        dataset *data = sample_hub(&random, i == 2 ? &of_four : &of_three, 36 + i, i % 2);
        outcome one = assert_so_many_threads_agree("pc-stable", data, options[i], 2 + i);
        pdag_destroy(one.result.graph);
        dataset_destroy(data);
    }
}

static void past_the_deadline_every_thread_ends(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(73));
    for (size_t i = 0; i < 10; i++) {
        dataset *data = sample_hub(&random, &of_three, N_COLUMNS, i % 2);
        assert_ends_at_deadline("pc-stable", data, 8e-3 * (double)i);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_without_tests_is_what_tests_find),
        cmocka_unit_test(threads_share_an_end),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
