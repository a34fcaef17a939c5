/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is whose ancestor, while arcs come and go: against searches for a path. */
#include "tests/support/support.h"

#include "core/base/bits.h"
#include "core/base/random.h"
#include "learners/greedy/ancestry_internal.h"

#include <string.h>

enum { N_NODES = 90, N_CHANGES = 1500 };

/* Around each arc of x. */
static void assert_same_ways(const ancestry *a, const dag *g, size_t x) {
    size_t n_children;
    const size_t *children = dag_children(g, x, &n_children);
    for (size_t i = 0; i < n_children; i++) {
        bool expected = false;
        for (size_t k = 0; k < n_children; k++)
            expected |= k != i && dag_reaches(g, children[k], children[i]);
        assert_int_equal(ancestry_reaches_otherwise(a, x, children[i]), expected);
    }
}

static void assert_same_paths(const ancestry *a, const dag *g) {
    for (size_t x = 0; x < N_NODES; x++) {
        for (size_t y = 0; y < N_NODES; y++)
            assert_int_equal(ancestry_reaches(a, x, y), dag_reaches(g, x, y));
        assert_same_ways(a, g, x);
    }
}

/* Of more nodes than walks are kept of, where there are so many. */
static void assert_same_walks(ancestry *a, const dag *g) {
    for (size_t x = 0; x < dag_node_count(g) && x < ANCESTRY_WALKS + 5; x++) {
        const uint64_t *below = ancestry_all_below(a, x);
        for (size_t y = 0; y < N_NODES; y++)
            assert_int_equal(bits_have(below, y), dag_reaches(g, x, y));
    }
    for (size_t x = 0; x < N_NODES; x++) {
        for (size_t y = 0; y < N_NODES; y++)
            assert_int_equal(ancestry_reaches(a, x, y), dag_reaches(g, x, y));
    }
}

typedef struct {
    bool reaches[N_NODES][N_NODES]; /* [x][y] */
} paths;

static void find_paths(const dag *g, paths *out) {
    for (size_t x = 0; x < N_NODES; x++) {
        for (size_t y = 0; y < N_NODES; y++)
            out->reaches[x][y] = dag_reaches(g, x, y);
    }
}

/* Which pairs were told to have lost their last path, and how often. */
typedef struct {
    size_t n[N_NODES][N_NODES]; /* [x][z] */
    supports *known;
} told_losses;

static status note_loss(void *self, size_t x, size_t z, error_info *err) {
    told_losses *told = self;
    (void)err;
    told->n[x][z]++;
    supports_lose(told->known, x, z);
    return STATUS_OK;
}

/* Every pair that lost its last path is told once, and no other is. */
static void assert_losses_are_told(const told_losses *told, const paths *before, const dag *g) {
    static paths after;
    find_paths(g, &after);
    for (size_t x = 0; x < N_NODES; x++) {
        for (size_t z = 0; z < N_NODES; z++)
            assert_int_equal(told->n[x][z], before->reaches[x][z] && !after.reaches[x][z]);
    }
}

static void remove_arc(dag *g, ancestry *a, supports *known, size_t x, size_t y) {
    static told_losses told;
    static paths before;
    loss_listener listener = {&told, note_loss};
    error_info err = {0};
    memset(&told, 0, sizeof told);
    told.known = known;
    find_paths(g, &before);
    assert_ok(dag_remove_arc(g, x, y, &err), &err);
    supports_arc_removed(known);
    assert_ok(ancestry_arc_removed_told(a, x, y, &listener, &err), &err);
    supports_go_on(known);
    assert_losses_are_told(&told, &before, g);
}

/* An arc that is there goes; one that would close no cycle comes. True if something changed. */
static bool change(random_stream *random, dag *g, ancestry *a, supports *known) {
    size_t x = random_below(random, N_NODES), y = random_below(random, N_NODES);
    error_info err = {0};
    if (dag_has_arc(g, x, y)) {
        remove_arc(g, a, known, x, y);
        return true;
    }
    if (dag_reaches(g, y, x))
        return false;
    assert_ok(dag_add_arc(g, x, y, &err), &err);
    ancestry_arc_added(a, x, y);
    supports_arc_added(known, x, y);
    return true;
}

