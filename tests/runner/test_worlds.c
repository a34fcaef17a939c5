/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of genes and real data in experiments: declared, made discrete, learned from, measured. */
#include "core/base/checksum.h"
#include "metrics/distances/arc_rates.h"
#include "runner/plan/data_cache_internal.h"
#include "runner/plan/world_internal.h"
#include "tests/discretizers/discretize_support.h"
#include "tests/support/run_support.h"

#include <math.h>

#include <sys/resource.h>

static const char head[] = "name: x\nseed: 3\ndata: {samples: [40], replicates: 2, test_samples: 0}\n"
                           "learners: [hc, mmpc]\nmetrics: [recall]\n";

static experiment declare_with(const char *rest) {
    char text[2000];
    (void)snprintf(text, sizeof text, "%s%s", head, rest);
    return declare(text);
}

static void assert_refused(const char *rest, const char *words) {
    char text[2000];
    experiment e = {0};
    error_info err = {0};
    (void)snprintf(text, sizeof text, "%s%s", head, rest);
    assert_int_equal(experiment_parse(text, strlen(text), "x.yaml", &e, &err), STATUS_PARSE);
    assert_message_has(&err, words);
}

static void genes_and_data_sets_are_declared_among_networks(void **state) {
    (void)state;
    experiment e = declare_with("networks:\n"
                                "  - {id: web, genes: 50, arcs_per_gene: 1.5, topology: random, measurement_sd: 0}\n"
                                "  - {id: known, genes: 30, edges: dream, genetics: false}\n"
                                "  - {dataset: cells}\n"
                                "  - asia\n");
    assert_int_equal(e.sources[0].kind, SOURCE_GENES);
    assert_int_equal(e.sources[0].genes.topology.n_genes, 50);
    assert_false(e.sources[0].genes.is_scale_free);
    assert_close(e.sources[0].genes.topology.arcs_per_gene, 1.5, 0);
    assert_close(e.sources[0].genes.noise.measurement_sd, 0, 0);
    assert_close(e.sources[0].genes.noise.biological_sd, .1, 0);
    assert_string_equal(e.sources[1].genes.edges, "dream");
    assert_false(e.sources[1].genes.noise.genetics);
    assert_int_equal(e.sources[2].kind, SOURCE_DATA);
    assert_string_equal(e.outputs.networks[2], "cells");
    assert_int_equal(e.sources[3].kind, SOURCE_NETWORK);
    experiment_clear(&e);
}

static void bad_genes_are_refused_with_what_would_do(void **state) {
    (void)state;
    assert_refused("networks: [{genes: 50}]\n", "needs an 'id'");
    assert_refused("networks: [{id: a, genes: 1}]\n", "from 2 to");
    assert_refused("networks: [{id: a, genes: 50, topology: ring}]\n", "scale-free|random");
    assert_refused("networks: [{id: a, genes: 50, arcs: 2}]\n", "unknown key 'arcs'");
    assert_refused("networks: [{id: a, genes: 50, edges: b, modules: 2}]\n", "leave one out");
    assert_refused("networks: [{dataset: a/b.csv}]\n", "needs an 'id'");
    assert_refused("networks: [asia]\ndiscretize: kmean\n", "did you mean 'kmeans'?");
    assert_refused("networks: [asia]\ndiscretize: {method: kmeans, k: 1}\n", "x.yaml:7:");
    assert_refused("networks: [asia]\ndiscretize: {k: 3}\n", "needs a 'method'");
}

static void a_learner_takes_its_own_discretizer_or_that_of_all(void **state) {
    (void)state;
    experiment e = declare("name: x\nnetworks: [asia]\ndata: {samples: [40]}\ndiscretize: {method: eqfreq, k: 4}\n"
                           "learners: [hc, {id: own, learner: hc, discretize: eqwidth}, {id: out, command: [a], "
                           "discretize: {method: kmeans}}]\n");
    assert_string_equal(e.variants[0].discretize.kind->name, "eqfreq");
    assert_string_equal(e.variants[1].discretize.kind->name, "eqwidth");
    assert_string_equal(e.variants[2].discretize.kind->name, "kmeans");
    experiment_clear(&e);
}

