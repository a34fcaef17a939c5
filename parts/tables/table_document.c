/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table for people: figures with the published ones beside them, and n of N where it belongs. */
#include "parts/tables/table.h"

#include <math.h>

enum { PART_LEVEL = 2 };

static size_t learner_count(const table *t) {
    return t->learners_are_columns ? t->n_columns : t->n_rows;
}

static size_t count_alike(const table *t, size_t group, const table_cell *one) {
    size_t n = 0;
    for (size_t i = 0; i < learner_count(t); i++) {
        const table_cell *cell = table_cell_at(t, group, i);
        n += cell->kind == CELL_FIGURE && cell->n == one->n && cell->of == one->of;
    }
    return n;
}

/* A figure of the group with the n of N that most of them have; NULL where there is no figure. */
static const table_cell *typical_cell(const table *t, size_t group) {
    const table_cell *best = NULL;
    for (size_t i = 0; i < learner_count(t); i++) {
        const table_cell *cell = table_cell_at(t, group, i);
        if (cell->kind == CELL_FIGURE && (!best || count_alike(t, group, cell) > count_alike(t, group, best)))
            best = cell;
    }
    return best;
}

/* Behind a row of learners, or below a column of them. */
static void say_group_n(const table *t, size_t group, document_grid *g, size_t row, size_t column) {
    const table_cell *cell = typical_cell(t, group);
    if (cell)
        grid_say(g, row, column, SPAN_TEXT, "%zu/%zu", cell->n, cell->of);
    else if (learner_count(t) > 0)
        grid_say(g, row, column, SPAN_TEXT, "0/%zu", table_cell_at(t, group, 0)->of);
    else
        grid_say(g, row, column, SPAN_TEXT, "-");
}

/* It has another n of N than most of its group, and so must say it itself. */
static bool needs_n(const table *t, size_t group, const table_cell *cell) {
    const table_cell *typical = typical_cell(t, group);
    return cell->kind == CELL_FIGURE && !t->has_no_n && (cell->n != typical->n || cell->of != typical->of);
}

void table_append_figure(const table *t, const table_cell *cell, text_buffer *out) {
    static const char *const words[] = {"", "-", "failed", "not run", "-"};
    char number[DISPLAY_NUMBER_SIZE];
    if (cell->kind != CELL_FIGURE) {
        text_append(out, words[cell->kind]);
        return;
    }
    text_append(out, display_number(cell->value, t->style, cell->is_whole ? 0 : t->decimals, number));
    text_append(out, cell->n_imputed ? "*" : "");
}

/* NAN where there is nothing to compare. */
static double deviation_of(const table_cell *cell) {
    double difference = cell->value - cell->published_value;
    if (cell->kind != CELL_FIGURE || !cell->published || cell->is_incomparable || !isfinite(cell->published_value))
        return NAN;
    if (difference == 0)
        return 0;
    return cell->published_value == 0 ? copysign(INFINITY, difference) : difference / fabs(cell->published_value);
}

static void set_source(const table *t, size_t group, size_t learner, document_grid *g, size_t row, size_t column) {
    bool is_average = group >= t->n_groups;
    AUTO(text_buffer_clear) text_buffer where = {0};
    text_append_format(&where, "%s%s%s", t->group_axis == AXIS_SIGMA && !is_average ? "sigma " : "",
                       t->learners_are_columns ? t->row_names[group] : t->column_names[group],
                       t->group_axis == AXIS_SAMPLES && !is_average ? " rows" : "");
    g->failed |= where.failed;
    grid_set_source(g, row, column, group, t->learners[learner], where.data);
}

static void add_cell(const table *t, size_t r, size_t c, document_grid *g) {
    size_t group = t->learners_are_columns ? r : c, learner = t->learners_are_columns ? c : r;
    const table_cell *cell = table_cell_at(t, group, learner);
    text_buffer shown = {0};
    table_append_figure(t, cell, &shown);
    if (needs_n(t, group, cell))
        text_append_format(&shown, " (%zu/%zu)", cell->n, cell->of);
    g->failed |= shown.failed;
    grid_say(g, r + 1, c + 1,
             cell->is_best               ? SPAN_STRONG
             : cell->kind == CELL_FAILED ? SPAN_BAD
                                         : SPAN_TEXT,
             "%s", shown.data ? shown.data : "");
    text_buffer_clear(&shown);
    grid_set_published(g, r + 1, c + 1, cell->published);
    grid_at(g, r + 1, c + 1)->deviation = deviation_of(cell);
    if (t->learners && cell->kind != CELL_NOT_RUN && cell->kind != CELL_NOT_APPLICABLE)
        set_source(t, group, learner, g, r + 1, c + 1);
}

