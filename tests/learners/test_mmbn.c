/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"
#include "tests/support/gaussian_support.h"
#include "tests/support/oracles.h"

#include "core/base/file.h"
#include "generators/sampling/sampling.h"
#include "learners/base/learner.h"
#include "learners/constraint/mmbn_search.h"
#include "learners/constraint/test_source_internal.h"
#include "tests/learners/ges_reference.h"
#include "tests/learners/progress_listener.h"

#include <stdio.h>

static const mmpc_rules plain_or = {.max_k = -1, .symmetry = SYMMETRY_OR};

static pdag *find_region(association_source source, size_t p, size_t target, size_t depth) {
    run_context ctx;
    error_info err = {0};
    pdag *g = NULL;
    bool cut_short = true;
    run_context_init(&ctx, 1);
    assert_ok(mmbn_region(&source, p, &plain_or, target, depth, &ctx, &g, &cut_short, &err), &err);
    assert_false(cut_short);
    assert_undirected(g);
    return g;
}

/* Steps from the target along edges, n where there is no path. */
static void measure_steps(const pdag *g, size_t target, size_t *steps) {
    size_t n = pdag_node_count(g);
    for (size_t i = 0; i < n; i++)
        steps[i] = i == target ? 0 : n;
    for (size_t round = 0; round < n; round++) {
        for (size_t i = 0; i < n; i++) {
            size_t count;
            const pdag_edge *edges = pdag_edges(g, i, &count);
            for (size_t k = 0; k < count; k++) {
                if (steps[i] + 1 < steps[edges[k].node])
                    steps[edges[k].node] = steps[i] + 1;
            }
        }
    }
}

/* On a tree MMPCbar makes no mistakes: the region is the edges with an end nearer than the depth. */
static void the_region_is_what_a_walk_of_that_depth_meets(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(40));
    for (int i = 0; i < 100; i++) {
        size_t p = 4 + (size_t)random_below(&random, 9), target = (size_t)random_below(&random, p), steps[16];
        dag *tree = NULL;
        error_info err = {0};
        separation_oracle oracle;
        pdag *truth;
        assert_ok(dag_create(p, &tree, &err), &err);
        for (size_t v = 1; v < p; v++)
            assert_ok(dag_add_arc(tree, (size_t)random_below(&random, v), v, &err), &err);
        oracle = (separation_oracle){tree, (uint64_t)i};
        truth = skeleton_of_dag(tree);
        measure_steps(truth, target, steps);
        for (size_t depth = 1; depth <= 4; depth++) {
            pdag *g = find_region((association_source){&oracle, measure_separation}, p, target, depth);
            for (size_t a = 0; a < p; a++) {
                for (size_t b = 0; b < a; b++) {
                    bool expected =
                        pdag_edge_between(truth, a, b) != EDGE_NONE && (steps[a] < depth || steps[b] < depth);
                    assert_int_equal(pdag_edge_between(g, a, b) != EDGE_NONE, expected);
                }
            }
            pdag_destroy(g);
        }
        pdag_destroy(truth);
        dag_destroy(tree);
    }
}

/* T -> A, B -> A, A -> C, B -> C: MMPCbar(T) = {A, C} with a false C. Nodes 0, 1, 2, 3 are T, A, B, C. */
static void no_symmetry_correction_is_made(void **state) {
    dag *g = NULL;
    error_info err = {0};
    separation_oracle oracle = {0};
    pdag *near, *far;
    (void)state;
    assert_ok(dag_from_arcs(4, (const size_t[]){0, 2, 1, 2}, (const size_t[]){1, 1, 3, 3}, 4, &g, &err), &err);
    oracle.g = g;
    near = find_region((association_source){&oracle, measure_separation}, 4, 0, 1);
    assert_string_equal(edges_text(near), "0-1 0-3");
    far = find_region((association_source){&oracle, measure_separation}, 4, 0, 2);
    assert_string_equal(edges_text(far), "0-1 0-3 1-2 1-3 2-3");
    pdag_destroy(near);
    pdag_destroy(far);
    dag_destroy(g);
}

