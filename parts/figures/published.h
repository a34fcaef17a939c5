/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What papers print: files of results/published/, a row a figure, a verdict on a pair or the mark of a mean rank. */
#ifndef BNB_PARTS_FIGURES_PUBLISHED_H
#define BNB_PARTS_FIGURES_PUBLISHED_H

#include "core/base/status.h"
#include "store/csv_table.h"

typedef struct published_table published_table;

/**
 * The path of a published file, on the heap: it lies in `folder` itself or in the folder of its paper, with which its
 * name begins (brown2005/brown2005_table1_networks.csv). For a file that is in neither, it is FOLDER/FILE; NULL where
 * no folder or no file is named.
 * @return STATUS_INVALID: the name has a folder. STATUS_MEMORY.
 */
BNB_MUST_CHECK status published_locate(const char *folder, const char *file, char **out, error_info *err);

typedef enum { PUBLISHED_FIGURES, PUBLISHED_OUTCOMES } published_kind;

/**
 * Reads a file. One of figures has the columns network, metric and value; sample_size, algorithm, normalised_by,
 * printed and aggregation, unit and depth are used where they are there, and else every row has "" in them. What is
 * printed in percent is given as a share, as our metrics count; a figure of a depth has the metric METRIC@DEPTH. One of
 * outcomes has the columns network, sample_size and algorithm, and either versus and verdict (`+`, `-`, `~`, `n/a`) or
 * value and not_worse_than_best (`yes`, `no`), with is_best_in_column.
 * @return STATUS_MISSING, STATUS_IO, STATUS_PARSE (with the line, or with the column that is missing).
 */
BNB_MUST_CHECK status published_read(const char *path, published_kind kind, published_table **out, error_info *err);

/** The same of a file in a folder; without a folder or a name nothing is read. STATUS_INVALID: the name has a folder.
 */
BNB_MUST_CHECK status published_read_in(const char *folder, const char *name, published_kind kind,
                                        published_table **out, error_info *err);

/** The same from text. */
BNB_MUST_CHECK status published_parse(const char *text, size_t length, published_kind kind, published_table **out,
                                      error_info *err);
void published_destroy(published_table *t); /* NULL is fine */
AUTO_PTR_OF(published_table, published_destroy)

/** The rows of any file of the folder, of whatever kind. Errors as of published_read_in. */
BNB_MUST_CHECK status published_read_rows(const char *folder, const char *name, csv_table **out, error_info *err);

/** All are needed but the last. */
typedef struct {
    const char *network;     /* an id, or "all" for an aggregate over the paper's networks */
    const char *sample_size; /* digits, or "average" */
    const char *algorithm;
    const char *metric;
    const char *normalised_by; /* NULL: a figure that is not normalised */
} published_query;

/** Texts live as long as the table. */
typedef struct {
    double value;
    const char *printed;     /* as the paper prints it where that is a plain number, else the value's text */
    const char *aggregation; /* how the paper averaged, "" where not said */
    size_t row;              /* of the file */
} published_figure;

/** How many rows with a value answer the query; `*out` is the first of them, untouched where there is none. */
size_t published_find(const published_table *t, const published_query *query, published_figure *out);

/** The same of rows with the columns `state` and `parent_state`, numbered from 1. */
size_t published_probability_find(const published_table *t, const char *network, size_t state, size_t parent_state,
                                  published_figure *out);

/**
 * Over how many networks the file's aggregates go: the number of the first "over N networks" (or "over N real data
 * sets") in the column aggregation; 0 where none says it.
 */
size_t published_network_count(const published_table *t);

/**
 * The algorithm by which the rows of a metric are normalised: NULL where the file has no such row, "" where they are
 * not. Lives as long as the table.
 */
const char *published_baseline(const published_table *t, const char *metric);

/** Where to look. NULL: any, as long as one row alone answers. */
typedef struct {
    const char *network, *sample_size, *metric;
} verdict_place;

/**
 * '+', '-' or '~' for `first` against `second`, also where the file has the pair the other way round; '?' where the
 * paper prints n/a; '\0' where it says nothing, or several things.
 */
char published_verdict_find(const published_table *t, const verdict_place *at, const char *first, const char *second,
                            size_t *row);

/** What Friedman's test with a control says of a learner. */
typedef enum { MARK_NONE, MARK_BEST, MARK_ALIKE, MARK_WORSE } rank_mark;
const char *rank_mark_name(rank_mark mark); /* "", "best", "not worse", "worse" */

/** The mark and the mean rank of an algorithm; MARK_NONE and NAN where the file has none. */
rank_mark published_mark_find(const published_table *t, const verdict_place *at, const char *algorithm,
                              double *mean_rank, size_t *row);

#endif
