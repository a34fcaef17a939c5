/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of jobs, written to and read from the database. Every statement is made from the table of fields. */
#include "core/base/array.h"
#include "core/base/text.h"
#include "store/job_fields.h"
#include "store/store_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const void *place_of(const job_record *r, const job_field *f) {
    return (const char *)r + f->offset;
}

static void bind_field(sqlite3_stmt *statement, int place, const job_record *r, const job_field *f) {
    const void *at = place_of(r, f);
    switch (f->kind) {
    case FIELD_TEXT:
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

static status read_field(sqlite3_stmt *statement, int column, job_record *r, const job_field *f, error_info *err) {
    char *at = (char *)r + f->offset;
    switch (f->kind) {
    case FIELD_TEXT:
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

/* "id, key, network, ..."; a store of an earlier format that may not be written has no noise levels, 0, and no
 * policies. */
static void append_columns(const store *s, text_buffer *sql, bool with_graphs) {
    text_append(sql, "id");
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++) {
        const job_field *f = &job_fields[i];
        bool is_read = (s->has_sigma || !f->is_later) && (with_graphs || !f->is_long);
        text_append_format(sql, ", %s", is_read ? f->column : "NULL");
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
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++)
        text_append_format(&sql, ", %s", job_fields[i].column);
    text_append(&sql, ") VALUES(?");
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++)
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
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++) {
        if (job_fields[i].kind == FIELD_REAL)
            CHECK(check_number(job_fields[i].column, *(const double *)place_of(r, &job_fields[i]), err));
    }
    for (size_t i = 0; i < r->n_metrics; i++)
        CHECK(check_number(r->metrics[i].name, r->metrics[i].value, err));
    return STATUS_OK;
}

static double limit_or_infinity(double limit) {
    return limit > 0 ? limit : INFINITY;
}

static status insert_metrics(store *s, int64_t job, const job_record *r, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    CHECK(store_prepare(s, "INSERT INTO metric(job, name, value) VALUES(?, ?, ?)", &statement, err));
    for (size_t i = 0; i < r->n_metrics; i++) {
        (void)sqlite3_bind_int64(statement, 1, job);
        store_bind_text(statement, 2, r->metrics[i].name);
        (void)sqlite3_bind_double(statement, 3, r->metrics[i].value);
        CHECK(store_run_once(s, statement, "storing a metric", err));
    }
    return STATUS_OK;
}

static status insert_record(store *s, const job_record *r, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    int64_t job;
    CHECK(prepare_insert(s, &statement, err));
    if (s->run_id)
        (void)sqlite3_bind_int64(statement, 1, s->run_id);
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++)
        bind_field(statement, (int)i + 2, r, &job_fields[i]);
    CHECK(store_run_once(s, statement, "storing a result", err));
    job = sqlite3_last_insert_rowid(s->db);
    CHECK(insert_metrics(s, job, r, err));
    return store_insert_trace(s, job, &r->trace, err);
}

/* Deletes without asking whether it was there. Inside a transaction. */
static status delete_key(store *s, const char *key, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    CHECK(store_prepare(s, "DELETE FROM job WHERE key = ?", &statement, err)); /* its metrics and trace go with it */
    store_bind_text(statement, 1, key);
    return store_run_once(s, statement, "removing a result", err);
}

/* Whether the record of this key, if there is one, gives way to `r`. */
static status gives_way(store *s, const job_record *r, bool *out, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    job_state state = JOB_DONE;
    bool has_row, had_hit_time;
    CHECK(store_prepare(s, "SELECT state, is_cut_short, time_limit_s, memory_limit_bytes FROM job WHERE key = ?",
                        &statement, err));
    store_bind_text(statement, 1, r->key);
    CHECK(store_step(s, statement, &has_row, "looking for a result", err));
    *out = true;
    if (!has_row)
        return STATUS_OK;
    CHECK(read_state(statement, 0, &state, err));
    had_hit_time = state != JOB_DONE || sqlite3_column_int(statement, 1);
    bool has_more_time = limit_or_infinity(r->time_limit_s) > limit_or_infinity(sqlite3_column_double(statement, 2));
    bool has_more_memory = limit_or_infinity((double)r->memory_limit_bytes) >
                           limit_or_infinity((double)(uint64_t)sqlite3_column_int64(statement, 3));
    *out = (had_hit_time && has_more_time) || (state != JOB_DONE && has_more_memory);
    return STATUS_OK;
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
    (void)sqlite3_reset(statement);
    (void)sqlite3_bind_int64(statement, 1, job);
    for (;;) {
        CHECK(store_step(s, statement, &has_row, "reading metrics", err));
        const char *name = has_row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        if (!name)
            return STATUS_OK;
        CHECK(job_record_set_metric(r, name, sqlite3_column_double(statement, 1), err));
    }
}

