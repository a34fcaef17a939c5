/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Rows of published figures that no table or test compares. */
#ifndef BNB_PARTS_FIGURES_ABSENT_ROWS_H
#define BNB_PARTS_FIGURES_ABSENT_ROWS_H

#include "parts/figures/outputs.h"
#include "parts/figures/published.h"
#include "store/csv_table.h"

/** Whether a row is meant: each column that is named has one of its values there. */
bool absent_is_row(const absent_rows *a, const csv_table *rows, size_t row);

size_t absent_count(const absent_rows *a, const csv_table *rows);

#endif
