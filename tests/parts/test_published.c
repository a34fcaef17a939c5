/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "parts/figures/published.h"
#include "store/csv_table.h"

#include <dirent.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static published_table *read_shipped(const char *name) {
    published_table *t = NULL;
    error_info err = {0};
    assert_ok(published_read(published_source(name), PUBLISHED_FIGURES, &t, &err), &err);
    return t;
}

static void assert_published(const published_table *t, published_query query, double value, const char *printed) {
    published_figure figure = {0};
    assert_int_equal(published_find(t, &query, &figure), 1);
    assert_close(figure.value, value, 1e-15);
    assert_string_equal(figure.printed, printed);
}

static void figures_of_the_papers_are_found(void **state) {
    published_table *t = read_shipped("brown2005_table3_normalized.csv");
    (void)state;
    assert_published(t, (published_query){"all", "500", "ges", "time", "pmmhc"}, 2222.35, "2222.35");
    assert_published(t, (published_query){"all", "average", "gts", "time", "pmmhc"}, 5.36, "5.36");
    assert_published(t, (published_query){"all", "5000", "tpda", "bdeu_score_test", "pmmhc"}, 1.1, "1.10");
    assert_published(t, (published_query){"all", "1000", "pc", "shd", "pmmhc"}, 2.41, "2.41");
    assert_string_equal(published_baseline(t, "shd"), "pmmhc");
    assert_null(published_baseline(t, "recall"));
    published_destroy(t);
    t = read_shipped("brown2005_table2_skeleton.csv");
    assert_published(t, (published_query){"all", "5000", "mmpc", "n_statistical_tests", NULL}, 10000,
                     "10000"); /* 10.0K */
    assert_published(t, (published_query){"all", "500", "pmms", "errors_total", NULL}, 69.7, "69.7");
    assert_string_equal(published_baseline(t, "errors_total"), "");
    published_destroy(t);
}

static void percents_are_shares_and_a_depth_is_part_of_the_metrics_name(void **state) {
    static const char text[] = "network,sample_size,algorithm,metric,value,printed,unit,depth\n"
                               "a,1000,x,sensitivity,98,98%,percent,\n"
                               "a,1000,x,specificity,99.9,99.9%,percent,\n"
                               "a,1000,x,time,62,62 hours,hours,\n"
                               "a,1000,x,sensitivity,67.48,67.48%,percent,2\n"
                               "a,1000,x,sensitivity,59.56,59.56%,percent,3\n";
    static const struct {
        const char *metric, *printed;
        double value;
    } rows[] = {{"sensitivity", "0.98", 0.98},
                {"specificity", "0.999", 0.999},
                {"time", "62", 62},
                {"sensitivity@2", "0.6748", 0.6748},
                {"sensitivity@3", "0.5956", 0.5956}};
    published_table *t = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(published_parse(text, strlen(text), PUBLISHED_FIGURES, &t, &err), &err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        published_query q = {"a", "1000", "x", rows[i].metric, NULL};
        published_figure f;
        assert_int_equal(published_find(t, &q, &f), 1);
        assert_close(f.value, rows[i].value, 1e-15);
        assert_string_equal(f.printed, rows[i].printed);
    }
    assert_int_equal(
        published_find(t, &(published_query){"a", "1000", "x", "sensitivity@", NULL}, &(published_figure){0}), 0);
    published_destroy(t);
}

static void what_the_file_does_not_hold_is_not_found(void **state) {
    published_table *t = read_shipped("brown2005_table3_normalized.csv");
    static const published_query queries[] = {
        {"all", "500", "hc", "time", "pmmhc"},    {"all", "501", "gts", "time", "pmmhc"},
        {"alarm", "500", "gts", "time", "pmmhc"}, {"all", "500", "gts", "tim", "pmmhc"},
        {"all", "500", "gts", "time", "mmhc"},    {"all", "500", "gts", "time", NULL}};
    published_figure figure = {.value = 7};
    (void)state;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        assert_int_equal(published_find(t, &queries[i], &figure), 0);
    assert_true(figure.value == 7);
    published_destroy(t);
}

static void every_row_of_browns_third_table_averages_as_the_paper_says(void **state) {
    static const char *const algorithms[] = {"pmmhc", "mmhc", "pc", "tpda", "or", "sc", "gts", "ges"};
    static const char *const metrics[] = {"time", "bdeu_score_test", "shd"};
    static const char *const sizes[] = {"500", "1000", "5000", "average"};
    published_table *t = read_shipped("brown2005_table3_normalized.csv");
    (void)state;
    for (size_t i = 0; i < 24; i++) {
        double values[4];
        for (size_t s = 0; s < 4; s++) {
            published_query q = {"all", sizes[s], algorithms[i % 8], metrics[i / 8], "pmmhc"};
            published_figure figure = {0};
            assert_int_equal(published_find(t, &q, &figure), 1);
            values[s] = figure.value;
        }
        /* Rounded figures of rounded figures: within one unit of the second decimal. */
        assert_true(fabs((values[0] + values[1] + values[2]) / 3 - values[3]) < 0.0101);
    }
    published_destroy(t);
}

static void a_file_is_found_in_its_folder_of_the_paper(void **state) {
    char *path = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(published_locate(source_path("results/published"), "gamez2013_rank_shd.csv", &path, &err), &err);
    assert_string_equal(path, source_path("results/published/gamez2013/gamez2013_rank_shd.csv"));
    free(path);
    assert_ok(published_locate(source_path("results/published"), "index.csv", &path, &err), &err);
    assert_string_equal(path, source_path("results/published/index.csv"));
    free(path);
    assert_ok(published_locate("there", "is_none.csv", &path, &err), &err);
    assert_string_equal(path, "there/is_none.csv");
    free(path);
}

