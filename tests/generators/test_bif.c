/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/run/run_context.h"
#include "generators/networks/bif.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static status parse(const char *text, bayes_net **out, error_info *err) {
    return bif_parse(text, strlen(text), "given", out, NULL, err);
}

static bayes_net *parse_well(const char *text) {
    bayes_net *net = NULL;
    error_info err = {0};
    assert_ok(parse(text, &net, &err), &err);
    return net;
}

/* The text is refused with that message, and nothing is handed out. */
static void assert_refused(const char *text, const char *message) {
    bayes_net *net = NULL;
    error_info err = {0};
    status st = parse(text, &net, &err);
    if (st != STATUS_PARSE || !strstr(err.message, message))
        fail_msg("expected a refusal with '%s', found %s '%s' for\n%s", message, status_name(st), err.message, text);
    assert_null(net);
}

#define AB                                                                                                             \
    "network unknown { }\n"                                                                                            \
    "variable a { type discrete [ 2 ] { yes, no }; }\n"                                                                \
    "variable b { type discrete [ 3 ] { low, mid, high }; }\n"
#define A_TABLE "probability ( a ) { table 0.25, 0.75; }\n"
#define B_ROWS "probability ( b | a ) { (yes) 0.1, 0.2, 0.7; (no) 0.3, 0.3, 0.4; }\n"

static void assert_same_network(const bayes_net *a, const bayes_net *b) {
    assert_int_equal(bayes_net_node_count(a), bayes_net_node_count(b));
    for (size_t i = 0; i < bayes_net_node_count(a); i++) {
        size_t n_a, n_b, cells = bayes_net_configuration_count(a, i) * bayes_net_variable(a, i)->n_states;
        const size_t *p_a = bayes_net_parents(a, i, &n_a), *p_b = bayes_net_parents(b, i, &n_b);
        assert_true(variable_is_equal(bayes_net_variable(a, i), bayes_net_variable(b, i)));
        assert_int_equal(n_a, n_b);
        assert_memory_equal(p_a, p_b, n_a * sizeof *p_a);
        assert_int_equal(bayes_net_configuration_count(a, i), bayes_net_configuration_count(b, i));
        assert_memory_equal(bayes_net_table(a, i), bayes_net_table(b, i), cells * sizeof(double));
    }
}

static void assert_survives_writing(const bayes_net *net) {
    text_buffer text = {0};
    bayes_net *again = NULL;
    error_info err = {0};
    bif_append(net, "first line\nsecond line", &text);
    assert_ok(bif_parse(text.data, text.length, "other", &again, NULL, &err), &err);
    assert_same_network(net, again);
    assert_string_equal(bayes_net_name(net), bayes_net_name(again));
    bayes_net_destroy(again);
    text_buffer_clear(&text);
}

/* ---- what is read ---- */

static void rows_are_matched_by_state_names_and_not_by_place(void **state) {
    bayes_net *net = parse_well(AB A_TABLE "variable c { type discrete [ 2 ] { t, f }; }\n"
                                           "probability ( b | a ) { (no) 0.3, 0.3, 0.4; (yes) 0.1, 0.2, 0.7; }\n"
                                           "probability ( c | b, a ) {\n"
                                           " (high, no) 0.6, 0.4; (low, yes) 0.1, 0.9; (mid, no) 0.5, 0.5;\n"
                                           " (low, no) 0.4, 0.6; (mid, yes) 0.2, 0.8; (high, yes) 0.3, 0.7; }\n");
    (void)state;
    assert_close(bayes_net_table(net, 1)[0], 0.1, 0);
    assert_close(bayes_net_table(net, 1)[5], 0.4, 0);
    for (size_t j = 0; j < 6; j++) /* b varies fastest */
        assert_close(bayes_net_table(net, 2)[2 * j], 0.1 * (double)(j + 1), 1e-15);
    bayes_net_destroy(net);
}

