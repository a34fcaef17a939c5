/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "generators/catalogue/catalogue.h"
#include "generators/networks/bif.h"
#include "generators/networks/tiling.h"
#include "generators/sampling/joint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const joint_limits no_limits = {.max_nodes = SIZE_MAX, .max_cells = (size_t)1 << 24};

static bayes_net *read_net(const char *relative) {
    bayes_net *net = NULL;
    error_info err = {0};
    assert_ok(bif_read(source_path(relative), &net, NULL, &err), &err);
    return net;
}

/* ---- small random networks, and their joint distribution by the product of all tables ---- */

static void fill_randomly(bayes_net *net, size_t node, random_stream *random) {
    size_t r = bayes_net_variable(net, node)->n_states;
    for (size_t j = 0; j < bayes_net_configuration_count(net, node); j++) {
        double *row = bayes_net_build_table(net, node) + j * r, sum = 0;
        for (size_t k = 0; k < r; k++)
            sum += row[k] = random_uniform(random) < 0.15 ? 0 : random_uniform(random) + 0.01;
        row[0] += sum == 0;
        sum += sum == 0;
        for (size_t k = 0; k < r; k++)
            row[k] /= sum;
    }
}

/* Node 0 is the only one without parents where `one_root`; the others have one to three parents among those before. */
static bayes_net *make_net(random_stream *random, size_t n, bool one_root) {
    static const char *const states[] = {"a", "b", "c"};
    static const char *const names[] = {"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7"};
    variable v[8] = {0};
    bayes_net *net = NULL;
    error_info err = {0};
    for (size_t i = 0; i < n; i++)
        assert_ok(variable_init_discrete(&v[i], names[i], states, 2 + (size_t)random_below(random, 2), &err), &err);
    assert_ok(bayes_net_create("tiny", v, n, &net, &err), &err);
    for (size_t i = 0; i < n; i++) {
        size_t parents[8], count = 0;
        for (size_t p = i; p-- > 0 && count < 3;) {
            if (random_uniform(random) < 0.5 || (one_root && p == 0 && count == 0))
                parents[count++] = p;
        }
        assert_ok(bayes_net_set_parents(net, i, parents, count, &err), &err);
        fill_randomly(net, i, random);
        variable_clear(&v[i]);
    }
    return net;
}

static double probability_of(const bayes_net *net, const size_t *states) {
    double p = 1;
    for (size_t i = 0; i < bayes_net_node_count(net); i++) {
        size_t count, j = 0;
        const size_t *parents = bayes_net_parents(net, i, &count);
        for (size_t a = count; a-- > 0;)
            j = j * bayes_net_variable(net, parents[a])->n_states + states[parents[a]];
        p *= bayes_net_table(net, i)[j * bayes_net_variable(net, i)->n_states + states[i]];
    }
    return p;
}

static bool next_states(const bayes_net *net, size_t *states) {
    for (size_t i = 0; i < bayes_net_node_count(net); i++) {
        if (++states[i] < bayes_net_variable(net, i)->n_states)
            return true;
        states[i] = 0;
    }
    return false;
}

static size_t cell_of(const bayes_net *net, const size_t *nodes, size_t n, const size_t *states) {
    size_t cell = 0;
    for (size_t i = n; i-- > 0;)
        cell = cell * bayes_net_variable(net, nodes[i])->n_states + states[nodes[i]];
    return cell;
}

static void joint_plainly(const bayes_net *net, const size_t *nodes, size_t n, double *joint) {
    size_t states[64] = {0};
    do
        joint[cell_of(net, nodes, n, states)] += probability_of(net, states);
    while (next_states(net, states));
}

/* ---- scaling ---- */

