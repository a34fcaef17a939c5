/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What became of each row of the published files: where it is compared, or why it is not. */
#ifndef BNB_REPORT_REPRODUCTION_PUBLISHED_ROWS_H
#define BNB_REPORT_REPRODUCTION_PUBLISHED_ROWS_H

#include "document/document.h"
#include "report/reproduction/reproduction.h"
#include "store/csv_table.h"

/** A row is in the first of these that fits it. */
typedef enum {
    ROW_COUNTED,  /* a table with a tolerance holds it, or a test */
    ROW_COMPARED, /* it stands in a table, which does not count it */
    ROW_BASELINE, /* the baseline's own 1 */
    ROW_EMPTY,    /* the paper prints no figure there */
    ROW_ABSENT,   /* an experiment says why it is not compared */
    ROW_LEFT,
    N_ROW_STATES
} row_state;

/** Owned. */
typedef struct {
    char *folder, *name;
    size_t n_rows;
    row_state *states;      /* by row */
    size_t n[N_ROW_STATES]; /* rows in each, once published_rows_count has been called */
    csv_table *fields;      /* of all rows */
} published_file;

/** Zero-initialise. */
typedef struct {
    size_t n;
    published_file *files;
} published_rows;

void published_rows_clear(published_rows *p);

/** Adds a file of the folder, unless it is there. Errors as of published_read_in. */
BNB_MUST_CHECK status published_rows_add(published_rows *p, const char *folder, const char *name, published_file **out,
                                         error_info *err);

/** Adds every file of the folder and of those in it, but for index.csv. */
BNB_MUST_CHECK status published_rows_add_all(published_rows *p, const char *folder, error_info *err);

struct reproduction;

/** Marks the rows that the experiment compares, and those that it says are absent; adds files that it names. */
BNB_MUST_CHECK status published_rows_mark(published_rows *p, const struct reproduction *of, error_info *err);

/** The same of an experiment by its declaration alone, which has no results. */
BNB_MUST_CHECK status published_rows_mark_declared(published_rows *p, const part_context *of, const char *folder,
                                                   error_info *err);

/** Fills in the numbers of each file, and gives their sums over all. */
void published_rows_count(published_rows *p, size_t sums[N_ROW_STATES]);

/** "1120 rows: 1025 counted, ..., 3 left over". */
void published_rows_append(const size_t sums[N_ROW_STATES], text_buffer *out);

/** A paragraph with the sums; none without files. */
void published_rows_say(published_rows *p, document *d);

#endif
