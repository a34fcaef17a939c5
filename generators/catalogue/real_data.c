/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/real_data.h"

#include "core/base/array.h"
#include "core/base/file.h"
#include "core/base/name_index.h"
#include "core/base/text.h"
#include "core/data/csv.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_catalogue.h"

#include <stdlib.h>
#include <string.h>

/* ---- where ---- */

static bool is_path(const char *name) {
    return strchr(name, '/') || path_ends_with(name, ".csv") || path_ends_with(name, ".csv.gz");
}

static status try_ending(const char *folder, const char *name, const char *ending, const char *packed, char **out,
                         error_info *err) {
    text_buffer base = {0};
    char *path = NULL;
    status st = STATUS_OK;
    if (*out)
        return STATUS_OK;
    text_append_format(&base, "%s%s%s", name, ending, packed);
    TRY(text_buffer_check(&base, err));
    TRY_ALLOC(path = path_join(folder, base.data));
    if (file_exists(path)) {
        *out = path;
        path = NULL;
    }
cleanup:
    text_buffer_clear(&base);
    free(path);
    return st;
}

static status try_folder(const char *folder, const char *name, const char *ending, char **out, error_info *err) {
    status st = try_ending(folder, name, ending, "", out, err);
    return st == STATUS_OK ? try_ending(folder, name, ending, ".gz", out, err) : st;
}

static status search_list(const char *folders, const char *name, const char *ending, char **out, error_info *err) {
    status st = STATUS_OK;
    while (*folders && st == STATUS_OK && !*out) {
        size_t length = strcspn(folders, ":");
        char *folder = text_copy_n(folders, length);
        CHECK_ALLOC(folder);
        if (length > 0)
            st = try_folder(folder, name, ending, out, err);
        free(folder);
        folders += length + (folders[length] == ':');
    }
    return st;
}

static status not_found(const char *name, const char *ending, const char *searched, error_info *err) {
    const dataset_entry *entry = dataset_catalogue_find(name);
    const char *near = dataset_catalogue_nearest(name);
    bool is_data = strcmp(ending, ".csv") == 0;
    if (is_data && entry && entry->url)
        return error_set(err, STATUS_MISSING,
                         "the data set '%s' is not on this computer; `bnbench datasets fetch %s` gets it, or name its "
                         "folder in BNBENCH_DATASETS (searched: %s)",
                         name, name, searched);
    if (is_data && entry)
        return error_set(err, STATUS_MISSING,
                         "the data set '%s' is not on this computer, and no public address of it is known; name its "
                         "folder in BNBENCH_DATASETS (searched: %s)",
                         name, searched);
    if (is_data && near)
        return error_set(err, STATUS_MISSING, "there is no data set '%.100s'; did you mean '%s'? (searched: %s)", name,
                         near, searched);
    return error_set(err, STATUS_MISSING,
                     "the file %.100s%s of a data set is not on this computer; name its folder in BNBENCH_DATASETS "
                     "(searched: %s)",
                     name, ending, searched);
}

static status search_all(const char *name, const char *ending, char **out, error_info *err) {
    const char *folders = getenv("BNBENCH_DATASETS");
    char *cache = catalogue_cache_folder();
    text_buffer searched = {0};
    status st = STATUS_OK;
    TRY_ALLOC(cache);
    if (folders)
        TRY(search_list(folders, name, ending, out, err));
    if (!*out)
        TRY(try_folder(cache, name, ending, out, err));
    text_append_format(&searched, "%s%s%s", folders ? folders : "", folders && *folders ? ", " : "", cache);
    TRY(text_buffer_check(&searched, err));
    if (!*out)
        st = not_found(name, ending, searched.data, err);
cleanup:
    text_buffer_clear(&searched);
    free(cache);
    return st;
}

