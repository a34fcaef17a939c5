/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of readings among those of the experiment itself, and stores of formats that had no readings. */
#include "tests/store/store_support.h"

#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

static void begin_run(store *s, const char *reading, const char *declaration, const char *profile) {
    store_run run = {.declaration = declaration, .plan = "[\"aa\"]", .profile = profile, .reading = reading};
    int64_t id = 0;
    error_info err = {0};
    assert_ok(store_begin_run(s, &run, &id, &err), &err);
    assert_ok(store_end_run(s, id, "complete", &err), &err);
}

static void assert_last(store *s, const char *reading, const char *declaration) {
    char *found = NULL, *plan = NULL;
    error_info err = {0};
    assert_ok(store_last_run(s, reading, &found, &plan, &err), &err);
    assert_string_equal(found, declaration);
    assert_string_equal(plan, "[\"aa\"]");
    free(found);
    free(plan);
}

static void assert_facts(store *s, const char *reading, size_t n_runs, const char *profile) {
    store_run_facts facts = {0};
    error_info err = {0};
    assert_ok(store_last_run_facts(s, reading, &facts, &err), &err);
    assert_int_equal(facts.n_runs, n_runs);
    assert_same_text(facts.profile, profile);
    assert_same_text(facts.outcome, "complete");
    store_run_facts_clear(&facts);
}

static void assert_no_run(store *s, const char *reading, const char *message) {
    char *declaration = NULL, *plan = NULL;
    store_run_facts facts = {0};
    error_info err = {0};
    assert_int_equal(store_last_run(s, reading, &declaration, &plan, &err), STATUS_MISSING);
    assert_string_equal(err.message, message);
    assert_null(declaration);
    assert_null(plan);
    assert_int_equal(store_last_run_facts(s, reading, &facts, &err), STATUS_MISSING);
    assert_string_equal(err.message, message);
}

#define NO_RUN_OF_X "no run of the reading 'x' is in this store; 'bnbench run FILE --readings ID' makes one"

static void each_reading_has_its_own_last_run(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    (void)state;
    assert_no_run(s, NULL, "no run was started in this store yet");
    assert_no_run(s, "x", NO_RUN_OF_X);
    begin_run(s, NULL, "base 1", "quick");
    assert_no_run(s, "x", NO_RUN_OF_X);
    begin_run(s, "x", "x 1", NULL);
    begin_run(s, "y", "y 1", "quick");
    begin_run(s, NULL, "base 2", NULL);
    begin_run(s, "x", "x 2", "slow");
    store_close(s);
    s = open_store(folder, false, false);
    assert_last(s, NULL, "base 2");
    assert_last(s, "x", "x 2");
    assert_last(s, "y", "y 1");
    assert_no_run(s, "X", "no run of the reading 'X' is in this store; 'bnbench run FILE --readings ID' makes one");
    assert_facts(s, NULL, 2, NULL);
    assert_facts(s, "x", 2, "slow");
    assert_facts(s, "y", 1, "quick");
    store_close(s);
}

static void the_first_run_is_that_of_the_reading(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    store_run_facts facts = {0};
    error_info err = {0};
    (void)state;
    begin_run(s, NULL, "base", NULL);
    begin_run(s, "x", "x 1", NULL);
    begin_run(s, "x", "x 2", NULL);
    execute(folder, "UPDATE run SET started = '2001-01-0' || id || 'T00:00:00Z'");
    assert_ok(store_last_run_facts(s, "x", &facts, &err), &err);
    assert_string_equal(facts.first_started, "2001-01-02T00:00:00Z");
    assert_string_equal(facts.started, "2001-01-03T00:00:00Z");
    store_run_facts_clear(&facts);
    assert_ok(store_last_run_facts(s, NULL, &facts, &err), &err);
    assert_string_equal(facts.first_started, "2001-01-01T00:00:00Z");
    store_run_facts_clear(&facts);
    store_close(s);
}

/* A run that is made another reading's, or the experiment's own, is not taken for it. */
static void the_name_of_a_reading_is_sealed(void **state) {
    static const char *const changes[] = {"UPDATE run SET reading = 'x' WHERE id = 2",
                                          "UPDATE run SET reading = NULL WHERE id = 2",
                                          "UPDATE run SET reading = x'79' WHERE id = 2", /* y, no text */
                                          "UPDATE run SET reading = '' WHERE id = 2"};
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        static const char *const readings[] = {NULL, "x", "y"};
        const char *folder = scratch_folder();
        store *s = open_store(folder, true, false);
        begin_run(s, NULL, "base", NULL);
        begin_run(s, "y", "y", NULL);
        execute(folder, changes[i]);
        for (size_t k = 0; k < 3; k++) {
            char *declaration = NULL, *plan = NULL;
            error_info err = {0};
            assert_int_equal(store_last_run(s, readings[k], &declaration, &plan, &err), STATUS_INVALID);
            assert_message_has(&err, "the run in row 2 is damaged");
        }
        begin_run(s, NULL, "base", NULL); /* which is then the last again */
        assert_last(s, NULL, "base");
        store_close(s);
    }
}

