/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of genes: topologies, steady states, lines; and real data with known arcs. */
#include "core/base/file.h"
#include "core/graph/arcs.h"
#include "generators/catalogue/dataset_locate.h"
#include "generators/genes/gene_expression.h"
#include "generators/genes/gene_steady_internal.h"
#include "generators/networks/random_topology.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const gene_noise no_noise = {.genetics = false, .markers = 20, .marker_cm = 5};

static gene_network *make_network(size_t n, const graph_arc *arcs, size_t n_arcs) {
    gene_network *net = NULL;
    error_info err = {0};
    assert_ok(gene_network_create(n, NULL, arcs, n_arcs, &net, &err), &err);
    return net;
}

/* The regulation source -> target. */
static gene_regulator *regulation(gene_network *net, size_t source, size_t target) {
    for (size_t k = net->first[target]; k < net->first[target + 1]; k++) {
        if (net->regulators[k].source == source)
            return &net->regulators[k];
    }
    fail_msg("gene %zu does not regulate gene %zu", source, target);
    return NULL;
}

static void regulate(gene_network *net, size_t source, size_t target, int sign, double hill) {
    gene_regulator *r = regulation(net, source, target);
    r->sign = sign;
    r->hill = hill;
}

/* Rates and thresholds of 1, to be changed; start from 1. */
typedef struct {
    double synthesis[64], decay[64], threshold[64], levels[64];
} plain_line;

static plain_line ones(void) {
    plain_line p;
    for (size_t i = 0; i < 64; i++)
        p.synthesis[i] = p.decay[i] = p.threshold[i] = p.levels[i] = 1;
    return p;
}

static bool solve(const gene_network *net, plain_line *p) {
    gene_solver *s = NULL;
    error_info err = {0};
    gene_conditions line = {p->synthesis, p->decay, p->threshold};
    bool settled;
    assert_ok(gene_solver_create(net, &s, &err), &err);
    settled = gene_solver_solve(s, &line, p->levels);
    gene_solver_destroy(s);
    return settled;
}

/* ---- steady states ---- */

static void genes_without_feedback_rest_where_the_closed_form_says(void **state) {
    (void)state;
    gene_network *net = make_network(3, (graph_arc[]){{0, 1}, {1, 2}}, 2);
    plain_line p = ones();
    regulate(net, 0, 1, 1, 2);
    regulate(net, 1, 2, -1, 1);
    assert_true(solve(net, &p));
    assert_close(p.levels[0], 1, 1e-12);
    assert_close(p.levels[1], 1.5, 1e-12);
    assert_close(p.levels[2], .4, 1e-12);
    p = ones();
    p.synthesis[0] = 3;
    p.decay[0] = 2;
    assert_true(solve(net, &p));
    assert_close(p.levels[0], 1.5, 1e-12);
    assert_close(p.levels[1], 1 + 2.25 / 3.25, 1e-12);
    p = ones(); /* the allele of the regulator halves its strength, that of the gene itself takes a fifth off */
    p.threshold[0] = 2;
    p.synthesis[1] = .8;
    assert_true(solve(net, &p));
    assert_close(p.levels[1], .96, 1e-12);
    gene_network_destroy(net);
}

static void a_negative_cycle_rests_where_the_worked_example_says(void **state) {
    (void)state;
    gene_network *net = make_network(2, (graph_arc[]){{0, 1}, {1, 0}}, 2);
    plain_line p = ones();
    regulate(net, 0, 1, 1, 2);
    regulate(net, 1, 0, -1, 1);
    assert_true(solve(net, &p));
    assert_close(p.levels[0], .45986327, 1e-8);
    assert_close(p.levels[1], 1.17455941, 1e-8);
    gene_network_destroy(net);
}

