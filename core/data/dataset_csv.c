/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/dataset_csv.h"

#include "core/base/decimal.h"
#include "core/base/file.h"
#include "core/data/csv_columns_internal.h"
#include "core/data/data_form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

enum { FEW_STATES = 8, BLOCK_BYTES = 1 << 20 };

/* "yes, no", the first few. */
static void list_states_shown(const variable *v, char *list, size_t size) {
    enum { LISTED = 5 };
    size_t length = 0;
    for (size_t k = 0; k < v->n_states && k <= LISTED && length < size; k++) {
        char shown[TEXT_SHOWN_SIZE];
        const char *state = k < LISTED ? text_show(v->states[k], strlen(v->states[k]), shown) : "...";
        length += (size_t)snprintf(list + length, size - length, "%s%s", k ? ", " : "", state);
    }
}

static status unknown_state(const csv_columns *table, size_t c, const csv_field *field, error_info *err) {
    const csv_column *column = &table->columns[c];
    char shown[TEXT_SHOWN_SIZE], shown_name[TEXT_SHOWN_SIZE], states[400] = "";
    list_states_shown(&column->variable, states, sizeof states);
    return csv_error(&table->reader, err, "'%s' is not a state of '%s'; expected one of %zu: %s",
                     text_show(field->text, field->length, shown),
                     text_show(column->name, strlen(column->name), shown_name), column->variable.n_states, states);
}

static size_t find_state(const csv_column *column, const csv_field *field) {
    const variable *v = &column->variable;
    if (column->values.n > 0)
        return text_set_find(&column->values, field->text, field->length);
    for (size_t k = 0; k < v->n_states; k++) {
        if (csv_field_is(field, v->states[k]))
            return k;
    }
    return NAME_NONE;
}

static status fill_state(csv_columns *table, size_t row, size_t c, const csv_field *field, error_info *err) {
    size_t state = find_state(&table->columns[c], field);
    if (state == NAME_NONE)
        return csv_is_missing(field) ? csv_missing_value(table, c, field, err) : unknown_state(table, c, field, err);
    dataset_set_state(table->data, row, c, state);
    return STATUS_OK;
}

static status fill_real(csv_columns *table, size_t row, size_t c, const csv_field *field, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_name[TEXT_SHOWN_SIZE];
    const char *name = table->columns[c].name;
    if (decimal_is_number(field->text, field->text + field->length, &dataset_build_reals(table->data, c)[row]))
        return STATUS_OK;
    if (csv_is_missing(field))
        return csv_missing_value(table, c, field, err);
    return csv_error(&table->reader, err, "expected a number for '%s', found '%s'",
                     text_show(name, strlen(name), shown_name), text_show(field->text, field->length, shown));
}

static status fill_cell(csv_columns *table, size_t row, size_t c, const csv_field *field, error_info *err) {
    if (table->columns[c].variable.kind == VARIABLE_CONTINUOUS)
        return fill_real(table, row, c, field, err);
    return fill_state(table, row, c, field, err);
}

/* By which they are found; few of them are found without, and the table of a wide file is all the smaller. */
static status list_states(csv_column *column, error_info *err) {
    const variable *v = &column->variable;
    text_set_clear(&column->values);
    for (size_t k = 0; v->n_states > FEW_STATES && k < v->n_states; k++)
        CHECK(text_set_add(&column->values, v->states[k], strlen(v->states[k]), err));
    return STATUS_OK;
}

static status see_nothing(csv_columns *table, size_t row, size_t c, const csv_field *field, error_info *err) {
    (void)table;
    (void)row;
    (void)c;
    (void)field;
    (void)err;
    return STATUS_OK;
}

/* No cell is without a byte behind it: where rows are too many, some row is short, and no room is made for them. */
static status check_row_count(csv_columns *table, error_info *err) {
    return table->n_rows > table->text.length / table->n_columns ? csv_columns_walk(table, see_nothing, err)
                                                                 : STATUS_OK;
}