static void at_the_deadline_whole_searches_alone_count(void **state) {
    hash_oracle oracle = {5, 0.1, 1e9, 50};
    recorder log = {0};
    (void)state;
    for (size_t n = 10; n <= 60; n += 10) {
        run_context ctx;
        error_info err = {0};
        association_source source = record(&log, (association_source){&oracle, measure_hash});
        pdag *g = NULL;
        bool cut_short = false;
        run_context_init(&ctx, 1);
        log.expires = &ctx;
        log.expire_after = n;
        assert_ok(mmbn_region(&source, 60, &plain_or, 0, 4, &ctx, &g, &cut_short, &err), &err);
        assert_true(cut_short);
        assert_int_equal(pdag_edge_count(g), 0); /* the target alone takes 59 tests and more */
        pdag_destroy(g);
    }
    free(log.asked);
}

/* --- the learners on the forty rows --- */

typedef struct {
    const char *learner;
    const char *options[5]; /* name, value, ..., NULL */
    const char *edges;
} run_case;

static status run_learner(const run_case *c, run_context *ctx, learner_result *result, error_info *err) {
    dataset *data = make_forty_rows();
    const learner *l = NULL;
    void *options;
    status st;
    assert_ok(learner_find(c->learner, &l, err), err);
    options = learner_options_create(l);
    assert_non_null(options);
    for (const char *const *o = c->options; *o; o += 2)
        assert_ok(options_set(l->options, options, o[0], o[1], err), err);
    run_context_init(ctx, 1);
    st = learner_run(l, data, options, ctx, result, err);
    free(options);
    dataset_destroy(data);
    return st;
}

/* MMPCbar(A) = {B}, MMPCbar(B) = {C}, MMPCbar(C) = {B}. */
static void the_forty_rows_give_the_edges_of_the_worked_example(void **state) {
    static const run_case cases[] = {
        {"mmbn", {"df", "full", NULL}, "0-1 1-2"},
        {"mmbn", {NULL}, "0-1 1-2"},
        {"mmpc", {"df", "full", "opt5", "no", NULL}, "1-2"},
        {"mmbn-local", {"target", "0", NULL}, "0-1"},
        {"mmbn-local", {"target", "0", "depth", "2", NULL}, "0-1 1-2"},
        {"mmbn-local", {"target", "1", NULL}, "1-2"},
        {"mmbn-local", {"target", "1", "depth", "4", NULL}, "1-2"}, /* A is never searched */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_context ctx;
        learner_result result = {0};
        error_info err = {0};
        assert_ok(run_learner(&cases[i], &ctx, &result, &err), &err);
        assert_string_equal(edges_text(result.graph), cases[i].edges);
        if (strcmp(cases[i].learner, "mmbn") == 0)
            assert_int_equal(ctx.tests.computed, 4); /* AB, AC, BC, AB|C */
        learner_result_clear(&result);
    }
}

static void a_target_that_is_no_column_is_refused(void **state) {
    const run_case beyond = {"mmbn-local", {"target", "3", NULL}, ""};
    run_context ctx;
    learner_result result = {0};
    error_info err = {0};
    (void)state;
    assert_int_equal(run_learner(&beyond, &ctx, &result, &err), STATUS_INVALID);
    assert_message_has(&err, "target is column 3; the last of 3 is 2");
    assert_null(result.graph);
}

/* --- every column at once, on threads --- */

/* Rows of a random network of p nodes: enough dependence for long lists, few rows so that tests are refused. */
static dataset *sample_random(random_stream *random, size_t p, size_t n_rows) {
    dag *g = make_random_dag(random, p, 3.0 / (double)p);
    bayes_net *net = reference_network(random, g, 4);
    dataset *data = NULL;
    error_info err = {0};
    assert_ok(sample_network(net, n_rows, random, &data, &err), &err);
    bayes_net_destroy(net);
    dag_destroy(g);
    return data;
}

static void assert_same_lists(const neighbour_lists *a, const neighbour_lists *b) {
    assert_int_equal(neighbour_lists_count(a), neighbour_lists_count(b));
    for (size_t i = 0; i < neighbour_lists_count(a); i++) {
        size_t n, m;
        const size_t *x = neighbour_lists_get(a, i, &n), *y = neighbour_lists_get(b, i, &m);
        assert_int_equal(n, m);
        if (n)
            assert_memory_equal(x, y, n * sizeof *x);
    }
}

