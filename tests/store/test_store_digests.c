/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a disk, or a hand, has changed in a store is found when it is read, and only that is lost. */
#include "tests/store/store_support.h"

#include "core/base/file.h"

#include <stdlib.h>

enum { N_RECORDS = 3, MOST_COLUMNS = 64 };

/* Distinct in every field, so that no change of one leaves it as it was. */
static job_record make_full_record(unsigned number) {
    job_record r = make_record(number, "alarm", 500 + number, "hc");
    error_info err = {0};
    r.state = JOB_TIMEOUT;
    r.is_cut_short = true;
    r.sigma = 0.35;
    r.message = text_copy("out of time");
    r.policy = text_copy("column,states\na,2\n");
    for (uint64_t step = 0; step < 3; step++) {
        assert_ok(trace_add_point(&r.trace, "score", step, -1.5 * (double)step, &err), &err);
        assert_ok(trace_add_point(&r.trace, "arcs", step, (double)step, &err), &err); /* below "score" */
    }
    return r;
}

static const char *make_store(void) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    for (unsigned i = 0; i < N_RECORDS; i++) {
        job_record r = make_full_record(i);
        assert_true(add(s, &r));
        job_record_clear(&r);
    }
    store_close(s);
    return folder;
}

static status read_all(const char *folder, bool with_graphs, size_t *n, error_info *err) {
    store *s = open_store(folder, false, false);
    job_record *records = NULL;
    status st = store_read_all(s, with_graphs, &records, n, err);
    if (st == STATUS_OK)
        job_records_destroy(records, *n);
    store_close(s);
    return st;
}

/* The names of the columns of a table. */
static size_t list_columns(const char *folder, const char *table, char names[MOST_COLUMNS][64]) {
    char *path = path_join(folder, "results.sqlite"), sql[64];
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    size_t n = 0;
    (void)snprintf(sql, sizeof sql, "PRAGMA table_info(%s)", table);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    for (; sqlite3_step(statement) == SQLITE_ROW && n < MOST_COLUMNS; n++)
        (void)snprintf(names[n], sizeof names[n], "%s", (const char *)sqlite3_column_text(statement, 1));
    assert_true(n > 0 && n < MOST_COLUMNS);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    free(path);
    return n;
}

/* Runs a statement that a constraint may refuse; true where a row was changed. */
static bool change(const char *folder, const char *sql) {
    char *path = path_join(folder, "results.sqlite");
    sqlite3 *db = NULL;
    bool done;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    done = sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK && sqlite3_changes(db) > 0;
    (void)sqlite3_close(db);
    free(path);
    return done;
}

static const char *const others[] = {"NULL", "'zz'", "x'00ff'", "7.25", "-1", "9e999", "''"};
enum { N_OTHERS = sizeof others / sizeof *others };

static size_t spoil_table(const char *table, const char *where, const char *row) {
    char columns[MOST_COLUMNS][64], sql[256];
    size_t n = list_columns(make_store(), table, columns), n_spoiled = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < N_OTHERS; k++) {
            const char *folder = make_store();
            size_t n_left = 0;
            error_info err = {0};
            bool is_unread = strcmp(columns[i], "id") == 0 || strcmp(columns[i], "run") == 0; /* names of rows */
            bool is_digest = strstr(columns[i], "digest") != NULL && k == 0;                  /* as before digests */
            (void)snprintf(sql, sizeof sql, "UPDATE %s SET %s = %s WHERE %s", table, columns[i], others[k], where);
            if (is_unread || is_digest || !change(folder, sql))
                continue;
            if (read_all(folder, true, &n_left, &err) != STATUS_INVALID)
                fail_msg("'%s' was not noticed", sql);
            assert_message_has(&err, "is damaged");
            assert_message_has(&err, row);
            assert_message_has(&err, "bnbench run");
            n_spoiled++;
        }
    }
    return n_spoiled;
}

static void every_value_of_a_result_that_changes_is_noticed(void **state) {
    (void)state;
    assert_true(spoil_table("job", "id = 2", "row 2") > 100);
    assert_true(spoil_table("metric", "job = 2 AND name = 'shd'", "row 2") > 10);
    assert_true(spoil_table("trace", "job = 2 AND series = 'score' AND place = 1", "row 2") > 10);
}

