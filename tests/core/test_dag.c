/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/dag.h"

#include "tests/support/graph_goldens.h"

#include <string.h>
#include <time.h>

enum { SMALL = 12 };

/* A second implementation: a matrix and its transitive closure. */
typedef struct {
    size_t n;
    bool arc[SMALL][SMALL], path[SMALL][SMALL];
} matrix;

static void close_paths(matrix *m) {
    memcpy(m->path, m->arc, sizeof m->arc);
    for (size_t i = 0; i < m->n; i++)
        m->path[i][i] = true;
    for (size_t k = 0; k < m->n; k++) {
        for (size_t i = 0; i < m->n; i++) {
            for (size_t j = 0; j < m->n; j++)
                m->path[i][j] = m->path[i][j] || (m->path[i][k] && m->path[k][j]);
        }
    }
}

static matrix matrix_of(const dag *g) {
    matrix m = {.n = dag_node_count(g)};
    for (size_t i = 0; i < m.n; i++) {
        size_t count;
        const size_t *children = dag_children(g, i, &count);
        for (size_t k = 0; k < count; k++)
            m.arc[i][children[k]] = true;
    }
    close_paths(&m);
    return m;
}

static void assert_is_matrix(const dag *g, const matrix *m) {
    size_t n_arcs = 0;
    for (size_t i = 0; i < m->n; i++) {
        size_t n_parents, n_children, p = 0, c = 0;
        const size_t *parents = dag_parents(g, i, &n_parents), *children = dag_children(g, i, &n_children);
        for (size_t j = 0; j < m->n; j++) {
            assert_int_equal(dag_has_arc(g, i, j), m->arc[i][j]);
            if (m->arc[i][j]) {
                assert_that(c, <, n_children);
                assert_int_equal(children[c++], j);
            }
            if (m->arc[j][i]) {
                assert_that(p, <, n_parents);
                assert_int_equal(parents[p++], j);
            }
        }
        assert_int_equal(p, n_parents);
        assert_int_equal(c, n_children);
        n_arcs += n_children;
    }
    assert_int_equal(dag_arc_count(g), n_arcs);
}

static int five_nodes(void **state) {
    return dag_create(5, (dag **)state, NULL) == STATUS_OK ? 0 : -1;
}

static int tear_down(void **state) {
    dag_destroy(*state);
    return 0;
}

static void an_arc_that_closes_a_cycle_is_refused(void **state) {
    dag *g = *state;
    error_info err = {0};
    assert_ok(dag_add_arc(g, 0, 1, &err), &err);
    assert_ok(dag_add_arc(g, 1, 2, &err), &err);
    assert_int_equal(dag_add_arc(g, 2, 0, &err), STATUS_INVALID);
    assert_string_equal(err.message, "arc 2 -> 0 would close a cycle");
    assert_int_equal(dag_add_arc(g, 3, 3, &err), STATUS_INVALID);
    assert_string_equal(err.message, "arc 3 -> 3 would close a cycle");
    assert_int_equal(dag_arc_count(g), 2);
}

static void arcs_that_are_there_not_there_or_out_of_range_are_refused(void **state) {
    dag *g = *state;
    error_info err = {0};
    assert_ok(dag_add_arc(g, 4, 1, &err), &err);
    assert_int_equal(dag_add_arc(g, 4, 1, &err), STATUS_INVALID);
    assert_string_equal(err.message, "arc 4 -> 1 is there already");
    assert_int_equal(dag_remove_arc(g, 1, 4, &err), STATUS_INVALID);
    assert_string_equal(err.message, "arc 1 -> 4 is not there");
    assert_int_equal(dag_add_arc(g, 5, 1, &err), STATUS_INVALID);
    assert_int_equal(dag_add_arc(g, 1, 5, &err), STATUS_INVALID);
    assert_int_equal(dag_remove_arc(g, 9, 1, &err), STATUS_INVALID);
    assert_false(dag_has_arc(g, 9, 1));
    assert_false(dag_reaches(g, 9, 9));
    assert_int_equal(dag_arc_count(g), 1);
}

static void assert_ways_around_arcs(const dag *g, const matrix *m) {
    for (size_t x = 0; x < m->n; x++) {
        for (size_t y = 0; y < m->n; y++) {
            bool expected = false;
            for (size_t z = 0; z < m->n; z++)
                expected |= z != y && m->arc[x][z] && m->path[z][y];
            if (m->arc[x][y])
                assert_int_equal(dag_reaches_otherwise(g, x, y), expected);
        }
    }
}