static skeleton_test_options make_tests(const char *test, const char *df) {
    typedef struct {
        skeleton_test_options tests;
    } holder;
    static const option_spec rows[] = {TEST_SOURCE_ROWS(holder, tests), {0}};
    holder h;
    error_info err = {0};
    options_set_initial(rows, &h);
    assert_ok(options_set(rows, &h, "test", test, &err), &err);
    assert_ok(options_set(rows, &h, "df", df, &err), &err);
    return h.tests;
}

/* One target after the other, every test by the evaluator. */
static neighbour_lists *search_plainly(const dataset *data, const skeleton_test_options *options, int max_k) {
    size_t p = dataset_column_count(data);
    test_source tests = {0};
    mmpc_search *search = NULL;
    neighbour_lists *lists = NULL;
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(test_source_init(&tests, data, options, &ctx, &ctx.tests, &err), &err);
    mmpc_rules rules = {.max_k = max_k, .limit = &tests.limit};
    assert_ok(mmpc_search_create(&tests.source, p, &rules, &ctx, &search, &err), &err);
    assert_ok(neighbour_lists_create(p, &lists, &err), &err);
    for (size_t target = 0; target < p; target++) {
        const size_t *members;
        size_t n_members;
        assert_ok(mmpc_search_target(search, target, NULL, &members, &n_members, &err), &err);
        assert_ok(neighbour_lists_append(lists, members, n_members, &err), &err);
    }
    mmpc_search_destroy(search);
    test_source_clear(&tests);
    return lists;
}

static void assert_is_plain_on_threads(const dataset *data, const skeleton_test_options *options, int max_k) {
    neighbour_lists *expected = search_plainly(data, options, max_k);
    statistics_count first = {0};
    for (size_t n_threads = 1; n_threads <= 4; n_threads++) {
        neighbour_lists *found = NULL;
        run_context ctx;
        bool cut_short = true;
        error_info err = {0};
        run_context_init(&ctx, 1);
        ctx.n_threads = n_threads;
        assert_ok(mmbn_lists(data, options, max_k, NULL, &ctx, &found, &cut_short, &err), &err);
        assert_false(cut_short);
        assert_same_lists(found, expected);
        if (n_threads == 1)
            first = ctx.tests;
        assert_memory_equal(&ctx.tests, &first, sizeof first);
        neighbour_lists_destroy(found);
    }
    neighbour_lists_destroy(expected);
}

static void lists_are_those_of_a_plain_search_on_any_number_of_threads(void **state) {
    static const char *const dfs[] = {"full", "adj", "steck", "sgs", "observed"};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(41));
    for (int i = 0; i < 12; i++) {
        size_t p = i % 4 ? 30 : 150; /* more than one block of targets */
        dataset *data = sample_random(&random, p, 200 + 100 * (size_t)i);
        skeleton_test_options options = make_tests(i % 2 ? "x2" : "g2", dfs[i % 5]);
        assert_is_plain_on_threads(data, &options, i % 3 ? 10 : 1);
        dataset_destroy(data);
    }
}

enum { STAR_COLUMNS = 70 };

/* Noisy copies of column 0, and columns of chance. */
static void draw_star(random_stream *random, const void *how, int *row) {
    const size_t *n_copies = how;
    for (size_t c = 0; c < STAR_COLUMNS; c++) {
        bool is_copy = c > 0 && c <= *n_copies && random_below(random, 100) < 30 + 2 * c;
        row[c] = is_copy ? row[0] : (int)random_below(random, 2);
    }
}

/* Its search is most of all work, so threads share its tests. */
static void threads_share_the_search_of_a_hub(void **state) {
    size_t n_states[STAR_COLUMNS];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(42));
    for (size_t c = 0; c < STAR_COLUMNS; c++)
        n_states[c] = 2;
    for (size_t n_copies = 10; n_copies <= 12; n_copies++) {
        dataset *data = draw_dataset(&random, 3000, STAR_COLUMNS, n_states, draw_star, &n_copies);
        skeleton_test_options options = make_tests("g2", "adj");
        assert_is_plain_on_threads(data, &options, n_copies % 2 ? 10 : 4);
        dataset_destroy(data);
    }
}

