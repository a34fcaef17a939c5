/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table as HTML: each figure a button that a script may open, the published one below it, the difference shaded. */
#include "parts/tables/table_internal.h"

#include <math.h>
#include <string.h>

/* Where the shades of a relative difference begin. */
static const double shade_starts[] = {0.02, 0.10, 0.25};
enum { N_SHADES = sizeof shade_starts / sizeof *shade_starts, LEAST_TO_FILTER = 4 };

static double relative_difference(const table_cell *cell) {
    double difference = cell->value - cell->published_value;
    if (difference == 0)
        return 0;
    return cell->published_value == 0 ? copysign(1, difference) : difference / fabs(cell->published_value);
}

static bool has_difference(const table_cell *cell) {
    return cell->kind == CELL_FIGURE && cell->published && isfinite(cell->published_value);
}

static void append_shade(const table_cell *cell, text_buffer *out) {
    double relative;
    size_t shade = 0;
    if (!has_difference(cell))
        return;
    relative = relative_difference(cell);
    while (shade < N_SHADES && fabs(relative) >= shade_starts[shade])
        shade++;
    if (shade > 0)
        text_append_format(out, "%s%zu", relative < 0 ? "low" : "high", shade);
}

static void append_percent(double relative, text_buffer *out) {
    if (fabs(relative) < 0.005)
        text_append(out, " &plusmn;0%");
    else
        text_append_format(out, " %+.0f%%", 100 * relative);
}

static void append_published(const table_cell *cell, text_buffer *out) {
    if (!cell->published)
        return;
    text_append(out, "<span class=\"pub\">[");
    display_append_html(out, cell->published);
    text_append(out, "]");
    if (has_difference(cell) && cell->published_value != 0)
        append_percent(relative_difference(cell), out);
    text_append(out, "</span>");
}

/* What the page shows a table of. */
typedef struct {
    const table *t;
    const metric_table_spec *spec;
    const experiment_outputs *outputs;
} sheet;

static void append_where(const sheet *s, size_t group, text_buffer *out) {
    const table *t = s->t;
    table_axis axis = s->spec->rows == AXIS_LEARNER ? s->spec->columns : s->spec->rows;
    text_append(out, group < t->n_groups && axis == AXIS_SIGMA ? "sigma " : "");
    display_append_html(out, t->learners_are_columns ? t->row_names[group] : t->column_names[group]);
    text_append(out, group < t->n_groups && axis == AXIS_SAMPLES ? " rows" : "");
}

/* As the outputs number it; of a pool -1, -2, ... */
static long learner_number(const sheet *s, const char *name) {
    for (size_t i = 0; i < s->spec->n_pools; i++) {
        if (strcmp(s->spec->pools[i].id, name) == 0)
            return -1 - (long)i;
    }
    return (long)outputs_find_learner(s->outputs, name);
}

static void append_cell(const sheet *s, size_t row, size_t column, text_buffer *out) {
    const table *t = s->t;
    const table_cell *cell = &t->cells[row * t->n_columns + column];
    size_t group = t->learners_are_columns ? row : column;
    const char *learner = t->learners_are_columns ? t->column_names[column] : t->row_names[row];
    bool is_button = s->spec && cell->kind != CELL_NOT_RUN && cell->kind != CELL_NOT_APPLICABLE;
    text_buffer shown = {0};
    table_append_cell(t, cell, table_cell_needs_n(t, row, column), &shown);
    text_append_format(out, "<td class=\"%s", cell->is_best ? "best " : "");
    append_shade(cell, out);
    text_append(out, "\">");
    if (is_button) {
        text_append_format(out,
                           "<button type=\"button\" class=\"fig\" aria-haspopup=\"dialog\" data-group=\"%zu\" "
                           "data-learner=\"%ld\" data-where=\"",
                           group, learner_number(s, learner));
        append_where(s, group, out);
        text_append(out, "\">");
    }
    display_append_html(out, shown.data ? shown.data : "");
    text_append(out, is_button ? "</button>" : "");
    append_published(cell, out);
    text_append(out, "</td>");
    out->failed |= shown.failed;
    text_buffer_clear(&shown);
}

static void append_head(const table *t, text_buffer *out) {
    text_append_format(out, "<thead><tr><th scope=\"col\">%s</th>", t->row_heading);
    for (size_t c = 0; c < t->n_columns; c++) {
        text_append(out, t->learners_are_columns ? "<th scope=\"col\" data-name>" : "<th scope=\"col\">");
        display_append_html(out, t->column_names[c]);
        text_append(out, "</th>");
    }
    text_append(out, table_has_n_column(t) ? "<th scope=\"col\">n of N</th>" : "");
    text_append(out, "</tr></thead>\n<tbody>\n");
}

static void append_n_cell(const table *t, size_t group, text_buffer *out) {
    text_append(out, "<td>");
    table_append_group_n(t, group, out);
    text_append(out, "</td>");
}

static void append_rows(const sheet *s, text_buffer *out) {
    const table *t = s->t;
    for (size_t r = 0; r < t->n_rows; r++) {
        text_append(out, t->learners_are_columns ? "<tr><th scope=\"row\">" : "<tr><th scope=\"row\" data-name>");
        display_append_html(out, t->row_names[r]);
        text_append(out, "</th>");
        for (size_t c = 0; c < t->n_columns; c++)
            append_cell(s, r, c, out);
        if (table_has_n_column(t))
            append_n_cell(t, r, out);
        text_append(out, "</tr>\n");
    }
    if (t->learners_are_columns || t->has_no_n)
        return;
    text_append(out, "<tr><th scope=\"row\">n of N</th>");
    for (size_t c = 0; c < t->n_columns; c++)
        append_n_cell(t, c, out);
    text_append(out, "</tr>\n");
}

static void append_filter(const table *t, size_t number, text_buffer *out) {
    size_t n_learners = t->learners_are_columns ? t->n_columns : t->n_rows;
    if (n_learners < LEAST_TO_FILTER)
        return;
    text_append_format(out,
                       "<div class=\"tools\" hidden><label>Show names that hold<input type=\"search\" class=\"filter\" "
                       "aria-controls=\"table-%zu\"></label></div>\n",
                       number);
}

void table_append_html(const table *t, const metric_table_spec *spec, const experiment_outputs *outputs, size_t number,
                       text_buffer *out) {
    sheet s = {.t = t, .spec = spec, .outputs = outputs};
    text_append_format(out, "<section aria-labelledby=\"table-%zu-title\">\n<h3 id=\"table-%zu-title\">", number,
                       number);
    display_append_html(out, t->title);
    text_append(out, "</h3>\n");
    append_filter(t, number, out);
    text_append_format(out,
                       "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"table-%zu-title\">\n"
                       "<table id=\"table-%zu\" data-table=\"%zu\"%s>\n",
                       number, number, number, t->learners_are_columns ? " data-learner-columns" : "");
    append_head(t, out);
    append_rows(&s, out);
    text_append(out, "</tbody></table></div>\n<ul class=\"notes\">\n");
    for (size_t i = 0; i < t->n_notes; i++) {
        text_append(out, "<li>");
        display_append_html(out, t->notes[i]);
        text_append(out, "</li>\n");
    }
    text_append(out, "</ul>\n</section>\n");
}
