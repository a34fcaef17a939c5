/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Things that a user names: learners, discretizers, scores, tests. Each is a file, and a line of its registry.def. */
#ifndef BNB_CORE_BASE_REGISTRY_H
#define BNB_CORE_BASE_REGISTRY_H

#include "core/base/status.h"

#include <stddef.h>

/** Structs of one type, and where each has what a registry must know: offsets of its members. */
typedef struct registry {
    const char *what; /* "learner" */
    const void *const *items;
    size_t n;
    size_t name;         /* const char * */
    size_t aliases;      /* const char *const *: NULL-terminated, or NULL */
    size_t options;      /* const option_spec * (core/base/options.h) */
    size_t options_size; /* size_t */
} registry;

/** A registry of the pointers `things` to structs of the type, which has members of these names. */
#define REGISTRY_OF(what, things, type)                                                                                \
    {                                                                                                                  \
        what, things, sizeof(things) / sizeof *(things), offsetof(type, name), offsetof(type, aliases),                \
            offsetof(type, options), offsetof(type, options_size)                                                      \
    }

const char *registry_name(const registry *r, size_t place);

/** The place of the thing with that name or alias; STATUS_INVALID with a suggestion, or the names that there are. */
BNB_MUST_CHECK status registry_find(const registry *r, const char *name, size_t *place, error_info *err);

/** The name that was probably meant, or NULL. */
const char *registry_nearest(const registry *r, const char *name);

#endif
