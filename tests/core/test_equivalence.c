/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/equivalence.h"

#include "metrics/scores/bdeu.h"
#include "tests/support/graph_goldens.h"

#include <time.h>

/* ---- graphs from letters: "A>B B-C" ---- */

static pdag *graph(size_t n_nodes, const char *edges) {
    error_info err = {0};
    pdag *g = NULL;
    assert_ok(pdag_create(n_nodes, &g, &err), &err);
    for (const char *e = edges; *e; e += e[3] ? 4 : 3) {
        edge_kind kind = e[1] == '-' ? EDGE_UNDIRECTED : EDGE_OUT;
        assert_ok(pdag_set_edge(g, (size_t)(e[0] - 'A'), (size_t)(e[2] - 'A'), kind, &err), &err);
    }
    return g;
}

static void assert_is_graph(const pdag *g, const char *edges) {
    pdag *expected = graph(pdag_node_count(g), edges);
    if (!pdag_is_equal(g, expected))
        fail_msg("the graph is not '%s'", edges);
    pdag_destroy(expected);
}

/* ---- plain definitions, for graphs of at most 12 nodes ---- */

enum { SMALL = 12 };

/* kind[a][b] is the edge seen from a. */
typedef struct {
    size_t n;
    edge_kind kind[SMALL][SMALL];
} matrix;

static matrix matrix_of(const pdag *g) {
    matrix m = {.n = pdag_node_count(g)};
    for (size_t a = 0; a < m.n; a++) {
        for (size_t b = 0; b < m.n; b++)
            m.kind[a][b] = pdag_edge_between(g, a, b);
    }
    return m;
}

static bool is_collider(const matrix *m, size_t a, size_t c, size_t b) {
    return m->kind[a][c] == EDGE_OUT && m->kind[b][c] == EDGE_OUT && m->kind[a][b] == EDGE_NONE;
}

static bool have_same_skeleton_and_colliders(const matrix *g, const matrix *h) {
    for (size_t a = 0; a < g->n; a++) {
        for (size_t b = a + 1; b < g->n; b++) {
            if ((g->kind[a][b] == EDGE_NONE) != (h->kind[a][b] == EDGE_NONE))
                return false;
            for (size_t c = 0; c < g->n; c++) {
                if (is_collider(g, a, c, b) != is_collider(h, a, c, b))
                    return false;
            }
        }
    }
    return true;
}

static bool has_arcs_of(const matrix *g, const matrix *h) {
    for (size_t a = 0; a < g->n; a++) {
        for (size_t b = 0; b < g->n; b++) {
            if (h->kind[a][b] == EDGE_OUT && g->kind[a][b] != EDGE_OUT)
                return false;
        }
    }
    return true;
}

static bool is_extension(const matrix *d, const matrix *of) {
    return have_same_skeleton_and_colliders(d, of) && has_arcs_of(d, of);
}

static bool extends(const pdag *d, const pdag *of) {
    matrix x = matrix_of(d), y = matrix_of(of);
    return is_extension(&x, &y);
}

/* The colliders of g directed, everything else not. */
static pdag *colliders_of(const pdag *g) {
    error_info err = {0};
    pdag *out = NULL;
    matrix m = matrix_of(g);
    assert_ok(pdag_skeleton(g, &out, &err), &err);
    for (size_t a = 0; a < m.n; a++) {
        for (size_t b = a + 1; b < m.n; b++) {
            for (size_t c = 0; c < m.n; c++) {
                if (is_collider(&m, a, c, b)) {
                    assert_ok(pdag_set_edge(out, a, c, EDGE_OUT, &err), &err);
                    assert_ok(pdag_set_edge(out, b, c, EDGE_OUT, &err), &err);
                }
            }
        }
    }
    return out;
}

/* ---- every graph on four nodes ---- */

enum { NODES = 4, PAIRS = 6, ALL_DAGS = 543 };

/* The PDAG whose pairs (in the order AB AC AD BC BD CD) have the kinds that the digits of `code` to base 4 say. */
static pdag *decode(size_t code) {
    error_info err = {0};
    pdag *g = NULL;
    assert_ok(pdag_create(NODES, &g, &err), &err);
    for (size_t a = 0; a < NODES; a++) {
        for (size_t b = a + 1; b < NODES; b++, code /= 4)
            assert_ok(pdag_set_edge(g, a, b, (edge_kind)(code % 4), &err), &err);
    }
    return g;
}

