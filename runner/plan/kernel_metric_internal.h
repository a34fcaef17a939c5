/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The metric bach_score as a part of the plan: whether it is wanted, by which options, and what of it belongs to a key.
 * The kernel score of a learned graph on the training rows as they were before any discretizing (Fu 2005, sec. V.2).
 */
#ifndef BNB_RUNNER_PLAN_KERNEL_METRIC_INTERNAL_H
#define BNB_RUNNER_PLAN_KERNEL_METRIC_INTERNAL_H

#include "metrics/numerics/kernel_features.h"
#include "runner/declare/experiment.h"
#include "runner/plan/digest_internal.h"

#define KERNEL_METRIC "bach_score"

/** It is computed where an experiment lists it under `metrics`. */
bool kernel_metric_is_wanted(const experiment *e);

/**
 * The score has the options of the experiment's first variant of `bach`, so that bach's own graph is measured by what
 * it was learned by; without one, those that `bach` starts from.
 */
kernel_options kernel_metric_options(const experiment *e);

/** Into a key, where the metric is wanted: a result without it, or of other options, is another result. */
BNB_MUST_CHECK status kernel_metric_digest(const experiment *e, digest *d, error_info *err);

#endif
