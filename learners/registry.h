/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every learner, by position and by name. */
#ifndef BNB_LEARNERS_REGISTRY_H
#define BNB_LEARNERS_REGISTRY_H

#include "learners/base/learner.h"

extern const registry learner_registry;

size_t learner_count(void);
const learner *learner_at(size_t i);

/** Finds a learner by name or alias; STATUS_INVALID with a suggestion. */
BNB_MUST_CHECK status learner_find(const char *name, const learner **out, error_info *err);

#endif
