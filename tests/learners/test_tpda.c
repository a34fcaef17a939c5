/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"
#include "tests/support/support.h"

#include "core/graph/equivalence.h"
#include "learners/base/learner.h"
#include "learners/tpda/path_finder_internal.h"
#include "learners/tpda/tpda_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static learner_result run_learner(const dataset *data, const char *const *settings, run_context *ctx) {
    const learner *l = NULL;
    learner_result result = {0};
    void *options;
    error_info err = {0};
    run_context_init(ctx, 1);
    assert_ok(learner_find("tpda", &l, &err), &err);
    options = learner_options_create(l);
    assert_non_null(options);
    for (size_t i = 0; settings[i]; i++)
        assert_ok(options_set_pair(l->options, options, settings[i], &err), &err);
    assert_ok(learner_run(l, data, options, ctx, &result, &err), &err);
    free(options);
    return result;
}

/* Draft BC and AB, then one question of A and C given B. */
static void the_forty_rows_give_the_chain_by_four_statistics(void **state) {
    static const char *const none[] = {NULL};
    dataset *data = make_forty_rows();
    run_context ctx;
    learner_result result = run_learner(data, none, &ctx);
    (void)state;
    assert_int_equal(pdag_edge_count(result.graph), 2);
    assert_true(pdag_edge_between(result.graph, 0, 1) == EDGE_UNDIRECTED);
    assert_true(pdag_edge_between(result.graph, 1, 2) == EDGE_UNDIRECTED);
    assert_int_equal(ctx.tests.requests, 4);
    assert_int_equal(ctx.tests.computed, 4);
    learner_result_clear(&result);
    dataset_destroy(data);
}

/* I(A; C | B) is 0.00432 nats: above 0.005 bits, below 0.005 nats. */
static void the_threshold_is_in_nats_or_in_bits(void **state) {
    static const char *const nats[] = {"threshold=0.005", NULL}, *const bits[] = {"threshold=0.005", "bits=true", NULL};
    dataset *data = make_forty_rows();
    run_context ctx;
    learner_result in_nats = run_learner(data, nats, &ctx), in_bits = run_learner(data, bits, &ctx);
    (void)state;
    assert_int_equal(pdag_edge_count(in_nats.graph), 2);
    assert_int_equal(pdag_edge_count(in_bits.graph), 3);
    learner_result_clear(&in_nats);
    learner_result_clear(&in_bits);
    dataset_destroy(data);
}

/* --- tables of information */

/* Marginal values by pair of four nodes; given anything, what `given` says, by the mask of the set. The questions
 * are kept. */
typedef struct {
    double marginal[4][4];
    double given[16]; /* of the pair watched; of any other pair `others` */
    double others;
    size_t watched_x, watched_y;
    size_t n_asked, asked[64][3]; /* x, y, mask */
} information_table;

static status measure_table(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double *out, error_info *err) {
    information_table *t = self;
    size_t mask = 0;
    (void)err;
    for (size_t i = 0; i < n_z; i++)
        mask |= (size_t)1 << z[i];
    assert_that(t->n_asked, <, 64);
    assert_that(x, <, y);
    t->asked[t->n_asked][0] = x;
    t->asked[t->n_asked][1] = y;
    t->asked[t->n_asked++][2] = mask;
    if (n_z == 0)
        *out = t->marginal[x][y];
    else
        *out = x == t->watched_x && y == t->watched_y ? t->given[mask] : t->others;
    return STATUS_OK;
}

static pdag *search_table(information_table *t, tpda_rules rules) {
    information_source source = {t, measure_table};
    run_context ctx;
    pdag *g = NULL;
    bool is_cut_short = true;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(tpda_search(&source, 4, &rules, &ctx, &g, &is_cut_short, &err), &err);
    assert_false(is_cut_short);
    return g;
}

static void assert_asked(const information_table *t, size_t i, size_t x, size_t y, size_t mask) {
    assert_int_equal(t->asked[i][0], x);
    assert_int_equal(t->asked[i][1], y);
    assert_int_equal(t->asked[i][2], mask);
}