static void a_lost_row_of_a_result_is_noticed(void **state) {
    static const char *const losses[] = {"DELETE FROM metric WHERE job = 3 AND name = 'time'",
                                         "DELETE FROM trace WHERE job = 3 AND place = 2",
                                         "INSERT INTO metric VALUES(3, 'more', 1)"};
    (void)state;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        const char *folder = make_store();
        size_t n;
        error_info err = {0};
        assert_true(change(folder, losses[i]));
        assert_int_equal(read_all(folder, false, &n, &err), STATUS_INVALID);
        assert_message_has(&err, "row 3");
    }
}

static void damaged_results_are_forgotten_and_the_others_stay(void **state) {
    const char *folder = make_store();
    job_record kept = make_full_record(2), lost = make_full_record(1);
    store *s;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    assert_true(change(folder, "UPDATE job SET graph = 'x' WHERE id = 2"));
    assert_true(change(folder, "UPDATE metric SET value = 3 WHERE job = 1 AND name = 'shd'"));
    assert_int_equal(read_all(folder, false, &n, &err), STATUS_INVALID);
    s = open_store(folder, false, true);
    assert_ok(store_remove_damaged(s, NULL, &n, &err), &err);
    assert_int_equal(n, 2);
    assert_stored(s, &kept);
    assert_true(add(s, &lost));
    assert_stored(s, &lost);
    assert_ok(store_remove_damaged(s, NULL, &n, &err), &err);
    assert_int_equal(n, 0);
    store_close(s);
    assert_ok(read_all(folder, true, &n, &err), &err);
    assert_int_equal(n, 2);
    job_record_clear(&kept);
    job_record_clear(&lost);
}

/* Damage elsewhere does not concern who asks for a key. */
static void records_of_these_keys_alone_are_read(void **state) {
    const char *folder = make_store();
    char keys[3][JOB_KEY_SIZE];
    const job_keys wanted = {keys, 3};
    job_record kept = make_full_record(2);
    job_record *records = NULL;
    size_t n = 0;
    error_info err = {0};
    store *s;
    (void)state;
    (void)snprintf(keys[0], sizeof keys[0], "%064x", 77u); /* nobody has run it */
    (void)snprintf(keys[1], sizeof keys[1], "%064x", 2u);
    (void)snprintf(keys[2], sizeof keys[2], "%064x", 0u);
    s = open_store(folder, false, true);
    assert_ok(store_read_keys(s, &wanted, true, &records, &n, &err), &err);
    assert_int_equal(n, 2);
    assert_same_record(&records[0], &kept);
    job_records_destroy(records, n);
    assert_true(change(folder, "UPDATE metric SET value = 3 WHERE job = 2 AND name = 'shd'")); /* record 1 */
    assert_ok(store_read_keys(s, &wanted, true, &records, &n, &err), &err);
    job_records_destroy(records, n);
    assert_true(change(folder, "UPDATE metric SET value = 3 WHERE job = 1 AND name = 'shd'")); /* record 0 */
    assert_int_equal(store_read_keys(s, &wanted, true, &records, &n, &err), STATUS_INVALID);
    assert_message_has(&err, "row 1");
    store_close(s);
    job_record_clear(&kept);
}

/* Records 0 and 2 are those of a declaration; record 1 is another one's. */
static void what_is_damaged_of_other_declarations_is_passed_over_and_stays(void **state) {
    const char *folder = make_store();
    char keys[2][JOB_KEY_SIZE];
    const job_keys mine = {keys, 2};
    job_record kept = make_full_record(2), found = {0};
    job_record *records = NULL;
    size_t n = 0;
    error_info err = {0};
    store *s;
    (void)state;
    (void)snprintf(keys[0], sizeof keys[0], "%064x", 0u);
    (void)snprintf(keys[1], sizeof keys[1], "%064x", 2u);
    assert_true(change(folder, "UPDATE metric SET value = 3 WHERE job < 3 AND name = 'shd'")); /* records 0 and 1 */
    s = open_store(folder, false, true);
    assert_int_equal(store_read_of(s, &mine, true, &records, &n, &err), STATUS_INVALID);
    assert_message_has(&err, "row 1");
    assert_ok(store_remove_damaged(s, &mine, &n, &err), &err);
    assert_int_equal(n, 1);
    assert_ok(store_read_of(s, &mine, true, &records, &n, &err), &err);
    assert_int_equal(n, 1);
    assert_same_record(&records[0], &kept);
    assert_int_equal(store_find(s, "0000000000000000000000000000000000000000000000000000000000000001", &found, &err),
                     STATUS_INVALID); /* it is there still */
    assert_true(change(folder, "UPDATE job SET key = x'00' WHERE id = 2"));
    assert_ok(store_remove_damaged(s, &mine, &n, &err), &err); /* nobody can tell whose it is */
    assert_int_equal(n, 1);
    store_close(s);
    job_records_destroy(records, 1);
    job_record_clear(&kept);
}