static void the_example_of_the_specification_scales_as_printed(void **state) {
    static const double a[] = {0.5, 0.3, 0.2}, b[] = {0.2, 0.8};
    static const double x0[] = {0.3, 0.6, 0.9, 0.2, 0.5, 0.4}; /* t fastest */
    static const double expected[] = {0.07614219, 0.42586772, 0.17084295};
    double table[6], marginal = 0;
    error_info err = {0};
    (void)state;
    assert_ok(tiling_scale_table(a, 3, b, 2, x0, table, &err), &err);
    for (size_t p = 0; p < 3; p++) {
        assert_true(fabs(table[2 * p] - expected[p]) < 5e-9);
        assert_close(table[2 * p] + table[2 * p + 1], 1, 1e-15);
        marginal += a[p] * table[2 * p];
    }
    assert_close(marginal, 0.2, 1e-12);
}

static void states_and_parents_that_never_occur_are_let_be(void **state) {
    static const double a[] = {0.6, 0, 0.4}, b[] = {0.3, 0, 0.7};
    static const double x0[] = {0.5, 0.1, 0.9, 0.3, 0.2, 0.6, 0.7, 0.8, 0.01};
    double table[9];
    error_info err = {0};
    (void)state;
    assert_ok(tiling_scale_table(a, 3, b, 3, x0, table, &err), &err);
    for (size_t p = 0; p < 3; p++)
        assert_true(table[3 * p + 1] == 0);
    assert_memory_equal(table + 3, b, sizeof b);
    assert_close(0.6 * table[0] + 0.4 * table[6], 0.3, 1e-12);
}

static void random_tables_scale_to_both_margins(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(11));
    for (int repeat = 0; repeat < 200; repeat++) {
        size_t q = 1 + (size_t)random_below(&random, 200), r = 2 + (size_t)random_below(&random, 10);
        double *a = calloc(q, sizeof *a), *b = calloc(r, sizeof *b), *x = calloc(q * r, sizeof *x), sum_a = 0,
               sum_b = 0;
        error_info err = {0};
        for (size_t p = 0; p < q; p++)
            sum_a += a[p] = pow(random_uniform(&random), 6);
        for (size_t t = 0; t < r; t++)
            sum_b += b[t] = pow(random_uniform(&random), 4) + 1e-9;
        for (size_t p = 0; p < q; p++)
            a[p] /= sum_a;
        for (size_t t = 0; t < r; t++)
            b[t] /= sum_b;
        for (size_t i = 0; i < q * r; i++)
            x[i] = 1 - random_uniform(&random);
        assert_ok(tiling_scale_table(a, q, b, r, x, x, &err), &err);
        for (size_t t = 0; t < r; t++) {
            double marginal = 0;
            for (size_t p = 0; p < q; p++)
                marginal += a[p] * x[p * r + t];
            assert_true(fabs(marginal - b[t]) < 1e-11);
        }
        free(a);
        free(b);
        free(x);
    }
}

/* ---- joint distributions ---- */

static void joints_by_elimination_are_those_of_the_full_product(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(12));
    for (int repeat = 0; repeat < 100; repeat++) {
        bayes_net *net = make_net(&random, 8, false);
        size_t order[8], n = 1 + (size_t)random_below(&random, 4), cells = 1;
        double plain[81] = {0}, joint[81];
        bool done = false;
        error_info err = {0};
        random_permutation(&random, order, 8);
        joint_plainly(net, order, n, plain);
        assert_ok(joint_exact(net, order, n, &no_limits, joint, &done, &err), &err);
        assert_true(done);
        for (size_t i = 0; i < n; i++)
            cells *= bayes_net_variable(net, order[i])->n_states;
        for (size_t cell = 0; cell < cells; cell++)
            assert_close(joint[cell], plain[cell], 1e-14);
        bayes_net_destroy(net);
    }
}

static void a_joint_past_its_limits_is_not_done(void **state) {
    bayes_net *net = read_net("networks/alarm.bif");
    size_t node = bayes_net_find_node(net, "BP"); /* far down: many ancestors */
    joint_limits few_nodes = {.max_nodes = 3, .max_cells = 1 << 20}, few_cells = {.max_nodes = 100, .max_cells = 8};
    double joint[3] = {7, 7, 7};
    bool done = true;
    error_info err = {0};
    (void)state;
    assert_ok(joint_exact(net, &node, 1, &few_nodes, joint, &done, &err), &err);
    assert_false(done);
    assert_ok(joint_exact(net, &node, 1, &few_cells, joint, &done, &err), &err);
    assert_false(done);
    assert_true(joint[0] == 7);
    assert_ok(joint_exact(net, &node, 1, &no_limits, joint, &done, &err), &err);
    assert_true(done);
    assert_close(joint[0] + joint[1] + joint[2], 1, 1e-12);
    bayes_net_destroy(net);
}

