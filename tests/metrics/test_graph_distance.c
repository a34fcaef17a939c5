/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/graph_goldens.h"

#include "core/graph/equivalence.h"
#include "metrics/distances/graph_distance.h"
#include "metrics/distances/metric.h"

#include <math.h>

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

static graph_kind kind_of(const pdag *g) {
    error_info err = {0};
    graph_kind kind;
    assert_ok(pdag_kind(g, &kind, &err), &err);
    return kind;
}

static graph_distance measure(const pdag *learned, const pdag *truth) {
    error_info err = {0};
    graph_distance d = {0};
    assert_ok(graph_distance_measure(learned, kind_of(learned), truth, kind_of(truth), &d, &err), &err);
    return d;
}

static graph_distance distance(size_t n_nodes, const char *learned, const char *truth) {
    pdag *l = graph(n_nodes, learned), *t = graph(n_nodes, truth);
    graph_distance d = measure(l, t);
    pdag_destroy(l);
    pdag_destroy(t);
    return d;
}

static double metric(const graph_distance *d, const char *name) {
    const metric_info *m = metric_find(name);
    if (!m || !m->of_distance)
        fail_msg("there is no metric '%s'", name);
    return m->of_distance(d);
}

/* ---- worked examples ---- */

static void the_variants_agree_with_the_worked_example(void **state) {
    (void)state;
    static const char truth[] = "A>B C>B B>D";
    graph_distance d = distance(4, "A>B B>C B>D C>D", truth);
    assert_int_equal(d.shd, 4);
    assert_int_equal(d.misoriented, 3);
    assert_int_equal(d.fp, 1);
    assert_int_equal(d.fn, 0);
    assert_int_equal(d.shd_fu, 4);
    assert_int_equal(d.shd_skeleton, 1);
    assert_int_equal(d.shd_raw, 2); /* B > C turned, C > D extra */
    d = distance(4, "B>D", truth);
    assert_int_equal(d.shd, 3);
    assert_int_equal(d.misoriented, 1);
    assert_int_equal(d.shd_fu, 5);
    assert_int_equal(d.shd_skeleton, 2);
    assert_int_equal(d.shd_raw, 2);
    assert_close(d.tn, 3, 0);
}

static void rates_agree_with_the_worked_examples(void **state) {
    (void)state;
    /* Vandel et al. 2012: e = 10, m = 4, s = 2. */
    graph_distance d = {.true_edges = 10, .tp = 6, .fp = 2, .fn = 4, .tn = 33};
    assert_close(metric(&d, "precision"), .75, 1e-12);
    assert_close(metric(&d, "recall"), .6, 1e-12);
    assert_close(metric(&d, "distance_origin"), .960469, 1e-6);
    assert_close(metric(&d, "f1"), 2 * .75 * .6 / 1.35, 1e-12);
    assert_close(metric(&d, "extra_ratio"), .2, 1e-12);
    assert_close(metric(&d, "missing_ratio"), .4, 1e-12);
    assert_close(metric(&d, "edge_errors"), 6, 0);
    /* Tsamardinos et al. 2003, tiled Alarm: 9990 nodes, 13640 edges, 2572 missing, 11068 extra. */
    d = (graph_distance){.true_edges = 13640, .tp = 11068, .fp = 11068, .fn = 2572};
    d.tn = 9990. * 9989 / 2 - 11068 - 11068 - 2572;
    assert_close(metric(&d, "recall"), .811437, 1e-6);
    assert_close(metric(&d, "specificity"), .999778, 1e-6);
    assert_close(metric(&d, "distance_perfect"), .188563, 1e-6);
}

/* Their Table 1: (sensitivity, specificity) and the distance. */
static void the_distance_from_perfection_is_that_of_the_published_table(void **state) {
    (void)state;
    static const double rows[][3] = {{.98, .93, .0728}, {.91, .96, .0985}, {.98, .95, .0539}};
    for (size_t i = 0; i < 3; i++) {
        size_t found = (size_t)lround(rows[i][0] * 100), kept = (size_t)lround(rows[i][1] * 100);
        graph_distance d = {.true_edges = 100, .tp = found, .fn = 100 - found, .fp = 100 - kept, .tn = (double)kept};
        assert_true(fabs(metric(&d, "distance_perfect") - rows[i][2]) < 5.1e-5);
    }
}

