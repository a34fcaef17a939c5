/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/ci_test.h"

#define TEST(name) extern const ci_test_kind ci_test_##name;
#include "metrics/tests/registry.def"
#undef TEST

static const void *const kinds[] = {
#define TEST(name) &ci_test_##name,
#include "metrics/tests/registry.def"
#undef TEST
};

const registry ci_test_registry = REGISTRY_OF("test", kinds, ci_test_kind);

const ci_test_kind *ci_test_kind_at(size_t i) {
    return kinds[i];
}

status ci_test_kind_find(const char *name, const ci_test_kind **out, error_info *err) {
    size_t place;
    CHECK(registry_find(&ci_test_registry, name, &place, err));
    *out = kinds[place];
    return STATUS_OK;
}

size_t ci_test_usual_place(int data_kind) {
    size_t i = 0;
    while (i + 1 < ci_test_registry.n && !(ci_test_kind_at(i)->is_usual_for & data_kind))
        i++;
    return i;
}