/* ---- stores of earlier formats ---- */

#define COLUMNS                                                                                                        \
    "declaration, plan, plan_run, file, profile, started, ended, outcome, version, git_commit, compiler, build, "      \
    "sanitizers, processor, system, digest"
#define FACTS                                                                                                          \
    "'one.yaml', 'quick', '2026-01-02T03:04:05Z', '2026-01-02T03:05:05Z', 'complete', '0.9.0', '0123abc', 'gcc 12.2'," \
    "'Release', 'none', 'a processor', 'Linux 6.1 x86_64'"

/* Two runs, the second with the plan of the first. The digests are from a script that computes those of stores which a
 * program of format 4 wrote. */
static const char *store_of_format_4(void) {
    const char *folder = scratch_folder();
    store_close(open_store(folder, true, false));
    execute(folder,
            "ALTER TABLE run DROP COLUMN reading; ALTER TABLE job DROP COLUMN confinement; PRAGMA user_version=4;"
            "INSERT INTO run(" COLUMNS ") VALUES('name: one\n', '[\"aa\",\"bb\"]', NULL, " FACTS
            ", -2096375338819796840);"
            "INSERT INTO run(" COLUMNS ") VALUES('name: one\n', NULL, 1, " FACTS ", -2855336602885219187)");
    return folder;
}

static void assert_two_old_runs(store *s) {
    char *declaration = NULL, *plan = NULL;
    store_run_facts facts = {0};
    error_info err = {0};
    assert_ok(store_last_run(s, NULL, &declaration, &plan, &err), &err);
    assert_string_equal(declaration, "name: one\n");
    assert_string_equal(plan, "[\"aa\",\"bb\"]");
    assert_ok(store_last_run_facts(s, NULL, &facts, &err), &err);
    assert_int_equal(facts.n_runs, 2);
    assert_string_equal(facts.version, "0.9.0");
    assert_string_equal(facts.first_started, "2026-01-02T03:04:05Z");
    assert_no_run(s, "x", NO_RUN_OF_X);
    store_run_facts_clear(&facts);
    free(declaration);
    free(plan);
}

static void a_store_of_format_4_keeps_its_runs_and_their_digests(void **state) {
    const char *folder = store_of_format_4();
    store *s = open_store(folder, false, false);
    (void)state;
    assert_two_old_runs(s);
    begin_run(s, "x", "x", NULL);
    assert_last(s, "x", "x");
    assert_facts(s, NULL, 2, "quick");
    store_close(s);
    execute(folder, "CREATE TABLE t(a CHECK(a)); INSERT INTO t SELECT count(*) = 2 FROM run WHERE reading IS NULL AND "
                    "digest IN (-2096375338819796840, -2855336602885219187); DROP TABLE t");
}

static void a_changed_run_of_format_4_is_noticed(void **state) {
    const char *folder = store_of_format_4();
    store *s;
    char *declaration = NULL, *plan = NULL;
    error_info err = {0};
    (void)state;
    execute(folder, "UPDATE run SET profile = 'slow' WHERE id = 2");
    s = open_store(folder, false, false);
    assert_int_equal(store_last_run(s, NULL, &declaration, &plan, &err), STATUS_INVALID);
    assert_message_has(&err, "the run in row 2 is damaged");
    store_close(s);
}

static void a_store_of_format_4_that_may_not_be_written_has_no_readings(void **state) {
    const char *folder = store_of_format_4();
    char path[128];
    store *s;
    (void)state;
    if (geteuid() == 0)
        skip(); /* nothing is read-only for root */
    execute(folder, "PRAGMA journal_mode=DELETE");
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    assert_int_equal(chmod(path, 0444), 0);
    s = open_store(folder, false, false);
    assert_two_old_runs(s);
    store_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_reading_has_its_own_last_run),
        cmocka_unit_test(the_first_run_is_that_of_the_reading),
        cmocka_unit_test(the_name_of_a_reading_is_sealed),
        cmocka_unit_test(a_store_of_format_4_keeps_its_runs_and_their_digests),
        cmocka_unit_test(a_changed_run_of_format_4_is_noticed),
        cmocka_unit_test(a_store_of_format_4_that_may_not_be_written_has_no_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
