/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/arcs.h"

#include "core/base/array.h"
#include "core/base/file.h"
#include "core/base/name_index.h"
#include "core/base/text.h"
#include "core/data/csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    csv_reader reader;
    size_t n_fields, from_field, to_field;
    name_index *index;
    graph_arc *arcs;
    size_t n, capacity;
} arc_file;

static void arc_file_clear(arc_file *f) {
    csv_clear(&f->reader);
    name_index_destroy(f->index);
    free(f->arcs);
}

static status read_header(arc_file *f, error_info *err) {
    f->from_field = f->to_field = SIZE_MAX;
    f->reader.line = f->reader.column = 1;
    if (f->reader.is_done)
        return csv_error(&f->reader, err, "expected the header from,to, found an empty file");
    do {
        csv_field field;
        CHECK(csv_read_field(&f->reader, &field, err));
        if (csv_field_is(&field, "from"))
            f->from_field = f->n_fields;
        if (csv_field_is(&field, "to"))
            f->to_field = f->n_fields;
        f->n_fields++;
    } while (!f->reader.row_ended);
    if (f->from_field == SIZE_MAX || f->to_field == SIZE_MAX)
        return csv_error(&f->reader, err, "expected a header with the columns from and to");
    return STATUS_OK;
}

static status find_node(const arc_file *f, const csv_field *field, size_t *out, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    *out = name_index_find_n(f->index, field->text, field->length);
    if (*out == NAME_NONE)
        return csv_error(&f->reader, err, "'%s' is no column of the data",
                         text_show(field->text, field->length, shown));
    return STATUS_OK;
}

static status read_row(arc_file *f, error_info *err) {
    graph_arc arc = {0};
    for (size_t i = 0; i < f->n_fields; i++) {
        csv_field field;
        CHECK(csv_read_cell(&f->reader, i, f->n_fields, &field, err));
        if (i == f->from_field)
            CHECK(find_node(f, &field, &arc.from, err));
        if (i == f->to_field)
            CHECK(find_node(f, &field, &arc.to, err));
    }
    return arc.from == arc.to ? STATUS_OK : ARRAY_PUSH(f->arcs, f->n, f->capacity, err, arc);
}

static int compare_arcs(const void *a, const void *b) {
    const graph_arc *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static void drop_repeated(arc_file *f) {
    size_t kept = 0;
    if (f->n > 0)
        qsort(f->arcs, f->n, sizeof *f->arcs, compare_arcs);
    for (size_t i = 0; i < f->n; i++) {
        if (i == 0 || compare_arcs(&f->arcs[i], &f->arcs[i - 1]) != 0)
            f->arcs[kept++] = f->arcs[i];
    }
    f->n = kept;
}

static status read_file(const char *path, const char *const *names, size_t n_names, graph_arc **arcs, size_t *n_arcs,
                        error_info *err) {
    AUTO(arc_file_clear) arc_file f = {0};
    AUTO_FREE char *text = NULL;
    size_t length = 0;
    CHECK(file_read(path, FILE_READ_MOST, &text, &length, err));
    CHECK(name_index_create(n_names, &f.index, err));
    for (size_t i = 0; i < n_names; i++)
        CHECK(name_index_add(f.index, names[i], i, NULL, err));
    csv_init(&f.reader, text, length);
    CHECK(read_header(&f, err));
    while (!f.reader.is_done)
        CHECK(read_row(&f, err));
    drop_repeated(&f);
    *arcs = f.arcs;
    *n_arcs = f.n;
    f.arcs = NULL;
    return STATUS_OK;
}

status arcs_read_csv(const char *path, const char *const *names, size_t n_names, graph_arc **arcs, size_t *n_arcs,
                     error_info *err) {
    return error_at(read_file(path, names, n_names, arcs, n_arcs, err), err, path);
}