static void random_changes_agree_with_a_matrix_and_its_transitive_closure(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        error_info err = {0};
        matrix m = {.n = 2 + (size_t)random_below(&random, SMALL - 1)};
        dag *g = NULL;
        assert_ok(dag_create(m.n, &g, &err), &err);
        close_paths(&m);
        for (int step = 0; step < 300; step++) {
            size_t i = (size_t)random_below(&random, m.n), j = (size_t)random_below(&random, m.n);
            if (random_uniform(&random) < 0.3) {
                assert_int_equal(dag_remove_arc(g, i, j, &err) == STATUS_OK, m.arc[i][j]);
                m.arc[i][j] = false;
            } else {
                bool allowed = !m.arc[i][j] && !m.path[j][i];
                assert_int_equal(dag_add_arc(g, i, j, &err) == STATUS_OK, allowed);
                m.arc[i][j] = m.arc[i][j] || allowed;
            }
            close_paths(&m);
            size_t a = (size_t)random_below(&random, m.n), b = (size_t)random_below(&random, m.n);
            assert_int_equal(dag_reaches(g, a, b), m.path[a][b]);
            assert_ways_around_arcs(g, &m);
        }
        assert_is_matrix(g, &m);
        dag_destroy(g);
    }
}

static void a_copy_is_equal_and_goes_its_own_way(void **state) {
    (void)state;
    random_stream random;
    random_stream_init(&random, random_key_of(7));
    error_info err = {0};
    dag *g = make_random_dag(&random, SMALL, 0.4), *copy = NULL;
    matrix m = matrix_of(g);
    size_t from = 0, count = 0;
    assert_ok(dag_copy(g, &copy, &err), &err);
    assert_is_matrix(copy, &m);
    while (dag_children(copy, from, &count), count == 0)
        from++;
    assert_ok(dag_remove_arc(copy, from, dag_children(copy, from, &count)[0], &err), &err);
    assert_is_matrix(g, &m);
    assert_int_equal(dag_arc_count(copy) + 1, dag_arc_count(g));
    dag_destroy(copy);
    dag_destroy(g);
}

static void all_arcs_at_once_give_the_same_graph_in_any_order(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        error_info err = {0};
        dag *g = make_random_dag(&random, SMALL, random_uniform(&random)), *again = NULL;
        matrix m = matrix_of(g);
        size_t from[SMALL * SMALL], to[SMALL * SMALL], order[SMALL * SMALL], shuffled[2][SMALL * SMALL], n = 0;
        for (size_t i = 0; i < SMALL; i++) {
            for (size_t j = 0; j < SMALL; j++) {
                from[n] = i;
                to[n] = j;
                n += m.arc[i][j];
            }
        }
        random_permutation(&random, order, n);
        for (size_t k = 0; k < n; k++) {
            shuffled[0][k] = from[order[k]];
            shuffled[1][k] = to[order[k]];
        }
        assert_ok(dag_from_arcs(SMALL, shuffled[0], shuffled[1], n, &again, &err), &err);
        assert_is_matrix(again, &m);
        for (size_t i = 0; i < SMALL; i++) { /* its order is right from the start */
            for (size_t j = 0; j < SMALL; j++)
                assert_int_equal(dag_reaches(again, i, j), m.path[i][j]);
        }
        dag_destroy(again);
        dag_destroy(g);
    }
}

static void arcs_that_make_no_dag_are_refused_all_at_once_too(void **state) {
    (void)state;
    static const size_t from[] = {0, 1, 2, 3, 4, 2}, to[] = {1, 2, 3, 1, 0, 4};
    error_info err = {0};
    dag *g = NULL;
    assert_int_equal(dag_from_arcs(5, from, to, 6, &g, &err), STATUS_INVALID);
    assert_message_has(&err, "the arcs close a cycle through node ");
    assert_int_equal(dag_from_arcs(4, from, to, 5, &g, &err), STATUS_INVALID);
    assert_message_has(&err, "there are only 4 nodes");
    assert_int_equal(dag_from_arcs(5, (size_t[]){0, 0}, (size_t[]){1, 1}, 2, &g, &err), STATUS_INVALID);
    assert_string_equal(err.message, "arc 0 -> 1 is given twice");
    assert_int_equal(dag_from_arcs(5, (size_t[]){0}, (size_t[]){0}, 1, &g, &err), STATUS_INVALID);
    assert_int_equal(dag_from_arcs(3, (size_t[]){2, 1, 0}, (size_t[]){0, 0, 1}, 3, &g, &err), STATUS_INVALID);
    assert_null(g);
    assert_int_equal(dag_from_arcs(4, (size_t[]){0, 1, 2, 3}, (size_t[]){1, 2, 1, 0}, 4, &g, &err), STATUS_INVALID);
    assert_true(strstr(err.message, "node 1") || strstr(err.message, "node 2")); /* 0 leads there, but is on no cycle */
}

