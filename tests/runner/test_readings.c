/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readings of a paper: how an experiment declares them, what they lay over it, and which cells they share with it. */
#include "tests/support/run_support.h"

#include "parts/tables/metric_table.h"
#include "runner/plan/plan_internal.h"

#define BASE                                                                                                           \
    "name: a\n"                                                                                                        \
    "networks: [asia]\n"                                                                                               \
    "data: {samples: [100, 200], replicates: 2, test_samples: 50}\n"                                                   \
    "learners: [hc, {id: m, learner: mmhc, alpha: 0.01}, {learner: gts, ess: 3}]\n"                                    \
    "tables: [{id: t, metric: shd, decimals: 2}, {id: u, metric: time}]\n"

/* ---- what is said of mistakes ---- */

/* The message about this line, the sixth. */
static void assert_refused(const char *line, const char *message) {
    experiment e = {0};
    error_info err = {0};
    char text[1000];
    (void)snprintf(text, sizeof text, BASE "%s\n", line);
    if (experiment_parse(text, strlen(text), "x.yaml", &e, &err) != STATUS_PARSE)
        fail_msg("%s: read, or another status", line);
    if (strcmp(err.message, message) != 0)
        fail_msg("%s:\n%s\nis not\n%s", line, err.message, message);
}

#define READING(entry) "readings: [{id: r, text: T, " entry "}]"

static void a_mistake_in_what_is_said_of_a_reading_is_answered_with_its_place(void **state) {
    static const char *const cases[][2] = {
        {"readings: [{text: T, change: {seed: 2}}]",
         "x.yaml:6:12: a reading needs an 'id' and a 'text': what the paper says, or leaves open"},
        {"readings: [{id: r, change: {seed: 2}}]",
         "x.yaml:6:12: a reading needs an 'id' and a 'text': what the paper says, or leaves open"},
        {"readings: [{id: r, text: T}]",
         "x.yaml:6:12: a reading needs 'change', a mapping of what it lays over the experiment"},
        {READING("change: {}"), "x.yaml:6:37: 'change' must be a mapping of what it lays over the experiment"},
        {READING("change: [seed]"), "x.yaml:6:37: 'change' must be a mapping of what it lays over the experiment"},
        {"readings: [{id: base, text: T, change: {seed: 2}}]",
         "x.yaml:6:40: 'base' is the experiment as it is declared and changes nothing"},
        {READING("basis: sure, change: {seed: 2}"),
         "x.yaml:6:36: basis is 'sure'; it must be one of text|silent|figures"},
        {READING("chnage: {seed: 2}"), "x.yaml:6:29: unknown key 'chnage' in a reading; did you mean 'change'?"},
        {"readings: [{id: a/b, text: T, change: {seed: 2}}]",
         "x.yaml:6:17: id is 'a/b'; it names files too: letters, digits, '.', '_' and '-'"},
        {"readings: [{id: [r], text: T, change: {seed: 2}}]", "x.yaml:6:17: id is a list; it must be a text"},
        {"readings: [{id: all, text: T, change: {seed: 2}}]",
         "x.yaml:6:17: 'all' means every reading; this one needs another id"},
        {"readings: [{id: r, text: T, change: {seed: 2}}, {id: r, text: T, change: {seed: 3}}]",
         "x.yaml:6:49: the id 'r' stands here a second time"},
        {"readings: r", "x.yaml:6:11: a reading is 'r'; it must be a mapping (key: value)"},
        {"readings: {}", "x.yaml:6:11: a reading needs an 'id' and a 'text': what the paper says, or leaves open"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i][0], cases[i][1]);
}

static void a_mistake_in_what_a_reading_changes_is_answered_with_its_place_and_the_reading(void **state) {
    static const char *const cases[][2] = {
        {READING("change: {learners: {mm: {alpha: 0.1}}}"), "6:49: learners has no 'mm'; did you mean 'm'?"},
        {READING("change: {learners: {sgs1: {ess: 2}}}"), "6:49: learners has no 'sgs1'; known: hc, m, gts"},
        {READING("change: {learners: {m: 0.1}}"), "6:52: what a reading changes of 'm' must be a mapping"},
        {READING("change: {learners: {m: {alfa: 0.1}}}"), "6:53: unknown option 'alfa'; did you mean 'alpha'?"},
        {READING("change: {tables: {v: {decimals: 1}}}"), "6:47: tables has no 'v'; did you mean 't'?"},
        {READING("change: {networks: {asia: {copies: 2}}}"),
         "6:49: 'asia' is a name alone; a reading that changes it lists all of networks anew"},
        {READING("change: {seed: -1}"), "6:44: seed is '-1'; it must be a whole number from 0 to 9007199254740992"},
        {READING("change: {tables: {t: {learners: [empty]}}}"),
         "6:62: learners is 'empty', which is no learner of this experiment; known: hc, m, gts"},
        {READING("change: {name: b}"), "6:38: a reading cannot change 'name'"},
        {READING("change: {folder: sub}"), "6:38: a reading cannot change 'folder'"},
        {READING("change: {profiles.quick.seed: 2}"), "6:38: a reading cannot change 'profiles'"},
        {READING("change: {readings: []}"), "6:38: a reading cannot change 'readings'"},
        {READING("change: {reading: b}"), "6:38: a reading cannot change 'reading'"},
    };
    char message[400];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(message, sizeof message, "x.yaml:%s (with the reading 'r')", cases[i][1]);
        assert_refused(cases[i][0], message);
    }
}

