/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of jobs, written to and read from the database. Every statement is made from one table of fields. */
#include "core/base/array.h"
#include "core/base/text.h"
#include "store/store_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { FIELD_TEXT, FIELD_LONG_TEXT, FIELD_NUMBER, FIELD_REAL, FIELD_FLAG, FIELD_STATE } field_kind;

typedef struct {
    const char *column;
    field_kind kind; /* FIELD_LONG_TEXT is what a reader may leave out */
    size_t offset;
} field;

#define FIELD(kind, column, member)                                                                                    \
    { column, kind, offsetof(job_record, member) }
static const field fields[] = {
    FIELD(FIELD_TEXT, "key", key),
    FIELD(FIELD_TEXT, "network", network),
    FIELD(FIELD_NUMBER, "n_samples", n_samples),
    FIELD(FIELD_REAL, "sigma", sigma),
    FIELD(FIELD_NUMBER, "replicate", replicate),
    FIELD(FIELD_TEXT, "learner", learner),
    FIELD(FIELD_STATE, "state", state),
    FIELD(FIELD_TEXT, "message", message),
    FIELD(FIELD_FLAG, "is_cut_short", is_cut_short),
    FIELD(FIELD_TEXT, "options", options),
    FIELD(FIELD_NUMBER, "seed", seed),
    FIELD(FIELD_TEXT, "fingerprint", fingerprint),
    FIELD(FIELD_TEXT, "graph_kind", graph_kind),
    FIELD(FIELD_LONG_TEXT, "graph", graph),
    FIELD(FIELD_NUMBER, "tests_requested", tests.requests),
    FIELD(FIELD_NUMBER, "tests_computed", tests.computed),
    FIELD(FIELD_NUMBER, "tests_skipped", tests.skipped),
    FIELD(FIELD_NUMBER, "scores_requested", scores.requests),
    FIELD(FIELD_NUMBER, "scores_computed", scores.computed),
    FIELD(FIELD_NUMBER, "scores_skipped", scores.skipped),
    FIELD(FIELD_REAL, "cpu_seconds", cpu_seconds),
    FIELD(FIELD_REAL, "wall_seconds", wall_seconds),
    FIELD(FIELD_NUMBER, "peak_memory_bytes", peak_memory_bytes),
    FIELD(FIELD_REAL, "time_limit_s", time_limit_s),
    FIELD(FIELD_NUMBER, "memory_limit_bytes", memory_limit_bytes),
    FIELD(FIELD_LONG_TEXT, "stderr_tail", stderr_tail),
    FIELD(FIELD_LONG_TEXT, "policy", policy),
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static const void *place_of(const job_record *r, const field *f) {
    return (const char *)r + f->offset;
}

static void bind_field(sqlite3_stmt *statement, int place, const job_record *r, const field *f) {
    const void *at = place_of(r, f);
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_LONG_TEXT:
        store_bind_text(statement, place, *(char *const *)at);
        break;
    case FIELD_NUMBER:
        (void)sqlite3_bind_int64(statement, place, (int64_t) * (const uint64_t *)at);
        break;
    case FIELD_REAL:
        (void)sqlite3_bind_double(statement, place, *(const double *)at);
        break;
    case FIELD_FLAG:
        (void)sqlite3_bind_int(statement, place, *(const bool *)at);
        break;
    case FIELD_STATE:
        store_bind_text(statement, place, job_state_name(*(const job_state *)at));
        break;
    }
}

static status read_state(sqlite3_stmt *statement, int column, job_state *out, error_info *err) {
    const char *name = (const char *)sqlite3_column_text(statement, column);
    if (name && job_state_from_name(name, out))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "a damaged database: a job's state is '%.20s'", name ? name : "");
}

