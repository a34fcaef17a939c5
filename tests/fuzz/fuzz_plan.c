/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment's file, with `--set` overrides behind a line "%%", up to the plan of its run. There are a network, a
 * linear-Gaussian one, a data set and a list of arcs to plan with; nothing is started. */
#include "runner/declare/experiment.h"
#include "runner/plan/plan_internal.h"
#include "runner/runner.h"
#include "tests/fuzz/fuzz_file.h"

#include "core/base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_SETS = 4, MOST_CELLS = 500, MOST_COPIES = 10, MOST_GENES = 100 };

static const char bif[] = "network small { }\n"
                          "variable a { type discrete [ 2 ] { y, n }; }\n"
                          "variable b { type discrete [ 2 ] { y, n }; }\n"
                          "probability ( a ) { table 0.4, 0.6; }\n"
                          "probability ( b | a ) { (y) 0.9, 0.1; (n) 0.1, 0.9; }\n";
static const char json[] =
    "{\"type\": \"linear-gaussian\", \"nodes\": ["
    "{\"name\": \"a\", \"parents\": [], \"intercept\": 1, \"coefficients\": [], \"sd\": 2},"
    "{\"name\": \"b\", \"parents\": [\"a\"], \"intercept\": 0, \"coefficients\": [0.5], \"sd\": 0.1}]}";
static const char csv[] = "a,b\n0.5,1.5\n0.25,2.5\n0.75,3.5\n1.5,0.5\n2.5,0.75\n3.5,0.125\n";
static const char schema[] = "column,type,cardinality,states\na,continuous,,\nb,continuous,,\n";
static const char edges[] = "from,to\nG1,G2\nG2,G3\nG3,G1\n";

static void make_files(void) {
    static bool is_done;
    if (is_done)
        return;
    (void)fuzz_file("small.bif", bif, strlen(bif));
    (void)fuzz_file("lines.json", json, strlen(json));
    (void)fuzz_file("reals.csv", csv, strlen(csv));
    (void)fuzz_file("reals.schema.csv", schema, strlen(schema));
    (void)fuzz_file("genes.edges.csv", edges, strlen(edges));
    if (setenv("BNBENCH_NETWORKS", fuzz_folder(), 1) != 0 || setenv("BNBENCH_DATASETS", fuzz_folder(), 1) != 0)
        abort();
    is_done = true;
}

/* What takes long because it is large is no fault of the parser. */
static bool is_small(const experiment *e) {
    AUTO_PTR(plan_destroy) plan *p = NULL;
    for (size_t i = 0; i < e->outputs.n_networks; i++) {
        if (e->sources[i].copies > MOST_COPIES || e->sources[i].genes.topology.n_genes > MOST_GENES)
            return false;
    }
    return plan_create(e, &p, NULL) == STATUS_OK && plan_cell_count(p) <= MOST_CELLS;
}

static void describe(const experiment *e) {
    AUTO(planned_run_clear) planned_run planned = {.wants_cells = true};
    error_info err = {0};
    if (runner_describe_plan(e, NULL, false, 1, NULL, &planned, &err) != STATUS_OK && err.message[0] == '\0')
        abort();
}

/* Cuts the text behind the first line "%%" into lines, which become overrides. */
static size_t cut_sets(char *text, const char *sets[MOST_SETS]) {
    char *at = strstr(text, "\n%%\n");
    size_t n = 0;
    if (!at)
        return 0;
    at[1] = '\0';
    for (at += 4; *at && n < MOST_SETS;) {
        size_t length = strcspn(at, "\n");
        bool is_last = at[length] == '\0';
        at[length] = '\0';
        sets[n++] = at;
        at += length + !is_last;
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO_FREE char *text = text_copy_n((const char *)data, size);
    const char *sets[MOST_SETS], *path;
    size_t n_sets, length;
    experiment e = {0};
    error_info err = {0};
    if (!text)
        return 0;
    make_files();
    n_sets = cut_sets(text, sets);
    length = n_sets > 0 ? strlen(text) : size;
    path = fuzz_file("experiment.yaml", n_sets > 0 ? text : (const char *)data, length);
    if (experiment_read(path, NULL, sets, n_sets, &e, &err) == STATUS_OK) {
        if (is_small(&e))
            describe(&e);
    } else if (err.message[0] == '\0') {
        abort();
    }
    experiment_clear(&e);
    return 0;
}