static void add_names(const table *t, document_grid *g) {
    grid_say(g, 0, 0, SPAN_TEXT, "%s", t->row_heading);
    for (size_t c = 0; c < t->n_columns; c++) {
        grid_say(g, 0, c + 1, SPAN_TEXT, "%s", t->column_names[c]);
        grid_at(g, 0, c + 1)->is_name = t->learners_are_columns;
    }
    for (size_t r = 0; r < t->n_rows; r++) {
        grid_say(g, r + 1, 0, SPAN_TEXT, "%s", t->row_names[r]);
        grid_at(g, r + 1, 0)->is_name = !t->learners_are_columns;
    }
}

void table_append_document(const table *t, long number, document *d) {
    size_t n_rows = t->n_rows + 1, n_columns = t->n_columns + 1;
    bool has_n_column = t->learners_are_columns && !t->has_no_n, has_n_row = !t->learners_are_columns && !t->has_no_n;
    document_grid *g;
    document_add_heading(d, PART_LEVEL, t->title);
    g = document_add_grid(d, NULL, n_rows + has_n_row, n_columns + has_n_column, false);
    if (!g)
        return;
    g->may_shrink = true;
    g->number = number;
    g->n_foot = has_n_row;
    add_names(t, g);
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        add_cell(t, i / t->n_columns, i % t->n_columns, g);
    if (!t->has_no_n)
        grid_say(g, has_n_row ? n_rows : 0, has_n_row ? 0 : n_columns, SPAN_TEXT, "%s", GRID_COUNTS);
    for (size_t i = 0; has_n_row && i < t->n_columns; i++)
        say_group_n(t, i, g, n_rows, i + 1);
    for (size_t i = 0; has_n_column && i < t->n_rows; i++)
        say_group_n(t, i, g, i + 1, n_columns);
    document_add_items(d, t->notes, t->n_notes);
}

/* The group that speaks for the table: its only one or the average; n_groups + 1 where there is none. */
static size_t main_group(const table *t) {
    size_t n_all = t->learners_are_columns ? t->n_rows : t->n_columns;
    return t->n_groups == 1 ? 0 : n_all > t->n_groups ? t->n_groups : t->n_groups + 1;
}

/* "pmmhc, mmhc 1.00: Structural Hamming distance, relative to pmmhc (average)"; nothing where nobody is the best. */
static status show_verdict(const table *t, part_output *out, error_info *err) {
    size_t group = main_group(t), n = 0;
    AUTO(document_clear) document d = {0};
    AUTO(text_buffer_clear) text_buffer figure = {0};
    document_begin(&d, BLOCK_PARAGRAPH);
    for (size_t i = 0; t->learners && group <= t->n_groups && i < learner_count(t); i++) {
        const table_cell *cell = table_cell_at(t, group, i);
        if (!cell->is_best)
            continue;
        document_say(&d, SPAN_STRONG, "%s%s", n++ ? ", " : "",
                     t->learners_are_columns ? t->column_names[i] : t->row_names[i]);
        figure.length = 0;
        table_append_figure(t, cell, &figure);
    }
    if (n == 0)
        return STATUS_OK;
    CHECK(text_buffer_check(&figure, err));
    document_say(&d, SPAN_TEXT, " %s: %s%s", figure.data, t->title, group == t->n_groups ? " (average)" : "");
    return part_show_on_page(out, ROOM_VERDICTS, &d, err);
}

static bool is_worth_showing(const table *t) {
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (t->cells[i].kind != CELL_NOT_RUN)
            return true;
    }
    return false;
}

status table_show(const table *t, long number, part_output *out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer csv = {0};
    AUTO(document_clear) document d = {0};
    if (!table_has_figures(t))
        CHECK(part_note(out, t->id, "table skipped: no comparable results", err));
    if (!is_worth_showing(t))
        return STATUS_OK;
    table_append_document(t, number, &d);
    CHECK(part_show(out, ROOM_TABLES, &d, err));
    CHECK(show_verdict(t, out, err));
    table_append_csv(t, &csv);
    return part_write_table(out, t->id, &csv, err);
}
