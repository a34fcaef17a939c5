/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of what the networks are, a row each: Table 1 of most papers. */
#include "parts/figures/network_fact.h"
#include "parts/tables/table_internal.h"

#include <stddef.h>
#include <stdlib.h>

/** Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *published; /* a file of published figures */
    int decimals;    /* -1: by the values */
    table_tolerance within;
} networks_table_spec;

static bool is_published(const published_table *published, const experiment_outputs *o, const network_fact *f) {
    published_figure figure;
    for (size_t i = 0; published && i < o->n_networks; i++) {
        published_query q = {.network = o->networks[i], .sample_size = "", .algorithm = "", .metric = f->name};
        if (published_find(published, &q, &figure) == 1)
            return true;
    }
    return false;
}

/* Whether any network is of the kind that the fact is about; those that could not be read may be either. */
static bool is_meant(const experiment_outputs *o, const network_fact *f) {
    for (size_t i = 0; o->facts && i < o->n_networks; i++) {
        if (o->facts[i].is_known && o->facts[i].is_data == f->is_of_data)
            return true;
    }
    return false;
}

static bool are_all_unknown(const experiment_outputs *o) {
    return !o->facts ||
           (!is_meant(o, &(network_fact){.is_of_data = true}) && !is_meant(o, &(network_fact){.is_of_data = false}));
}

/* Without any network that could be read: what is published, and else the usual ones of networks. */
static bool is_shown(const published_table *published, const experiment_outputs *o, const network_fact *f) {
    if (is_published(published, o, f))
        return true;
    return f->is_usual && (is_meant(o, f) || (are_all_unknown(o) && !f->is_of_data));
}

static status fill_cell(const experiment_outputs *o, const published_table *published, size_t network,
                        const network_fact *f, table_cell *cell, error_info *err) {
    published_query q = {.network = o->networks[network], .sample_size = "", .algorithm = "", .metric = f->name};
    published_figure figure;
    *cell = (table_cell){.kind = CELL_EMPTY, .is_whole = f->is_whole};
    if (o->facts && o->facts[network].is_known && o->facts[network].is_data == f->is_of_data) {
        cell->kind = CELL_FIGURE;
        cell->value = network_fact_value(f, &o->facts[network]);
    }
    if (!published || published_find(published, &q, &figure) != 1)
        return STATUS_OK;
    CHECK_ALLOC(cell->published = text_copy(figure.printed));
    cell->published_value = figure.value;
    cell->published_row = figure.row;
    return STATUS_OK;
}

static status allocate(const experiment_outputs *o, const network_fact *const *shown, table *t, error_info *err) {
    CHECK_ALLOC(t->row_names = calloc(t->n_rows + 1, sizeof *t->row_names));
    CHECK_ALLOC(t->column_names = calloc(t->n_columns + 1, sizeof *t->column_names));
    CHECK_ALLOC(t->cells = calloc(t->n_rows * t->n_columns + 1, sizeof *t->cells));
    for (size_t r = 0; r < t->n_rows; r++)
        CHECK_ALLOC(t->row_names[r] = text_copy(o->networks[r]));
    for (size_t c = 0; c < t->n_columns; c++)
        CHECK_ALLOC(t->column_names[c] = text_copy(shown[c]->heading));
    CHECK_ALLOC(t->row_heading = text_copy("network"));
    return STATUS_OK;
}

static status add_notes(const experiment_outputs *o, const networks_table_spec *spec, const published_table *published,
                        table *t, error_info *err) {
    text_buffer b = {0};
    size_t n_unknown = 0;
    if (published)
        text_append_format(&b, "In brackets: as published (%s).",
                           spec->published ? spec->published : "published figures");
    CHECK(text_list_take(&t->notes, &t->n_notes, &b, err));
    for (size_t i = 0; i < o->n_networks; i++) {
        if (!o->facts || !o->facts[i].is_known)
            text_append_format(&b, "%s%s",
                               n_unknown++ ? ", " : "Not to be found, when this was made: ", o->networks[i]);
    }
    if (n_unknown)
        text_append(&b, ".");
    return text_list_take(&t->notes, &t->n_notes, &b, err);
}

static status compute(const experiment_outputs *outputs, const networks_table_spec *spec,
                      const published_table *published, table *out, error_info *err) {
    AUTO(table_clear)
    table t = {.n_rows = outputs->n_networks,
               .n_groups = outputs->n_networks,
               .has_no_n = true,
               .learners_are_columns = true,
               .style = NUMBER_RATIO,
               .decimals = spec->decimals >= 0 ? spec->decimals : 0};
    const network_fact *shown[NETWORK_FACT_COUNT];
    for (size_t i = 0; i < NETWORK_FACT_COUNT; i++) {
        const network_fact *f = network_fact_at(i);
        if (!is_shown(published, outputs, f))
            continue;
        shown[t.n_columns++] = f;
        if (!f->is_whole && spec->decimals < 0)
            t.decimals = 2;
    }
    CHECK(allocate(outputs, shown, &t, err));
    CHECK_ALLOC(t.id = text_copy(spec->id));
    CHECK_ALLOC(t.title = text_copy(spec->title ? spec->title : "Networks"));
    for (size_t i = 0; i < t.n_rows * t.n_columns; i++)
        CHECK(fill_cell(outputs, published, i / t.n_columns, shown[i % t.n_columns], &t.cells[i], err));
    CHECK(add_notes(outputs, spec, published, &t, err));
    *out = TAKE(t);
    return STATUS_OK;
}

/* ---- the declaration ---- */

static const option_spec options[] = {
    PART_HEAD_ROWS(networks_table_spec, "Networks"),
    PART_PUBLISHED_ROW(networks_table_spec, "what it has of the networks stands beside what is found"),
    TABLE_WITHIN_ROW(networks_table_spec),
    TABLE_DECIMALS_ROW(networks_table_spec),
    {0},
};

static status tabulate(const part_context *c, const void *declared, part_output *out, table *t, error_info *err) {
    const networks_table_spec *spec = declared;
    AUTO_PTR(published_destroy) published_table *published = NULL;
    CHECK(part_read_published(out, spec->id, spec->published, PUBLISHED_FIGURES, &published, err));
    return compute(c->outputs, spec, published, t, err);
}

static status make(const part_context *c, const declared_part *p, part_output *out, error_info *err) {
    return table_make(c, p, NULL, out, err);
}

const part_kind part_networks_table = {
    .group = PART_TABLE,
    .name = "networks",
    .summary = "what the networks are: variables, edges, states; of real data sets rows, columns and distinct values",
    .options_size = sizeof(networks_table_spec),
    .options = options,
    .needs = PART_NEEDS_FACTS,
    .make = make,
    .tabulate = tabulate,
};