/* --- checkpoints --- */

typedef struct {
    neighbour_lists *lists;
    statistics_count tests;
    size_t n_told;
} checkpointed;

static checkpointed search_with_checkpoint(const dataset *data, const char *path, size_t n_threads) {
    skeleton_test_options options = make_tests("auto", "adj");
    checkpointed result = {0};
    listener l = {0};
    run_context ctx;
    bool cut_short = true;
    error_info err = {0};
    run_context_init(&ctx, 1);
    ctx.n_threads = n_threads;
    ctx.checkpoint = path;
    ctx.tell = hear;
    ctx.listener = &l;
    assert_ok(mmbn_lists(data, &options, 10, "key", &ctx, &result.lists, &cut_short, &err), &err);
    assert_false(cut_short);
    assert_true(l.last == 1);
    result.tests = ctx.tests;
    result.n_told = l.n_told;
    return result;
}

/* What a run makes of such a file is what one makes that nothing ended. */
static void assert_same_from(const dataset *data, const char *path, const char *text, size_t length,
                             const checkpointed *expected, size_t n_threads) {
    checkpointed found;
    error_info err = {0};
    assert_ok(file_write(path, text, length, &err), &err);
    found = search_with_checkpoint(data, path, n_threads);
    assert_same_lists(found.lists, expected->lists);
    assert_memory_equal(&found.tests, &expected->tests, sizeof found.tests);
    neighbour_lists_destroy(found.lists);
}

static void cut_and_damage_checkpoints(const char *name, const dataset *data, random_stream *random) {
    char path[512], *text = NULL;
    checkpointed whole, again;
    size_t length = 0, head;
    error_info err = {0};
    (void)snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
    whole = search_with_checkpoint(data, path, 2);
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    head = (size_t)(strchr(text, '\n') + 1 - text);
    for (size_t kept = 0; kept <= length; kept += kept < head ? 5 : 1 + (size_t)random_below(random, length / 10))
        assert_same_from(data, path, text, kept, &whole, 1 + kept % 3);
    for (int i = 0; i < 10; i++) {
        size_t at = head + (size_t)random_below(random, length - head);
        text[at] ^= 1;
        assert_same_from(data, path, text, length, &whole, 1);
        text[at] ^= 1;
    }
    again = search_with_checkpoint(data, path, 1);
    assert_that(whole.n_told, >, 3);
    assert_int_equal(again.n_told, 1); /* nothing is searched once more */
    neighbour_lists_destroy(again.lists);
    neighbour_lists_destroy(whole.lists);
    free(text);
}

static void a_checkpoint_is_gone_on_with_wherever_it_was_cut_or_damaged(void **state) {
    random_stream random;
    dataset *discrete, *continuous;
    (void)state;
    random_stream_init(&random, random_key_of(44));
    discrete = sample_random(&random, 200, 300);
    continuous = sample_reals(&random, 200, 300);
    cut_and_damage_checkpoints("of-states", discrete, &random);
    cut_and_damage_checkpoints("of-numbers", continuous, &random);
    dataset_destroy(discrete);
    dataset_destroy(continuous);
}

static void a_checkpoint_of_another_search_is_refused_and_left_as_it_is(void **state) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"bnbench checkpoint 1 other 200\n", "other data, another learner or other options"},
        {"bnbench checkpoint 1 key 20\n", "other data, another learner or other options"},
        {"A,B\n", "this is no checkpoint"},
    };
    char path[512];
    random_stream random;
    dataset *data;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/other", scratch_folder());
    random_stream_init(&random, random_key_of(45));
    data = sample_random(&random, 200, 50);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        skeleton_test_options options = make_tests("g2", "adj");
        neighbour_lists *found = NULL;
        run_context ctx;
        bool cut_short;
        char *text = NULL;
        size_t length;
        error_info err = {0};
        assert_ok(file_write(path, cases[i].text, strlen(cases[i].text), &err), &err);
        run_context_init(&ctx, 1);
        ctx.checkpoint = path;
        assert_int_equal(mmbn_lists(data, &options, 10, "key", &ctx, &found, &cut_short, &err), STATUS_INVALID);
        assert_message_has(&err, cases[i].words);
        assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
    dataset_destroy(data);
}

