/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/registry.h"

#include <string.h>

#define DISCRETIZER(name) extern const discretizer discretizer_##name;
#include "discretizers/registry.def"
#undef DISCRETIZER

static const discretizer *const registry[] = {
#define DISCRETIZER(name) &discretizer_##name,
#include "discretizers/registry.def"
#undef DISCRETIZER
};

enum { N_DISCRETIZERS = sizeof registry / sizeof *registry };

size_t discretizer_count(void) {
    return N_DISCRETIZERS;
}

const discretizer *discretizer_at(size_t i) {
    return registry[i];
}

static bool has_name(const discretizer *d, const char *name) {
    if (strcmp(d->name, name) == 0)
        return true;
    for (const char *const *alias = d->aliases; alias && *alias; alias++) {
        if (strcmp(*alias, name) == 0)
            return true;
    }
    return false;
}

static status unknown(const char *name, error_info *err) {
    const char *names[N_DISCRETIZERS], *near;
    char list[300] = "";
    for (size_t i = 0; i < N_DISCRETIZERS; i++) {
        names[i] = registry[i]->name;
        (void)strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        (void)strncat(list, names[i], sizeof list - strlen(list) - 1);
    }
    near = text_nearest(name, names, N_DISCRETIZERS);
    if (near)
        return error_set(err, STATUS_INVALID, "unknown discretizer '%.100s'; did you mean '%s'?", name, near);
    return error_set(err, STATUS_INVALID, "unknown discretizer '%.100s'; there are: %s", name, list);
}

status discretizer_find(const char *name, const discretizer **out, error_info *err) {
    for (size_t i = 0; i < N_DISCRETIZERS; i++) {
        if (has_name(registry[i], name)) {
            *out = registry[i];
            return STATUS_OK;
        }
    }
    return unknown(name, err);
}
