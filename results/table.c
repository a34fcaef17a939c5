/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "results/table.h"

#include "results/block_means.h"
#include "results/table_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_names(char **names, size_t n) {
    for (size_t i = 0; names && i < n; i++)
        free(names[i]);
    free(names);
}

void table_clear(table *t) {
    free(t->id);
    free(t->title);
    free(t->row_heading);
    for (size_t i = 0; t->cells && i < t->n_rows * t->n_columns; i++)
        free(t->cells[i].published);
    free(t->cells);
    free_names(t->row_names, t->n_rows);
    free_names(t->column_names, t->n_columns);
    free_names(t->notes, t->n_notes);
    *t = (table){0};
}

bool table_has_figures(const table *t) {
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (t->cells[i].kind == CELL_FIGURE)
            return true;
    }
    return false;
}

grid_element table_element(const table_work *w, size_t group, size_t element) {
    return w->group_axis == AXIS_SAMPLES ? (grid_element){.network = element, .size = group}
                                         : (grid_element){.network = group, .size = element};
}

table_cell *table_cell_at(const table_work *w, table *t, size_t group, size_t shown) {
    (void)w;
    return t->learners_are_columns ? &t->cells[group * t->n_columns + shown] : &t->cells[shown * t->n_columns + group];
}

static size_t find_learner(const experiment_outputs *o, const char *id) {
    for (size_t i = 0; i < o->n_learners; i++) {
        if (strcmp(o->learners[i], id) == 0)
            return i;
    }
    return NO_BASELINE;
}

static status check_axes(table_work *w, error_info *err) {
    const table_spec *spec = w->spec;
    if ((spec->rows == AXIS_LEARNER) == (spec->columns == AXIS_LEARNER))
        return error_set(err, STATUS_INVALID,
                         "rows and columns must be learners on the one side and samples or networks on the other");
    w->group_axis = spec->rows == AXIS_LEARNER ? spec->columns : spec->rows;
    w->n_groups = w->group_axis == AXIS_SAMPLES ? w->outputs->n_sizes : w->outputs->n_networks;
    w->n_elements = w->group_axis == AXIS_SAMPLES ? w->outputs->n_networks : w->outputs->n_sizes;
    w->has_average = w->group_axis == AXIS_SAMPLES && w->n_groups > 1;
    w->baseline = NO_BASELINE;
    if (!spec->normalise_by)
        return STATUS_OK;
    if (spec->aggregate == AGGREGATE_MEAN_RANK)
        return error_set(err, STATUS_INVALID, "mean ranks are not normalised; leave normalise_by out");
    w->baseline = find_learner(w->outputs, spec->normalise_by);
    if (w->baseline == NO_BASELINE)
        return error_set(err, STATUS_INVALID, "it is to be normalised by '%s', which is no learner of the experiment",
                         spec->normalise_by);
    return STATUS_OK;
}

/* A baseline that the table does not name is there to divide by, not to be shown. */
static void choose_learners(table_work *w) {
    size_t n_named = w->spec->n_learners ? w->spec->n_learners : w->grid.n_learners;
    for (size_t l = 0; l < n_named; l++) {
        if (w->values.applies[l])
            w->shown[w->n_shown++] = l;
    }
}

static const char *first_metric(const table_spec *spec) {
    return spec->n_sum_of ? spec->sum_of[0] : spec->metric;
}

static status prepare(table_work *w, const job_record *records, size_t n_records, error_info *err) {
    const experiment_outputs *o = w->outputs;
    status st = STATUS_OK;
    TRY(check_axes(w, err));
    TRY(result_grid_create(o, records, n_records, &w->grid, err));
    TRY(metric_values_create(&w->grid, first_metric(w->spec), w->spec->failures, &w->values, err));
    w->shown = calloc(o->n_learners + 1, sizeof *w->shown);
    w->figures = calloc(w->n_groups * o->n_learners + 1, sizeof *w->figures);
    w->summaries = calloc(w->n_groups + 1, sizeof *w->summaries);
    w->is_zero = calloc(w->n_groups * w->n_elements + 1, sizeof *w->is_zero);
    TRY_ALLOC(w->shown);
    TRY_ALLOC(w->figures);
    TRY_ALLOC(w->summaries);
    TRY_ALLOC(w->is_zero);
    choose_learners(w);
cleanup:
    return st;
}