/* The draft is BC, AB, CD; AC, BD, AD are left in that order. */
static void the_draft_is_the_forest_of_the_strongest_pairs(void **state) {
    information_table t = {.marginal = {{0, .4, .3, .1}, {0, 0, .5, .15}, {0, 0, 0, .2}}};
    pdag *g = search_table(&t, (tpda_rules){.01, true, false});
    (void)state;
    assert_int_equal(pdag_edge_count(g), 3);
    assert_true(pdag_edge_between(g, 0, 1) == EDGE_UNDIRECTED);
    assert_true(pdag_edge_between(g, 1, 2) == EDGE_UNDIRECTED);
    assert_true(pdag_edge_between(g, 2, 3) == EDGE_UNDIRECTED);
    assert_int_equal(t.n_asked, 6 + 3);
    assert_asked(&t, 6, 0, 2, 1 << 1); /* A, C given B */
    assert_asked(&t, 7, 1, 3, 1 << 2); /* B, D given C */
    assert_asked(&t, 8, 0, 3, 1 << 1); /* A, D given B */
    pdag_destroy(g);
}

/*
 * The values that Brown et al. 2005 discuss with their Figure 1: T = 0 and X = 1 are separated by {A, B} = {2, 3}
 * alone, and information rises with either. A search that adds to the set keeps the edge; this one comes from the other
 * end.
 */
static void a_pair_that_only_both_separate_is_separated(void **state) {
    static const double values[2][3] = {{.014, .015, .032}, {.0152, .011, .030}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        information_table t = {.marginal = {{0, values[i][0], .3, .2}, {0, 0, .25, .15}, {0, 0, 0, .001}}};
        pdag *g;
        t.watched_y = 1;
        t.others = .1;
        t.given[1 << 2] = values[i][1];
        t.given[1 << 3] = values[i][2];
        g = search_table(&t, (tpda_rules){.01, true, false});
        assert_true(pdag_edge_between(g, 0, 1) == EDGE_NONE);
        pdag_destroy(g);
    }
}

/* The other way about: a member of the full set has to leave first. */
static void a_set_shrinks_until_it_separates_or_information_rises(void **state) {
    static const struct {
        double without_a, without_b;
        bool is_edge;
    } rows[] = {{.005, .05, false}, {.04, .03, true}, {.2, .2, true}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        information_table t = {.marginal = {{0, .014, .3, .2}, {0, 0, .25, .15}, {0, 0, 0, .001}}};
        pdag *g;
        t.watched_y = 1;
        t.others = .1;
        t.given[1 << 2 | 1 << 3] = .1;
        t.given[1 << 3] = rows[i].without_a;
        t.given[1 << 2] = rows[i].without_b;
        g = search_table(&t, (tpda_rules){.01, true, false});
        assert_true((pdag_edge_between(g, 0, 1) != EDGE_NONE) == rows[i].is_edge);
        pdag_destroy(g);
    }
}

/* --- the population limit */

static size_t distance(const dag *g, size_t from, size_t to) {
    size_t n = dag_node_count(g), *steps = calloc(n, sizeof *steps), found;
    for (size_t v = 0; v < n; v++)
        steps[v] = v == from ? 0 : n;
    for (size_t round = 0; round < n; round++) {
        for (size_t i = 0; i < n * n; i++) {
            size_t a = i / n, b = i % n;
            bool joined = dag_has_arc(g, a, b) || dag_has_arc(g, b, a);
            if (joined && steps[a] + 1 < steps[b])
                steps[b] = steps[a] + 1;
        }
    }
    found = steps[to];
    free(steps);
    return found;
}

/* d-separated: none; else less with every step between the two. */
static status measure_separation(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double *out,
                                 error_info *err) {
    const dag *g = self;
    bool is_separated = false;
    status st = dag_is_separated(g, x, y, z, n_z, &is_separated, err);
    *out = is_separated ? 0 : pow(0.8, (double)distance(g, x, y));
    return st;
}

static pdag *search_population(dag *g, bool is_monotone, bool by_union) {
    information_source source = {g, measure_separation};
    tpda_rules rules = {1e-6, is_monotone, by_union};
    run_context ctx;
    pdag *found = NULL;
    bool is_cut_short;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(tpda_search(&source, dag_node_count(g), &rules, &ctx, &found, &is_cut_short, &err), &err);
    return found;
}

