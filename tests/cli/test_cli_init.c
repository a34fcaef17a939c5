/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every file that init writes runs as it stands. */
#include "tests/support/cli_support.h"

#include <string.h>

/* Writes the file and runs it with little data. */
static void assert_runs(const char *set, const char *const *words) {
    const char *call[12] = {"init"};
    size_t n = 1;
    while (*words)
        call[n++] = *words++;
    call[n++] = "-o";
    call[n++] = in_folder("it.yaml");
    call[n++] = "--force";
    call[n] = NULL;
    if (cli_call_list(call) != 0)
        fail_msg("%s", cli_errors);
    assert_status(0, "run", in_folder("it.yaml"), "--store", in_folder(set ? "small" : "whole"), "--set",
                  set ? set : "seed=1", "--set", set ? "data.test_samples=200" : "limits.time=1min");
    assert_text_has(cli_out, "cells done");
}

static void networks_of_tables(void **state) {
    (void)state;
    assert_runs("data={samples: [100], replicates: 1, test_samples: 100}", (const char *const[]){NULL});
    assert_runs("data={samples: [100], replicates: 1, test_samples: 100}", (const char *const[]){"asia", NULL});
    assert_text_has(cli_out, "pc-stable");
}

static void linear_gaussian_networks(void **state) {
    (void)state;
    assert_status(0, "sample", "asia", "-n", "200", "--continuize", "sigma=0.35", "-o", in_folder("noisy.csv"));
    assert_status(0, "fit", "asia", in_folder("noisy.csv"), "-o", in_folder("normal.json"));
    assert_runs("data={samples: [100], replicates: 1, test_samples: 100}",
                (const char *const[]){in_folder("normal.json"), NULL});
}

static void data_of_each_kind(void **state) {
    (void)state;
    assert_status(0, "sample", "asia", "-n", "200", "-o", in_folder("states.csv"));
    assert_runs(NULL, (const char *const[]){in_folder("states.csv"), NULL});
    assert_text_has(cli_out, "ges");
    write_file("arcs.csv", "from,to\nsmoke,lung\nsmoke,bronc\nasia,tub\n");
    assert_runs(NULL, (const char *const[]){in_folder("states.csv"), "--truth", in_folder("arcs.csv"), NULL});
    assert_text_has(cli_out, "Structural Hamming distance");
    assert_status(0, "sample", "asia", "-n", "60", "--continuize", "sigma=0.35", "-o", in_folder("noisy.csv"));
    assert_runs(NULL, (const char *const[]){in_folder("noisy.csv"), NULL});
    write_file("mixed.csv", "a,b,c\n0.5,x,1.5\n0.25,y,2.5\n0.75,x,0.5\n0.1,y,2.25\n0.6,x,1.25\n0.3,y,2.75\n"
                            "0.55,x,1.1\n0.2,y,2.2\n0.7,x,0.9\n0.15,y,2.4\n0.65,x,1.3\n0.35,y,2.6\n");
    assert_runs(NULL, (const char *const[]){in_folder("mixed.csv"), NULL});
}

static void files_are_named_from_the_folder_of_the_experiment(void **state) {
    (void)state;
    assert_int_equal(0, cli_call_shell("cd \"$1\" && mkdir -p sub && \"$0\" sample asia -n 50 -o mine.csv &&\n"
                                       "\"$0\" init mine.csv -o sub/mine.yaml && cd / &&\n"
                                       "\"$0\" run \"$1/sub/mine.yaml\" --store \"$1/store\" --set 'learners=[hc]'"));
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    write_file("there.yaml", "name: mine\n");
    assert_status(2, "init", "-o", in_folder("there.yaml"));
    assert_text_has(cli_errors, "is there already");
    assert_status(0, "init", "-o", "-", "--name", "a.b");
    assert_text_has(cli_out, "name: a.b\n");
    assert_status(2, "init", "-o", "-", "--name", "a b");
    assert_status(4, "init", "alarn", "-o", "-");
    assert_text_has(cli_errors, "alarm");
    assert_status(2, "init", "asia", "--truth", "x.csv", "-o", "-");
    assert_status(0, "init", "-o", in_folder("my file.yaml"), "--json");
    assert_text_has(cli_out, "\"my-file\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(networks_of_tables),    cli_test(linear_gaussian_networks),
        cli_test(data_of_each_kind),     cli_test(files_are_named_from_the_folder_of_the_experiment),
        cli_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
