/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/rows.h"

#include "core/base/array.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below this a process's first steps, and its caches, are much of it. */
#define LEAST_FITTED_S 0.002

const char *row_text(const json_t *row, const char *key) {
    const char *text = json_string_value(json_object_get(row, key));
    return text ? text : "";
}

double row_number(const json_t *row, const char *key) {
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

double row_median(const json_t *row, const char *quantity) {
    return row_number(json_object_get(row, quantity), "median");
}

bool row_is(const json_t *row, const char *key, const char *text) {
    return strcmp(row_text(row, key), text) == 0;
}

bool rows_agree(const json_t *a, const json_t *b, const char *const *keys) {
    while (*keys && row_is(a, *keys, row_text(b, *keys)))
        keys++;
    return !*keys;
}

bool row_is_of(const json_t *row, const sheet *s, size_t i) {
    return row_is(row, "data", sheet_cell(s, i, "data")) && row_is(row, "learner", sheet_cell(s, i, "learner")) &&
           row_is(row, "options", sheet_cell(s, i, "options"));
}

static series *series_for(series *all, size_t *n, const char *learner) {
    for (size_t i = 0; i < *n; i++) {
        if (strcmp(all[i].learner, learner) == 0)
            return &all[i];
    }
    if (*n == MOST_SERIES)
        return NULL;
    all[*n] = (series){.learner = learner};
    return &all[(*n)++];
}

static void fit_series(series *s, bool is_time) {
    double x[MOST_POINTS], y[MOST_POINTS];
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (is_time && s->y[i] < LEAST_FITTED_S)
            continue;
        x[n] = s->x[i];
        y[n++] = s->y[i];
    }
    s->growth = fit_power(x, y, n);
}

size_t series_of(const json_t *measured, const char *group, const char *x, const char *quantity,
                 series out[MOST_SERIES]) {
    bool is_memory = strcmp(quantity, "memory_bytes") == 0;
    size_t n = 0, i;
    json_t *row;
    json_array_foreach(json_object_get(measured, "rows"), i, row) {
        double y = is_memory ? row_number(row, quantity) / (1 << 20) : row_median(row, quantity);
        series *s = row_is(row, "group", group) && isfinite(y) ? series_for(out, &n, row_text(row, "learner")) : NULL;
        if (!s || s->n == MOST_POINTS)
            continue;
        s->x[s->n] = row_number(row, x);
        s->y[s->n++] = y;
    }
    for (i = 0; i < n; i++)
        fit_series(&out[i], !is_memory);
    return n;
}

size_t series_places(const series *s, size_t n, double out[MOST_POINTS]) {
    size_t n_places = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < s[i].n; k++) {
            size_t at = 0;
            while (at < n_places && out[at] != s[i].x[k])
                at++;
            if (at == n_places && n_places < MOST_POINTS)
                out[n_places++] = s[i].x[k];
        }
    }
    array_sort_reals(out, n_places);
    return n_places;
}

double series_at(const series *s, double x) {
    for (size_t i = 0; i < s->n; i++) {
        if (s->x[i] == x)
            return s->y[i];
    }
    return NAN;
}

void append_number(text_buffer *out, double value) {
    if (!isfinite(value))
        text_append(out, "-");
    else
        text_append_format(out, fabs(value) >= 99.95 ? "%.0f" : fabs(value) < 0.00995 ? "%.2g" : "%.3g", value);
}

void append_count(text_buffer *out, double value) {
    char digits[32];
    size_t n = (size_t)snprintf(digits, sizeof digits, "%.0f", value);
    for (size_t i = 0; i < n; i++) {
        text_append_bytes(out, &digits[i], 1);
        if (i + 1 < n && (n - 1 - i) % 3 == 0)
            text_append(out, ",");
    }
}
