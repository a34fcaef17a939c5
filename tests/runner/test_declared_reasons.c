/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why figures do not come out, as an experiment declares it: `reasons` and `conclusion`. */
#include "tests/support/run_support.h"

#define BASE                                                                                                           \
    "name: a\n"                                                                                                        \
    "networks: [asia]\n"                                                                                               \
    "data: {samples: [100], test_samples: 50}\n"                                                                       \
    "learners: [hc, gts, empty]\n"                                                                                     \
    "tables: [{id: t, metric: shd}, {id: pooled, metric: shd, learners: [hc, gts, empty], "                            \
    "pool: {greedy: [hc, gts]}}, {id: n, kind: networks}]\n"                                                           \
    "tests: [{id: f, test: friedman, metric: shd}]\n"                                                                  \
    "plots: [{id: p, kind: line, y: shd}]\n"                                                                           \
    "readings: [{id: base, text: T}, {id: r1, text: T, change: {seed: 2}}]\n"

/* The message about the line behind, the ninth. */
static void assert_refused(const char *line, const char *message) {
    experiment e = {0};
    error_info err = {0};
    char text[4000];
    (void)snprintf(text, sizeof text, BASE "%s\n", line);
    if (experiment_parse(text, strlen(text), "x.yaml", &e, &err) != STATUS_PARSE)
        fail_msg("%s: read, or another status: %s", line, err.message);
    if (strcmp(err.message, message) != 0)
        fail_msg("%s:\n%s\nis not\n%s", line, err.message, message);
}

static void what_a_reason_says_is_read(void **state) {
    experiment e = declare(BASE "reasons:\n"
                                "  - id: prior\n"
                                "    kind: reading\n"
                                "    text: The prior is not the paper's.\n"
                                "    cells:\n"
                                "      - {table: t, learners: [hc, gts], at: [100, 100]}\n"
                                "      - {table: pooled, learners: greedy}\n"
                                "      - {table: n, learners: edges, at: asia}\n"
                                "      - {table: f}\n"
                                "    readings: r1\n"
                                "  - {id: seen, kind: unknown, text: T, cells: {table: t}, shown_in: f}\n"
                                "conclusion: It comes out.\n");
    const reason_spec *r = e.outputs.reasons;
    (void)state;
    assert_int_equal(e.outputs.n_reasons, 2);
    assert_string_equal(r[0].id, "prior");
    assert_int_equal(r[0].kind, REASON_READING);
    assert_string_equal(r[0].text, "The prior is not the paper's.");
    assert_int_equal(r[0].n_cells, 4);
    assert_string_equal(r[0].cells[0].table, "t");
    assert_int_equal(r[0].cells[0].n_learners, 2);
    assert_string_equal(r[0].cells[0].learners[1], "gts");
    assert_int_equal(r[0].cells[0].n_places, 2);
    assert_string_equal(r[0].cells[0].places[0], "100");
    assert_string_equal(r[0].cells[1].learners[0], "greedy");
    assert_int_equal(r[0].cells[1].n_places, 0);
    assert_string_equal(r[0].cells[2].learners[0], "edges");
    assert_string_equal(r[0].cells[3].table, "f");
    assert_int_equal(r[0].n_readings, 1);
    assert_string_equal(r[0].readings[0], "r1");
    assert_null(r[0].shown_in);
    assert_int_equal(r[1].kind, REASON_UNKNOWN);
    assert_string_equal(r[1].shown_in, "f");
    assert_string_equal(e.outputs.conclusion, "It comes out.");
    experiment_clear(&e);
}

static void an_empty_list_is_no_reasons(void **state) {
    experiment e = declare(BASE "reasons: []\n");
    (void)state;
    assert_int_equal(e.outputs.n_reasons, 0);
    assert_null(e.outputs.conclusion);
    experiment_clear(&e);
}

/* A reading is judged with the experiment, whose reasons name it. */
static void a_reading_has_no_reasons_of_its_own(void **state) {
    experiment e = declare(BASE "reasons: [{id: r, kind: reading, text: T, cells: [{table: t}], readings: [r1]}]\n"),
               of = {0};
    error_info err = {0};
    (void)state;
    assert_ok(experiment_apply_reading(&e, "r1", &of, &err), &err);
    assert_int_equal(of.outputs.n_reasons, 0);
    experiment_clear(&of);
    experiment_clear(&e);
}