static void the_second_row_of_dysp_in_asia_is_bronc_no_either_yes(void **state) {
    bayes_net *net = NULL;
    error_info err = {0};
    size_t dysp, count;
    const size_t *parents;
    (void)state;
    assert_ok(bif_read(source_path("networks/asia.bif"), &net, NULL, &err), &err);
    dysp = bayes_net_find_node(net, "dysp");
    parents = bayes_net_parents(net, dysp, &count);
    assert_int_equal(count, 2);
    assert_string_equal(bayes_net_variable(net, parents[0])->name, "bronc");
    assert_string_equal(bayes_net_variable(net, parents[1])->name, "either");
    assert_close(bayes_net_table(net, dysp)[2], 0.7, 0);
    assert_string_equal(bayes_net_name(net), "asia");
    bayes_net_destroy(net);
}

static void comments_quotes_properties_and_odd_spacing_are_read(void **state) {
    bayes_net *net = parse_well("\xEF\xBB\xBF// top \r\n"
                                "network \"my net\" { property author = \"a; b\" ; property x ; }\r\n"
                                "/* many\n lines */ variable \"the first\" /* here */ {\t"
                                "property position = (1, 2) ; type /* c */ discrete[2]{\"is so\",is not}; }\n"
                                "variable b{type discrete [ 3 ]{ <5 , 5-12, Asy/Patch } ;property p;}"
                                "probability(b|\"the first\"){ property q; // rows\n"
                                "(is so)1.0E-1 +2e-1 .7;( is not ) 0.3,.3 , 4.e-1 ; }\n"
                                "probability ( \"the first\" ) { table .25 .75 ; } // end");
    (void)state;
    assert_string_equal(bayes_net_name(net), "my net");
    assert_string_equal(bayes_net_variable(net, 0)->name, "the first");
    assert_string_equal(bayes_net_variable(net, 0)->states[0], "is so");
    assert_string_equal(bayes_net_variable(net, 0)->states[1], "is not");
    assert_string_equal(bayes_net_variable(net, 1)->states[2], "Asy/Patch");
    assert_close(bayes_net_table(net, 1)[0], 0.1, 0);
    assert_close(bayes_net_table(net, 1)[2], 0.7, 0);
    assert_close(bayes_net_table(net, 1)[5], 0.4, 0);
    assert_survives_writing(net);
    bayes_net_destroy(net);
}

static void keywords_and_numbers_may_be_states(void **state) {
    bayes_net *net = parse_well("network n {}\n"
                                "variable table { type discrete [ 6 ] { 0, NA, table, type, default, 1.5 }; }\n"
                                "variable variable { type discrete [ 2 ] { property, 3 }; }\n"
                                "probability ( table ) { table 0.5, 0.1, 0.1, 0.1, 0.1, 0.1; }\n"
                                "probability ( variable | table ) { (NA) 0.5, 0.5; default 0.2, 0.8; (0) 0, 1; }\n");
    (void)state;
    assert_string_equal(bayes_net_variable(net, 0)->states[1], "NA");
    assert_close(bayes_net_table(net, 1)[0], 0, 0);
    assert_close(bayes_net_table(net, 1)[2], 0.5, 0);
    assert_close(bayes_net_table(net, 1)[10], 0.2, 0);
    assert_survives_writing(net);
    bayes_net_destroy(net);
}

static void a_block_may_stand_before_the_variables_that_it_names(void **state) {
    bayes_net *net = parse_well("network n { }\n"
                                "probability ( b | a ) { (yes) 0.5, 0.5; (\"n } o\") 0.2, 0.8; /* } */ }\n"
                                "variable b { type discrete [ 2 ] { u, v }; }\n"
                                "variable a { type discrete [ 2 ] { yes, \"n } o\" }; }\n"
                                "probability ( a ) { table 0.5, 0.5; }\n");
    (void)state;
    assert_close(bayes_net_table(net, 0)[3], 0.8, 0);
    bayes_net_destroy(net);
}

static void the_older_form_names_the_child_first(void **state) {
    bayes_net *net = parse_well(AB A_TABLE "probability ( b, a ) { (yes) 0.1, 0.2, 0.7; (no) 0.3, 0.3, 0.4; }\n");
    size_t count;
    (void)state;
    assert_int_equal(bayes_net_parents(net, 1, &count)[0], 0);
    assert_int_equal(count, 1);
    bayes_net_destroy(net);
}

