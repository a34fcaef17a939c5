/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of jobs, written to and read from the database. Every statement is made from the table of fields. */
#include "core/base/array.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "store/job_digest.h"
#include "store/job_fields.h"
#include "store/key_set_internal.h"
#include "store/store_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_FIELD = 3 }; /* in a row that is read or written; before it stand the row's number or run, and digests */

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
    const char *name;
    CHECK(store_read_text(statement, column, &name, err));
    return job_state_from_name(name, out) ? STATUS_OK : error_set(err, STATUS_INVALID, "its state is '%.20s'", name);
}

static status read_flag(sqlite3_stmt *statement, int column, bool *out, error_info *err) {
    uint64_t number;
    CHECK(store_read_number(statement, column, &number, err));
    *out = number == 1;
    return number <= 1 ? STATUS_OK : error_set(err, STATUS_INVALID, "a flag in it is neither 0 nor 1");
}

static status read_field(sqlite3_stmt *statement, int column, job_record *r, const job_field *f, error_info *err) {
    char *at = (char *)r + f->offset;
    switch (f->kind) {
    case FIELD_TEXT:
        return store_copy_text(statement, column, (char **)at, err);
    case FIELD_NUMBER:
        return store_read_number(statement, column, (uint64_t *)at, err);
    case FIELD_REAL:
        return store_read_real(statement, column, (double *)at, err);
    case FIELD_FLAG:
        return read_flag(statement, column, (bool *)at, err);
    case FIELD_STATE:
        return read_state(statement, column, (job_state *)at, err);
    }
    return STATUS_OK;
}

/* "id, digest, texts_digest, key, network, ..."; a store of an earlier format that may not be written has no digests,
 * no noise levels, 0, and no policies. Long texts that are not asked for are not checked. */
static void append_columns(const store *s, text_buffer *sql, bool with_graphs) {
    bool has_digests = s->format >= STORE_FORMAT_WITH_DIGESTS;
    text_append_format(sql, "id, %s, %s", has_digests ? "digest" : "NULL",
                       has_digests && with_graphs ? "texts_digest" : "NULL");
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++) {
        const job_field *f = &job_fields[i];
        bool is_read = s->format >= f->since && (with_graphs || !f->is_long);
        text_append_format(sql, ", %s", is_read ? f->column : f->kind == FIELD_TEXT ? "NULL" : "0");
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
    text_append(&sql, "INSERT INTO job(run, digest, texts_digest");
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++)
        text_append_format(&sql, ", %s", job_fields[i].column);
    text_append(&sql, ") VALUES(?, ?, ?");
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
    (void)sqlite3_bind_int64(statement, 2, (int64_t)job_digest(r));
    (void)sqlite3_bind_int64(statement, 3, (int64_t)job_texts_digest(r));
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++)
        bind_field(statement, (int)i + FIRST_FIELD + 1, r, &job_fields[i]);
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
    bool has_row, was_cut_short;
    double time_limit_s;
    uint64_t memory_limit_bytes;
    CHECK(store_prepare(s, "SELECT state, is_cut_short, time_limit_s, memory_limit_bytes FROM job WHERE key = ?",
                        &statement, err));
    store_bind_text(statement, 1, r->key);
    CHECK(store_step(s, statement, &has_row, "looking for a result", err));
    *out = true;
    if (!has_row)
        return STATUS_OK;
    CHECK(read_state(statement, 0, &state, err));
    CHECK(read_flag(statement, 1, &was_cut_short, err));
    CHECK(store_read_real(statement, 2, &time_limit_s, err));
    CHECK(store_read_number(statement, 3, &memory_limit_bytes, err));
    bool has_more_time = limit_or_infinity(r->time_limit_s) > limit_or_infinity(time_limit_s);
    bool has_more_memory =
        limit_or_infinity((double)r->memory_limit_bytes) > limit_or_infinity((double)memory_limit_bytes);
    *out = ((state != JOB_DONE || was_cut_short) && has_more_time) || (state != JOB_DONE && has_more_memory);
    return STATUS_OK;
}

