/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/reproduction/published_rows.h"

#include "core/base/array.h"
#include "core/base/file.h"
#include "parts/figures/absent_rows.h"
#include "parts/figures/published.h"
#include "report/reproduction/reproduction_internal.h"

#include <stdlib.h>
#include <string.h>

static void file_clear(published_file *f) {
    free(f->folder);
    free(f->name);
    free(f->states);
    csv_table_destroy(f->fields);
}

void published_rows_clear(published_rows *p) {
    for (size_t i = 0; i < p->n; i++)
        file_clear(&p->files[i]);
    free(p->files);
    *p = (published_rows){0};
}

/* ---- files ---- */

/* Neither a value nor a verdict: the paper prints "n/a" there, or nothing. */
static bool is_empty(const csv_table *t, size_t row) {
    const char *value = csv_table_field(t, row, csv_table_column(t, "value"));
    const char *sign = csv_table_field(t, row, csv_table_column(t, "verdict"));
    return !*value && (!*sign || strcmp(sign, "n/a") == 0);
}

static status read_file(const char *folder, const char *name, published_file *out, error_info *err) {
    AUTO(file_clear) published_file f = {.folder = text_copy(folder), .name = text_copy(name)};
    CHECK_ALLOC(f.folder && f.name);
    CHECK(published_read_rows(folder, name, &f.fields, err));
    f.n_rows = csv_table_row_count(f.fields);
    CHECK_ALLOC(f.states = calloc(f.n_rows + 1, sizeof *f.states));
    for (size_t i = 0; i < f.n_rows; i++)
        f.states[i] = is_empty(f.fields, i) ? ROW_EMPTY : ROW_LEFT;
    *out = TAKE(f);
    return STATUS_OK;
}

status published_rows_add(published_rows *p, const char *folder, const char *name, published_file **out,
                          error_info *err) {
    published_file f = {0};
    status st;
    for (size_t i = 0; i < p->n; i++) {
        if (strcmp(p->files[i].folder, folder) == 0 && strcmp(p->files[i].name, name) == 0) {
            *out = &p->files[i];
            return STATUS_OK;
        }
    }
    CHECK(read_file(folder, name, &f, err));
    st = ARRAY_APPEND(p->files, p->n, err, f);
    if (st != STATUS_OK)
        file_clear(&f);
    else
        *out = &p->files[p->n - 1];
    return st;
}

/* By its name alone a file is found in a folder that its name begins with. */
static status add_folder(published_rows *p, const char *folder, const char *below, error_info *err) {
    AUTO(folder_list_clear) folder_list list = {0};
    published_file *f;
    CHECK(folder_list_read(below, ".csv", &list, err));
    for (size_t i = 0; i < list.n; i++) {
        if (strcmp(list.names[i], "index.csv") != 0)
            CHECK(published_rows_add(p, folder, list.names[i], &f, err));
    }
    return STATUS_OK;
}

status published_rows_add_all(published_rows *p, const char *folder, error_info *err) {
    AUTO(folder_list_clear) folder_list list = {0};
    CHECK(add_folder(p, folder, folder, err));
    CHECK(folder_list_read(folder, "", &list, err));
    for (size_t i = 0; i < list.n; i++) {
        AUTO_FREE char *below = path_join(folder, list.names[i]);
        CHECK_ALLOC(below);
        if (!strchr(list.names[i], '.'))
            CHECK(add_folder(p, folder, below, err));
    }
    return STATUS_OK;
}

/* ---- marks ---- */

static void mark(published_file *f, size_t row, row_state state) {
    if (row < f->n_rows && state < f->states[row])
        f->states[row] = state;
}

static row_state state_of(const reproduced_table *r, size_t cell) {
    if (figure_is_baseline(r, cell))
        return ROW_BASELINE;
    return figure_counts_at(r, cell) && table_counts(r) ? ROW_COUNTED : ROW_COMPARED;
}

