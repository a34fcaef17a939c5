/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Every way to split the intervals of one column, scored in one pass over its rows: a row that passes from the upper
 * part to the lower changes one cell of each family that the column is in. Used by the integrated discretizers alone.
 */
#ifndef BNB_DISCRETIZERS_INTEGRATED_COLUMN_SCAN_H
#define BNB_DISCRETIZERS_INTEGRATED_COLUMN_SCAN_H

#include "discretizers/integrated/integrated_internal.h"
#include "discretizers/integrated/row_codes.h"

/** A family with the column in it: the column given its parents, or a child given its other parents and the column. */
typedef struct {
    bool is_child;
    double r, q;        /* of a child: its states, the configurations of the other parents; else: q of the parents */
    row_codes cell;     /* in the order of the column's values */
    row_codes row;      /* of a child: the other parents; else: one code */
    double base;        /* what no threshold changes */
    policy_terms terms; /* for the number of levels last set */
} scanned_family;

typedef struct {
    integration *in;
    const sorted_column *s;
    scanned_family *families;
    size_t n_families;
    double *left, *right; /* at a position: what the rows below it, and from it on, of the interval add */
    uint32_t *cell_counts, *row_counts;
} column_scan;

/** A run of rows in the order of values. */
typedef struct {
    size_t from, to;           /* positions */
    size_t first_cut, end_cut; /* those of the column's cuts that lie inside */
    double low, high;          /* its ends */
    double total;              /* what it adds to the score as it is */
    double gain;               /* of the best split: how much more its two parts add; -INFINITY without a cut */
    size_t best_cut;
} scanned_interval;

/** `scan` is zero before; column_scan_close in any case. */
BNB_MUST_CHECK status column_scan_open(column_scan *scan, integration *in, size_t column, error_info *err);
void column_scan_close(column_scan *scan);

/** Chooses the functions of a count for that many intervals. */
BNB_MUST_CHECK status column_scan_set_levels(column_scan *scan, size_t n_levels, error_info *err);

/** What is in the column's score besides the totals of its intervals. */
double column_scan_constant(const column_scan *scan, size_t n_levels);

/** Makes `total` known. */
void column_scan_total(column_scan *scan, scanned_interval *interval);

/**
 * Makes `total` and the best split known: of those within rounding of the best, the lowest. Returns the number of cuts
 * tried.
 */
size_t column_scan_splits(column_scan *scan, scanned_interval *interval);

#endif