/* Two genes that repress each other: the one that starts ahead stays ahead. */
static void a_toggle_rests_on_the_side_on_which_it_starts(void **state) {
    (void)state;
    gene_network *net = make_network(2, (graph_arc[]){{0, 1}, {1, 0}}, 2);
    plain_line p = ones(), q = ones();
    regulate(net, 0, 1, -1, 4);
    regulate(net, 1, 0, -1, 4);
    for (size_t i = 0; i < 2; i++)
        p.synthesis[i] = q.synthesis[i] = 3;
    p.levels[0] = q.levels[1] = 2;
    p.levels[1] = q.levels[0] = .1;
    assert_true(solve(net, &p));
    assert_true(solve(net, &q));
    assert_true(p.levels[0] > 2.5 && p.levels[1] < .1);
    assert_close(p.levels[0], q.levels[1], 1e-9);
    assert_close(p.levels[1], q.levels[0], 1e-9);
    assert_close(p.levels[0], 3 / (1 + pow(p.levels[1], 4)), 1e-9);
    gene_network_destroy(net);
}

static void three_steep_repressors_in_a_ring_never_rest_and_say_so(void **state) {
    (void)state;
    gene_network *net = make_network(4, (graph_arc[]){{0, 1}, {1, 2}, {2, 0}, {0, 3}}, 4);
    plain_line p = ones();
    for (size_t i = 0; i < 3; i++) {
        regulate(net, i, (i + 1) % 3, -1, 10);
        p.synthesis[i] = 5;
        p.levels[i] = 1 + (double)i;
    }
    assert_false(solve(net, &p));
    for (size_t i = 0; i < 4; i++)
        assert_true(isfinite(p.levels[i]) && p.levels[i] >= 0);
    gene_network_destroy(net);
}

static void nothing_changes_in_a_state_that_settled(void **state) {
    (void)state;
    random_stream random;
    size_t n_settled = 0, n_cyclic = 0;
    random_stream_init(&random, random_key_of(21));
    for (int round = 0; round < 60; round++) {
        topology_wish wish = {.n_genes = 40, .arcs_per_gene = 1 + 3 * random_uniform(&random), .modules = 1};
        graph_arc *arcs = NULL;
        size_t n_arcs = 0;
        gene_network *net;
        gene_solver *s = NULL;
        plain_line p = ones();
        gene_conditions line = {p.synthesis, p.decay, p.threshold};
        double change[64];
        error_info err = {0};
        assert_ok(topology_random(&wish, &random, &arcs, &n_arcs, &err), &err);
        net = make_network(40, arcs, n_arcs);
        assert_ok(gene_network_draw(net, &gene_constants_usual, &random, &err), &err);
        assert_ok(gene_solver_create(net, &s, &err), &err);
        n_cyclic += gene_solver_largest_component(s) > 1;
        for (size_t i = 0; i < 40; i++) {
            p.synthesis[i] = .5 + random_uniform(&random);
            p.decay[i] = .8 + .4 * random_uniform(&random);
            p.threshold[i] = 1 + random_uniform(&random);
        }
        if (gene_solver_solve(s, &line, p.levels)) {
            n_settled++;
            gene_derivative(net, &line, p.levels, change);
            for (size_t i = 0; i < 40; i++)
                if (!(fabs(change[i]) < 1e-8) || p.levels[i] < 0)
                    fail_msg("round %d, gene %zu: %g at %g", round, i, change[i], p.levels[i]);
        }
        gene_solver_destroy(s);
        gene_network_destroy(net);
        free(arcs);
    }
    assert_true(n_settled > 30 && n_cyclic > 30);
}

/* ---- graphs ---- */

static void bad_arcs_are_refused(void **state) {
    (void)state;
    gene_network *net = NULL;
    error_info err = {0};
    assert_int_equal(gene_network_create(2, NULL, (graph_arc[]){{0, 2}}, 1, &net, &err), STATUS_INVALID);
    assert_message_has(&err, "gene 3");
    assert_int_equal(gene_network_create(2, NULL, (graph_arc[]){{1, 1}}, 1, &net, &err), STATUS_INVALID);
    assert_message_has(&err, "'G2' regulates itself");
    assert_int_equal(gene_network_create(2, NULL, (graph_arc[]){{0, 1}, {0, 1}}, 2, &net, &err), STATUS_INVALID);
    assert_message_has(&err, "twice");
    assert_int_equal(gene_network_create(0, NULL, NULL, 0, &net, &err), STATUS_INVALID);
    assert_null(net);
}