static void the_topological_order_takes_the_lowest_ready_node(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        error_info err = {0};
        dag *g = make_random_dag(&random, SMALL, random_uniform(&random));
        matrix m = matrix_of(g);
        size_t order[SMALL];
        bool placed[SMALL] = {false};
        assert_ok(dag_topological_order(g, order, &err), &err);
        for (size_t k = 0; k < SMALL; k++) {
            size_t lowest = 0;
            for (;; lowest++) {
                bool ready = !placed[lowest];
                for (size_t j = 0; j < SMALL; j++)
                    ready = ready && !(m.arc[j][lowest] && !placed[j]);
                if (ready)
                    break;
            }
            assert_int_equal(order[k], lowest);
            placed[lowest] = true;
        }
        dag_destroy(g);
    }
}

/* d-separation by Lauritzen et al. 1990: separation in the moral graph of the smallest ancestral set. */
static bool is_separated_by_moral_graph(const matrix *m, size_t x, size_t y, const bool *given) {
    bool kept[SMALL], moral[SMALL][SMALL] = {{false}}, seen[SMALL] = {false};
    for (size_t i = 0; i < m->n; i++) {
        kept[i] = m->path[i][x] || m->path[i][y];
        for (size_t z = 0; z < m->n; z++)
            kept[i] = kept[i] || (given[z] && m->path[i][z]);
    }
    for (size_t i = 0; i < m->n; i++) {
        for (size_t j = 0; j < m->n; j++) {
            bool joined = m->arc[i][j] || m->arc[j][i];
            for (size_t c = 0; c < m->n; c++)
                joined = joined || (kept[c] && m->arc[i][c] && m->arc[j][c]);
            moral[i][j] = joined && kept[i] && kept[j] && !given[i] && !given[j];
        }
    }
    seen[x] = true;
    for (size_t round = 0; round < m->n; round++) {
        for (size_t i = 0; i < m->n; i++) {
            for (size_t j = 0; seen[i] && j < m->n; j++)
                seen[j] = seen[j] || moral[i][j];
        }
    }
    return !seen[y];
}

static void d_separation_agrees_with_the_moral_graph(void **state) {
    (void)state;
    size_t n_separated = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        dag *g =
            make_random_dag(&random, 3 + (size_t)random_below(&random, SMALL - 2), 0.1 + 0.4 * random_uniform(&random));
        matrix m = matrix_of(g);
        for (int query = 0; query < 200; query++) {
            error_info err = {0};
            size_t x = (size_t)random_below(&random, m.n), y = (size_t)random_below(&random, m.n), z[SMALL], n_z = 0;
            bool given[SMALL] = {false}, separated = false;
            double share = random_uniform(&random);
            if (x == y)
                continue;
            for (size_t i = 0; i < m.n; i++) {
                if (i != x && i != y && random_uniform(&random) < share) {
                    given[i] = true;
                    z[n_z++] = i;
                }
            }
            assert_ok(dag_is_separated(g, x, y, z, n_z, &separated, &err), &err);
            assert_int_equal(separated, is_separated_by_moral_graph(&m, x, y, given));
            n_separated += separated;
        }
        dag_destroy(g);
    }
    assert_in_range(n_separated, 1000, 11000); /* both answers were asked for */
}

static void queries_that_make_no_sense_are_refused(void **state) {
    dag *g = *state;
    error_info err = {0};
    bool separated;
    assert_int_equal(dag_is_separated(g, 1, 1, NULL, 0, &separated, &err), STATUS_INVALID);
    assert_int_equal(dag_is_separated(g, 1, 5, NULL, 0, &separated, &err), STATUS_INVALID);
    assert_int_equal(dag_is_separated(g, 1, 2, (size_t[]){2}, 1, &separated, &err), STATUS_INVALID);
    assert_message_has(&err, "node 2 is both asked about and given");
    assert_int_equal(dag_is_separated(g, 1, 2, (size_t[]){7}, 1, &separated, &err), STATUS_INVALID);
}

