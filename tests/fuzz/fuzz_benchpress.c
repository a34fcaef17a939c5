/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A configuration of Benchpress, once by learners of bnbench and once by programs: what comes of it is an experiment.
 */
#include "runner/declare/experiment.h"
#include "runner/import/benchpress.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char bif[] = "network asia { }\n"
                          "variable a { type discrete [ 2 ] { y, n }; }\n"
                          "probability ( a ) { table 0.4, 0.6; }\n";

static void make_files(void) {
    static bool is_done;
    if (is_done)
        return;
    (void)fuzz_file("asia.bif", bif, strlen(bif));
    (void)fuzz_file("d.csv", "a\ny\nn\n", 6);
    if (setenv("BNBENCH_NETWORKS", fuzz_folder(), 1) != 0 || setenv("BNBENCH_DATASETS", fuzz_folder(), 1) != 0)
        abort();
    is_done = true;
}

static void import_by(bool wants_programs, const uint8_t *data, size_t size) {
    const benchpress_wish wish = {.file = "config.json", .wants_programs = wants_programs};
    benchpress_experiment x = {0};
    experiment e = {0};
    error_info err = {0};
    status st = benchpress_import((const char *)data, size, &wish, &x, &err);
    if (st != STATUS_OK && (err.message[0] == '\0' || x.yaml.length > 0))
        abort();
    if (st == STATUS_OK && experiment_parse(x.yaml.data, x.yaml.length, "it", &e, &err) != STATUS_OK)
        abort();
    experiment_clear(&e);
    benchpress_experiment_clear(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    make_files();
    import_by(false, data, size);
    import_by(true, data, size);
    return 0;
}
