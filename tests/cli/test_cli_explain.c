/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench explain: its figures are made again here from what bnbench job says of each job. */
#include "tests/support/cli_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_NETWORKS = 3, N_REPLICATES = 2 };

static const char *const networks[N_NETWORKS] = {"asia", "survey", "child"};

static const char *const experiment =
    "name: figures\nseed: 3\nnetworks: [asia, survey, child]\n"
    "data: {samples: [100, 300], replicates: 2}\n"
    "learners:\n  - hc\n  - {id: k2, learner: hc, score: bic, max_parents: 2}\n  - {learner: mmhc, alpha: 0.01}\n"
    "  - {id: some, command: [sh, some.sh, \"{data}\", \"{graph}\"]}\n"
    "tables:\n"
    "  - {id: edges, metric: edges, aggregate: mean}\n"
    "  - {id: ratio, metric: edges, normalise_by: mmhc}\n"
    "  - {id: over, metric: edges, normalise_by: some}\n"
    "  - {id: ratios, metric: edges, normalise_by: mmhc, ratio: mean-of-ratios, aggregate: mean}\n"
    "  - {id: shape, metric: edges, rows: network, aggregate: mean}\n"
    "  - {id: both, metric: edges, aggregate: mean, pool: {ours: [hc, k2]}}\n";

static const char *make_store(void) {
    const char *folder = in_folder("s");
    (void)write_file("some.sh", "head -n 1 \"$1\" | awk -F, '{print \"from,to,type\"; if (NF > 6) print $1 \",\" $2 "
                                "\",directed\"}' >\"$2\"\n");
    assert_status(0, "run", write_file("figures.yaml", experiment), "--store", folder, "-q");
    return folder;
}

/* What bnbench job says: the edges that a learner found. */
static double edges_of(const char *folder, const char *network, int rows, int replicate, const char *learner) {
    char name[100];
    json_t *answer;
    double edges;
    (void)snprintf(name, sizeof name, "%s/%d/%d/%s", network, rows, replicate, learner);
    assert_status(0, "job", folder, name, "--json");
    answer = parse_answer();
    edges = number_at(json_object_get(answer, "metrics"), "edges");
    json_decref(answer);
    return edges;
}

static double mean_edges(const char *folder, const char *network, int rows, const char *learner) {
    return (edges_of(folder, network, rows, 1, learner) + edges_of(folder, network, rows, 2, learner)) / N_REPLICATES;
}

static double explained(const char *folder, const char *table, const char *row, const char *column, json_t **out) {
    assert_status(0, "explain", folder, table, row, column, "--json");
    *out = parse_answer();
    return number_at(*out, "value");
}