static void a_whole_table_is_read_in_the_order_that_is_named(void **state) {
    static const char text[] =
        AB A_TABLE "variable c { type discrete [ 2 ] { t, f }; }\n" B_ROWS "probability ( c | b, a ) {\n"
                   "table 0.1 0.2 0.3 0.4 0.5 0.6 0.9 0.8 0.7 0.6 0.5 0.4; }\n";
    static const char other[] =
        AB A_TABLE "variable c { type discrete [ 2 ] { t, f }; }\n" B_ROWS "probability ( c | b, a ) {\n"
                   "table 0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4; }\n";
    bif_options last = {.table_order = BIF_TABLE_LAST_PARENT_FASTEST};
    bif_options first = {.table_order = BIF_TABLE_CHILD_FASTEST};
    bayes_net *net = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(bif_parse_with(&last, text, strlen(text), "x", &net, NULL, &err), &err);
    /* (low, yes) (low, no) (mid, yes) ...: in ours b varies fastest, so (mid, yes) is row 1 and (low, no) row 3 */
    assert_close(bayes_net_table(net, 2)[0], 0.1, 0);
    assert_close(bayes_net_table(net, 2)[2 * 1], 0.3, 0);
    assert_close(bayes_net_table(net, 2)[2 * 3], 0.2, 0);
    assert_close(bayes_net_table(net, 2)[2 * 5 + 1], 0.4, 0);
    bayes_net_destroy(net);
    assert_ok(bif_parse_with(&first, other, strlen(other), "x", &net, NULL, &err), &err);
    for (size_t j = 0; j < 6; j++)
        assert_close(bayes_net_table(net, 2)[2 * j], 0.1 * (double)(j + 1), 1e-15);
    bayes_net_destroy(net);
    assert_refused(text, "8:1: expected rows '(state, ...) numbers': 'c' has parents");
}

static void the_last_of_two_rows_wins_where_that_is_asked_for(void **state) {
    static const char text[] =
        AB A_TABLE "probability ( b | a ) { (yes) 1, 0, 0; (no) 0.3, 0.3, 0.4; (yes) 0, 1, 0; }\n";
    bif_options options = {.last_row_wins = true};
    bayes_net *net = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(bif_parse_with(&options, text, strlen(text), "x", &net, NULL, &err), &err);
    assert_close(bayes_net_table(net, 1)[1], 1, 0);
    bayes_net_destroy(net);
    assert_refused(text, "5:60: a second row of 'b'");
}

static void rows_near_one_are_scaled_and_counted(void **state) {
    static const char text[] =
        AB A_TABLE "probability ( b | a ) { (yes) 0.3333333, 0.3333333, 0.3333333; (no) 0.33335, 0.33335, 0.33335; }\n";
    bayes_net *net = NULL;
    size_t n_scaled = 99;
    error_info err = {0};
    (void)state;
    assert_ok(bif_parse(text, strlen(text), "x", &net, &n_scaled, &err), &err);
    assert_int_equal(n_scaled, 1);
    assert_close(bayes_net_table(net, 1)[0], 1.0 / 3, 1e-15);
    assert_close(bayes_net_table(net, 1)[3], 1.0 / 3, 1e-15);
    assert_survives_writing(net); /* scaled once, not again */
    bayes_net_destroy(net);
}

static void numbers_are_read_to_the_nearest_double(void **state) {
    static const char *const numbers[] = {"0.1",
                                          "0.30000000000000004",
                                          "0.299999999999999988897769753748434595763683319091796875",
                                          "1e-5",
                                          "4.9406564584124654e-324",
                                          "2.2250738585072011e-308",
                                          "0.000000000000000000000000000000000000000001",
                                          "1.7976931348623157e-10",
                                          "9007199254740993e-17",
                                          "0.99999999999999994"};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[512];
        double value = strtod(numbers[i], NULL);
        bayes_net *net;
        (void)snprintf(text, sizeof text,
                       "network x { } variable a { type discrete [ 2 ] { y, n }; } "
                       "probability ( a ) { table %s, %.17g; }",
                       numbers[i], 1 - value);
        net = parse_well(text);
        assert_true(bayes_net_table(net, 0)[0] == value);
        bayes_net_destroy(net);
    }
}