static status read_field(sqlite3_stmt *statement, int column, job_record *r, const field *f, error_info *err) {
    char *at = (char *)r + f->offset;
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_LONG_TEXT:
        return store_copy_text(statement, column, (char **)at, err);
    case FIELD_NUMBER:
        *(uint64_t *)at = (uint64_t)sqlite3_column_int64(statement, column);
        break;
    case FIELD_REAL:
        *(double *)at = sqlite3_column_double(statement, column);
        break;
    case FIELD_FLAG:
        *(bool *)at = sqlite3_column_int(statement, column) != 0;
        break;
    case FIELD_STATE:
        return read_state(statement, column, (job_state *)at, err);
    }
    return STATUS_OK;
}

static bool is_wanted(const field *f, bool with_graphs) {
    return with_graphs || f->kind != FIELD_LONG_TEXT;
}

/* "id, key, network, ..."; a store of an earlier format that may not be written has no noise levels, 0, and no
 * policies. */
static void append_columns(const store *s, text_buffer *sql, bool with_graphs) {
    text_append(sql, "id");
    for (size_t i = 0; i < N_FIELDS; i++) {
        bool is_later = strcmp(fields[i].column, "sigma") == 0 || strcmp(fields[i].column, "policy") == 0;
        bool is_there = s->has_sigma || !is_later;
        text_append_format(sql, ", %s", is_there && is_wanted(&fields[i], with_graphs) ? fields[i].column : "NULL");
    }
}

static status prepare_select(store *s, bool with_graphs, const char *rest, sqlite3_stmt **out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer sql = {0};
    text_append(&sql, "SELECT ");
    append_columns(s, &sql, with_graphs);
    text_append_format(&sql, " FROM job %s", rest);
    CHECK(text_buffer_check(&sql, err));
    return store_prepare(s, sql.data, out, err);
}

static status prepare_insert(store *s, sqlite3_stmt **out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer sql = {0};
    text_append(&sql, "INSERT INTO job(run");
    for (size_t i = 0; i < N_FIELDS; i++)
        text_append_format(&sql, ", %s", fields[i].column);
    text_append(&sql, ") VALUES(?");
    for (size_t i = 0; i < N_FIELDS; i++)
        text_append(&sql, ", ?");
    text_append(&sql, ")");
    CHECK(text_buffer_check(&sql, err));
    return store_prepare(s, sql.data, out, err);
}

static status check_number(const char *what, double value, error_info *err) {
    return isfinite(value) ? STATUS_OK
                           : error_set(err, STATUS_INVALID, "%s is %g; it must be a finite number", what, value);
}

static status check_record(const job_record *r, error_info *err) {
    if (!r->key || !*r->key || !r->network || !r->learner)
        return error_set(err, STATUS_INVALID, "a result needs a key, a network and a learner");
    for (size_t i = 0; i < N_FIELDS; i++) {
        if (fields[i].kind == FIELD_REAL)
            CHECK(check_number(fields[i].column, *(const double *)place_of(r, &fields[i]), err));
    }
    for (size_t i = 0; i < r->n_metrics; i++)
        CHECK(check_number(r->metrics[i].name, r->metrics[i].value, err));
    return STATUS_OK;
}

static double limit_or_infinity(double limit) {
    return limit > 0 ? limit : INFINITY;
}

static status insert_metrics(store *s, int64_t job, const job_record *r, error_info *err) {
    sqlite3_stmt *statement = NULL;
    status st = STATUS_OK;
    TRY(store_prepare(s, "INSERT INTO metric(job, name, value) VALUES(?, ?, ?)", &statement, err));
    for (size_t i = 0; i < r->n_metrics; i++) {
        (void)sqlite3_bind_int64(statement, 1, job);
        store_bind_text(statement, 2, r->metrics[i].name);
        (void)sqlite3_bind_double(statement, 3, r->metrics[i].value);
        TRY(store_run_once(s, statement, "storing a metric", err));
    }
cleanup:
    (void)sqlite3_finalize(statement);
    return st;
}

