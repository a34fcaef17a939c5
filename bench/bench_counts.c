/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What does a contingency table cost, by method, rows and conditioning columns? Nanoseconds a table, the conditioning
 * set shared by 40 tables as learners do; the choice of COUNTS_AUTO ought to be near the best of the other three.
 *
 *     bench_counts [--json] [ROWS ...]
 */
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/counting/counts.h"
#include "core/run/run_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct {
    double auto_ns, bits_ns, histogram_ns, sparse_ns;
} table_time;

static void print_times(size_t n_rows, size_t n_z, const table_time *t) {
    printf("%8zu %5zu %10.0f %10.0f %10.0f %10.0f\n", n_rows, n_z, t->auto_ns, t->bits_ns, t->histogram_ns,
           t->sparse_ns);
}

static json_t *object_of(size_t n_rows, size_t n_z, const table_time *t) {
    double cells = STATES * STATES;
    for (size_t i = 0; i < n_z; i++)
        cells *= STATES;
    return json_object_of({"rows", json_of_size(n_rows)}, {"given", json_of_size(n_z)},
                          {"cells", json_of_double(cells)}, {"auto_ns", json_of_double(t->auto_ns)},
                          {"bits_ns", json_of_double(t->bits_ns)}, {"histogram_ns", json_of_double(t->histogram_ns)},
                          {"sparse_ns", json_of_double(t->sparse_ns)});
}

/* Printed, or into `tables` where that is no NULL. */
static status time_rows(size_t n_rows, json_t *tables, error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *data = make_data(n_rows);
    AUTO_PTR(counts_destroy) counts *c = NULL;
    CHECK_ALLOC(data);
    CHECK(counts_create(data, &c, err));
    for (size_t n_z = 0; n_z <= 6; n_z++) {
        table_time t = {time_method(c, COUNTS_AUTO, n_z), time_method(c, COUNTS_BITS, n_z),
                        time_method(c, COUNTS_HISTOGRAM, n_z), time_method(c, COUNTS_SPARSE, n_z)};
        if (tables)
            CHECK(json_add(tables, object_of(n_rows, n_z, &t), err));
        else
            print_times(n_rows, n_z, &t);
    }
    return STATUS_OK;
}

static status time_all(int argc, char **argv, json_t *tables, error_info *err) {
    static const size_t usual[] = {500, 1000, 5000, 50000};
    for (int i = 0; i < argc; i++) {
        int64_t n_rows;
        if (text_to_int(argv[i], &n_rows) && n_rows > 0)
            CHECK(time_rows((size_t)n_rows, tables, err));
    }
    for (size_t i = 0; argc == 0 && i < sizeof usual / sizeof *usual; i++)
        CHECK(time_rows(usual[i], tables, err));
    return STATUS_OK;
}

int main(int argc, char **argv) {
    bool is_json = argc > 1 && strcmp(argv[1], "--json") == 0;
    AUTO_PTR(json_decref) json_t *tables = is_json ? json_array() : NULL;
    AUTO_FREE char *text = NULL;
    error_info err = {0};
    status st;
    if (!is_json)
        printf("level %s, %d states a column\n%8s %5s %10s %10s %10s %10s\n", counts_simd_level(), STATES, "rows",
               "given", "auto ns", "bits", "histogram", "sparse");
    st = time_all(argc - 1 - is_json, argv + 1 + is_json, tables, &err);
    if (st == STATUS_OK && is_json)
        puts((text = json_to_text(tables, JSON_INDENT(1))) ? text : "");
    if (st != STATUS_OK)
        fprintf(stderr, "%s\n", err.message);
    return st == STATUS_OK ? 0 : 1;
}
