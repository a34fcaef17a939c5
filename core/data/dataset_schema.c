/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Types and state spaces of a CSV file's columns: given, from the sidecar, or from the values. */
#include "core/base/array.h"
#include "core/base/decimal.h"
#include "core/data/csv_columns_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- given ---- */

static status not_given(const csv_column *column, const variable *given, size_t n_given, error_info *err) {
    AUTO_FREE const char **names = calloc(n_given + 1, sizeof *names);
    const char *near;
    char shown[TEXT_SHOWN_SIZE], shown_near[TEXT_SHOWN_SIZE];
    CHECK_ALLOC(names);
    for (size_t i = 0; i < n_given; i++)
        names[i] = given[i].name;
    near = text_nearest(column->name, names, n_given);
    (void)text_show(column->name, strlen(column->name), shown);
    if (near)
        return error_set(err, STATUS_PARSE,
                         "line 1: the column '%s' is not among the %zu variables given; did you mean '%s'?", shown,
                         n_given, text_show(near, strlen(near), shown_near));
    return error_set(err, STATUS_PARSE, "line 1: the column '%s' is not among the %zu variables given", shown, n_given);
}

status csv_columns_use(csv_columns *table, const variable *given, size_t n_given, error_info *err) {
    AUTO_PTR(name_index_destroy) name_index *index = NULL;
    CHECK(name_index_create(n_given, &index, err));
    for (size_t i = 0; i < n_given; i++)
        CHECK(name_index_add(index, given[i].name, i, NULL, err));
    for (size_t c = 0; c < table->n_columns; c++) {
        csv_column *column = &table->columns[c];
        size_t i = name_index_find(index, column->name);
        if (i == NAME_NONE)
            CHECK(not_given(column, given, n_given, err));
        else
            CHECK(variable_copy(&given[i], &column->variable, err));
        column->is_known = true;
    }
    return STATUS_OK;
}

/* ---- from the values ---- */

static status add_value(csv_columns *table, csv_column *column, const csv_field *field, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    if (column->values.n == VARIABLE_MAX_STATES)
        return csv_error(&table->reader, err,
                         "'%s' has more than %u different values; a discrete column cannot, and numbers these are not",
                         text_show(column->name, strlen(column->name), shown), VARIABLE_MAX_STATES);
    return text_set_add(&column->values, field->text, field->length, err);
}

/*
 * The first look at a cell. A column that looks continuous keeps no more of its values, since each row would add one;
 * should a word come up further down, the values are collected again, in full.
 */
static status look_at(csv_columns *table, size_t row, size_t c, const csv_field *field, error_info *err) {
    csv_column *column = &table->columns[c];
    double value;
    (void)row;
    if (column->is_known)
        return STATUS_OK;
    if (!column->is_cut && text_set_find(&column->values, field->text, field->length) != NAME_NONE)
        return STATUS_OK;
    if (csv_is_missing(field))
        return csv_missing_value(table, c, field, err);
    if (column->all_numbers && decimal_is_number(field->text, field->text + field->length, &value))
        column->has_fraction = column->has_fraction || value != floor(value);
    else
        column->all_numbers = false;
    column->is_cut = column->is_cut || csv_column_looks_continuous(column);
    return column->is_cut ? STATUS_OK : add_value(table, column, field, err);
}

static status collect(csv_columns *table, size_t row, size_t c, const csv_field *field, error_info *err) {
    csv_column *column = &table->columns[c];
    (void)row;
    if (!column->in_full || text_set_find(&column->values, field->text, field->length) != NAME_NONE)
        return STATUS_OK;
    if (csv_is_missing(field))
        return csv_missing_value(table, c, field, err);
    return add_value(table, column, field, err);
}

/* Whether any column needs the second walk. */
static bool mark_incomplete(csv_columns *table) {
    bool any = false;
    for (size_t c = 0; c < table->n_columns; c++) {
        csv_column *column = &table->columns[c];
        column->in_full = column->is_cut && !column->all_numbers;
        if (column->in_full)
            text_set_clear(&column->values);
        any = any || column->in_full;
    }
    return any;
}

static double number_of(const char *text) {
    double value = 0;
    (void)decimal_is_number(text, text + strlen(text), &value);
    return value;
}

/* "1" and "1.0" are different states. */
static int compare_numbers(const void *a, const void *b) {
    double x = number_of(*(char *const *)a), y = number_of(*(char *const *)b);
    return x < y ? -1 : x > y ? 1 : texts_compare(a, b);
}

