/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"
#include "tests/support/cliques.h"
#include "tests/support/support.h"

#include "core/base/array.h"
#include "core/graph/equivalence.h"
#include "core/graph/pdag.h"
#include "generators/sampling/sampling.h"
#include "learners/base/learner.h"
#include "learners/ges/ges_graph_internal.h"
#include "metrics/scores/bdeu.h"
#include "tests/learners/ges_reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- runs ---- */

static status try_ges(const dataset *data, const char *const *settings, run_context *ctx, learner_result *result,
                      error_info *err) {
    const learner *ges = NULL;
    status st;
    void *options;
    assert_ok(learner_find("ges", &ges, err), err);
    options = learner_options_create(ges);
    assert_non_null(options);
    for (; settings && *settings; settings += 2)
        assert_ok(options_set(ges->options, options, settings[0], settings[1], err), err);
    st = learner_run(ges, data, options, ctx, result, err);
    free(options);
    return st;
}

static learner_result run_traced_ges(const dataset *data, const char *const *settings, trace *t) {
    learner_result result = {0};
    error_info err = {0};
    run_context ctx;
    run_context_init(&ctx, 1);
    ctx.trace = t;
    assert_ok(try_ges(data, settings, &ctx, &result, &err), &err);
    assert_false(result.is_cut_short);
    return result;
}

static learner_result run_ges(const dataset *data, const char *const *settings) {
    return run_traced_ges(data, settings, NULL);
}

static score *make_bdeu(const dataset *data, double ess) {
    const score_kind *kind = NULL;
    score *s = NULL;
    error_info err = {0};
    assert_ok(score_kind_find("bdeu", &kind, &err), &err);
    assert_ok(score_create(kind, &(bdeu_options){.ess = ess}, data, NULL, &s, &err), &err);
    return s;
}

/* ---- operators: worked examples ---- */

/* A CPDAG of undirected edges given as pairs of nodes. */
static ges_graph make_graph(size_t n_nodes, const size_t *ends, size_t n_edges) {
    ges_graph g = {0};
    error_info err = {0};
    assert_ok(ges_graph_init(&g, n_nodes, &err), &err);
    for (size_t i = 0; i < n_edges; i++)
        assert_ok(pdag_set_edge(g.class.cpdag, ends[2 * i], ends[2 * i + 1], EDGE_UNDIRECTED, &err), &err);
    for (size_t i = 0; i < n_edges; i++)
        assert_ok(pdag_set_edge(g.class.member, ends[2 * i], ends[2 * i + 1], EDGE_OUT, &err), &err);
    return g;
}

static void an_insertion_across_a_chain_gives_the_undirected_triangle(void **state) {
    ges_graph g = make_graph(3, (const size_t[]){0, 1, 1, 2}, 2);
    error_info err = {0};
    size_t shared[3], blocked = 1;
    (void)state;
    assert_int_equal(ges_graph_shared(&g, 2, 0, shared), 1);
    assert_int_equal(shared[0], 1);
    assert_false(ges_graph_reaches(&g, 2, 0, &blocked, 1));
    assert_true(ges_graph_reaches(&g, 2, 0, NULL, 0));
    assert_ok(ges_graph_apply(&g, GES_INSERT, &(ges_operator){0, 2, NULL, 0}, &err), &err);
    assert_int_equal(pdag_edge_count(g.class.cpdag), 3);
    assert_int_equal(pdag_directed_count(g.class.cpdag), 0);
    assert_int_equal(g.n_changed, 2);
    ges_graph_clear(&g);
}