static status insert_record(store *s, const job_record *r, error_info *err) {
    sqlite3_stmt *statement = NULL;
    int64_t job;
    status st = STATUS_OK;
    TRY(prepare_insert(s, &statement, err));
    if (s->run_id)
        (void)sqlite3_bind_int64(statement, 1, s->run_id);
    for (size_t i = 0; i < N_FIELDS; i++)
        bind_field(statement, (int)i + 2, r, &fields[i]);
    TRY(store_run_once(s, statement, "storing a result", err));
    job = sqlite3_last_insert_rowid(s->db);
    TRY(insert_metrics(s, job, r, err));
    TRY(store_insert_trace(s, job, &r->trace, err));
cleanup:
    (void)sqlite3_finalize(statement);
    return st;
}

/* Deletes without asking whether it was there. Inside a transaction. */
static status delete_key(store *s, const char *key, error_info *err) {
    sqlite3_stmt *statement = NULL;
    status st = STATUS_OK;
    TRY(store_prepare(s, "DELETE FROM job WHERE key = ?", &statement, err)); /* its metrics and trace go with it */
    store_bind_text(statement, 1, key);
    TRY(store_run_once(s, statement, "removing a result", err));
cleanup:
    (void)sqlite3_finalize(statement);
    return st;
}

/* Whether the record of this key, if there is one, gives way to `r`. */
static status gives_way(store *s, const job_record *r, bool *out, error_info *err) {
    sqlite3_stmt *statement = NULL;
    job_state state = JOB_DONE;
    bool has_row, had_hit_time;
    status st = STATUS_OK;
    TRY(store_prepare(s, "SELECT state, is_cut_short, time_limit_s, memory_limit_bytes FROM job WHERE key = ?",
                      &statement, err));
    store_bind_text(statement, 1, r->key);
    TRY(store_step(s, statement, &has_row, "looking for a result", err));
    *out = true;
    if (!has_row)
        goto cleanup;
    TRY(read_state(statement, 0, &state, err));
    had_hit_time = state != JOB_DONE || sqlite3_column_int(statement, 1);
    bool has_more_time = limit_or_infinity(r->time_limit_s) > limit_or_infinity(sqlite3_column_double(statement, 2));
    bool has_more_memory = limit_or_infinity((double)r->memory_limit_bytes) >
                           limit_or_infinity((double)(uint64_t)sqlite3_column_int64(statement, 3));
    *out = (had_hit_time && has_more_time) || (state != JOB_DONE && has_more_memory);
cleanup:
    (void)sqlite3_finalize(statement);
    return st;
}

status store_add(store *s, const job_record *record, bool *added, error_info *err) {
    bool is_to_be_stored = false;
    status st = STATUS_OK;
    CHECK(check_record(record, err));
    CHECK(store_execute(s, "BEGIN IMMEDIATE", "storing a result", err));
    st = gives_way(s, record, &is_to_be_stored, err);
    if (st == STATUS_OK && is_to_be_stored)
        st = delete_key(s, record->key, err);
    if (st == STATUS_OK && is_to_be_stored)
        st = insert_record(s, record, err);
    CHECK(store_end_transaction(s, st, "storing a result", err));
    *added = is_to_be_stored;
    return st;
}

static status read_metrics(store *s, sqlite3_stmt *statement, int64_t job, job_record *r, error_info *err) {
    bool has_row;
    status st = STATUS_OK;
    (void)sqlite3_bind_int64(statement, 1, job);
    for (;;) {
        TRY(store_step(s, statement, &has_row, "reading metrics", err));
        const char *name = has_row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        if (!name)
            break;
        TRY(job_record_set_metric(r, name, sqlite3_column_double(statement, 1), err));
    }
cleanup:
    (void)sqlite3_reset(statement);
    return st;
}

