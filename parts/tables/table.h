/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A table of an experiment: figures with n of N, the published ones beside them, and what must be said below. */
#ifndef BNB_PARTS_TABLES_TABLE_H
#define BNB_PARTS_TABLES_TABLE_H

#include "core/base/text.h"
#include "document/display.h"
#include "document/document.h"
#include "parts/base/part_output.h"
#include "parts/figures/published.h"
#include "store/store.h"

typedef enum { AXIS_SAMPLES, AXIS_NETWORK, AXIS_LEARNER, AXIS_SIGMA } table_axis;

/** How near a figure must come to the published one to count as regenerated: either will do. */
typedef struct {
    bool is_declared;
    double relative, absolute;
} table_tolerance;

extern const option_spec table_within_options[];

/** Rows of options that tables share. */
#define TABLE_WITHIN_ROW(type)                                                                                         \
    PART_ROW(OPT_GROUP, "within", type, within, .count_offset = offsetof(type, within.is_declared),                    \
             .inner = table_within_options,                                                                            \
             .help =                                                                                                   \
                 "a published figure counts as regenerated when either is kept; tables without it do not count in "    \
                 "the reproduction report")
#define TABLE_DECIMALS_ROW(type)                                                                                       \
    PART_ROW(OPT_INT, "decimals", type, decimals, .initial = -1, .most = 10, .usual = "by the values",                 \
             .help = "digits behind the point")
#define TABLE_CHOICE_ROWS(type)                                                                                        \
    PART_LIST_ROW(OPT_LEARNERS, "learners", type, learners, .usual = PART_ALL_LEARNERS, .help = PART_THESE_ALONE),     \
        PART_LIST_ROW(OPT_NETWORKS, "networks", type, networks, .usual = "all", .help = PART_THESE_ALONE),             \
        PART_LIST_ROW(OPT_COUNTS, "samples", type, samples, .least = 1, .most = UINT32_MAX, .usual = "all",            \
                      .help = "these sample sizes alone"),                                                             \
        PART_LIST_ROW(OPT_SIGMAS, "sigma", type, sigmas, .usual = "all", .help = "these noise levels alone")

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
    size_t published_row; /* of its file */
    bool is_incomparable; /* the paper's figure is over networks most of which are not here */
    bool is_whole;        /* a number of something in a table that is no mean of anything: shown without decimals */
} table_cell;

/** Owns everything; zero-initialise. Cell (row, column) at cells[row * n_columns + column]. */
typedef struct table {
    char *id, *title;
    char *row_heading; /* "samples", "network" or "learner" */
    size_t n_rows, n_columns;
    char **row_names, **column_names;
    table_cell *cells;
    bool learners_are_columns; /* else rows; n of N belongs to the other axis */
    table_axis group_axis;     /* what stands on the other axis */
    long *learners;            /* as the outputs number them, a pool -1, -2, ...; NULL: the table is not of learners */
    bool is_time;              /* of a metric whose unit is a second, or of such times divided or ranked */
    bool has_no_n;             /* n of N means nothing here: the figures come from no data sets */
    size_t n_groups;           /* of the axis that holds no learners, without the average behind them */
    number_style style;
    int decimals; /* -1: by the style */
    size_t n_notes;
    char **notes; /* what the figures are, what failed, where the published ones come from; a sentence or two each */
} table;

void table_clear(table *t);

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

/**
 * Shows a table that was computed, or says why it was not.
 * @param number as of table_append_document
 */
BNB_MUST_CHECK status table_show(const table *t, long number, part_output *out, error_info *err);

/** One line a cell: table,row,column,value,published,difference,n,of,imputed,state. Numbers in full. */
void table_append_csv(const table *t, text_buffer *out);

#endif
