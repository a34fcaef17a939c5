/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/sheet.h"

#include "core/base/array.h"
#include "core/base/file.h"
#include "core/data/csv.h"

#include <string.h>

void sheet_clear(sheet *s) {
    texts_destroy(s->cells, (s->n_rows + 1) * s->n_columns);
    *s = (sheet){0};
}

static status parse(csv_reader *reader, sheet *s, size_t *n, error_info *err) {
    while (!reader->is_done) {
        csv_field field;
        char *copy;
        status st;
        CHECK(csv_read_field(reader, &field, err));
        CHECK_ALLOC(copy = text_copy_n(field.text, field.length));
        st = ARRAY_APPEND(s->cells, *n, err, copy);
        if (st != STATUS_OK)
            free(copy);
        CHECK(st);
        if (reader->row_ended && s->n_columns == 0)
            s->n_columns = *n;
        if (reader->row_ended != (s->n_columns > 0 && *n % s->n_columns == 0))
            return csv_error(reader, err, "a row has another number of fields than the header");
    }
    return STATUS_OK;
}

status sheet_read(const char *path, sheet *out, error_info *err) {
    AUTO_FREE char *text = NULL;
    csv_reader reader;
    size_t length = 0, n = 0;
    sheet s = {0};
    status st = file_read(path, 1 << 20, &text, &length, err);
    if (st == STATUS_OK) {
        csv_init(&reader, text, length);
        st = parse(&reader, &s, &n, err);
        csv_clear(&reader);
    }
    if (st != STATUS_OK) {
        texts_destroy(s.cells, n);
        return error_at(st, err, path);
    }
    s.n_rows = s.n_columns > 0 ? n / s.n_columns - 1 : 0;
    *out = s;
    return STATUS_OK;
}

const char *sheet_cell(const sheet *s, size_t row, const char *column) {
    for (size_t c = 0; c < s->n_columns; c++) {
        if (strcmp(s->cells[c], column) == 0)
            return s->cells[(row + 1) * s->n_columns + c];
    }
    return "";
}
