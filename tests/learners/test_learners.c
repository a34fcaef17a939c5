/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contract: what every learner in the registry keeps, whatever it does. */
#include "learners/registry.h"
#include "tests/support/support.h"

#include "core/graph/pdag.h"
#include "learners/base/learner.h"
#include "metrics/scores/score.h"
#include "metrics/tests/ci_test.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- data that a learner takes --- */

static dataset *make_continuous(random_stream *random, size_t n_rows, size_t n_columns, size_t n_discrete) {
    static const char *const states[] = {"a", "b"};
    variable *variables = calloc(n_columns, sizeof *variables);
    dataset *data = NULL;
    error_info err = {0};
    for (size_t c = 0; c < n_columns; c++) {
        char name[32];
        (void)snprintf(name, sizeof name, "v%zu", c);
        if (c < n_discrete)
            assert_ok(variable_init_discrete(&variables[c], name, states, 2, &err), &err);
        else
            assert_ok(variable_init_continuous(&variables[c], name, &err), &err);
    }
    assert_ok(dataset_create(variables, n_columns, n_rows, &data, &err), &err);
    variables_destroy(variables, n_columns);
    for (size_t c = 0; c < n_columns; c++) {
        for (size_t i = 0; i < n_rows; i++) {
            if (c < n_discrete)
                dataset_set_state(data, i, c, (size_t)random_below(random, 2));
            else
                dataset_build_reals(data, c)[i] =
                    random_uniform(random) + (c > n_discrete ? dataset_reals(data, c - 1)[i] : 0);
        }
    }
    return data;
}

static dataset *make_data_for(const learner *l, uint64_t seed, size_t n_rows, size_t n_columns) {
    random_stream random;
    random_stream_init(&random, random_key_of(seed));
    if (l->accepts & DATA_DISCRETE)
        return make_random_dataset(&random, n_rows, n_columns, 4);
    if (l->accepts & DATA_CONTINUOUS)
        return make_continuous(&random, n_rows, n_columns, 0);
    return make_continuous(&random, n_rows, n_columns, (n_columns + 1) / 2);
}

/* --- one run --- */

typedef struct {
    learner_result result;
    run_context ctx;
    double cpu_seconds;
} outcome;

static outcome run_with(const learner *l, const dataset *data, uint64_t seed, size_t n_threads, double limit_s) {
    outcome o = {0};
    error_info err = {0};
    void *options = learner_options_create(l);
    double start = run_cpu_s();
    assert_non_null(options);
    run_context_init(&o.ctx, seed);
    o.ctx.n_threads = n_threads;
    o.ctx.deadline_s = run_clock_s() + limit_s;
    assert_ok(learner_run(l, data, options, &o.ctx, &o.result, &err), &err);
    o.cpu_seconds = run_cpu_s() - start;
    free(options);
    return o;
}

static outcome run_once(const learner *l, const dataset *data) {
    return run_with(l, data, 1, 1, INFINITY);
}

static void assert_same_graph(const pdag *a, const pdag *b) {
    assert_int_equal(pdag_node_count(a), pdag_node_count(b));
    assert_int_equal(pdag_edge_count(a), pdag_edge_count(b));
    for (size_t node = 0; node < pdag_node_count(a); node++) {
        size_t n_a, n_b;
        const pdag_edge *of_a = pdag_edges(a, node, &n_a), *of_b = pdag_edges(b, node, &n_b);
        assert_int_equal(n_a, n_b);
        for (size_t i = 0; i < n_a; i++) {
            assert_int_equal(of_a[i].node, of_b[i].node);
            assert_int_equal(of_a[i].kind, of_b[i].kind);
        }
    }
}

static void assert_same_count(statistics_count a, statistics_count b) {
    assert_int_equal(a.requests, b.requests);
    assert_int_equal(a.computed, b.computed);
    assert_int_equal(a.skipped, b.skipped);
}

static void assert_same_outcome(const outcome *a, const outcome *b) {
    assert_same_graph(a->result.graph, b->result.graph);
    assert_same_count(a->ctx.tests, b->ctx.tests);
    assert_same_count(a->ctx.scores, b->ctx.scores);
    assert_close(a->result.score, b->result.score, 1e-12);
    assert_int_equal(a->result.is_cut_short, b->result.is_cut_short);
}

