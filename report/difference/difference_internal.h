/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BNB_REPORT_DIFFERENCE_DIFFERENCE_INTERNAL_H
#define BNB_REPORT_DIFFERENCE_DIFFERENCE_INTERNAL_H

#include "document/document.h"
#include "report/difference/difference.h"

/** The same job in two runs, done in both. */
#define SAME_WITHIN 1e-12 /* relative: the last bits of a logarithm differ between processors */

/** True of a metric that depends on the moment and the machine; of these only the CPU time is judged. */
bool difference_is_measured(const char *metric);

typedef struct {
    const job_record *before, *after;
} job_pair;

/** Fills the changes of a cell from its pairs (cell->n_pairs of them, at least one). */
BNB_MUST_CHECK status difference_find_changes(cell_difference *cell, const job_pair *pairs,
                                              const difference_options *options, error_info *err);

/** The pairs of several times of one learner taken together; n_times > 0. */
void difference_pool_times(const metric_change *const *times, size_t n_times, metric_change *out);

/** A change as text: "12.4 -> 14.4 (+2)", "0.31 s -> 0.42 s (x 1.35)". */
void difference_append_change(const metric_change *c, text_buffer *out);

#endif