static void the_experiment_that_a_reading_makes_is_checked_as_a_whole(void **state) {
    (void)state;
    assert_refused(
        "tests: [{id: f, test: friedman, metric: shd, control: m}]\n" READING("change: {learners: {m: {id: n}}}"),
        "x.yaml:6:55: control is 'm', which is no learner of this experiment; did you mean 'n'? (with the "
        "reading 'r')");
}

/* The page of a reading has its declaration beside it, to repeat jobs. */
static void a_file_of_a_reading_is_an_experiment_of_its_own(void **state) {
    const char *folder = scratch_folder();
    char path[200];
    experiment e = {0};
    error_info err = {0};
    (void)state;
    (void)snprintf(path, sizeof path, "%s/x.yaml", folder);
    put_file(folder, "x.yaml", BASE "reading: r\n");
    assert_ok(experiment_read(path, NULL, NULL, 0, &e, &err), &err);
    assert_null(e.outputs.reading);
    assert_null(strstr(e.declaration, "reading"));
    experiment_clear(&e);
    put_file(folder, "x.yaml", BASE "reading: [{id: r, text: T, change: {seed: 2}}]\n"); /* readings, misspelt */
    assert_int_equal(experiment_read(path, NULL, NULL, 0, &e, &err), STATUS_PARSE);
    assert_message_has(&err, "x.yaml:6:10: reading is a list; it must be a text");
}

/* ---- what is declared ---- */

static void a_reading_has_an_id_a_text_and_a_basis(void **state) {
    experiment e = declare(BASE "readings:\n"
                                "  - {id: base, text: As the authors' program does., basis: text}\n"
                                "  - {id: strict, text: 'It says alpha is 0.05, once.', change: {seed: 2}}\n"
                                "  - {id: fit, text: Nearer to table 3., basis: figures, change: {seed: 3}}\n");
    const reading_spec *r = e.outputs.readings;
    (void)state;
    assert_int_equal(e.outputs.n_readings, 3);
    assert_null(e.outputs.reading);
    assert_true(reading_is_base(&r[0]));
    assert_int_equal(r[0].basis, BASIS_TEXT);
    assert_false(reading_is_base(&r[1]));
    assert_string_equal(r[1].id, "strict");
    assert_string_equal(r[1].text, "It says alpha is 0.05, once.");
    assert_int_equal(r[1].basis, BASIS_SILENT); /* where nothing is said */
    assert_int_equal(r[2].basis, BASIS_FIGURES);
    assert_int_equal(e.seed, 1); /* the experiment is as it was */
    experiment_clear(&e);
    e = declare(BASE "readings: []\n");
    assert_int_equal(e.outputs.n_readings, 0);
    experiment_clear(&e);
}

/* ---- what is laid over ---- */

static experiment apply(const experiment *e, const char *reading) {
    experiment changed = {0};
    error_info err = {0};
    assert_ok(experiment_apply_reading(e, reading, &changed, &err), &err);
    return changed;
}

/* BASE with one reading, "r", applied; its change as YAML. */
static experiment apply_change(const char *change) {
    char text[1000];
    experiment e, changed;
    (void)snprintf(text, sizeof text, BASE "readings: [{id: r, text: T, change: %s}]\n", change);
    e = declare(text);
    changed = apply(&e, "r");
    experiment_clear(&e);
    return changed;
}

typedef struct {
    char (*of)[PLAN_KEY_SIZE];
    size_t n;
} key_list;

static key_list keys_of(const experiment *e) {
    key_list keys = {0};
    plan *p = NULL;
    error_info err = {0};
    assert_ok(plan_create(e, &p, &err), &err);
    assert_ok(plan_keys(p, &keys.of, &err), &err);
    keys.n = plan_cell_count(p);
    plan_destroy(p);
    return keys;
}

