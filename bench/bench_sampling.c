/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long does it take to draw rows from a network, and to write and read them as CSV?
 *
 *   bench_sampling ROWS FILE.bif[.gz]...
 *
 * Least of ten; CPU time. The goals: 5,000 rows of link (724 variables) in under 0.5 s, and as CSV read in under 0.2 s.
 */
#include "core/base/file.h"
#include "core/data/dataset_csv.h"
#include "core/run/run_context.h"
#include "generators/networks/bif.h"
#include "generators/sampling/sampling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 10 };

typedef struct {
    double sample_s, write_s, given_s, inferred_s;
} sampling_times;

static status time_parsing(const text_buffer *text, const variable *given, size_t n_given, double *seconds,
                           error_info *err) {
    dataset *data = NULL;
    double start = run_cpu_s();
    status st = dataset_parse_csv(text->data, text->length, &(data_reading){.given = given, .n_given = n_given}, &data,
                                  NULL, err);
    *seconds = fmin(*seconds, run_cpu_s() - start);
    dataset_destroy(data);
    return st;
}

static status time_once(const bayes_net *net, size_t n_rows, sampling_times *times, error_info *err) {
    random_stream random;
    dataset *data = NULL;
    text_buffer text = {0};
    double start = run_cpu_s();
    status st = STATUS_OK;
    random_stream_init(&random, random_key_of(1));
    TRY(sample_network(net, n_rows, &random, &data, err));
    times->sample_s = fmin(times->sample_s, run_cpu_s() - start);
    start = run_cpu_s();
    dataset_append_csv(data, &text);
    times->write_s = fmin(times->write_s, run_cpu_s() - start);
    TRY(text_buffer_check(&text, err));
    TRY(time_parsing(&text, bayes_net_variables(net), bayes_net_node_count(net), &times->given_s, err));
    TRY(time_parsing(&text, NULL, 0, &times->inferred_s, err));
cleanup:
    dataset_destroy(data);
    text_buffer_clear(&text);
    return st;
}

static status measure(const char *path, size_t n_rows, error_info *err) {
    sampling_times times = {INFINITY, INFINITY, INFINITY, INFINITY};
    bayes_net *net = NULL;
    status st = STATUS_OK;
    TRY(bif_read(path, &net, NULL, err));
    for (int i = 0; i < REPEATS; i++)
        TRY(time_once(net, n_rows, &times, err));
    (void)printf(
        "%-20s %zu rows   sample %8.2f ms   CSV: write %8.2f ms   read, states given %8.2f ms, inferred %8.2f ms\n",
        path_base(path), n_rows, times.sample_s * 1e3, times.write_s * 1e3, times.given_s * 1e3,
        times.inferred_s * 1e3);
cleanup:
    bayes_net_destroy(net);
    return st;
}

int main(int argc, char **argv) {
    error_info err = {0};
    int64_t n_rows;
    if (argc < 3 || !text_to_int(argv[1], &n_rows) || n_rows < 1) {
        (void)fprintf(stderr, "usage: bench_sampling ROWS FILE.bif[.gz]...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        if (measure(argv[i], (size_t)n_rows, &err) != STATUS_OK) {
            (void)fprintf(stderr, "bench_sampling: %s\n", err.message);
            return 3;
        }
    }
    return 0;
}
