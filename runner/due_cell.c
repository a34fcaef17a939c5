/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/due_cell_internal.h"

#include "runner/job/job_internal.h"
#include "runner/plan/cells_internal.h"

bool due_cell(const plan *p, size_t cell, const job_record *record, bool retry_failed, const bool *is_due) {
    bool has_base;
    size_t base = plan_base_cell(p, cell, &has_base);
    return cell_is_due(record, plan_experiment(p), retry_failed) ||
           (has_base && (is_due[base] || job_was_refused(record)));
}