/* Each node is joined to one before it, either way. */
static dag *make_polytree(random_stream *random, size_t n) {
    dag *g = NULL;
    error_info err = {0};
    assert_ok(dag_create(n, &g, &err), &err);
    for (size_t v = 1; v < n; v++) {
        size_t w = (size_t)random_below(random, v);
        bool forward = random_uniform(random) < 0.5;
        assert_ok(dag_add_arc(g, forward ? w : v, forward ? v : w, &err), &err);
    }
    return g;
}

static void polytrees_are_found_exactly(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(41));
    for (int round = 0; round < 100; round++) {
        dag *g = make_polytree(&random, 9);
        pdag *expected = NULL, *found = search_population(g, round % 2 == 0, round % 3 == 0);
        error_info err = {0};
        assert_ok(cpdag_from_dag(g, &expected, &err), &err);
        assert_true(pdag_is_equal(found, expected));
        pdag_destroy(expected);
        pdag_destroy(found);
        dag_destroy(g);
    }
}

static void by_all_subsets_every_graph_is_found_up_to_meeks_other_rules(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(42));
    for (int round = 0; round < 150; round++) {
        dag *g = make_random_dag(&random, 7, 0.35);
        pdag *expected = NULL, *found = search_population(g, false, round % 2 == 0);
        error_info err = {0};
        assert_ok(cpdag_from_dag(g, &expected, &err), &err);
        assert_ok(pdag_close_meek(found, &err), &err);
        assert_true(pdag_is_equal(found, expected));
        pdag_destroy(expected);
        pdag_destroy(found);
        dag_destroy(g);
    }
}

/* --- paths */

enum { NODES = 8 };

/* Marks what lies on a simple path from `at` to y; `on` is the path so far, x first. */
static void walk_paths(const pdag *g, size_t at, size_t x, size_t y, bool *on, bool *between) {
    on[at] = true;
    for (size_t next = 0; next < NODES; next++) {
        if (next == at || on[next] || pdag_edge_between(g, at, next) == EDGE_NONE || (at == x && next == y))
            continue;
        if (next == y) {
            for (size_t v = 0; v < NODES; v++)
                between[v] = between[v] || (on[v] && v != x);
        } else {
            walk_paths(g, next, x, y, on, between);
        }
    }
    on[at] = false;
}

static void nodes_between_two_are_those_on_a_simple_path(void **state) {
    random_stream random;
    path_finder *f = NULL;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(43));
    assert_ok(path_finder_create(NODES, &f, &err), &err);
    for (int round = 0; round < 300; round++) {
        dag *d = make_random_dag(&random, NODES, 0.1 + 0.3 * random_uniform(&random));
        pdag *g = NULL;
        assert_ok(pdag_from_dag(d, &g, &err), &err);
        for (size_t i = 0; i < NODES * NODES; i++) {
            size_t x = i / NODES, y = i % NODES, count, n = 0;
            bool on[NODES] = {false}, between[NODES] = {false};
            const bool *found;
            if (x == y)
                continue;
            found = path_finder_find(f, g, x, y, &count);
            walk_paths(g, x, x, y, on, between);
            for (size_t v = 0; v < NODES; v++) {
                assert_true(found[v] == between[v]);
                n += between[v];
            }
            assert_int_equal(count, n);
        }
        pdag_destroy(g);
        dag_destroy(d);
    }
    path_finder_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_forty_rows_give_the_chain_by_four_statistics),
        cmocka_unit_test(the_threshold_is_in_nats_or_in_bits),
        cmocka_unit_test(the_draft_is_the_forest_of_the_strongest_pairs),
        cmocka_unit_test(a_pair_that_only_both_separate_is_separated),
        cmocka_unit_test(a_set_shrinks_until_it_separates_or_information_rises),
        cmocka_unit_test(polytrees_are_found_exactly),
        cmocka_unit_test(by_all_subsets_every_graph_is_found_up_to_meeks_other_rules),
        cmocka_unit_test(nodes_between_two_are_those_on_a_simple_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
