/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/scores/score.h"

#define SCORE(name) extern const score_kind score_##name;
#include "metrics/scores/registry.def"
#undef SCORE

static const void *const kinds[] = {
#define SCORE(name) &score_##name,
#include "metrics/scores/registry.def"
#undef SCORE
};

const registry score_registry = REGISTRY_OF("score", kinds, score_kind);

const score_kind *score_kind_at(size_t i) {
    return kinds[i];
}

status score_kind_find(const char *name, const score_kind **out, error_info *err) {
    size_t place;
    CHECK(registry_find(&score_registry, name, &place, err));
    *out = kinds[place];
    return STATUS_OK;
}