static const double *metric_of(const job_record *r, const char *name) {
    return job_record_metric(r, name);
}

static void genes_are_learned_from_and_measured_without_directions(void **state) {
    (void)state;
    experiment e = declare_with("networks: [{id: web, genes: 40, arcs_per_gene: 2}]\ndiscretize: kmeans\n");
    const char *folder = scratch_folder(), *other = scratch_folder();
    run_counts counts = run_in(&e, folder, 1);
    record_list records;
    assert_int_equal(counts.done, 4);
    records = read_records(folder);
    for (size_t i = 0; i < records.n; i++) {
        const job_record *r = &records.items[i];
        assert_non_null(metric_of(r, "recall"));
        assert_non_null(metric_of(r, "arc_recall"));
        assert_close(*metric_of(r, "states_mean"), 3, 1e-9);
        assert_null(metric_of(r, "shd")); /* the true graph has cycles */
        assert_non_null(strstr(r->options, "\"discretize\":{\"method\":\"kmeans\",\"k\":3"));
        if (strcmp(r->learner, "mmpc") == 0) {
            assert_close(*metric_of(r, "candidate_arcs"), 2 * *metric_of(r, "edges"), 0);
            assert_close(*metric_of(r, "candidate_recall"), 100 * *metric_of(r, "arc_recall"), 1e-12);
        }
    }
    job_records_destroy(records.items, records.n);
    (void)run_in(&e, other, 3); /* which job makes the data, and which finds them, differs */
    {
        record_list a = read_records(folder), b = read_records(other);
        assert_int_equal(a.n, b.n);
        for (size_t i = 0; i < a.n; i++) {
            assert_same_text(a.items[i].key, b.items[i].key, "key");
            assert_same_text(a.items[i].fingerprint, b.items[i].fingerprint, "fingerprint");
            assert_same_text(a.items[i].graph, b.items[i].graph, "graph");
        }
        job_records_destroy(a.items, a.n);
        job_records_destroy(b.items, b.n);
    }
    experiment_clear(&e);
}

static void continuous_data_without_a_discretizer_fail_with_a_sentence(void **state) {
    (void)state;
    experiment e = declare_with("networks: [{id: web, genes: 20, arcs_per_gene: 1}]\n");
    const char *folder = scratch_folder();
    run_counts counts = run_in(&e, folder, 1);
    record_list records = read_records(folder);
    assert_int_equal(counts.failed, 2); /* mmpc has a test of continuous data, hc's score of first choice is BDeu */
    for (size_t i = 0; i < records.n; i++) {
        if (strcmp(records.items[i].learner, "hc") == 0)
            assert_non_null(strstr(records.items[i].message, "is continuous: discretize it, or use score=bic-g"));
    }
    job_records_destroy(records.items, records.n);
    experiment_clear(&e);
}

/* Fifty rows of a -> b and c apart, all continuous; the arcs a -> b and b -> a. */
static const char *write_cells(void) {
    const char *folder = scratch_folder();
    static char text[8000];
    size_t used = (size_t)snprintf(text, sizeof text, "a,b,c\n");
    random_stream random;
    char path[4096];
    error_info err = {0};
    random_stream_init(&random, random_key_of(6));
    for (int row = 0; row < 50; row++) {
        double a = random_uniform(&random), c = random_uniform(&random);
        used += (size_t)snprintf(text + used, sizeof text - used, "%.5f,%.5f,%.5f\n", a,
                                 a + .05 * random_uniform(&random), c);
    }
    (void)snprintf(path, sizeof path, "%s/cells.csv", folder);
    assert_ok(file_write(path, text, used, &err), &err);
    (void)snprintf(path, sizeof path, "%s/cells.edges.csv", folder);
    assert_ok(file_write(path, "from,to\na,b\nb,a\n", 16, &err), &err);
    return folder;
}