status store_add(store *s, const job_record *record, bool *added, error_info *err) {
    bool is_to_be_stored = false;
    status st = STATUS_OK;
    CHECK(check_record(record, err));
    CHECK(store_begin_writing(s, "storing a result", err));
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
        const char *name;
        double value;
        CHECK(store_step(s, statement, &has_row, "reading metrics", err));
        if (!has_row)
            return STATUS_OK;
        CHECK(store_read_text(statement, 0, &name, err));
        CHECK(store_read_real(statement, 1, &value, err));
        CHECK(job_record_set_metric(r, name, value, err));
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

/* A row that was stored before there were digests has none. */
static status check_digest(sqlite3_stmt *statement, int column, uint64_t digest, error_info *err) {
    uint64_t stored;
    if (sqlite3_column_type(statement, column) == SQLITE_NULL)
        return STATUS_OK;
    CHECK(store_read_number(statement, column, &stored, err));
    return stored == digest ? STATUS_OK : error_set(err, STATUS_INVALID, "it is not what was stored");
}

/* A result that was stored before there were these metrics has what they count. */
static status add_counts(job_record *r, error_info *err) {
    const double *computed = job_record_metric(r, "statistics"),
                 *discretizing = job_record_metric(r, "discretization_calls");
    double calls = computed ? *computed + (discretizing ? *discretizing : 0) : 0;
    if (computed && !job_record_metric(r, "calls"))
        CHECK(job_record_set_metric(r, "calls", calls, err));
    if (!job_record_metric(r, "tests") || job_record_metric(r, "tests_requested"))
        return STATUS_OK;
    return job_record_set_metric(r, "tests_requested", (double)r->tests.requests, err);
}

static status read_parts(store *s, const reading *from, int64_t id, job_record *r, error_info *err) {
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++)
        CHECK(read_field(from->job, (int)i + FIRST_FIELD, r, &job_fields[i], err));
    if (!r->key || !r->network || !r->learner)
        return error_set(err, STATUS_INVALID, "it has no key, network or learner");
    CHECK(read_metrics(s, from->metrics, id, r, err));
    CHECK(store_read_trace(s, from->traces, id, &r->trace, err));
    CHECK(check_digest(from->job, 1, job_digest(r), err));
    CHECK(check_digest(from->job, 2, job_texts_digest(r), err));
    return add_counts(r, err);
}

/* The names may be what is damaged. */
static status say_damage(int64_t id, const job_record *r, const char *what, error_info *err) {
    (void)error_set(
        err, STATUS_INVALID,
        "the result in row %lld (%.40s, %llu rows, replicate %llu, %.40s) is damaged: %.200s; 'bnbench run' "
        "of the same experiment removes it and runs its cell again",
        (long long)id, r->network ? r->network : "?", (unsigned long long)r->n_samples,
        (unsigned long long)r->replicate + 1, r->learner ? r->learner : "?", what);
    if (err)
        utf8_clean(err->message);
    return STATUS_INVALID;
}

static status read_record(store *s, const reading *from, job_record *out, error_info *err) {
    int64_t id = sqlite3_column_int64(from->job, 0);
    AUTO(job_record_clear) job_record r = {0};
    error_info problem = {0};
    status st = read_parts(s, from, id, &r, &problem);
    if (st == STATUS_INVALID)
        return say_damage(id, &r, problem.message, err);
    if (st != STATUS_OK)
        return error_set(err, st, "%s", problem.message);
    *out = TAKE(r);
    return STATUS_OK;
}

/* False for a damaged row that is not of these keys. One whose key cannot be read may be of any. */
static status is_of(sqlite3_stmt *job, key_set *set, bool *out, error_info *err) {
    const char *key;
    error_info quiet = {0};
    *out = true;
    if (!set->of || store_read_text(job, FIRST_FIELD, &key, &quiet) != STATUS_OK)
        return STATUS_OK;
    return key_set_has(set, key, out, err);
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
    CHECK(store_begin_reading(s, "reading a result", err)); /* job and metrics of one moment */
    st = find_record(s, key, out, err);
    store_roll_back(s);
    return st;
}

