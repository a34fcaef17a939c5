/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Insertions that wait, against looking at every edge of their paths. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "learners/ges/ges_waiting_internal.h"

enum { NODES = 9, ARROWS = 40, LONGEST = 5 };

typedef struct {
    size_t nodes[LONGEST]; /* from x's predecessor back to y */
    size_t n;
    bool waits;
} path;

static bool is_passable(const pdag *g, size_t from, size_t to) {
    edge_kind kind = pdag_edge_between(g, from, to);
    return kind == EDGE_OUT || kind == EDGE_UNDIRECTED;
}

static bool is_whole(const pdag *g, const path *p, size_t x) {
    bool whole = is_passable(g, p->nodes[0], x);
    for (size_t i = 1; i < p->n; i++)
        whole = whole && is_passable(g, p->nodes[i], p->nodes[i - 1]);
    return whole;
}

/* Undirected edges between all nodes. */
static pdag *make_graph(void) {
    error_info err = {0};
    pdag *g = NULL;
    assert_ok(pdag_create(NODES, &g, &err), &err);
    for (size_t a = 0; a < NODES; a++) {
        for (size_t b = 0; b < a; b++)
            assert_ok(pdag_set_edge(g, a, b, EDGE_UNDIRECTED, &err), &err);
    }
    return g;
}

/* The path goes around a circle, by one node or by two. */
static void add_arrow(ges_waiting *w, random_stream *random, uint32_t number, path *p, size_t *x) {
    error_info err = {0};
    size_t step = 1 + (size_t)random_below(random, 2);
    *x = (size_t)random_below(random, NODES);
    p->n = 1 + (size_t)random_below(random, LONGEST);
    p->waits = true;
    for (size_t i = 0; i < p->n; i++)
        p->nodes[i] = (*x + (i + 1) * step) % NODES;
    assert_ok(ges_waiting_add(w, &(ges_arrow){.x = (uint32_t)*x, .y = number}, p->nodes, p->n, &err), &err);
}

/* Directs an edge, if it has no direction, and takes from the heap what that released: the arrows whose path is whole
 * no more. */
static bool turn_and_look(ges_waiting *w, random_stream *random, pdag *g, path *paths, const size_t *x,
                          const uint32_t *stamp) {
    error_info err = {0};
    ges_arrows heap = {0};
    size_t from = (size_t)random_below(random, NODES),
           to = (from + 1 + (size_t)random_below(random, NODES - 1)) % NODES;
    if (pdag_edge_between(g, from, to) != EDGE_UNDIRECTED)
        return false;
    assert_ok(pdag_set_edge(g, from, to, EDGE_OUT, &err), &err);
    assert_ok(ges_waiting_release(w, g, (const size_t[]){from, to}, 2, stamp, &heap, &err), &err);
    while (heap.count > 0) {
        path *p = &paths[ges_arrows_pop(&heap).y];
        assert_true(p->waits);
        p->waits = false;
    }
    for (size_t i = 0; i < ARROWS; i++)
        assert_true(stamp[i] > 0 || paths[i].waits == is_whole(g, &paths[i], x[i]));
    ges_arrows_clear(&heap);
    return true;
}

/* Nothing but what waits and is not stale. */
static void assert_holds_nothing_else(const ges_waiting *w, const path *paths, const uint32_t *stamp) {
    size_t n_arrows = 0, n_watchers = 0;
    for (size_t i = 0; i < ARROWS; i++) {
        bool is_held = paths[i].waits && stamp[i] == 0;
        n_arrows += is_held;
        n_watchers += is_held ? paths[i].n : 0;
    }
    assert_int_equal(w->n_arrows, n_arrows);
    assert_int_equal(w->n_watchers, n_watchers);
}

/* One arrow after the other goes stale. What waits no more is dropped at every step, or never. */
static void walk(random_stream *random, bool drops) {
    error_info err = {0};
    ges_waiting w = {0};
    pdag *g = make_graph();
    path paths[ARROWS];
    size_t x[ARROWS];
    uint32_t stamp[ARROWS] = {0};
    assert_ok(ges_waiting_init(&w, NODES, &err), &err);
    for (uint32_t i = 0; i < ARROWS; i++)
        add_arrow(&w, random, i, &paths[i], &x[i]);
    for (size_t i = 0; i < 12; i++) {
        w.most = drops ? 0 : w.most;
        if (turn_and_look(&w, random, g, paths, x, stamp) && drops)
            assert_holds_nothing_else(&w, paths, stamp);
        stamp[random_below(random, ARROWS)]++;
    }
    assert_true(drops || w.n_arrows == ARROWS);
    ges_waiting_clear(&w);
    pdag_destroy(g);
}

static void an_arrow_waits_until_its_path_is_broken(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(62));
    for (size_t round = 0; round < 50; round++)
        walk(&random, false);
}

static void what_waits_no_more_is_dropped_and_all_else_stays(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(63));
    for (size_t round = 0; round < 50; round++)
        walk(&random, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arrow_waits_until_its_path_is_broken),
        cmocka_unit_test(what_waits_no_more_is_dropped_and_all_else_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
