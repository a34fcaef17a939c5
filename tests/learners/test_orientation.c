/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/graph/equivalence.h"
#include "core/graph/pdag.h"
#include "learners/constraint/orientation.h"

#include <stdio.h>
#include <string.h>

/* --- graphs as text: "0>1 1-2" --- */

static pdag *make_graph(size_t n, const char *text) {
    pdag *g = NULL;
    error_info err = {0};
    assert_ok(pdag_create(n, &g, &err), &err);
    for (const char *c = text; *c; c += c[3] ? 4 : 3) {
        edge_kind kind = c[1] == '>' ? EDGE_OUT : EDGE_UNDIRECTED;
        assert_ok(pdag_set_edge(g, (size_t)(c[0] - '0'), (size_t)(c[2] - '0'), kind, &err), &err);
    }
    return g;
}

static void assert_is(const pdag *g, const char *text) {
    pdag *expected = make_graph(pdag_node_count(g), text);
    assert_true(pdag_is_equal(g, expected));
    pdag_destroy(expected);
}

static separating_sets *no_sets(void) {
    separating_sets *sets = NULL;
    error_info err = {0};
    assert_ok(separating_sets_create(&sets, &err), &err);
    return sets;
}

/* --- sets --- */

static void a_set_is_found_from_either_end_and_replaced(void **state) {
    separating_sets *sets = no_sets();
    error_info err = {0};
    size_t n_z;
    (void)state;
    assert_null(separating_sets_get(sets, 1, 2, &n_z));
    assert_ok(separating_sets_put(sets, 2, 1, (const size_t[]){7, 9}, 2, &err), &err);
    assert_true(separating_sets_has(sets, 1, 2, 9));
    assert_true(separating_sets_has(sets, 2, 1, 7));
    assert_false(separating_sets_has(sets, 1, 2, 8));
    assert_ok(separating_sets_put(sets, 1, 2, NULL, 0, &err), &err);
    assert_non_null(separating_sets_get(sets, 1, 2, &n_z)); /* empty is not absent */
    assert_int_equal(n_z, 0);
    assert_ok(separating_sets_sort(sets, &err), &err);
    assert_non_null(separating_sets_get(sets, 1, 2, &n_z));
    assert_int_equal(n_z, 0);
    separating_sets_destroy(sets);
}

static void check_sets(const separating_sets *sets) {
    for (size_t a = 0; a < 100; a++) {
        for (size_t b = 0; b < a; b++) {
            uint32_t expected[] = {(uint32_t)(a + b), (uint32_t)(a * b), 5};
            size_t n_z;
            const uint32_t *z = separating_sets_get(sets, b, a, &n_z);
            assert_non_null(z);
            assert_int_equal(n_z, b % 4);
            assert_memory_equal(z, expected, n_z * sizeof *z);
        }
    }
}

static void sets_stay_what_they_are_as_they_grow_move_and_are_sorted(void **state) {
    separating_sets *parts[] = {no_sets(), no_sets()};
    error_info err = {0};
    size_t n_z;
    (void)state;
    for (size_t a = 0; a < 100; a++) {
        for (size_t b = 0; b < a; b++)
            assert_ok(
                separating_sets_put(parts[b % 2], a, b, (const size_t[]){a + b, a * b, 5}, b % 4 < 3 ? b % 4 : 3, &err),
                &err);
    }
    assert_ok(separating_sets_sort(parts[1], &err), &err);
    assert_ok(separating_sets_move(parts[1], parts[0], &err), &err);
    assert_null(separating_sets_get(parts[1], 0, 1, &n_z));
    check_sets(parts[0]);
    assert_ok(separating_sets_sort(parts[0], &err), &err);
    check_sets(parts[0]);
    assert_null(separating_sets_get(parts[0], 0, 100, &n_z));
    separating_sets_destroy(parts[0]);
    separating_sets_destroy(parts[1]);
}

static bool holds_an_even_number(void *self, size_t a, size_t b, const uint32_t *z, size_t n_z) {
    size_t *n_asked = self;
    ++*n_asked;
    assert_true(a < b);
    for (size_t i = 0; i < n_z; i++) {
        if (z[i] % 2 == 0)
            return true;
    }
    return false;
}

static void sets_that_are_not_kept_are_gone(void **state) {
    separating_sets *sets = no_sets();
    error_info err = {0};
    size_t n_asked = 0;
    (void)state;
    for (size_t a = 0; a < 50; a++) {
        for (size_t b = 0; b < a; b++)
            assert_ok(separating_sets_put(sets, a, b, (const size_t[]){a, b, 7}, 1 + b % 3, &err), &err);
    }
    separating_sets_keep(sets, &(set_filter){&n_asked, holds_an_even_number});
    assert_int_equal(n_asked, 50 * 49 / 2);
    assert_ok(separating_sets_sort(sets, &err), &err);
    for (size_t a = 0; a < 50; a++) {
        for (size_t b = 0; b < a; b++) {
            const uint32_t expected[] = {(uint32_t)a, (uint32_t)b, 7};
            size_t n_z;
            const uint32_t *z = separating_sets_get(sets, a, b, &n_z);
            assert_int_equal(z != NULL, a % 2 == 0 || (b % 2 == 0 && b % 3 > 0));
            assert_int_equal(n_z, z ? 1 + b % 3 : 0);
            if (z)
                assert_memory_equal(z, expected, n_z * sizeof *z);
        }
    }
    separating_sets_destroy(sets);
}

