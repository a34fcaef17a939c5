/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A table of an experiment: figures with n of N, the published ones beside them, and what must be said below. */
#ifndef BNB_PARTS_TABLES_TABLE_H
#define BNB_PARTS_TABLES_TABLE_H

#include "core/base/text.h"
#include "document/display.h"
#include "document/document.h"
#include "parts/figures/outputs.h"
#include "parts/figures/published.h"
#include "store/store.h"

typedef enum {
    CELL_FIGURE,
    CELL_NOT_APPLICABLE, /* the learner has no such metric */
    CELL_FAILED,         /* no data set of the cell succeeded */
    CELL_NOT_RUN,        /* no data set of the cell has been run */
    CELL_EMPTY           /* nothing to compare: no common data set, or no baseline */
} cell_kind;

typedef struct {
    cell_kind kind;
    double value;     /* CELL_FIGURE alone */
    size_t n, of;     /* data sets that entered, of those declared */
    size_t n_imputed; /* of n, those that failed and got their value from the failure policy */
    bool is_best;     /* of the learners beside it, as shown; never where all are alike */
    char *published;  /* the paper's figure as printed; NULL where there is none */
    double published_value;
    bool is_whole; /* a number of something in a table that is no mean of anything: shown without decimals */
} table_cell;

/** Owns everything; zero-initialise. Cell (row, column) at cells[row * n_columns + column]. */
typedef struct {
    char *id, *title;
    char *row_heading; /* "samples", "network" or "learner" */
    size_t n_rows, n_columns;
    char **row_names, **column_names;
    table_cell *cells;
    bool learners_are_columns; /* else rows; n of N belongs to the other axis */
    table_axis group_axis;     /* what stands on the other axis */
    long *learners;            /* as the outputs number them, a pool -1, -2, ...; NULL: the table is not of learners */
    bool has_no_n;             /* n of N means nothing here: the figures come from no data sets */
    size_t n_groups;           /* of the axis that holds no learners, without the average behind them */
    number_style style;
    int decimals; /* -1: by the style */
    size_t n_notes;
    char **notes; /* what the figures are, what failed, where the published ones come from; a sentence or two each */
} table;

void table_clear(table *t);

/**
 * Computes a declared table.
 *
 * One axis holds learners, the other sample sizes or networks (any order); figures are aggregated over the third. Where
 * several sample sizes are shown, an "average" follows, the mean of their figures. Learners whose graphs lack the
 * metric are left out and named in a note.
 *
 * @param published NULL: none; `spec->published` names it in the note
 * @return STATUS_INVALID: axes that make no table, or a baseline that is not a learner of the experiment.
 * STATUS_MEMORY.
 */
BNB_MUST_CHECK status table_compute(const experiment_outputs *outputs, const table_spec *spec,
                                    const job_record *records, size_t n_records, const published_table *published,
                                    table *out, error_info *err);

/** Whether any cell holds a figure. */
bool table_has_figures(const table *t);

/** The cell of a group (n_groups is the average) and a learner. */
table_cell *table_cell_at(const table *t, size_t group, size_t learner);

/** A cell's figure as it is shown: "1.02", with "*" where the failure policy had a part in it; "failed", "-", ... */
void table_append_figure(const table *t, const table_cell *cell, text_buffer *out);

/**
 * Heading, grid and notes.
 * @param number of the table on a page, whose script shows the jobs behind a figure; -1: none
 */
void table_append_document(const table *t, long number, document *d);

/** One line a cell: table,row,column,value,published,difference,n,of,imputed,state. Numbers in full. */
void table_append_csv(const table *t, text_buffer *out);

#endif