/* The change makes the experiment that the text declares: the same learners in the same cells. */
static void assert_makes(const char *change, const char *text) {
    experiment changed = apply_change(change), written = declare(text);
    key_list a = keys_of(&changed), b = keys_of(&written);
    assert_int_equal(a.n, b.n);
    for (size_t i = 0; i < a.n; i++) {
        if (strcmp(a.of[i], b.of[i]) != 0)
            fail_msg("%s: cell %zu is another", change, i);
    }
    assert_int_equal(changed.n_variants, written.n_variants);
    for (size_t i = 0; i < changed.n_variants; i++)
        assert_string_equal(changed.variants[i].id, written.variants[i].id);
    free(a.of);
    free(b.of);
    experiment_clear(&changed);
    experiment_clear(&written);
}

#define WITH(data, learners) "name: a\nnetworks: [asia]\ndata: " data "\nlearners: " learners "\n"
#define DATA "{samples: [100, 200], replicates: 2, test_samples: 50}"

static void a_mapping_over_the_learners_changes_those_that_it_names(void **state) {
    (void)state;
    assert_makes("{learners: {hc: {max_parents: 3}}}", /* a name alone */
                 WITH(DATA, "[{learner: hc, max_parents: 3}, {id: m, learner: mmhc, alpha: 0.01}, "
                            "{learner: gts, ess: 3}]"));
    assert_makes("{learners: {m: {alpha: 0.05, ess: 2}}}", /* an id, and one more option */
                 WITH(DATA, "[hc, {id: m, learner: mmhc, alpha: 0.05, ess: 2}, {learner: gts, ess: 3}]"));
    assert_makes("{learners: {gts: {ess: 5}, hc: {ess: 5}}}", /* a learner without id; two at once */
                 WITH(DATA, "[{learner: hc, ess: 5}, {id: m, learner: mmhc, alpha: 0.01}, {learner: gts, ess: 5}]"));
    assert_makes("{learners: {m: {id: n, learner: mmpc}, hc: {id: h}}}", /* their ids, and what they are */
                 WITH(DATA, "[{learner: hc, id: h}, {id: n, learner: mmpc, alpha: 0.01}, {learner: gts, ess: 3}]"));
}

static void a_list_takes_the_place_of_a_list(void **state) {
    (void)state;
    assert_makes("{learners: [empty], networks: [survey]}",
                 "name: a\nnetworks: [survey]\ndata: " DATA "\nlearners: [empty]\n");
    assert_makes("{data: {samples: [300]}}", WITH("{samples: [300], replicates: 2, test_samples: 50}",
                                                  "[hc, {id: m, learner: mmhc, alpha: 0.01}, {learner: gts, ess: 3}]"));
}

static void a_dotted_key_goes_down_into_mappings_and_lists(void **state) {
    static const char deep[] = WITH("{samples: 50, replicates: 1, test_samples: 50}",
                                    "[hc, {id: m, learner: mmhc, alpha: 0.05}, {learner: gts, ess: 3}]");
    (void)state;
    assert_makes("{data.samples: 50, data.replicates: 1, learners.m.alpha: 0.05}", deep);
    assert_makes("{data: {samples: 50, replicates: 1}, learners.m: {alpha: 0.05}}", deep);
}

static void tables_are_changed_by_their_ids(void **state) {
    experiment e = apply_change("{tables: {t: {decimals: 4, title: Other}}}");
    (void)state;
    assert_int_equal(e.parts.n, 2);
    assert_string_equal(part_text(&e.parts.parts[0], "id"), "t");
    assert_string_equal(part_text(&e.parts.parts[0], "metric"), "shd");
    assert_string_equal(part_text(&e.parts.parts[0], "title"), "Other");
    assert_int_equal(metric_table_of(&e.parts.parts[0])->decimals, 4);
    assert_string_equal(part_text(&e.parts.parts[1], "id"), "u");
    experiment_clear(&e);
    e = apply_change("{tables: [{id: w, metric: time}]}");
    assert_int_equal(e.parts.n, 1);
    assert_string_equal(part_text(&e.parts.parts[0], "id"), "w");
    experiment_clear(&e);
}

static void one_reading_stands_without_a_list(void **state) {
    experiment e = declare(BASE "readings: {id: r, text: T, change: {seed: 7}}\n"), changed = apply(&e, "r");
    (void)state;
    assert_int_equal(changed.seed, 7);
    experiment_clear(&e);
    experiment_clear(&changed);
}

/* ---- applying one ---- */

#define SEVERAL                                                                                                        \
    BASE "readings:\n"                                                                                                 \
         "  - {id: base, text: B}\n"                                                                                   \
         "  - {id: strict, text: S, change: {learners: {m: {alpha: 0.05}}}}\n"                                         \
         "  - {id: small, text: T, change: {data.samples: [100]}}\n"

static void assert_not_applied(const char *text, const char *reading, const char *message) {
    experiment e = declare(text), changed = {0};
    error_info err = {0};
    assert_int_equal(experiment_apply_reading(&e, reading, &changed, &err), STATUS_INVALID);
    assert_string_equal(err.message, message);
    assert_null(changed.declaration);
    experiment_clear(&e);
}

