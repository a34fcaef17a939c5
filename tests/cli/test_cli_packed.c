/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packed columns (.bnd) at the command line. */
#include "tests/support/cli_support.h"

#include "core/base/file.h"

#include <stdlib.h>
#include <string.h>

static void assert_same_files(const char *a, const char *b) {
    char *text_a = NULL, *text_b = NULL;
    size_t n_a = 0, n_b = 0;
    error_info err = {0};
    assert_ok(file_read(a, FILE_READ_MOST, &text_a, &n_a, &err), &err);
    assert_ok(file_read(b, FILE_READ_MOST, &text_b, &n_b, &err), &err);
    assert_int_equal(n_a, n_b);
    assert_memory_equal(text_a, text_b, n_a);
    free(text_a);
    free(text_b);
}

static void data_convert_there_and_back(void **state) {
    const char *csv = in_folder("a.csv"), *packed = in_folder("a.bnd"), *back = in_folder("back.csv");
    (void)state;
    assert_status(0, "sample", "asia", "-n", "500", "-o", csv);
    assert_status(0, "sample", "asia", "-n", "500", "-o", packed);
    assert_false(is_there(in_folder("a.bnd.schema.csv")));
    assert_status(0, "convert", csv, in_folder("b.bnd"));
    assert_same_files(packed, in_folder("b.bnd"));
    assert_status(0, "convert", packed, back);
    assert_same_files(csv, back);
    assert_same_files(in_folder("a.schema.csv"), in_folder("back.schema.csv"));
}

static void packed_data_are_read_wherever_csv_is(void **state) {
    const char *csv = in_folder("r.csv"), *packed = in_folder("r.bnd"), *gz = in_folder("r.bnd.gz");
    (void)state;
    assert_status(0, "sample", "asia", "-n", "500", "-o", csv);
    assert_status(0, "convert", csv, packed);
    assert_status(0, "convert", csv, gz);
    assert_status(0, "learn", "hc", csv, "-o", in_folder("g1.csv"));
    assert_status(0, "learn", "hc", packed, "-o", in_folder("g2.csv"), "--threads", "2");
    assert_status(0, "learn", "hc", gz, "--network", "asia", "-o", in_folder("g3.csv"));
    assert_same_files(in_folder("g1.csv"), in_folder("g2.csv"));
    assert_same_files(in_folder("g1.csv"), in_folder("g3.csv"));
    assert_status(0, "score", "bdeu", in_folder("g1.csv"), packed);
    assert_status(0, "info", packed);
    assert_text_has(cli_out, "500");
    assert_int_equal(cli_call_shell("\"$0\" learn empty - < \"$1/r.bnd\""), 0);
    assert_int_equal(cli_call_shell("BNBENCH_DATASETS=\"$1\"; export BNBENCH_DATASETS; rm \"$1/r.csv\"; \"$0\" info r"),
                     0);
    assert_text_has(cli_out, "r.bnd");
}

static void what_is_no_packed_file_is_refused(void **state) {
    const char *packed = in_folder("p.bnd");
    (void)state;
    assert_status(0, "sample", "asia", "-n", "50", "-o", packed);
    assert_int_equal(cli_call_shell("head -c 500 \"$1/p.bnd\" > \"$1/cut.bnd\""), 0);
    assert_status(3, "learn", "hc", in_folder("cut.bnd"));
    assert_text_has(cli_errors, "cut.bnd: has 500 bytes where its header says");
    assert_text_has(cli_errors, "it was cut short");
    assert_status(2, "convert", packed, in_folder("x.dot"));
    assert_text_has(cli_errors, "end it in .csv, .tsv, .arff or .bnd");
    assert_status(2, "convert", packed, in_folder("x.csv"), "--to", "csv");
    assert_status(3, "learn", "hc", packed, "--network", "child");
    assert_text_has(cli_errors, "is not among the 20 variables given");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(data_convert_there_and_back),
        cli_test(packed_data_are_read_wherever_csv_is),
        cli_test(what_is_no_packed_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
