/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"

#include <string.h>

#define LEARNER(name) extern const learner learner_##name;
#include "learners/registry.def"
#undef LEARNER

static const learner *const registry[] = {
#define LEARNER(name) &learner_##name,
#include "learners/registry.def"
#undef LEARNER
};

size_t learner_count(void) {
    return sizeof registry / sizeof registry[0];
}

const learner *learner_at(size_t i) {
    return registry[i];
}

static bool has_name(const learner *l, const char *name) {
    if (strcmp(l->name, name) == 0)
        return true;
    for (const char *const *alias = l->aliases; alias && *alias; alias++) {
        if (strcmp(*alias, name) == 0)
            return true;
    }
    return false;
}

static status unknown_learner(const char *name, error_info *err) {
    const char *names[sizeof registry / sizeof registry[0]];
    const char *near;
    text_buffer list = {0};
    status st;
    for (size_t i = 0; i < learner_count(); i++) {
        names[i] = registry[i]->name;
        text_append_format(&list, "%s%s", i ? ", " : "", names[i]);
    }
    near = text_nearest(name, names, learner_count());
    if (near)
        st = error_set(err, STATUS_INVALID, "unknown learner '%s'; did you mean '%s'?", name, near);
    else
        st =
            error_set(err, STATUS_INVALID, "unknown learner '%s'; there are: %s", name, list.data ? list.data : "none");
    text_buffer_clear(&list);
    return st;
}

status learner_find(const char *name, const learner **out, error_info *err) {
    for (size_t i = 0; i < learner_count(); i++) {
        if (has_name(registry[i], name)) {
            *out = registry[i];
            return STATUS_OK;
        }
    }
    return unknown_learner(name, err);
}
