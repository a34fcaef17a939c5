/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/registry.h"

#define DISCRETIZER(name) extern const discretizer discretizer_##name;
#include "discretizers/registry.def"
#undef DISCRETIZER

static const void *const items[] = {
#define DISCRETIZER(name) &discretizer_##name,
#include "discretizers/registry.def"
#undef DISCRETIZER
};

const registry discretizer_registry = REGISTRY_OF("discretizer", items, discretizer);

size_t discretizer_count(void) {
    return discretizer_registry.n;
}

const discretizer *discretizer_at(size_t i) {
    return items[i];
}

status discretizer_find(const char *name, const discretizer **out, error_info *err) {
    size_t place;
    CHECK(registry_find(&discretizer_registry, name, &place, err));
    *out = items[place];
    return STATUS_OK;
}
