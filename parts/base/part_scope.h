/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which cells of an experiment parts of its report are made of. */
#ifndef BNB_PARTS_BASE_PART_SCOPE_H
#define BNB_PARTS_BASE_PART_SCOPE_H

#include "parts/base/part.h"

/** By network, sample size and learner of the outputs: whether a part looks at it. Zero-initialise; owned. */
typedef struct {
    bool *networks, *sizes, *learners;
} part_scope;

void part_scope_clear(part_scope *s);

BNB_MUST_CHECK status part_scope_create(const experiment_outputs *outputs, part_scope *out, error_info *err);

/** Adds what the part looks at, with the parts of a best_of and of pools; nothing of a part without a metric. */
void part_scope_add(part_scope *s, const declared_part *p, const experiment_outputs *outputs);

#endif