/* The graph is of the kind that the learner says. */
static void assert_sound(const learner *l, const dataset *data, const outcome *o) {
    const pdag *g = o->result.graph;
    dag *as_dag = NULL;
    error_info err = {0};
    assert_non_null(g);
    assert_int_equal(pdag_node_count(g), dataset_column_count(data));
    if (l->returns == GRAPH_DAG)
        assert_ok(pdag_to_dag(g, &as_dag, &err), &err);
    if (l->returns == GRAPH_SKELETON)
        assert_int_equal(pdag_directed_count(g), 0);
    assert_true(isfinite(o->result.score));
    assert_true(o->result.score_name != NULL || o->result.score == 0);
    dag_destroy(as_dag);
}

static void assert_runs_on(const learner *l, dataset *data, size_t expected_edges) {
    outcome o = run_once(l, data);
    assert_sound(l, data, &o);
    assert_false(o.result.is_cut_short);
    if (expected_edges != (size_t)-1)
        assert_int_equal(pdag_edge_count(o.result.graph), expected_edges);
    learner_result_clear(&o.result);
    dataset_destroy(data);
}

/* Every test goes through the whole registry, and says which learner it was that failed. */
static void for_each_learner(void (*check)(const learner *l)) {
    for (size_t i = 0; i < learner_count(); i++) {
        print_message("  %s\n", learner_at(i)->name);
        check(learner_at(i));
    }
}

/* --- the entries --- */

static bool is_one_line(const char *s) {
    return s && *s && !strchr(s, '\n') && s[strlen(s) - 1] != '.';
}

static void check_entry(const learner *l) {
    const learner *found = NULL;
    error_info err = {0};
    assert_true(is_one_line(l->name));
    assert_true(is_one_line(l->summary));
    assert_true(is_one_line(l->citation));
    assert_true(l->version >= 1);
    assert_that(l->accepts, >, 0);
    assert_that(l->accepts, <=, (DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED));
    assert_non_null(l->run);
    for (const char *c = l->name; *c; c++)
        assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-');
    assert_ok(learner_find(l->name, &found, &err), &err);
    assert_ptr_equal(found, l);
    for (const char *const *alias = l->aliases; alias && *alias; alias++) {
        assert_ok(learner_find(*alias, &found, &err), &err);
        assert_ptr_equal(found, l);
    }
}

static void every_entry_is_complete_and_its_names_are_its_own(void **state) {
    (void)state;
    assert_true(learner_count() > 0);
    for_each_learner(check_entry);
}

static void check_options(const learner *l) {
    void *options = learner_options_create(l);
    error_info err = {0};
    assert_non_null(options);
    assert_true((options_count(l->options) == 0) == (l->options_size == 0));
    for (size_t i = 0; i < options_count(l->options); i++) {
        const option_spec *spec = &l->options[i];
        text_buffer value = {0};
        assert_true(is_one_line(spec->name));
        assert_true(is_one_line(spec->help));
        assert_true(spec->offset < l->options_size);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(spec->name, l->options[j].name);
        options_append_value(spec, options, &value);
        assert_ok(options_set(l->options, options, spec->name, value.data, &err), &err); /* in its own range */
        text_buffer_clear(&value);
    }
    free(options);
}

static void every_option_has_a_help_text_and_an_initial_value_in_its_range(void **state) {
    (void)state;
    for_each_learner(check_options);
}

static void check_room(const registry *r) {
    size_t used = 0;
    for (size_t i = 0; i < r->n; i++)
        used += *(const size_t *)(const void *)((const char *)r->items[i] + r->options_size) + sizeof(double);
    assert_true(used <= sizeof((option_choice){0}.room));
}

static void options_of_all_scores_and_of_all_tests_have_room_in_a_choice(void **state) {
    (void)state;
    check_room(&score_registry);
    check_room(&ci_test_registry);
}

static void an_unknown_learner_gets_a_suggestion(void **state) {
    const learner *l = NULL;
    error_info err = {0};
    (void)state;
    assert_int_equal(learner_find("mmpcc", &l, &err), STATUS_INVALID);
    assert_message_has(&err, "unknown learner 'mmpcc'; did you mean 'mmpc'?");
    assert_int_equal(learner_find("a name like no other", &l, &err), STATUS_INVALID);
    assert_message_has(&err, "there are: ");
    assert_message_has(&err, "empty");
    assert_null(l);
}

static void kinds_have_names(void **state) {
    (void)state;
    assert_string_equal(graph_kind_name(GRAPH_DAG), "dag");
    assert_string_equal(graph_kind_name(GRAPH_CPDAG), "cpdag");
    assert_string_equal(graph_kind_name(GRAPH_SKELETON), "skeleton");
    assert_string_equal(data_kinds_name(DATA_DISCRETE), "discrete");
    assert_string_equal(data_kinds_name(DATA_CONTINUOUS), "continuous");
    assert_string_equal(data_kinds_name(DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED), "discrete, continuous, mixed");
}

