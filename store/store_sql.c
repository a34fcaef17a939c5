/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements of SQLite, whose answers become statuses and sentences of ours. */
#include "core/base/text.h"
#include "store/store_internal.h"

#include <math.h>

status store_sqlite_error(sqlite3 *db, const char *doing, error_info *err) {
    int code = sqlite3_extended_errcode(db) & 0xff;
    const char *said = sqlite3_errmsg(db);
    switch (code) {
    case SQLITE_NOMEM:
        return error_out_of_memory(err);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_SCHEMA:
    case SQLITE_ERROR: /* a table or column that ours has is missing */
    case SQLITE_MISMATCH:
        return error_set(err, STATUS_INVALID, "not a database of results, or a damaged one (while %s: %s)", doing,
                         said);
    case SQLITE_FULL:
        return error_set(err, STATUS_IO, "the disk is full (while %s)", doing);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(err, STATUS_IO, "another program keeps the database locked (while %s)", doing);
    case SQLITE_TOOBIG:
        return error_set(err, STATUS_INVALID, "a value is too long for the database (while %s)", doing);
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
        return error_set(err, STATUS_BUG, "while %s: %s", doing, said);
    default:
        return error_set(err, STATUS_IO, "while %s: %s", doing, said);
    }
}

status store_execute(store *s, const char *sql, const char *doing, error_info *err) {
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? STATUS_OK : store_sqlite_error(s->db, doing, err);
}

status store_prepare(store *s, const char *sql, sqlite3_stmt **out, error_info *err) {
    if (sqlite3_prepare_v2(s->db, sql, -1, out, NULL) == SQLITE_OK)
        return STATUS_OK;
    return store_sqlite_error(s->db, "reading the tables' layout", err);
}

status store_step(store *s, sqlite3_stmt *statement, bool *has_row, const char *doing, error_info *err) {
    int code = sqlite3_step(statement);
    *has_row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? STATUS_OK : store_sqlite_error(s->db, doing, err);
}

status store_run_once(store *s, sqlite3_stmt *statement, const char *doing, error_info *err) {
    bool has_row;
    status st = store_step(s, statement, &has_row, doing, err);
    (void)sqlite3_reset(statement);
    return st;
}

status store_begin_reading(store *s, const char *doing, error_info *err) {
    return store_execute(s, s->is_in_batch ? "SAVEPOINT part" : "BEGIN", doing, err);
}

status store_begin_writing(store *s, const char *doing, error_info *err) {
    return store_execute(s, s->is_in_batch ? "SAVEPOINT part" : "BEGIN IMMEDIATE", doing, err);
}

/* After some errors SQLite has done so itself. */
void store_roll_back(store *s) {
    if (!sqlite3_get_autocommit(s->db))
        (void)sqlite3_exec(s->db, s->is_in_batch ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK", NULL, NULL, NULL);
}

status store_end_transaction(store *s, status st, const char *doing, error_info *err) {
    if (st == STATUS_OK)
        st = store_execute(s, s->is_in_batch ? "RELEASE part" : "COMMIT", doing, err);
    if (st != STATUS_OK)
        store_roll_back(s);
    return st;
}

status store_begin_batch(store *s, error_info *err) {
    CHECK(store_begin_writing(s, "storing results", err));
    s->is_in_batch = true;
    return STATUS_OK;
}

status store_end_batch(store *s, error_info *err) {
    bool is_lost = sqlite3_get_autocommit(s->db);
    s->is_in_batch = false;
    return is_lost ? error_set(err, STATUS_IO, "results that were to be stored together were not, after an error")
                   : store_end_transaction(s, STATUS_OK, "storing results", err);
}

static status is_of_another_kind(sqlite3_stmt *statement, int column, const char *wanted, error_info *err) {
    return error_set(err, STATUS_INVALID, "the column '%s' holds no %s", sqlite3_column_name(statement, column),
                     wanted);
}

status store_read_text(sqlite3_stmt *statement, int column, const char **out, error_info *err) {
    if (sqlite3_column_type(statement, column) != SQLITE_TEXT)
        return is_of_another_kind(statement, column, "text", err);
    *out = (const char *)sqlite3_column_text(statement, column);
    return *out ? STATUS_OK : error_out_of_memory(err);
}

status store_copy_text(sqlite3_stmt *statement, int column, char **out, error_info *err) {
    const char *text;
    *out = NULL;
    if (sqlite3_column_type(statement, column) == SQLITE_NULL)
        return STATUS_OK;
    CHECK(store_read_text(statement, column, &text, err));
    *out = text_copy_n(text, (size_t)sqlite3_column_bytes(statement, column));
    return *out ? STATUS_OK : error_out_of_memory(err);
}

status store_read_number(sqlite3_stmt *statement, int column, uint64_t *out, error_info *err) {
    if (sqlite3_column_type(statement, column) != SQLITE_INTEGER)
        return is_of_another_kind(statement, column, "whole number", err);
    *out = (uint64_t)sqlite3_column_int64(statement, column);
    return STATUS_OK;
}

status store_read_real(sqlite3_stmt *statement, int column, double *out, error_info *err) {
    int type = sqlite3_column_type(statement, column);
    *out = sqlite3_column_double(statement, column);
    if ((type != SQLITE_FLOAT && type != SQLITE_INTEGER) || !isfinite(*out))
        return is_of_another_kind(statement, column, "finite number", err);
    return STATUS_OK;
}

void store_bind_text(sqlite3_stmt *statement, int place, const char *text) {
    (void)sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC); /* a NULL binds NULL */
}
