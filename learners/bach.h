/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Greedy search on the kernel score of Bach and Jordan: its options, for those who measure by the same score. */
#ifndef BNB_LEARNERS_BACH_H
#define BNB_LEARNERS_BACH_H

#include "learners/learner.h"
#include "metrics/kernel_features.h"

typedef struct {
    kernel_options kernel;
    int max_parents; /* -1: no limit */
} bach_options;

extern const learner learner_bach;

#endif
