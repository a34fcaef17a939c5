/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published figures that an experiment says are not compared, as it declares them. */
#include "tests/support/run_support.h"

#include "parts/figures/absent_rows.h"

#define BASE                                                                                                           \
    "name: a\n"                                                                                                        \
    "networks: [asia]\n"                                                                                               \
    "data: {samples: [100], test_samples: 50}\n"                                                                       \
    "learners: [hc]\n"

static void what_is_absent_is_read(void **state) {
    static const char csv[] = "network,metric,value\nyeast,a,1\nyeast,b,2\nasia,b,3\nasia,c,4\n";
    experiment e =
        declare(BASE "absent:\n"
                     "  - {published: p.csv, where: {network: yeast, metric: [b, c]}, reason: Not to be had.}\n"
                     "  - {published: q.csv, reason: Nobody asked.}\n");
    const absent_rows *a = e.outputs.absent;
    csv_table *rows = NULL;
    error_info err = {0};
    (void)state;
    assert_int_equal(e.outputs.n_absent, 2);
    assert_string_equal(a[0].published, "p.csv");
    assert_string_equal(a[0].reason, "Not to be had.");
    assert_int_equal(a[0].n_conditions, 2);
    assert_string_equal(a[0].conditions[1].column, "metric");
    assert_int_equal(a[0].conditions[1].n_values, 2);
    assert_ok(csv_table_parse(csv, strlen(csv), &rows, &err), &err);
    assert_int_equal(absent_count(&a[0], rows), 1);
    assert_true(absent_is_row(&a[0], rows, 1));
    assert_int_equal(absent_count(&a[1], rows), 4);
    csv_table_destroy(rows);
    experiment_clear(&e);
}

/* Of the files that ship. */
static void a_mistake_is_answered_with_its_place(void **state) {
    static const char *const mistakes[][2] = {
        {"[{published: p.csv}]", ":5:10: an entry of absent needs 'published', a file, and a 'reason'"},
        {"[{reason: T}]", ":5:10: an entry of absent needs 'published', a file, and a 'reason'"},
        {"[{published: p.csv, reason: T, which: all}]", "unknown key 'which' in an entry of absent"},
        {"[{published: p.csv, reason: T, where: all}]",
         ":5:47: where must be a mapping of 1 to 20 columns, each with a value or a list of them"},
        {"[{published: nosuch.csv, reason: T}]", ":5:22: published: "},
        {"[{published: prose_values.csv, reason: T, where: {papr: fu2005}}]",
         ":5:59: the file has no column 'papr'; did you mean 'paper'?"},
        {"[{published: prose_values.csv, reason: T, where: {paper: [fu2005, fu2006]}}]",
         ":5:75: no row of the file has 'fu2006' in the column 'paper'"},
        {"[{published: prose_values.csv, reason: T, where: {paper: fu2005, network: pigs}}]",
         ":5:10: no row of prose_values.csv is as 'where' says"},
    };
    const char *folder = scratch_folder();
    AUTO_FREE char *path = path_join(folder, "x.yaml");
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        experiment e = {0};
        error_info err = {0};
        AUTO(text_buffer_clear) text_buffer text = {0};
        text_append_format(&text, BASE "absent: %s\n", mistakes[i][0]);
        put_file(folder, "x.yaml", text.data);
        assert_int_equal(experiment_read(path, NULL, NULL, 0, &e, &err), STATUS_PARSE);
        assert_message_has(&err, mistakes[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_absent_is_read),
        cmocka_unit_test(a_mistake_is_answered_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
