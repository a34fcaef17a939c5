/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The metric bach_score: the kernel score of a learned graph on the training rows as they were before any discretizing
 * (Fu 2005, sec. V.2). It is computed where an experiment lists it under `metrics`.
 */
#ifndef BNB_RUNNER_KERNEL_MEASURE_INTERNAL_H
#define BNB_RUNNER_KERNEL_MEASURE_INTERNAL_H

#include "experiments/runner/digest_internal.h"
#include "experiments/runner/job_internal.h"

bool kernel_measure_is_wanted(const experiment *e);

/** Into a key, where the metric is wanted: a result without it, or of other options, is another result. */
BNB_MUST_CHECK status kernel_measure_digest(const experiment *e, digest *d, error_info *err);

/**
 * Puts the metric into the record. The score has the options of the experiment's first variant of `bach`, so that
 * bach's own graph is measured by what it was learned by; without one, those that `bach` starts from.
 */
BNB_MUST_CHECK status kernel_measure(const job *j, const job_data *data, const learned_graph *learned,
                                     job_record *record, error_info *err);

#endif
