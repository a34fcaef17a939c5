/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a table, from the figures of its groups; which of them is the best. */
#include "parts/tables/table_internal.h"

#include <math.h>
#include <string.h>

grid_element table_element(const table_work *w, size_t group, size_t element) {
    size_t n_sizes = w->outputs->n_sizes, n_sigmas = outputs_sigma_count(w->outputs);
    if (w->group_axis == AXIS_SAMPLES)
        return (grid_element){.place = element, .size = group};
    if (w->group_axis == AXIS_NETWORK)
        return (grid_element){.place = group * n_sigmas + element / n_sizes, .size = element % n_sizes};
    return (grid_element){.place = element / n_sizes * n_sigmas + group, .size = element % n_sizes};
}

/* Why a learner has no figure in a group. */
static cell_kind kind_without_figure(const table_work *w, size_t group, size_t learner) {
    size_t n_run = 0;
    if (w->figures[group * w->grid.n_learners + learner].takes_part)
        return CELL_EMPTY;
    for (size_t e = 0; e < w->n_elements; e++) {
        grid_element at = table_element(w, group, e);
        for (size_t r = 0; r < w->grid.n_replicates; r++)
            n_run += w->values.states[result_grid_index(&w->grid, at.place, at.size, r, learner)] != VALUE_ABSENT;
    }
    return n_run > 0 ? CELL_FAILED : CELL_NOT_RUN;
}

static table_cell cell_of(const table_work *w, size_t group, size_t learner) {
    const group_figure *f = &w->figures[group * w->grid.n_learners + learner];
    table_cell cell = {
        .of = w->n_elements * w->grid.n_replicates, .n = f->n, .n_imputed = f->n_imputed, .value = f->value};
    cell.kind = isnan(f->value) ? kind_without_figure(w, group, learner) : CELL_FIGURE;
    return cell;
}

/* The mean of the learners that are taken together; without a figure where one of them has none. */
static void fill_cell(const table_work *w, table *t, size_t group, size_t entry) {
    table_cell *cell = table_cell_at(t, group, entry);
    size_t n_parts = 0;
    for (size_t i = 0; i < w->n_shown; i++) {
        table_cell part = w->entry_of[i] == entry ? cell_of(w, group, w->shown[i]) : (table_cell){0};
        if (w->entry_of[i] != entry)
            continue;
        if (n_parts++ == 0) {
            *cell = part;
            continue;
        }
        cell->of += part.of;
        cell->n += part.n;
        cell->n_imputed += part.n_imputed;
        cell->value += (part.value - cell->value) / (double)n_parts;
        cell->kind = cell->kind == CELL_FIGURE ? part.kind : cell->kind;
    }
}

/* The mean of the groups' figures, where there is one of each (the "Ave." of Brown et al. 2005). */
static void fill_average(const table_work *w, table *t, size_t entry) {
    table_cell *average = table_cell_at(t, w->n_groups, entry);
    double sum = 0;
    size_t n_not_run = 0;
    *average = (table_cell){.kind = CELL_FIGURE};
    for (size_t g = 0; g < w->n_groups; g++) {
        const table_cell *cell = table_cell_at(t, g, entry);
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

void table_mark_best(const table_work *w, table *t, size_t group) {
    int sense = sense_of(w, group);
    const table_cell *best = NULL;
    size_t n_figures = 0, n_alike = 0;
    char shown[DISPLAY_NUMBER_SIZE];
    for (size_t i = 0; i < w->n_entries; i++) {
        const table_cell *cell = table_cell_at(t, group, i);
        if (cell->kind != CELL_FIGURE)
            continue;
        n_figures++;
        if (!best || sense * cell->value < sense * best->value)
            best = cell;
    }
    if (!best || sense == 0)
        return;
    (void)display_number(best->value, t->style, t->decimals, shown);
    for (size_t i = 0; i < w->n_entries; i++)
        n_alike += looks_like(t, table_cell_at(t, group, i), shown);
    for (size_t i = 0; n_alike < n_figures && i < w->n_entries; i++)
        table_cell_at(t, group, i)->is_best = looks_like(t, table_cell_at(t, group, i), shown);
}

void table_fill_cells(const table_work *w, table *t) {
    for (size_t i = 0; i < w->n_entries; i++) {
        for (size_t g = 0; g < w->n_groups; g++)
            fill_cell(w, t, g, i);
        if (w->has_average)
            fill_average(w, t, i);
    }
    for (size_t g = 0; g < w->n_groups + w->has_average; g++)
        table_mark_best(w, t, g);
}
