/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Greedy search on the kernel score of Bach and Jordan: its options, for those who measure by the same score. */
#ifndef BNB_LEARNERS_GREEDY_BACH_H
#define BNB_LEARNERS_GREEDY_BACH_H

#include "learners/base/learner.h"
#include "metrics/numerics/kernel_features.h"

typedef struct {
    kernel_options kernel;
    int max_parents; /* -1: no limit */
} bach_options;

extern const learner learner_bach;

#endif
