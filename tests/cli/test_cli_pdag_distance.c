/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The structural Hamming distance that `learn` and `compare` print of PC and TPDA, against one that is computed here
 * from the files alone: matrices, the true CPDAG by its v-structures and Meek's rules, and a count of the pairs that
 * differ.
 */
#include "tests/support/cli_support.h"

#include "core/graph/graph_file.h"
#include "generators/catalogue/catalogue.h"

#include <stdlib.h>

enum { MOST_NODES = 64 };

/* mark[a][b]: there is an edge a - b or a -> b. */
typedef struct {
    size_t n;
    bool mark[MOST_NODES][MOST_NODES];
} matrix;

static bool is_adjacent(const matrix *m, size_t a, size_t b) {
    return m->mark[a][b] || m->mark[b][a];
}

static bool is_arrow(const matrix *m, size_t a, size_t b) {
    return m->mark[a][b] && !m->mark[b][a];
}

static bool is_line(const matrix *m, size_t a, size_t b) {
    return m->mark[a][b] && m->mark[b][a];
}

/* Meek's rules R1 to R3 for the line a - b: must it be a -> b? */
static bool is_forced(const matrix *m, size_t a, size_t b) {
    for (size_t c = 0; c < m->n; c++) {
        if (is_arrow(m, c, a) && c != b && !is_adjacent(m, c, b))
            return true;
        if (is_arrow(m, a, c) && is_arrow(m, c, b))
            return true;
        for (size_t d = 0; d < m->n; d++) {
            if (c != d && is_line(m, a, c) && is_line(m, a, d) && is_arrow(m, c, b) && is_arrow(m, d, b) &&
                !is_adjacent(m, c, d))
                return true;
        }
    }
    return false;
}

static bool force_an_edge(matrix *m) {
    for (size_t a = 0; a < m->n; a++) {
        for (size_t b = 0; b < m->n; b++) {
            if (is_line(m, a, b) && is_forced(m, a, b)) {
                m->mark[b][a] = false;
                return true;
            }
        }
    }
    return false;
}

static bool is_in_v_structure(const matrix *arcs, size_t a, size_t b) {
    for (size_t c = 0; c < arcs->n; c++) {
        if (c != a && arcs->mark[c][b] && !is_adjacent(arcs, a, c))
            return true;
    }
    return false;
}

static matrix class_of(const matrix *arcs) {
    matrix m = {.n = arcs->n};
    for (size_t a = 0; a < m.n; a++) {
        for (size_t b = 0; b < m.n; b++) {
            if (arcs->mark[a][b]) {
                m.mark[a][b] = true;
                m.mark[b][a] = !is_in_v_structure(arcs, a, b);
            }
        }
    }
    while (force_an_edge(&m))
        continue;
    return m;
}

static matrix true_class(const bayes_net *net) {
    const dag *g = bayes_net_dag(net);
    matrix arcs = {.n = dag_node_count(g)};
    assert_that(arcs.n, <=, MOST_NODES);
    for (size_t b = 0; b < arcs.n; b++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, b, &n_parents);
        for (size_t k = 0; k < n_parents; k++)
            arcs.mark[parents[k]][b] = true;
    }
    return class_of(&arcs);
}

static matrix read_learned(const bayes_net *net) {
    size_t n = dag_node_count(bayes_net_dag(net));
    const char *names[MOST_NODES];
    matrix m = {.n = n};
    named_graph g = {0};
    error_info err = {0};
    for (size_t i = 0; i < n; i++)
        names[i] = bayes_net_variable(net, i)->name;
    assert_ok(graph_read_csv(in_folder("g.csv"), names, n, &g, &err), &err);
    for (size_t a = 0; a < n; a++) {
        size_t n_edges;
        const pdag_edge *edges = pdag_edges(g.graph, a, &n_edges);
        for (size_t k = 0; k < n_edges; k++)
            m.mark[a][edges[k].node] = edges[k].kind != EDGE_IN;
    }
    named_graph_clear(&g);
    return m;
}

typedef struct {
    size_t shd, missing, extra;
} counts;

static counts pairs_that_differ(const matrix *learned, const matrix *truth) {
    counts c = {0};
    for (size_t a = 0; a < truth->n; a++) {
        for (size_t b = a + 1; b < truth->n; b++) {
            bool is_ours = is_adjacent(learned, a, b), is_theirs = is_adjacent(truth, a, b);
            c.shd += learned->mark[a][b] != truth->mark[a][b] || learned->mark[b][a] != truth->mark[b][a];
            c.missing += is_theirs && !is_ours;
            c.extra += is_ours && !is_theirs;
        }
    }
    return c;
}

static void check_distance(const json_t *distance, const char *whose, const counts *expected) {
    if (number_at(distance, "shd") != (double)expected->shd)
        fail_msg("%s: SHD %g, expected %zu", whose, number_at(distance, "shd"), expected->shd);
    assert_int_equal(number_at(distance, "missing"), expected->missing);
    assert_int_equal(number_at(distance, "extra"), expected->extra);
    assert_int_equal(number_at(distance, "misoriented"), expected->shd - expected->missing - expected->extra);
}

static void check_learner(const char *name, const char *learner, const bayes_net *net, const matrix *truth) {
    json_t *answer;
    matrix learned;
    counts expected;
    char whose[96];
    assert_status(0, "learn", learner, in_folder("d.csv"), "--network", name, "--json", "-o", in_folder("g.csv"));
    answer = parse_answer();
    learned = read_learned(net);
    expected = pairs_that_differ(&learned, truth);
    (void)snprintf(whose, sizeof whose, "learn %s --network %s", learner, name);
    check_distance(json_object_get(answer, "distance"), whose, &expected);
    json_decref(answer);

    assert_status(0, "compare", in_folder("g.csv"), name, "--json");
    answer = parse_answer();
    (void)snprintf(whose, sizeof whose, "compare the graph of %s with %s", learner, name);
    check_distance(answer, whose, &expected);
    json_decref(answer);
}

static void check_network(const char *name) {
    static const char *const sizes[] = {"500", "1000", "5000"}, *const seeds[] = {"1", "2", "3"};
    bayes_net *net = NULL;
    error_info err = {0};
    matrix truth;
    assert_ok(catalogue_load(name, &net, &err), &err);
    truth = true_class(net);
    for (size_t i = 0; i < 9; i++) {
        assert_status(0, "sample", name, "-n", sizes[i / 3], "--seed", seeds[i % 3], "-o", in_folder("d.csv"));
        check_learner(name, "pc", net, &truth);
        check_learner(name, "tpda", net, &truth);
    }
    bayes_net_destroy(net);
}

static void a_pdag_is_compared_as_it_was_learned(void **state) {
    (void)state;
    check_network("alarm");
    check_network("asia");
    check_network("child");
    check_network("survey");
}

static void a_pdag_of_insurance_is_compared_as_it_was_learned(void **state) {
    (void)state;
    if (!shared_path("networks"))
        skip();
    (void)setenv("BNBENCH_NETWORKS", shared_path("networks"), 1);
    check_network("insurance");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(a_pdag_is_compared_as_it_was_learned),
        cli_test(a_pdag_of_insurance_is_compared_as_it_was_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