static void figures_that_have_nothing_to_divide_by_are_not_numbers(void **state) {
    (void)state;
    graph_distance nothing = distance(3, "", ""), complete = distance(3, "A>B", "A>B B>C A>C");
    assert_close(metric(&nothing, "precision"), 0, 0);
    assert_true(isnan(metric(&nothing, "recall")));
    assert_true(isnan(metric(&nothing, "f1")));
    assert_true(isnan(metric(&nothing, "extra_ratio")));
    assert_close(metric(&nothing, "specificity"), 1, 0);
    assert_true(isnan(metric(&complete, "specificity")));
    assert_close(metric(&complete, "recall"), 1. / 3, 1e-12);
}

static void every_metric_has_a_name_of_its_own_and_a_summary(void **state) {
    (void)state;
    graph_distance d = distance(4, "A>B B>C", "A>B C>D");
    for (const metric_info *m = metrics_of_graphs; m->name; m++) {
        assert_true(strlen(m->summary) > 10);
        assert_true(!m->of_distance || isfinite(m->of_distance(&d)));
        assert_ptr_equal(metric_find(m->name), m);
    }
    assert_close(metric(&d, "shd"), 2, 0);
    assert_close(metric(&d, "missing_edges"), 1, 0);
    assert_close(metric(&d, "extra_edges"), 1, 0);
    assert_close(metric(&d, "misoriented_edges"), 0, 0); /* both are undirected in the CPDAGs */
    assert_close(metric(&d, "true_edges_found"), 1, 0);
    assert_close(metric(&d, "shd_fu"), 2, 0);
    assert_close(metric(&d, "shd_raw"), 2, 0);
    assert_close(metric(&d, "shd_skeleton"), 2, 0);
}

static void graphs_on_other_nodes_are_refused(void **state) {
    (void)state;
    error_info err = {0};
    graph_distance d = {.shd = 77};
    pdag *a = graph(3, "A>B"), *b = graph(4, "A>B");
    assert_int_equal(graph_distance_measure(a, GRAPH_DAG, b, GRAPH_DAG, &d, &err), STATUS_INVALID);
    assert_message_has(&err, "3 nodes, the true one 4");
    assert_int_equal(d.shd, 77);
    pdag_destroy(a);
    pdag_destroy(b);
}

/* v-structures that contradict each other: A - B - C - D with colliders at B and C, the first of which stays. */
static void a_pdag_is_compared_as_it_is_and_a_dag_as_its_class(void **state) {
    (void)state;
    error_info err = {0};
    graph_distance d;
    pdag *g = graph(4, "A>B C>B D>C"), *truth = graph(4, "A>B C>B C>D");
    assert_ok(graph_distance_measure(g, GRAPH_CPDAG, truth, GRAPH_DAG, &d, &err), &err);
    assert_int_equal(d.shd, 1); /* D > C where the truth has C - D */
    assert_int_equal(d.misoriented, 1);
    assert_int_equal(d.shd_fu, 1);
    assert_int_equal(d.shd_extended, 0);
    assert_int_equal(d.shd_raw, 1);
    assert_ok(graph_distance_measure(g, GRAPH_DAG, truth, GRAPH_DAG, &d, &err), &err);
    assert_int_equal(d.shd + d.shd_extended, 0);
    pdag_destroy(g);
    g = graph(4, "A>B B>C C>D D>A");
    assert_int_equal(graph_distance_measure(g, GRAPH_DAG, truth, GRAPH_DAG, &d, &err), STATUS_INVALID);
    assert_ok(graph_distance_measure(g, GRAPH_CPDAG, truth, GRAPH_DAG, &d, &err), &err);
    assert_int_equal(d.shd, 3); /* A > B alone is right: C > B is reversed, C - D directed, D > A extra */
    pdag_destroy(g);
    pdag_destroy(truth);
}

/* ---- properties ---- */

static pdag *random_pdag(random_stream *random, size_t n) {
    error_info err = {0};
    double density = random_uniform(random);
    pdag *g = NULL;
    assert_ok(pdag_create(n, &g, &err), &err);
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            if (random_uniform(random) < density)
                assert_ok(pdag_set_edge(g, a, b, (edge_kind)(1 + random_below(random, 3)), &err), &err);
        }
    }
    return g;
}

static size_t pairs_that_differ(const pdag *g, const pdag *h) {
    size_t n = 0;
    for (size_t a = 0; a < pdag_node_count(g); a++) {
        for (size_t b = a + 1; b < pdag_node_count(g); b++)
            n += pdag_edge_between(g, a, b) != pdag_edge_between(h, a, b);
    }
    return n;
}

static pdag *compared(const pdag *g) {
    error_info err = {0};
    pdag *out = NULL;
    if (kind_of(g) == GRAPH_DAG)
        assert_ok(pdag_pattern(g, &out, &err), &err);
    else
        assert_ok(pdag_copy(g, &out, &err), &err);
    return out;
}