#define REASON(rest) "reasons: [{id: r, kind: data, text: T, " rest "}]"
#define CELLS(rest) REASON("cells: [{" rest "}]")
#define NEEDED "a reason needs 'id', 'kind' (reading|data|hardware|paper|unknown), 'text' and 'cells'"

static void a_mistake_in_a_reason_is_answered_with_its_place(void **state) {
    static const char *const mistakes[][2] = {
        {"reasons: why", "x.yaml:9:10: a reason is 'why'; it must be a mapping (key: value)"},
        {"reasons: {}", "x.yaml:9:10: " NEEDED},
        {"reasons: [{kind: data, text: T, cells: [{table: t}]}]", "x.yaml:9:11: " NEEDED},
        {"reasons: [{id: r, text: T, cells: [{table: t}]}]", "x.yaml:9:11: " NEEDED},
        {"reasons: [{id: r, kind: data, cells: [{table: t}]}]", "x.yaml:9:11: " NEEDED},
        {"reasons: [{id: r, kind: data, text: T}]", "x.yaml:9:11: " NEEDED},
        {"reasons: [{id: r, kind: guess, text: T, cells: [{table: t}]}]",
         "x.yaml:9:25: kind is 'guess'; it must be one of reading|data|hardware|paper|unknown"},
        {"reasons: [{id: a/b, kind: data, text: T, cells: [{table: t}]}]",
         "x.yaml:9:16: id is 'a/b'; it names files too: letters, digits, '.', '_' and '-'"},
        {"reasons: [{id: r, kind: data, text: [T], cells: [{table: t}]}]",
         "x.yaml:9:37: text is a list; it must be a text"},
        {REASON("cell: [{table: t}], cells: [{table: t}]"),
         "x.yaml:9:40: unknown key 'cell' in a reason; did you mean 'cells'?"},
        {REASON("cells: []"), "x.yaml:9:47: cells is an empty list; it must hold at least one"},
        {REASON("cells: t"), "x.yaml:9:47: the cells of a reason is 't'; it must be a mapping (key: value)"},
        {CELLS("learners: [hc]"), "x.yaml:9:48: the cells of a reason need a 'table': the id of a table or test"},
        {CELLS("table: t, rows: [hc]"),
         "x.yaml:9:59: unknown key 'rows' in the cells of a reason; known: table, learners, at"},
        {CELLS("table: u"),
         "x.yaml:9:56: table is 'u', which is no table of figures and no test here; did you mean 't'?"},
        {CELLS("table: poled"),
         "x.yaml:9:56: table is 'poled', which is no table of figures and no test here; did you mean 'pooled'?"},
        {CELLS("table: p"),
         "x.yaml:9:56: table is 'p', which is no table of figures and no test here; did you mean 't'?"},
        {CELLS("table: t, learners: [gst]"),
         "x.yaml:9:70: learners is 'gst', which is no learner of this experiment; did you mean 'gts'?"},
        {CELLS("table: f, learners: [hc, nosuch]"),
         "x.yaml:9:74: learners is 'nosuch', which is no learner of this experiment; known: hc, gts, empty"},
        {CELLS("table: t, learners: []"), "x.yaml:9:69: learners is an empty list; it must hold at least one"},
        {CELLS("table: t, at: [[100]]"), "x.yaml:9:64: at is a list; it must be a text"},
        {CELLS("table: t, at: [100, avergae]"), "x.yaml:9:69: at is 'avergae', where 't' has nothing; known: 100"},
        {CELLS("table: n, at: assia"), "x.yaml:9:63: at is 'assia', where 'n' has nothing; did you mean 'asia'?"},
        {CELLS("table: f, at: \"asia, 1oo\""),
         "x.yaml:9:63: at is 'asia, 1oo', where 'f' has nothing; did you mean 'asia, 100'?"},
        {REASON("cells: [{table: t}], readings: [r2]"),
         "x.yaml:9:72: there is no reading 'r2' to show it; did you mean 'r1'?"},
        {REASON("cells: [{table: t}], readings: base"),
         "x.yaml:9:71: there is no reading 'base' to show it; known: r1"},
        {REASON("cells: [{table: t}], shown_in: p"),
         "x.yaml:9:71: shown_in is 'p', which is no table of figures, no test and no claim here; did you mean 't'?"},
        {"claims: [{id: c, text: T, comment: C}, {id: h, text: T, holds_if: [{table: t, less: [hc, gts]}]}]\n"
         "reasons: [{id: r, kind: paper, text: T, cells: [{table: t}], shown_in: c}]",
         "x.yaml:10:72: shown_in is the claim 'c', which has no 'holds_if' to check"},
        {"claims: [{id: h, text: T, holds_if: [{table: t, less: [hc, gts]}]}]\n" REASON(
             "cells: [{table: t}], shown_in: h"),
         "x.yaml:10:71: shown_in is the claim 'h', which shows a reason of kind 'paper' alone"},
        {"claims: [{id: t, text: T, holds_if: [{table: t, less: [hc, gts]}]}]\n"
         "reasons: [{id: r, kind: paper, text: T, cells: [{table: t}], shown_in: t}]",
         "x.yaml:10:72: shown_in is 't', which is both a claim and a table; give one another id"},
        {"claims: [{id: a, text: T, main: true, comment: C}, {id: b, text: T, main: true, comment: C}]",
         "x.yaml:9:52: 'a' is the main claim already; a paper has one"},
        {"reasons: [{id: r, kind: reading, text: T, cells: [{table: t}], shown_in: t}]",
         "x.yaml:9:11: a reason of kind 'reading' needs 'readings', those that show it"},
        {"reasons: [{id: r, kind: data, text: T, cells: [{table: t}]}, {id: r, kind: data, text: U, cells: [{table: "
         "t}]}]",
         "x.yaml:9:62: the id 'r' stands here a second time"},
        {"conclusion: [a]", "x.yaml:9:13: conclusion is a list; it must be a text"},
        {"conclusion: \"a\\tb\"", "x.yaml:9:13: conclusion holds a control character (code 9); write it in one line"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        assert_refused(mistakes[i][0], mistakes[i][1]);
}

/* Under a profile that leaves the place out there is nothing there; in the file as it is written it is a mistake. */
static void a_place_of_another_size_is_a_mistake_in_the_file_alone(void **state) {
    static const char reasons[] = "reasons: [{id: r, kind: data, text: T, cells: [{table: t, at: %s}]}]\n"
                                  "profiles: {large: {data: {samples: [5000]}}}\n";
    const char *folder = scratch_folder();
    AUTO_FREE char *path = path_join(folder, "x.yaml");
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        static const char *const at[] = {"100", "5000", "alarm"};
        experiment e = {0};
        error_info err = {0};
        AUTO(text_buffer_clear) text_buffer text = {0};
        text_append(&text, BASE);
        text_append_format(&text, reasons, at[i]);
        put_file(folder, "x.yaml", text.data);
        assert_ok(experiment_parse(text.data, text.length, "x.yaml", &e, &err), &err);
        experiment_clear(&e);
        assert_ok(experiment_read(path, "large", NULL, 0, &e, &err), &err);
        experiment_clear(&e);
        assert_int_equal(experiment_read(path, NULL, NULL, 0, &e, &err), i == 0 ? STATUS_OK : STATUS_PARSE);
        if (i > 0)
            assert_message_has(&err, "where 't' has nothing; ");
        experiment_clear(&e);
    }
}

static void lists_have_an_end(void **state) {
    text_buffer text = {0};
    (void)state;
    text_append(&text, "reasons: [");
    for (size_t i = 0; i < 101; i++)
        text_append(&text, "r,");
    text_append(&text, "r]");
    assert_refused(text.data, "x.yaml:9:10: reasons has 102 entries; it may have 100");
    text_buffer_clear(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_reason_says_is_read),
        cmocka_unit_test(an_empty_list_is_no_reasons),
        cmocka_unit_test(a_reading_has_no_reasons_of_its_own),
        cmocka_unit_test(a_mistake_in_a_reason_is_answered_with_its_place),
        cmocka_unit_test(a_place_of_another_size_is_a_mistake_in_the_file_alone),
        cmocka_unit_test(lists_have_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