/* --- results --- */

static void check_result(const learner *l) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        dataset *data = make_data_for(l, seed, 200, 4 + 2 * (size_t)seed);
        outcome o = run_once(l, data);
        assert_sound(l, data, &o);
        assert_false(o.result.is_cut_short);
        assert_true(o.ctx.tests.computed <= o.ctx.tests.requests);
        assert_true(o.ctx.scores.computed <= o.ctx.scores.requests);
        learner_result_clear(&o.result);
        dataset_destroy(data);
    }
}

static void the_graph_is_on_the_columns_and_of_the_kind_that_it_says(void **state) {
    (void)state;
    for_each_learner(check_result);
}

static void check_same(const learner *l) {
    dataset *data = make_data_for(l, 9, 300, 12);
    outcome first = run_with(l, data, 3, 1, INFINITY);
    for (size_t n_threads = 1; n_threads <= 4; n_threads += 3) {
        outcome again = run_with(l, data, 3, n_threads, INFINITY);
        assert_same_outcome(&first, &again);
        learner_result_clear(&again.result);
    }
    learner_result_clear(&first.result);
    dataset_destroy(data);
}

static void the_same_seed_gives_the_same_graph_and_counters_on_any_number_of_threads(void **state) {
    (void)state;
    for_each_learner(check_same);
}

static void check_order(const learner *l) {
    dataset *data = make_data_for(l, 11, 300, 10), *shuffled = NULL;
    size_t order[10];
    random_stream random;
    error_info err = {0};
    outcome a, b;
    random_stream_init(&random, random_key_of(12));
    random_permutation(&random, order, 10);
    assert_ok(dataset_reorder(data, order, &shuffled, &err), &err);
    a = run_once(l, data);
    b = run_once(l, shuffled);
    for (size_t i = 0; i < 10 && !l->depends_on_order; i++) {
        for (size_t j = 0; j < i; j++)
            assert_int_equal(pdag_edge_between(b.result.graph, i, j),
                             pdag_edge_between(a.result.graph, order[i], order[j]));
    }
    learner_result_clear(&a.result);
    learner_result_clear(&b.result);
    dataset_destroy(data);
    dataset_destroy(shuffled);
}

static void a_result_that_does_not_depend_on_the_order_of_columns_says_so_rightly(void **state) {
    (void)state;
    for_each_learner(check_order);
}

/* --- limits --- */

static void check_deadline(const learner *l) {
    static const double limits_s[] = {-1, 0, 0.0005, 0.005};
    dataset *data;
    outcome whole;
    if (!l->is_anytime)
        return;
    data = make_data_for(l, 13, 400, 60);
    whole = run_once(l, data);
    for (size_t i = 0; i < 4; i++) {
        outcome o = run_with(l, data, 1, 1, limits_s[i]);
        assert_sound(l, data, &o);
        assert_between(o.cpu_seconds, 0, 5);
        if (!o.result.is_cut_short)
            assert_same_outcome(&o, &whole);
        learner_result_clear(&o.result);
    }
    learner_result_clear(&whole.result);
    dataset_destroy(data);
}

static void an_anytime_learner_stops_at_the_deadline_with_a_sound_graph(void **state) {
    (void)state;
    for_each_learner(check_deadline);
}

static void check_refused(const learner *l, const dataset *data, const char *words) {
    void *options = learner_options_create(l);
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_int_equal(learner_run(l, data, options, &ctx, &result, &err), STATUS_INVALID);
    assert_message_has(&err, words);
    assert_message_has(&err, l->name);
    assert_null(result.graph);
    free(options);
}

static void check_refusals(const learner *l) {
    random_stream random;
    dataset *of_kind[3];
    static const int kinds[] = {DATA_DISCRETE, DATA_CONTINUOUS, DATA_MIXED};
    dataset *no_rows = make_data_for(l, 1, 0, 3);
    random_stream_init(&random, random_key_of(1));
    of_kind[0] = make_random_dataset(&random, 20, 3, 3);
    of_kind[1] = make_continuous(&random, 20, 3, 0);
    of_kind[2] = make_continuous(&random, 20, 3, 1);
    for (size_t i = 0; i < 3; i++) {
        if (!(l->accepts & kinds[i]))
            check_refused(l, of_kind[i], data_kinds_name(kinds[i]));
        dataset_destroy(of_kind[i]);
    }
    check_refused(l, no_rows, "row");
    dataset_destroy(no_rows);
}