enum { ALL_PDAGS = 4096 };

typedef struct {
    matrix as_matrix[ALL_DAGS];
    dag *as_dag[ALL_DAGS];
} all_dags;

static int list_all_dags(void **state) {
    all_dags *all = calloc(1, sizeof *all);
    size_t n = 0;
    for (size_t code = 0; code < ALL_PDAGS; code++) {
        pdag *g = decode(code);
        dag *d = NULL;
        if (pdag_to_dag(g, &d, NULL) == STATUS_OK) {
            assert_true(n < ALL_DAGS);
            all->as_matrix[n] = matrix_of(g);
            all->as_dag[n++] = d;
        }
        pdag_destroy(g);
    }
    *state = all;
    return n == ALL_DAGS ? 0 : -1;
}

static int destroy_all_dags(void **state) {
    all_dags *all = *state;
    for (size_t i = 0; i < ALL_DAGS; i++)
        dag_destroy(all->as_dag[i]);
    free(all);
    return 0;
}

/* What the DAGs that `belongs` picks agree on: an edge is directed if it has one direction in all
 * of them. NULL where it picks none. */
static pdag *common_graph(const all_dags *all, const matrix *of, bool (*belongs)(const matrix *, const matrix *)) {
    error_info err = {0};
    pdag *common = NULL;
    for (size_t i = 0; i < ALL_DAGS; i++) {
        const matrix *member = &all->as_matrix[i];
        if (!belongs(member, of))
            continue;
        if (!common)
            assert_ok(pdag_from_dag(all->as_dag[i], &common, &err), &err);
        for (size_t a = 0; a < NODES; a++) {
            for (size_t b = a + 1; b < NODES; b++) {
                if (member->kind[a][b] != pdag_edge_between(common, a, b))
                    assert_ok(pdag_set_edge(common, a, b, EDGE_UNDIRECTED, &err), &err);
            }
        }
    }
    return common;
}

static void the_cpdag_is_what_all_equivalent_dags_agree_on(void **state) {
    const all_dags *all = *state;
    size_t n_classes = 0;
    for (size_t i = 0; i < ALL_DAGS; i++) {
        error_info err = {0};
        size_t first = 0;
        pdag *expected = common_graph(all, &all->as_matrix[i], have_same_skeleton_and_colliders), *found = NULL;
        assert_ok(cpdag_from_dag(all->as_dag[i], &found, &err), &err);
        assert_true(pdag_is_equal(found, expected));
        while (!have_same_skeleton_and_colliders(&all->as_matrix[first], &all->as_matrix[i]))
            first++;
        n_classes += first == i;
        pdag_destroy(expected);
        pdag_destroy(found);
    }
    assert_int_equal(n_classes, 185); /* Gillispie and Perlman 2001, table 1 */
}

static void an_extension_is_found_wherever_there_is_one(void **state) {
    const all_dags *all = *state;
    size_t n_extendable = 0;
    for (size_t code = 0; code < ALL_PDAGS; code++) {
        error_info err = {0};
        pdag *g = decode(code), *as_pdag = NULL;
        dag *found = NULL;
        matrix m = matrix_of(g);
        pdag *common = common_graph(all, &m, is_extension);
        assert_ok(pdag_extend(g, &found, &err), &err);
        assert_int_equal(found != NULL, common != NULL);
        if (found) {
            assert_ok(pdag_from_dag(found, &as_pdag, &err), &err);
            assert_true(extends(as_pdag, g));
            n_extendable++;
        }
        pdag_destroy(as_pdag);
        dag_destroy(found);
        pdag_destroy(common);
        pdag_destroy(g);
    }
    assert_in_range(n_extendable, 1000, 4000);
}

/* Meek 1995, theorem 4: R1 to R4 are complete, whatever arrows were known besides the v-structures. */
static void meeks_rules_direct_what_all_extensions_agree_on(void **state) {
    const all_dags *all = *state;
    size_t n_turned = 0;
    for (size_t code = 0; code < ALL_PDAGS; code++) {
        error_info err = {0};
        pdag *g = decode(code);
        size_t n_before = pdag_directed_count(g);
        matrix m = matrix_of(g);
        pdag *common = common_graph(all, &m, is_extension);
        assert_ok(pdag_close_meek(g, &err), &err);
        if (common) {
            assert_true(pdag_is_equal(g, common));
            n_turned += pdag_directed_count(g) > n_before;
        }
        pdag_destroy(common);
        pdag_destroy(g);
    }
    assert_true(n_turned > 100);
}

