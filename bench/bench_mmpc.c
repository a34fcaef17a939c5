/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long do the local searches and their hybrids take, on data of which network and how many tests?
 *
 *   bench_mmpc NETWORK.bif [ROWS [REPEATS [LEARNER...]]]      defaults: 5000 rows, 20 repeats, mmpc pmmpc mmhc pmmhc
 *
 * CPU time of the learner alone, on one thread: least and median of the repeats.
 */
#include "core/base/text.h"
#include "core/graph/pdag.h"
#include "generators/networks/bif.h"
#include "generators/sampling/sampling.h"
#include "learners/base/learner.h"
#include "learners/registry.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double *seconds;
    size_t n;
} timings;

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void print_row(const char *name, timings *t, const learner_result *result, const run_context *ctx) {
    statistics_count all = run_context_statistics(ctx);
    qsort(t->seconds, t->n, sizeof *t->seconds, compare_doubles);
    printf("%-8s %10.3f %10.3f %7zu %10llu %10llu %10llu\n", name, 1e3 * t->seconds[0], 1e3 * t->seconds[t->n / 2],
           pdag_edge_count(result->graph), (unsigned long long)all.requests, (unsigned long long)all.computed,
           (unsigned long long)all.skipped);
}

static status bench(const char *name, const dataset *data, timings *t, error_info *err) {
    status st = STATUS_OK;
    const learner *l = NULL;
    void *options = NULL;
    learner_result result = {0};
    run_context ctx;

    TRY(learner_find(name, &l, err));
    options = learner_options_create(l);
    TRY_ALLOC(options);
    for (size_t i = 0; i < t->n; i++) {
        double start;
        learner_result_clear(&result);
        run_context_init(&ctx, 1);
        start = run_cpu_s();
        TRY(learner_run(l, data, options, &ctx, &result, err));
        t->seconds[i] = run_cpu_s() - start;
    }
    print_row(name, t, &result, &ctx);
cleanup:
    learner_result_clear(&result);
    free(options);
    return st;
}

static status make_data(const char *path, size_t n_rows, dataset **out, error_info *err) {
    status st = STATUS_OK;
    bayes_net *net = NULL;
    random_stream random;

    TRY(bif_read(path, &net, NULL, err));
    random_stream_init(&random, random_key_of(1));
    TRY(sample_network(net, n_rows, &random, out, err));
    printf("%s: %zu variables, %zu rows; CPU time in ms\n", bayes_net_name(net), bayes_net_node_count(net), n_rows);
cleanup:
    bayes_net_destroy(net);
    return st;
}

static bool read_size(const char *text, size_t *out) {
    int64_t value = 0;
    if (!text_to_int(text, &value) || value < 1)
        return false;
    *out = (size_t)value;
    return true;
}

int main(int argc, char **argv) {
    static const char *const usual[] = {"mmpc", "pmmpc", "mmhc", "pmmhc"};
    const char *const *names = argc > 4 ? (const char *const *)(argv + 4) : usual;
    size_t n_names = argc > 4 ? (size_t)argc - 4 : 4, n_rows = 5000;
    timings t = {NULL, 20};
    dataset *data = NULL;
    error_info *err = &(error_info){0};
    status st = STATUS_OK;

    if (argc < 2 || (argc > 2 && !read_size(argv[2], &n_rows)) || (argc > 3 && !read_size(argv[3], &t.n))) {
        (void)fprintf(stderr, "usage: bench_mmpc NETWORK.bif [ROWS [REPEATS [LEARNER...]]]\n");
        return 2;
    }
    t.seconds = calloc(t.n, sizeof *t.seconds);
    TRY_ALLOC(t.seconds);
    TRY(make_data(argv[1], n_rows, &data, err));
    printf("%-8s %10s %10s %7s %10s %10s %10s\n", "learner", "least", "median", "edges", "requests", "computed",
           "skipped");
    for (size_t i = 0; i < n_names; i++)
        TRY(bench(names[i], data, &t, err));
cleanup:
    if (st != STATUS_OK)
        (void)fprintf(stderr, "bench_mmpc: %s\n", err->message);
    dataset_destroy(data);
    free(t.seconds);
    return st == STATUS_OK ? 0 : 1;
}