static void a_real_data_set_is_found_by_name_and_compared_with_its_arcs(void **state) {
    (void)state;
    experiment e = declare_with("networks: [{dataset: cells}]\ndiscretize: eqfreq\n");
    const char *folder = scratch_folder();
    record_list records;
    (void)setenv("BNBENCH_DATASETS", write_cells(), 1);
    assert_int_equal(run_in(&e, folder, 2).done, 4);
    (void)unsetenv("BNBENCH_DATASETS");
    records = read_records(folder);
    assert_string_not_equal(records.items[0].fingerprint, records.items[2].fingerprint); /* 40 of 50 rows, drawn anew */
    for (size_t i = 0; i < records.n; i++) {
        if (strcmp(records.items[i].learner, "hc") == 0) /* mmpc wants more rows */
            assert_close(*metric_of(&records.items[i], "recall"), 1, 0);
        assert_null(metric_of(&records.items[i], "shd"));
    }
    job_records_destroy(records.items, records.n);
    experiment_clear(&e);
}

static void more_rows_than_a_data_set_has_stop_before_anything_starts(void **state) {
    (void)state;
    experiment e = declare("name: x\nnetworks: [{dataset: cells}]\ndata: {samples: [51]}\nlearners: [hc]\n");
    run_options options = {.store_folder = scratch_folder(), .n_jobs = 1, .quiet = true};
    run_counts counts = {0};
    bool interrupted = false;
    error_info err = {0};
    (void)setenv("BNBENCH_DATASETS", write_cells(), 1);
    assert_int_equal(runner_run(&e, &options, &counts, &interrupted, &err), STATUS_PARSE);
    assert_message_has(&err, "50 rows");
    assert_message_has(&err, "x.yaml:2:");
    (void)unsetenv("BNBENCH_DATASETS");
    assert_int_equal(runner_run(&e, &options, &counts, &interrupted, &err), STATUS_MISSING);
    assert_message_has(&err, "BNBENCH_DATASETS");
    experiment_clear(&e);
}

static void arcs_are_counted_one_by_one(void **state) {
    (void)state;
    static const pdag_pair truth[] = {{0, 1, EDGE_OUT}, {1, 0, EDGE_OUT}, {1, 2, EDGE_OUT}, {3, 2, EDGE_OUT}};
    static const pdag_pair found[] = {{0, 1, EDGE_OUT}, {2, 1, EDGE_OUT}, {2, 3, EDGE_UNDIRECTED}};
    pdag *g = NULL;
    arc_rates r;
    error_info err = {0};
    assert_ok(pdag_from_pairs(4, found, 3, &g, &err), &err);
    assert_ok(arc_rates_measure(g, truth, 4, &r, &err), &err);
    assert_int_equal(r.learned_arcs, 4); /* the undirected edge is both */
    assert_int_equal(r.found, 2);
    assert_close(arc_precision(&r), .5, 0);
    assert_close(arc_recall(&r), .5, 0);
    assert_int_equal(arc_rates_measure(g, (pdag_pair[]){{0, 4, EDGE_OUT}}, 1, &r, &err), STATUS_INVALID);
    pdag_destroy(g);
    assert_true(isnan(arc_recall(&(arc_rates){0, 3, 0})));
    assert_close(arc_precision(&(arc_rates){3, 0, 0}), 0, 0);
}

