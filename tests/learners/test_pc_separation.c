/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PC where the answer is known: with d-separation in place of the tests it finds the class of every network. */
#include "tests/support/oracles.h"

#include "build_info.h"
#include "core/graph/equivalence.h"
#include "generators/networks/bif.h"
#include "learners/constraint/orientation.h"
#include "learners/constraint/pc_skeleton.h"

#include <stdio.h>

/* Some networks take tens of thousands of d-separations, hepar2 half a million and more: five seconds a variant, and
 * many more without optimisation. */
#ifdef __OPTIMIZE__
#define BUILD_IS_FAST (!*BNB_SANITIZERS)
#else
#define BUILD_IS_FAST false
#endif

static pdag *learn(association_source source, size_t p, bool is_stable, conflict_rule rule) {
    pc_rules rules = {.is_stable = is_stable, .max_k = -1};
    run_context ctx;
    pdag *g = NULL;
    separating_sets *sets = NULL;
    bool cut_short = true;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(pc_skeleton(&source, p, &rules, &ctx, &g, &sets, &cut_short, &err), &err);
    assert_false(cut_short);
    assert_ok(orient_skeleton(g, sets, rule, &err), &err);
    separating_sets_destroy(sets);
    return g;
}

static void assert_is_found(const char *path, bool is_stable) {
    bayes_net *net = NULL;
    pdag *truth = NULL, *found;
    error_info err = {0};
    separation_oracle oracle = {0};
    double start = run_cpu_s();
    assert_ok(bif_read(path, &net, NULL, &err), &err);
    oracle.g = bayes_net_dag(net);
    assert_ok(cpdag_from_dag(oracle.g, &truth, &err), &err);
    found =
        learn((association_source){&oracle, measure_separation}, bayes_net_node_count(net), is_stable, CONFLICTS_FIRST);
    print_message("  %s, %s: %.2f s\n", strrchr(path, '/') + 1, is_stable ? "stable" : "original", run_cpu_s() - start);
    assert_true(pdag_is_equal(found, truth));
    pdag_destroy(found);
    pdag_destroy(truth);
    bayes_net_destroy(net);
}

static void d_separation_gives_the_class_of_every_network_that_ships(void **state) {
    static const char *const names[] = {"alarm", "asia", "child", "survey"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "networks/%s.bif", names[i]);
        assert_is_found(source_path(path), true);
        assert_is_found(source_path(path), false);
    }
}

static void d_separation_gives_the_class_of_every_network_of_up_to_100_nodes(void **state) {
    static const char *const names[] = {"alarm",  "asia",      "barley", "cancer", "child",  "earthquake", "hailfinder",
                                        "hepar2", "insurance", "mildew", "sachs",  "survey", "water",      "win95pts"};
    (void)state;
    if (!shared_path("networks"))
        skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        if (!BUILD_IS_FAST && strstr("barley hailfinder hepar2", names[i])) {
            print_message("  %s is left to optimised builds\n", names[i]);
            continue;
        }
        (void)snprintf(path, sizeof path, "networks/%s.bif.gz", names[i]);
        assert_is_found(shared_path(path), true);
        assert_is_found(shared_path(path), false);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(d_separation_gives_the_class_of_every_network_that_ships),
        cmocka_unit_test(d_separation_gives_the_class_of_every_network_of_up_to_100_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
