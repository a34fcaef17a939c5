/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What another program finds with PC-stable and MMPC (alpha .05, G2 with plain degrees of freedom or Fisher's z, no
 * rule of reliability, no limit to the sets). Its MMPC compares p-values, not their logarithms: those that underflow to
 * 0 tie, and the first column wins. With associations made as coarse as that, the skeletons must be the same; with
 * ours, members may enter in another order.
 */
#include "tests/golden/golden_support.h"

#include "learners/base/learner.h"
#include "learners/constraint/mmpc_search.h"
#include "learners/constraint/orientation.h"
#include "learners/constraint/pc_skeleton.h"
#include "learners/registry.h"
#include "metrics/tests/table_tests.h"

static ci_test *make_g2(const dataset *data) {
    table_test_options options = {.df = CI_DF_FULL, .alpha = 0.05};
    const ci_test_kind *kind = NULL;
    ci_test *test = NULL;
    error_info err = {0};
    assert_ok(ci_test_kind_find("g2", &kind, &err), &err);
    assert_ok(ci_test_create(kind, &options, data, NULL, &test, &err), &err);
    return test;
}

/* The skeleton of a learner on continuous data. Options as "name=value", NULL behind the last. */
static pdag *skeleton_of_learner(const char *name, const char *const *pairs, const dataset *data) {
    const learner *l = NULL;
    learner_result result = {0};
    run_context ctx;
    pdag *out = NULL;
    void *options;
    error_info err = {0};
    assert_ok(learner_find(name, &l, &err), &err);
    options = learner_options_create(l);
    for (size_t i = 0; pairs[i]; i++)
        assert_ok(options_set_pair(l->options, options, pairs[i], &err), &err);
    run_context_init(&ctx, 1);
    assert_ok(learner_run(l, data, options, &ctx, &result, &err), &err);
    assert_ok(pdag_skeleton(result.graph, &out, &err), &err);
    learner_result_clear(&result);
    free(options);
    return out;
}

/* ---- PC ---- */

/* Samples on which v-structures contradict each other: the other program takes those of low p first. */
static bool has_conflicts(const golden_network *net, int n_rows) {
    return n_rows == 1000 &&
           (strcmp(net->name, "child") == 0 || strcmp(net->name, "alarm") == 0 || strcmp(net->name, "hailfinder") == 0);
}

static pdag *run_pc(const dataset *data, conflict_rule rule) {
    pc_rules rules = {.is_stable = true, .max_k = -1};
    ci_test *test = make_g2(data);
    association_source source = ci_test_as_source(test);
    run_context ctx;
    pdag *g = NULL;
    separating_sets *sets = NULL;
    bool cut_short = true;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(pc_skeleton(&source, dataset_column_count(data), &rules, &ctx, &g, &sets, &cut_short, &err), &err);
    assert_false(cut_short);
    assert_ok(orient_skeleton(g, sets, rule, &err), &err);
    separating_sets_destroy(sets);
    ci_test_destroy(test);
    return g;
}

static void check_pc_of_discrete(const golden_network *net, int n_rows) {
    dataset *data = golden_data(net, n_rows);
    pdag *expected = golden_graph(net, "learned/pc_mi05_n%d.csv", n_rows, data);
    pdag *first = run_pc(data, CONFLICTS_FIRST), *last = run_pc(data, CONFLICTS_LAST);
    assert_string_equal(edges_text(first), edges_text(expected));
    if (!has_conflicts(net, n_rows)) {
        assert_true(pdag_is_equal(first, last));
        assert_true(pdag_is_equal(first, expected));
    }
    pdag_destroy(expected);
    pdag_destroy(first);
    pdag_destroy(last);
    dataset_destroy(data);
}

/* Does the learner find the other program's skeleton of a continuous sample? */
static void check_skeleton(const golden_network *net, int n_rows, const char *format, const char *learner_name,
                           const char *const *pairs) {
    dataset *data = golden_data(net, n_rows);
    pdag *graph = golden_graph(net, format, n_rows, data), *expected = NULL;
    pdag *found = skeleton_of_learner(learner_name, pairs, data);
    error_info err = {0};
    assert_ok(pdag_skeleton(graph, &expected, &err), &err);
    assert_string_equal(edges_text(found), edges_text(expected));
    pdag_destroy(graph);
    pdag_destroy(expected);
    pdag_destroy(found);
    dataset_destroy(data);
}

void pc_finds_the_edges_of_the_other_program_and_where_it_can_its_directions(void **state) {
    static const char *const by_name[] = {"test=zf", NULL}, *const by_itself[] = {NULL};
    const golden_network *net = *state;
    for (size_t i = 0; i < 2 && net->sizes[i]; i++) {
        if (net->is_continuous) {
            check_skeleton(net, net->sizes[i], "learned/pc_zf05_n%d.csv", "pc-stable", by_name);
            check_skeleton(net, net->sizes[i], "learned/pc_zf05_n%d.csv", "pc-stable", by_itself);
        } else {
            check_pc_of_discrete(net, net->sizes[i]);
        }
    }
}

/* ---- MMPC ---- */

/* What is left of an association once its p-value has been a double. */
static status measure_coarse(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable,
                             association *out, error_info *err) {
    status st = ci_test_associate(self, x, y, z, n_z, reliable, out, err);
    if (st == STATUS_OK && *reliable && !out->is_zero)
        *out = (association){.log_p = log(exp(out->log_p))};
    return st;
}

static pdag *run_mmpc(const dataset *data, bool is_coarse) {
    mmpc_rules rules = {-1, SYMMETRY_AND, false, false, NULL, NULL};
    ci_test *test = make_g2(data);
    association_source source = is_coarse ? (association_source){test, measure_coarse} : ci_test_as_source(test);
    run_context ctx;
    pdag *out = NULL;
    bool cut_short = false;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(mmpc_skeleton(&source, dataset_column_count(data), &rules, &ctx, &out, &cut_short, &err), &err);
    ci_test_destroy(test);
    return out;
}

static void check_mmpc_of_discrete(const golden_network *net, int n_rows, bool is_coarse, bool is_same) {
    dataset *data = golden_data(net, n_rows);
    pdag *expected = golden_graph(net, "learned/mmpc_mi05_n%d.csv", n_rows, data), *found = run_mmpc(data, is_coarse);
    if (is_same)
        assert_string_equal(edges_text(found), edges_text(expected));
    else
        assert_string_not_equal(edges_text(found), edges_text(expected));
    pdag_destroy(expected);
    pdag_destroy(found);
    dataset_destroy(data);
}

void mmpc_finds_the_skeletons_of_the_other_program(void **state) {
    static const char *const plain[] = {"test=zf", "opt4=false", "opt5=false", "maxk=-1", NULL};
    const golden_network *net = *state;
    for (size_t i = 0; i < 2 && net->sizes[i]; i++) {
        if (net->is_continuous)
            check_skeleton(net, net->sizes[i], "learned/mmpc_zf05_n%d.csv", "mmpc", plain);
        else
            check_mmpc_of_discrete(net, net->sizes[i], true, true);
    }
}

/* alarm (5000) and hailfinder have associations past the reach of a double, and other members enter first. */
void log_p_values_change_only_the_skeletons_that_are_known(void **state) {
    const golden_network *net = *state;
    for (size_t i = 0; i < 2 && net->sizes[i] && !net->is_continuous; i++) {
        bool is_changed = strcmp(net->name, "hailfinder") == 0 || net->sizes[i] == 5000;
        check_mmpc_of_discrete(net, net->sizes[i], false, !is_changed || strcmp(net->name, "asia") == 0);
    }
}
