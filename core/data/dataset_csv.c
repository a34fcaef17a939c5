/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/dataset_csv.h"

#include "core/base/decimal.h"
#include "core/base/file.h"
#include "core/data/csv_columns_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

/* "yes, no", the first few. */
static void list_states_shown(const text_set *states, char *list, size_t size) {
    enum { LISTED = 5 };
    size_t length = 0;
    for (size_t k = 0; k < states->n && k <= LISTED && length < size; k++) {
        char shown[TEXT_SHOWN_SIZE];
        const char *state = k < LISTED ? text_show(states->texts[k], states->lengths[k], shown) : "...";
        length += (size_t)snprintf(list + length, size - length, "%s%s", k ? ", " : "", state);
    }
}

static status unknown_state(const csv_columns *table, size_t c, const csv_field *field, error_info *err) {
    const csv_column *column = &table->columns[c];
    char shown[TEXT_SHOWN_SIZE], shown_name[TEXT_SHOWN_SIZE], states[400] = "";
    list_states_shown(&column->values, states, sizeof states);
    return csv_error(&table->reader, err, "'%s' is not a state of '%s'; expected one of %zu: %s",
                     text_show(field->text, field->length, shown),
                     text_show(column->name, strlen(column->name), shown_name), column->values.n, states);
}

static status fill_state(csv_columns *table, size_t row, size_t c, const csv_field *field, error_info *err) {
    size_t state = text_set_find(&table->columns[c].values, field->text, field->length);
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

static status list_states(csv_column *column, error_info *err) {
    const variable *v = &column->variable;
    text_set_clear(&column->values);
    for (size_t k = 0; k < v->n_states; k++) {
        CHECK(text_set_add(&column->values, v->states[k], strlen(v->states[k]), err));
    }
    return STATUS_OK;
}

/* Without quotes every line end ends a row; the walk that fills the dataset checks the rest. */
static status count_rows(csv_columns *table, error_info *err) {
    const char *at, *end;
    status st = csv_columns_skip_header(table, err);
    if (st != STATUS_OK || memchr(table->text, '"', table->length))
        return st == STATUS_OK ? csv_columns_walk(table, NULL, err) : st;
    end = table->reader.end;
    table->n_rows = 1;
    for (at = table->reader.at; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        table->n_rows++;
    if (table->n_rows > table->length / table->n_columns) /* no cell without a byte behind it: some row is short */
        return csv_columns_walk(table, NULL, err);
    return STATUS_OK;
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
    return csv_columns_walk(table, fill_cell, err);
}

/* ---- files ---- */

typedef struct {
    const variable *given;
    size_t n_given;
    const char *sidecar_path, *sidecar; /* sidecar is NULL where there is none */
    size_t sidecar_length;
} schema_source;

static status use_schema(csv_columns *table, const schema_source *source, schema_origin *origin, error_info *err) {
    *origin = source->given ? SCHEMA_GIVEN : source->sidecar ? SCHEMA_SIDECAR : SCHEMA_INFERRED;
    if (source->given)
        return csv_columns_use(table, source->given, source->n_given, err);
    if (source->sidecar)
        return error_at(csv_columns_use_sidecar(table, source->sidecar, source->sidecar_length, err), err,
                        source->sidecar_path);
    return STATUS_OK;
}

static status parse(const char *text, size_t length, const schema_source *source, dataset **out, schema_origin *origin,
                    error_info *err) {
    AUTO(csv_columns_clear) csv_columns table = {.text = text, .length = length};
    schema_origin from;
    CHECK(csv_columns_read_header(&table, err));
    CHECK(use_schema(&table, source, &from, err));
    if (csv_columns_is_known(&table))
        CHECK(count_rows(&table, err));
    else
        CHECK(csv_columns_infer(&table, err));
    CHECK(fill_dataset(&table, err));
    *out = table.data;
    table.data = NULL;
    if (origin)
        *origin = from;
    return STATUS_OK;
}

status dataset_parse_csv(const char *text, size_t length, const variable *given, size_t n_given, dataset **out,
                         schema_origin *origin, error_info *err) {
    return parse(text, length, &(schema_source){.given = given, .n_given = n_given}, out, origin, err);
}

char *dataset_schema_path(const char *csv_path) {
    AUTO_FREE char *stem = path_stem(csv_path, ".csv");
    return stem ? path_join_ending("", stem, ".schema.csv") : NULL;
}

static status read_file(const char *path, const variable *given, size_t n_given, dataset **out, schema_origin *origin,
                        error_info *err) {
    AUTO_FREE char *text = NULL, *sidecar_path = dataset_schema_path(path), *sidecar = NULL;
    size_t length, sidecar_length = 0;
    CHECK_ALLOC(sidecar_path);
    CHECK(file_read(path, FILE_READ_MOST, &text, &length, err));
    if (!given && strcmp(path, "-") != 0 && file_exists(sidecar_path))
        CHECK(file_read(sidecar_path, FILE_READ_MOST, &sidecar, &sidecar_length, err));
    return parse(text, length, &(schema_source){given, n_given, sidecar_path, sidecar, sidecar_length}, out, origin,
                 err);
}

status dataset_read_csv(const char *path, const variable *given, size_t n_given, dataset **out, schema_origin *origin,
                        error_info *err) {
    return error_at(read_file(path, given, n_given, out, origin, err), err,
                    strcmp(path, "-") == 0 ? "standard input" : path);
}
