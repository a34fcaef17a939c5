/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/registry.h"

#include "core/base/text.h"

#include <string.h>

enum { MOST_NAMES = 64 }; /* among which the nearest is sought */

static const void *member(const registry *r, size_t place, size_t offset) {
    return (const char *)r->items[place] + offset;
}

const char *registry_name(const registry *r, size_t place) {
    return *(const char *const *)member(r, place, r->name);
}

static bool has_name(const registry *r, size_t place, const char *name) {
    const char *const *alias = *(const char *const *const *)member(r, place, r->aliases);
    bool has = strcmp(registry_name(r, place), name) == 0;
    for (; alias && *alias && !has; alias++)
        has = strcmp(*alias, name) == 0;
    return has;
}

const char *registry_nearest(const registry *r, const char *name) {
    const char *names[MOST_NAMES];
    size_t n = r->n < MOST_NAMES ? r->n : MOST_NAMES;
    for (size_t i = 0; i < n; i++)
        names[i] = registry_name(r, i);
    return text_nearest(name, names, n);
}

static status unknown(const registry *r, const char *name, error_info *err) {
    const char *near = registry_nearest(r, name);
    AUTO(text_buffer_clear) text_buffer list = {0};
    if (near)
        return error_set(err, STATUS_INVALID, "unknown %s '%.100s'; did you mean '%s'?", r->what, name, near);
    for (size_t i = 0; i < r->n; i++)
        text_append_format(&list, "%s%s", i ? ", " : "", registry_name(r, i));
    return error_set(err, STATUS_INVALID, "unknown %s '%.100s'; there are: %s", r->what, name,
                     list.data ? list.data : "none");
}

status registry_find(const registry *r, const char *name, size_t *place, error_info *err) {
    for (size_t i = 0; i < r->n; i++) {
        if (has_name(r, i, name)) {
            *place = i;
            return STATUS_OK;
        }
    }
    return unknown(r, name, err);
}
