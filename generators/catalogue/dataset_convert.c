/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/dataset_convert.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
    const char *text;
    size_t length;
} piece;

/* Line by line; the fields of one line at a time. */
typedef struct {
    const dataset_entry *entry;
    const char *at, *end;
    size_t line;
    piece *fields; /* n_fields of the entry */
    size_t *field_of_column;
    size_t n_rows; /* of the source so far, without the header */
} conversion;

static void conversion_clear(conversion *c) {
    free(c->fields);
    free(c->field_of_column);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static piece trim(piece p) {
    while (p.length > 0 && is_blank(p.text[0])) {
        p.text++;
        p.length--;
    }
    while (p.length > 0 && is_blank(p.text[p.length - 1]))
        p.length--;
    return p;
}

static piece without_quotes(piece p) {
    if (p.length >= 2 && (*p.text == '"' || *p.text == '\'') && p.text[p.length - 1] == *p.text)
        return (piece){p.text + 1, p.length - 2};
    return p;
}

static bool is_word(piece p, const char *word) {
    return p.text && p.length == strlen(word) && strncasecmp(p.text, word, p.length) == 0;
}

/* The next line without blanks around it; false at the end. */
static bool next_line(conversion *c, piece *out) {
    const char *newline;
    if (c->at >= c->end)
        return false;
    newline = memchr(c->at, '\n', (size_t)(c->end - c->at));
    *out = trim((piece){c->at, (size_t)((newline ? newline : c->end) - c->at)});
    c->at = newline ? newline + 1 : c->end;
    c->line++;
    return true;
}

/* The next one that holds a row: not empty, and no remark. */
static bool next_row(conversion *c, piece *out) {
    bool has_remarks = c->entry->form == SOURCE_FORM_WORDS || c->entry->form == SOURCE_FORM_ARFF;
    while (next_line(c, out)) {
        if (out->length > 0 && !(has_remarks && *out->text == '%'))
            return true;
    }
    return false;
}

/* Takes a field off the front of `rest`; false behind the last. */
static bool next_field(const conversion *c, piece *rest, bool *is_first, piece *out) {
    size_t n = 0;
    if (c->entry->form == SOURCE_FORM_WORDS) {
        *rest = trim(*rest);
        while (n < rest->length && !is_blank(rest->text[n]))
            n++;
        *out = (piece){rest->text, n};
        *rest = (piece){rest->text + n, rest->length - n};
        return n > 0;
    }
    if (!*is_first && rest->length == 0)
        return false;
    if (!*is_first)
        *rest = (piece){rest->text + 1, rest->length - 1}; /* the comma */
    *is_first = false;
    while (n < rest->length && rest->text[n] != ',')
        n++;
    *out = without_quotes(trim((piece){rest->text, n}));
    *rest = (piece){rest->text + n, rest->length - n};
    return true;
}

static status split(conversion *c, piece row, error_info *err) {
    size_t n = 0;
    bool is_first = true;
    piece field;
    while (next_field(c, &row, &is_first, &field)) {
        if (n < c->entry->n_fields)
            c->fields[n] = field;
        n++;
    }
    if (n != c->entry->n_fields)
        return error_set(err, STATUS_PARSE, "line %zu: a row of %zu fields; those of '%s' have %zu", c->line, n,
                         c->entry->name, c->entry->n_fields);
    return STATUS_OK;
}

static status skip_to_data(conversion *c, error_info *err) {
    piece line;
    while (next_line(c, &line)) {
        if (is_word(line, "@data"))
            return STATUS_OK;
    }
    return error_set(err, STATUS_PARSE, "line %zu: ARFF without a line '@data'", c->line);
}

static status read_header(conversion *c, error_info *err) {
    piece row;
    if (!next_row(c, &row))
        return error_set(err, STATUS_PARSE, "line %zu: no header", c->line);
    CHECK(split(c, row, err));
    for (size_t i = 0; i < c->entry->n_columns; i++) {
        size_t f = 0;
        while (f < c->entry->n_fields && !is_word(c->fields[f], c->entry->columns[i].name))
            f++;
        c->field_of_column[i] = f;
        if (f == c->entry->n_fields)
            return error_set(err, STATUS_PARSE, "line %zu: the header has no column '%s'", c->line,
                             c->entry->columns[i].name);
    }
    return STATUS_OK;
}

static bool is_complete(const conversion *c) {
    for (size_t i = 0; i < c->entry->n_columns; i++) {
        piece field = c->fields[c->field_of_column[i]];
        if (field.length == 0 || is_word(field, "?"))
            return false;
    }
    return true;
}

static status append_row(const conversion *c, text_buffer *csv, error_info *err) {
    for (size_t i = 0; i < c->entry->n_columns; i++) {
        piece field = c->fields[c->field_of_column[i]];
        AUTO_FREE char *copy = text_copy_n(field.text, field.length);
        CHECK_ALLOC(copy);
        text_append(csv, i ? "," : "");
        text_append_csv(csv, copy);
    }
    text_append(csv, "\n");
    return STATUS_OK;
}

static bool is_header(const conversion *c) {
    const char *end = c->entry->header_end;
    return end && c->n_rows == 0 && is_word(c->fields[c->entry->n_fields - 1], end);
}

static status convert_rows(conversion *c, text_buffer *csv, error_info *err) {
    piece row;
    while (next_row(c, &row)) {
        CHECK(split(c, row, err));
        if (is_header(c))
            continue;
        if (c->n_rows++ >= c->entry->n_left_out && is_complete(c))
            CHECK(append_row(c, csv, err));
    }
    return STATUS_OK;
}

status dataset_convert(const dataset_entry *entry, const char *text, size_t length, text_buffer *csv, error_info *err) {
    AUTO(conversion_clear) conversion c = {.entry = entry, .at = text, .end = text + length};
    if (memchr(text, '\0', length))
        return error_set(err, STATUS_PARSE, "a NUL byte: this is no text");
    CHECK_ALLOC(c.fields = calloc(entry->n_fields + 1, sizeof *c.fields));
    CHECK_ALLOC(c.field_of_column = calloc(entry->n_columns + 1, sizeof *c.field_of_column));
    for (size_t i = 0; i < entry->n_columns; i++) {
        c.field_of_column[i] = entry->columns[i].field;
        text_append(csv, i ? "," : "");
        text_append_csv(csv, entry->columns[i].name);
    }
    text_append(csv, "\n");
    if (entry->form == SOURCE_FORM_ARFF)
        CHECK(skip_to_data(&c, err));
    if (entry->form == SOURCE_FORM_NAMED_CSV)
        CHECK(read_header(&c, err));
    CHECK(convert_rows(&c, csv, err));
    return text_buffer_check(csv, err);
}

void dataset_append_entry_schema(const dataset_entry *entry, text_buffer *out) {
    text_append(out, "column,type,cardinality\n");
    for (size_t i = 0; i < entry->n_columns; i++) {
        const dataset_column *column = &entry->columns[i];
        text_append_csv(out, column->name);
        text_append_format(out, ",%s,%zu\n", column->is_discrete ? "discrete" : "continuous", column->n_distinct);
    }
}