/* A whole store is not written, so that one which may not be is looked through as well. */
static void looking_for_damage_takes_no_lock(void **state) {
    const char *folder = make_store();
    char *path = path_join(folder, "results.sqlite");
    sqlite3 *db = NULL;
    store *s = open_store(folder, false, false);
    size_t n = 7;
    error_info err = {0};
    (void)state;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_ok(store_remove_damaged(s, NULL, &n, &err), &err);
    assert_int_equal(n, 0);
    (void)sqlite3_close(db);
    store_close(s);
    free(path);
}

/* A bit of the file that has changed makes no other record: it is refused, or what it held is gone. */
static void a_flipped_bit_changes_no_record(void **state) {
    const char *folder = make_store(), *broken = scratch_folder();
    char *path = path_join(folder, "results.sqlite"), *bytes = NULL;
    size_t length = 0, n_refused = 0;
    random_stream random;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(7));
    assert_ok(file_read(path, FILE_READ_MOST, &bytes, &length, &err), &err);
    for (int round = 0; round < 1500; round++) {
        size_t bit = (size_t)random_below(&random, 8 * length), n = 0;
        store *s = NULL;
        job_record *records = NULL;
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        write_database(broken, bytes, length);
        status st = store_open(broken, false, false, &s, &err);
        if (st == STATUS_OK)
            st = store_read_all(s, true, &records, &n, &err);
        n_refused += st != STATUS_OK;
        for (size_t i = 0; i < n; i++) {
            job_record made = make_full_record((unsigned)(records[i].n_samples - 500));
            assert_same_record(&records[i], &made);
            job_record_clear(&made);
        }
        job_records_destroy(records, n);
        store_close(s);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
    assert_in_range(n_refused, 100, 1500); /* the rest lies in free space */
    free(bytes);
    free(path);
}

/* ---- runs ---- */

static void begin_run(store *s, const char *plan) {
    store_run run = {.declaration = "name: one\n", .file = "one.yaml", .plan = plan};
    int64_t id = 0;
    error_info err = {0};
    assert_ok(store_begin_run(s, &run, &id, &err), &err);
    assert_ok(store_end_run(s, id, "complete", &err), &err);
}

static status read_last_run(const char *folder, char **plan, error_info *err) {
    store *s = open_store(folder, false, false);
    char *declaration = NULL;
    status st = store_last_run(s, NULL, &declaration, plan, err);
    store_close(s);
    free(declaration);
    return st;
}

static void every_value_of_a_run_that_changes_is_noticed(void **state) {
    const char *folder = scratch_folder();
    char columns[MOST_COLUMNS][64], sql[256];
    size_t n_spoiled = 0, n;
    store *s = open_store(folder, true, false);
    (void)state;
    n = list_columns(folder, "run", columns);
    for (size_t i = 1; i < n; i++) {
        for (size_t k = 0; k < N_OTHERS; k++) {
            char *plan = NULL;
            error_info err = {0};
            begin_run(s, "[\"aa\"]");
            if (strcmp(columns[i], "digest") == 0 && k == 0)
                continue;
            (void)snprintf(sql, sizeof sql,
                           "UPDATE run SET %s = %s WHERE id = (SELECT max(id) FROM run) AND %s IS NOT %s", columns[i],
                           others[k], columns[i], others[k]);
            if (!change(folder, sql))
                continue;
            if (read_last_run(folder, &plan, &err) != STATUS_INVALID)
                fail_msg("'%s' was not noticed", sql);
            assert_message_has(&err, "is damaged");
            assert_null(plan);
            n_spoiled++;
        }
    }
    store_close(s);
    assert_true(n_spoiled > 80);
}

