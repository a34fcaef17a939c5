/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/records.h"

#include "core/base/file.h"
#include "report/report.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static const document_format *const markdown_alone[] = {&document_format_markdown, NULL};

static int take_gnuplot_away(void **state) {
    (void)state;
    return setenv("BNBENCH_GNUPLOT", "no-such-program-here", 1);
}

static int give_gnuplot_back(void **state) {
    (void)state;
    return unsetenv("BNBENCH_GNUPLOT");
}

static bool has_gnuplot(void) {
    static const char *const argv[] = {"gnuplot", "--version", NULL};
    return run_program(argv, NULL, NULL) == 0;
}

static made_results make_small(void) {
    static const char *const networks[] = {"asia", "alarm", NULL}, *const learners[] = {"pmmhc", "gts", NULL};
    static const size_t sizes[] = {500, 5000, 0};
    made_results m = make_results(networks, sizes, 1, learners);
    m.outputs.title = text_copy("A small *comparison*");
    for (size_t i = 0; i < 8; i++) {
        job_record *r = add_done(&m, networks[i % 2], sizes[i / 2 % 2], 0, learners[i / 4], "shd", 10 + (double)i);
        set_metric(r, "time", 0.01 * (double)(i + 1));
    }
    return m;
}

static report_options options_for(const char *folder) {
    return (report_options){.folder = folder,
                            .published_folder = source_path("results/published"),
                            .forms = markdown_alone,
                            .write_csv = true,
                            .write_plots = true};
}

static report_result make_report(const made_results *m, const report_options *options) {
    report_result result = {0};
    error_info err = {0};
    assert_ok(report_make(&(part_context){&m->outputs, &m->parts, m->records, m->n}, options, &result, &err), &err);
    return result;
}

static bool is_in(const char *folder, const char *name) {
    char *path = path_join(folder, name);
    bool is_there = file_exists(path);
    free(path);
    return is_there;
}

static char *read_text(const char *folder, const char *name) {
    char *path = path_join(folder, name), *text = NULL;
    size_t length = 0;
    error_info err = {0};
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    free(path);
    return text;
}

static void assert_file_holds(const char *folder, const char *name, const char *words) {
    char *text = read_text(folder, name);
    if (!strstr(text, words))
        fail_msg("%s does not hold '%s':\n%s", name, words, text);
    free(text);
}

static void assert_one_note_has(const report_result *r, const char *words) {
    size_t n = 0;
    for (size_t i = 0; i < r->n_notes; i++)
        n += strstr(r->notes[i], words) != NULL;
    if (n != 1)
        fail_msg("%zu of %zu notes hold '%s'", n, r->n_notes, words);
}

static void every_file_listed_is_there(const char *folder, const report_result *r) {
    for (size_t i = 0; i < r->n_files; i++) {
        assert_true(file_exists(r->files[i]));
        assert_int_equal(strncmp(r->files[i], folder, strlen(folder)), 0);
    }
}

static void tables_and_plots_are_written_and_listed(void **state) {
    char folder[256];
    made_results m = make_small();
    report_options options;
    report_result r;
    (void)state;
    if (!has_gnuplot())
        skip();
    (void)snprintf(folder, sizeof folder, "%s/deep/er \xc3\xa4'\"`x`", scratch_folder());
    options = options_for(folder);
    add_table(&m, "table3-shd", "shd", "pmmhc")->published = text_copy("brown2005_table3_normalized.csv");
    (void)add_points(&m, "tradeoff", "scatter", "time", "shd", "pmmhc");
    (void)add_points(&m, "by-size", "line", "samples", "time", NULL);
    r = make_report(&m, &options);
    assert_int_equal(r.n_notes, 0);
    assert_int_equal(r.n_files, 1 + 2 * 5 + 1); /* a table, five files a plot, the report */
    every_file_listed_is_there(folder, &r);
    assert_true(is_in(folder, "plots/tradeoff.svg"));
    assert_true(is_in(folder, "plots/by-size.png"));
    assert_file_holds(folder, "report.md", "# A small \\*comparison\\*\n");
    assert_file_holds(folder, "report.md", "| 500 | **1.00** \\[1.00\\] | 1.38 \\[1.09\\] | 2/2 |");
    assert_file_holds(folder, "report.md", "![shd against time](plots/tradeoff.svg)");
    assert_file_holds(folder, "tables/table3-shd.csv", "table3-shd,5000,gts,");
    assert_file_holds(folder, "plots/tradeoff.svg", "<svg");
    assert_non_null(strstr(r.text.data, "5000     1.00 [1.00]  1.32 [1.42]     2/2\n"));
    report_result_clear(&r);
    r = make_report(&m, &options); /* over the files that are there */
    assert_int_equal(r.n_files, 12);
    report_result_clear(&r);
    clear_results(&m);
}

static void without_gnuplot_everything_else_is_made(void **state) {
    const char *folder = scratch_folder();
    made_results m = make_small();
    report_options options = options_for(folder);
    report_result r;
    (void)state;
    (void)add_table(&m, "t", "shd", "pmmhc");
    (void)add_points(&m, "p", "scatter", "time", "shd", "pmmhc");
    (void)add_points(&m, "q", "line", "samples", "shd", NULL);
    r = make_report(&m, &options);
    assert_int_equal(r.n_notes, 1); /* said once */
    assert_one_note_has(&r, "gnuplot");
    every_file_listed_is_there(folder, &r);
    assert_true(is_in(folder, "report.md"));
    assert_true(is_in(folder, "plots/p.csv"));
    assert_true(is_in(folder, "tables/t.csv"));
    assert_file_holds(folder, "report.md", "Figures: [CSV](plots/p.csv)");
    assert_file_holds(folder, "report.md", "What could not be made");
    report_result_clear(&r);
    clear_results(&m);
}