static status name_states(csv_column *column, size_t from, error_info *err) {
    size_t n = column->n_states;
    AUTO(text_set_clear) text_set states = {0};
    for (size_t k = 0; k < n; k++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%zu", from + k);
        CHECK(text_set_add(&states, name, strlen(name), err));
    }
    return variable_init_discrete(&column->variable, column->name, (const char *const *)states.texts, n, err);
}

static bool are_within(const csv_column *column, size_t from) {
    size_t n = column->n_states;
    for (size_t i = 0; i < column->values.n; i++) {
        int64_t value;
        char plain[32];
        if (!text_to_int(column->values.texts[i], &value) || value < (int64_t)from || value >= (int64_t)(from + n))
            return false;
        if (strcmp(text_from_double((double)value, plain), column->values.texts[i]) != 0)
            return false;
    }
    return true;
}

/* A sidecar told how many states there are, not which. */
static status complete_declared(csv_column *column, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    size_t seen = column->values.n;
    if (seen < column->n_states && are_within(column, 0))
        return name_states(column, 0, err);
    if (seen < column->n_states && are_within(column, 1))
        return name_states(column, 1, err);
    return error_set(
        err, STATUS_PARSE,
        "the sidecar declares %zu states of '%s' without listing them, the data hold %zu; list them in its "
        "column 'states'",
        column->n_states, text_show(column->name, strlen(column->name), shown), seen);
}

static status complete(csv_column *column, error_info *err) {
    text_set *values = &column->values;
    if (csv_column_looks_continuous(column))
        return variable_init_continuous(&column->variable, column->name, err);
    if (column->n_states > 0 && column->n_states != values->n)
        return complete_declared(column, err);
    qsort(values->texts, values->n, sizeof *values->texts, column->all_numbers ? compare_numbers : texts_compare);
    return variable_init_discrete(&column->variable, column->name, (const char *const *)values->texts, values->n, err);
}

bool csv_columns_is_known(const csv_columns *table) {
    for (size_t c = 0; c < table->n_columns; c++) {
        if (!table->columns[c].is_known)
            return false;
    }
    return true;
}

status csv_columns_infer(csv_columns *table, error_info *err) {
    CHECK(csv_columns_walk_blocks(table, look_at, true, err));
    if (mark_incomplete(table))
        CHECK(csv_columns_walk_blocks(table, collect, true, err));
    CHECK(csv_columns_refuse_spoilt(table, err));
    for (size_t c = 0; c < table->n_columns; c++) {
        if (!table->columns[c].is_known)
            CHECK(complete(&table->columns[c], err));
        table->columns[c].is_known = true;
    }
    return STATUS_OK;
}

/* ---- from the sidecar ---- */

typedef enum { SIDE_COLUMN, SIDE_TYPE, SIDE_CARDINALITY, SIDE_STATES, SIDE_OTHER } side_key;

/* One row of the sidecar. */
typedef struct {
    char *cells[SIDE_OTHER]; /* NULL where the sidecar lacks that column */
} side_row;

typedef struct {
    csv_columns *table;
    csv_reader reader;
    side_key *keys; /* of the sidecar's columns */
    size_t n_keys, capacity;
} sidecar;

static void side_row_clear(side_row *row) {
    for (size_t i = 0; i < SIDE_OTHER; i++)
        free(row->cells[i]);
}

static void sidecar_clear(sidecar *side) {
    csv_clear(&side->reader);
    free(side->keys);
}

static side_key key_of(const csv_field *field) {
    static const char *const names[] = {"column", "type", "cardinality", "states"};
    for (size_t i = 0; i < SIDE_OTHER; i++) {
        if (csv_field_is(field, names[i]))
            return (side_key)i;
    }
    return SIDE_OTHER;
}

static status read_side_header(sidecar *side, error_info *err) {
    bool has[SIDE_OTHER + 1] = {false};
    side->reader.line = side->reader.column = 1;
    do {
        csv_field field = {"", 0};
        if (side->reader.is_done)
            break;
        CHECK(csv_read_field(&side->reader, &field, err));
        CHECK(ARRAY_PUSH(side->keys, side->n_keys, side->capacity, err, key_of(&field)));
        has[side->keys[side->n_keys - 1]] = true;
    } while (!side->reader.row_ended);
    if (!has[SIDE_COLUMN] || !has[SIDE_TYPE] || !(has[SIDE_CARDINALITY] || has[SIDE_STATES]))
        return csv_error(&side->reader, err, "expected the header column,type,cardinality,states");
    return STATUS_OK;
}