static status read_rows(store *s, const job_keys *of, bool with_graphs, job_record **out, size_t *n, error_info *err) {
    AUTO(reading_clear) reading r = {0};
    AUTO(key_set_clear) key_set mine = {.of = of};
    size_t capacity = 0;
    bool has_row, is_mine;
    CHECK(prepare_reading(s, with_graphs,
                          s->format >= STORE_FORMAT_WITH_SIGMA
                              ? "ORDER BY network, n_samples, sigma, replicate, learner, id"
                              : "ORDER BY network, n_samples, replicate, learner, id",
                          &r, err));
    for (;;) {
        status st;
        CHECK(store_step(s, r.job, &has_row, "reading the results", err));
        if (!has_row)
            return STATUS_OK;
        CHECK(ARRAY_ROOM(*out, *n, capacity, err));
        st = read_record(s, &r, &(*out)[*n], err);
        if (st == STATUS_INVALID) {
            CHECK(is_of(r.job, &mine, &is_mine, err));
            if (!is_mine)
                continue;
        }
        CHECK(st);
        ++*n;
    }
}

status store_read_of(store *s, const job_keys *of, bool with_graphs, job_record **out, size_t *n, error_info *err) {
    status st = STATUS_OK;
    job_record *records = NULL;
    size_t count = 0;
    CHECK(store_begin_reading(s, "reading the results", err)); /* all of one moment, while a run may write */
    st = read_rows(s, of, with_graphs, &records, &count, err);
    store_roll_back(s);
    if (st != STATUS_OK) {
        job_records_destroy(records, count);
        return st;
    }
    *out = records;
    *n = count;
    return STATUS_OK;
}

/* The record of a key by a statement that selects one; `*has_row` false where there is none. */
static status read_key(store *s, const reading *r, const char *key, bool *has_row, job_record *out, error_info *err) {
    (void)sqlite3_reset(r->job);
    store_bind_text(r->job, 1, key);
    CHECK(store_step(s, r->job, has_row, "reading the results", err));
    return *has_row ? read_record(s, r, out, err) : STATUS_OK;
}

static status read_keys(store *s, const job_keys *keys, bool with_graphs, job_record *out, size_t *n, error_info *err) {
    AUTO(reading_clear) reading r = {0};
    CHECK(prepare_reading(s, with_graphs, "WHERE key = ?", &r, err));
    for (size_t i = 0; i < keys->n; i++) {
        char key[JOB_KEY_SIZE];
        bool has_row;
        CHECK(job_keys_at(keys, i, key, err));
        CHECK(read_key(s, &r, key, &has_row, &out[*n], err));
        *n += has_row;
    }
    return STATUS_OK;
}

static status walk_keys(store *s, const job_keys *keys, const record_walk *walk, error_info *err) {
    AUTO(reading_clear) reading r = {0};
    CHECK(prepare_reading(s, false, "WHERE key = ?", &r, err));
    for (size_t i = 0; i < keys->n; i++) {
        AUTO(job_record_clear) job_record record = {0};
        char key[JOB_KEY_SIZE];
        bool has_row;
        CHECK(job_keys_at(keys, i, key, err));
        CHECK(read_key(s, &r, key, &has_row, &record, err));
        CHECK(walk->see(walk->self, i, has_row ? &record : NULL, err));
    }
    return STATUS_OK;
}

status store_count(store *s, size_t *n, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    bool has_row;
    CHECK(store_prepare(s, "SELECT count(*) FROM job", &statement, err));
    CHECK(store_step(s, statement, &has_row, "counting the results", err));
    *n = has_row ? (size_t)sqlite3_column_int64(statement, 0) : 0;
    return STATUS_OK;
}

