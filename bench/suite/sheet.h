/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A small table from a CSV file with a header: the plan, the peers' figures, what bounds a row. */
#ifndef BNB_BENCH_SUITE_SHEET_H
#define BNB_BENCH_SUITE_SHEET_H

#include "core/base/status.h"

typedef struct {
    size_t n_columns, n_rows;
    char **cells; /* (n_rows + 1) * n_columns, the header first */
} sheet;

/** STATUS_PARSE: no CSV, or a row with another number of fields than the header. The message begins with the path. */
BNB_MUST_CHECK status sheet_read(const char *path, sheet *out, error_info *err);
void sheet_clear(sheet *s);

/** What stands there, "" where there is no such column. */
const char *sheet_cell(const sheet *s, size_t row, const char *column);

#endif