static void the_set_t_decides_between_a_chain_and_a_collider(void **state) {
    const size_t a = 0;
    error_info err = {0};
    (void)state;
    for (size_t n_set = 0; n_set < 2; n_set++) {
        ges_graph g = make_graph(3, (const size_t[]){0, 1}, 1);
        assert_ok(ges_graph_apply(&g, GES_INSERT, &(ges_operator){2, 1, &a, n_set}, &err), &err);
        assert_int_equal(pdag_edge_between(g.class.cpdag, 0, 1), n_set ? EDGE_OUT : EDGE_UNDIRECTED);
        assert_int_equal(pdag_edge_between(g.class.cpdag, 2, 1), n_set ? EDGE_OUT : EDGE_UNDIRECTED);
        assert_int_equal(pdag_edge_between(g.class.cpdag, 0, 2), EDGE_NONE);
        ges_graph_clear(&g);
    }
}

static void a_deletion_from_a_triangle_gives_a_chain_or_a_collider(void **state) {
    const size_t c = 2;
    error_info err = {0};
    (void)state;
    for (size_t n_set = 0; n_set < 2; n_set++) {
        ges_graph g = make_graph(3, (const size_t[]){0, 1, 1, 2, 0, 2}, 3);
        assert_ok(ges_graph_apply(&g, GES_DELETE, &(ges_operator){0, 1, &c, n_set}, &err), &err);
        assert_int_equal(pdag_edge_count(g.class.cpdag), 2);
        assert_int_equal(pdag_edge_between(g.class.cpdag, 0, 2), n_set ? EDGE_OUT : EDGE_UNDIRECTED);
        assert_int_equal(pdag_edge_between(g.class.cpdag, 1, 2), n_set ? EDGE_OUT : EDGE_UNDIRECTED);
        ges_graph_clear(&g);
    }
}

/* ---- operators: against the whole graph, extended and labelled anew ---- */

static pdag *apply_to_whole_graph(const pdag *before, ges_phase phase, const ges_operator *op) {
    pdag *marked = NULL, *after = NULL;
    dag *member = NULL;
    error_info err = {0};
    assert_ok(pdag_copy(before, &marked, &err), &err);
    assert_ok(pdag_set_edge(marked, op->x, op->y, phase == GES_INSERT ? EDGE_OUT : EDGE_NONE, &err), &err);
    for (size_t i = 0; i < op->n_set; i++) {
        size_t z = op->set[i];
        assert_ok(pdag_set_edge(marked, op->y, z, phase == GES_INSERT ? EDGE_IN : EDGE_OUT, &err), &err);
        if (phase == GES_DELETE && pdag_edge_between(marked, op->x, z) == EDGE_UNDIRECTED)
            assert_ok(pdag_set_edge(marked, op->x, z, EDGE_OUT, &err), &err);
    }
    assert_ok(pdag_extend(marked, &member, &err), &err);
    assert_non_null(member);
    assert_ok(cpdag_from_dag(member, &after, &err), &err);
    dag_destroy(member);
    pdag_destroy(marked);
    return after;
}

/* Parents and undirected neighbours. */
static bool has_other_surroundings(const pdag *a, const pdag *b, size_t node) {
    for (size_t z = 0; z < pdag_node_count(a); z++) {
        edge_kind x = pdag_edge_between(a, node, z), y = pdag_edge_between(b, node, z);
        if ((x == EDGE_OUT ? EDGE_NONE : x) != (y == EDGE_OUT ? EDGE_NONE : y))
            return true;
    }
    return false;
}

enum { WALK_NODES = 12 };

