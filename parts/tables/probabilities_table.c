/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A variable's conditional probabilities, a row a state: what papers print of a network to show what it is. */
#include "parts/tables/table_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/** Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *network, *variable;
    char *published; /* a file of published figures */
    int decimals;    /* -1: by the values */
    table_tolerance within;
} probabilities_table_spec;

static const conditional_table *find_table(const experiment_outputs *o, const probabilities_table_spec *spec) {
    for (size_t i = 0; i < o->n_probabilities; i++) {
        if (strcmp(o->probabilities[i].network, spec->network) == 0 &&
            strcmp(o->probabilities[i].variable, spec->variable) == 0)
            return &o->probabilities[i];
    }
    return NULL;
}

static status fill_cell(const conditional_table *of, size_t state, size_t configuration,
                        const published_table *published, table_cell *cell, error_info *err) {
    published_figure figure;
    *cell = (table_cell){.kind = CELL_FIGURE, .value = of->values[configuration * of->n_states + state]};
    if (!published || published_probability_find(published, of->network, state + 1, configuration + 1, &figure) != 1)
        return STATUS_OK;
    CHECK_ALLOC(cell->published = text_copy(figure.printed));
    cell->published_value = figure.value;
    cell->published_row = figure.row;
    return STATUS_OK;
}

static status name_axes(const conditional_table *of, table *t, error_info *err) {
    CHECK_ALLOC(t->row_names = calloc(t->n_rows + 1, sizeof *t->row_names));
    CHECK_ALLOC(t->column_names = calloc(t->n_columns + 1, sizeof *t->column_names));
    CHECK_ALLOC(t->cells = calloc(t->n_rows * t->n_columns + 1, sizeof *t->cells));
    for (size_t r = 0; r < t->n_rows; r++)
        CHECK_ALLOC(t->row_names[r] = text_copy(of->states[r]));
    for (size_t c = 0; c < t->n_columns; c++)
        CHECK_ALLOC(t->column_names[c] = text_copy(of->configurations[c]));
    CHECK_ALLOC(t->row_heading = text_copy(of->variable));
    return STATUS_OK;
}

static status name_table(const probabilities_table_spec *spec, const published_table *published, table *t,
                         error_info *err) {
    text_buffer b = {0};
    CHECK_ALLOC(t->id = text_copy(spec->id));
    if (spec->title)
        text_append(&b, spec->title);
    else
        text_append_format(&b, "Probabilities of %s in %s", spec->variable, spec->network);
    CHECK(text_buffer_take(&b, &t->title, err));
    text_append_format(&b, "Probabilities of the states of %s in %s, given its parents.", spec->variable,
                       spec->network);
    if (published)
        text_append_format(&b, " In brackets: as published (%s).", spec->published);
    return text_list_take(&t->notes, &t->n_notes, &b, err);
}

static status compute(const conditional_table *of, const probabilities_table_spec *spec,
                      const published_table *published, table *out, error_info *err) {
    AUTO(table_clear)
    table t = {.n_rows = of->n_states,
               .n_columns = of->n_configurations,
               .n_groups = of->n_states,
               .has_no_n = true,
               .learners_are_columns = true,
               .style = NUMBER_RATIO,
               .decimals = spec->decimals};
    CHECK(name_axes(of, &t, err));
    CHECK(name_table(spec, published, &t, err));
    for (size_t i = 0; i < t.n_rows * t.n_columns; i++)
        CHECK(fill_cell(of, i / t.n_columns, i % t.n_columns, published, &t.cells[i], err));
    *out = TAKE(t);
    return STATUS_OK;
}

/* A table without rows, and why. */
static status leave_out(const probabilities_table_spec *spec, part_output *out, table *t, error_info *err) {
    t->has_no_n = true;
    CHECK(name_table(spec, NULL, t, err));
    return part_note(out, spec->id,
                     "no probabilities: the experiment has no such network of tables, or that has no such variable",
                     err);
}

/* ---- the declaration ---- */

static const option_spec options[] = {
    PART_HEAD_ROWS(probabilities_table_spec, "the variable and the network"),
    PART_ROW(OPT_LINE, "network", probabilities_table_spec, network, .is_required = true,
             .help = "its name; where a profile or a reading leaves it out, so it does the table"),
    PART_ROW(OPT_LINE, "variable", probabilities_table_spec, variable, .is_required = true,
             .help = "a variable: the probabilities of its states given those of its parents"),
    PART_PUBLISHED_ROW(probabilities_table_spec,
                       "what it has of the network, by the numbers of state and parent_state, stands beside"),
    TABLE_WITHIN_ROW(probabilities_table_spec),
    TABLE_DECIMALS_ROW(probabilities_table_spec),
    {0},
};

static status tabulate(const part_context *c, const void *declared, part_output *out, table *t, error_info *err) {
    const probabilities_table_spec *spec = declared;
    const conditional_table *of = find_table(c->outputs, spec);
    AUTO_PTR(published_destroy) published_table *published = NULL;
    if (!of)
        return leave_out(spec, out, t, err);
    CHECK(part_read_published(out, spec->id, spec->published, PUBLISHED_FIGURES, &published, err));
    return compute(of, spec, published, t, err);
}

static status make(const part_context *c, const declared_part *p, part_output *out, error_info *err) {
    return table_make(c, p, NULL, out, err);
}

const part_kind part_probabilities_table = {
    .group = PART_TABLE,
    .name = "probabilities",
    .summary = "the probabilities of a variable's states given its parents', in a network of tables",
    .options_size = sizeof(probabilities_table_spec),
    .options = options,
    .needs = PART_NEEDS_PROBABILITIES,
    .make = make,
    .tabulate = tabulate,
};