/* The statements by which records are read: the job, and by its number what belongs to it. */
typedef struct {
    sqlite3_stmt *job, *metrics, *traces;
} reading;

static void reading_clear(reading *r) {
    (void)sqlite3_finalize(r->job);
    (void)sqlite3_finalize(r->metrics);
    (void)sqlite3_finalize(r->traces);
}

static status prepare_reading(store *s, bool with_graphs, const char *rest, reading *out, error_info *err) {
    CHECK(prepare_select(s, with_graphs, rest, &out->job, err));
    CHECK(store_prepare(s, "SELECT name, value FROM metric WHERE job = ? ORDER BY name", &out->metrics, err));
    return store_prepare_traces(s, &out->traces, err);
}

static status read_record(store *s, const reading *from, job_record *out, error_info *err) {
    int64_t id = sqlite3_column_int64(from->job, 0);
    AUTO(job_record_clear) job_record r = {0};
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++)
        CHECK(read_field(from->job, (int)i + 1, &r, &job_fields[i], err));
    if (!r.key || !r.network || !r.learner)
        return error_set(err, STATUS_INVALID, "a damaged database: a result without key, network or learner");
    CHECK(read_metrics(s, from->metrics, id, &r, err));
    CHECK(store_read_trace(s, from->traces, id, &r.trace, err));
    *out = TAKE(r);
    return STATUS_OK;
}

/* Ends a transaction that has only read. */
static void end_reading(store *s) {
    (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

static status find_record(store *s, const char *key, job_record *out, error_info *err) {
    AUTO(reading_clear) reading r = {0};
    bool has_row;
    CHECK(prepare_reading(s, true, "WHERE key = ?", &r, err));
    store_bind_text(r.job, 1, key);
    CHECK(store_step(s, r.job, &has_row, "reading a result", err));
    return has_row ? read_record(s, &r, out, err) : error_set(err, STATUS_MISSING, "no result of the key '%.80s'", key);
}

status store_find(store *s, const char *key, job_record *out, error_info *err) {
    status st = STATUS_OK;
    CHECK(store_execute(s, "BEGIN", "reading a result", err)); /* job and metrics of one moment */
    st = find_record(s, key, out, err);
    end_reading(s);
    return st;
}

static status read_rows(store *s, bool with_graphs, job_record **out, size_t *n, error_info *err) {
    AUTO(reading_clear) reading r = {0};
    size_t capacity = 0;
    bool has_row;
    CHECK(prepare_reading(s, with_graphs,
                          s->has_sigma ? "ORDER BY network, n_samples, sigma, replicate, learner, id"
                                       : "ORDER BY network, n_samples, replicate, learner, id",
                          &r, err));
    for (;;) {
        CHECK(store_step(s, r.job, &has_row, "reading the results", err));
        if (!has_row)
            return STATUS_OK;
        CHECK(ARRAY_ROOM(*out, *n, capacity, err));
        CHECK(read_record(s, &r, &(*out)[*n], err));
        ++*n;
    }
}

status store_read_all(store *s, bool with_graphs, job_record **out, size_t *n, error_info *err) {
    status st = STATUS_OK;
    job_record *records = NULL;
    size_t count = 0;
    CHECK(store_execute(s, "BEGIN", "reading the results", err)); /* all of one moment, while a run may write */
    st = read_rows(s, with_graphs, &records, &count, err);
    end_reading(s);
    if (st != STATUS_OK) {
        job_records_destroy(records, count);
        return st;
    }
    *out = records;
    *n = count;
    return STATUS_OK;
}

status store_remove(store *s, const char *key, error_info *err) {
    status st = STATUS_OK;
    CHECK(store_execute(s, "BEGIN IMMEDIATE", "removing a result", err));
    st = delete_key(s, key, err);
    if (st == STATUS_OK && sqlite3_changes(s->db) == 0)
        st = error_set(err, STATUS_MISSING, "no result of the key '%.80s'", key);
    return store_end_transaction(s, st, "removing a result", err);
}