/* Reachability by Warshall; two genes share a component where each reaches the other. */
static void components_are_those_of_mutual_reachability_in_order(void **state) {
    (void)state;
    random_stream random;
    random_stream_init(&random, random_key_of(4));
    for (int round = 0; round < 100; round++) {
        enum { N = 12 };
        bool reach[N][N] = {{false}};
        topology_wish wish = {.n_genes = N, .arcs_per_gene = .5 + 1.5 * random_uniform(&random)};
        graph_arc *arcs = NULL;
        size_t n_arcs = 0, order[N], ends[N], n = 0, component[N], position[N];
        gene_network *net;
        error_info err = {0};
        assert_ok(topology_random(&wish, &random, &arcs, &n_arcs, &err), &err);
        net = make_network(N, arcs, n_arcs);
        for (size_t k = 0; k < n_arcs; k++)
            reach[arcs[k].from][arcs[k].to] = true;
        for (size_t k = 0; k < N; k++)
            for (size_t a = 0; a < N; a++)
                for (size_t b = 0; b < N; b++)
                    reach[a][b] = reach[a][b] || (reach[a][k] && reach[k][b]);
        assert_ok(gene_network_components(net, order, ends, &n, &err), &err);
        assert_int_equal(ends[n - 1], N);
        for (size_t c = 0, k = 0; c < n; c++)
            for (; k < ends[c]; k++) {
                component[order[k]] = c;
                position[order[k]] = k;
            }
        for (size_t a = 0; a < N; a++)
            for (size_t b = 0; b < N; b++) {
                assert_int_equal(component[a] == component[b], a == b || (reach[a][b] && reach[b][a]));
                if (reach[a][b] && !reach[b][a])
                    assert_true(position[a] < position[b]);
            }
        gene_network_destroy(net);
        free(arcs);
    }
}

static void the_power_law_has_the_exponents_of_the_worked_example(void **state) {
    (void)state;
    assert_true(fabs(topology_power(1000, 2) - 2.184) < .0006);
    assert_true(fabs(topology_power(1000, 5) - 1.901) < .0006);
}

static void assert_scale_free(size_t n, double mean, size_t modules, uint64_t seed) {
    topology_wish wish = {n, mean, modules, .1};
    random_stream random;
    graph_arc *arcs = NULL;
    size_t n_arcs = 0, *in = calloc(n, sizeof *in), *out = calloc(n, sizeof *out), most_in = 0, most_out = 0;
    gene_network *net = NULL;
    error_info err = {0};
    random_stream_init(&random, random_key_of(seed));
    assert_ok(topology_scale_free(&wish, &random, &arcs, &n_arcs, &err), &err);
    assert_true(fabs((double)n_arcs - mean * (double)n) <= .05 * mean * (double)n + (double)modules);
    assert_ok(gene_network_create(n, NULL, arcs, n_arcs, &net, &err), &err); /* no loop, no arc twice */
    for (size_t k = 0; k < n_arcs; k++) {
        in[arcs[k].to]++;
        out[arcs[k].from]++;
    }
    for (size_t i = 0; i < n; i++) {
        most_in = in[i] > most_in ? in[i] : most_in;
        most_out = out[i] > most_out ? out[i] : most_out;
    }
    assert_true(most_out > most_in); /* a power law has the longer tail */
    gene_network_destroy(net);
    free(arcs);
    free(in);
    free(out);
}

static void scale_free_graphs_have_the_degrees_that_were_wished(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        assert_scale_free(1000, 2, 1, seed);
        assert_scale_free(1000, 5.5, 10, seed);
        assert_scale_free(300, 2, 3, seed);
    }
}

static void impossible_wishes_are_refused(void **state) {
    (void)state;
    random_stream random;
    graph_arc *arcs = NULL;
    size_t n_arcs = 0;
    error_info err = {0};
    random_stream_init(&random, random_key_of(1));
    assert_int_equal(topology_random(&(topology_wish){4, 3, 1, 0}, &random, &arcs, &n_arcs, &err), STATUS_INVALID);
    assert_message_has(&err, "at most 1.5");
    assert_int_equal(topology_scale_free(&(topology_wish){50, 2, 10, 0}, &random, &arcs, &n_arcs, &err),
                     STATUS_INVALID);
    assert_message_has(&err, "at least 10");
    assert_int_equal(topology_scale_free(&(topology_wish){40, 11, 1, 0}, &random, &arcs, &n_arcs, &err),
                     STATUS_INVALID);
    assert_null(arcs);
}

