/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/policy_text.h"

#include "core/base/array.h"
#include "core/base/decimal.h"
#include "core/data/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char header[] = "column,states,thresholds,low,high,histogram\n";

static void column_clear(policy_column *c) {
    free(c->name);
    free(c->thresholds);
    free(c->bins);
    *c = (policy_column){0};
}

void policy_table_clear(policy_table *t) {
    for (size_t c = 0; c < t->n_columns; c++)
        column_clear(&t->columns[c]);
    free(t->columns);
    *t = (policy_table){0};
}

const policy_column *policy_table_find(const policy_table *t, const char *name) {
    for (size_t c = 0; c < t->n_columns; c++) {
        if (strcmp(t->columns[c].name, name) == 0)
            return &t->columns[c];
    }
    return NULL;
}

/* ---- making ---- */

/* The column goes over. */
static status take_column(policy_table *t, policy_column *c, error_info *err) {
    return ARRAY_APPEND(t->columns, t->n_columns, err, TAKE(*c));
}

static size_t bin_of(const policy_column *c, double value) {
    double share = (value / 2 - c->low / 2) / (c->high / 2 - c->low / 2); /* halves: the range may overflow */
    double at = floor(share * (double)c->n_bins);
    if (!(at > 0))
        return 0;
    return at < (double)c->n_bins ? (size_t)at : c->n_bins - 1;
}

static status count_values(policy_column *c, const double *values, size_t n, error_info *err) {
    c->low = n > 0 ? values[0] : 0;
    c->high = c->low;
    for (size_t i = 1; i < n; i++) {
        c->low = values[i] < c->low ? values[i] : c->low;
        c->high = values[i] > c->high ? values[i] : c->high;
    }
    c->n_bins = c->high > c->low ? POLICY_BINS : 1;
    CHECK_ALLOC(c->bins = calloc(c->n_bins, sizeof *c->bins));
    for (size_t i = 0; i < n; i++)
        c->bins[bin_of(c, values[i])]++;
    return STATUS_OK;
}

status policy_table_add(policy_table *t, const char *name, const double *thresholds, size_t n_thresholds,
                        const double *values, size_t n, error_info *err) {
    AUTO(column_clear) policy_column c = {.n_thresholds = n_thresholds};
    CHECK_ALLOC(c.name = text_copy(name));
    CHECK_ALLOC(c.thresholds = calloc(n_thresholds + 1, sizeof *c.thresholds));
    if (n_thresholds > 0)
        memcpy(c.thresholds, thresholds, n_thresholds * sizeof *thresholds);
    CHECK(count_values(&c, values, n, err));
    return take_column(t, &c, err);
}

/* ---- writing ---- */

static void append_number(double value, text_buffer *out) {
    char number[32];
    text_append(out, text_from_double(value, number));
}

static void append_column(const policy_column *c, text_buffer *out) {
    text_append_csv(out, c->name);
    text_append_format(out, ",%zu,", c->n_thresholds + 1);
    for (size_t i = 0; i < c->n_thresholds; i++) {
        text_append(out, i ? "|" : "");
        append_number(c->thresholds[i], out);
    }
    text_append(out, ",");
    append_number(c->low, out);
    text_append(out, ",");
    append_number(c->high, out);
    text_append(out, ",");
    for (size_t i = 0; i < c->n_bins; i++)
        text_append_format(out, "%s%" PRIu64, i ? "|" : "", c->bins[i]);
    text_append(out, "\n");
}

void policy_table_append_csv(const policy_table *t, text_buffer *out) {
    text_append(out, header);
    for (size_t c = 0; c < t->n_columns; c++)
        append_column(&t->columns[c], out);
}

/* ---- reading ---- */

enum { N_FIELDS = 6 };

/* "1|2.5|3": an empty field has none. */
static status read_list(const csv_reader *r, csv_field field, double **out, size_t *n, error_info *err) {
    const char *at = field.text, *end = field.text + field.length;
    double *list = calloc(field.length + 1, sizeof *list);
    size_t count = 0;
    CHECK_ALLOC(list);
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at)), *stop = bar ? bar : end;
        if (!decimal_is_number(at, stop, &list[count++])) {
            free(list);
            return csv_error(r, err, "expected numbers with '|' between them");
        }
        at = bar ? bar + 1 : end;
    }
    *out = list;
    *n = count;
    return STATUS_OK;
}

static status read_number(const csv_reader *r, csv_field field, double *out, error_info *err) {
    return decimal_is_number(field.text, field.text + field.length, out) ? STATUS_OK
                                                                         : csv_error(r, err, "expected a number");
}

static status read_bins(const csv_reader *r, csv_field field, policy_column *c, error_info *err) {
    AUTO_FREE double *counts = NULL;
    size_t n = 0;
    CHECK(read_list(r, field, &counts, &n, err));
    if (n == 0 || n > POLICY_MOST_BINS)
        return csv_error(r, err, "expected 1 to %d counts", POLICY_MOST_BINS);
    CHECK_ALLOC(c->bins = calloc(n, sizeof *c->bins));
    for (size_t i = 0; i < n; i++) {
        if (!(counts[i] >= 0 && counts[i] <= 0x1p53))
            return csv_error(r, err, "expected a count");
        c->bins[i] = (uint64_t)counts[i];
    }
    c->n_bins = n;
    return STATUS_OK;
}

static status read_place(const csv_reader *r, size_t place, csv_field field, policy_column *c, error_info *err) {
    double states = 0;
    switch (place) {
    case 0:
        c->name = text_copy_n(field.text, field.length);
        return c->name ? STATUS_OK : error_out_of_memory(err);
    case 1:
        return read_number(r, field, &states, err); /* the thresholds say it too */
    case 2:
        return read_list(r, field, &c->thresholds, &c->n_thresholds, err);
    case 3:
        return read_number(r, field, &c->low, err);
    case 4:
        return read_number(r, field, &c->high, err);
    default:
        return read_bins(r, field, c, err);
    }
}

static status read_column(csv_reader *r, policy_table *t, error_info *err) {
    AUTO(column_clear) policy_column c = {0};
    for (size_t i = 0; i < N_FIELDS; i++) {
        csv_field field;
        CHECK(csv_read_field(r, &field, err));
        if (r->row_ended != (i + 1 == N_FIELDS))
            return csv_error(r, err, "expected %d fields", (int)N_FIELDS);
        CHECK(read_place(r, i, field, &c, err));
    }
    return take_column(t, &c, err);
}

status policy_table_parse(const char *text, policy_table *out, error_info *err) {
    AUTO(policy_table_clear) policy_table t = {0};
    AUTO(csv_clear) csv_reader r = {0};
    if (strncmp(text, header, strlen(header)) != 0)
        return error_set(err, STATUS_PARSE, "a policy begins with the line %.*s", (int)strlen(header) - 1, header);
    csv_init(&r, text + strlen(header), strlen(text) - strlen(header));
    while (!r.is_done)
        CHECK(read_column(&r, &t, err));
    *out = TAKE(t);
    return STATUS_OK;
}