static void clear_work(table_work *w) {
    result_grid_clear(&w->grid);
    metric_values_clear(&w->values);
    free(w->shown);
    free(w->figures);
    free(w->summaries);
    free(w->is_zero);
    free(w->aggregation);
}

static status compute_group(table_work *w, size_t group, error_info *err) {
    group_rule rule = {.baseline = w->baseline, .ratio = w->spec->ratio, .aggregate = w->spec->aggregate};
    grid_element *elements = calloc(w->n_elements + 1, sizeof *elements);
    status st = STATUS_OK;
    TRY_ALLOC(elements);
    for (size_t e = 0; e < w->n_elements; e++)
        elements[e] = table_element(w, group, e);
    if (w->spec->aggregate == AGGREGATE_MEAN_RANK)
        TRY(group_mean_ranks(&w->values, elements, w->n_elements, w->spec->failures,
                             w->info && !w->info->less_is_better, w->figures + group * w->grid.n_learners,
                             &w->summaries[group], err));
    else
        TRY(group_compare(&w->values, elements, w->n_elements, &rule, w->figures + group * w->grid.n_learners,
                          w->is_zero + group * w->n_elements, &w->summaries[group], err));
cleanup:
    free(elements);
    return st;
}

static char *group_name(const table_work *w, size_t group) {
    text_buffer b = {0};
    if (group == w->n_groups)
        text_append(&b, "average");
    else if (w->group_axis == AXIS_SAMPLES)
        text_append_format(&b, "%zu", w->outputs->sizes[group]);
    else
        text_append(&b, w->outputs->networks[group]);
    if (b.failed)
        text_buffer_clear(&b);
    return b.data;
}

static status name_axes(const table_work *w, table *t, error_info *err) {
    size_t n_groups = w->n_groups + w->has_average;
    char **groups, **learners;
    status st = STATUS_OK;
    t->learners_are_columns = w->spec->columns == AXIS_LEARNER;
    t->n_groups = w->n_groups;
    t->n_rows = t->learners_are_columns ? n_groups : w->n_shown;
    t->n_columns = t->learners_are_columns ? w->n_shown : n_groups;
    t->row_names = calloc(t->n_rows + 1, sizeof *t->row_names);
    t->column_names = calloc(t->n_columns + 1, sizeof *t->column_names);
    t->cells = calloc(t->n_rows * t->n_columns + 1, sizeof *t->cells);
    TRY_ALLOC(t->row_names);
    TRY_ALLOC(t->column_names);
    TRY_ALLOC(t->cells);
    groups = t->learners_are_columns ? t->row_names : t->column_names;
    learners = t->learners_are_columns ? t->column_names : t->row_names;
    for (size_t g = 0; g < n_groups; g++)
        TRY_ALLOC(groups[g] = group_name(w, g));
    for (size_t i = 0; i < w->n_shown; i++)
        TRY_ALLOC(learners[i] = text_copy(w->outputs->learners[w->shown[i]]));
    t->row_heading = text_copy(!t->learners_are_columns        ? "learner"
                               : w->group_axis == AXIS_SAMPLES ? "samples"
                                                               : "network");
    TRY_ALLOC(t->row_heading);
cleanup:
    return st;
}

static status name_table(const table_work *w, table *t, error_info *err) {
    const table_spec *spec = w->spec;
    bool is_rank = spec->aggregate == AGGREGATE_MEAN_RANK;
    const char *unit = display_unit_of(spec->metric);
    text_buffer title = {0};
    status st = STATUS_OK;
    if (spec->title)
        text_append(&title, spec->title);
    else if (spec->normalise_by)
        text_append_format(&title, "%s relative to %s", spec->metric, spec->normalise_by);
    else if (is_rank)
        text_append_format(&title, "mean rank by %s", spec->metric);
    else
        text_append_format(&title, *unit ? "%s (%s)" : "%s", spec->metric, unit);
    TRY(text_buffer_check(&title, err));
    t->title = title.data;
    title = (text_buffer){0};
    t->id = text_copy(spec->id ? spec->id : spec->metric);
    TRY_ALLOC(t->id);
    t->style = spec->normalise_by || is_rank ? NUMBER_RATIO : display_style_of(spec->metric);
    t->decimals = spec->decimals;
cleanup:
    text_buffer_clear(&title);
    return st;
}

