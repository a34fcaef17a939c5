/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What does a contingency table cost, by method, rows and conditioning columns? Nanoseconds a table, the conditioning
 * set shared by 40 tables as learners do; the choice of COUNTS_AUTO ought to be near the best of the other three.
 *
 *     bench_counts [ROWS ...]
 */
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/counting/counts.h"
#include "core/run/run_context.h"

#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 48, SHARED = 40, STATES = 3 };

static dataset *make_data(size_t n_rows) {
    static const char *const states[] = {"a", "b", "c"};
    variable variables[COLUMNS] = {{0}};
    dataset *data = NULL;
    random_stream random;
    error_info err = {0};
    bool ok = true;
    random_stream_init(&random, random_key_of(1));
    for (int c = 0; c < COLUMNS; c++) {
        char name[16];
        (void)snprintf(name, sizeof name, "X%d", c);
        ok = ok && variable_init_discrete(&variables[c], name, states, STATES, &err) == STATUS_OK;
    }
    ok = ok && dataset_create(variables, COLUMNS, n_rows, &data, &err) == STATUS_OK;
    for (size_t i = 0; ok && i < n_rows * COLUMNS; i++)
        dataset_set_state(data, i / COLUMNS, i % COLUMNS, (size_t)random_below(&random, STATES));
    for (int c = 0; c < COLUMNS; c++)
        variable_clear(&variables[c]);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    return data;
}

/* Nanoseconds a table, the best of five rounds. */
static double time_method(counts *c, counts_method method, size_t n_z) {
    static const size_t z[] = {1, 2, 3, 4, 5, 6, 7};
    double best = 1e300;
    counts_table t;
    error_info err = {0};
    counts_force_method(c, method);
    for (int round = 0; round < 5; round++) {
        double start = run_cpu_s(), seconds;
        enum { REPEATS = 20 };
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            for (size_t extra = COLUMNS - SHARED; extra < COLUMNS; extra++) {
                if (counts_get(c, 0, z, n_z, extra, &t, &err) != STATUS_OK)
                    return -1;
            }
            if (counts_get(c, 7, NULL, 0, COUNTS_NO_EXTRA, &t, &err) != STATUS_OK) /* forgets the shared work */
                return -1;
        }
        seconds = run_cpu_s() - start;
        best = seconds < best ? seconds : best;
    }
    return best / (20 * SHARED) * 1e9;
}

static void time_rows(size_t n_rows) {
    dataset *data = make_data(n_rows);
    counts *c = NULL;
    error_info err = {0};
    if (data && counts_create(data, &c, &err) == STATUS_OK) {
        for (size_t n_z = 0; n_z <= 6; n_z++)
            printf("%8zu %5zu %10.0f %10.0f %10.0f %10.0f\n", n_rows, n_z, time_method(c, COUNTS_AUTO, n_z),
                   time_method(c, COUNTS_BITS, n_z), time_method(c, COUNTS_HISTOGRAM, n_z),
                   time_method(c, COUNTS_SPARSE, n_z));
    }
    counts_destroy(c);
    dataset_destroy(data);
}

int main(int argc, char **argv) {
    static const size_t usual[] = {500, 1000, 5000, 50000};
    printf("level %s, %d states a column\n%8s %5s %10s %10s %10s %10s\n", counts_simd_level(), STATES, "rows", "given",
           "auto ns", "bits", "histogram", "sparse");
    for (int i = 1; i < argc; i++) {
        int64_t n_rows;
        if (text_to_int(argv[i], &n_rows) && n_rows > 0)
            time_rows((size_t)n_rows);
    }
    for (size_t i = 0; argc == 1 && i < sizeof usual / sizeof *usual; i++)
        time_rows(usual[i]);
    return 0;
}