static void every_file_that_ships_is_well_formed(void **state) {
    glob_t files = {0};
    size_t n_with_values = 0;
    (void)state;
    assert_int_equal(glob(source_path("results/published/*.csv"), 0, NULL, &files), 0);
    assert_int_equal(glob(source_path("results/published/*/*.csv"), GLOB_APPEND, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = NULL;
        size_t length = 0;
        csv_table *rows = NULL;
        published_table *t = NULL;
        error_info err = {0};
        assert_ok(file_read(files.gl_pathv[i], FILE_READ_MOST, &text, &length, &err), &err);
        assert_ok(csv_table_parse(text, length, &rows, &err), &err);
        assert_true(csv_table_row_count(rows) > 0);
        if (csv_table_column(rows, "algorithm") != CSV_NO_COLUMN && csv_table_column(rows, "value") != CSV_NO_COLUMN) {
            assert_ok(published_parse(text, length, PUBLISHED_FIGURES, &t, &err), &err);
            n_with_values++;
        }
        published_destroy(t);
        csv_table_destroy(rows);
        free(text);
    }
    assert_int_equal(files.gl_pathc, 36); /* 34 of the papers, and two that repeat figures under ids of learners */
    assert_true(n_with_values >= 20);
    globfree(&files);
}

static void the_files_are_those_of_the_shared_folder(void **state) {
    DIR *folder;
    (void)state;
    if (!shared_path("published"))
        skip();
    folder = opendir(shared_path("published"));
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char theirs[512], *a = NULL, *b = NULL;
        size_t n_a = 0, n_b = 0;
        error_info err = {0};
        if (!path_ends_with(entry->d_name, ".csv"))
            continue;
        (void)snprintf(theirs, sizeof theirs, "published/%s", entry->d_name);
        assert_ok(file_read(published_source(entry->d_name), FILE_READ_MOST, &a, &n_a, &err), &err);
        assert_ok(file_read(shared_path(theirs), FILE_READ_MOST, &b, &n_b, &err), &err);
        assert_int_equal(n_a, n_b);
        assert_memory_equal(a, b, n_a);
        free(a);
        free(b);
    }
    (void)closedir(folder);
}

static status parse(const char *text, error_info *err) {
    published_table *t = NULL;
    status st = published_parse(text, strlen(text), PUBLISHED_FIGURES, &t, err);
    published_destroy(t);
    return st;
}

static void a_file_of_another_form_is_refused_with_its_place(void **state) {
    static const struct {
        const char *text, *words;
    } cases[] = {{"", "header"},
                 {"network,sample_size,algorithm,metric\n", "no column 'value'"},
                 {"network,sample_size,algorithm,metric,value\nall,500,hc,shd\n", "line 2"},
                 {"network,sample_size,algorithm,metric,value\n\nall,500,hc,shd,1,2\n", "line 3"},
                 {"network,sample_size,algorithm,metric,value\nall,500,hc,shd,many\n", "'many'"},
                 {"network,sample_size,algorithm,metric,value\nall,500,hc,shd,\"1\n", "line 2"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        error_info err = {0};
        assert_int_equal(parse(cases[i].text, &err), STATUS_PARSE);
        assert_message_has(&err, cases[i].words);
    }
}

static void a_figure_that_stands_twice_is_counted_twice_and_an_empty_one_never(void **state) {
    static const char text[] = "\xEF\xBB\xBFnetwork,sample_size,algorithm,metric,value\r\n"
                               "all,500,hc,shd,1\r\nall,500,hc,shd,2\r\nall,500,gs,shd,\r\n";
    published_table *t = NULL;
    published_query hc = {"all", "500", "hc", "shd", NULL}, gs = {"all", "500", "gs", "shd", NULL};
    published_figure figure = {0};
    error_info err = {0};
    (void)state;
    assert_ok(published_parse(text, sizeof text - 1, PUBLISHED_FIGURES, &t, &err), &err);
    assert_int_equal(published_find(t, &hc, &figure), 2);
    assert_true(figure.value == 1);
    assert_string_equal(figure.aggregation, "");
    assert_int_equal(published_find(t, &gs, &figure), 0);
    published_destroy(t);
}

static void a_missing_file_is_missing(void **state) {
    published_table *t = NULL;
    error_info err = {0};
    (void)state;
    assert_int_equal(published_read(source_path("results/published/none.csv"), PUBLISHED_FIGURES, &t, &err),
                     STATUS_MISSING);
    assert_message_has(&err, "none.csv");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_the_papers_are_found),
        cmocka_unit_test(percents_are_shares_and_a_depth_is_part_of_the_metrics_name),
        cmocka_unit_test(what_the_file_does_not_hold_is_not_found),
        cmocka_unit_test(every_row_of_browns_third_table_averages_as_the_paper_says),
        cmocka_unit_test(a_file_is_found_in_its_folder_of_the_paper),
        cmocka_unit_test(every_file_that_ships_is_well_formed),
        cmocka_unit_test(the_files_are_those_of_the_shared_folder),
        cmocka_unit_test(a_file_of_another_form_is_refused_with_its_place),
        cmocka_unit_test(a_figure_that_stands_twice_is_counted_twice_and_an_empty_one_never),
        cmocka_unit_test(a_missing_file_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
