/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the store's sources share: the handle, and SQLite's answers as our errors. */
#ifndef BNB_STORE_STORE_INTERNAL_H
#define BNB_STORE_STORE_INTERNAL_H

#include "store/job_fields.h"

#include <sqlite3.h>

struct store {
    sqlite3 *db;
    char *folder;
    int lock_fd;    /* -1 without the lock */
    int64_t run_id; /* of store_begin_run or store_continue_run; 0 before */
    int format;     /* of its tables: below STORE_FORMAT where an earlier one may not be written */
    bool is_in_batch;
};

/** For AUTO(statement_finalize). */
static inline void statement_finalize(sqlite3_stmt **statement) {
    (void)sqlite3_finalize(*statement);
}

/** The status that SQLite's last answer on `db` means, with its sentence; "while <doing>". */
status store_sqlite_error(sqlite3 *db, const char *doing, error_info *err);

BNB_MUST_CHECK status store_execute(store *s, const char *sql, const char *doing, error_info *err);
BNB_MUST_CHECK status store_prepare(store *s, const char *sql, sqlite3_stmt **out, error_info *err);

/** One step: `*has_row` false at the end. */
BNB_MUST_CHECK status store_step(store *s, sqlite3_stmt *statement, bool *has_row, const char *doing, error_info *err);

/** A statement that returns no rows. */
BNB_MUST_CHECK status store_run_once(store *s, sqlite3_stmt *statement, const char *doing, error_info *err);

/** Begins a transaction that reads, and may write what it has read; within a batch, a part of that. */
BNB_MUST_CHECK status store_begin_reading(store *s, const char *doing, error_info *err);

/** The same of one that writes, for which it waits until no other one does. */
BNB_MUST_CHECK status store_begin_writing(store *s, const char *doing, error_info *err);

/** Ends the transaction, or the part, in hand without writing. */
void store_roll_back(store *s);

/** Ends the transaction, or the part, in hand: commits where `st` is fine, else rolls back and keeps `st`. */
BNB_MUST_CHECK status store_end_transaction(store *s, status st, const char *doing, error_info *err);

/**
 * What a column holds. STATUS_INVALID where it is of another kind, as in a damaged store: the message names the column.
 * A text is on the heap, NULL where the column is NULL; a number has the 64 bits of the stored one; a real is finite.
 */
BNB_MUST_CHECK status store_copy_text(sqlite3_stmt *statement, int column, char **out, error_info *err);
BNB_MUST_CHECK status store_read_number(sqlite3_stmt *statement, int column, uint64_t *out, error_info *err);
BNB_MUST_CHECK status store_read_real(sqlite3_stmt *statement, int column, double *out, error_info *err);

/** The same of a text that is not NULL; it lives until the next step. */
BNB_MUST_CHECK status store_read_text(sqlite3_stmt *statement, int column, const char **out, error_info *err);

/** Binds text, NULL for NULL; the text must live until the statement is reset. */
void store_bind_text(sqlite3_stmt *statement, int place, const char *text);

/** Checks whose database it is; makes its tables with `create`, and brings one of an earlier format up to date. */
BNB_MUST_CHECK status store_prepare_tables(store *s, bool create, error_info *err);

/** The series of a job. The statement of store_prepare_traces is NULL where the store keeps none. */
BNB_MUST_CHECK status store_insert_trace(store *s, int64_t job, const trace *t, error_info *err);
BNB_MUST_CHECK status store_prepare_traces(store *s, sqlite3_stmt **out, error_info *err);
BNB_MUST_CHECK status store_read_trace(store *s, sqlite3_stmt *statement, int64_t job, trace *out, error_info *err);

#endif
