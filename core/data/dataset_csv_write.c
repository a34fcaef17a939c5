/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/file.h"
#include "core/data/data_form.h"
#include "core/data/dataset_csv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* An empty state is quoted, so that a row of it alone is no empty line; and a byte order mark, which would be skipped.
 */
static void append_field(text_buffer *out, const char *field, char separator) {
    if (!*field || strncmp(field, "\xEF\xBB\xBF", 3) == 0 || strchr(field, separator))
        text_append_csv_quoted(out, field);
    else
        text_append_csv(out, field);
}

/* The states of a column as they stand in the file, quoted once and not in every row. */
typedef struct {
    text_buffer text;
    size_t *ends; /* state k is text[ends[k] .. ends[k + 1]) */
} spelled_states;

static void spelled_clear(spelled_states *columns, size_t n) {
    for (size_t c = 0; columns && c < n; c++) {
        text_buffer_clear(&columns[c].text);
        free(columns[c].ends);
    }
    free(columns);
}

static bool spell(const variable *v, char separator, spelled_states *column) {
    column->ends = calloc(v->n_states + 1, sizeof *column->ends);
    for (size_t k = 0; column->ends && k < v->n_states; k++) {
        append_field(&column->text, v->states[k], separator);
        column->ends[k + 1] = column->text.length;
    }
    return column->ends && !column->text.failed;
}

static spelled_states *spell_all(const dataset *data, char separator) {
    size_t n = dataset_column_count(data);
    spelled_states *columns = calloc(n, sizeof *columns);
    for (size_t c = 0; columns && c < n; c++) {
        if (!spell(dataset_variable(data, c), separator, &columns[c])) {
            spelled_clear(columns, n);
            return NULL;
        }
    }
    return columns;
}

static void append_cell(const dataset *data, const spelled_states *columns, size_t row, size_t c, text_buffer *out) {
    const double *reals = dataset_reals(data, c);
    char number[32];
    size_t k;
    if (reals) {
        text_append(out, text_from_double(reals[row], number));
        return;
    }
    assert(columns[c].ends); /* or spell_all had failed */
    k = dataset_state(data, row, c);
    text_append_bytes(out, columns[c].text.data + columns[c].ends[k], columns[c].ends[k + 1] - columns[c].ends[k]);
}

/* The name of a single column is quoted where it would be taken for several. */
static void append_header(const dataset *data, char separator, text_buffer *out) {
    size_t n = dataset_column_count(data);
    for (size_t c = 0; c < n; c++) {
        const char *name = dataset_variable(data, c)->name;
        text_append_bytes(out, &separator, c > 0);
        if (n == 1 && strpbrk(name, ";\t"))
            text_append_csv_quoted(out, name);
        else
            append_field(out, name, separator);
    }
    text_append(out, "\n");
}

void dataset_append_separated(const dataset *data, char separator, text_buffer *out) {
    size_t n = dataset_column_count(data);
    spelled_states *columns = spell_all(data, separator);
    if (!columns) {
        out->failed = true;
        return;
    }
    append_header(data, separator, out);
    for (size_t row = 0; row < dataset_row_count(data); row++) {
        for (size_t c = 0; c < n; c++) {
            append_cell(data, columns, row, c, out);
            text_append_bytes(out, c + 1 < n ? &separator : "\n", 1);
        }
    }
    spelled_clear(columns, n);
}

void dataset_append_csv(const dataset *data, text_buffer *out) {
    dataset_append_separated(data, ',', out);
}

/* "a|b"; a '|' within a state is "\|", and a backslash is doubled where it would else be taken for such a mark. */
static void append_states(const variable *v, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer cell = {0};
    for (size_t k = 0; k < v->n_states; k++) {
        text_append(&cell, k ? "|" : "");
        for (const char *c = v->states[k]; *c; c++) {
            if (*c == '|' || *c == '\\')
                text_append(&cell, "\\");
            text_append_bytes(&cell, c, 1);
        }
    }
    if (cell.data)
        text_append_csv(out, cell.data);
    out->failed = out->failed || cell.failed;
}

/* The sidecar: column,type,cardinality,states. */
static void append_schema(const dataset *data, text_buffer *out) {
    text_append(out, "column,type,cardinality,states\n");
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        const variable *v = dataset_variable(data, c);
        text_append_csv(out, v->name);
        if (v->kind == VARIABLE_CONTINUOUS) {
            text_append(out, ",continuous,,\n");
            continue;
        }
        text_append_format(out, ",discrete,%zu,", v->n_states);
        append_states(v, out);
        text_append(out, "\n");
    }
}

static bool is_device(const char *path) {
    struct stat info;
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

static status write_files(const dataset *data, const char *path, error_info *err) {
    AUTO(text_buffer_clear) text_buffer rows = {0}, schema = {0};
    AUTO_FREE char *schema_path = dataset_schema_path(path);
    CHECK_ALLOC(schema_path);
    dataset_append_separated(data, data_form_of_path(path) == DATA_FORM_TSV ? '\t' : ',', &rows);
    append_schema(data, &schema);
    CHECK(text_buffer_check(&rows, err));
    CHECK(text_buffer_check(&schema, err));
    return is_device(path) || !*path
               ? file_write(path, rows.data, rows.length, err)
               : file_write_with(path, rows.data, rows.length, schema_path, schema.data, schema.length, err);
}

status dataset_write_csv(const dataset *data, const char *path, error_info *err) {
    return error_at(write_files(data, path, err), err, path);
}
