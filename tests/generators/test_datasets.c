/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue of data sets, the converters of the forms in which they are published, the search by name. */
#include "tests/support/cli_support.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/dataset_file.h"
#include "core/data/dataset_numbers.h"
#include "generators/catalogue/dataset_convert.h"
#include "generators/catalogue/dataset_fetch.h"
#include "generators/catalogue/dataset_locate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the catalogue ---- */

static void figures_are_those_of_table_v10(void **state) {
    static const struct {
        const char *name;
        size_t rows, discrete, continuous, most, least;
        double mean;
    } cases[] = {
        {"abalone", 4175, 1, 8, 2429, 28, 759.25}, {"australian", 690, 9, 6, 350, 23, 188.50},
        {"heart", 270, 9, 5, 144, 39, 72.2},       {"housing", 506, 1, 13, 504, 9, 235.62},
        {"pima", 768, 1, 8, 517, 17, 156.75},      {"vehicle", 846, 1, 18, 424, 13, 79.44},
        {"breast", 683, 1, 9, 10, 9, 9.89},        {"hartemink-yeast", 320, 0, 32, 317, 301, 314.03},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dataset_entry *e = dataset_catalogue_find(cases[i].name);
        assert_non_null(e);
        dataset_facts f = dataset_entry_facts(e);
        assert_int_equal(f.rows, cases[i].rows);
        assert_int_equal(f.discrete, cases[i].discrete);
        assert_int_equal(f.continuous, cases[i].continuous);
        assert_int_equal(f.distinct_max, cases[i].most);
        assert_int_equal(f.distinct_min, cases[i].least);
        assert_that(f.distinct_mean - cases[i].mean, <, 0.005);
        assert_that(cases[i].mean - f.distinct_mean, <, 0.005);
    }
    assert_null(dataset_catalogue_find("alarm"));
    assert_string_equal(dataset_catalogue_nearest("abalon"), "abalone");
}

static void every_entry_is_whole(void **state) {
    (void)state;
    for (size_t i = 0; i < dataset_catalogue_count(); i++) {
        const dataset_entry *e = dataset_catalogue_at(i);
        assert_ptr_equal(dataset_catalogue_find(e->name), e);
        assert_non_null(e->citation);
        assert_true((e->url == NULL) == (e->columns == NULL));
        for (size_t c = 0; e->columns && c < e->n_columns; c++) {
            assert_true(e->columns[c].field < e->n_fields);
            assert_true(e->columns[c].n_distinct > 1);
        }
        assert_true(!e->page || !e->url);
        if (e->url) {
            assert_memory_equal(e->url, "https://", 8);
            assert_int_equal(strlen(e->csv_sha256), 64);
            assert_non_null(e->licence);
        }
    }
}

/* Where the shared copies are: each is the one that the catalogue describes, byte for byte and figure for figure. */
static void the_catalogue_describes_the_shared_copies(void **state) {
    (void)state;
    if (!shared_path("datasets"))
        skip();
    for (size_t i = 0; i < dataset_catalogue_count(); i++) {
        const dataset_entry *e = dataset_catalogue_at(i);
        char relative[96], digest[TRANSFER_DIGEST_SIZE], *text = NULL;
        text_buffer bytes = {0}, schema = {0};
        size_t length;
        dataset *data = NULL;
        error_info err = {0};
        if (!e->columns)
            continue;
        (void)snprintf(relative, sizeof relative, "datasets/%s.csv.gz", e->name);
        assert_ok(dataset_read(shared_path(relative), NULL, &data, NULL, &err), &err);
        assert_ok(dataset_entry_check(e, data, &err), &err);
        assert_ok(file_read(shared_path(relative), FILE_READ_MOST, &text, &length, &err), &err);
        text_append_bytes(&bytes, text, length);
        assert_ok(transfer_digest(bytes.data, bytes.length, digest, &err), &err);
        assert_string_equal(digest, e->csv_sha256);
        free(text);
        (void)snprintf(relative, sizeof relative, "datasets/%s.schema.csv", e->name);
        assert_ok(file_read(shared_path(relative), FILE_READ_MOST, &text, &length, &err), &err);
        dataset_append_entry_schema(e, &schema);
        assert_string_equal(schema.data, text);
        free(text);
        text_buffer_clear(&bytes);
        text_buffer_clear(&schema);
        dataset_destroy(data);
    }
}

/* ---- the converters, on small inputs of each form ---- */

static const dataset_column three[] = {{"x", 0, 3, false}, {"kind", 2, 2, true}, {"y", 1, 3, false}};
static const dataset_entry form = {
    .name = "small", .n_columns = 3, .columns = three, .facts = {.rows = 3}, .n_fields = 3};