/* Why a learner has no figure in a group. */
static cell_kind kind_without_figure(const table_work *w, size_t group, size_t learner) {
    size_t n_run = 0;
    if (w->figures[group * w->grid.n_learners + learner].takes_part)
        return CELL_EMPTY;
    for (size_t e = 0; e < w->n_elements; e++) {
        grid_element at = table_element(w, group, e);
        for (size_t r = 0; r < w->grid.n_replicates; r++)
            n_run += w->values.states[result_grid_index(&w->grid, at.network, at.size, r, learner)] != VALUE_ABSENT;
    }
    return n_run > 0 ? CELL_FAILED : CELL_NOT_RUN;
}

static void fill_cell(const table_work *w, table *t, size_t group, size_t shown) {
    const group_figure *f = &w->figures[group * w->grid.n_learners + w->shown[shown]];
    table_cell *cell = table_cell_at(w, t, group, shown);
    *cell = (table_cell){
        .of = w->n_elements * w->grid.n_replicates, .n = f->n, .n_imputed = f->n_imputed, .value = f->value};
    cell->kind = isnan(f->value) ? kind_without_figure(w, group, w->shown[shown]) : CELL_FIGURE;
}

/* The mean of the groups' figures, where there is one of each (the "Ave." of Brown et al. 2005). */
static void fill_average(const table_work *w, table *t, size_t shown) {
    table_cell *average = table_cell_at(w, t, w->n_groups, shown);
    double sum = 0;
    size_t n_not_run = 0;
    *average = (table_cell){.kind = CELL_FIGURE};
    for (size_t g = 0; g < w->n_groups; g++) {
        const table_cell *cell = table_cell_at(w, t, g, shown);
        average->of += cell->of;
        average->n += cell->n;
        average->n_imputed += cell->n_imputed;
        n_not_run += cell->kind == CELL_NOT_RUN;
        if (cell->kind == CELL_FIGURE)
            sum += cell->value;
        else
            average->kind = CELL_EMPTY;
    }
    if (n_not_run == w->n_groups)
        average->kind = CELL_NOT_RUN;
    average->value = sum / (double)w->n_groups;
}

/* 1: less is better, -1: more, 0: not to be said. A ratio of two negatives turns the sense round. */
static int sense_of(const table_work *w, size_t group) {
    size_t n_negative = 0, n_positive = 0;
    int sense;
    if (!w->info)
        return 0;
    sense = w->info->less_is_better || w->spec->aggregate == AGGREGATE_MEAN_RANK ? 1 : -1;
    if (w->baseline == NO_BASELINE)
        return sense;
    for (size_t g = 0; g < w->n_groups; g++) {
        if (group == g || group == w->n_groups) {
            n_negative += w->summaries[g].n_negative;
            n_positive += w->summaries[g].n_positive;
        }
    }
    return n_negative && n_positive ? 0 : n_negative ? -sense : sense;
}

static bool looks_like(const table *t, const table_cell *cell, const char *shown) {
    char text[DISPLAY_NUMBER_SIZE];
    return cell->kind == CELL_FIGURE && strcmp(display_number(cell->value, t->style, t->decimals, text), shown) == 0;
}

static void mark_best(const table_work *w, table *t, size_t group) {
    int sense = sense_of(w, group);
    const table_cell *best = NULL;
    size_t n_figures = 0, n_alike = 0;
    char shown[DISPLAY_NUMBER_SIZE];
    for (size_t i = 0; i < w->n_shown; i++) {
        const table_cell *cell = table_cell_at(w, t, group, i);
        if (cell->kind != CELL_FIGURE)
            continue;
        n_figures++;
        if (!best || sense * cell->value < sense * best->value)
            best = cell;
    }
    if (!best || sense == 0)
        return;
    (void)display_number(best->value, t->style, t->decimals, shown);
    for (size_t i = 0; i < w->n_shown; i++)
        n_alike += looks_like(t, table_cell_at(w, t, group, i), shown);
    for (size_t i = 0; n_alike < n_figures && i < w->n_shown; i++)
        table_cell_at(w, t, group, i)->is_best = looks_like(t, table_cell_at(w, t, group, i), shown);
}

