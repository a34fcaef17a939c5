/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"

#define LEARNER(name) extern const learner learner_##name;
#include "learners/registry.def"
#undef LEARNER

static const void *const items[] = {
#define LEARNER(name) &learner_##name,
#include "learners/registry.def"
#undef LEARNER
};

const registry learner_registry = REGISTRY_OF("learner", items, learner);

size_t learner_count(void) {
    return learner_registry.n;
}

const learner *learner_at(size_t i) {
    return items[i];
}

status learner_find(const char *name, const learner **out, error_info *err) {
    size_t place;
    CHECK(registry_find(&learner_registry, name, &place, err));
    *out = items[place];
    return STATUS_OK;
}