/* A valid operator at random on x and y, its set in `set`; false where the dice say otherwise. */
static bool draw_operator(random_stream *random, ges_graph *g, ges_phase *phase, size_t *set, ges_operator *op) {
    size_t x = (size_t)random_below(random, WALK_NODES), y = (size_t)random_below(random, WALK_NODES), n_shared;
    size_t together[2 * WALK_NODES], n_edges;
    edge_kind kind = pdag_edge_between(g->class.cpdag, x, y);
    const pdag_edge *edges = pdag_edges(g->class.cpdag, y, &n_edges);
    if (x == y || kind == EDGE_IN)
        return false;
    *phase = kind == EDGE_NONE ? GES_INSERT : GES_DELETE;
    *op = (ges_operator){x, y, set, 0};
    n_shared = ges_graph_shared(g, y, x, together);
    for (size_t i = 0; i < n_edges; i++) {
        bool is_shared = array_has_size(together, n_shared, edges[i].node);
        if (edges[i].kind == EDGE_UNDIRECTED && edges[i].node != x && is_shared == (*phase == GES_DELETE) &&
            random_below(random, 2) == 0)
            set[op->n_set++] = edges[i].node;
    }
    if (*phase == GES_INSERT) {
        memcpy(together + n_shared, set, op->n_set * sizeof *set);
        n_shared += op->n_set;
        return is_clique(g->class.cpdag, together, n_shared) && !ges_graph_reaches(g, y, x, together, n_shared);
    }
    for (size_t i = 0; i < op->n_set; i++) {
        for (size_t k = 0; k < n_shared; k++) {
            if (together[k] == set[i])
                together[k] = together[--n_shared];
        }
    }
    return is_clique(g->class.cpdag, together, n_shared);
}

static void assert_member_is_of_the_class(const ges_graph *g) {
    dag *member = NULL;
    pdag *its_class = NULL;
    error_info err = {0};
    assert_ok(pdag_to_dag(g->class.member, &member, &err), &err);
    assert_ok(cpdag_from_dag(member, &its_class, &err), &err);
    assert_true(pdag_is_equal(its_class, g->class.cpdag));
    pdag_destroy(its_class);
    dag_destroy(member);
}

static void operators_do_what_they_do_to_the_whole_graph(void **state) {
    random_stream random;
    size_t n_applied[2] = {0};
    (void)state;
    random_stream_init(&random, random_key_of(2002));
    for (int walk = 0; walk < 40; walk++) {
        ges_graph g = make_graph(WALK_NODES, NULL, 0);
        for (int step = 0; step < 1500; step++) {
            size_t set[WALK_NODES], at = 0;
            ges_phase phase;
            ges_operator op;
            pdag *before = NULL, *expected;
            error_info err = {0};
            if (!draw_operator(&random, &g, &phase, set, &op) || (phase == GES_DELETE && step % 3 > 0))
                continue; /* more insertions, so that graphs become dense */
            assert_ok(pdag_copy(g.class.cpdag, &before, &err), &err);
            expected = apply_to_whole_graph(before, phase, &op);
            assert_ok(ges_graph_apply(&g, phase, &op, &err), &err);
            if (!pdag_is_equal(g.class.cpdag, expected))
                fail_msg("walk %d, step %d: %zu and %zu leave another class", walk, step, op.x, op.y);
            for (size_t i = 0; i < WALK_NODES; i++) {
                bool is_listed = at < g.n_changed && g.changed[at] == i;
                assert_int_equal(is_listed, has_other_surroundings(before, expected, i));
                at += is_listed;
            }
            assert_int_equal(at, g.n_changed);
            assert_member_is_of_the_class(&g);
            n_applied[phase]++;
            pdag_destroy(before);
            pdag_destroy(expected);
        }
        ges_graph_clear(&g);
    }
    assert_true(n_applied[GES_INSERT] > 1000 && n_applied[GES_DELETE] > 500);
}

/* The same graph, score and counters as one thread. */
static void assert_threads_find_the_same(const dataset *data, const char *const *settings, size_t n_threads) {
    learner_result one = {0}, more = {0};
    run_context first, ctx;
    error_info err = {0};
    run_context_init(&first, 1);
    run_context_init(&ctx, 1);
    ctx.n_threads = n_threads;
    assert_ok(try_ges(data, settings, &first, &one, &err), &err);
    assert_ok(try_ges(data, settings, &ctx, &more, &err), &err);
    assert_true(pdag_is_equal(one.graph, more.graph));
    assert_true(one.score == more.score);
    assert_int_equal(first.scores.requests, ctx.scores.requests);
    assert_int_equal(first.scores.computed, ctx.scores.computed);
    assert_true(pdag_edge_count(one.graph) > 0);
    learner_result_clear(&more);
    learner_result_clear(&one);
}

