/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/csv_columns_internal.h"

#include "core/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WHOLE_STATES = 64 };

void csv_columns_clear(csv_columns *table) {
    for (size_t c = 0; c < table->n_columns; c++) {
        free(table->columns[c].name);
        variable_clear(&table->columns[c].variable);
        text_set_clear(&table->columns[c].values);
    }
    free(table->columns);
    free(table->blocks.blocks);
    csv_room_clear(&table->head);
    name_index_destroy(table->index);
    csv_clear(&table->reader);
    dataset_destroy(table->data);
}

static status add_column(csv_columns *table, size_t *capacity, const csv_field *field, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    size_t c = table->n_columns, earlier;
    char *name;
    status st;
    if (field->length == 0)
        return csv_error(&table->reader, err, "expected the name of a column, found an empty one%s",
                         c == 0 ? "; names of rows, as R writes them, are left out by write.csv(..., row.names = FALSE)"
                                : "");
    CHECK(ARRAY_PUSH(table->columns, table->n_columns, *capacity, err, (csv_column){.all_numbers = true}));
    CHECK_ALLOC(name = table->columns[c].name = text_copy_n(field->text, field->length));
    st = name_index_add(table->index, name, c, &earlier, err);
    if (st == STATUS_OK && earlier != NAME_NONE)
        st = csv_error(&table->reader, err, "a second column named '%s'", text_show(name, field->length, shown));
    return st;
}

static status read_names(csv_columns *table, error_info *err) {
    size_t capacity = 0;
    do {
        csv_field field;
        CHECK(csv_read_field(&table->reader, &field, err));
        CHECK(add_column(table, &capacity, &field, err));
    } while (!table->reader.row_ended);
    return STATUS_OK;
}

static status not_plain(error_info *err) {
    return error_set(err, STATUS_PARSE, "a text that is read by pieces is not plain");
}

/* The first two rows, as far as they are plain. */
static status view_head(csv_columns *table, const char **out, size_t *length, error_info *err) {
    const csv_text *text = &table->text;
    size_t end;
    *length = text->length;
    if (!text->all) {
        CHECK(csv_text_line_end(text, 0, text->length, &table->head, &end, err));
        if (end == text->length)
            return not_plain(err);
        CHECK(csv_text_line_end(text, end + 1, text->length, &table->head, length, err));
    }
    CHECK(csv_text_view(text, 0, *length, &table->head, out, err));
    return !text->all && memchr(*out, '"', *length) ? not_plain(err) : STATUS_OK;
}

status csv_columns_read_header(csv_columns *table, error_info *err) {
    AUTO(csv_room_clear) csv_room room = {0};
    const char *head;
    size_t length;
    CHECK(view_head(table, &head, &length, err));
    if (!table->separator)
        CHECK(csv_find_separator(head, length, &table->separator, err));
    csv_init(&table->reader, head, length);
    table->reader.separator = table->separator;
    table->reader.line = table->reader.column = 1;
    if (table->reader.is_done)
        return csv_error(&table->reader, err, "expected a header with the names of the columns, found an empty file");
    CHECK(name_index_create(0, &table->index, err));
    CHECK(read_names(table, err));
    if (table->reader.is_done)
        return csv_error(&table->reader, err, "expected rows below the header, found the end of the file");
    table->body = (size_t)(table->reader.at - head);
    table->body_line = table->reader.next_line;
    CHECK(csv_text_last_line_end(&table->text, &room, &table->body_end, err));
    CHECK(csv_blocks_find(&table->text, table->body, table->body_end, table->block_bytes, table->n_threads,
                          table->separator, &table->blocks, err));
    table->n_rows = table->blocks.n_rows;
    return STATUS_OK;
}

status csv_columns_walk_row(csv_columns *table, csv_visit visit, size_t row, error_info *err) {
    for (size_t c = 0; c < table->n_columns; c++) {
        csv_field field;
        CHECK(csv_read_cell(&table->reader, c, table->n_columns, &field, err));
        CHECK(visit(table, row, c, &field, err));
    }
    return STATUS_OK;
}

status csv_columns_walk(csv_columns *table, csv_visit visit, error_info *err) {
    if (!table->text.all)
        return not_plain(err);
    csv_clear(&table->reader);
    csv_init_part(&table->reader, table->text.all + table->body, table->text.all + table->body_end, table->body_line);
    table->reader.separator = table->separator;
    for (size_t row = 0; !table->reader.is_done; row++)
        CHECK(csv_columns_walk_row(table, visit, row, err));
    return STATUS_OK;
}

bool csv_column_looks_continuous(const csv_column *column) {
    return column->n_states == 0 && column->all_numbers &&
           (column->has_fraction || column->values.n > MOST_WHOLE_STATES);
}

bool csv_is_missing(const csv_field *field) {
    static const char *const words[] = {"NA", "NaN", "?", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (csv_field_is(field, words[i]))
            return true;
    }
    return field->length == 0;
}

/* Where it is a state of a column that is known, the word says so. */
static bool is_missing_cell(const csv_column *column, const csv_field *field) {
    for (size_t k = 0; column->is_known && k < column->variable.n_states; k++) {
        if (csv_field_is(field, column->variable.states[k]))
            return false;
    }
    return csv_is_missing(field);
}

typedef struct {
    size_t n_cells, n_rows;
} missing_count;

/* As far as the rows are sound. */
static missing_count count_missing(const csv_columns *table) {
    csv_reader reader = {0};
    missing_count n = {0};
    error_info ignored = {0};
    status st = STATUS_OK;
    if (!table->text.all)
        return n;
    csv_init_part(&reader, table->text.all + table->body, table->text.all + table->body_end, table->body_line);
    reader.separator = table->separator;
    while (st == STATUS_OK && !reader.is_done) {
        size_t before = n.n_cells;
        for (size_t c = 0; st == STATUS_OK && c < table->n_columns; c++) {
            csv_field field;
            st = csv_read_cell(&reader, c, table->n_columns, &field, &ignored);
            n.n_cells += st == STATUS_OK && is_missing_cell(&table->columns[c], &field);
        }
        n.n_rows += n.n_cells > before;
    }
    csv_clear(&reader);
    return n;
}

status csv_missing_value(const csv_columns *table, size_t column, const csv_field *field, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_name[TEXT_SHOWN_SIZE], word[TEXT_SHOWN_SIZE + 8] = "", others[96] = "";
    const char *name = text_show(table->columns[column].name, strlen(table->columns[column].name), shown_name);
    missing_count n = count_missing(table);
    if (field->length > 0)
        (void)snprintf(word, sizeof word, " ('%s')", text_show(field->text, field->length, shown));
    if (n.n_cells > 1)
        (void)snprintf(others, sizeof others, " (the file has %zu of them in %zu row%s)", n.n_cells, n.n_rows,
                       n.n_rows == 1 ? "" : "s");
    return csv_error(&table->reader, err,
                     "a missing value%s of '%s'; every cell needs one: leave out the row, or write a state of its "
                     "own%s",
                     word, name, others);
}