static void some_dag_is_always_found_and_keeps_what_it_can(void **state) {
    (void)state;
    size_t n_used[3] = {0};
    for (size_t code = 0; code < ALL_PDAGS; code++) {
        error_info err = {0};
        pdag *g = decode(code), *found = NULL, *skeleton = NULL, *other = NULL;
        dag *extension = NULL, *plain = NULL;
        int fallback = -1;
        assert_ok(pdag_extend_anyway(g, &extension, &fallback, &err), &err);
        assert_ok(pdag_extend(g, &plain, &err), &err);
        assert_ok(pdag_from_dag(extension, &found, &err), &err);
        assert_int_equal(fallback == 0, plain != NULL);
        assert_ok(pdag_skeleton(g, &skeleton, &err), &err);
        assert_ok(pdag_skeleton(found, &other, &err), &err);
        assert_true(pdag_is_equal(skeleton, other));
        assert_in_range(fallback, 0, 2);
        n_used[fallback]++;
        if (fallback == 0)
            assert_true(extends(found, g));
        dag_destroy(plain);
        dag_destroy(extension);
        pdag_destroy(g);
        pdag_destroy(found);
        pdag_destroy(skeleton);
        pdag_destroy(other);
    }
    assert_that(n_used[0], >, 0);
    assert_that(n_used[1], >, 0);
    assert_that(n_used[2], >, 0);
}

static void assert_fallback(size_t n_nodes, const char *edges, int expected, const char *result) {
    error_info err = {0};
    pdag *g = graph(n_nodes, edges), *found = NULL;
    dag *d = NULL;
    int fallback = -1;
    assert_ok(pdag_extend_anyway(g, &d, &fallback, &err), &err);
    assert_int_equal(fallback, expected);
    assert_ok(pdag_from_dag(d, &found, &err), &err);
    assert_is_graph(found, result);
    dag_destroy(d);
    pdag_destroy(found);
    pdag_destroy(g);
}

static void the_ways_out_are_tried_one_after_the_other(void **state) {
    (void)state;
    assert_fallback(3, "A>B B-C", 0, "A>B B>C");
    assert_fallback(3, "A>B B>C C>A", 1, "C>B B>A C>A");
    /* Two cycles and the path between them: C > D lies on none and stays. */
    assert_fallback(6, "A>B B>C C>A C>D D>E E>F F>D", 1, "C>B B>A C>A C>D D>E D>F F>E");
    /* A square has no extension, but its arrows can all be kept. */
    assert_fallback(4, "A>B B-C C-D D-A", 2, "A>B C>B D>A D>C");
    /* A square that is a cycle: it loses one arrow, that of the lowest node. */
    assert_fallback(4, "A>B B>C C>D D>A", 2, "B>A B>C C>D D>A");
}

/* ---- random graphs ---- */

static void the_cpdag_is_the_closure_of_the_v_structures(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        error_info err = {0};
        dag *d = make_random_dag(&random, 2 + (size_t)random_below(&random, SMALL - 1), random_uniform(&random));
        pdag *as_pdag = NULL, *pattern = NULL, *again = NULL;
        assert_ok(pdag_from_dag(d, &as_pdag, &err), &err);
        assert_ok(cpdag_from_dag(d, &pattern, &err), &err);
        pdag *closed = colliders_of(as_pdag);
        assert_ok(pdag_close_meek(closed, &err), &err);
        assert_true(pdag_is_equal(closed, pattern));
        assert_ok(pdag_pattern(pattern, &again, &err), &err); /* and is its own pattern */
        assert_true(pdag_is_equal(again, pattern));
        pdag_destroy(again);
        pdag_destroy(closed);
        pdag_destroy(pattern);
        pdag_destroy(as_pdag);
        dag_destroy(d);
    }
}