status real_data_locate(const char *name, const char *ending, char **path, error_info *err) {
    char *found = NULL;
    status st;
    if (is_path(name)) {
        if (!file_exists(name))
            return error_set(err, STATUS_MISSING, "there is no file %.300s", name);
        *path = text_copy(name);
        return *path ? STATUS_OK : error_out_of_memory(err);
    }
    st = search_all(name, ending, &found, err);
    if (st == STATUS_OK)
        *path = found;
    else
        free(found);
    return st;
}

/* ---- arcs ---- */

typedef struct {
    csv_reader reader;
    size_t n_fields, from_field, to_field;
    name_index *index;
    gene_arc *arcs;
    size_t n, capacity;
} arc_file;

static bool field_is(const csv_field *field, const char *word) {
    return field->length == strlen(word) && memcmp(field->text, word, field->length) == 0;
}

static status read_header(arc_file *f, error_info *err) {
    status st = STATUS_OK;
    f->from_field = f->to_field = SIZE_MAX;
    f->reader.line = f->reader.column = 1;
    if (f->reader.is_done)
        return csv_error(&f->reader, err, "expected the header from,to, found an empty file");
    do {
        csv_field field;
        CHECK(csv_read_field(&f->reader, &field, err));
        if (field_is(&field, "from"))
            f->from_field = f->n_fields;
        if (field_is(&field, "to"))
            f->to_field = f->n_fields;
        f->n_fields++;
    } while (!f->reader.row_ended);
    if (f->from_field == SIZE_MAX || f->to_field == SIZE_MAX)
        st = csv_error(&f->reader, err, "expected a header with the columns from and to");
    return st;
}

static status find_node(const arc_file *f, const csv_field *field, size_t *out, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    *out = name_index_find_n(f->index, field->text, field->length);
    if (*out == NAME_NONE)
        return csv_error(&f->reader, err, "'%s' is no column of the data",
                         text_show(field->text, field->length, shown));
    return STATUS_OK;
}

static status add_arc(arc_file *f, gene_arc arc, error_info *err) {
    return arc.from == arc.to ? STATUS_OK : ARRAY_PUSH(f->arcs, f->n, f->capacity, err, arc);
}

static status read_row(arc_file *f, error_info *err) {
    gene_arc arc = {0};
    for (size_t i = 0; i < f->n_fields; i++) {
        csv_field field;
        status st = csv_read_field(&f->reader, &field, err);
        if (st == STATUS_OK && f->reader.row_ended != (i + 1 == f->n_fields))
            st = csv_error(&f->reader, err, "expected %zu fields as in the header", f->n_fields);
        if (st == STATUS_OK && i == f->from_field)
            st = find_node(f, &field, &arc.from, err);
        if (st == STATUS_OK && i == f->to_field)
            st = find_node(f, &field, &arc.to, err);
        if (st != STATUS_OK)
            return st;
    }
    return add_arc(f, arc, err);
}

static int compare_arcs(const void *a, const void *b) {
    const gene_arc *x = a, *y = b;
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

status arcs_read_csv(const char *path, const char *const *names, size_t n_names, gene_arc **arcs, size_t *n_arcs,
                     error_info *err) {
    arc_file f = {0};
    char *text = NULL;
    size_t length = 0;
    status st = STATUS_OK;
    TRY(file_read(path, FILE_READ_MOST, &text, &length, err));
    TRY(name_index_create(n_names, &f.index, err));
    for (size_t i = 0; i < n_names; i++)
        TRY(name_index_add(f.index, names[i], i, NULL, err));
    csv_init(&f.reader, text, length);
    TRY(read_header(&f, err));
    while (!f.reader.is_done)
        TRY(read_row(&f, err));
    drop_repeated(&f);
    *arcs = f.arcs;
    *n_arcs = f.n;
    f.arcs = NULL;
cleanup:
    if (st != STATUS_OK && st != STATUS_MEMORY)
        error_context(err, "%.300s", path);
    csv_clear(&f.reader);
    name_index_destroy(f.index);
    free(f.arcs);
    free(text);
    return st;
}
