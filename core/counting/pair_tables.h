/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Contingency tables of pairs of columns where every pair is wanted: the bit vectors of all columns are made once, and
 * then read by as many threads as like. core/counting/counts.h is for tables with conditions.
 */
#ifndef BNB_CORE_COUNTING_PAIR_TABLES_H
#define BNB_CORE_COUNTING_PAIR_TABLES_H

#include "core/base/status.h"
#include "core/data/dataset.h"

typedef struct pair_tables pair_tables;

/** `data` must be discrete and outlive it. O(rows x states / 8) bytes. */
BNB_MUST_CHECK status pair_tables_create(const dataset *data, pair_tables **out, error_info *err);
void pair_tables_destroy(pair_tables *t); /* NULL is fine */
AUTO_PTR_OF(pair_tables, pair_tables_destroy)

/** Rows by state of a column; lives as long as the tables. */
const uint32_t *pair_tables_margin(const pair_tables *t, size_t column);

/**
 * The table of two columns: rows with state i of x and j of y at cells[i * r_y + j]; all r_x * r_y cells are written.
 *
 * A column's vectors take states x rows / 8 bytes: a caller with many pairs keeps x fixed and lets y run over as many
 * columns as fit into the second-level cache.
 */
void pair_tables_count(const pair_tables *t, size_t x, size_t y, uint32_t *cells);

#endif
