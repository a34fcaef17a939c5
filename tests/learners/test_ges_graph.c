/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of a CPDAG that grows by insertions and loses edges again, against a plain search. */
#include "tests/support/cliques.h"
#include "tests/support/support.h"

#include "core/base/random.h"
#include "learners/ges/ges_graph_internal.h"

enum { NODES = 14, OPERATORS = 60, ROUNDS = 60 };

static bool is_in(const size_t *items, size_t n, size_t item) {
    for (size_t i = 0; i < n; i++) {
        if (items[i] == item)
            return true;
    }
    return false;
}

static bool reaches(const pdag *g, size_t from, size_t to, const size_t *blocked, size_t n_blocked) {
    bool is_reached[NODES] = {false};
    size_t queue[NODES] = {from};
    is_reached[from] = true;
    for (size_t head = 0, tail = 1; head < tail; head++) {
        for (size_t z = 0; z < NODES; z++) {
            edge_kind kind = z == queue[head] ? EDGE_NONE : pdag_edge_between(g, queue[head], z);
            if ((kind != EDGE_OUT && kind != EDGE_UNDIRECTED) || is_reached[z] || is_in(blocked, n_blocked, z))
                continue;
            is_reached[z] = true;
            queue[tail++] = z;
        }
    }
    return is_reached[to];
}

/* Past NA(Y, X), of all pairs that are not adjacent; and the path is one. */
static void check_paths(ges_graph *g) {
    const pdag *class = g->class.cpdag;
    for (size_t y = 0; y < NODES; y++) {
        for (size_t x = 0; x < NODES; x++) {
            size_t shared[NODES], n_shared, path[NODES], n;
            bool is_open;
            if (x == y || pdag_edge_between(class, x, y) != EDGE_NONE)
                continue;
            n_shared = ges_graph_shared(g, y, x, shared);
            is_open = ges_graph_reaches(g, y, x, shared, n_shared);
            assert_int_equal(is_open, reaches(class, y, x, shared, n_shared));
            n = is_open ? ges_graph_path(g, y, x, path) : 0;
            for (size_t i = 0; i < n; i++) {
                edge_kind kind = pdag_edge_between(class, path[i], i > 0 ? path[i - 1] : x);
                assert_true(kind == EDGE_OUT || kind == EDGE_UNDIRECTED);
            }
            assert_true(n == 0 || path[n - 1] == y);
        }
    }
}

/* With all of NA(Y, X) taken along, without more. False where it is not valid. */
static bool apply(ges_graph *g, size_t x, size_t y) {
    const pdag *class = g->class.cpdag;
    edge_kind kind = pdag_edge_between(class, x, y);
    size_t shared[NODES], n_shared = ges_graph_shared(g, y, x, shared);
    ges_operator op = {x, y, NULL, 0};
    error_info err = {0};
    if (kind == EDGE_IN || !is_clique(class, shared, n_shared))
        return false;
    if (kind == EDGE_NONE && reaches(class, y, x, shared, n_shared))
        return false;
    assert_ok(ges_graph_apply(g, kind == EDGE_NONE ? GES_INSERT : GES_DELETE, &op, &err), &err);
    return true;
}

static void paths_are_those_of_a_plain_search(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(64));
    for (size_t round = 0; round < ROUNDS; round++) {
        ges_graph g = {0};
        error_info err = {0};
        assert_ok(ges_graph_init(&g, NODES, &err), &err);
        for (size_t i = 0; i < OPERATORS; i++) {
            size_t x = (size_t)random_below(&random, NODES), y = (size_t)random_below(&random, NODES);
            bool is_rare = x != y && pdag_edge_between(g.class.cpdag, x, y) != EDGE_NONE && i % 3 > 0;
            if (x != y && !is_rare && apply(&g, x, y))
                check_paths(&g);
        }
        ges_graph_clear(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_those_of_a_plain_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