static void a_skeleton_is_its_own_pattern(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        error_info err = {0};
        dag *d = make_random_dag(&random, SMALL, random_uniform(&random));
        pdag *as_pdag = NULL, *skeleton = NULL, *pattern = NULL;
        assert_ok(pdag_from_dag(d, &as_pdag, &err), &err);
        assert_ok(pdag_skeleton(as_pdag, &skeleton, &err), &err);
        assert_ok(pdag_pattern(skeleton, &pattern, &err), &err);
        assert_true(pdag_is_equal(skeleton, pattern));
        pdag_destroy(pattern);
        pdag_destroy(skeleton);
        pdag_destroy(as_pdag);
        dag_destroy(d);
    }
}

static void a_graph_without_extension_is_its_own_pattern(void **state) {
    (void)state;
    static const char *const graphs[] = {"A>B B>C C>A", "A>B B-C C-D D-A", "A-B B-C C-D D-A", "A>B B>C D>C C>A"};
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        error_info err = {0};
        pdag *g = graph(4, graphs[i]), *pattern = NULL;
        assert_ok(pdag_pattern(g, &pattern, &err), &err);
        assert_true(pdag_is_equal(g, pattern));
        pdag_destroy(pattern);
        pdag_destroy(g);
    }
}

static void assert_closes_to(size_t n_nodes, const char *edges, const char *closed) {
    error_info err = {0};
    pdag *g = graph(n_nodes, edges);
    assert_ok(pdag_close_meek(g, &err), &err);
    assert_is_graph(g, closed);
    pdag_destroy(g);
}

static void each_of_meeks_rules_does_what_it_says(void **state) {
    (void)state;
    assert_closes_to(3, "A>B B-C", "A>B B>C");
    assert_closes_to(3, "A>B B>C A-C", "A>B B>C A>C");
    assert_closes_to(4, "A-B A-C A-D C>B D>B", "A>B A-C A-D C>B D>B");
    assert_closes_to(4, "A-B A-C A-D D>C C>B", "A>B A-C A-D D>C C>B");
    assert_closes_to(4, "A-B B-C C-D", "A-B B-C C-D");
    assert_closes_to(4, "A>B B-C D>C", "A>B B-C D>C"); /* forced both ways */
}

static void the_worked_examples_have_their_cpdags(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"A>B C>B B>D D>E", "A>B C>B B>D D>E"},
                                           {"A>B B>C", "A-B B-C"},
                                           {"A>B B>C B>D C>D", "A-B B-C B-D C-D"},
                                           {"B>D", "B-D"},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        error_info err = {0};
        pdag *g = graph(6, cases[i][0]), *pattern = NULL;
        dag *d = NULL;
        assert_ok(pdag_to_dag(g, &d, &err), &err);
        assert_ok(cpdag_from_dag(d, &pattern, &err), &err);
        assert_is_graph(pattern, cases[i][1]);
        dag_destroy(d);
        pdag_destroy(pattern);
        pdag_destroy(g);
    }
}

/* ---- reference values ---- */

static void check_golden_cpdag(const json_t *one) {
    error_info err = {0};
    dag *d = golden_dag(one);
    pdag *expected = golden_pdag(one, json_object_get(one, "cpdag")), *found = NULL;
    assert_ok(cpdag_from_dag(d, &found, &err), &err);
    assert_true(pdag_is_equal(found, expected));
    pdag_destroy(found);
    pdag_destroy(expected);
    dag_destroy(d);
}

static size_t check_golden_extension(const json_t *one) {
    error_info err = {0};
    const json_t *golden = json_object_get(one, "pdag");
    bool extendable = json_is_true(json_object_get(golden, "extendable"));
    pdag *g = golden_pdag(one, golden), *as_pdag = NULL;
    dag *found = NULL;
    assert_ok(pdag_extend(g, &found, &err), &err);
    assert_int_equal(found != NULL, extendable);
    if (found) {
        assert_ok(pdag_from_dag(found, &as_pdag, &err), &err);
        assert_true(extends(as_pdag, g));
    }
    pdag_destroy(as_pdag);
    dag_destroy(found);
    pdag_destroy(g);
    return extendable;
}

static void cpdags_and_extensions_agree_with_the_reference(void **state) {
    (void)state;
    json_t *cases = load_graph_goldens(), *one;
    size_t i, n_extendable = 0;
    json_array_foreach(cases, i, one) {
        check_golden_cpdag(one);
        n_extendable += check_golden_extension(one);
    }
    assert_in_range(n_extendable, 5, json_array_size(cases) - 5);
    json_decref(cases);
}

