/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In the population limit: linear Gaussian networks with the exact BIC of 10^9 rows. Weights are drawn until the score
 * is locally consistent (every gain has the sign that d-separation asks for), so that what a search returns is the
 * search's own doing. I-map and minimality are judged by d-separation in the true graph.
 */
#include "tests/support/score_tables.h"

#include "learners/chc/chc_search.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_DAGS = 500 };

/* --- a true network */

static bool is_separated(const dag *g, size_t x, size_t y, unsigned set) {
    size_t z[TABLE_NODES], n_z = 0;
    bool separated = false;
    error_info err = {0};
    for (size_t i = 0; i < dag_node_count(g); i++) {
        if (set >> i & 1u)
            z[n_z++] = i;
    }
    assert_ok(dag_is_separated(g, x, y, z, n_z, &separated, &err), &err);
    return separated;
}

/* Every gain is negative where x and y are separated given the set, and positive where not. */
static bool is_locally_consistent(const dag *g, const score_table *t) {
    for (size_t y = 0; y < t->n; y++) {
        for (size_t x = 0; x < t->n; x++) {
            for (unsigned set = 0; x != y && set < 1u << t->n; set++) {
                double gain = t->value[y][set | 1u << x] - t->value[y][set];
                if ((set >> x & 1u) || (set >> y & 1u))
                    continue;
                if (is_separated(g, x, y, set) ? gain >= -0.1 : gain <= 0.1)
                    return false;
            }
        }
    }
    return true;
}

static void draw_scores(const dag *g, score_table *t, random_stream *random) {
    size_t n = dag_node_count(g), order[TABLE_NODES];
    double b[TABLE_NODES][TABLE_NODES] = {0}, noise[TABLE_NODES];
    error_info err = {0};
    covariance c;
    assert_ok(dag_topological_order(g, order, &err), &err);
    for (size_t y = 0; y < n; y++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, y, &n_parents);
        noise[y] = 1;
        for (size_t i = 0; i < n_parents; i++)
            b[parents[i]][y] = (random_uniform(random) < 0.5 ? -1 : 1) * (0.3 + 0.9 * random_uniform(random));
    }
    c = covariance_of(n, order, b, noise);
    fill_with_bic(t, &c, 1e9);
}

/* A random DAG of 4 to 8 nodes, of a mean degree that its number gives, and scores on it. */
static dag *draw_network(int number, score_table *t, random_stream *random) {
    size_t n = 4 + (size_t)number % 5;
    double degree = 1.5 + number % 4, probability = fmin(1, degree / (double)(n - 1));
    for (;;) {
        dag *g = make_random_dag(random, n, probability);
        for (int attempt = 0; attempt < 20; attempt++) {
            draw_scores(g, t, random);
            if (is_locally_consistent(g, t))
                return g;
        }
        dag_destroy(g);
    }
}

/* --- judging what was found */

static unsigned parents_in(const dag *g, size_t y) {
    size_t n_parents;
    const size_t *parents = dag_parents(g, y, &n_parents);
    return set_of(parents, n_parents);
}

/* Each node is independent of each non-descendant given its parents: d-separation is compositional. */
static bool is_imap(const dag *found, const dag *truth) {
    for (size_t y = 0; y < dag_node_count(found); y++) {
        for (size_t x = 0; x < dag_node_count(found); x++) {
            if (x != y && !dag_has_arc(found, x, y) && !dag_reaches(found, y, x) &&
                !is_separated(truth, x, y, parents_in(found, y)))
                return false;
        }
    }
    return true;
}

static bool is_minimal(const dag *found, const dag *truth) {
    for (size_t y = 0; y < dag_node_count(found); y++) {
        for (size_t x = 0; x < dag_node_count(found); x++) {
            if (dag_has_arc(found, x, y) && is_separated(truth, x, y, parents_in(found, y) & ~(1u << x)))
                return false;
        }
    }
    return true;
}

typedef struct {
    chc_variant variant;
    chc_release release;
    const char *name;
    size_t minimal_imaps, n_asked;
} contestant;

static void compete(contestant *c, score_table *t, const dag *truth) {
    chc_plan plan = {
        .n = t->n, .scorer = score_table_source(t), .variant = c->variant, .release = c->release, .max_parents = -1};
    chc_result result = {0};
    run_context ctx;
    error_info err = {0};
    score_table_forget(t);
    run_context_init(&ctx, 1);
    assert_ok(chc_search(&plan, &ctx, &result, &err), &err);
    c->minimal_imaps += is_imap(result.graph, truth) && is_minimal(result.graph, truth);
    c->n_asked += t->n_asked;
    dag_destroy(result.graph);
}

static void all_variants_but_chc_return_minimal_imaps_in_the_limit(void **state) {
    contestant all[] = {
        {CHC_HC, CHC_RELEASE_AB, "hc", 0, 0},
        {CHC_STAR, CHC_RELEASE_AB, "chc-star", 0, 0},
        {CHC_REPEATED, CHC_RELEASE_AB, "ichc", 0, 0},
        {CHC_TWICE, CHC_RELEASE_AB, "2ichc", 0, 0},
        {CHC_FAST, CHC_RELEASE_AB, "fastchc AB", 0, 0},
        {CHC_FAST, CHC_RELEASE_ADJ, "fastchc adj", 0, 0},
        {CHC_FAST, CHC_RELEASE_FULL, "fastchc full", 0, 0},
        {CHC_FAST, CHC_RELEASE_HEAD, "fastchc head", 0, 0},
        {CHC_FAST, CHC_RELEASE_A, "fastchc A", 0, 0},
        {CHC_ONCE, CHC_RELEASE_AB, "chc", 0, 0},
    };
    enum { N_SOUND = 8, FAST_A = 8, CHC = 9, N = 10 };
    score_table *t = calloc(1, sizeof *t);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(500));
    for (int i = 0; i < N_DAGS; i++) {
        dag *truth = draw_network(i, t, &random);
        for (size_t k = 0; k < N; k++)
            compete(&all[k], t, truth);
        dag_destroy(truth);
    }
    for (size_t k = 0; k < N; k++)
        print_message("%-13s minimal I-maps %zu of %d, local scores a run %.1f\n", all[k].name, all[k].minimal_imaps,
                      N_DAGS, (double)all[k].n_asked / N_DAGS);
    for (size_t k = 0; k < N_SOUND; k++)
        assert_int_equal(all[k].minimal_imaps, N_DAGS);
    assert_true(all[CHC].minimal_imaps < N_DAGS);
    free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_variants_but_chc_return_minimal_imaps_in_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