static void a_sampled_joint_is_near_the_exact_one(void **state) {
    random_stream random;
    bayes_net *net;
    size_t nodes[] = {6, 2};
    double exact[9], sampled[9], sum = 0;
    size_t cells;
    bool done;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(13));
    net = make_net(&random, 8, false);
    cells = bayes_net_variable(net, 6)->n_states * bayes_net_variable(net, 2)->n_states;
    assert_ok(joint_exact(net, nodes, 2, &no_limits, exact, &done, &err), &err);
    assert_ok(joint_sampled(net, nodes, 2, 100000, &random, sampled, &err), &err);
    for (size_t i = 0; i < cells; i++) {
        assert_true(fabs(exact[i] - sampled[i]) < 0.01);
        assert_true(sampled[i] > 0);
        sum += sampled[i];
    }
    assert_close(sum, 1, 1e-12);
    bayes_net_destroy(net);
}

/* The state whose share of the row holds u; the last possible one where rounding leaves u above all. */
static size_t draw_plainly(const double *row, size_t r, double u) {
    size_t last = r - 1, k = 0;
    double sum = row[0];
    while (last > 0 && row[last] == 0)
        last--;
    while (k < last && sum <= u)
        sum += row[++k];
    return k;
}

/* Adds to `tallies` one sample of the nodes 0, 1, ..., each behind its parents. */
static void sample_plainly(const bayes_net *net, random_stream *random, double *tallies) {
    size_t n = bayes_net_node_count(net), states[8], cell = 0;
    for (size_t node = 0; node < n; node++) {
        size_t n_parents, row = 0, r = bayes_net_variable(net, node)->n_states;
        const size_t *parents = bayes_net_parents(net, node, &n_parents);
        for (size_t p = n_parents; p-- > 0;)
            row = row * bayes_net_variable(net, parents[p])->n_states + states[parents[p]];
        states[node] = draw_plainly(bayes_net_table(net, node) + row * r, r, random_uniform(random));
    }
    for (size_t node = n; node-- > 0;)
        cell = cell * bayes_net_variable(net, node)->n_states + states[node];
    tallies[cell]++;
}

/* Bit by bit, and the stream goes on at the same place. */
static void samples_are_those_drawn_one_by_one(void **state) {
    enum { N = 1001, MOST_CELLS = 6561 };
    static const size_t nodes[] = {0, 1, 2, 3, 4, 5, 6, 7};
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        double sampled[MOST_CELLS], tallies[MOST_CELLS] = {0};
        size_t cells = 1;
        random_stream random, again;
        bayes_net *net;
        error_info err = {0};
        random_stream_init(&random, random_key_of(seed));
        net = make_net(&random, 8, false);
        for (size_t i = 0; i < 8; i++)
            cells *= bayes_net_variable(net, i)->n_states;
        assert_that(cells, <=, MOST_CELLS);
        again = random;
        assert_ok(joint_sampled(net, nodes, 8, N, &random, sampled, &err), &err);
        for (size_t i = 0; i < N; i++)
            sample_plainly(net, &again, tallies);
        for (size_t i = 0; i < cells; i++)
            assert_true(sampled[i] == (tallies[i] / N + 1e-6) / (1 + 1e-6 * (double)cells));
        assert_true(random_uniform(&random) == random_uniform(&again));
        bayes_net_destroy(net);
    }
}

/* ---- tiles ---- */

static bayes_net *tile(const bayes_net *base, size_t copies, size_t n_arcs, const tiling_options *options,
                       uint64_t seed) {
    random_stream random;
    bayes_net *net = NULL;
    error_info err = {0};
    random_stream_init(&random, random_key_of(seed));
    assert_ok(tile_network(base, copies, n_arcs, options, &random, &net, &err), &err);
    return net;
}

