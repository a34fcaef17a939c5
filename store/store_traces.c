/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The series of a job's trace, to and from the database; since format 2. */
#include "store/store_internal.h"

static status insert_series(store *s, sqlite3_stmt *statement, int64_t job, const trace_series *series,
                            error_info *err) {
    for (size_t i = 0; i < series->n; i++) {
        (void)sqlite3_bind_int64(statement, 1, job);
        store_bind_text(statement, 2, series->name);
        (void)sqlite3_bind_int64(statement, 3, (int64_t)i);
        (void)sqlite3_bind_int64(statement, 4, (int64_t)series->points[i].step);
        (void)sqlite3_bind_double(statement, 5, series->points[i].value);
        CHECK(store_run_once(s, statement, "storing a trace", err));
    }
    return STATUS_OK;
}

status store_insert_trace(store *s, int64_t job, const trace *t, error_info *err) {
    AUTO(statement_finalize) sqlite3_stmt *statement = NULL;
    if (t->n_series == 0)
        return STATUS_OK;
    CHECK(
        store_prepare(s, "INSERT INTO trace(job, series, place, step, value) VALUES(?, ?, ?, ?, ?)", &statement, err));
    for (size_t i = 0; i < t->n_series; i++)
        CHECK(insert_series(s, statement, job, &t->series[i], err));
    return STATUS_OK;
}

status store_prepare_traces(store *s, sqlite3_stmt **out, error_info *err) {
    *out = NULL;
    if (s->format < STORE_FORMAT_WITH_TRACES)
        return STATUS_OK;
    return store_prepare(s, "SELECT series, step, value FROM trace WHERE job = ? ORDER BY series, place", out, err);
}

status store_read_trace(store *s, sqlite3_stmt *statement, int64_t job, trace *out, error_info *err) {
    bool has_row;
    if (!statement)
        return STATUS_OK;
    (void)sqlite3_reset(statement);
    (void)sqlite3_bind_int64(statement, 1, job);
    for (;;) {
        const char *series;
        uint64_t step;
        double value;
        CHECK(store_step(s, statement, &has_row, "reading a trace", err));
        if (!has_row)
            return STATUS_OK;
        CHECK(store_read_text(statement, 0, &series, err));
        CHECK(store_read_number(statement, 1, &step, err));
        CHECK(store_read_real(statement, 2, &value, err));
        CHECK(trace_add_point(out, series, step, value, err));
    }
}