/* Three of fewer columns, with which threads share what comes before the rows, and three whose rows are shared: four
 * blocks of columns with 3000 rows of data. */
static void any_number_of_threads_finds_the_same(void **state) {
    static const char *const settings[][3] = {{NULL}, {"score", "bic", NULL}, {"max_degree", "4", NULL}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(3));
    for (size_t i = 0; i < 6; i++) {
        dataset *data = make_random_dataset(&random, i < 3 ? 70 + 80 * i : 3000, i < 3 ? 60 + 64 * i : 200, 4);
        assert_threads_find_the_same(data, settings[i % 3], 2 + i % 2);
        dataset_destroy(data);
    }
}

enum { CAUSES = 60, WITH_EFFECTS = 200 };

/* An effect is 1 where its two causes differ, with noise: next to one cause, the other gains most of all. */
typedef struct {
    size_t first[WITH_EFFECTS], second[WITH_EFFECTS]; /* causes, of an effect */
    uint64_t percent[WITH_EFFECTS];                   /* of ones, or of noise */
} differences;

static void draw_differences(random_stream *random, const void *how, int *row) {
    const differences *d = how;
    for (size_t c = 0; c < WITH_EFFECTS; c++) {
        int is_odd = random_below(random, 100) < d->percent[c];
        row[c] = c < CAUSES ? is_odd : is_odd ^ row[d->first[c]] ^ row[d->second[c]];
    }
}

static dataset *make_differences(random_stream *random) {
    size_t n_states[WITH_EFFECTS];
    differences d;
    for (size_t c = 0; c < WITH_EFFECTS; c++) {
        n_states[c] = 2;
        d.first[c] = (size_t)random_below(random, CAUSES);
        d.second[c] = (d.first[c] + 1 + (size_t)random_below(random, CAUSES - 1)) % CAUSES;
        d.percent[c] = c < CAUSES ? 30 + random_below(random, 15) : 2 + random_below(random, 20);
    }
    return draw_dataset(random, 3000, WITH_EFFECTS, n_states, draw_differences, &d);
}

/* What is found of an insertion that waits stays right while better ones come: with few neighbours a node, it matters
 * which comes first. */
static void better_insertions_come_before_those_that_were_looked_at(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(31));
    for (size_t n_threads = 2; n_threads <= 3; n_threads++) {
        dataset *data = make_differences(&random);
        assert_threads_find_the_same(data, (const char *[]){"max_degree", "3", NULL}, n_threads);
        dataset_destroy(data);
    }
}

static void the_forty_rows_reach_the_scores_of_the_worked_example(void **state) {
    static const struct {
        const char *score, *ess;
        double final;
    } rows[] = {{"bdeu", "1", -86.180450}, {"bdeu", "10", -80.952484}, {"bic", "1", -84.591015}};
    dataset *data = make_forty_rows();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        learner_result result = run_ges(data, (const char *[]){"score", rows[i].score, "ess", rows[i].ess, NULL});
        assert_close(result.score, rows[i].final, 1e-7);
        assert_string_equal(result.score_name, rows[i].score);
        assert_int_equal(pdag_edge_count(result.graph), 2);
        assert_true(pdag_edge_between(result.graph, 0, 1) == EDGE_UNDIRECTED);
        assert_true(pdag_edge_between(result.graph, 1, 2) == EDGE_UNDIRECTED);
        learner_result_clear(&result);
    }
    dataset_destroy(data);
}

static void the_forty_rows_gain_what_the_worked_example_says_at_each_step(void **state) {
    static const double gains[] = {2.946459, 0.180173};
    dataset *data = make_forty_rows();
    score *s = make_bdeu(data, 1);
    reference_trace steps = {0};
    pdag *found = reference_ges(data, s, &steps);
    double with, without;
    error_info err = {0};
    (void)state;
    assert_int_equal(steps.n_steps, 2);
    for (size_t i = 0; i < 2; i++)
        assert_close(steps.gain[i], gains[i], 1e-6);
    assert_ok(score_node(s, 1, (const size_t[]){0, 2}, 2, &with, &err), &err); /* Insert(A, B, {C}) */
    assert_ok(score_node(s, 1, (const size_t[]){2}, 1, &without, &err), &err);
    assert_close(with - without, -3.478778, 1e-6);
    pdag_destroy(found);
    score_destroy(s);
    dataset_destroy(data);
}

