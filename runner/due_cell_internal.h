/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which cells of a plan are to run. */
#ifndef BNB_RUNNER_DUE_CELL_INTERNAL_H
#define BNB_RUNNER_DUE_CELL_INTERNAL_H

#include "runner/plan/plan_internal.h"
#include "store/store.h"

#include <stdbool.h>

/**
 * True where a cell has no result or one that does not stay (cell_is_due); and where the cell runs whose time is its
 * budget, or had no time to give. To be asked in the order of the cells: `is_due` holds the answers for those before.
 *
 * @param record of the cell; NULL: there is none
 */
bool due_cell(const plan *p, size_t cell, const job_record *record, bool retry_failed, const bool *is_due);

#endif