/* --- Meek's rules --- */

static void assert_closes(size_t n, const char *before, const char *after) {
    pdag *g = make_graph(n, before);
    error_info err = {0};
    assert_ok(pdag_close_meek(g, &err), &err);
    assert_is(g, after);
    pdag_destroy(g);
}

static void the_rules_direct_the_worked_examples(void **state) {
    (void)state; /* a, b, c, d are 0, 1, 2, 3 */
    assert_closes(3, "0>1 1-2", "0>1 1>2");
    assert_closes(3, "0>1 1>2 0-2", "0>1 1>2 0>2");
    assert_closes(4, "0-1 0-2 0-3 2>1 3>1", "0>1 0-2 0-3 2>1 3>1");
    assert_closes(4, "0-1 0-2 0-3 3>2 2>1", "0>1 0-2 0-3 3>2 2>1");
}

/* --- v-structures --- */

static void a_middle_outside_the_separating_set_is_a_collider(void **state) {
    separating_sets *sets = no_sets();
    pdag *open = make_graph(3, "0-1 1-2"), *chain = make_graph(3, "0-1 1-2"), *shielded = make_graph(3, "0-1 1-2 0-2");
    error_info err = {0};
    (void)state;
    assert_ok(orient_skeleton(open, sets, CONFLICTS_FIRST, &err), &err);
    assert_is(open, "0>1 2>1");
    assert_ok(orient_skeleton(shielded, sets, CONFLICTS_FIRST, &err), &err);
    assert_is(shielded, "0-1 1-2 0-2");
    assert_ok(separating_sets_put(sets, 0, 2, (const size_t[]){1}, 1, &err), &err);
    assert_ok(orient_skeleton(chain, sets, CONFLICTS_FIRST, &err), &err);
    assert_is(chain, "0-1 1-2");
    pdag_destroy(open);
    pdag_destroy(chain);
    pdag_destroy(shielded);
    separating_sets_destroy(sets);
}

/* 0 -> 1 <- 2 and 1 -> 2 <- 3 disagree on 1 - 2. */
static void assert_settles(conflict_rule rule, const char *expected) {
    separating_sets *sets = no_sets();
    pdag *g = make_graph(4, "0-1 1-2 2-3");
    error_info err = {0};
    assert_ok(orient_skeleton(g, sets, rule, &err), &err);
    assert_is(g, expected);
    pdag_destroy(g);
    separating_sets_destroy(sets);
}

static void conflicts_are_settled_as_the_rule_says(void **state) {
    (void)state;
    assert_settles(CONFLICTS_FIRST, "0>1 2>1 3>2");
    assert_settles(CONFLICTS_LAST, "0>1 1>2 3>2");
    assert_settles(CONFLICTS_BIDIRECTED, "0>1 1-2 3>2");
}

/* Numbering the nodes of the path the other way round. */
static void first_and_last_depend_on_the_numbering_and_bidirected_does_not(void **state) {
    static const struct {
        conflict_rule rule;
        bool is_symmetric;
    } cases[] = {{CONFLICTS_FIRST, false}, {CONFLICTS_LAST, false}, {CONFLICTS_BIDIRECTED, true}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        separating_sets *sets = no_sets();
        pdag *g = make_graph(4, "0-1 1-2 2-3");
        error_info err = {0};
        assert_ok(orient_colliders(g, sets, cases[i].rule, &err), &err);
        assert_int_equal(pdag_edge_between(g, 1, 2) == EDGE_UNDIRECTED, cases[i].is_symmetric);
        assert_int_equal(pdag_edge_between(g, 0, 1), EDGE_OUT);
        assert_int_equal(pdag_edge_between(g, 3, 2), EDGE_OUT);
        pdag_destroy(g);
        separating_sets_destroy(sets);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_found_from_either_end_and_replaced),
        cmocka_unit_test(sets_stay_what_they_are_as_they_grow_move_and_are_sorted),
        cmocka_unit_test(sets_that_are_not_kept_are_gone),
        cmocka_unit_test(the_rules_direct_the_worked_examples),
        cmocka_unit_test(a_middle_outside_the_separating_set_is_a_collider),
        cmocka_unit_test(conflicts_are_settled_as_the_rule_says),
        cmocka_unit_test(first_and_last_depend_on_the_numbering_and_bidirected_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
