/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of numbers in which words for no number stand: a broken file rather than a column of states. */
#include "core/base/decimal.h"
#include "core/data/csv_columns_internal.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bool is_word_of(const char *text, size_t length, const char *word) {
    return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

/* "inf", "-Infinity", "nan", or digits past the largest double. */
static bool is_not_finite(const char *text, size_t length) {
    const char *end = text + length;
    double value;
    if (decimal_read(text, end, &value) == end)
        return !isfinite(value);
    if (length > 0 && (*text == '+' || *text == '-'))
        return is_word_of(text + 1, length - 1, "inf") || is_word_of(text + 1, length - 1, "infinity") ||
               is_word_of(text + 1, length - 1, "nan");
    return is_word_of(text, length, "inf") || is_word_of(text, length, "infinity") || is_word_of(text, length, "nan");
}

/* "1,5", where a comma separates no fields. */
static bool has_decimal_comma(const csv_columns *table, const char *text, size_t length) {
    const char *comma = table->separator == ',' ? NULL : memchr(text, ',', length), *end = text + length;
    double value;
    if (!comma || comma + 1 == end || decimal_read(text, comma, &value) != comma)
        return false;
    return comma[1] >= '0' && comma[1] <= '9' && decimal_read(comma + 1, end, &value) == end;
}

static bool is_spoilt_number(const csv_columns *table, const char *text, size_t length) {
    return is_not_finite(text, length) || has_decimal_comma(table, text, length);
}

/* Numbers and such words, nothing else: a broken column of numbers rather than one of states. */
static bool is_spoilt(const csv_columns *table, const csv_column *column) {
    size_t n_numbers = 0, n_spoilt = 0, n_commas = 0;
    double value;
    if (column->is_known || column->all_numbers || column->n_states > 0)
        return false;
    for (size_t i = 0; i < column->values.n; i++) {
        const char *text = column->values.texts[i];
        n_numbers += decimal_is_number(text, text + strlen(text), &value);
        n_spoilt += is_spoilt_number(table, text, strlen(text));
        n_commas += has_decimal_comma(table, text, strlen(text));
    }
    return n_numbers + n_commas > 0 && n_spoilt > 0 && n_numbers + n_spoilt == column->values.n;
}

static status refuse(csv_columns *table, size_t row, size_t c, const csv_field *field, error_info *err) {
    const csv_column *column = &table->columns[c];
    char shown[TEXT_SHOWN_SIZE], shown_name[TEXT_SHOWN_SIZE];
    (void)row;
    if (!column->in_full || !is_spoilt_number(table, field->text, field->length))
        return STATUS_OK;
    if (has_decimal_comma(table, field->text, field->length))
        return csv_error(&table->reader, err,
                         "expected a number with a decimal point for '%s', found '%s'; write points, or declare the "
                         "column discrete in a sidecar",
                         text_show(column->name, strlen(column->name), shown_name),
                         text_show(field->text, field->length, shown));
    return csv_error(&table->reader, err,
                     "expected a finite number for '%s', found '%s'; leave the row out, or declare the column discrete "
                     "in a sidecar",
                     text_show(column->name, strlen(column->name), shown_name),
                     text_show(field->text, field->length, shown));
}

/* The third walk, which finds the line, is for a file that has one. */
status csv_columns_refuse_spoilt(csv_columns *table, error_info *err) {
    bool any = false;
    for (size_t c = 0; c < table->n_columns; c++) {
        table->columns[c].in_full = is_spoilt(table, &table->columns[c]);
        any = any || table->columns[c].in_full;
    }
    return any ? csv_columns_walk(table, refuse, err) : STATUS_OK;
}