/* ---- lines ---- */

static void neighbouring_alleles_agree_as_often_as_haldane_says(void **state) {
    (void)state;
    enum { GENES = 40, LINES = 20000 };
    unsigned char alleles[GENES];
    random_stream random;
    double same = 0, apart = 0, ones_seen = 0;
    random_stream_init(&random, random_key_of(8));
    for (size_t line = 0; line < LINES; line++) {
        gene_draw_alleles(GENES, &gene_noise_usual, &random, alleles);
        for (size_t i = 1; i < 20; i++)
            same += alleles[i] == alleles[i - 1];
        apart += alleles[20] == alleles[19]; /* another chromosome */
        ones_seen += alleles[20];
    }
    assert_true(fabs(same / (19. * LINES) - .9131064) < .002);
    assert_true(fabs(apart / LINES - .5) < .015);
    assert_true(fabs(ones_seen / LINES - .5) < .015);
}

static gene_network *small_network(void) {
    random_stream random;
    graph_arc *arcs = NULL;
    size_t n_arcs = 0;
    gene_network *net;
    error_info err = {0};
    random_stream_init(&random, random_key_of(5));
    assert_ok(topology_scale_free(&(topology_wish){60, 2, 1, 0}, &random, &arcs, &n_arcs, &err), &err);
    net = make_network(60, arcs, n_arcs);
    assert_ok(gene_network_draw(net, &gene_constants_usual, &random, &err), &err);
    free(arcs);
    return net;
}

static dataset *simulate(const gene_network *net, const gene_noise *noise, size_t n_lines) {
    dataset *data = NULL;
    size_t unsettled = 0;
    error_info err = {0};
    assert_ok(gene_expression_simulate(net, noise, n_lines, random_key_of(2), &data, &unsettled, &err), &err);
    assert_true(unsettled <= n_lines);
    return data;
}

static void a_longer_sample_of_lines_begins_with_the_shorter_one(void **state) {
    (void)state;
    gene_network *net = small_network();
    dataset *few = simulate(net, &gene_noise_usual, 5), *many = simulate(net, &gene_noise_usual, 12);
    for (size_t c = 0; c < 60; c++) {
        assert_string_equal(dataset_variable(few, c)->name, net->names[c]);
        assert_memory_equal(dataset_reals(few, c), dataset_reals(many, c), 5 * sizeof(double));
        for (size_t row = 0; row < 12; row++)
            assert_true(isfinite(dataset_reals(many, c)[row]) && dataset_reals(many, c)[row] >= 0);
    }
    dataset_destroy(few);
    dataset_destroy(many);
    gene_network_destroy(net);
}

static void lines_without_noise_and_genetics_are_all_alike(void **state) {
    (void)state;
    gene_network *net = make_network(3, (graph_arc[]){{0, 1}, {1, 2}}, 2);
    dataset *data = simulate(net, &no_noise, 4);
    for (size_t row = 0; row < 4; row++) {
        assert_close(dataset_reals(data, 0)[row], 1, 1e-12);
        assert_close(dataset_reals(data, 1)[row], 1.5, 1e-12);
        assert_close(dataset_reals(data, 2)[row], 1.6, 1e-12);
    }
    dataset_destroy(data);
    gene_network_destroy(net);
}

/* Of a gene alone the level is th / td times the noise: mean near 1, relative spread near sqrt(3) 0.1. */
static void noise_spreads_levels_as_it_should(void **state) {
    (void)state;
    enum { LINES = 4000 };
    gene_network *net = make_network(1, NULL, 0);
    gene_noise noise = gene_noise_usual;
    double mean = 0, square = 0;
    dataset *data;
    noise.genetics = false;
    data = simulate(net, &noise, LINES);
    for (size_t row = 0; row < LINES; row++)
        mean += dataset_reals(data, 0)[row] / LINES;
    for (size_t row = 0; row < LINES; row++)
        square += pow(dataset_reals(data, 0)[row] - mean, 2) / LINES;
    assert_true(fabs(mean - 1.01) < .01);
    assert_true(fabs(sqrt(square) - .177) < .01);
    dataset_destroy(data);
    gene_network_destroy(net);
}

