/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/csv_table.h"

#include "core/base/array.h"
#include "core/data/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 10000 };

/* All fields stand in one text, the header first, each ended by a NUL; `places` says where each begins. */
struct csv_table {
    text_buffer text;
    size_t *places;
    size_t n_fields, capacity;
    size_t *lines; /* of each row, the header's first */
    size_t n_lines, lines_capacity;
    size_t n_columns; /* 0 until the header is read */
};

void csv_table_destroy(csv_table *t) {
    if (!t)
        return;
    text_buffer_clear(&t->text);
    free(t->places);
    free(t->lines);
    free(t);
}

static status add_field(csv_table *t, csv_field field, error_info *err) {
    CHECK(ARRAY_PUSH(t->places, t->n_fields, t->capacity, err, t->text.length));
    text_append_bytes(&t->text, field.text, field.length);
    text_append_bytes(&t->text, "", 1);
    return text_buffer_check(&t->text, err);
}

/* A row's fields; an empty line adds none. */
static status read_row(csv_table *t, csv_reader *reader, error_info *err) {
    size_t first = t->n_fields, n;
    csv_field field;
    do {
        CHECK(csv_read_field(reader, &field, err));
        if (reader->column == 1 && reader->row_ended && field.length == 0)
            return STATUS_OK;
        if (reader->column > MOST_COLUMNS)
            return csv_error(reader, err, "more than %d columns", MOST_COLUMNS);
        CHECK(add_field(t, field, err));
    } while (!reader->row_ended);
    n = t->n_fields - first;
    if (t->n_columns == 0)
        t->n_columns = n;
    if (n != t->n_columns)
        return csv_error(reader, err, "%zu field%s where the header has %zu", n, n == 1 ? "" : "s", t->n_columns);
    return ARRAY_PUSH(t->lines, t->n_lines, t->lines_capacity, err, reader->line);
}

status csv_table_parse(const char *text, size_t length, csv_table **out, error_info *err) {
    AUTO_PTR(csv_table_destroy) csv_table *t = calloc(1, sizeof *t);
    AUTO(csv_clear) csv_reader reader = {0};
    csv_init(&reader, text, length);
    CHECK_ALLOC(t);
    while (!reader.is_done)
        CHECK(read_row(t, &reader, err));
    if (t->n_columns == 0)
        return error_set(err, STATUS_PARSE, "line 1, column 1: a header was expected and the file is empty");
    *out = TAKE(t);
    return STATUS_OK;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

void csv_table_trim(csv_table *t) {
    for (size_t i = 0; i < t->n_fields; i++) {
        char *field = t->text.data + t->places[i];
        size_t length = strlen(field);
        while (length > 0 && is_blank(field[length - 1]))
            field[--length] = '\0';
        while (is_blank(t->text.data[t->places[i]]))
            t->places[i]++;
    }
}

size_t csv_table_row_count(const csv_table *t) {
    return t->n_lines - 1;
}

static const char *field_at(const csv_table *t, size_t i) {
    return t->text.data + t->places[i];
}

size_t csv_table_column_count(const csv_table *t) {
    return t->n_columns;
}

size_t csv_table_line(const csv_table *t, size_t row) {
    return t->lines[row == CSV_HEADER ? 0 : row + 1];
}

size_t csv_table_column(const csv_table *t, const char *name) {
    for (size_t c = 0; c < t->n_columns; c++) {
        if (strcmp(field_at(t, c), name) == 0)
            return c;
    }
    return CSV_NO_COLUMN;
}

const char *csv_table_field(const csv_table *t, size_t row, size_t column) {
    size_t at = row == CSV_HEADER ? 0 : row + 1;
    return column == CSV_NO_COLUMN ? "" : field_at(t, at * t->n_columns + column);
}
