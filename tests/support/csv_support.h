/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Tables of reference values: fields by row and name of column. */
#ifndef BNB_TESTS_SUPPORT_CSV_SUPPORT_H
#define BNB_TESTS_SUPPORT_CSV_SUPPORT_H

#include "tests/support/support.h"

#include "core/base/file.h"
#include "store/csv_table.h"

#include <stdlib.h>

/** A table of fields with a header line; the test fails where the file cannot be read. */
static inline csv_table *read_table(const char *path) {
    csv_table *t = NULL;
    char *text = NULL;
    size_t length;
    error_info err = {0};
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    assert_ok(csv_table_parse(text, length, &t, &err), &err);
    free(text);
    return t;
}

static inline const char *field_of(const csv_table *t, size_t row, const char *name) {
    size_t column = csv_table_column(t, name);
    assert_int_not_equal(column, CSV_NO_COLUMN);
    return csv_table_field(t, row, column);
}

static inline double number_of(const csv_table *t, size_t row, const char *name) {
    return strtod(field_of(t, row, name), NULL);
}

#endif