/* No byte of it may change, nor may it be shorter or longer. */
static void a_cache_that_is_not_whole_is_not_used(void **state) {
    (void)state;
    static const double values[] = {1, 2, 3, 4, 4, 3, 2, 1};
    static const char *const names[] = {"X0", "X1"};
    dataset *data = make_reals(4, 2, values), *discrete = NULL, *again = NULL;
    cut_policy p = fit_with(data, "eqfreq", fit_options("k=2"));
    char path[4096], *bytes = NULL, *policy = NULL;
    size_t length = 0;
    double seconds = 0;
    error_info err = {0};
    (void)snprintf(path, sizeof path, "%s/x.data", scratch_folder());
    assert_false(data_cache_read(path, names, 2, 4, &again, &policy, &seconds));
    assert_ok(policy_apply(&p, data, &discrete, &err), &err);
    assert_ok(data_cache_write(path, discrete, "X0,2.5\n", 1.5, &err), &err);
    assert_true(data_cache_read(path, names, 2, 4, &again, &policy, &seconds));
    assert_close(seconds, 1.5, 0);
    assert_string_equal(policy, "X0,2.5\n");
    free(policy);
    for (size_t c = 0; c < 2; c++) {
        assert_true(variable_is_equal(dataset_variable(again, c), dataset_variable(discrete, c)));
        assert_memory_equal(dataset_bytes(again, c), dataset_bytes(discrete, c), 4);
    }
    dataset_destroy(again);
    assert_false(data_cache_read(path, names, 2, 5, &again, &policy, &seconds));
    assert_ok(file_read(path, 4096, &bytes, &length, &err), &err);
    for (size_t n = 0; n < length; n++) {
        assert_ok(file_write(path, bytes, n, &err), &err);
        assert_false(data_cache_read(path, names, 2, 4, &again, &policy, &seconds));
    }
    for (size_t i = 0; i < 8 * length; i++) {
        bytes[i / 8] = (char)(bytes[i / 8] ^ 1 << i % 8);
        assert_ok(file_write(path, bytes, length, &err), &err);
        if (data_cache_read(path, names, 2, 4, &again, &policy, &seconds))
            fail_msg("bit %zu of the file is another one, and it was used", i);
        bytes[i / 8] = (char)(bytes[i / 8] ^ 1 << i % 8);
    }
    free(bytes);
    policy_clear(&p);
    dataset_destroy(data);
    dataset_destroy(discrete);
}

static long peak_kib(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* Also with a checksum that is right, a count of states that no such file can have is not believed. */
static void a_cache_of_too_many_states_takes_no_memory(void **state) {
    (void)state;
    static const double values[] = {1, 2, 3, 4};
    static const char *const names[] = {"X0"};
    static const uint32_t counts[] = {0, 257, 50000000, UINT32_MAX};
    enum { HEAD = 40 }; /* bytes before the counts */
    dataset *data = make_reals(4, 1, values), *discrete = NULL, *again = NULL;
    cut_policy p = fit_with(data, "eqfreq", fit_options("k=2"));
    char path[4096], *bytes = NULL, *policy = NULL;
    size_t length = 0;
    double seconds = 0;
    long before_kib = peak_kib();
    error_info err = {0};
    (void)snprintf(path, sizeof path, "%s/x.data", scratch_folder());
    assert_ok(policy_apply(&p, data, &discrete, &err), &err);
    assert_ok(data_cache_write(path, discrete, "", 1.5, &err), &err);
    assert_ok(file_read(path, 4096, &bytes, &length, &err), &err);
    assert_memory_equal(bytes + HEAD, &(uint32_t){2}, sizeof(uint32_t));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        memcpy(bytes + HEAD, &counts[i], sizeof counts[i]);
        uint64_t sum = checksum_bytes(CHECKSUM_START, bytes, length - sizeof sum);
        memcpy(bytes + length - sizeof sum, &sum, sizeof sum);
        assert_ok(file_write(path, bytes, length, &err), &err);
        assert_false(data_cache_read(path, names, 1, 4, &again, &policy, &seconds));
    }
    assert_in_range(peak_kib() - before_kib, 0, 64 * 1024);
    free(bytes);
    policy_clear(&p);
    dataset_destroy(data);
    dataset_destroy(discrete);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(genes_and_data_sets_are_declared_among_networks),
        cmocka_unit_test(bad_genes_are_refused_with_what_would_do),
        cmocka_unit_test(a_learner_takes_its_own_discretizer_or_that_of_all),
        cmocka_unit_test(genes_are_learned_from_and_measured_without_directions),
        cmocka_unit_test(continuous_data_without_a_discretizer_fail_with_a_sentence),
        cmocka_unit_test(a_real_data_set_is_found_by_name_and_compared_with_its_arcs),
        cmocka_unit_test(more_rows_than_a_data_set_has_stop_before_anything_starts),
        cmocka_unit_test(arcs_are_counted_one_by_one),
        cmocka_unit_test(a_cache_that_is_not_whole_is_not_used),
        cmocka_unit_test(a_cache_of_too_many_states_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
