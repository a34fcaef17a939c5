/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a store and the format that its header names. A store of an earlier format is brought up to date when
 * it is opened for writing, by the steps that it has not had; a new one takes them all. One that may only be read stays
 * as it is, and `format` says what it lacks.
 */
#include "store/store_internal.h"

#include <stdio.h>

enum { APPLICATION_ID = 0x626e6263 }; /* "bnbc" */

/*
 * Real numbers stand in columns without a declared type, which keep all eight bytes as they came. Counts and seeds are
 * 64 bits without a sign; SQLite shows the same bits with one.
 */
static const char *const steps[STORE_FORMAT] = {
    "CREATE TABLE run("
    " id INTEGER PRIMARY KEY, declaration TEXT, file TEXT, profile TEXT, plan TEXT,"
    " started TEXT NOT NULL, ended TEXT, outcome TEXT, version TEXT, git_commit TEXT, compiler TEXT,"
    " build TEXT, sanitizers TEXT, processor TEXT, system TEXT);"
    "CREATE TABLE job("
    " id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, run INTEGER,"
    " network TEXT NOT NULL, n_samples INTEGER NOT NULL, replicate INTEGER NOT NULL,"
    " learner TEXT NOT NULL, state TEXT NOT NULL, message TEXT, is_cut_short INTEGER NOT NULL,"
    " options TEXT, seed INTEGER NOT NULL, fingerprint TEXT, graph_kind TEXT, graph TEXT,"
    " tests_requested INTEGER NOT NULL, tests_computed INTEGER NOT NULL,"
    " tests_skipped INTEGER NOT NULL, scores_requested INTEGER NOT NULL,"
    " scores_computed INTEGER NOT NULL, scores_skipped INTEGER NOT NULL,"
    " cpu_seconds NOT NULL, wall_seconds NOT NULL, peak_memory_bytes INTEGER NOT NULL,"
    " time_limit_s NOT NULL, memory_limit_bytes INTEGER NOT NULL, stderr_tail TEXT);"
    "CREATE TABLE metric("
    " job INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE, name TEXT NOT NULL, value NOT NULL,"
    " PRIMARY KEY(job, name)) WITHOUT ROWID",

    [STORE_FORMAT_WITH_TRACES - 1] =
        "CREATE TABLE trace("
        " job INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE, series TEXT NOT NULL, place INTEGER NOT NULL,"
        " step INTEGER NOT NULL, value NOT NULL, PRIMARY KEY(job, series, place)) WITHOUT ROWID",

    [STORE_FORMAT_WITH_SIGMA - 1] =
        "ALTER TABLE job ADD COLUMN sigma NOT NULL DEFAULT 0; ALTER TABLE job ADD COLUMN policy TEXT",

    /* NULL in rows of earlier formats. plan_run is the run whose plan is this one's too; then `plan` is NULL. */
    [STORE_FORMAT_WITH_DIGESTS - 1] =
        ("ALTER TABLE job ADD COLUMN digest INTEGER; ALTER TABLE job ADD COLUMN texts_digest INTEGER;"
         "ALTER TABLE run ADD COLUMN digest INTEGER; ALTER TABLE run ADD COLUMN plan_run INTEGER"),

    /* NULL: the run of an experiment as it is declared, or of an earlier format. */
    [STORE_FORMAT_WITH_READINGS - 1] = "ALTER TABLE run ADD COLUMN reading TEXT",

    /* NULL: of an earlier format. */
    [STORE_FORMAT_WITH_CONFINEMENT - 1] = "ALTER TABLE job ADD COLUMN confinement TEXT",
};

/* What people read with other programs: `replicate` counts from 1, as in all that is printed. No reader of ours needs
 * it, so that it is no part of the format. */
static const char view[] =
    "CREATE VIEW IF NOT EXISTS result AS SELECT id AS job, key, run, network, n_samples, sigma,"
    " replicate + 1 AS replicate, learner, state, message, is_cut_short, options, seed, fingerprint, graph_kind, graph,"
    " tests_computed, scores_computed, cpu_seconds, wall_seconds, peak_memory_bytes, time_limit_s, memory_limit_bytes,"
    " stderr_tail FROM job";

static status read_pragma(store *s, const char *sql, int64_t *out, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    bool has_row;
    CHECK(store_prepare(s, sql, &statement, err));
    CHECK(store_step(s, statement, &has_row, "reading its header", err));
    *out = has_row ? sqlite3_column_int64(statement, 0) : 0;
    return STATUS_OK;
}

/* Whose database it is. `*is_empty` for one without anything: a new file, or one whose maker was killed at once. */
static status check_identity(store *s, bool *is_empty, error_info *err) {
    int64_t application = 0, version = 0, n_objects = 0;
    status st = STATUS_OK;
    CHECK(read_pragma(s, "PRAGMA application_id", &application, err));
    CHECK(read_pragma(s, "PRAGMA user_version", &version, err));
    CHECK(read_pragma(s, "SELECT count(*) FROM sqlite_master", &n_objects, err));
    *is_empty = application == 0 && version == 0 && n_objects == 0;
    if (!*is_empty && application != APPLICATION_ID)
        st = error_set(err, STATUS_INVALID, "a database of another program; take another folder for the results");
    else if (!*is_empty && (version < 1 || version > STORE_FORMAT))
        st = error_set(err, STATUS_INVALID,
                       "written in format %lld, by another version of bnbench; this one reads and writes format %d",
                       (long long)version, (int)STORE_FORMAT);
    s->format = (int)version;
    return st;
}

/* Makes the tables of an empty database, or what one of an earlier format lacks. A second process finds them made. */
static status write_format(store *s, const char *doing, error_info *err) {
    char sql[96];
    bool is_empty = false;
    status st = STATUS_OK;
    (void)snprintf(sql, sizeof sql, "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION_ID, STORE_FORMAT);
    CHECK(store_begin_writing(s, doing, err));
    st = check_identity(s, &is_empty, err);
    for (int format = s->format; st == STATUS_OK && format < STORE_FORMAT; format++)
        st = store_execute(s, steps[format], doing, err);
    if (st == STATUS_OK && s->format < STORE_FORMAT)
        st = store_execute(s, sql, doing, err);
    CHECK(store_end_transaction(s, st, doing, err));
    s->format = STORE_FORMAT;
    return STATUS_OK;
}

/* In one reading transaction: another process may be making the tables between two reads of the header. */
static status identify(store *s, bool *is_empty, error_info *err) {
    status st = STATUS_OK;
    CHECK(store_begin_reading(s, "reading its header", err));
    st = check_identity(s, is_empty, err);
    return store_end_transaction(s, st, "reading its header", err);
}

status store_prepare_tables(store *s, bool create, error_info *err) {
    bool is_empty = false;
    CHECK(identify(s, &is_empty, err));
    if (is_empty && !create)
        return error_set(err, STATUS_MISSING, "no results in it");
    if (is_empty)
        CHECK(write_format(s, "making its tables", err));
    else if (s->format < STORE_FORMAT && !sqlite3_db_readonly(s->db, "main"))
        CHECK(write_format(s, "bringing it up to date", err));
    return create && !sqlite3_db_readonly(s->db, "main") ? store_execute(s, view, "making its view", err) : STATUS_OK;
}
