/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/number_table.h"

#include "core/base/decimal.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const size_t most_bytes = (size_t)1 << 30;
enum { MOST_COLUMNS = 10000 };

/* Every field of the file, header first. */
typedef struct {
    size_t n_fields, n_columns, n_lines, capacity, line_capacity;
    char **fields;
    size_t *lines; /* of each row, the header's first */
} raw_table;

static void raw_clear(raw_table *t) {
    for (size_t i = 0; i < t->n_fields; i++)
        free(t->fields[i]);
    free(t->fields);
    free(t->lines);
}

void number_table_clear(number_table *t) {
    texts_destroy(t->columns, t->n_columns);
    texts_destroy(t->rows, t->n_rows);
    free(t->label);
    free(t->values);
    free(t->lines);
    *t = (number_table){0};
}

static status add_field(raw_table *t, csv_field field, error_info *err) {
    while (field.length > 0 && (*field.text == ' ' || *field.text == '\t')) {
        field.text++;
        field.length--;
    }
    while (field.length > 0 && (field.text[field.length - 1] == ' ' || field.text[field.length - 1] == '\t'))
        field.length--;
    if (t->n_fields == t->capacity) {
        size_t wanted = t->capacity ? 2 * t->capacity : 256;
        char **grown = reallocarray(t->fields, wanted, sizeof *grown);
        if (!grown)
            return error_out_of_memory(err);
        t->fields = grown;
        t->capacity = wanted;
    }
    t->fields[t->n_fields] = text_copy_n(field.text, field.length);
    return t->fields[t->n_fields++] ? STATUS_OK : error_out_of_memory(err);
}

static status add_line(raw_table *t, size_t line, error_info *err) {
    if (t->n_lines == t->line_capacity) {
        size_t wanted = t->line_capacity ? 2 * t->line_capacity : 64;
        size_t *grown = reallocarray(t->lines, wanted, sizeof *grown);
        if (!grown)
            return error_out_of_memory(err);
        t->lines = grown;
        t->line_capacity = wanted;
    }
    t->lines[t->n_lines++] = line;
    return STATUS_OK;
}

/* A row's fields; an empty line adds none. */
static status read_row(raw_table *t, csv_reader *reader, error_info *err) {
    size_t first = t->n_fields, n;
    csv_field field;
    do {
        CHECK(csv_read_field(reader, &field, err));
        if (reader->column == 1 && reader->row_ended && field.length == 0)
            return STATUS_OK;
        if (reader->column > MOST_COLUMNS)
            CHECK(csv_error(reader, err, "more than %d columns", MOST_COLUMNS));
        CHECK(add_field(t, field, err));
    } while (!reader->row_ended);
    n = t->n_fields - first;
    if (t->n_columns == 0)
        t->n_columns = n;
    if (n != t->n_columns)
        CHECK(csv_error(reader, err, "%zu field%s where the header has %zu", n, n == 1 ? "" : "s", t->n_columns));
    return add_line(t, reader->line, err);
}

static status read_raw(const char *text, size_t length, raw_table *t, error_info *err) {
    csv_reader reader;
    status st = STATUS_OK;
    csv_init(&reader, text, length);
    while (!reader.is_done)
        TRY(read_row(t, &reader, err));
    if (t->n_columns == 0)
        st = error_set(err, STATUS_PARSE, "line 1, column 1: a header was expected and the file is empty");
    else if (t->n_lines == 1)
        st = error_set(err, STATUS_PARSE, "line %zu, column 1: only a header; at least one row of numbers was expected",
                       t->lines[0]);
cleanup:
    csv_clear(&reader);
    return st;
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

static const char *raw_field(const raw_table *t, size_t row, size_t column) {
    return t->fields[row * t->n_columns + column];
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

static bool has_names(const raw_table *t) {
    double ignored;
    if (t->n_columns < 2)
        return false;
    if (names_rows(raw_field(t, 0, 0)))
        return true;
    for (size_t row = 1; row < t->n_lines; row++) {
        if (!read_number(raw_field(t, row, 0), &ignored))
            return true;
    }
    return false;
}

static status check_header(const raw_table *t, error_info *err) {
    size_t n_numbers = 0;
    for (size_t c = 0; c < t->n_columns; c++) {
        const char *name = raw_field(t, 0, c);
        double ignored;
        n_numbers += *name && decimal_is_number(name, name + strlen(name), &ignored);
        for (size_t k = 0; k < c; k++) {
            if (strcmp(raw_field(t, 0, k), name) == 0)
                return error_set(err, STATUS_PARSE,
                                 "line %zu, column %zu: the header '%.60s' stands in column %zu already", t->lines[0],
                                 c + 1, name, k + 1);
        }
    }
    if (n_numbers == t->n_columns)
        return error_set(err, STATUS_PARSE,
                         "line %zu, column 1: the first line holds numbers alone; it must name the columns",
                         t->lines[0]);
    return STATUS_OK;
}

static status take_values(const raw_table *t, size_t first, number_table *out, error_info *err) {
    for (size_t row = 0; row < out->n_rows; row++) {
        out->lines[row] = t->lines[row + 1];
        for (size_t c = 0; c < out->n_columns; c++) {
            const char *field = raw_field(t, row + 1, c + first);
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

static status take_names(const raw_table *t, number_table *out, error_info *err) {
    CHECK_ALLOC(out->label = text_copy(raw_field(t, 0, 0)));
    CHECK_ALLOC(out->rows = calloc(out->n_rows + 1, sizeof *out->rows));
    for (size_t row = 0; row < out->n_rows; row++)
        CHECK_ALLOC(out->rows[row] = text_copy(raw_field(t, row + 1, 0)));
    return STATUS_OK;
}

static status convert(const raw_table *t, number_table *out, error_info *err) {
    size_t first = has_names(t);
    CHECK(check_header(t, err));
    out->n_rows = t->n_lines - 1;
    out->n_columns = t->n_columns - first;
    CHECK_ALLOC(out->columns = calloc(out->n_columns + 1, sizeof *out->columns));
    CHECK_ALLOC(out->lines = calloc(out->n_rows + 1, sizeof *out->lines));
    CHECK_ALLOC(out->values = calloc(out->n_rows * out->n_columns + 1, sizeof *out->values));
    for (size_t c = 0; c < out->n_columns; c++)
        CHECK_ALLOC(out->columns[c] = text_copy(raw_field(t, 0, c + first)));
    if (first)
        CHECK(take_names(t, out, err));
    return take_values(t, first, out, err);
}

status number_table_parse(const char *text, size_t length, number_table *out, error_info *err) {
    raw_table raw = {0};
    number_table t = {0};
    status st = STATUS_OK;
    TRY(read_raw(text, length, &raw, err));
    TRY(convert(&raw, &t, err));
    *out = t;
    t = (number_table){0};
cleanup:
    raw_clear(&raw);
    number_table_clear(&t);
    return st;
}

status number_table_read(const char *path, number_table *out, error_info *err) {
    char *text = NULL;
    size_t length = 0;
    status st = STATUS_OK;
    TRY(file_read(path, most_bytes, &text, &length, err));
    TRY(number_table_parse(text, length, out, err));
cleanup:
    if (st != STATUS_OK)
        error_context(err, "%s", strcmp(path, "-") == 0 ? "standard input" : path);
    free(text);
    return st;
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