static void a_collider_comes_out_of_a_large_sample(void **state) {
    enum { ROWS = 5000 };
    random_stream random;
    int *cells = calloc(3 * ROWS, sizeof *cells);
    dataset *data;
    learner_result result;
    (void)state;
    random_stream_init(&random, random_key_of(4));
    for (size_t i = 0; i < ROWS; i++) {
        int *row = cells + 3 * i;
        row[0] = random_uniform(&random) < 0.4;
        row[1] = random_uniform(&random) < 0.6;
        row[2] = random_uniform(&random) < (row[0] && row[1] ? 0.9 : row[0] || row[1] ? 0.6 : 0.1);
    }
    data = make_dataset(ROWS, 3, (const size_t[]){2, 2, 2}, cells);
    result = run_ges(data, NULL);
    assert_int_equal(pdag_edge_count(result.graph), 2);
    assert_int_equal(pdag_edge_between(result.graph, 0, 2), EDGE_OUT);
    assert_int_equal(pdag_edge_between(result.graph, 1, 2), EDGE_OUT);
    learner_result_clear(&result);
    dataset_destroy(data);
    free(cells);
}

/* ---- against slow second implementations ---- */

static pdag *cpdag_of(const dag *g) {
    pdag *out = NULL;
    error_info err = {0};
    assert_ok(cpdag_from_dag(g, &out, &err), &err);
    return out;
}

/* Strong dependences, so that there are cliques, colliders and deletions. */
static dataset *make_sample_of_random_dag(random_stream *random, size_t n_nodes, size_t n_rows) {
    dag *g = make_random_dag(random, n_nodes, 0.6);
    bayes_net *net = reference_network(random, g, 2 + (size_t)random_below(random, 2));
    dataset *data = NULL;
    error_info err = {0};
    assert_ok(sample_network(net, n_rows, random, &data, &err), &err);
    bayes_net_destroy(net);
    dag_destroy(g);
    return data;
}

static void ges_takes_the_operators_of_an_exhaustive_search(void **state) {
    random_stream random;
    size_t n_steps = 0, n_deletions = 0, n_with_sets = 0, n_blocked = 0;
    (void)state;
    random_stream_init(&random, random_key_of(5));
    for (int round = 0; round < 200; round++) {
        size_t n_nodes = 4 + (size_t)random_below(&random, 2),
               n_rows = 30 + (size_t)random_below(&random, round % 3 == 1 ? 500 : 5000);
        dataset *data = round % 4 == 0 ? make_random_dataset(&random, n_rows, n_nodes, 3)
                                       : make_sample_of_random_dag(&random, n_nodes, n_rows);
        score *s = make_bdeu(data, round % 2 ? 10 : 1);
        reference_trace steps = {0};
        pdag *expected = reference_ges(data, s, &steps);
        trace t = {0};
        learner_result result = run_traced_ges(data, (const char *[]){"ess", round % 2 ? "10" : "1", NULL}, &t);
        assert_close(result.score, reference_score(s, expected), 1e-12);
        assert_close(*trace_find_figure(&t, "iterations"), (double)steps.n_steps, 0);
        if (!pdag_is_equal(expected, result.graph))
            fail_msg("round %d: another graph than the exhaustive search finds", round);
        n_steps += steps.n_steps;
        n_deletions += steps.n_deletions;
        n_with_sets += steps.n_with_sets;
        n_blocked += steps.n_blocked;
        trace_clear(&t);
        learner_result_clear(&result);
        pdag_destroy(expected);
        score_destroy(s);
        dataset_destroy(data);
    }
    assert_that(n_steps, >, 400);
    assert_that(n_with_sets, >, 20); /* the cases are worth something */
    assert_true(n_deletions > 5);
    assert_true(n_blocked > 20);
}