static void assert_near(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * fmax(1, fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

static void a_mean_over_networks(void **state) {
    const char *folder = make_store();
    double sum = 0;
    json_t *answer;
    (void)state;
    for (size_t i = 0; i < N_NETWORKS; i++)
        sum += mean_edges(folder, networks[i], 300, "hc");
    assert_near(explained(folder, "edges", "300", "hc", &answer), sum / N_NETWORKS);
    assert_int_equal(json_array_size(json_object_get(answer, "jobs")), N_NETWORKS * N_REPLICATES);
    assert_that(number_at(answer, "n"), ==, N_NETWORKS * N_REPLICATES);
    assert_that(number_at(answer, "of"), ==, N_NETWORKS * N_REPLICATES);
    json_decref(answer);
}

/* Ratios of means, their median over three networks: the middle one. */
static void a_median_of_ratios_of_means(void **state) {
    const char *folder = make_store();
    double r[N_NETWORKS], low, high;
    json_t *answer, *job;
    (void)state;
    for (size_t i = 0; i < N_NETWORKS; i++)
        r[i] = mean_edges(folder, networks[i], 300, "k2") / mean_edges(folder, networks[i], 300, "mmhc");
    low = fmin(r[0], fmin(r[1], r[2]));
    high = fmax(r[0], fmax(r[1], r[2]));
    assert_near(explained(folder, "ratio", "300", "k2", &answer), r[0] + r[1] + r[2] - low - high);
    job = json_array_get(json_object_get(answer, "jobs"), 0);
    assert_string_equal(text_at(job, "job"), "asia/300/1/k2");
    assert_string_equal(text_at(job, "baseline"), "asia/300/1/mmhc");
    assert_near(number_at(json_object_get(job, "values"), "edges"), edges_of(folder, "asia", 300, 1, "k2"));
    assert_near(number_at(json_object_get(job, "baseline_values"), "edges"), edges_of(folder, "asia", 300, 1, "mmhc"));
    json_decref(answer);
}

/* On the six columns of survey the program finds nothing, and nothing can be divided by that. */
static void what_has_no_ratio_is_not_used(void **state) {
    const char *folder = make_store();
    size_t i, n_used = 0;
    json_t *answer, *job;
    (void)state;
    assert_true(mean_edges(folder, "survey", 100, "some") == 0);
    (void)explained(folder, "over", "100", "k2", &answer);
    json_array_foreach(json_object_get(answer, "jobs"), i, job) {
        bool is_used = json_is_true(json_object_get(job, "used"));
        assert_int_equal(is_used, strncmp(text_at(job, "job"), "survey/", strlen("survey/")) != 0);
        n_used += is_used;
    }
    assert_that(number_at(answer, "n"), ==, (double)n_used);
    json_decref(answer);
}

/* From what explain itself says of the jobs behind the figure. */
static void a_mean_of_ratios(void **state) {
    const char *folder = make_store();
    double sum = 0;
    json_t *answer, *job;
    size_t i;
    (void)state;
    (void)explained(folder, "ratios", "300", "hc", &answer);
    json_array_foreach(json_object_get(answer, "jobs"), i, job) {
        sum += number_at(json_object_get(job, "values"), "edges") /
               number_at(json_object_get(job, "baseline_values"), "edges");
    }
    assert_near(number_at(answer, "value"), sum / (N_NETWORKS * N_REPLICATES));
    assert_string_equal(text_at(json_object_get(answer, "made"), "ratio"), "mean-of-ratios");
    json_decref(answer);
}

static void networks_averages_and_pools(void **state) {
    const char *folder = make_store();
    double one, other;
    json_t *answer;
    (void)state;
    one = mean_edges(folder, "survey", 100, "hc");
    other = mean_edges(folder, "survey", 300, "hc");
    assert_near(explained(folder, "shape", "survey", "hc", &answer), (one + other) / 2);
    assert_int_equal(json_array_size(json_object_get(answer, "jobs")), 4);
    json_decref(answer);
    one = explained(folder, "edges", "100", "hc", &answer);
    json_decref(answer);
    other = explained(folder, "edges", "300", "hc", &answer);
    json_decref(answer);
    assert_near(explained(folder, "edges", "average", "hc", &answer), (one + other) / 2);
    assert_int_equal(json_array_size(json_object_get(answer, "jobs")), 2 * N_NETWORKS * N_REPLICATES);
    json_decref(answer);
    one = explained(folder, "edges", "100", "k2", &answer);
    json_decref(answer);
    other = explained(folder, "edges", "100", "hc", &answer);
    json_decref(answer);
    assert_near(explained(folder, "both", "100", "ours", &answer), (one + other) / 2);
    assert_int_equal(json_array_size(json_object_get(answer, "jobs")), 2 * N_NETWORKS * N_REPLICATES);
    json_decref(answer);
}

static void words_say_how_and_by_what(void **state) {
    const char *folder = make_store();
    json_t *answer, *k2;
    (void)state;
    assert_status(0, "explain", folder, "ratio", "100", "k2");
    assert_text_has(cli_out, "row 100, column k2\n");
    assert_text_has(cli_out, "divided by the mean of mmhc there");
    assert_text_has(cli_out, "asia/100/1/k2: edges ");
    assert_text_has(cli_out, " --repeat");
    assert_text_lacks(cli_out, "options      hc:"); /* it has no part in this figure */
    assert_status(0, "explain", folder, "ratio", "100", "k2", "--json");
    answer = parse_answer();
    k2 = json_object_get(json_object_get(answer, "options"), "k2");
    assert_string_equal(text_at(k2, "score"), "bic");
    assert_that(number_at(k2, "max_parents"), ==, 2);
    assert_int_equal(json_object_size(k2), 2);
    json_decref(answer);
}

static void what_is_not_there_is_suggested(void **state) {
    const char *folder = make_store();
    (void)state;
    assert_status(4, "explain", folder, "edgse", "100", "hc");
    assert_text_has(cli_errors, "there is no table 'edgse'; did you mean 'edges'?");
    assert_status(4, "explain", folder, "edges", "1000", "hc");
    assert_text_has(cli_errors, "did you mean '100'?");
    assert_status(4, "explain", folder, "edges", "100", "mmch");
    assert_text_has(cli_errors, "there is no column 'mmch'; did you mean 'mmhc'?");
    assert_status(2, "explain", folder, "edges", "100");
    assert_status(4, "explain", in_folder("none"), "edges");
    assert_status(0, "explain", folder, "edges");
    assert_text_has(cli_out, "rows     100, 300, average\n");
    assert_text_has(cli_out, "columns  hc, k2, mmhc, some\n");
    assert_status(0, "explain", folder);
    assert_text_has(cli_out, "ratios: ");
    assert_status(0, "explain", folder, "asia/100/1/k2");
    assert_text_has(cli_out, "job          asia/100/1/k2\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(a_mean_over_networks),
        cli_test(a_median_of_ratios_of_means),
        cli_test(a_mean_of_ratios),
        cli_test(what_has_no_ratio_is_not_used),
        cli_test(networks_averages_and_pools),
        cli_test(words_say_how_and_by_what),
        cli_test(what_is_not_there_is_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