/* In an empty store no key is looked for, nor made. */
static status walk_rows(store *s, const job_keys *keys, const record_walk *walk, error_info *err) {
    size_t n_rows = 0;
    CHECK(store_count(s, &n_rows, err));
    if (n_rows > 0)
        return walk_keys(s, keys, walk, err);
    for (size_t i = 0; i < keys->n; i++)
        CHECK(walk->see(walk->self, i, NULL, err));
    return STATUS_OK;
}

status store_walk_keys(store *s, const job_keys *keys, const record_walk *walk, error_info *err) {
    status st;
    CHECK(store_begin_reading(s, "reading the results", err)); /* all of one moment, while a run may write */
    st = walk_rows(s, keys, walk, err);
    store_roll_back(s);
    return st;
}

status store_read_keys(store *s, const job_keys *keys, bool with_graphs, job_record **out, size_t *n, error_info *err) {
    status st = STATUS_OK;
    size_t count = 0;
    job_record *records = calloc(keys->n + 1, sizeof *records);
    CHECK_ALLOC(records);
    st = store_begin_reading(s, "reading the results", err); /* all of one moment, while a run may write */
    if (st == STATUS_OK) {
        st = read_keys(s, keys, with_graphs, records, &count, err);
        store_roll_back(s);
    }
    if (st != STATUS_OK) {
        job_records_destroy(records, count);
        return st;
    }
    *out = records;
    *n = count;
    return STATUS_OK;
}

status store_read_all(store *s, bool with_graphs, job_record **out, size_t *n, error_info *err) {
    return store_read_of(s, NULL, with_graphs, out, n, err);
}

status store_remove(store *s, const char *key, error_info *err) {
    status st = STATUS_OK;
    CHECK(store_begin_writing(s, "removing a result", err));
    st = delete_key(s, key, err);
    if (st == STATUS_OK && sqlite3_changes(s->db) == 0)
        st = error_set(err, STATUS_MISSING, "no result of the key '%.80s'", key);
    return store_end_transaction(s, st, "removing a result", err);
}

static status add_id(int64_t **ids, size_t *n, size_t *capacity, int64_t id, error_info *err) {
    CHECK(ARRAY_ROOM(*ids, *n, *capacity, err));
    (*ids)[(*n)++] = id;
    return STATUS_OK;
}

static status find_damaged(store *s, const job_keys *of, int64_t **ids, size_t *n, error_info *err) {
    AUTO(reading_clear) reading r = {0};
    AUTO(key_set_clear) key_set mine = {.of = of};
    size_t capacity = 0;
    bool has_row, is_mine;
    CHECK(prepare_reading(s, true, "", &r, err));
    for (;;) {
        AUTO(job_record_clear) job_record record = {0};
        is_mine = false;
        CHECK(store_step(s, r.job, &has_row, "checking the results", err));
        if (!has_row)
            return STATUS_OK;
        status st = read_record(s, &r, &record, err);
        if (st == STATUS_INVALID)
            st = is_of(r.job, &mine, &is_mine, err);
        CHECK(st);
        if (is_mine)
            CHECK(add_id(ids, n, &capacity, sqlite3_column_int64(r.job, 0), err));
    }
}

static status delete_rows(store *s, const int64_t *ids, size_t n, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    CHECK(store_prepare(s, "DELETE FROM job WHERE id = ?", &statement, err));
    for (size_t i = 0; i < n; i++) {
        (void)sqlite3_bind_int64(statement, 1, ids[i]);
        CHECK(store_run_once(s, statement, "removing a damaged result", err));
    }
    return STATUS_OK;
}

status store_remove_damaged(store *s, const job_keys *of, size_t *n_removed, error_info *err) {
    AUTO_FREE int64_t *ids = NULL;
    size_t n = 0;
    status st;
    CHECK(store_begin_reading(s, "checking the results", err)); /* writes, if it does, what it has read */
    st = find_damaged(s, of, &ids, &n, err);
    if (st == STATUS_OK && n > 0)
        st = delete_rows(s, ids, n, err);
    CHECK(store_end_transaction(s, st, "removing damaged results", err));
    *n_removed = n;
    return STATUS_OK;
}