/* As in stores of earlier formats, which have no digests. */
static void a_run_without_declaration_or_plan_is_refused(void **state) {
    static const char *const columns[] = {"declaration", "plan"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const char *folder = scratch_folder();
        store *s = open_store(folder, true, false);
        char *plan = NULL, sql[80];
        error_info err = {0};
        begin_run(s, "[\"aa\"]");
        store_close(s);
        (void)snprintf(sql, sizeof sql, "UPDATE run SET digest = NULL, %s = NULL", columns[i]);
        assert_true(change(folder, sql));
        assert_int_equal(read_last_run(folder, &plan, &err), STATUS_INVALID);
        assert_message_has(&err, "is damaged");
    }
}

static void a_plan_is_stored_once(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    char *plan = NULL;
    error_info err = {0};
    (void)state;
    for (int i = 0; i < 5; i++)
        begin_run(s, i == 3 ? "[\"bb\"]" : "[\"aa\"]");
    store_close(s);
    assert_ok(read_last_run(folder, &plan, &err), &err);
    assert_string_equal(plan, "[\"aa\"]");
    free(plan);
    assert_false(change(folder, "DELETE FROM run WHERE plan IS NOT NULL AND id NOT IN (1, 4)"));
    assert_true(change(folder, "UPDATE run SET plan = '[\"cc\"]' WHERE id = 1")); /* the one that the last run names */
    assert_int_equal(read_last_run(folder, &plan, &err), STATUS_INVALID);
    s = open_store(folder, false, false);
    begin_run(s, "[\"aa\"]"); /* and the next run keeps it anew */
    store_close(s);
    assert_ok(read_last_run(folder, &plan, &err), &err);
    assert_string_equal(plan, "[\"aa\"]");
    free(plan);
}

/* A plan is read in pieces of 64 KiB. Those of the first two sizes end with a piece, and within eight bytes. */
static void a_long_plan_is_kept_compared_and_sealed_to_its_last_byte(void **state) {
    static const size_t lengths[] = {1 << 16, (1 << 17) + 3, 200000};
    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        const char *folder = scratch_folder();
        char *text = calloc(lengths[k] + 1, 1), *plan = NULL;
        store *s = open_store(folder, true, false);
        error_info err = {0};
        assert_non_null(text);
        for (size_t i = 0; i < lengths[k]; i++)
            text[i] = (char)('a' + i % 23);
        begin_run(s, text);
        begin_run(s, text);
        text[lengths[k] - 1] = '!';
        begin_run(s, text); /* as long, and another one */
        store_close(s);
        assert_ok(read_last_run(folder, &plan, &err), &err);
        assert_string_equal(plan, text);
        free(plan);
        assert_true(change(folder, "DELETE FROM run WHERE id = 3 AND plan_run IS NULL"));
        assert_false(change(folder, "UPDATE run SET file = 'x' WHERE id = 2 AND plan_run IS NOT 1"));
        text[lengths[k] - 1] = (char)('a' + (lengths[k] - 1) % 23);
        assert_ok(read_last_run(folder, &plan, &err), &err);
        assert_string_equal(plan, text);
        free(plan);
        assert_true(change(folder, "UPDATE run SET plan = substr(plan, 1, length(plan) - 1) || '!' WHERE id = 1"));
        assert_int_equal(read_last_run(folder, &plan, &err), STATUS_INVALID);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_of_a_result_that_changes_is_noticed),
        cmocka_unit_test(a_lost_row_of_a_result_is_noticed),
        cmocka_unit_test(damaged_results_are_forgotten_and_the_others_stay),
        cmocka_unit_test(records_of_these_keys_alone_are_read),
        cmocka_unit_test(what_is_damaged_of_other_declarations_is_passed_over_and_stays),
        cmocka_unit_test(looking_for_damage_takes_no_lock),
        cmocka_unit_test(a_flipped_bit_changes_no_record),
        cmocka_unit_test(every_value_of_a_run_that_changes_is_noticed),
        cmocka_unit_test(a_run_without_declaration_or_plan_is_refused),
        cmocka_unit_test(a_plan_is_stored_once),
        cmocka_unit_test(a_long_plan_is_kept_compared_and_sealed_to_its_last_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