static void fill_cells(const table_work *w, table *t) {
    for (size_t i = 0; i < w->n_shown; i++) {
        for (size_t g = 0; g < w->n_groups; g++)
            fill_cell(w, t, g, i);
        if (w->has_average)
            fill_average(w, t, i);
    }
    for (size_t g = 0; g < w->n_groups + w->has_average; g++)
        mark_best(w, t, g);
}

/* The outputs with the learners that the table compares; the baseline is always one of them. */
static status choose_view(const experiment_outputs *outputs, const table_spec *spec, experiment_outputs *view,
                          error_info *err) {
    bool has_baseline = !spec->normalise_by;
    if (!outputs_with_learners(outputs, spec->learners, spec->n_learners, view))
        return error_out_of_memory(err);
    if (spec->n_samples > 0) {
        view->sizes = spec->samples;
        view->n_sizes = spec->n_samples;
    }
    if (spec->n_networks > 0) {
        view->networks = spec->networks;
        view->n_networks = spec->n_networks;
    }
    for (size_t i = 0; i < view->n_learners; i++)
        has_baseline = has_baseline || strcmp(view->learners[i], spec->normalise_by) == 0;
    if (!has_baseline && outputs_find_learner(outputs, spec->normalise_by) < outputs->n_learners)
        view->learners[view->n_learners++] = spec->normalise_by;
    return STATUS_OK;
}

/* The figures of a further metric, added to those that are there. */
static status add_figures(const experiment_outputs *outputs, const table_spec *spec, const char *metric,
                          const job_record *records, size_t n_records, table *t, error_info *err) {
    table_spec part = *spec;
    char *name = text_copy(metric);
    table more = {0};
    status st = STATUS_OK;
    TRY_ALLOC(name);
    part.metric = name;
    part.n_sum_of = 0;
    TRY(table_compute(outputs, &part, records, n_records, NULL, &more, err));
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        table_cell *cell = &t->cells[i];
        bool fits = more.n_rows == t->n_rows && more.n_columns == t->n_columns;
        if (cell->kind == CELL_FIGURE && (!fits || more.cells[i].kind != CELL_FIGURE))
            cell->kind = CELL_EMPTY;
        else if (cell->kind == CELL_FIGURE)
            cell->value += more.cells[i].value;
    }
cleanup:
    table_clear(&more);
    free(name);
    return st;
}

/* Not the figure of the sum, which a median makes another one. The first metric's figures are there already. */
static status sum_figures(const table_work *w, const experiment_outputs *outputs, const job_record *records,
                          size_t n_records, table *t, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 1; i < w->spec->n_sum_of; i++)
        TRY(add_figures(outputs, w->spec, w->spec->sum_of[i], records, n_records, t, err));
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        t->cells[i].is_best = false;
    for (size_t g = 0; g < w->n_groups + w->has_average; g++)
        mark_best(w, t, g);
cleanup:
    return st;
}

status table_compute(const experiment_outputs *outputs, const table_spec *spec, const job_record *records,
                     size_t n_records, const published_table *published, table *out, error_info *err) {
    experiment_outputs view = {0};
    table_work w = {.outputs = &view, .spec = spec, .published = published};
    table t = {0};
    status st = STATUS_OK;
    if (spec->kind == TABLE_OF_NETWORKS)
        return table_of_networks(outputs, spec, published, out, err);
    w.info = metric_find(spec->metric);
    TRY(choose_view(outputs, spec, &view, err));
    TRY(prepare(&w, records, n_records, err));
    for (size_t g = 0; g < w.n_groups; g++)
        TRY(compute_group(&w, g, err));
    TRY(name_table(&w, &t, err));
    TRY(name_axes(&w, &t, err));
    fill_cells(&w, &t);
    if (spec->n_sum_of > 0)
        TRY(sum_figures(&w, outputs, records, n_records, &t, err));
    TRY(table_add_published(&w, &t, err));
    TRY(table_add_notes(&w, records, n_records, &t, err));
    *out = t;
    t = (table){0};
cleanup:
    if (st != STATUS_OK)
        error_context(err, "table '%s'", spec->id ? spec->id : spec->metric);
    table_clear(&t);
    clear_work(&w);
    free(view.learners);
    return st;
}
