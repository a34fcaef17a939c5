/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The figures that papers print: files of results/published/, one row a figure. */
#ifndef BNB_PARTS_FIGURES_PUBLISHED_H
#define BNB_PARTS_FIGURES_PUBLISHED_H

#include "core/base/status.h"

typedef struct published_table published_table;

/**
 * The path of a published file, on the heap: it lies in `folder` itself or in the folder of its paper, with which its
 * name begins (brown2005/brown2005_table1_networks.csv). For a file that is in neither, it is FOLDER/FILE; NULL where
 * no folder or no file is named.
 * @return STATUS_INVALID: the name has a folder. STATUS_MEMORY.
 */
BNB_MUST_CHECK status published_locate(const char *folder, const char *file, char **out, error_info *err);

/**
 * Reads a file with the columns network, metric and value; sample_size, algorithm, normalised_by, printed and
 * aggregation, unit and depth are used where they are there, and else every row has "" in them. What is printed in
 * percent is given as a share, as our metrics count; a figure of a depth has the metric METRIC@DEPTH.
 * @return STATUS_MISSING, STATUS_IO, STATUS_PARSE (with the line, or with the column that is missing).
 */
BNB_MUST_CHECK status published_read(const char *path, published_table **out, error_info *err);

/** The same of a file in a folder; without a folder or a name nothing is read. STATUS_INVALID: the
 * name has a folder. */
BNB_MUST_CHECK status published_read_in(const char *folder, const char *name, published_table **out, error_info *err);

/** The same from text. */
BNB_MUST_CHECK status published_parse(const char *text, size_t length, published_table **out, error_info *err);
void published_destroy(published_table *t); /* NULL is fine */
AUTO_PTR_OF(published_table, published_destroy)

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
} published_figure;

/** How many rows with a value answer the query; `*out` is the first of them, untouched where there is none. */
size_t published_find(const published_table *t, const published_query *query, published_figure *out);

/**
 * The algorithm by which the rows of a metric are normalised: NULL where the file has no such row, "" where they are
 * not. Lives as long as the table.
 */
const char *published_baseline(const published_table *t, const char *metric);

#endif