/* Who is reached by fewer, and who reaches fewer, after a removal: each once, and no other. */
static void assert_change_is_told(const ancestry *a, const paths *before, const dag *g) {
    static paths after;
    bool less_reached[N_NODES] = {false}, reaching_less[N_NODES] = {false};
    size_t n, n_expected = 0;
    const uint64_t *bits = ancestry_reaching_less(a);
    const size_t *told = ancestry_less_reached(a, &n);
    find_paths(g, &after);
    for (size_t x = 0; x < N_NODES; x++) {
        for (size_t y = 0; y < N_NODES; y++) {
            bool lost = before->reaches[x][y] && !after.reaches[x][y];
            reaching_less[x] |= lost;
            n_expected += lost && !less_reached[y];
            less_reached[y] |= lost;
        }
    }
    for (size_t x = 0; x < N_NODES; x++)
        assert_int_equal(bits[x / 64] >> x % 64 & 1, reaching_less[x]);
    if (!ancestry_has_rows(a))
        return;
    assert_int_equal(n, n_expected);
    for (size_t i = 0; i < n; i++) {
        assert_true(less_reached[told[i]]);
        less_reached[told[i]] = false;
    }
}

/* Removes some arc, so that graphs do not only grow. */
static void remove_some(random_stream *random, dag *g, ancestry *a, supports *known) {
    static paths before;
    for (size_t tries = 0; tries < N_NODES; tries++) {
        size_t x, y = random_below(random, N_NODES), n_parents;
        const size_t *parents = dag_parents(g, y, &n_parents);
        bool is_told;
        error_info err = {0};
        if (n_parents == 0)
            continue;
        find_paths(g, &before);
        x = parents[random_below(random, n_parents)];
        is_told = !ancestry_has_rows(a) || random_below(random, 2);
        if (is_told)
            remove_arc(g, a, known, x, y);
        else
            assert_ok(dag_remove_arc(g, x, y, &err), &err);
        if (!is_told || !ancestry_has_rows(a))
            ancestry_arc_removed(a, x, y);
        assert_change_is_told(a, &before, g);
        return;
    }
}

/* Of a graph whose further nodes have no arcs. */
static void follow_changes(size_t n_nodes, size_t most_rows, size_t n_changes) {
    dag *g = NULL;
    ancestry *a = NULL;
    supports *known = NULL;
    random_stream random;
    error_info err = {0};
    random_stream_init(&random, random_key_of(81));
    assert_ok(dag_create(n_nodes, &g, &err), &err);
    assert_ok(ancestry_create(g, most_rows, &a, &err), &err);
    assert_true(ancestry_has_rows(a) == (n_nodes <= most_rows));
    if (!ancestry_has_rows(a))
        assert_ok(supports_create(g, &known, &err), &err);
    ancestry_lend_supports(a, known);
    for (size_t i = 0; i < n_changes; i++) {
        bool changed = change(&random, g, a, known);
        if (i > n_changes / 3 && i % 2 == 0)
            remove_some(&random, g, a, known);
        if (changed && i % 10 == 0)
            assert_same_paths(a, g);
        if (changed && i % 10 == 5 && !ancestry_has_rows(a))
            assert_same_walks(a, g);
    }
    assert_same_paths(a, g);
    assert_true(dag_arc_count(g) > N_NODES);
    supports_destroy(known);
    ancestry_destroy(a);
    dag_destroy(g);
}

static void ancestors_are_those_of_the_graph(void **state) {
    (void)state;
    follow_changes(N_NODES, ANCESTRY_MAX_NODES, N_CHANGES);
}

/* The same where ancestors are searched for, with all, some and few of the nodes as supports. */
static void a_graph_without_rows_tells_its_losses(void **state) {
    (void)state;
    follow_changes(N_NODES, 0, N_CHANGES / 3);
    follow_changes(3 * N_NODES, 0, N_CHANGES / 3);
    follow_changes(ANCESTRY_MAX_NODES + 1, ANCESTRY_MAX_NODES, N_CHANGES / 3);
}

/* Many descendants are lost at once, of which some ancestors keep some by other arcs. */
enum { N_ABOVE = 100, HUB = N_ABOVE + 1, N_BELOW = 1300, N_WIDE = HUB + 1 + N_BELOW, N_OTHERS = 1500 };

typedef struct {
    uint64_t bits[N_WIDE][N_WIDE / 64 + 1];
    size_t n;
} wide_losses;

