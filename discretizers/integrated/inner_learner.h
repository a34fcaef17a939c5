/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A learner of the registry inside an integrated discretizer. */
#ifndef BNB_DISCRETIZERS_INTEGRATED_INNER_LEARNER_H
#define BNB_DISCRETIZERS_INTEGRATED_INNER_LEARNER_H

#include "discretizers/base/discretizer.h"

/** Borrows all. Statistics add up in the context over all turns; a learner's own trace is left out. */
typedef struct {
    const learner *kind;
    const void *options;
    run_context *ctx;
    double cpu_s; /* of learning graphs, so far */
} learner_within;

/** `l` outlives it. */
inner_learner inner_learner_of(learner_within *l);

#endif