static void check_golden_separations(const json_t *one, const dag *g) {
    size_t q, k;
    json_t *query, *name;
    json_array_foreach(json_object_get(one, "dsep"), q, query) {
        error_info err = {0};
        size_t z[26], n_z = 0;
        bool separated;
        json_array_foreach(json_object_get(query, "z"), k, name) {
            z[n_z++] = golden_node(name);
        }
        assert_ok(dag_is_separated(g, golden_node(json_object_get(query, "x")),
                                   golden_node(json_object_get(query, "y")), z, n_z, &separated, &err),
                  &err);
        assert_int_equal(separated, json_is_true(json_object_get(query, "dsep")));
    }
}

/* An order is valid if no node comes before one that leads to it: here by dag_reaches. */
static void check_golden_orders(const json_t *one, const dag *g) {
    size_t q;
    json_t *check;
    json_array_foreach(json_object_get(one, "order_checks"), q, check) {
        const json_t *order = json_object_get(check, "order");
        bool valid = true;
        for (size_t i = 0; i < json_array_size(order); i++) {
            for (size_t j = i + 1; j < json_array_size(order); j++)
                valid = valid &&
                        !dag_reaches(g, golden_node(json_array_get(order, j)), golden_node(json_array_get(order, i)));
        }
        assert_int_equal(valid, json_is_true(json_object_get(check, "valid")));
    }
}

static void separations_and_orders_agree_with_the_reference(void **state) {
    (void)state;
    json_t *cases = load_graph_goldens(), *one;
    size_t i;
    json_array_foreach(cases, i, one) {
        dag *g = golden_dag(one);
        check_golden_separations(one, g);
        check_golden_orders(one, g);
        dag_destroy(g);
    }
    json_decref(cases);
}

static double cpu_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Far above what it takes (0.1 s), far below what a step of O(n) for each arc would take (minutes). */
static void half_a_million_nodes_are_no_trouble(void **state) {
    (void)state;
    enum { N = 500000 };
    double start = cpu_seconds();
    error_info err = {0};
    dag *g = NULL;
    size_t *from = calloc(N, sizeof *from), *to = calloc(N, sizeof *to);
    bool separated = true;
    for (size_t i = 0; i + 1 < N; i++) { /* a path against the numbering */
        from[i] = i + 1;
        to[i] = i;
    }
    assert_ok(dag_from_arcs(N, from, to, N - 1, &g, &err), &err);
    assert_true(dag_reaches(g, N - 1, 0));
    assert_int_equal(dag_add_arc(g, 0, N - 1, &err), STATUS_INVALID);
    assert_ok(dag_is_separated(g, 0, N - 1, NULL, 0, &separated, &err), &err);
    assert_false(separated);
    assert_ok(dag_topological_order(g, to, &err), &err);
    assert_int_equal(to[0], N - 1);
    dag_destroy(g);
    assert_ok(dag_create(N, &g, &err), &err);
    for (size_t i = 0; i + 1 < N; i++)
        assert_ok(dag_add_arc(g, i, i + 1, &err), &err);
    dag_destroy(g);
    free(from);
    free(to);
    assert_between(cpu_seconds() - start, 0, 20);
}

static void a_graph_without_nodes_is_a_graph(void **state) {
    (void)state;
    error_info err = {0};
    dag *g = NULL, *copy = NULL;
    size_t order[1];
    assert_ok(dag_create(0, &g, &err), &err);
    assert_ok(dag_copy(g, &copy, &err), &err);
    assert_ok(dag_topological_order(g, order, &err), &err);
    assert_int_equal(dag_node_count(copy), 0);
    assert_int_equal(dag_add_arc(g, 0, 1, &err), STATUS_INVALID);
    dag_destroy(copy);
    dag_destroy(g);
    dag_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_arc_that_closes_a_cycle_is_refused, five_nodes, tear_down),
        cmocka_unit_test_setup_teardown(arcs_that_are_there_not_there_or_out_of_range_are_refused, five_nodes,
                                        tear_down),
        cmocka_unit_test(random_changes_agree_with_a_matrix_and_its_transitive_closure),
        cmocka_unit_test(a_copy_is_equal_and_goes_its_own_way),
        cmocka_unit_test(all_arcs_at_once_give_the_same_graph_in_any_order),
        cmocka_unit_test(arcs_that_make_no_dag_are_refused_all_at_once_too),
        cmocka_unit_test(the_topological_order_takes_the_lowest_ready_node),
        cmocka_unit_test(d_separation_agrees_with_the_moral_graph),
        cmocka_unit_test_setup_teardown(queries_that_make_no_sense_are_refused, five_nodes, tear_down),
        cmocka_unit_test(separations_and_orders_agree_with_the_reference),
        cmocka_unit_test(half_a_million_nodes_are_no_trouble),
        cmocka_unit_test(a_graph_without_nodes_is_a_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