static void assert_becomes(const dataset_entry *entry, const char *text, const char *expected) {
    text_buffer csv = {0};
    error_info err = {0};
    assert_ok(dataset_convert(entry, text, strlen(text), &csv, &err), &err);
    assert_string_equal(csv.data, expected);
    text_buffer_clear(&csv);
}

static void assert_refused(const dataset_entry *entry, const char *text, size_t length, const char *message) {
    text_buffer csv = {0};
    error_info err = {0};
    assert_int_equal(dataset_convert(entry, text, length, &csv, &err), STATUS_PARSE);
    assert_message_has(&err, message);
    text_buffer_clear(&csv);
}

static const char rows[] = "x,kind,y\n1,a,2.50\n3,b,4\n5,a,6\n";

static void csv_without_a_header_takes_the_names_of_the_catalogue(void **state) {
    dataset_entry e = form;
    (void)state;
    e.form = SOURCE_FORM_CSV;
    assert_becomes(&e, "1,2.50,a\n3,4,b\n5,6,a\n", rows);
    assert_becomes(&e, " 1 , 2.50 ,\"a\"\r\n\r\n3,?,b\n3,4,b\n5,6,?\n5,6,a", rows); /* rows with ? are left out */
    e.n_left_out = 2;
    assert_becomes(&e, "9,9,a\n8,8,b\n1,2.50,a\n3,4,b\n5,6,a\n", rows);
    assert_refused(&e, "1,2,a\n3,4\n", 10, "line 2: a row of 2 fields; those of 'small' have 3");
    assert_refused(&e, "1,2\0,a\n", 7, "NUL");
}

static void csv_with_a_header_is_taken_by_its_names(void **state) {
    dataset_entry e = form;
    (void)state;
    e.form = SOURCE_FORM_NAMED_CSV;
    assert_becomes(&e, "Y,x,\"Kind\"\n2.50,1,a\n4,3,b\n6,5,a\n", rows);
    assert_refused(&e, "y,x,sort\n2,1,a\n", 15, "no column 'kind'");
    assert_refused(&e, "", 0, "no header");
}

static void words_with_remarks_are_uci_s_mod_and_data_files(void **state) {
    dataset_entry e = form;
    (void)state;
    e.form = SOURCE_FORM_WORDS;
    assert_becomes(&e, "% a remark, with words\n%\n\n 1   2.50  a\n3\t4 b \n 5 ? a\n5 6 a\n\n", rows);
    e.header_end = "class";
    assert_becomes(&e, "1 2 class\n1 2.50 a\n3 4 b\n5 6 a\n", rows); /* a header */
    assert_becomes(&e, "1 2.50 a\n3 4 b\n5 6 a\n", rows);            /* and none */
    e.n_fields = 4;
    assert_becomes(&e, "1 2.50 a H\n3 4 b S1\n5 6 a H\n", rows); /* a field that nobody takes */
}

static void arff_is_read_from_its_data_line_on(void **state) {
    dataset_entry e = form;
    (void)state;
    e.form = SOURCE_FORM_ARFF;
    assert_becomes(&e,
                   "% 1, 2, 3\n@relation 'x'\n@attribute x real\n@attribute 'y' real\n@attribute kind {a, b}\n\n@DATA\n"
                   "1,2.50,a\n3,4,'b'\n% at the end\n5,?,a\n5,6,a\n%\n",
                   rows);
    assert_refused(&e, "@relation x\n1,2,a\n", 18, "without a line '@data'");
}

static void the_schema_has_types_and_numbers_of_values(void **state) {
    text_buffer schema = {0};
    (void)state;
    dataset_append_entry_schema(&form, &schema);
    assert_string_equal(schema.data, "column,type,cardinality\nx,continuous,3\nkind,discrete,2\ny,continuous,3\n");
    text_buffer_clear(&schema);
}

/* ---- discrete columns as numbers ---- */

static void states_become_numbers_by_name_and_else_by_place(void **state) {
    static const char text[] = "k,w,x\n3,no,0.25\n7,yes,1.5\n3,yes,2\n";
    dataset *data = NULL, *numbers = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(dataset_parse_csv(text, strlen(text), NULL, &data, NULL, &err), &err);
    assert_int_equal(dataset_kind(data), DATA_MIXED);
    assert_ok(dataset_as_numbers(data, &numbers, &err), &err);
    assert_int_equal(dataset_kind(numbers), DATA_CONTINUOUS);
    for (size_t row = 0; row < 3; row++) {
        assert_true(dataset_reals(numbers, 0)[row] == (row == 1 ? 7 : 3));
        assert_true(dataset_reals(numbers, 1)[row] == (row == 0 ? 0 : 1));
        assert_true(dataset_reals(numbers, 2)[row] == dataset_reals(data, 2)[row]);
    }
    dataset_destroy(data);
    dataset_destroy(numbers);
}