static status note_wide(void *self, size_t x, size_t z, error_info *err) {
    wide_losses *told = self;
    (void)err;
    assert_int_equal(told->bits[x][z / 64] >> z % 64 & 1, 0);
    told->bits[x][z / 64] |= UINT64_C(1) << z % 64;
    told->n++;
    return STATUS_OK;
}

static void add_arc(dag *g, ancestry *const *both, size_t x, size_t y) {
    error_info err = {0};
    if (dag_has_arc(g, x, y))
        return;
    assert_ok(dag_add_arc(g, x, y, &err), &err);
    ancestry_arc_added(both[0], x, y);
    ancestry_arc_added(both[1], x, y);
}

/* Some of the nodes above N_ABOVE -> HUB, and the hub above the rest; and arcs anywhere that go up in numbers. */
static void make_wide_graph(dag *g, ancestry *const *both) {
    random_stream random;
    random_stream_init(&random, random_key_of(7));
    for (size_t x = 0; x < N_ABOVE; x += 2)
        add_arc(g, both, x, N_ABOVE);
    add_arc(g, both, N_ABOVE, HUB);
    for (size_t y = HUB + 1; y < N_WIDE; y++)
        add_arc(g, both, HUB, y);
    for (size_t i = 0; i < N_OTHERS; i++) {
        size_t x = random_below(&random, N_WIDE - 1), y = x + 1 + random_below(&random, N_WIDE - 1 - x);
        if (y != HUB)
            add_arc(g, both, x, y);
    }
}

/* Ancestors as bits, which the other tests hold against searches, and ancestors that are searched for. */
static void many_losses_are_told_alike_with_rows_and_without(void **state) {
    static wide_losses told[2];
    AUTO_PTR(dag_destroy) dag *g = NULL;
    ancestry *both[2] = {NULL, NULL};
    error_info err = {0};
    (void)state;
    assert_ok(dag_create(N_WIDE, &g, &err), &err);
    assert_ok(ancestry_create(g, N_WIDE, &both[0], &err), &err);
    assert_ok(ancestry_create(g, 0, &both[1], &err), &err);
    make_wide_graph(g, both);
    assert_ok(dag_remove_arc(g, N_ABOVE, HUB, &err), &err);
    for (size_t i = 0; i < 2; i++) {
        loss_listener listener = {&told[i], note_wide};
        assert_ok(ancestry_arc_removed_told(both[i], N_ABOVE, HUB, &listener, &err), &err);
        ancestry_destroy(both[i]);
    }
    assert_true(told[0].n > (size_t)10 * N_BELOW && told[0].n < (size_t)N_ABOVE * N_BELOW);
    assert_memory_equal(&told[0], &told[1], sizeof told[0]);
}

static status refuse(void *self, size_t x, size_t z, error_info *err) {
    size_t *calls = self;
    (void)x;
    (void)z;
    ++*calls;
    return error_set(err, STATUS_MEMORY, "no memory");
}

/* The first failure of the listener is the answer, and it hears no more. */
static void a_listener_may_fail(void **state) {
    (void)state;
    for (size_t n = 4; n <= ANCESTRY_MAX_NODES + 1; n += ANCESTRY_MAX_NODES - 3) {
        AUTO_PTR(dag_destroy) dag *g = NULL;
        AUTO_PTR(ancestry_destroy) ancestry *a = NULL;
        size_t calls = 0;
        loss_listener listener = {&calls, refuse};
        error_info err = {0};
        assert_ok(dag_create(n, &g, &err), &err);
        assert_ok(ancestry_create(g, ANCESTRY_MAX_NODES, &a, &err), &err);
        for (size_t x = 0; x < 3; x++) {
            assert_ok(dag_add_arc(g, x, x + 1, &err), &err);
            ancestry_arc_added(a, x, x + 1);
        }
        assert_ok(dag_remove_arc(g, 1, 2, &err), &err);
        assert_int_equal(ancestry_arc_removed_told(a, 1, 2, &listener, &err), STATUS_MEMORY);
        assert_int_equal(calls, 1);
        assert_false(ancestry_reaches(a, 0, 3));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ancestors_are_those_of_the_graph),
        cmocka_unit_test(a_graph_without_rows_tells_its_losses),
        cmocka_unit_test(many_losses_are_told_alike_with_rows_and_without),
        cmocka_unit_test(a_listener_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