static void data_that_a_learner_does_not_take_are_refused(void **state) {
    (void)state;
    for_each_learner(check_refusals);
}

/* One row says nothing of any pair: no edge, but for PC, which keeps an edge that it has too few rows to test. */
static void check_small(const learner *l) {
    size_t expected = l->returns == GRAPH_CPDAG ? (size_t)-1 : 0;
    assert_runs_on(l, make_data_for(l, 1, 50, 1), 0);
    assert_runs_on(l, make_data_for(l, 2, 50, 2), (size_t)-1);
    assert_runs_on(l, make_data_for(l, 3, 1, 1), 0);
    assert_runs_on(l, make_data_for(l, 4, 1, 6), expected);
    assert_runs_on(l, make_data_for(l, 5, 2, 6), (size_t)-1);
}

static void one_row_one_column_and_two_are_enough(void **state) {
    (void)state;
    for_each_learner(check_small);
}

/*
 * BDeu may well draw arcs between columns that are constant but declare more states: its prior shrinks with the parent
 * configurations, seen or not. Tests of independence find nothing there.
 */
static void check_constant(const learner *l) {
    static const size_t n_states[] = {2, 3, 1, 1, 2};
    static const int cells[100 * 5] = {0};
    bool by_tests = l->returns == GRAPH_SKELETON;
    dataset *data;
    if (!(l->accepts & DATA_DISCRETE))
        return;
    assert_runs_on(l, make_dataset(100, 5, n_states, cells), by_tests ? 0 : (size_t)-1);
    data = make_dataset(100, 5, n_states, cells);
    for (size_t i = 0; i < 100; i++) {
        dataset_set_state(data, i, 0, i % 2);
        dataset_set_state(data, i, 4, i % 2);
    }
    assert_runs_on(l, data, by_tests ? 1 : (size_t)-1); /* the two columns that are copies */
}

static void constant_columns_are_no_error_and_depend_on_nothing(void **state) {
    (void)state;
    for_each_learner(check_constant);
}

static void check_many_states(const learner *l) {
    char **states = calloc(300, sizeof *states);
    variable variables[4] = {0};
    dataset *data = NULL;
    error_info err = {0};
    random_stream random;
    static const char *const names[] = {"a", "b", "c", "d"};
    random_stream_init(&random, random_key_of(8));
    for (size_t i = 0; i < 300; i++) {
        states[i] = calloc(8, 1);
        (void)snprintf(states[i], 8, "s%zu", i);
    }
    for (size_t c = 0; c < 4; c++)
        assert_ok(variable_init_discrete(&variables[c], names[c], (const char *const *)states, c < 2 ? 300 : 2, &err),
                  &err);
    assert_ok(dataset_create(variables, 4, 500, &data, &err), &err);
    for (size_t i = 0; i < 500; i++) {
        for (size_t c = 0; c < 4; c++)
            dataset_set_state(data, i, c, (size_t)random_below(&random, c < 2 ? 300 : 2));
    }
    if (l->accepts & DATA_DISCRETE)
        assert_runs_on(l, data, (size_t)-1);
    else
        dataset_destroy(data);
    for (size_t c = 0; c < 4; c++)
        variable_clear(&variables[c]);
    for (size_t i = 0; i < 300; i++)
        free(states[i]);
    free(states);
}

static void columns_of_three_hundred_states_are_no_error(void **state) {
    (void)state;
    for_each_learner(check_many_states);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_is_complete_and_its_names_are_its_own),
        cmocka_unit_test(every_option_has_a_help_text_and_an_initial_value_in_its_range),
        cmocka_unit_test(options_of_all_scores_and_of_all_tests_have_room_in_a_choice),
        cmocka_unit_test(an_unknown_learner_gets_a_suggestion),
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(the_graph_is_on_the_columns_and_of_the_kind_that_it_says),
        cmocka_unit_test(the_same_seed_gives_the_same_graph_and_counters_on_any_number_of_threads),
        cmocka_unit_test(a_result_that_does_not_depend_on_the_order_of_columns_says_so_rightly),
        cmocka_unit_test(an_anytime_learner_stops_at_the_deadline_with_a_sound_graph),
        cmocka_unit_test(data_that_a_learner_does_not_take_are_refused),
        cmocka_unit_test(one_row_one_column_and_two_are_enough),
        cmocka_unit_test(constant_columns_are_no_error_and_depend_on_nothing),
        cmocka_unit_test(columns_of_three_hundred_states_are_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
