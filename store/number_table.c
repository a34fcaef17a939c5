/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/number_table.h"

#include "core/base/decimal.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "store/csv_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const size_t most_bytes = (size_t)1 << 30;

void number_table_clear(number_table *t) {
    texts_destroy(t->columns, t->n_columns);
    texts_destroy(t->rows, t->n_rows);
    free(t->label);
    free(t->values);
    free(t->lines);
    *t = (number_table){0};
}

static bool is_missing(const char *field) {
    static const char *const words[] = {"", "na", "nan", "n/a", "-", "failed", "timeout", "memory"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(field, words[i]) == 0)
            return true;
    }
    return false;
}

/* NAN for a field that means no value; false where it is neither. */
static bool read_number(const char *field, double *out) {
    *out = NAN;
    return is_missing(field) || decimal_is_number(field, field + strlen(field), out);
}

static bool names_rows(const char *header) {
    static const char *const words[] = {"name",  "label", "id",         "dataset", "data_set", "network",
                                        "block", "test",  "comparison", "learner", "algorithm"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(header, words[i]) == 0)
            return true;
    }
    return false;
}

/* A number in any notation, 1e999 and inf too, which no table takes. */
static bool is_numeric(const char *field) {
    double ignored;
    const char *end = field + strlen(field), *word = field + strspn(field, "+-");
    return decimal_read(field, end, &ignored) == end || strcasecmp(word, "inf") == 0 ||
           strcasecmp(word, "infinity") == 0;
}

/* Whether the first column holds names: its header says so, or no field is a number and one is a word. A header that is
 * empty says it for a column of words with few numbers in between, and leaves it open for one with more. */
static status find_names(const csv_table *t, bool *out, error_info *err) {
    const char *header = csv_table_field(t, CSV_HEADER, 0);
    size_t n_rows = csv_table_row_count(t), n_numbers = 0, n_missing = 0;
    *out = csv_table_column_count(t) > 1 && names_rows(header);
    if (csv_table_column_count(t) < 2 || *out)
        return STATUS_OK;
    for (size_t row = 0; row < n_rows; row++) {
        const char *field = csv_table_field(t, row, 0);
        n_numbers += is_numeric(field);
        n_missing += is_missing(field);
    }
    *out = n_numbers <= (*header ? 0 : n_rows / 10) && n_numbers + n_missing < n_rows;
    if (*header || *out || n_numbers == 0)
        return STATUS_OK;
    return error_set(
        err, STATUS_PARSE,
        "line %zu, column 1: a column without a header, %zu of its %zu fields numbers; call it 'id' if they "
        "are names of rows",
        csv_table_line(t, CSV_HEADER), n_numbers, n_rows);
}

static status check_header(const csv_table *t, error_info *err) {
    size_t n_columns = csv_table_column_count(t), n_numbers = 0, line = csv_table_line(t, CSV_HEADER);
    if (csv_table_row_count(t) == 0)
        return error_set(err, STATUS_PARSE,
                         "line %zu, column 1: only a header; at least one row of numbers was expected", line);
    for (size_t c = 0; c < n_columns; c++) {
        const char *name = csv_table_field(t, CSV_HEADER, c);
        size_t first = csv_table_column(t, name);
        double ignored;
        n_numbers += *name && decimal_is_number(name, name + strlen(name), &ignored);
        if (first < c)
            return error_set(err, STATUS_PARSE, "line %zu, column %zu: the header '%.60s' stands in column %zu already",
                             line, c + 1, name, first + 1);
    }
    if (n_numbers == n_columns)
        return error_set(err, STATUS_PARSE,
                         "line %zu, column 1: the first line holds numbers alone; it must name the columns", line);
    return STATUS_OK;
}

static status take_values(const csv_table *t, size_t first, number_table *out, error_info *err) {
    for (size_t row = 0; row < out->n_rows; row++) {
        out->lines[row] = csv_table_line(t, row);
        for (size_t c = 0; c < out->n_columns; c++) {
            const char *field = csv_table_field(t, row, c + first);
            double *value = &out->values[row * out->n_columns + c];
            if (!read_number(field, value))
                return error_set(err, STATUS_PARSE,
                                 "line %zu, column %zu ('%.60s'): '%.60s' is no finite number (NA for none)",
                                 out->lines[row], c + first + 1, out->columns[c], field);
            out->n_missing += isnan(*value) != 0;
        }
    }
    return STATUS_OK;
}

static status take_names(const csv_table *t, number_table *out, error_info *err) {
    CHECK_ALLOC(out->label = text_copy(csv_table_field(t, CSV_HEADER, 0)));
    CHECK_ALLOC(out->rows = calloc(out->n_rows + 1, sizeof *out->rows));
    for (size_t row = 0; row < out->n_rows; row++)
        CHECK_ALLOC(out->rows[row] = text_copy(csv_table_field(t, row, 0)));
    return STATUS_OK;
}

static status convert(const csv_table *t, number_table *out, error_info *err) {
    bool first = false;
    CHECK(check_header(t, err));
    CHECK(find_names(t, &first, err));
    out->n_rows = csv_table_row_count(t);
    out->n_columns = csv_table_column_count(t) - first;
    CHECK_ALLOC(out->columns = calloc(out->n_columns + 1, sizeof *out->columns));
    CHECK_ALLOC(out->lines = calloc(out->n_rows + 1, sizeof *out->lines));
    CHECK_ALLOC(out->values = calloc(out->n_rows * out->n_columns + 1, sizeof *out->values));
    for (size_t c = 0; c < out->n_columns; c++)
        CHECK_ALLOC(out->columns[c] = text_copy(csv_table_field(t, CSV_HEADER, c + first)));
    if (first)
        CHECK(take_names(t, out, err));
    return take_values(t, first, out, err);
}

static status parse(const char *text, size_t length, number_table *out, error_info *err) {
    AUTO_PTR(csv_table_destroy) csv_table *texts = NULL;
    AUTO(number_table_clear) number_table t = {0};
    CHECK(csv_table_parse(text, length, &texts, err));
    csv_table_trim(texts);
    CHECK(convert(texts, &t, err));
    *out = TAKE(t);
    return STATUS_OK;
}

status number_table_read(const char *path, number_table *out, error_info *err) {
    AUTO_FREE char *text = NULL;
    const char *place = strcmp(path, "-") == 0 ? "standard input" : path;
    size_t length = 0;
    CHECK(error_at(file_read(path, most_bytes, &text, &length, err), err, place));
    return error_at(parse(text, length, out, err), err, place);
}

size_t number_table_column(const number_table *t, const char *name) {
    for (size_t c = 0; c < t->n_columns; c++) {
        if (strcmp(t->columns[c], name) == 0)
            return c;
    }
    return t->n_columns;
}

bool number_table_find_missing(const number_table *t, const size_t *columns, size_t n, size_t *row, size_t *column) {
    for (*row = 0; *row < t->n_rows; ++*row) {
        for (size_t i = 0; i < n; i++) {
            *column = columns[i];
            if (isnan(t->values[*row * t->n_columns + *column]))
                return true;
        }
    }
    return false;
}
