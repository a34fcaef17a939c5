/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The metric bach_score: the kernel score of a learned graph on the training rows as they were before any discretizing
 * (Fu 2005, sec. V.2). It is computed where an experiment lists it under `metrics`.
 */
#ifndef BNB_RUNNER_JOB_KERNEL_MEASURE_INTERNAL_H
#define BNB_RUNNER_JOB_KERNEL_MEASURE_INTERNAL_H

#include "runner/job/job_internal.h"

/** Puts the metric into the record, where it is wanted (plan/kernel_metric_internal.h). */
BNB_MUST_CHECK status kernel_measure(const job *j, const job_data *data, const learned_graph *learned,
                                     job_record *record, error_info *err);

#endif