static void ges_walks_as_the_definition_by_members_of_classes_says(void **state) {
    random_stream random;
    size_t n_deletions = 0;
    (void)state;
    random_stream_init(&random, random_key_of(6));
    for (int round = 0; round < 60; round++) {
        dataset *data = make_sample_of_random_dag(&random, 4, 100 + (size_t)random_below(&random, 4000));
        score *s = make_bdeu(data, 10);
        double expected = reference_ges_by_members(s, &n_deletions);
        learner_result result = run_ges(data, NULL);
        assert_close(result.score, expected, 1e-10);
        learner_result_clear(&result);
        score_destroy(s);
        dataset_destroy(data);
    }
    assert_true(n_deletions > 0);
}

static void ges_recovers_random_classes_from_large_samples(void **state) {
    enum { ROUNDS = 60, ROWS = 100000 };
    random_stream random;
    int n_recovered = 0;
    (void)state;
    random_stream_init(&random, random_key_of(7));
    for (int round = 0; round < ROUNDS; round++) {
        size_t n_nodes = 5 + (size_t)random_below(&random, 4);
        dag *g = make_random_dag(&random, n_nodes, 2.0 / (double)(n_nodes - 1));
        bayes_net *net = reference_network(&random, g, 3);
        dataset *data = NULL;
        pdag *expected = cpdag_of(g);
        learner_result result;
        error_info err = {0};
        assert_ok(sample_network(net, ROWS, &random, &data, &err), &err);
        result = run_ges(data, (const char *[]){"score", "bic", NULL});
        n_recovered += pdag_is_equal(expected, result.graph);
        learner_result_clear(&result);
        pdag_destroy(expected);
        dataset_destroy(data);
        bayes_net_destroy(net);
        dag_destroy(g);
    }
    if (n_recovered < ROUNDS * 9 / 10)
        fail_msg("%d of %d classes recovered", n_recovered, ROUNDS);
}

/* ---- limits ---- */

static void no_node_has_more_adjacent_nodes_than_max_degree(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(8));
    for (int round = 0; round < 10; round++) {
        dataset *data = make_random_dataset(&random, 400, 12, 4);
        learner_result result = run_ges(data, (const char *[]){"max_degree", "2", NULL});
        for (size_t i = 0; i < 12; i++) {
            size_t degree;
            (void)pdag_edges(result.graph, i, &degree);
            assert_true(degree <= 2);
        }
        learner_result_clear(&result);
        dataset_destroy(data);
    }
}

/* Among constant columns edges gain, and make one clique. */
static dataset *make_constant_dataset(random_stream *random, size_t n_rows, size_t n_columns) {
    dataset *data = make_random_dataset(random, n_rows, n_columns, 4);
    for (size_t x = 0; x < n_columns; x++) {
        for (size_t i = 0; i < n_rows; i++)
            dataset_set_state(data, i, x, 0);
    }
    return data;
}

static void past_max_cliques_nodes_get_five_parents_and_the_result_says_so(void **state) {
    random_stream random;
    size_t n_exact = 0, n_limited = 0;
    (void)state;
    random_stream_init(&random, random_key_of(11));
    for (int round = 0; round < 5; round++) {
        dataset *data = make_constant_dataset(&random, 60, 10);
        learner_result exact = run_ges(data, (const char *[]){"ess", "10", "max_cliques", "-1", NULL});
        learner_result roomy = run_ges(data, (const char *[]){"ess", "10", "max_cliques", "1024", NULL});
        learner_result limited = run_ges(data, (const char *[]){"ess", "10", "max_cliques", "4", NULL});
        assert_null(exact.remark);
        assert_null(roomy.remark);
        assert_true(pdag_is_equal(exact.graph, roomy.graph));
        assert_non_null(limited.remark);
        n_exact += pdag_edge_count(exact.graph);
        n_limited += pdag_edge_count(limited.graph);
        learner_result_clear(&exact);
        learner_result_clear(&roomy);
        learner_result_clear(&limited);
        dataset_destroy(data);
    }
    assert_true(n_limited < n_exact);
}

