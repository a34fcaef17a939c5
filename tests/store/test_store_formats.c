/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders that hold no store, another program's, or one of an older format. */
#include "tests/store/store_support.h"

#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

static void assert_refused(const char *folder, bool create, status expected, const char *words) {
    store *s = NULL;
    error_info err = {0};
    assert_int_equal(store_open(folder, create, false, &s, &err), expected);
    assert_message_has(&err, words);
    assert_message_has(&err, folder);
    assert_null(s);
}

static void a_folder_without_results_is_missing(void **state) {
    char absent[128];
    const char *folder = scratch_folder();
    (void)state;
    assert_refused(folder, false, STATUS_MISSING, "no results");
    (void)snprintf(absent, sizeof absent, "%s/not there", folder);
    assert_refused(absent, false, STATUS_MISSING, "no such folder");
    store_close(open_store(absent, true, true)); /* with `create` it is made */
    store_close(open_store(absent, false, false));
}

static void what_is_no_database_of_ours_is_refused(void **state) {
    const char *garbage = scratch_folder(), *foreign = scratch_folder(), *later = scratch_folder(),
               *blank = scratch_folder();
    char noise[5000];
    (void)state;
    memset(noise, 'x', sizeof noise);
    write_database(garbage, noise, sizeof noise);
    assert_refused(garbage, false, STATUS_INVALID, "not a database of results");
    assert_refused(garbage, true, STATUS_INVALID, "not a database of results");
    execute(foreign, "CREATE TABLE cakes(name)");
    assert_refused(foreign, true, STATUS_INVALID, "another program");
    store_close(open_store(later, true, false));
    execute(later, "PRAGMA user_version=7");
    assert_refused(later, false, STATUS_INVALID, "format 7");
    write_database(blank, "", 0); /* its maker was killed at once */
    assert_refused(blank, false, STATUS_MISSING, "no results");
    store_close(open_store(blank, true, false));
}

#define AS_FORMAT_3                                                                                                    \
    "DROP VIEW result; ALTER TABLE job DROP COLUMN confinement; ALTER TABLE job DROP COLUMN digest; ALTER TABLE job "  \
    "DROP COLUMN texts_digest; ALTER TABLE run "                                                                       \
    "DROP COLUMN "                                                                                                     \
    "digest;"                                                                                                          \
    "ALTER TABLE run DROP COLUMN plan_run; ALTER TABLE run DROP COLUMN reading; PRAGMA user_version=3;"
#define AS_FORMAT_2                                                                                                    \
    AS_FORMAT_3 "ALTER TABLE job DROP COLUMN sigma; ALTER TABLE job DROP COLUMN policy; PRAGMA user_version=2;"

/* Earlier formats do not say it. */
static void forget_confinement(job_record *r) {
    free(r->confinement);
    r->confinement = NULL;
}

static void a_store_of_format_3_keeps_its_results_and_its_runs(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    job_record old = make_record(1, "alarm", 500, "hc");
    store_run run = {.declaration = "name: one\n", .plan = "[]"};
    char *declaration = NULL, *plan = NULL;
    int64_t id = 0;
    error_info err = {0};
    (void)state;
    assert_true(add(s, &old));
    assert_ok(store_begin_run(s, &run, &id, &err), &err);
    store_close(s);
    execute(folder, AS_FORMAT_3);
    forget_confinement(&old);
    s = open_store(folder, false, false);
    assert_stored(s, &old); /* without a digest */
    assert_ok(store_last_run(s, NULL, &declaration, &plan, &err), &err);
    assert_string_equal(plan, "[]");
    store_close(s);
    assert_int_equal(ask(folder, "PRAGMA user_version"), 6);
    assert_int_equal(ask(folder, "SELECT count(*) FROM job WHERE digest IS NULL"), 1);
    free(declaration);
    free(plan);
    job_record_clear(&old);
}

static void a_store_of_format_2_gets_noise_levels_and_keeps_its_results(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    job_record old = make_record(1, "alarm", 500, "hc"), noisy = make_record(2, "alarm", 500, "hc");
    (void)state;
    assert_true(add(s, &old));
    store_close(s);
    execute(folder, AS_FORMAT_2);
    forget_confinement(&old);
    s = open_store(folder, false, false);
    assert_stored(s, &old);
    noisy.sigma = 0.35;
    assert_true(add(s, &noisy));
    assert_stored(s, &noisy);
    assert_false(add(s, &old)); /* the same cell, by its key */
    store_close(s);
    store_close(open_store(folder, false, false)); /* once more, and there is nothing left to do */
    assert_int_equal(ask(folder, "PRAGMA user_version"), 6);
    assert_int_equal(ask(folder, "SELECT count(*) FROM job WHERE sigma = 0"), 1);
    job_record_clear(&old);
    job_record_clear(&noisy);
}

static void a_store_of_format_2_that_may_not_be_written_is_read_as_it_is(void **state) {
    const char *folder;
    store *s;
    job_record old, *all = NULL;
    char path[128];
    size_t n = 0;
    error_info err = {0};
    (void)state;
    if (geteuid() == 0)
        skip(); /* nothing is read-only for root */
    folder = scratch_folder();
    s = open_store(folder, true, false);
    old = make_record(1, "alarm", 500, "hc");
    assert_true(add(s, &old));
    store_close(s);
    execute(folder, AS_FORMAT_2 "PRAGMA journal_mode=DELETE");
    forget_confinement(&old);
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    assert_int_equal(chmod(path, 0444), 0);
    s = open_store(folder, false, false);
    assert_stored(s, &old);
    assert_ok(store_read_all(s, true, &all, &n, &err), &err);
    assert_int_equal(n, 1);
    assert_true(all[0].sigma == 0);
    store_close(s);
    job_records_destroy(all, n);
    job_record_clear(&old);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_without_results_is_missing),
        cmocka_unit_test(what_is_no_database_of_ours_is_refused),
        cmocka_unit_test(a_store_of_format_3_keeps_its_results_and_its_runs),
        cmocka_unit_test(a_store_of_format_2_gets_noise_levels_and_keeps_its_results),
        cmocka_unit_test(a_store_of_format_2_that_may_not_be_written_is_read_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
