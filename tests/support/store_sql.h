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

#endif
