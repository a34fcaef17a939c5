/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/history.h"

#include "core/base/array.h"
#include "core/base/file.h"
#include "store/csv_table.h"
#include "store/job_order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char header[] = "night,outcome,baseline,network,samples,sigma,learner,metric,n,value\n";
enum { MOST_BYTES = 1 << 30, N_OUTCOMES = NIGHT_ACCEPTED + 1 };

const char *night_outcome_name(night_outcome o) {
    static const char *const names[] = {"good", "regression", "shrunk", "accepted"};
    return names[o];
}

static bool find_outcome(const char *name, night_outcome *out) {
    for (int o = 0; o < N_OUTCOMES; o++) {
        if (strcmp(night_outcome_name((night_outcome)o), name) == 0) {
            *out = (night_outcome)o;
            return true;
        }
    }
    return false;
}

void history_clear(history *h) {
    for (size_t i = 0; i < h->n_nights; i++) {
        free(h->nights[i].name);
        free(h->nights[i].baseline);
    }
    for (size_t i = 0; i < h->n_values; i++) {
        for (size_t k = 0; k < 3; k++)
            free(h->values[i].owned[k]);
    }
    free(h->nights);
    free(h->values);
    *h = (history){0};
}

static status add_night(history *h, const char *name, const char *baseline, night_outcome outcome, error_info *err) {
    night *added;
    CHECK(ARRAY_APPEND(h->nights, h->n_nights, err, (night){.outcome = outcome}));
    added = &h->nights[h->n_nights - 1];
    added->name = text_copy(name);
    added->baseline = text_copy(baseline);
    return added->name && added->baseline ? STATUS_OK : error_out_of_memory(err);
}

static status add_value(history *h, const night_value *value, error_info *err) {
    night_value *added;
    CHECK(ARRAY_PUSH(h->values, h->n_values, h->capacity, err, *value));
    added = &h->values[h->n_values - 1];
    added->network = added->owned[0] = text_copy(value->network);
    added->learner = added->owned[1] = text_copy(value->learner);
    added->metric = added->owned[2] = text_copy(value->metric);
    return added->network && added->learner && added->metric ? STATUS_OK : error_out_of_memory(err);
}

typedef struct {
    size_t night, outcome, baseline, network, samples, sigma, learner, metric, n, value;
} columns;

static columns find_columns(const csv_table *t) {
    return (columns){csv_table_column(t, "night"),   csv_table_column(t, "outcome"), csv_table_column(t, "baseline"),
                     csv_table_column(t, "network"), csv_table_column(t, "samples"), csv_table_column(t, "sigma"),
                     csv_table_column(t, "learner"), csv_table_column(t, "metric"),  csv_table_column(t, "n"),
                     csv_table_column(t, "value")};
}

static status bad_row(size_t row, const char *what, error_info *err) {
    return error_set(err, STATUS_PARSE, "row %zu: %s", row + 1, what);
}

static status read_night(const csv_table *t, const columns *c, size_t row, history *h, error_info *err) {
    const char *name = csv_table_field(t, row, c->night);
    night_outcome outcome;
    if (!*name)
        return bad_row(row, "a night without a name", err);
    if (h->n_nights && strcmp(h->nights[h->n_nights - 1].name, name) == 0)
        return STATUS_OK;
    if (!find_outcome(csv_table_field(t, row, c->outcome), &outcome))
        return bad_row(row, "an outcome that is none of good, regression, shrunk, accepted", err);
    return add_night(h, name, csv_table_field(t, row, c->baseline), outcome, err);
}

/* A night without a single result has a row with an empty metric. */
static status read_value(const csv_table *t, const columns *c, size_t row, history *h, error_info *err) {
    int64_t samples, n;
    night_value v = {.night = h->n_nights - 1,
                     .network = csv_table_field(t, row, c->network),
                     .learner = csv_table_field(t, row, c->learner),
                     .metric = csv_table_field(t, row, c->metric)};
    const char *sigma = csv_table_field(t, row, c->sigma); /* histories of earlier versions have none */
    if (!*v.metric)
        return STATUS_OK;
    if (!text_to_int(csv_table_field(t, row, c->samples), &samples) || samples < 0)
        return bad_row(row, "'samples' is not a number", err);
    if (*sigma && !(text_to_double(sigma, &v.sigma) && v.sigma > 0))
        return bad_row(row, "'sigma' is neither a number above 0 nor empty", err);
    if (!text_to_int(csv_table_field(t, row, c->n), &n) || n < 1)
        return bad_row(row, "'n' is not a number from 1", err);
    if (!text_to_double(csv_table_field(t, row, c->value), &v.value))
        return bad_row(row, "'value' is not a number", err);
    v.n_samples = (uint64_t)samples;
    v.n = (size_t)n;
    return add_value(h, &v, err);
}

static status read_file(const char *path, history *out, error_info *err) {
    AUTO_FREE char *text = NULL;
    AUTO_PTR(csv_table_destroy) csv_table *t = NULL;
    AUTO(history_clear) history h = {0};
    size_t length = 0;
    columns c;
    CHECK(file_read(path, MOST_BYTES, &text, &length, err));
    CHECK(csv_table_parse(text, length, &t, err));
    c = find_columns(t);
    for (size_t row = 0; row < csv_table_row_count(t); row++) {
        CHECK(read_night(t, &c, row, &h, err));
        CHECK(read_value(t, &c, row, &h, err));
    }
    *out = TAKE(h);
    return STATUS_OK;
}