/* ---- real data ---- */

static const char *write_text(const char *name, const char *text) {
    static char path[4096];
    error_info err = {0};
    (void)snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
    assert_ok(file_write(path, text, strlen(text), &err), &err);
    return path;
}

static void arcs_are_read_by_the_names_of_their_columns(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    graph_arc *arcs = NULL;
    size_t n = 0;
    error_info err = {0};
    const char *path = write_text("x.edges.csv", "weight,to,from\n1,b,a\n2,c,b\n3,a,b\n4,b,a\n5,c,c\n");
    assert_ok(arcs_read_csv(path, names, 3, &arcs, &n, &err), &err);
    assert_int_equal(n, 3); /* a -> b once, b -> a, b -> c; not c -> c */
    assert_true(arcs[0].from == 1 && arcs[0].to == 0);
    assert_true(arcs[1].from == 0 && arcs[1].to == 1);
    assert_true(arcs[2].from == 1 && arcs[2].to == 2);
    free(arcs);
}

static void bad_files_of_arcs_are_refused_with_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "found an empty file"},
        {"a,b\n1,2\n", "the columns from and to"},
        {"from,to\na,z\n", "line 2, column 2: 'z' is no column"},
        {"from,to\na\n", "line 2"},
        {"from,to\na,b,c\n", "expected 2 fields"},
    };
    static const char *const names[] = {"a", "b", "c"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graph_arc *arcs = NULL;
        size_t n = 0;
        error_info err = {0};
        assert_int_equal(arcs_read_csv(write_text("bad.csv", cases[i].text), names, 3, &arcs, &n, &err), STATUS_PARSE);
        assert_message_has(&err, cases[i].words);
        assert_null(arcs);
    }
}

static void data_sets_are_looked_for_in_the_folders_of_the_environment(void **state) {
    (void)state;
    char folders[8192], *path = NULL;
    error_info err = {0};
    const char *file = write_text("cells.csv", "x,y\n1,2\n");
    (void)snprintf(folders, sizeof folders, "/nowhere::%.*s", (int)(path_base(file) - file - 1), file);
    (void)setenv("BNBENCH_DATASETS", folders, 1);
    assert_ok(dataset_locate("cells", ".csv", &path, &err), &err);
    assert_non_null(strstr(path, "cells.csv"));
    free(path);
    assert_int_equal(dataset_locate("cells", ".edges.csv", &path, &err), STATUS_MISSING);
    assert_message_has(&err, "BNBENCH_DATASETS");
    (void)unsetenv("BNBENCH_DATASETS");
    assert_int_equal(dataset_locate("cells", ".csv", &path, &err), STATUS_MISSING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(genes_without_feedback_rest_where_the_closed_form_says),
        cmocka_unit_test(a_negative_cycle_rests_where_the_worked_example_says),
        cmocka_unit_test(a_toggle_rests_on_the_side_on_which_it_starts),
        cmocka_unit_test(three_steep_repressors_in_a_ring_never_rest_and_say_so),
        cmocka_unit_test(nothing_changes_in_a_state_that_settled),
        cmocka_unit_test(bad_arcs_are_refused),
        cmocka_unit_test(components_are_those_of_mutual_reachability_in_order),
        cmocka_unit_test(the_power_law_has_the_exponents_of_the_worked_example),
        cmocka_unit_test(scale_free_graphs_have_the_degrees_that_were_wished),
        cmocka_unit_test(impossible_wishes_are_refused),
        cmocka_unit_test(neighbouring_alleles_agree_as_often_as_haldane_says),
        cmocka_unit_test(a_longer_sample_of_lines_begins_with_the_shorter_one),
        cmocka_unit_test(lines_without_noise_and_genetics_are_all_alike),
        cmocka_unit_test(noise_spreads_levels_as_it_should),
        cmocka_unit_test(arcs_are_read_by_the_names_of_their_columns),
        cmocka_unit_test(bad_files_of_arcs_are_refused_with_their_place),
        cmocka_unit_test(data_sets_are_looked_for_in_the_folders_of_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