static void tiles_are_copies_with_arcs_from_earlier_tiles_into_their_roots(void **state) {
    bayes_net *base = read_net("networks/alarm.bif");
    size_t n = bayes_net_node_count(base), n_between = 0;
    bayes_net *net = tile(base, 4, 20, NULL, 1);
    (void)state;
    assert_string_equal(bayes_net_name(net), "alarm4");
    assert_int_equal(bayes_net_node_count(net), 4 * n);
    assert_int_equal(dag_arc_count(bayes_net_dag(net)), 4 * 46 + 20);
    assert_string_equal(bayes_net_variable(net, 3 * n + 2)->name + 3, bayes_net_variable(base, 2)->name);
    assert_memory_equal(bayes_net_variable(net, 3 * n + 2)->name, "T4_", 3);
    for (size_t i = 0; i < 4 * n; i++) {
        size_t n_old, n_new, own = i % n, joint = 1;
        const size_t *old = bayes_net_parents(base, own, &n_old), *new = bayes_net_parents(net, i, &n_new);
        if (n_old > 0 || n_new == 0) { /* as it was */
            assert_int_equal(n_new, n_old);
            for (size_t p = 0; p < n_old; p++)
                assert_int_equal(new[p], old[p] + i / n * n);
            assert_memory_equal(bayes_net_table(net, i), bayes_net_table(base, own),
                                bayes_net_configuration_count(base, own) * bayes_net_variable(base, own)->n_states *
                                    sizeof(double));
            continue;
        }
        n_between += n_new;
        for (size_t p = 0; p < n_new; p++) {
            assert_true(new[p] / n < i / n);
            assert_int_equal(new[p] / n, new[0] / n); /* one source */
            joint *= bayes_net_variable(net, new[p])->n_states;
        }
        assert_true(joint <= 200);
    }
    assert_int_equal(n_between, 20);
    bayes_net_destroy(base);
    bayes_net_destroy(net);
}

static void assert_marginals_of_entries_are_the_old_priors(const bayes_net *base, const bayes_net *net) {
    size_t n = bayes_net_node_count(base), n_checked = 0;
    for (size_t i = n; i < bayes_net_node_count(net); i++) {
        size_t n_old, n_new, r = bayes_net_variable(net, i)->n_states;
        double joint[16];
        bool done = false;
        error_info err = {0};
        (void)bayes_net_parents(base, i % n, &n_old);
        (void)bayes_net_parents(net, i, &n_new);
        if (n_old > 0 || n_new == 0)
            continue;
        assert_ok(joint_exact(net, &i, 1, &no_limits, joint, &done, &err), &err);
        assert_true(done);
        for (size_t k = 0; k < r; k++)
            assert_true(fabs(joint[k] - bayes_net_table(base, i % n)[k]) < 1e-10);
        n_checked++;
    }
    assert_true(n_checked > 3);
}

static void marginals_of_entries_are_the_old_priors(void **state) {
    tiling_options many = tiling_defaults();
    bayes_net *base = read_net("networks/alarm.bif"), *net;
    (void)state;
    many.single_source = false;
    for (uint64_t seed = 0; seed < 5; seed++) {
        net = tile(base, 3, 11, NULL, seed);
        assert_marginals_of_entries_are_the_old_priors(base, net);
        bayes_net_destroy(net);
        net = tile(base, 3, 11, &many, seed);
        assert_marginals_of_entries_are_the_old_priors(base, net);
        bayes_net_destroy(net);
    }
    bayes_net_destroy(base);
}

