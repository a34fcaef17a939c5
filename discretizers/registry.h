/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every discretizer, by position and by name. */
#ifndef BNB_DISCRETIZERS_REGISTRY_H
#define BNB_DISCRETIZERS_REGISTRY_H

#include "discretizers/base/discretizer.h"

extern const registry discretizer_registry;

size_t discretizer_count(void);
const discretizer *discretizer_at(size_t i);

/** Finds a discretizer by name or alias; STATUS_INVALID with a suggestion. */
BNB_MUST_CHECK status discretizer_find(const char *name, const discretizer **out, error_info *err);

#endif