static void only_what_is_asked_for_is_written(void **state) {
    char folder[256];
    made_results m = make_small();
    report_options options;
    report_result r;
    (void)state;
    (void)snprintf(folder, sizeof folder, "%s/none", scratch_folder());
    options = (report_options){.folder = folder};
    (void)add_table(&m, "t", "shd", "pmmhc");
    (void)add_points(&m, "p", "scatter", "time", "shd", "pmmhc");
    r = make_report(&m, &options);
    assert_int_equal(r.n_files, 0);
    assert_false(file_exists(folder));
    assert_non_null(strstr(r.text.data, "shd relative to pmmhc\n"));
    report_result_clear(&r);
    clear_results(&m);
}

static void what_cannot_be_made_is_a_note(void **state) {
    const char *folder = scratch_folder();
    made_results m = make_small();
    report_options options = options_for(folder);
    report_result r;
    (void)state;
    options.write_plots = false;
    add_table(&m, "a", "shd", "pmmhc")->published = text_copy("no-such-file.csv");
    add_table(&m, "b", "shd", "pmmhc")->published = text_copy("../published/brown2005_table3_normalized.csv");
    add_table(&m, "c", "shd", "pmmhc")->columns = AXIS_NETWORK;
    (void)add_table(&m, "d", "recall", NULL);
    r = make_report(&m, &options);
    assert_one_note_has(&r, "no-such-file.csv");
    assert_one_note_has(&r, "b: published is '../published/");
    assert_one_note_has(&r, "table 'c': rows and columns");
    assert_one_note_has(&r, "d: table skipped");
    assert_int_equal(r.n_notes, 4);
    report_result_clear(&r);
    clear_results(&m);
}

static void a_store_without_results_gives_notes_and_no_tables(void **state) {
    const char *folder = scratch_folder();
    made_results m = make_small();
    report_options options = options_for(folder);
    report_result r;
    (void)state;
    job_records_destroy(m.records, m.n);
    m.records = NULL;
    m.n = 0;
    (void)add_table(&m, "t", "shd", "pmmhc");
    (void)add_points(&m, "p", "scatter", "time", "shd", "pmmhc");
    r = make_report(&m, &options);
    assert_int_equal(r.text.length, 0);
    assert_one_note_has(&r, "t: table skipped");
    assert_one_note_has(&r, "p: plot skipped");
    assert_true(is_in(folder, "report.md"));
    report_result_clear(&r);
    clear_results(&m);
}

static void ids_from_outside_name_no_file_elsewhere_and_none_twice(void **state) {
    const char *above = scratch_folder();
    char folder[256];
    made_results m = make_small();
    report_options options;
    report_result r;
    DIR *d;
    size_t n = 0;
    (void)state;
    (void)snprintf(folder, sizeof folder, "%s/in", above);
    options = options_for(folder);
    (void)add_table(&m, "../../../out", "shd", "pmmhc");
    (void)add_table(&m, "a b", "shd", NULL);
    (void)add_table(&m, "a/b", "shd", NULL);
    (void)add_table(&m, "a_b", "time", NULL);
    (void)add_points(&m, "| touch hit", "scatter", "time", "shd", "pmmhc");
    r = make_report(&m, &options);
    every_file_listed_is_there(folder, &r);
    assert_true(is_in(folder, "tables/a_b.csv"));
    assert_true(is_in(folder, "tables/a_b-2.csv"));
    assert_true(is_in(folder, "tables/a_b-3.csv"));
    assert_true(is_in(folder, "plots/__touch_hit.csv"));
    d = opendir(above);
    while (readdir(d))
        n++;
    (void)closedir(d);
    assert_int_equal(n, 3); /* ., .. and in */
    report_result_clear(&r);
    clear_results(&m);
}

static void a_folder_that_cannot_be_written_is_an_error(void **state) {
    char folder[256];
    const char *above = scratch_folder();
    made_results m = make_small();
    report_options options;
    report_result r = {0};
    FILE *f;
    error_info err = {0};
    (void)state;
    (void)snprintf(folder, sizeof folder, "%s/file", above);
    f = fopen(folder, "w");
    assert_int_equal(fclose(f), 0);
    options = options_for(folder);
    (void)add_table(&m, "t", "shd", "pmmhc");
    assert_int_not_equal(report_make(&(part_context){&m.outputs, &m.parts, m.records, m.n}, &options, &r, &err),
                         STATUS_OK);
    assert_message_has(&err, folder);
    assert_int_equal(r.n_files, 0);
    clear_results(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_and_plots_are_written_and_listed),
        cmocka_unit_test_setup_teardown(without_gnuplot_everything_else_is_made, take_gnuplot_away, give_gnuplot_back),
        cmocka_unit_test(only_what_is_asked_for_is_written),
        cmocka_unit_test(what_cannot_be_made_is_a_note),
        cmocka_unit_test(a_store_without_results_gives_notes_and_no_tables),
        cmocka_unit_test(ids_from_outside_name_no_file_elsewhere_and_none_twice),
        cmocka_unit_test(a_folder_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