/* One entry a tile, its new parents in one tile: every tile is distributed like the base. */
static void with_one_entry_the_joint_of_a_tile_is_that_of_the_base(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(14));
    for (uint64_t seed = 0; seed < 30; seed++) {
        bayes_net *base = make_net(&random, 4, true), *net = tile(base, 4, 3 + seed % 3, NULL, seed);
        static const size_t own[] = {0, 1, 2, 3};
        double expected[81] = {0};
        joint_plainly(base, own, 4, expected);
        for (size_t t = 0; t < 4; t++) {
            size_t nodes[] = {4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3}, cells = 1;
            double joint[81];
            bool done = false;
            error_info err = {0};
            assert_ok(joint_exact(net, nodes, 4, &no_limits, joint, &done, &err), &err);
            assert_true(done);
            for (size_t i = 0; i < 4; i++)
                cells *= bayes_net_variable(base, i)->n_states;
            for (size_t cell = 0; cell < cells; cell++)
                assert_true(fabs(joint[cell] - expected[cell]) < 1e-10);
        }
        bayes_net_destroy(base);
        bayes_net_destroy(net);
    }
}

/* Where the ancestors are too many for an exact joint, the one of the parents' own tile is taken. */
static void long_chains_of_tiles_keep_the_priors_nearly(void **state) {
    bayes_net *base = read_net("networks/child.bif"), *net = tile(base, 40, 39, NULL, 3);
    size_t n = bayes_net_node_count(base);
    (void)state;
    for (size_t t = 1; t < 40; t++) {
        size_t node = t * n;
        double joint[2];
        bool done = false;
        error_info err = {0};
        assert_ok(joint_exact(net, &node, 1, &no_limits, joint, &done, &err), &err);
        assert_true(done);
        assert_true(fabs(joint[0] - bayes_net_table(base, 0)[0]) < 1e-9);
    }
    bayes_net_destroy(base);
    bayes_net_destroy(net);
}

static void a_seed_gives_one_network_and_another_seed_another(void **state) {
    bayes_net *base = read_net("networks/child.bif");
    text_buffer texts[3] = {0};
    static const uint64_t seeds[] = {1, 1, 2};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        bayes_net *net = tile(base, 3, 4, NULL, seeds[i]);
        bif_append(net, NULL, &texts[i]);
        bayes_net_destroy(net);
    }
    assert_string_equal(texts[0].data, texts[1].data);
    assert_string_not_equal(texts[0].data, texts[2].data);
    for (size_t i = 0; i < 3; i++)
        text_buffer_clear(&texts[i]);
    bayes_net_destroy(base);
}

static void what_cannot_be_tiled_is_refused(void **state) {
    bayes_net *base = read_net("networks/child.bif"), *net = NULL;
    random_stream random;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(1));
    assert_int_equal(tile_network(base, 1, 0, NULL, &random, &net, &err), STATUS_INVALID);
    assert_message_has(&err, "at least two");
    assert_int_equal(tile_network(base, 3, 1000, NULL, &random, &net, &err), STATUS_INVALID);
    assert_message_has(&err, "cannot be placed");
    assert_int_equal(tile_network(base, 2, 15, NULL, &random, &net, &err), STATUS_INVALID); /* 2^15 joint states */
    assert_message_has(&err, "joint states");
    assert_int_equal(tile_network(base, 10000000, 1, NULL, &random, &net, &err), STATUS_INVALID);
    assert_message_has(&err, "MiB");
    assert_null(net);
    bayes_net_destroy(base);
}

/* Three states a variable: four new parents have 81 joint states, five 243. Two entries a tile, so 4 (k - 1) 2 fit. */
static void as_many_arcs_are_placed_as_there_is_room_for(void **state) {
    static const char *const states[] = {"a", "b", "c"};
    static const char *const names[] = {"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7"};
    variable v[8] = {0};
    bayes_net *base = NULL, *net = NULL;
    random_stream random;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(15));
    for (size_t i = 0; i < 8; i++)
        assert_ok(variable_init_discrete(&v[i], names[i], states, 3, &err), &err);
    assert_ok(bayes_net_create("three", v, 8, &base, &err), &err);
    for (size_t i = 0; i < 8; i++) {
        assert_ok(bayes_net_set_parents(base, i, (size_t[]){i - 1}, i > 1, &err), &err);
        fill_randomly(base, i, &random);
        variable_clear(&v[i]);
    }
    for (size_t n_arcs = 0; n_arcs <= 32; n_arcs++) {
        net = tile(base, 5, n_arcs, NULL, n_arcs);
        assert_int_equal(dag_arc_count(bayes_net_dag(net)), 5 * 6 + n_arcs);
        for (size_t i = 8; i < 40; i++) {
            size_t count;
            (void)bayes_net_parents(net, i, &count);
            assert_true(count <= 4);
        }
        bayes_net_destroy(net);
    }
    net = NULL;
    assert_int_equal(tile_network(base, 5, 33, NULL, &random, &net, &err), STATUS_INVALID);
    assert_message_has(&err, "cannot be placed");
    bayes_net_destroy(base);
}

