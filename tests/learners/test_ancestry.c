/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is whose ancestor, while arcs come and go: against searches for a path. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "learners/greedy/ancestry_internal.h"

enum { N_NODES = 90, N_CHANGES = 1500 };

static void assert_same_paths(const ancestry *a, const dag *g) {
    for (size_t x = 0; x < N_NODES; x++) {
        for (size_t y = 0; y < N_NODES; y++)
            assert_int_equal(ancestry_reaches(a, x, y), dag_reaches(g, x, y));
    }
}

/* An arc that is there goes; one that would close no cycle comes. True if something changed. */
static bool change(random_stream *random, dag *g, ancestry *a) {
    size_t x = random_below(random, N_NODES), y = random_below(random, N_NODES);
    error_info err = {0};
    if (dag_has_arc(g, x, y)) {
        assert_ok(dag_remove_arc(g, x, y, &err), &err);
        ancestry_arc_removed(a, y);
        return true;
    }
    if (dag_reaches(g, y, x))
        return false;
    assert_ok(dag_add_arc(g, x, y, &err), &err);
    ancestry_arc_added(a, x, y);
    return true;
}

/* Removes some arc, so that graphs do not only grow. */
static void remove_some(random_stream *random, dag *g, ancestry *a) {
    for (size_t tries = 0; tries < N_NODES; tries++) {
        size_t y = random_below(random, N_NODES), n_parents;
        const size_t *parents = dag_parents(g, y, &n_parents);
        error_info err = {0};
        if (n_parents == 0)
            continue;
        assert_ok(dag_remove_arc(g, parents[random_below(random, n_parents)], y, &err), &err);
        ancestry_arc_removed(a, y);
        return;
    }
}

static void ancestors_are_those_of_the_graph(void **state) {
    dag *g = NULL;
    ancestry *a = NULL;
    random_stream random;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(81));
    assert_ok(dag_create(N_NODES, &g, &err), &err);
    assert_ok(ancestry_create(g, &a, &err), &err);
    assert_true(ancestry_has_rows(a));
    for (size_t i = 0; i < N_CHANGES; i++) {
        bool changed = change(&random, g, a);
        if (i > N_CHANGES / 3 && i % 2 == 0)
            remove_some(&random, g, a);
        if (changed && i % 10 == 0)
            assert_same_paths(a, g);
    }
    assert_same_paths(a, g);
    assert_true(dag_arc_count(g) > N_NODES);
    ancestry_destroy(a);
    dag_destroy(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ancestors_are_those_of_the_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
