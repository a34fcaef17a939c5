/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/pdag.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SMALL = 9 };

/* A second implementation: kind[a][b] is the edge seen from a. */
typedef struct {
    size_t n;
    edge_kind kind[SMALL][SMALL];
} matrix;

static edge_kind from_the_other_side(edge_kind kind) {
    static const edge_kind other[] = {EDGE_NONE, EDGE_IN, EDGE_OUT, EDGE_UNDIRECTED};
    return other[kind];
}

static void set(matrix *m, size_t a, size_t b, edge_kind kind) {
    m->kind[a][b] = kind;
    m->kind[b][a] = from_the_other_side(kind);
}

static void assert_is_matrix(const pdag *g, const matrix *m) {
    size_t n_entries = 0, n_directed = 0;
    assert_int_equal(pdag_node_count(g), m->n);
    for (size_t a = 0; a < m->n; a++) {
        size_t count, k = 0;
        const pdag_edge *edges = pdag_edges(g, a, &count);
        for (size_t b = 0; b < m->n; b++) {
            assert_int_equal(pdag_edge_between(g, a, b), m->kind[a][b]);
            if (m->kind[a][b] == EDGE_NONE)
                continue;
            assert_that(k, <, count);
            assert_int_equal(edges[k].node, b);
            assert_int_equal(edges[k].kind, m->kind[a][b]);
            k++;
            n_directed += m->kind[a][b] == EDGE_OUT;
        }
        assert_int_equal(k, count);
        n_entries += count;
    }
    assert_int_equal(2 * pdag_edge_count(g), n_entries);
    assert_int_equal(pdag_directed_count(g), n_directed);
}

static matrix random_matrix(random_stream *random) {
    matrix m = {.n = 2 + (size_t)random_below(random, SMALL - 1)};
    double density = random_uniform(random);
    for (size_t a = 0; a < m.n; a++) {
        for (size_t b = a + 1; b < m.n; b++) {
            if (random_uniform(random) < density)
                set(&m, a, b, (edge_kind)(1 + random_below(random, 3)));
        }
    }
    return m;
}

static pdag *graph_of(const matrix *m) {
    error_info err = {0};
    pdag *g = NULL;
    assert_ok(pdag_create(m->n, &g, &err), &err);
    for (size_t a = 0; a < m->n; a++) {
        for (size_t b = a + 1; b < m->n; b++)
            assert_ok(pdag_set_edge(g, a, b, m->kind[a][b], &err), &err);
    }
    return g;
}

static void random_changes_agree_with_a_matrix(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        error_info err = {0};
        matrix m = {.n = SMALL};
        pdag *g = graph_of(&m);
        for (int step = 0; step < 400; step++) {
            size_t a = (size_t)random_below(&random, SMALL), b = (size_t)random_below(&random, SMALL);
            edge_kind kind = (edge_kind)random_below(&random, 4);
            if (a == b)
                continue;
            set(&m, a, b, kind);
            assert_ok(pdag_set_edge(g, a, b, kind, &err), &err);
        }
        assert_is_matrix(g, &m);
        pdag_destroy(g);
    }
}

static void edges_out_of_range_or_to_itself_are_refused(void **state) {
    (void)state;
    error_info err = {0};
    pdag *g = NULL, *other = NULL;
    assert_ok(pdag_create(3, &g, &err), &err);
    assert_ok(pdag_set_edge(g, 0, 1, EDGE_IN, &err), &err);
    assert_int_equal(pdag_set_edge(g, 1, 1, EDGE_OUT, &err), STATUS_INVALID);
    assert_message_has(&err, "no edge to itself");
    assert_int_equal(pdag_set_edge(g, 0, 3, EDGE_OUT, &err), STATUS_INVALID);
    assert_int_equal(pdag_set_edge(g, 3, 0, EDGE_NONE, &err), STATUS_INVALID);
    assert_int_equal(pdag_edge_between(g, 7, 0), EDGE_NONE);
    assert_int_equal(pdag_edge_count(g), 1);
    assert_int_equal(pdag_from_pairs(3, (pdag_pair[]){{0, 3, EDGE_OUT}}, 1, &other, &err), STATUS_INVALID);
    assert_int_equal(pdag_from_pairs(3, (pdag_pair[]){{1, 1, EDGE_OUT}}, 1, &other, &err), STATUS_INVALID);
    assert_int_equal(pdag_from_pairs(3, (pdag_pair[]){{0, 2, EDGE_OUT}, {2, 0, EDGE_OUT}}, 2, &other, &err),
                     STATUS_INVALID);
    assert_message_has(&err, "nodes 0 and 2 have two edges");
    assert_null(other);
    pdag_destroy(g);
}

static void all_pairs_at_once_give_the_same_graph_in_any_order(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        error_info err = {0};
        matrix m = random_matrix(&random);
        pdag_pair pairs[SMALL * SMALL];
        size_t order[SMALL * SMALL], n = m.n * (m.n - 1) / 2, at = 0;
        pdag *g = graph_of(&m), *again = NULL;
        random_permutation(&random, order, n);
        for (size_t a = 0; a < m.n; a++) { /* kinds EDGE_NONE too, and from either end */
            for (size_t b = a + 1; b < m.n; b++, at++) {
                bool turned = random_uniform(&random) < 0.5;
                pairs[order[at]] = turned ? (pdag_pair){b, a, m.kind[b][a]} : (pdag_pair){a, b, m.kind[a][b]};
            }
        }
        assert_ok(pdag_from_pairs(m.n, pairs, n, &again, &err), &err);
        assert_is_matrix(again, &m);
        assert_true(pdag_is_equal(g, again));
        pdag_destroy(again);
        pdag_destroy(g);
    }
}

