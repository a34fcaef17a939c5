/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One reason why figures do not come out: bnbench reproduce NAME --reason ID. */
#include "tests/support/tiny_paper.h"

#include "runner/declare/experiment.h"
#include "tests/support/support.h"

#include <string.h>

/* The tiny paper with a second table, on another learner at another size. */
static const char *write_two_tables(void) {
    char script[] = "cd \"$1\" && sed -e 's/samples: \\[100\\]/samples: [100, 200]/' "
                    "-e 's/^learners: \\[empty,/learners: [empty, hc,/' "
                    "-e 's/^tables: \\[{id: missing, metric: missing_edges,/tables: [{id: other, metric: "
                    "missing_edges, learners: [hc], samples: [200]}, {id: missing, metric: missing_edges, learners: "
                    "[empty, own, lost], samples: [100],/' tiny.yaml > two.yaml";
    (void)write_paper("tiny.yaml");
    assert_int_equal(cli_call_shell(script), 0);
    return in_folder("two.yaml");
}

static void a_reason_is_shown_beside_its_readings(void **state) {
    const char *file = write_paper("tiny.yaml"), *stores = in_folder("s");
    (void)state;
    assert_status(0, "reproduce", file, "--stores", stores, "--reason", "graph", "-q");
    assert_text_has(cli_out, "Another graph.");
    assert_text_has(cli_out, "whole: It finds all.");
    assert_text_has(cli_out, "samples  learner  published  here  whole");
    assert_text_has(cli_out, "100      own              0   8.0    0.0  shown");
    assert_text_lacks(cli_out, "lost"); /* another reason's, or nobody's */
    assert_text_has(cli_out, "1 published figure is missed: 1 shown, 0 not.");
    assert_false(is_there(in_folder("reproduction")));
}

static void a_reason_runs_what_its_tables_need_and_the_rest_goes_on_from_there(void **state) {
    const char *file = write_two_tables(), *stores = in_folder("s");
    (void)state;
    assert_status(0, "reproduce", file, "--stores", stores, "--reason", "graph");
    assert_text_has(cli_errors, "tiny:");
    assert_text_has(cli_errors, "tiny, reading whole:");
    assert_status(0, "status", in_folder("s/tiny"));
    assert_text_has(cli_out, "3 of 8 cells done"); /* empty, own and lost at 100 rows of those and hc at two sizes */
    /* Again: nothing runs, and the store keeps what it tells. */
    assert_status(0, "reproduce", file, "--stores", stores, "--reason", "graph");
    assert_text_has(cli_out, "1 shown, 0 not.");
    assert_status(0, "reproduce", file, "--stores", stores, "--out", in_folder("out"));
    assert_text_has(cli_out, "tiny: 8 of 8 cells done\nReading 'whole': 8 of 8 cells done\n");
    assert_status(0, "reproduce", file, "--stores", stores, "--reason", "graph");
    assert_status(0, "status", in_folder("s/tiny"));
    assert_text_has(cli_out, "8 of 8 cells done");
}

static void a_reason_that_is_not_there_is_refused(void **state) {
    const char *file = write_paper("tiny.yaml"), *stores = in_folder("s");
    (void)state;
    assert_status(2, "reproduce", file, "--stores", stores, "--reason", "grapf");
    assert_text_has(cli_errors, "tiny has no reason 'grapf'; it has graph");
    assert_status(2, "reproduce", file, "--stores", stores, "--reason", "graph", "--out", in_folder("out"));
    assert_text_has(cli_errors, "--reason prints one reason of one experiment");
    assert_status(2, "reproduce", file,
                  write_file("b.yaml", "name: b\nnetworks: [asia]\ndata: {samples: [50]}\nlearners: [empty]\n"),
                  "--stores", stores, "--reason", "graph");
    assert_false(is_there(stores));
}

/* ---- of papers that ship ---- */

/* The first that readings show; NULL where there is none. */
static const reason_spec *first_with_reading(const experiment *e) {
    for (size_t i = 0; i < e->outputs.n_reasons; i++) {
        if (e->outputs.reasons[i].kind == REASON_READING)
            return &e->outputs.reasons[i];
    }
    return NULL;
}

/* False where a network of the profile is not here. */
static bool run_first_reason(const char *name) {
    AUTO(experiment_clear) experiment e = {0};
    char path[100];
    const reason_spec *r;
    error_info err = {0};
    int st;
    (void)snprintf(path, sizeof path, "experiments/%s.yaml", name);
    assert_ok(experiment_read(source_path(path), "quick", NULL, 0, &e, &err), &err);
    r = first_with_reading(&e);
    assert_non_null(r);
    st = cli_call("reproduce", name, "--profile", "quick", "--stores", in_folder("s"), "--reason", r->id, "-q");
    if (st == 4) {
        print_message("skipped: %s --reason %s: %s\n", name, r->id, cli_errors);
        return false;
    }
    if (st != 0)
        fail_msg("%s --reason %s left with %d: %s", name, r->id, st, cli_errors);
    assert_text_has(cli_out, r->text);
    for (size_t i = 0; i < r->n_readings; i++)
        assert_text_has(cli_out, r->readings[i]);
    assert_true(strstr(cli_out, "published figure") || strstr(cli_out, "No figure that it covers is a miss here."));
    return true;
}

static void reasons_of_three_papers_run_on_their_quick_profiles(void **state) {
    static const char *const papers[] = {"brown2005", "fu2005-simulated", "gamez2013"};
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        n += run_first_reason(papers[i]);
    if (n < sizeof papers / sizeof *papers)
        skip();
}

#define tiny_test(name) cmocka_unit_test_setup_teardown(name, tiny_paper_start, tiny_paper_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        tiny_test(a_reason_is_shown_beside_its_readings),
        tiny_test(a_reason_runs_what_its_tables_need_and_the_rest_goes_on_from_there),
        tiny_test(a_reason_that_is_not_there_is_refused),
        cmocka_unit_test_setup_teardown(reasons_of_three_papers_run_on_their_quick_profiles, cli_start_test,
                                        cli_end_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