static void past_the_deadline_there_is_a_graph_and_a_mark(void **state) {
    random_stream random;
    dataset *data;
    skeleton_test_options options = make_tests("auto", "adj");
    neighbour_lists *found = NULL;
    run_context ctx;
    bool cut_short = false;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(42));
    data = sample_random(&random, 100, 200);
    run_context_init(&ctx, 1);
    ctx.n_threads = 2;
    ctx.deadline_s = -1;
    assert_ok(mmbn_lists(data, &options, 10, NULL, &ctx, &found, &cut_short, &err), &err);
    assert_true(cut_short);
    assert_int_equal(neighbour_lists_count(found), 100);
    neighbour_lists_destroy(found);
    dataset_destroy(data);
}

/* Runs a learner with these options (name, value, ..., NULL). */
static learner_result learn_from(const dataset *data, const char *name, const char *const *settings) {
    const learner *l = NULL;
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    void *options;
    assert_ok(learner_find(name, &l, &err), &err);
    options = learner_options_create(l);
    assert_non_null(options);
    for (const char *const *o = settings; *o; o += 2)
        assert_ok(options_set(l->options, options, o[0], o[1], &err), &err);
    run_context_init(&ctx, 1);
    assert_ok(learner_run(l, data, options, &ctx, &result, &err), &err);
    free(options);
    return result;
}

static void mmbn_is_mmpc_by_the_or_rule_without_shared_results(void **state) {
    static const char *const plain[] = {"symmetry", "or", "opt4", "no", "opt5", "no", NULL};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(43));
    for (int i = 0; i < 10; i++) {
        dataset *data = sample_random(&random, 40, 300);
        learner_result a = learn_from(data, "mmbn", (const char *const[]){NULL});
        learner_result b = learn_from(data, "mmpc", plain);
        assert_true(pdag_edge_count(a.graph) > 10);
        assert_true(pdag_is_equal(a.graph, b.graph));
        assert_non_null(a.found);
        assert_null(b.found);
        learner_result_clear(&a);
        learner_result_clear(&b);
        dataset_destroy(data);
    }
}

static void pmms_is_a_learner_that_joins_what_pmmpc_finds_by_either_rule(void **state) {
    random_stream random;
    dataset *data;
    size_t edges[2];
    (void)state;
    random_stream_init(&random, random_key_of(92));
    data = sample_random(&random, 40, 300);
    for (int i = 0; i < 2; i++) {
        const char *const settings[] = {"symmetry", i ? "or" : "and", NULL};
        learner_result a = learn_from(data, "pmms", settings), b = learn_from(data, "pmmpc", settings);
        assert_true(pdag_is_equal(a.graph, b.graph));
        edges[i] = pdag_edge_count(a.graph);
        learner_result_clear(&a);
        learner_result_clear(&b);
    }
    assert_that(edges[0], >, 0);
    assert_that(edges[1], >, edges[0]);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_region_is_what_a_walk_of_that_depth_meets),
        cmocka_unit_test(no_symmetry_correction_is_made),
        cmocka_unit_test(at_the_deadline_whole_searches_alone_count),
        cmocka_unit_test(the_forty_rows_give_the_edges_of_the_worked_example),
        cmocka_unit_test(a_target_that_is_no_column_is_refused),
        cmocka_unit_test(lists_are_those_of_a_plain_search_on_any_number_of_threads),
        cmocka_unit_test(threads_share_the_search_of_a_hub),
        cmocka_unit_test(a_checkpoint_is_gone_on_with_wherever_it_was_cut_or_damaged),
        cmocka_unit_test(a_checkpoint_of_another_search_is_refused_and_left_as_it_is),
        cmocka_unit_test(past_the_deadline_there_is_a_graph_and_a_mark),
        cmocka_unit_test(mmbn_is_mmpc_by_the_or_rule_without_shared_results),
        cmocka_unit_test(pmms_is_a_learner_that_joins_what_pmmpc_finds_by_either_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