static void graphs_are_equal_only_with_the_same_edges(void **state) {
    (void)state;
    random_stream random;
    random_stream_init(&random, random_key_of(3));
    error_info err = {0};
    matrix m = random_matrix(&random);
    pdag *g = graph_of(&m), *copy = NULL;
    assert_ok(pdag_copy(g, &copy, &err), &err);
    assert_is_matrix(copy, &m);
    assert_true(pdag_is_equal(g, copy));
    for (edge_kind kind = EDGE_NONE; kind <= EDGE_UNDIRECTED; kind++) {
        assert_ok(pdag_set_edge(copy, 0, 1, kind, &err), &err);
        assert_int_equal(pdag_is_equal(g, copy), kind == m.kind[0][1]);
    }
    assert_is_matrix(g, &m);
    pdag_destroy(copy);
    pdag_destroy(g);
}

static void a_dag_comes_back_as_it_went(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        error_info err = {0};
        dag *g = make_random_dag(&random, SMALL, random_uniform(&random)), *back = NULL;
        pdag *p = NULL;
        assert_ok(pdag_from_dag(g, &p, &err), &err);
        assert_int_equal(pdag_directed_count(p), dag_arc_count(g));
        assert_ok(pdag_to_dag(p, &back, &err), &err);
        assert_int_equal(dag_arc_count(back), dag_arc_count(g));
        for (size_t a = 0; a < SMALL; a++) {
            for (size_t b = 0; b < SMALL; b++) {
                assert_int_equal(pdag_edge_between(p, a, b) == EDGE_OUT, dag_has_arc(g, a, b));
                assert_int_equal(dag_has_arc(back, a, b), dag_has_arc(g, a, b));
            }
        }
        pdag_destroy(p);
        dag_destroy(back);
        dag_destroy(g);
    }
}

static void what_is_no_dag_says_what_is_in_the_way(void **state) {
    (void)state;
    error_info err = {0};
    pdag *g = NULL;
    dag *d = NULL;
    assert_ok(pdag_create(4, &g, &err), &err);
    assert_ok(pdag_set_edge(g, 0, 1, EDGE_OUT, &err), &err);
    assert_ok(pdag_set_edge(g, 1, 2, EDGE_OUT, &err), &err);
    assert_ok(pdag_set_edge(g, 2, 3, EDGE_UNDIRECTED, &err), &err);
    assert_int_equal(pdag_to_dag(g, &d, &err), STATUS_INVALID);
    assert_message_has(&err, "the edge between nodes 2 and 3 is undirected");
    assert_ok(pdag_set_edge(g, 2, 3, EDGE_NONE, &err), &err);
    assert_ok(pdag_set_edge(g, 2, 0, EDGE_OUT, &err), &err);
    assert_int_equal(pdag_to_dag(g, &d, &err), STATUS_INVALID);
    assert_message_has(&err, "cycle");
    assert_null(d);
    pdag_destroy(g);
}

static void the_skeleton_has_the_same_pairs_without_directions(void **state) {
    (void)state;
    random_stream random;
    random_stream_init(&random, random_key_of(11));
    for (int i = 0; i < 30; i++) {
        error_info err = {0};
        matrix m = random_matrix(&random);
        pdag *g = graph_of(&m), *skeleton = NULL;
        assert_ok(pdag_skeleton(g, &skeleton, &err), &err);
        for (size_t a = 0; a < m.n; a++) {
            for (size_t b = 0; b < m.n; b++)
                m.kind[a][b] = m.kind[a][b] == EDGE_NONE ? EDGE_NONE : EDGE_UNDIRECTED;
        }
        assert_is_matrix(skeleton, &m);
        pdag_destroy(skeleton);
        pdag_destroy(g);
    }
}

/* A hub with half a million neighbours that come in the worst order. */
static void half_a_million_nodes_are_no_trouble(void **state) {
    (void)state;
    enum { N = 500000 };
    clock_t start = clock();
    error_info err = {0};
    pdag *g = NULL, *copy = NULL;
    dag *d = NULL;
    pdag_pair *pairs = calloc(N, sizeof *pairs);
    for (size_t i = 1; i < N; i++)
        pairs[i] = (pdag_pair){N - i, 0, EDGE_OUT};
    assert_ok(pdag_from_pairs(N, pairs + 1, N - 1, &g, &err), &err);
    assert_int_equal(pdag_edge_between(g, 0, N / 2), EDGE_IN);
    assert_ok(pdag_copy(g, &copy, &err), &err);
    assert_true(pdag_is_equal(g, copy));
    assert_ok(pdag_to_dag(g, &d, &err), &err);
    assert_int_equal(dag_arc_count(d), N - 1);
    dag_destroy(d);
    pdag_destroy(copy);
    pdag_destroy(g);
    free(pairs);
    assert_between((double)(clock() - start) / CLOCKS_PER_SEC, 0, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_changes_agree_with_a_matrix),
        cmocka_unit_test(edges_out_of_range_or_to_itself_are_refused),
        cmocka_unit_test(all_pairs_at_once_give_the_same_graph_in_any_order),
        cmocka_unit_test(graphs_are_equal_only_with_the_same_edges),
        cmocka_unit_test(a_dag_comes_back_as_it_went),
        cmocka_unit_test(what_is_no_dag_says_what_is_in_the_way),
        cmocka_unit_test(the_skeleton_has_the_same_pairs_without_directions),
        cmocka_unit_test(half_a_million_nodes_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