static void random_numbers_survive_writing_and_reading(void **state) {
    enum { ROWS = 2000 };
    variable v[2] = {0};
    char *names[ROWS];
    static const char *const states[] = {"a", "b", "c"};
    bayes_net *net = NULL;
    random_stream random;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(4));
    for (size_t k = 0; k < ROWS; k++) {
        names[k] = malloc(16);
        (void)snprintf(names[k], 16, "s%zu", k);
    }
    assert_ok(variable_init_discrete(&v[0], "p", (const char *const *)names, ROWS, &err), &err);
    assert_ok(variable_init_discrete(&v[1], "x", states, 3, &err), &err);
    assert_ok(bayes_net_create("random", v, 2, &net, &err), &err);
    assert_ok(bayes_net_set_parents(net, 0, NULL, 0, &err), &err);
    assert_ok(bayes_net_set_parents(net, 1, (size_t[]){0}, 1, &err), &err);
    bayes_net_build_table(net, 0)[7] = 1;
    for (size_t j = 0; j < ROWS; j++) {
        double *row = bayes_net_build_table(net, 1) + 3 * j, sum = 0;
        for (size_t k = 0; k < 3; k++)
            sum += row[k] = pow(random_uniform(&random), (double)(1 + j % 40));
        for (size_t k = 0; k < 3; k++)
            row[k] /= sum;
    }
    assert_survives_writing(net);
    bayes_net_destroy(net);
    variable_clear(&v[0]);
    variable_clear(&v[1]);
    for (size_t k = 0; k < ROWS; k++)
        free(names[k]);
}

/* ---- names of files and networks ---- */

static void files_plain_and_gzip_with_odd_names_are_written_and_read(void **state) {
    const char *folder = scratch_folder();
    static const char *const names[] = {"plain.bif", "packed.bif.gz", "two words's \"quoted\" \xC3\xA4\xC3\xB6.bif.gz"};
    bayes_net *net = parse_well(AB A_TABLE B_ROWS);
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char *path = path_join(folder, names[i]);
        bayes_net *again = NULL;
        assert_ok(bif_write(net, path, "a comment", &err), &err);
        assert_ok(bif_read(path, &again, NULL, &err), &err);
        assert_same_network(net, again);
        assert_string_equal(bayes_net_name(again), "given"); /* written as `network given` */
        bayes_net_destroy(again);
        free(path);
    }
    bayes_net_destroy(net);
}

static void a_network_without_a_name_takes_that_of_its_file(void **state) {
    char *path = path_join(scratch_folder(), "some net.bif.gz");
    bayes_net *net = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(file_write(path, AB A_TABLE B_ROWS, strlen(AB A_TABLE B_ROWS), &err), &err);
    assert_ok(bif_read(path, &net, NULL, &err), &err);
    assert_string_equal(bayes_net_name(net), "some net");
    bayes_net_destroy(net);
    free(path);
}

/* p with these states, and its child x with two. */
static void states_with_quotes_survive_writing(void **state) {
    static const char *const states[] = {"He said \"hi\"", "a 5\" disk", "plain", "with blank", "end\"", "a /* b \" c"};
    static const char *const two[] = {"yes", "no \"no\" no"};
    enum { N = sizeof states / sizeof *states };
    variable v[2] = {0};
    bayes_net *net = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(variable_init_discrete(&v[0], "p", states, N, &err), &err);
    assert_ok(variable_init_discrete(&v[1], "x", two, 2, &err), &err);
    assert_ok(bayes_net_create("quotes", v, 2, &net, &err), &err);
    assert_ok(bayes_net_set_parents(net, 0, NULL, 0, &err), &err);
    assert_ok(bayes_net_set_parents(net, 1, (size_t[]){0}, 1, &err), &err);
    for (size_t j = 0; j < N; j++) {
        bayes_net_build_table(net, 0)[j] = j == 0;
        bayes_net_build_table(net, 1)[2 * j] = 0.125 * (double)j;
        bayes_net_build_table(net, 1)[2 * j + 1] = 1 - 0.125 * (double)j;
    }
    assert_survives_writing(net);
    bayes_net_destroy(net);
    variable_clear(&v[0]);
    variable_clear(&v[1]);
}