status history_read(const char *path, history *out, error_info *err) {
    *out = (history){0};
    return file_exists(path) ? error_at(read_file(path, out, err), err, path) : STATUS_OK;
}

static void append_night(const night *n, text_buffer *out) {
    text_append_csv(out, n->name);
    text_append_format(out, ",%s,", night_outcome_name(n->outcome));
    text_append_csv(out, n->baseline);
    text_append(out, ",");
}

static void append_value(const night_value *v, text_buffer *out) {
    char number[32];
    text_append_csv(out, v->network);
    text_append_format(out, ",%" PRIu64 ",%s,", v->n_samples, v->sigma > 0 ? text_from_double(v->sigma, number) : "");
    text_append_csv(out, v->learner);
    text_append(out, ",");
    text_append_csv(out, v->metric);
    text_append_format(out, ",%zu,%s\n", v->n, text_from_double(v->value, number));
}

status history_write(const history *h, const char *path, error_info *err) {
    AUTO(text_buffer_clear) text_buffer out = {0};
    size_t at = 0;
    text_append(&out, header);
    for (size_t i = 0; i < h->n_nights; i++) {
        if (at == h->n_values || h->values[at].night != i) {
            append_night(&h->nights[i], &out);
            text_append(&out, ",,,,,,\n");
        }
        for (; at < h->n_values && h->values[at].night == i; at++) {
            append_night(&h->nights[i], &out);
            append_value(&h->values[at], &out);
        }
    }
    CHECK(error_at(text_buffer_check(&out, err), err, path));
    return error_at(file_write(path, out.data, out.length, err), err, path);
}

/* What a record adds to the mean of a metric: its value, or the logarithm of a time, whose mean is geometric. */
static bool contribution(const job_record *r, const char *metric, bool is_calibrated, double *out) {
    const double *value = job_record_metric(r, metric), *speed = job_record_metric(r, "calibration");
    bool is_time = strcmp(metric, "time") == 0;
    if (!value || (is_time && !(*value > 0)) || (is_calibrated && !(speed && *speed > 0)))
        return false;
    *out = !is_time ? *value : log(is_calibrated ? *value / *speed : *value);
    return true;
}

static status add_mean(history *h, const job_record *const *cell, size_t n_records, const char *metric,
                       bool is_calibrated, error_info *err) {
    const job_record *r = cell[0];
    night_value v = {.night = h->n_nights - 1,
                     .network = r->network,
                     .learner = r->learner,
                     .n_samples = r->n_samples,
                     .sigma = r->sigma};
    double sum = 0, one;
    for (size_t i = 0; i < n_records; i++) {
        if (contribution(cell[i], metric, is_calibrated, &one)) {
            sum += one;
            v.n++;
        }
    }
    if (v.n == 0)
        return STATUS_OK;
    v.metric = is_calibrated ? "time_calibrated" : metric;
    v.value = sum / (double)v.n;
    if (strcmp(metric, "time") == 0)
        v.value = exp(v.value);
    return add_value(h, &v, err);
}

static status add_cell(history *h, const job_record *const *cell, size_t n, const char *const *metrics,
                       size_t n_metrics, error_info *err) {
    for (size_t k = 0; k < n_metrics; k++) {
        CHECK(add_mean(h, cell, n, metrics[k], false, err));
        if (strcmp(metrics[k], "time") == 0)
            CHECK(add_mean(h, cell, n, metrics[k], true, err));
    }
    return STATUS_OK;
}

/* Keeps the records that are done, in order. */
static size_t keep_done(const job_record **records, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (records[i]->state == JOB_DONE)
            records[kept++] = records[i];
    return kept;
}

status history_add(history *h, const char *name, const char *baseline, night_outcome outcome, const job_record *records,
                   size_t n_records, const char *const *metrics, size_t n_metrics, error_info *err) {
    AUTO_FREE const job_record **order = job_records_sorted(records, n_records);
    size_t n_done, first = 0;
    CHECK_ALLOC(order);
    CHECK(add_night(h, name, baseline, outcome, err));
    n_done = keep_done(order, n_records);
    for (size_t i = 1; i <= n_done; i++) {
        if (i < n_done && job_compare_cells(order[first], order[i]) == 0)
            continue;
        CHECK(add_cell(h, order + first, i - first, metrics, n_metrics, err));
        first = i;
    }
    return STATUS_OK;
}

const night *history_last_good(const history *h) {
    for (size_t i = h->n_nights; i > 0; i--) {
        const night *n = &h->nights[i - 1];
        if (n->outcome == NIGHT_GOOD || n->outcome == NIGHT_ACCEPTED)
            return n;
    }
    return NULL;
}

bool history_has(const history *h, const char *name) {
    for (size_t i = 0; i < h->n_nights; i++)
        if (strcmp(h->nights[i].name, name) == 0)
            return true;
    return false;
}
