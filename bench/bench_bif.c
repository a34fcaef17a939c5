/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long does a network take to read and to write?
 *
 *   bench_bif FILE.bif[.gz]...
 *
 * Least of ten: reading from the file (decompression and all), reading the text alone, writing to a text; wall time.
 * The goal: mildew (540,150 parameters) reads in under 0.3 s.
 */
#include "core/base/file.h"
#include "core/run/run_context.h"
#include "generators/networks/bif.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 10 };

typedef struct {
    double file_s, text_s, write_s;
    uint64_t parameters;
} bif_times;

static status time_reading(const char *path, const char *text, size_t length, bif_times *times, error_info *err) {
    bayes_net *net = NULL;
    status st = STATUS_OK;
    double start = run_clock_s();
    TRY(bif_read(path, &net, NULL, err));
    times->file_s = fmin(times->file_s, run_clock_s() - start);
    times->parameters = bayes_net_parameter_count(net);
    bayes_net_destroy(net);
    net = NULL;
    start = run_clock_s();
    TRY(bif_parse(text, length, "bench", &net, NULL, err));
    times->text_s = fmin(times->text_s, run_clock_s() - start);
cleanup:
    bayes_net_destroy(net);
    return st;
}

static status time_writing(const char *text, size_t length, bif_times *times, error_info *err) {
    bayes_net *net = NULL;
    text_buffer written = {0};
    status st = STATUS_OK;
    double start;
    TRY(bif_parse(text, length, "bench", &net, NULL, err));
    start = run_clock_s();
    bif_append(net, NULL, &written);
    times->write_s = fmin(times->write_s, run_clock_s() - start);
    TRY(text_buffer_check(&written, err));
cleanup:
    bayes_net_destroy(net);
    text_buffer_clear(&written);
    return st;
}

static status measure(const char *path, error_info *err) {
    bif_times times = {INFINITY, INFINITY, INFINITY, 0};
    char *text = NULL;
    size_t length;
    status st = STATUS_OK;
    TRY(file_read(path, FILE_READ_MOST, &text, &length, err));
    for (int i = 0; i < REPEATS; i++) {
        TRY(time_reading(path, text, length, &times, err));
        TRY(time_writing(text, length, &times, err));
    }
    (void)printf("%-20s %8llu parameters %8zu bytes   file %7.2f ms   text %7.2f ms   write %7.2f ms\n",
                 path_base(path), (unsigned long long)times.parameters, length, times.file_s * 1e3, times.text_s * 1e3,
                 times.write_s * 1e3);
cleanup:
    free(text);
    return st;
}

int main(int argc, char **argv) {
    error_info err = {0};
    if (argc < 2) {
        (void)fprintf(stderr, "usage: bench_bif FILE.bif[.gz]...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        if (measure(argv[i], &err) != STATUS_OK) {
            (void)fprintf(stderr, "bench_bif: %s\n", err.message);
            return 3;
        }
    }
    return 0;
}