static void what_cannot_be_quoted_is_not_written(void **state) {
    static const char *const states[] = {"say \"hello\", he did", "b"};
    variable v = {0};
    bayes_net *net = NULL;
    char *path = path_join(scratch_folder(), "x.bif");
    error_info err = {0};
    (void)state;
    assert_ok(variable_init_discrete(&v, "v", states, 2, &err), &err);
    assert_ok(bayes_net_create("n", &v, 1, &net, &err), &err);
    assert_ok(bayes_net_set_parents(net, 0, NULL, 0, &err), &err);
    bayes_net_build_table(net, 0)[0] = 1;
    assert_int_equal(bif_write(net, path, NULL, &err), STATUS_INVALID);
    assert_non_null(strstr(err.message, "the state 'say \"hello\", he did' of 'v' cannot be written in BIF"));
    assert_false(file_exists(path));
    bayes_net_destroy(net);
    variable_clear(&v);
    free(path);
}

static void a_missing_file_is_missing_and_a_folder_is_no_file(void **state) {
    bayes_net *net = NULL;
    error_info err = {0};
    (void)state;
    assert_int_equal(bif_read("/nowhere/x.bif", &net, NULL, &err), STATUS_MISSING);
    assert_message_has(&err, "/nowhere/x.bif");
    assert_int_not_equal(bif_read("/tmp", &net, NULL, &err), STATUS_OK);
    assert_null(net);
}

/* ---- the networks of the repository ---- */

static void the_networks_that_ship_survive_writing(void **state) {
    static const char *const names[] = {"networks/asia.bif", "networks/survey.bif", "networks/child.bif",
                                        "networks/alarm.bif"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        bayes_net *net = NULL;
        error_info err = {0};
        assert_ok(bif_read(source_path(names[i]), &net, NULL, &err), &err);
        assert_survives_writing(net);
        bayes_net_destroy(net);
    }
}

static void all_networks_of_the_repository_survive_writing(void **state) {
    static const char *const names[] = {"asia",   "cancer",   "earthquake", "sachs",    "survey",     "alarm",
                                        "barley", "child",    "insurance",  "mildew",   "water",      "hailfinder",
                                        "hepar2", "win95pts", "andes",      "diabetes", "link",       "munin",
                                        "munin1", "munin2",   "munin3",     "munin4",   "pathfinder", "pigs"};
    (void)state;
    if (!shared_path("networks"))
        skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char relative[64];
        bayes_net *net = NULL;
        size_t n_scaled;
        error_info err = {0};
        (void)snprintf(relative, sizeof relative, "networks/%s.bif.gz", names[i]);
        assert_ok(bif_read(shared_path(relative), &net, &n_scaled, &err), &err);
        assert_int_equal(n_scaled, 0); /* the rows of the repository are off by 3e-7 at most */
        assert_survives_writing(net);
        bayes_net_destroy(net);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_matched_by_state_names_and_not_by_place),
        cmocka_unit_test(the_second_row_of_dysp_in_asia_is_bronc_no_either_yes),
        cmocka_unit_test(comments_quotes_properties_and_odd_spacing_are_read),
        cmocka_unit_test(keywords_and_numbers_may_be_states),
        cmocka_unit_test(a_block_may_stand_before_the_variables_that_it_names),
        cmocka_unit_test(the_older_form_names_the_child_first),
        cmocka_unit_test(a_whole_table_is_read_in_the_order_that_is_named),
        cmocka_unit_test(the_last_of_two_rows_wins_where_that_is_asked_for),
        cmocka_unit_test(rows_near_one_are_scaled_and_counted),
        cmocka_unit_test(numbers_are_read_to_the_nearest_double),
        cmocka_unit_test(random_numbers_survive_writing_and_reading),
        cmocka_unit_test(files_plain_and_gzip_with_odd_names_are_written_and_read),
        cmocka_unit_test(a_network_without_a_name_takes_that_of_its_file),
        cmocka_unit_test(states_with_quotes_survive_writing),
        cmocka_unit_test(what_cannot_be_quoted_is_not_written),
        cmocka_unit_test(a_missing_file_is_missing_and_a_folder_is_no_file),
        cmocka_unit_test(the_networks_that_ship_survive_writing),
        cmocka_unit_test(all_networks_of_the_repository_survive_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
