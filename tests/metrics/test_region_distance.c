/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The averages of Table 3 of Tsamardinos et al. 2003 against the regions that mmbn-local returns,
 * one after the other. */
#include "tests/support/oracles.h"

#include "learners/base/neighbour_lists.h"
#include "learners/constraint/mmbn_search.h"
#include "metrics/distances/region_distance.h"

#include <math.h>

static const mmpc_rules plain = {.max_k = -1, .symmetry = SYMMETRY_OR};

/* What each variable's own search finds; with a hash for an oracle the lists are far from symmetric. */
static neighbour_lists *search_all(association_source source, size_t p) {
    mmpc_search *search = NULL;
    neighbour_lists *lists = NULL;
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(mmpc_search_create(&source, p, &plain, &ctx, &search, &err), &err);
    assert_ok(neighbour_lists_create(p, &lists, &err), &err);
    for (size_t target = 0; target < p; target++) {
        const size_t *members;
        size_t n;
        assert_ok(mmpc_search_target(search, target, NULL, &members, &n, &err), &err);
        assert_ok(neighbour_lists_append(lists, members, n, &err), &err);
    }
    mmpc_search_destroy(search);
    return lists;
}

enum { MOST = 20 };

static void measure_steps(const pdag *g, size_t target, size_t steps[MOST]) {
    size_t n = pdag_node_count(g);
    for (size_t i = 0; i < n; i++)
        steps[i] = i == target ? 0 : MOST;
    for (size_t round = 0; round < n; round++) {
        for (size_t a = 0; a < n; a++) {
            for (size_t b = 0; b < n; b++) {
                if (a != b && pdag_edge_between(g, a, b) != EDGE_NONE && steps[a] + 1 < steps[b])
                    steps[b] = steps[a] + 1;
            }
        }
    }
}

/* One target and depth, pair by pair. */
static region_average measure_plainly(const pdag *region, const pdag *truth, const size_t steps[MOST], size_t depth) {
    double area = 0, in_area = 0, outside = 0, pairs = 0;
    region_average r;
    for (size_t a = 0; a < pdag_node_count(truth); a++) {
        for (size_t b = 0; b < a; b++) {
            bool is_true = pdag_edge_between(truth, a, b) != EDGE_NONE && (steps[a] < depth || steps[b] < depth);
            bool is_found = pdag_edge_between(region, a, b) != EDGE_NONE;
            pairs++;
            area += is_true;
            in_area += is_true && is_found;
            outside += !is_true && is_found;
        }
    }
    r = (region_average){in_area / area, pairs > area ? 1 - outside / (pairs - area) : 1, 0};
    r.distance = hypot(1 - r.sensitivity, 1 - r.specificity);
    return r;
}

static void assert_averages(association_source source, const pdag *truth) {
    size_t p = pdag_node_count(truth), steps[MOST], n_targets = 0, degree;
    neighbour_lists *lists = search_all(source, p);
    region_lists found = {.n_variables = p};
    region_average averages[REGION_DEPTHS], sums[REGION_DEPTHS] = {0};
    error_info err = {0};
    neighbour_lists_all(lists, &found.starts, &found.members);
    for (size_t target = 0; target < p; target++) {
        (void)pdag_edges(truth, target, &degree);
        if (degree == 0)
            continue;
        n_targets++;
        measure_steps(truth, target, steps);
        for (size_t depth = 1; depth <= REGION_DEPTHS; depth++) {
            pdag *region = NULL;
            bool cut_short;
            run_context ctx;
            region_average one;
            run_context_init(&ctx, 1);
            assert_ok(mmbn_region(&source, p, &plain, target, depth, &ctx, &region, &cut_short, &err), &err);
            one = measure_plainly(region, truth, steps, depth);
            sums[depth - 1].sensitivity += one.sensitivity;
            sums[depth - 1].specificity += one.specificity;
            sums[depth - 1].distance += one.distance;
            pdag_destroy(region);
        }
    }
    assert_ok(region_distance_measure(&found, truth, averages, &err), &err);
    for (size_t d = 0; d < REGION_DEPTHS; d++) {
        assert_close(averages[d].sensitivity, sums[d].sensitivity / (double)n_targets, 1e-12);
        assert_close(averages[d].specificity, sums[d].specificity / (double)n_targets, 1e-12);
        assert_close(averages[d].distance, sums[d].distance / (double)n_targets, 1e-12);
    }
    neighbour_lists_destroy(lists);
}

static void averages_are_those_of_the_regions_that_mmbn_local_finds(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(60));
    for (uint64_t i = 0; i < 20; i++) {
        size_t p = 4 + (size_t)random_below(&random, MOST - 4);
        dag *g = make_random_dag(&random, p, 2.5 / (double)p);
        pdag *truth = skeleton_of_dag(g);
        hash_oracle anything = {i, 0.6, 1e9, 50};
        separation_oracle truthful = {g, i + 1};
        if (pdag_edge_count(truth) > 0) {
            assert_averages((association_source){&anything, measure_hash}, truth);
            assert_averages((association_source){&truthful, measure_separation}, truth);
        }
        pdag_destroy(truth);
        dag_destroy(g);
    }
}

/* 0 - 1 - 2 - 3, and the search of 1 misses 2: from 0 and 1 nothing behind it is seen, from 2 and 3 all. */
static void an_edge_that_is_missed_hides_what_lies_behind_it(void **state) {
    static const size_t starts[] = {0, 1, 2, 4, 5}, members[] = {1, 0, 1, 3, 2};
    const region_lists found = {4, starts, members};
    region_average out[REGION_DEPTHS];
    pdag *truth = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(pdag_from_pairs(
                  4, (const pdag_pair[]){{0, 1, EDGE_UNDIRECTED}, {1, 2, EDGE_UNDIRECTED}, {2, 3, EDGE_UNDIRECTED}}, 3,
                  &truth, &err),
              &err);
    assert_ok(region_distance_measure(&found, truth, out, &err), &err);
    assert_close(out[0].sensitivity, (1 + 0.5 + 1 + 1) / 4, 1e-15);
    assert_close(out[1].sensitivity, (0.5 + 1.0 / 3 + 1 + 1) / 4, 1e-15);
    assert_close(out[3].sensitivity, (1.0 / 3 + 1.0 / 3 + 1 + 1) / 4, 1e-15);
    assert_close(out[3].specificity, 1, 0);
    pdag_destroy(truth);
}

static void without_a_true_edge_there_is_no_average(void **state) {
    static const size_t starts[3] = {0};
    const region_lists found = {2, starts, NULL};
    region_average out[REGION_DEPTHS];
    pdag *truth = NULL, *larger = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(pdag_create(2, &truth, &err), &err);
    assert_ok(pdag_create(3, &larger, &err), &err);
    assert_ok(region_distance_measure(&found, truth, out, &err), &err);
    assert_true(isnan(out[0].sensitivity));
    assert_int_equal(region_distance_measure(&found, larger, out, &err), STATUS_INVALID);
    assert_message_has(&err, "lists of 2 variables and a graph of 3 nodes");
    pdag_destroy(truth);
    pdag_destroy(larger);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_are_those_of_the_regions_that_mmbn_local_finds),
        cmocka_unit_test(an_edge_that_is_missed_hides_what_lies_behind_it),
        cmocka_unit_test(without_a_true_edge_there_is_no_average),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