static void with_one_parent_at_most_the_result_is_a_forest(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(9));
    for (int round = 0; round < 10; round++) {
        dataset *data = make_random_dataset(&random, 400, 8, 3);
        learner_result result = run_ges(data, (const char *[]){"max_parents", "1", NULL});
        assert_int_equal(pdag_directed_count(result.graph), 0);
        assert_true(pdag_edge_count(result.graph) < 8);
        learner_result_clear(&result);
        dataset_destroy(data);
    }
}

static void a_score_that_is_not_equivalent_is_refused(void **state) {
    dataset *data = make_forty_rows();
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    (void)state;
    run_context_init(&ctx, 1);
    assert_int_equal(try_ges(data, (const char *[]){"score", "k2", NULL}, &ctx, &result, &err), STATUS_INVALID);
    assert_message_has(&err, "score is k2");
    assert_null(result.graph);
    dataset_destroy(data);
}

/* Cut short at any moment it has the CPDAG of some DAG, and the score of that. */
static void at_its_deadline_ges_returns_the_class_that_it_has(void **state) {
    random_stream random;
    dataset *data;
    score *s;
    bool was_cut_short = false;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(10));
    data = make_random_dataset(&random, 2000, 40, 4);
    s = make_bdeu(data, 10);
    for (int step = 0; step < 8; step++) {
        learner_result result = {0};
        run_context ctx;
        pdag *pattern = NULL;
        run_context_init(&ctx, 1);
        ctx.deadline_s = run_clock_s() + (step - 1) * 0.005;
        assert_ok(try_ges(data, NULL, &ctx, &result, &err), &err);
        assert_ok(pdag_pattern(result.graph, &pattern, &err), &err);
        assert_true(pdag_is_equal(pattern, result.graph));
        assert_close(result.score, reference_score(s, result.graph), 1e-12);
        assert_true(step > 0 || (result.is_cut_short && pdag_edge_count(result.graph) == 0));
        was_cut_short = was_cut_short || result.is_cut_short;
        pdag_destroy(pattern);
        learner_result_clear(&result);
    }
    assert_true(was_cut_short);
    score_destroy(s);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_insertion_across_a_chain_gives_the_undirected_triangle),
        cmocka_unit_test(the_set_t_decides_between_a_chain_and_a_collider),
        cmocka_unit_test(a_deletion_from_a_triangle_gives_a_chain_or_a_collider),
        cmocka_unit_test(operators_do_what_they_do_to_the_whole_graph),
        cmocka_unit_test(any_number_of_threads_finds_the_same),
        cmocka_unit_test(better_insertions_come_before_those_that_were_looked_at),
        cmocka_unit_test(the_forty_rows_reach_the_scores_of_the_worked_example),
        cmocka_unit_test(the_forty_rows_gain_what_the_worked_example_says_at_each_step),
        cmocka_unit_test(a_collider_comes_out_of_a_large_sample),
        cmocka_unit_test(ges_takes_the_operators_of_an_exhaustive_search),
        cmocka_unit_test(ges_walks_as_the_definition_by_members_of_classes_says),
        cmocka_unit_test(ges_recovers_random_classes_from_large_samples),
        cmocka_unit_test(no_node_has_more_adjacent_nodes_than_max_degree),
        cmocka_unit_test(past_max_cliques_nodes_get_five_parents_and_the_result_says_so),
        cmocka_unit_test(with_one_parent_at_most_the_result_is_a_forest),
        cmocka_unit_test(a_score_that_is_not_equivalent_is_refused),
        cmocka_unit_test(at_its_deadline_ges_returns_the_class_that_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