/* ---- and what it is all for ---- */

static void score_all(const all_dags *all, const dataset *data, const char *name, double *scores) {
    error_info err = {0};
    const score_kind *kind;
    score *s = NULL;
    assert_ok(score_kind_find(name, &kind, &err), &err);
    assert_ok(score_create(kind, &(bdeu_options){.ess = 2}, data, NULL, &s, &err), &err);
    for (size_t i = 0; i < ALL_DAGS; i++)
        assert_ok(score_dag(s, all->as_dag[i], &scores[i], NULL, &err), &err);
    score_destroy(s);
}

static void equivalent_dags_score_alike(void **state) {
    static const char *const names[] = {"bdeu", "bic", "aic", "loglik"};
    const all_dags *all = *state;
    random_stream random;
    random_stream_init(&random, random_key_of(5));
    dataset *data = make_random_dataset(&random, 200, NODES, 4);
    for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
        double scores[ALL_DAGS];
        score_all(all, data, names[s], scores);
        for (size_t i = 0; i < ALL_DAGS; i++) {
            for (size_t j = 0; j < i; j++) {
                if (have_same_skeleton_and_colliders(&all->as_matrix[i], &all->as_matrix[j]))
                    assert_close(scores[i], scores[j], 1e-11);
            }
        }
    }
    dataset_destroy(data);
}

static void assert_large_graph_is_no_trouble(const pdag *g) {
    error_info err = {0};
    dag *d = NULL;
    pdag *pattern = NULL;
    int fallback;
    assert_ok(pdag_extend_anyway(g, &d, &fallback, &err), &err);
    assert_ok(cpdag_from_dag(d, &pattern, &err), &err);
    assert_ok(pdag_close_meek(pattern, &err), &err);
    assert_int_equal(pdag_edge_count(pattern), pdag_edge_count(g));
    pdag_destroy(pattern);
    dag_destroy(d);
}

/* A path, a star and a ring: the first two have extensions, the last has a cycle too long for recursion. */
static void half_a_million_nodes_are_no_trouble(void **state) {
    (void)state;
    enum { N = 500000 };
    clock_t start = clock();
    pdag_pair *pairs = calloc(N, sizeof *pairs);
    for (int shape = 0; shape < 3; shape++) {
        error_info err = {0};
        pdag *g = NULL;
        for (size_t i = 0; i < N; i++) {
            size_t next = shape == 1 ? 0 : (i + 1) % N;
            pairs[i] = (pdag_pair){i, next, shape == 2 ? EDGE_OUT : EDGE_UNDIRECTED};
        }
        if (shape < 2)
            pairs[shape == 1 ? 0 : N - 1].kind = EDGE_NONE;
        if (shape == 1)
            pairs[0].b = 1;
        assert_ok(pdag_from_pairs(N, pairs, N, &g, &err), &err);
        assert_large_graph_is_no_trouble(g);
        pdag_destroy(g);
    }
    free(pairs);
    assert_between((double)(clock() - start) / CLOCKS_PER_SEC, 0, 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpdag_is_what_all_equivalent_dags_agree_on),
        cmocka_unit_test(an_extension_is_found_wherever_there_is_one),
        cmocka_unit_test(meeks_rules_direct_what_all_extensions_agree_on),
        cmocka_unit_test(some_dag_is_always_found_and_keeps_what_it_can),
        cmocka_unit_test(the_ways_out_are_tried_one_after_the_other),
        cmocka_unit_test(the_cpdag_is_the_closure_of_the_v_structures),
        cmocka_unit_test(a_skeleton_is_its_own_pattern),
        cmocka_unit_test(a_graph_without_extension_is_its_own_pattern),
        cmocka_unit_test(each_of_meeks_rules_does_what_it_says),
        cmocka_unit_test(the_worked_examples_have_their_cpdags),
        cmocka_unit_test(cpdags_and_extensions_agree_with_the_reference),
        cmocka_unit_test(equivalent_dags_score_alike),
        cmocka_unit_test(half_a_million_nodes_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, list_all_dags, destroy_all_dags);
}