static void it_is_a_distance_and_counts_pairs(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        random_stream random;
        random_stream_init(&random, random_key_of(seed));
        error_info err = {0};
        size_t n = 2 + (size_t)random_below(&random, 9);
        pdag *g = random_pdag(&random, n), *h = random_pdag(&random, n), *pg = NULL;
        pdag *cg = compared(g), *ch = compared(h);
        graph_distance self = measure(g, g), there = measure(g, h), back = measure(h, g);
        assert_ok(pdag_pattern(g, &pg, &err), &err);
        assert_int_equal(self.shd + self.shd_raw + self.shd_fu + self.misoriented + self.fp + self.fn, 0);
        assert_int_equal(there.shd, back.shd);
        assert_int_equal(there.shd_fu, back.shd_fu);
        assert_int_equal(there.shd, pairs_that_differ(cg, ch));
        assert_int_equal(there.shd_extended, pairs_that_differ(pg, ch));
        assert_int_equal(there.shd_raw, pairs_that_differ(g, h));
        assert_int_equal(there.shd, there.fp + there.fn + there.misoriented);
        assert_int_equal(there.fp, back.fn);
        assert_int_equal(there.true_edges, pdag_edge_count(h));
        assert_close(there.tn + (double)(there.tp + there.fp + there.fn), (double)(n * (n - 1) / 2), 0);
        pdag_destroy(pg);
        pdag_destroy(cg);
        pdag_destroy(ch);
        pdag_destroy(g);
        pdag_destroy(h);
    }
}

static void equivalent_dags_are_at_distance_zero(void **state) {
    (void)state;
    graph_distance d = distance(4, "A>B B>C C>D", "D>C C>B B>A");
    assert_int_equal(d.shd, 0);
    assert_int_equal(d.shd_raw, 3);
}

/* ---- reference values ---- */

static size_t golden(const json_t *pair, const char *key) {
    return (size_t)json_integer_value(json_object_get(pair, key));
}

static void check_golden_pair(const json_t *one, const json_t *other) {
    error_info err = {0};
    const json_t *pair = json_object_get(one, "pair");
    dag *a = golden_dag(one), *b = golden_dag(other);
    pdag *learned = NULL, *truth = NULL;
    assert_ok(pdag_from_dag(a, &learned, &err), &err);
    assert_ok(pdag_from_dag(b, &truth, &err), &err);
    graph_distance d = measure(learned, truth);
    assert_int_equal(d.shd, golden(pair, "shd_cpdag"));
    assert_int_equal(d.shd_raw, golden(pair, "shd_dag"));
    assert_int_equal(d.shd_skeleton, golden(pair, "hamming"));
    assert_int_equal(d.tp - d.misoriented, golden(pair, "cpdag_tp"));
    assert_int_equal(d.fp + d.misoriented, golden(pair, "cpdag_fp"));
    assert_int_equal(d.fn + d.misoriented, golden(pair, "cpdag_fn"));
    assert_int_equal(d.tp, golden(pair, "skeleton_tp"));
    assert_int_equal(d.fp, golden(pair, "skeleton_fp"));
    assert_int_equal(d.fn, golden(pair, "skeleton_fn"));
    pdag_destroy(learned);
    pdag_destroy(truth);
    dag_destroy(a);
    dag_destroy(b);
}

static void random_pairs_agree_with_the_reference(void **state) {
    (void)state;
    json_t *cases = load_graph_goldens(), *one;
    size_t i, n_checked = 0;
    json_array_foreach(cases, i, one) {
        const json_t *other = find_golden(cases, (json_int_t)golden(json_object_get(one, "pair"), "other"));
        if (other) {
            check_golden_pair(one, other);
            n_checked++;
        }
    }
    assert_true(n_checked >= 16);
    json_decref(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_variants_agree_with_the_worked_example),
        cmocka_unit_test(rates_agree_with_the_worked_examples),
        cmocka_unit_test(the_distance_from_perfection_is_that_of_the_published_table),
        cmocka_unit_test(figures_that_have_nothing_to_divide_by_are_not_numbers),
        cmocka_unit_test(every_metric_has_a_name_of_its_own_and_a_summary),
        cmocka_unit_test(graphs_on_other_nodes_are_refused),
        cmocka_unit_test(a_pdag_is_compared_as_it_is_and_a_dag_as_its_class),
        cmocka_unit_test(it_is_a_distance_and_counts_pairs),
        cmocka_unit_test(equivalent_dags_are_at_distance_zero),
        cmocka_unit_test(random_pairs_agree_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
