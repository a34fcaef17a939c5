/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void csv_init(csv_reader *reader, const char *text, size_t length) {
    const char *end = text + length;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    while (end > text && (end[-1] == '\n' || end[-1] == '\r'))
        end--;
    csv_init_part(reader, text, end, 1);
    reader->is_done = text == end;
}

void csv_init_part(csv_reader *reader, const char *from, const char *end, size_t line) {
    *reader = (csv_reader){.at = from, .end = end, .separator = ',', .next_line = line, .row_ended = true};
    reader->has_nul = memchr(from, '\0', (size_t)(end - from)) != NULL;
}

void csv_clear(csv_reader *reader) {
    text_buffer_clear(&reader->scratch);
}

status csv_error(const csv_reader *reader, error_info *err, const char *format, ...) {
    char message[900];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return error_set(err, STATUS_PARSE, "line %zu, column %zu: %s", reader->line, reader->column, message);
}

static const char *name_of(char separator) {
    return separator == '\t' ? "a tab" : separator == ';' ? "';'" : "','";
}

/* Behind a field: a separator, a line end, or the end of the text. */
static status end_field(csv_reader *reader, error_info *err) {
    const char *at = reader->at;
    reader->row_ended = true;
    if (at == reader->end) {
        reader->is_done = true;
        return STATUS_OK;
    }
    if (*at == '\r' && at + 1 < reader->end && at[1] == '\n')
        at++;
    if (*at != '\n' && *at != reader->separator)
        return csv_error(reader, err, "expected %s or the end of the line behind a closing quote",
                         name_of(reader->separator));
    reader->row_ended = *at == '\n';
    reader->next_line += reader->row_ended;
    reader->at = at + 1;
    return STATUS_OK;
}

static status read_quoted(csv_reader *reader, csv_field *out, error_info *err) {
    const char *from = ++reader->at, *close;
    reader->scratch.length = 0;
    while ((close = memchr(reader->at, '"', (size_t)(reader->end - reader->at))) && close + 1 < reader->end &&
           close[1] == '"') {
        text_append_bytes(&reader->scratch, from, (size_t)(close + 1 - from));
        from = reader->at = close + 2;
    }
    if (!close)
        return csv_error(reader, err, "expected a closing quote, found the end of the file");
    *out = (csv_field){from, (size_t)(close - from)};
    if (reader->scratch.length > 0) {
        text_append_bytes(&reader->scratch, from, (size_t)(close - from));
        *out = (csv_field){reader->scratch.data, reader->scratch.length};
    }
    for (size_t i = 0; i < out->length; i++)
        reader->next_line += out->text[i] == '\n';
    reader->at = close + 1;
    return text_buffer_check(&reader->scratch, err);
}

static void read_plain(csv_reader *reader, csv_field *out) {
    const char *from = reader->at, *at = from;
    while (at < reader->end && *at != reader->separator && *at != '\n')
        at++;
    reader->at = at;
    if (at < reader->end && *at == '\n' && at > from && at[-1] == '\r')
        reader->at = --at;
    *out = (csv_field){from, (size_t)(at - from)};
}

status csv_read_field(csv_reader *reader, csv_field *out, error_info *err) {
    status st = STATUS_OK;
    reader->column = reader->row_ended ? 1 : reader->column + 1;
    reader->line = reader->next_line;
    if (reader->at < reader->end && *reader->at == '"')
        st = read_quoted(reader, out, err);
    else
        read_plain(reader, out);
    if (st == STATUS_OK && reader->has_nul && memchr(out->text, '\0', out->length))
        st = csv_error(reader, err, "expected text, found a NUL byte");
    return st == STATUS_OK ? end_field(reader, err) : st;
}

static status ragged_row(const csv_reader *reader, size_t n, error_info *err) {
    if (reader->column < n)
        return csv_error(reader, err, "expected %zu fields as in the header, found %zu", n, reader->column);
    return csv_error(reader, err, "expected %zu fields as in the header, found more", n);
}

status csv_read_cell(csv_reader *reader, size_t i, size_t n, csv_field *out, error_info *err) {
    status st = csv_read_field(reader, out, err);
    return st == STATUS_OK && reader->row_ended != (i + 1 == n) ? ragged_row(reader, n, err) : st;
}

bool csv_field_is(const csv_field *field, const char *word) {
    return field->length == strlen(word) && memcmp(field->text, word, field->length) == 0;
}