static void what_is_no_reading_is_refused(void **state) {
    (void)state;
    assert_not_applied(SEVERAL, "base", "'base' is the experiment as it is declared, which always runs; name another");
    assert_not_applied(SEVERAL, "stict", "there is no reading 'stict'; did you mean 'strict'?");
    assert_not_applied(SEVERAL, "other", "there is no reading 'other'; known: strict, small");
    assert_not_applied(BASE, "strict", "there is no reading 'strict'; the experiment declares none");
    assert_not_applied(BASE "readings: [{id: base, text: B}]\n", "strict",
                       "there is no reading 'strict'; the experiment declares none");
}

static void what_a_reading_declares_reads_again_and_has_no_readings(void **state) {
    experiment e = declare(SEVERAL), changed = apply(&e, "strict"), again;
    (void)state;
    assert_string_equal(changed.outputs.reading, "strict");
    assert_int_equal(changed.outputs.n_readings, 0);
    assert_non_null(strstr(changed.declaration, "\nreading: strict\n"));
    assert_null(strstr(changed.declaration, "readings:"));
    again = declare(changed.declaration);
    assert_string_equal(again.outputs.reading, "strict");
    assert_string_equal(again.declaration, changed.declaration);
    assert_non_null(strstr(e.declaration, "readings:")); /* of the base they stay */
    experiment_clear(&again);
    experiment_clear(&changed);
    experiment_clear(&e);
}

static void profile_and_set_come_before_a_reading(void **state) {
    static const char *const sets[] = {"data.replicates=1", "learners=[hc, {id: m, learner: mmhc, ess: 2}]"};
    const char *folder = scratch_folder();
    char path[200];
    experiment e = {0}, changed, written;
    key_list a, b;
    error_info err = {0};
    (void)state;
    put_file(folder, "x.yaml",
             BASE "profiles: {quick: {seed: 5, data: {samples: [50]}}}\n"
                  "readings:\n"
                  "  - {id: r, text: T, change: {learners: {m: {alpha: 0.05}}, data: {test_samples: 20}}}\n");
    (void)snprintf(path, sizeof path, "%s/x.yaml", folder);
    assert_ok(experiment_read(path, "quick", sets, 2, &e, &err), &err);
    changed = apply(&e, "r");
    written = declare("seed: 5\n" WITH("{samples: [50], replicates: 1, test_samples: 20}",
                                       "[hc, {id: m, learner: mmhc, ess: 2, alpha: 0.05}]"));
    assert_string_equal(changed.folder, e.folder);
    a = keys_of(&changed);
    b = keys_of(&written);
    assert_int_equal(a.n, 2);
    assert_int_equal(b.n, 2);
    assert_memory_equal(a.of, b.of, sizeof *a.of * a.n);
    free(a.of);
    free(b.of);
    experiment_clear(&written);
    experiment_clear(&changed);
    experiment_clear(&e);
}

static void a_reading_shares_the_cells_that_it_does_not_change(void **state) {
    experiment e = declare(SEVERAL), changed = apply(&e, "strict");
    key_list a = keys_of(&e), b = keys_of(&changed);
    plan *p = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_int_equal(a.n, 12);
    assert_int_equal(b.n, 12);
    for (size_t i = 0; i < a.n; i++) {
        bool is_changed = plan_cell_at(p, i).variant == 1;
        assert_int_equal(strcmp(a.of[i], b.of[i]) != 0, is_changed);
    }
    free(a.of);
    free(b.of);
    plan_destroy(p);
    experiment_clear(&changed);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistake_in_what_is_said_of_a_reading_is_answered_with_its_place),
        cmocka_unit_test(a_mistake_in_what_a_reading_changes_is_answered_with_its_place_and_the_reading),
        cmocka_unit_test(the_experiment_that_a_reading_makes_is_checked_as_a_whole),
        cmocka_unit_test(a_file_of_a_reading_is_an_experiment_of_its_own),
        cmocka_unit_test(a_reading_has_an_id_a_text_and_a_basis),
        cmocka_unit_test(a_mapping_over_the_learners_changes_those_that_it_names),
        cmocka_unit_test(a_list_takes_the_place_of_a_list),
        cmocka_unit_test(a_dotted_key_goes_down_into_mappings_and_lists),
        cmocka_unit_test(tables_are_changed_by_their_ids),
        cmocka_unit_test(one_reading_stands_without_a_list),
        cmocka_unit_test(what_is_no_reading_is_refused),
        cmocka_unit_test(what_a_reading_declares_reads_again_and_has_no_readings),
        cmocka_unit_test(profile_and_set_come_before_a_reading),
        cmocka_unit_test(a_reading_shares_the_cells_that_it_does_not_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