static status mark_table(published_rows *p, const char *folder, const reproduced_table *r, error_info *err) {
    published_file *f = NULL;
    if (!r->published)
        return STATUS_OK;
    CHECK(published_rows_add(p, folder, r->published, &f, err));
    for (size_t i = 0; i < r->t.n_rows * r->t.n_columns; i++) {
        if (r->t.cells[i].published)
            mark(f, r->t.cells[i].published_row, state_of(r, i));
    }
    return STATUS_OK;
}

static status mark_test(published_rows *p, const char *folder, const reproduced_test *t, error_info *err) {
    for (size_t i = 0; i < t->outcomes.n; i++) {
        const test_outcome *o = &t->outcomes.items[i];
        published_file *f = NULL;
        CHECK(published_rows_add(p, folder, o->file, &f, err));
        mark(f, o->row, ROW_COUNTED);
    }
    return STATUS_OK;
}

static status mark_absent(published_rows *p, const char *folder, const absent_rows *a, error_info *err) {
    published_file *f = NULL;
    CHECK(published_rows_add(p, folder, a->published, &f, err));
    for (size_t i = 0; i < f->n_rows; i++) {
        if (absent_is_row(a, f->fields, i))
            mark(f, i, ROW_ABSENT);
    }
    return STATUS_OK;
}

status published_rows_mark(published_rows *p, const reproduction *of, error_info *err) {
    const experiment_outputs *o = of->in->of.outputs;
    const char *folder = of->in->published_folder;
    for (size_t i = 0; folder && i < of->base.n_tables; i++)
        CHECK(mark_table(p, folder, &of->base.tables[i], err));
    for (size_t i = 0; folder && i < of->base.n_tests; i++)
        CHECK(mark_test(p, folder, &of->base.tests[i], err));
    for (size_t i = 0; folder && i < o->n_absent; i++)
        CHECK(mark_absent(p, folder, &o->absent[i], err));
    return STATUS_OK;
}

status published_rows_mark_declared(published_rows *p, const part_context *of, const char *folder, error_info *err) {
    const reproduction_input in = {.of = *of, .published_folder = folder};
    AUTO(reproduction_clear) reproduction r = {0};
    CHECK(reproduction_compute(&in, &r, err));
    return published_rows_mark(p, &r, err);
}

/* ---- sums ---- */

void published_rows_count(published_rows *p, size_t sums[N_ROW_STATES]) {
    memset(sums, 0, N_ROW_STATES * sizeof *sums);
    for (size_t i = 0; i < p->n; i++) {
        published_file *f = &p->files[i];
        memset(f->n, 0, sizeof f->n);
        for (size_t k = 0; k < f->n_rows; k++)
            f->n[f->states[k]]++;
        for (size_t s = 0; s < N_ROW_STATES; s++)
            sums[s] += f->n[s];
    }
}

void published_rows_append(const size_t sums[N_ROW_STATES], text_buffer *out) {
    static const char *const words[N_ROW_STATES] = {"counted",        "compared only", "the baseline's own",
                                                    "empty in print", "absent",        "left over"};
    size_t n = 0;
    for (size_t s = 0; s < N_ROW_STATES; s++)
        n += sums[s];
    text_append_format(out, "%zu rows", n);
    for (size_t s = 0, n_said = 0; s < N_ROW_STATES; s++) {
        if (sums[s] > 0 || s == ROW_LEFT)
            text_append_format(out, "%s%zu %s", n_said++ ? ", " : ": ", sums[s], words[s]);
    }
}

void published_rows_say(published_rows *p, document *d) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    size_t sums[N_ROW_STATES];
    if (p->n == 0)
        return;
    published_rows_count(p, sums);
    published_rows_append(sums, &text);
    d->failed |= text.failed;
    document_begin(d, BLOCK_PARAGRAPH);
    document_say(d, SPAN_TEXT, "Published figures in %zu file%s that these experiments name: %s.", p->n,
                 p->n == 1 ? "" : "s", text.data ? text.data : "");
}
