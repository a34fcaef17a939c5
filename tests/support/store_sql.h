/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SQL on the database of a store, past the program: what a disk, or a hand, may do to it. */
#ifndef BNB_TESTS_SUPPORT_STORE_SQL_H
#define BNB_TESTS_SUPPORT_STORE_SQL_H

#include "tests/support/support.h"

#include <stdio.h>

#include <sqlite3.h>

static inline void execute(const char *folder, const char *sql) {
    char path[4096];
    sqlite3 *db = NULL;
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

/* The number that a query gives. */
static inline int64_t ask(const char *folder, const char *sql) {
    char path[4096];
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int64_t answer;
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    answer = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return answer;
}

#endif
