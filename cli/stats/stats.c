/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *stats_column_name(const stats_call *s, size_t i) {
    return s->table.columns[s->columns[i]];
}

int stats_name_width(const stats_call *s) {
    size_t width = 6;
    for (size_t i = 0; i < s->n_columns; i++) {
        size_t n = text_width(stats_column_name(s, i));
        width = n > width ? n : width;
    }
    return (int)width;
}

void stats_append_row_name(const stats_call *s, size_t row, text_buffer *out) {
    if (s->table.rows)
        text_append(out, s->table.rows[row]);
    else
        text_append_format(out, "row %zu", row + 1);
}

void stats_values_clear(stats_values *v) {
    free(v->values);
    free(v->rows);
    *v = (stats_values){0};
}

static bool is_complete(const stats_call *s, size_t row) {
    for (size_t i = 0; i < s->n_columns; i++) {
        if (isnan(s->table.values[row * s->table.n_columns + s->columns[i]]))
            return false;
    }
    return true;
}

status stats_take_values(stats_call *s, bool drop_missing, stats_values *out, error_info *err) {
    AUTO(stats_values_clear) stats_values v = {0};
    CHECK_ALLOC(v.values = calloc(s->table.n_rows * s->n_columns + 1, sizeof *v.values));
    CHECK_ALLOC(v.rows = calloc(s->table.n_rows + 1, sizeof *v.rows));
    for (size_t row = 0; row < s->table.n_rows; row++) {
        if (drop_missing && !is_complete(s, row)) {
            v.n_dropped++;
            continue;
        }
        for (size_t i = 0; i < s->n_columns; i++)
            v.values[v.n_rows * s->n_columns + i] = s->table.values[row * s->table.n_columns + s->columns[i]];
        v.rows[v.n_rows++] = row;
    }
    *out = TAKE(v);
    return STATUS_OK;
}

status stats_refuse_missing(stats_call *s, const char *advice, error_info *err) {
    size_t row, column;
    if (!number_table_find_missing(&s->table, s->columns, s->n_columns, &row, &column))
        return STATUS_OK;
    return error_set(err, STATUS_PARSE, "%s: line %zu, column %zu ('%.60s'): there is no value; %s",
                     s->c->args->words[1], s->table.lines[row], column + 1 + (s->table.rows != NULL),
                     s->table.columns[column], advice);
}

status stats_choice(cli *c, const char *name, const char *choices, int initial, int *out, error_info *err) {
    const char *typed = args_value(c->args, name), *at = choices;
    *out = initial;
    if (!typed)
        return STATUS_OK;
    for (int i = 0; *at; i++) {
        size_t n = strcspn(at, "|");
        if (strlen(typed) == n && strncmp(at, typed, n) == 0) {
            *out = i;
            return STATUS_OK;
        }
        at += n + (at[n] == '|');
    }
    return cli_refuse(c, err, "--%s is '%s'; it must be one of %s", name, typed, choices);
}

void stats_append_number(text_buffer *out, double value) {
    if (isinf(value))
        text_append(out, value > 0 ? "infinite" : "-infinite");
    else if (isnan(value))
        text_append(out, "undefined");
    else
        text_append_format(out, "%.*g", fabs(value) >= 1e4 && fabs(value) < 1e15 ? 15 : 5, value);
}

void stats_append_p(text_buffer *out, double p_value, double log_p) {
    static const double log_10 = 2.302585092994045684;
    double exponent = floor(log_p / log_10);
    if (isnan(p_value))
        text_append(out, "p undefined");
    else if (p_value >= 1e-300 || isinf(log_p))
        text_append_format(out, "p = %.4g", p_value);
    else
        text_append_format(out, "p = %.4ge%.0f", exp(log_p - exponent * log_10), exponent);
}
