/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What separates the fields of a file, as its first two rows tell. */
#include "core/data/csv.h"

#include <string.h>

typedef struct {
    size_t header, row; /* fields; 0 where there is none, or it is broken */
} field_counts;

static status count_row(csv_reader *reader, size_t *n, error_info *err) {
    csv_field field;
    *n = 0;
    do {
        error_info why = {0};
        status st = reader->is_done ? STATUS_PARSE : csv_read_field(reader, &field, &why);
        if (st != STATUS_OK)
            return st == STATUS_PARSE ? STATUS_OK : error_set(err, st, "%s", why.message);
    } while (!reader->row_ended);
    *n = reader->column;
    return STATUS_OK;
}

static status count(const char *text, size_t length, char separator, field_counts *n, error_info *err) {
    AUTO(csv_clear) csv_reader reader = {0};
    csv_init(&reader, text, length);
    reader.separator = separator;
    CHECK(count_row(&reader, &n->header, err));
    return count_row(&reader, &n->row, err);
}

static bool fits(field_counts n) {
    return n.header > 1 && n.header == n.row;
}

static bool divides(field_counts n) {
    return n.header > 1 && n.row > 1;
}

/* Most files: the first line has neither tabs nor semicolons, and ends the header. */
static bool has_commas_alone(const char *text, size_t length) {
    const char *end = length ? memchr(text, '\n', length) : NULL;
    size_t n = end ? (size_t)(end - text) : length;
    return n == 0 || !(memchr(text, '\t', n) || memchr(text, ';', n) || memchr(text, '"', n));
}

status csv_find_separator(const char *text, size_t length, char *out, error_info *err) {
    field_counts comma, tab, semicolon;
    *out = ',';
    if (has_commas_alone(text, length))
        return STATUS_OK;
    CHECK(count(text, length, ',', &comma, err));
    if (fits(comma))
        return STATUS_OK;
    CHECK(count(text, length, '\t', &tab, err));
    CHECK(count(text, length, ';', &semicolon, err));
    if (fits(tab) != fits(semicolon))
        *out = fits(tab) ? '\t' : ';';
    else if (fits(tab) || (comma.header < 2 && divides(tab) && divides(semicolon)))
        return error_set(
            err, STATUS_PARSE,
            "line 1: tabs or semicolons may separate the columns; name the file .tsv where tabs do, or put "
            "names with such characters in quotes");
    else if (comma.header < 2 && (divides(tab) || divides(semicolon)))
        *out = divides(tab) ? '\t' : ';';
    return STATUS_OK;
}