/* Seven of child's variables with 200 joint states at most are six of two and one of three: one draw in 10^5 or so. */
static void parents_that_rarely_fit_are_found(void **state) {
    tiling_options options = tiling_defaults();
    bayes_net *base = read_net("networks/child.bif");
    (void)state;
    for (options.max_joint_states = 2; options.max_joint_states <= 6000; options.max_joint_states *= 3) {
        size_t sizes[20], n = 0, cells = 1;
        bayes_net *net;
        for (size_t i = 0; i < 20; i++) {
            size_t at = i, size = bayes_net_variable(base, i)->n_states;
            for (; at > 0 && sizes[at - 1] > size; at--)
                sizes[at] = sizes[at - 1];
            sizes[at] = size;
        }
        while (n < 20 && (cells *= sizes[n]) <= options.max_joint_states)
            n++;
        net = tile(base, 2, n, &options, 7); /* child has one entry */
        assert_int_equal(dag_arc_count(bayes_net_dag(net)), 50 + n);
        bayes_net_destroy(net);
    }
    bayes_net_destroy(base);
}

/* ---- the tiled networks of the papers ---- */

static void the_tiled_networks_of_the_catalogue_are_made_as_it_says(void **state) {
    size_t n_made = 0;
    (void)state;
    (void)setenv("BNBENCH_CACHE", scratch_folder(), 1);
    (void)setenv("BNBENCH_SHARE", source_path(""), 1);
    (void)unsetenv("BNBENCH_NETWORKS");
    if (shared_path("networks"))
        (void)setenv("BNBENCH_NETWORKS", shared_path("networks"), 1);
    for (size_t i = 0; i < catalogue_count(); i++) {
        const catalogue_entry *e = catalogue_at(i);
        bayes_net *net = NULL;
        error_info err = {0};
        status st;
        if (!e->tile || e->copies > 100)
            continue;
        st = catalogue_load(e->name, &net, &err);
        if (st == STATUS_MISSING) { /* a base that does not ship */
            assert_message_has(&err, e->tile);
            continue;
        }
        assert_ok(st, &err);
        assert_string_equal(bayes_net_name(net), e->name);
        assert_ok(catalogue_check(e, net, &err), &err);
        bayes_net_destroy(net);
        n_made++;
    }
    assert_true(n_made >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_specification_scales_as_printed),
        cmocka_unit_test(states_and_parents_that_never_occur_are_let_be),
        cmocka_unit_test(random_tables_scale_to_both_margins),
        cmocka_unit_test(joints_by_elimination_are_those_of_the_full_product),
        cmocka_unit_test(a_joint_past_its_limits_is_not_done),
        cmocka_unit_test(a_sampled_joint_is_near_the_exact_one),
        cmocka_unit_test(samples_are_those_drawn_one_by_one),
        cmocka_unit_test(tiles_are_copies_with_arcs_from_earlier_tiles_into_their_roots),
        cmocka_unit_test(marginals_of_entries_are_the_old_priors),
        cmocka_unit_test(with_one_entry_the_joint_of_a_tile_is_that_of_the_base),
        cmocka_unit_test(long_chains_of_tiles_keep_the_priors_nearly),
        cmocka_unit_test(a_seed_gives_one_network_and_another_seed_another),
        cmocka_unit_test(as_many_arcs_are_placed_as_there_is_room_for),
        cmocka_unit_test(parents_that_rarely_fit_are_found),
        cmocka_unit_test(what_cannot_be_tiled_is_refused),
        cmocka_unit_test(the_tiled_networks_of_the_catalogue_are_made_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
