/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/explanation/explanation_internal.h"

#include "report/reproduction/reproduction_internal.h"

#include <stdlib.h>
#include <string.h>

struct explanation {
    reproduction p;
    explained_jobs jobs;
    size_t n_readings;
    explained_reading *readings;
};

static void clear_readings(explanation *e) {
    for (size_t i = 0; e->readings && i < e->n_readings; i++)
        free(e->readings[i].shown);
    free(e->readings);
    e->readings = NULL;
    e->n_readings = 0;
}

void explanation_destroy(explanation *e) {
    if (!e)
        return;
    clear_readings(e);
    explained_jobs_clear(&e->jobs);
    reproduction_clear(&e->p);
    free(e);
}

status explanation_create(const reproduction_input *in, explanation **out, error_info *err) {
    explanation *e = calloc(1, sizeof *e);
    status st = STATUS_OK;
    TRY_ALLOC(e);
    TRY(reproduction_compute(in, &e->p, err));
    *out = TAKE(e);
cleanup:
    explanation_destroy(e);
    return st;
}

/* ---- finding it ---- */

size_t explanation_table_count(const explanation *e) {
    return e->p.base.n_tables;
}

const char *explanation_table_id(const explanation *e, size_t i) {
    return e->p.base.tables[i].id;
}

static status no_such(const char *what, const char *typed, const char *const *names, size_t n, error_info *err) {
    const char *near = text_nearest(typed, names, n);
    AUTO(text_buffer_clear) text_buffer all = {0};
    for (size_t i = 0; i < n; i++)
        text_append_format(&all, "%s%s", i ? ", " : "", names[i]);
    return near ? error_set(err, STATUS_MISSING, "there is no %s '%.60s'; did you mean '%s'?", what, typed, near)
                : error_set(err, STATUS_MISSING, "there is no %s '%.60s'; there are: %.300s", what, typed,
                            all.data ? all.data : "none");
}

static status find_table(const explanation *e, const char *id, const reproduced_table **out, error_info *err) {
    const reproduced_parts *p = &e->p.base;
    AUTO_FREE const char **ids = calloc(p->n_tables + 1, sizeof *ids);
    CHECK_ALLOC(ids);
    for (size_t i = 0; i < p->n_tables; i++)
        ids[i] = p->tables[i].id;
    *out = parts_find_table(p, id);
    return *out ? STATUS_OK : no_such("table", id, ids, p->n_tables, err);
}

status explanation_find_table(const explanation *e, const char *id, const table **out, error_info *err) {
    const reproduced_table *r = NULL;
    CHECK(find_table(e, id, &r, err));
    *out = &r->t;
    return STATUS_OK;
}

static status find_name(const char *what, const char *typed, char *const *names, size_t n, size_t *out,
                        error_info *err) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], typed) == 0) {
            *out = i;
            return STATUS_OK;
        }
    }
    return no_such(what, typed, (const char *const *)names, n, err);
}

/* ---- what is said of it ---- */

static tolerance_answer judge(const reproduced_table *r, size_t at) {
    const table_cell *cell = &r->t.cells[at];
    if (!r->within->is_declared || !figure_counts_at(r, at))
        return TOLERANCE_NONE;
    if (cell->kind != CELL_FIGURE)
        return TOLERANCE_NO_FIGURE;
    return figure_is_within(r, cell) ? TOLERANCE_WITHIN : TOLERANCE_OUTSIDE;
}

static bool is_named_by(const reason_spec *reason, const char *reading) {
    for (size_t i = 0; reason && i < reason->n_readings; i++) {
        if (strcmp(reason->readings[i], reading) == 0)
            return true;
    }
    return false;
}

static status take_reading(const reproduced_parts *theirs, const explained_figure *f, explained_reading *out,
                           error_info *err) {
    const reproduced_table *r = parts_find_table(theirs, f->table_id);
    const table_cell *cell = r ? table_find_cell(&r->t, f->row, f->column) : NULL;
    AUTO(text_buffer_clear) text_buffer shown = {0};
    *out = (explained_reading){.reading = theirs->reading, .is_run = theirs->is_run};
    if (!cell)
        return STATUS_OK;
    table_append_figure(&r->t, cell, &shown);
    return text_buffer_take(&shown, &out->shown, err);
}

static status take_readings(explanation *e, explained_figure *f, error_info *err) {
    clear_readings(e);
    CHECK_ALLOC(e->readings = calloc(e->p.n_readings + 1, sizeof *e->readings));
    for (size_t i = 0; i < e->p.n_readings; i++) {
        const reproduced_parts *theirs = &e->p.readings[i];
        if (theirs->is_run || is_named_by(f->reason, theirs->reading->id))
            CHECK(take_reading(theirs, f, &e->readings[e->n_readings++], err));
    }
    f->readings = e->readings;
    f->n_readings = e->n_readings;
    return STATUS_OK;
}

static status take_jobs(explanation *e, size_t row, size_t column, explained_figure *f, error_info *err) {
    const part_context *c = &e->p.in->of;
    const declared_part *part = part_list_find(c->parts, f->table_id);
    bool by_column = f->t->learners_are_columns;
    explained_jobs_clear(&e->jobs);
    f->spec = part ? metric_table_of(part) : NULL;
    if (!f->spec)
        return STATUS_OK;
    CHECK(explained_jobs_find(c, f->spec, f->t, by_column ? row : column, by_column ? column : row, &e->jobs, err));
    f->n_metrics = e->jobs.n_metrics;
    f->metrics = e->jobs.metrics;
    f->n_jobs = e->jobs.n;
    f->jobs = e->jobs.jobs;
    return STATUS_OK;
}

status explanation_find(explanation *e, const char *table_id, const char *row, const char *column,
                        explained_figure *out, error_info *err) {
    const reproduced_table *r = NULL;
    size_t i = 0, k = 0, at;
    CHECK(find_table(e, table_id, &r, err));
    CHECK(find_name("row", row, r->t.row_names, r->t.n_rows, &i, err));
    CHECK(find_name("column", column, r->t.column_names, r->t.n_columns, &k, err));
    at = i * r->t.n_columns + k;
    *out = (explained_figure){.table_id = r->id,
                              .row = r->t.row_names[i],
                              .column = r->t.column_names[k],
                              .t = &r->t,
                              .cell = &r->t.cells[at],
                              .within = r->within,
                              .tolerance = judge(r, at),
                              .is_baseline = figure_is_baseline(r, at)};
    if (r->figures && r->figures[at].counts && r->figures[at].state != FIGURE_WITHIN) {
        out->reason = r->figures[at].reason;
        out->is_shown = r->figures[at].state == FIGURE_SHOWN;
    }
    CHECK(take_readings(e, out, err));
    return take_jobs(e, i, k, out, err);
}