static status read_record(store *s, sqlite3_stmt *job, sqlite3_stmt *metrics, sqlite3_stmt *traces, job_record *out,
                          error_info *err) {
    AUTO(job_record_clear) job_record r = {0};
    for (size_t i = 0; i < N_FIELDS; i++)
        CHECK(read_field(job, (int)i + 1, &r, &fields[i], err));
    if (!r.key || !r.network || !r.learner)
        return error_set(err, STATUS_INVALID, "a damaged database: a result without key, network or learner");
    CHECK(read_metrics(s, metrics, sqlite3_column_int64(job, 0), &r, err));
    CHECK(store_read_trace(s, traces, sqlite3_column_int64(job, 0), &r.trace, err));
    *out = r;
    r = (job_record){0};
    return STATUS_OK;
}

static status prepare_metrics(store *s, sqlite3_stmt **out, error_info *err) {
    return store_prepare(s, "SELECT name, value FROM metric WHERE job = ? ORDER BY name", out, err);
}

/* Ends a transaction that has only read. */
static void end_reading(store *s) {
    (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

status store_find(store *s, const char *key, job_record *out, error_info *err) {
    sqlite3_stmt *job = NULL, *metrics = NULL, *traces = NULL;
    bool has_row;
    status st = STATUS_OK;
    CHECK(store_execute(s, "BEGIN", "reading a result", err)); /* job and metrics of one moment */
    st = prepare_select(s, true, "WHERE key = ?", &job, err);
    if (st == STATUS_OK)
        st = prepare_metrics(s, &metrics, err);
    if (st == STATUS_OK)
        st = store_prepare_traces(s, &traces, err);
    if (st == STATUS_OK) {
        store_bind_text(job, 1, key);
        st = store_step(s, job, &has_row, "reading a result", err);
    }
    if (st == STATUS_OK && !has_row)
        st = error_set(err, STATUS_MISSING, "no result of the key '%.80s'", key);
    if (st == STATUS_OK)
        st = read_record(s, job, metrics, traces, out, err);
    (void)sqlite3_finalize(job);
    (void)sqlite3_finalize(metrics);
    (void)sqlite3_finalize(traces);
    end_reading(s);
    return st;
}

static status read_rows(store *s, bool with_graphs, job_record **out, size_t *n, error_info *err) {
    sqlite3_stmt *job = NULL, *metrics = NULL, *traces = NULL;
    job_record *records = NULL;
    size_t count = 0, capacity = 0;
    bool has_row;
    status st = STATUS_OK;
    TRY(prepare_select(s, with_graphs,
                       s->has_sigma ? "ORDER BY network, n_samples, sigma, replicate, learner, id"
                                    : "ORDER BY network, n_samples, replicate, learner, id",
                       &job, err));
    TRY(prepare_metrics(s, &metrics, err));
    TRY(store_prepare_traces(s, &traces, err));
    for (;;) {
        TRY(store_step(s, job, &has_row, "reading the results", err));
        if (!has_row)
            break;
        TRY(ARRAY_ROOM(records, count, capacity, err));
        TRY(read_record(s, job, metrics, traces, &records[count], err));
        count++;
    }
    *out = records;
    *n = count;
    records = NULL;
cleanup:
    (void)sqlite3_finalize(job);
    (void)sqlite3_finalize(metrics);
    (void)sqlite3_finalize(traces);
    job_records_destroy(records, count);
    return st;
}

status store_read_all(store *s, bool with_graphs, job_record **out, size_t *n, error_info *err) {
    status st = STATUS_OK;
    CHECK(store_execute(s, "BEGIN", "reading the results", err)); /* all of one moment, while a run may write */
    st = read_rows(s, with_graphs, out, n, err);
    end_reading(s);
    return st;
}

status store_remove(store *s, const char *key, error_info *err) {
    status st = STATUS_OK;
    CHECK(store_execute(s, "BEGIN IMMEDIATE", "removing a result", err));
    st = delete_key(s, key, err);
    if (st == STATUS_OK && sqlite3_changes(s->db) == 0)
        st = error_set(err, STATUS_MISSING, "no result of the key '%.80s'", key);
    return store_end_transaction(s, st, "removing a result", err);
}