/* The columns being known, and the rows counted. */
static status fill_dataset(csv_columns *table, error_info *err) {
    AUTO_FREE variable *variables = calloc(table->n_columns, sizeof *variables); /* shallow */
    CHECK_ALLOC(variables);
    for (size_t c = 0; c < table->n_columns; c++) {
        variables[c] = table->columns[c].variable;
        CHECK(list_states(&table->columns[c], err));
    }
    CHECK(dataset_create(variables, table->n_columns, table->n_rows, &table->data, err));
    return csv_columns_walk_blocks(table, fill_cell, false, err);
}

/* ---- files ---- */

typedef struct {
    const data_reading *how;
    const char *sidecar_path, *sidecar; /* sidecar is NULL where there is none */
    size_t sidecar_length;
    char separator; /* 0: the header tells */
} csv_source;

static status use_schema(csv_columns *table, const csv_source *source, schema_origin *origin, error_info *err) {
    const data_reading *how = source->how;
    *origin = how->given ? SCHEMA_GIVEN : source->sidecar ? SCHEMA_SIDECAR : SCHEMA_INFERRED;
    if (how->given)
        return csv_columns_use(table, how->given, how->n_given, err);
    if (source->sidecar)
        return error_at(csv_columns_use_sidecar(table, source->sidecar, source->sidecar_length, err), err,
                        source->sidecar_path);
    return STATUS_OK;
}

static status parse(const csv_text *text, const csv_source *source, dataset **out, schema_origin *origin,
                    error_info *err) {
    const data_reading *how = source->how;
    AUTO(csv_columns_clear)
    csv_columns table = {.text = *text,
                         .separator = source->separator,
                         .n_threads = how->n_threads ? how->n_threads : 1,
                         .block_bytes = how->block_bytes ? how->block_bytes : BLOCK_BYTES};
    schema_origin from;
    CHECK(csv_columns_read_header(&table, err));
    CHECK(use_schema(&table, source, &from, err));
    if (csv_columns_is_known(&table))
        CHECK(check_row_count(&table, err));
    else
        CHECK(csv_columns_infer(&table, err));
    CHECK(fill_dataset(&table, err));
    *out = table.data;
    table.data = NULL;
    if (origin)
        *origin = from;
    return STATUS_OK;
}

char *dataset_schema_path(const char *csv_path) {
    AUTO_FREE char *stem = path_stem(csv_path, data_form_ending(data_form_of_path(csv_path)));
    return stem ? path_join_ending("", stem, ".schema.csv") : NULL;
}

static status parse_of(const char *path, const csv_text *text, const data_reading *how, dataset **out,
                       schema_origin *origin, error_info *err) {
    static const data_reading usual = {0};
    csv_source source = {.how = how ? how : &usual};
    AUTO_FREE char *sidecar_path = NULL, *sidecar = NULL;
    if (path && strcmp(path, "-") != 0)
        CHECK_ALLOC(sidecar_path = dataset_schema_path(path));
    if (sidecar_path && !source.how->given && file_exists(sidecar_path))
        CHECK(file_read(sidecar_path, FILE_READ_MOST, &sidecar, &source.sidecar_length, err));
    source.separator = path && data_form_of_path(path) == DATA_FORM_TSV ? '\t' : 0;
    source.sidecar_path = sidecar_path;
    source.sidecar = sidecar;
    return parse(text, &source, out, origin, err);
}

status dataset_parse_csv_of(const char *path, const char *text, size_t length, const data_reading *how, dataset **out,
                            schema_origin *origin, error_info *err) {
    return parse_of(path, &(csv_text){text, -1, length}, how, out, origin, err);
}

status dataset_parse_csv_file(const char *path, int fd, size_t length, const data_reading *how, dataset **out,
                              schema_origin *origin, error_info *err) {
    return parse_of(path, &(csv_text){NULL, fd, length}, how, out, origin, err);
}

status dataset_parse_csv(const char *text, size_t length, const data_reading *how, dataset **out, schema_origin *origin,
                         error_info *err) {
    return dataset_parse_csv_of(NULL, text, length, how, out, origin, err);
}