static status read_side_row(sidecar *side, side_row *row, error_info *err) {
    for (size_t i = 0; i < side->n_keys; i++) {
        csv_field field;
        CHECK(csv_read_cell(&side->reader, i, side->n_keys, &field, err));
        if (side->keys[i] == SIDE_OTHER || row->cells[side->keys[i]])
            continue;
        CHECK_ALLOC(row->cells[side->keys[i]] = text_copy_n(field.text, field.length));
    }
    return STATUS_OK;
}

/* Splits at '|', in place; "\|" and "\\" are a '|' and a backslash. */
static status split_states(char *cell, text_set *states, bool *twice, error_info *err) {
    char *to = cell, *start = cell;
    for (const char *from = cell;; from++) {
        if (*from == '|' || *from == '\0') {
            size_t length = (size_t)(to - start);
            bool is_last = *from == '\0';
            *twice = *twice || text_set_find(states, start, length) != NAME_NONE;
            if (!*twice)
                CHECK(text_set_add(states, start, length, err));
            if (is_last)
                return STATUS_OK;
            start = to;
            continue;
        }
        from += from[0] == '\\' && (from[1] == '|' || from[1] == '\\');
        *to++ = *from;
    }
}

static status use_listed_states(sidecar *side, csv_column *column, side_row *row, int64_t cardinality,
                                error_info *err) {
    AUTO(text_set_clear) text_set states = {0};
    bool twice = false;
    status st = STATUS_OK;
    CHECK(split_states(row->cells[SIDE_STATES], &states, &twice, err));
    if (twice)
        st = csv_error(&side->reader, err, "a state is listed twice");
    else if (cardinality >= 0 && states.n != (size_t)cardinality)
        st = csv_error(&side->reader, err, "the cardinality is %lld, but %zu states are listed", (long long)cardinality,
                       states.n);
    else
        st = variable_init_discrete(&column->variable, column->name, (const char *const *)states.texts, states.n, err);
    column->is_known = true;
    return st;
}

static status use_side_row(sidecar *side, csv_column *column, side_row *row, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    const char *type = row->cells[SIDE_TYPE], *states = row->cells[SIDE_STATES], *count = row->cells[SIDE_CARDINALITY];
    int64_t cardinality = -1;
    if (column->is_known || column->n_states)
        return csv_error(&side->reader, err, "a second row for '%s'",
                         text_show(column->name, strlen(column->name), shown));
    if (type && strcmp(type, "continuous") == 0) {
        column->is_known = true;
        return variable_init_continuous(&column->variable, column->name, err);
    }
    if (!type || strcmp(type, "discrete") != 0)
        return csv_error(&side->reader, err, "expected the type discrete or continuous, found '%s'",
                         type ? text_show(type, strlen(type), shown) : "none");
    if (count && *count && (!text_to_int(count, &cardinality) || cardinality < 1 || cardinality > VARIABLE_MAX_STATES))
        return csv_error(&side->reader, err, "expected a cardinality from 1 to %u, found '%s'", VARIABLE_MAX_STATES,
                         text_show(count, strlen(count), shown));
    if (states && *states)
        return use_listed_states(side, column, row, cardinality, err);
    if (cardinality < 0)
        return csv_error(&side->reader, err, "expected a cardinality or the states, found neither");
    column->n_states = (size_t)cardinality;
    return STATUS_OK;
}

static status check_all_described(const csv_columns *table, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    for (size_t c = 0; c < table->n_columns; c++) {
        const csv_column *column = &table->columns[c];
        if (!column->is_known && column->n_states == 0)
            return error_set(err, STATUS_PARSE, "no row for the column '%s'",
                             text_show(column->name, strlen(column->name), shown));
    }
    return STATUS_OK;
}

status csv_columns_use_sidecar(csv_columns *table, const char *text, size_t length, error_info *err) {
    AUTO(sidecar_clear) sidecar side = {.table = table};
    csv_init(&side.reader, text, length);
    CHECK(read_side_header(&side, err));
    while (!side.reader.is_done) {
        AUTO(side_row_clear) side_row row = {0};
        CHECK(read_side_row(&side, &row, err));
        size_t c = name_index_find(table->index, row.cells[SIDE_COLUMN]);
        if (c != NAME_NONE)
            CHECK(use_side_row(&side, &table->columns[c], &row, err));
    }
    return check_all_described(table, err);
}