/* ---- the search ---- */

static void the_search_says_what_to_do(void **state) {
    char *path = NULL;
    error_info err = {0};
    (void)state;
    (void)setenv("BNBENCH_CACHE", scratch_folder(), 1);
    (void)setenv("BNBENCH_DATASETS", "/nowhere:/else", 1);
    assert_int_equal(dataset_locate("pima", ".csv", &path, &err), STATUS_MISSING);
    assert_message_has(&err, "bnbench datasets fetch pima");
    assert_message_has(&err, "/nowhere:/else");
    assert_int_equal(dataset_locate("pimo", ".csv", &path, &err), STATUS_MISSING);
    assert_message_has(&err, "did you mean 'pima'?");
    assert_int_equal(dataset_locate("hartemink-yeast", ".csv", &path, &err), STATUS_MISSING);
    assert_message_has(&err, "no public address");
    assert_int_equal(dataset_locate("tchourine-yeast", ".csv", &path, &err), STATUS_MISSING);
    assert_message_has(&err, "https://zenodo.org/record/3355524");
    (void)unsetenv("BNBENCH_DATASETS");
    assert_null(path);
}

/* ---- the command line ---- */

static void list_and_info_name_data_sets(void **state) {
    json_t *list, *one;
    (void)state;
    (void)setenv("BNBENCH_CACHE", cli_folder, 1);
    assert_status(0, "list", "datasets", "--json");
    list = parse_answer();
    assert_int_equal(json_array_size(list), dataset_catalogue_count());
    json_decref(list);
    assert_status(0, "info", "abalone", "--json");
    one = parse_answer();
    assert_string_equal(text_at(one, "kind"), "dataset");
    assert_that(number_at(one, "rows"), ==, 4175);
    assert_that(number_at(one, "discrete"), ==, 1);
    assert_that(number_at(one, "continuous"), ==, 8);
    assert_true(number_at(json_object_get(one, "distinct"), "mean") == 759.25);
    assert_true(json_is_false(json_object_get(one, "available")));
    json_decref(one);
    assert_status(0, "info", "abalone");
    assert_text_has(cli_out, "bnbench datasets fetch abalone");
    assert_text_has(cli_out, "licence");
    assert_status(0, "info", "tchourine-yeast");
    assert_text_has(cli_out, "https://zenodo.org/record/3355524");
    assert_text_lacks(cli_out, "distinct");
}

static void info_reads_a_file_of_data(void **state) {
    const char *data = write_file("mine.csv", "x,kind\n1.5,a\n2.5,b\n1.5,a\n");
    json_t *one;
    (void)state;
    assert_status(0, "info", data, "--json");
    one = parse_answer();
    assert_that(number_at(one, "rows"), ==, 3);
    assert_that(number_at(one, "discrete"), ==, 1);
    assert_true(number_at(json_object_get(one, "distinct"), "max") == 2);
    json_decref(one);
    (void)setenv("BNBENCH_DATASETS", cli_folder, 1);
    assert_status(0, "info", "mine"); /* by its name, on the search path */
    assert_text_has(cli_out, "mine.csv");
    (void)unsetenv("BNBENCH_DATASETS");
    assert_status(4, "info", "mime");
}

static void fetch_refuses_names_before_it_downloads(void **state) {
    (void)state;
    assert_status(4, "datasets", "fetch", "abalon");
    assert_text_has(cli_errors, "did you mean 'abalone'?");
    assert_status(2, "datasets", "fetch");
    assert_text_has(cli_errors, "which data sets?");
    assert_status(2, "datasets", "get", "abalone");
    assert_status(4, "datasets", "fetch", "hartemink-yeast");
    assert_text_has(cli_errors, "no public address");
    assert_status(4, "datasets", "fetch", "arabidopsis-development");
    assert_text_has(cli_errors, "https://zenodo.org/record/4672797");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_table_v10),
        cmocka_unit_test(every_entry_is_whole),
        cmocka_unit_test(the_catalogue_describes_the_shared_copies),
        cmocka_unit_test(csv_without_a_header_takes_the_names_of_the_catalogue),
        cmocka_unit_test(csv_with_a_header_is_taken_by_its_names),
        cmocka_unit_test(words_with_remarks_are_uci_s_mod_and_data_files),
        cmocka_unit_test(arff_is_read_from_its_data_line_on),
        cmocka_unit_test(the_schema_has_types_and_numbers_of_values),
        cmocka_unit_test(states_become_numbers_by_name_and_else_by_place),
        cmocka_unit_test(the_search_says_what_to_do),
        cli_test(list_and_info_name_data_sets),
        cli_test(info_reads_a_file_of_data),
        cli_test(fetch_refuses_names_before_it_downloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
