/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a variable's probabilities, beside those that a paper prints. */
#include "tests/support/run_support.h"

#include "core/base/file.h"
#include "report/report.h"

#define HEAD                                                                                                           \
    "name: p\nnetworks: [asia]\ndata: {samples: [10], replicates: 1, test_samples: 0}\nlearners: [hc]\nplots: []\n"
#define COLUMNS "network,metric,value,printed,state,parent_state\n"

static const document_format *const markdown[] = {&document_format_markdown, NULL};

/* The CSV of a table of one variable of a network, or what the report says in its place; on the heap. */
static char *show(const char *network, const char *name, const char *published) {
    const char *folder = scratch_folder();
    char text[1000];
    experiment e;
    report_result result = {0};
    report_options options = {.folder = folder, .forms = markdown, .write_csv = true, .published_folder = folder};
    error_info err = {0};
    char *shown = NULL, path[4096];
    size_t length;
    put_file(folder, "cpt.csv", published);
    (void)snprintf(text, sizeof text,
                   HEAD "tables: [{id: t, kind: probabilities, network: %s, variable: %s, published: cpt.csv}]\n",
                   network, name);
    e = declare(text);
    assert_ok(runner_read_network_facts(&e, &err), &err);
    assert_ok(report_make(&(part_context){&e.outputs, &e.parts, NULL, 0}, &options, &result, &err), &err);
    (void)snprintf(path, sizeof path, "%s/tables/t.csv", folder);
    if (result.n_notes)
        shown = text_copy(result.notes[0]);
    else
        assert_ok(file_read(path, 1 << 20, &shown, &length, &err), &err);
    report_result_clear(&result);
    experiment_clear(&e);
    return shown;
}

static void assert_has(const char *text, const char *words) {
    if (!strstr(text, words))
        fail_msg("'%s' is not in:\n%s", words, text);
}

static void a_row_is_a_state_and_a_column_a_configuration_of_the_parents(void **state) {
    char *csv = show("asia", "dysp", COLUMNS "asia,conditional_probability,0.75,0.75,1,2\n");
    (void)state;
    assert_has(csv, "t,yes,\"bronc = yes, either = yes\",0.9,,");
    assert_has(csv, "t,yes,\"bronc = no, either = yes\",0.7,0.75,");
    assert_has(csv, "t,no,\"bronc = yes, either = no\",0.2,,");
    assert_has(csv, "t,no,\"bronc = no, either = no\",0.9,,");
    free(csv);
}

static void only_the_networks_own_figures_stand_beside(void **state) {
    char *csv = show("asia", "xray",
                     COLUMNS "child,conditional_probability,0.1,0.10,1,1\n"
                             "asia,conditional_probability,0.98,0.98,1,1\nasia,conditional_probability,0.95,.95,2,2\n");
    (void)state;
    assert_has(csv, "t,yes,either = yes,0.98,0.98,");
    assert_has(csv, "t,no,either = no,0.95,0.95,");
    assert_has(csv, "t,no,either = yes,0.02,,");
    free(csv);
}

static void what_is_not_there_is_said(void **state) {
    static const char *const names[][2] = {{"asia", "nobody"}, {"elsewhere", "dysp"}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char *report = show(names[i][0], names[i][1], COLUMNS);
        assert_has(report, "no such network of tables, or that has no such variable");
        free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_a_state_and_a_column_a_configuration_of_the_parents),
        cmocka_unit_test(only_the_networks_own_figures_stand_beside),
        cmocka_unit_test(what_is_not_there_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
