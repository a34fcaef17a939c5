/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/separating_sets.h"

#include "core/base/array.h"
#include "core/base/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t start, length; /* among the members */
} entry;

struct separating_sets {
    hash_table places; /* of the entries, by pair */
    entry *entries;
    size_t n, capacity;
    size_t *members; /* of all sets, one after the other */
    size_t n_members, members_capacity;
};

status separating_sets_create(separating_sets **out, error_info *err) {
    CHECK_ALLOC(*out = calloc(1, sizeof **out));
    return STATUS_OK;
}

void separating_sets_destroy(separating_sets *sets) {
    if (!sets)
        return;
    hash_table_clear(&sets->places);
    free(sets->entries);
    free(sets->members);
    free(sets);
}

size_t separating_sets_count(const separating_sets *sets) {
    return sets->n;
}

static uint64_t hash_of(size_t a, size_t b) {
    return hash_number(a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);
}

status separating_sets_put(separating_sets *sets, size_t a, size_t b, const size_t *z, size_t n_z, error_info *err) {
    uint64_t hash = hash_of(a, b);
    size_t place = hash_find(&sets->places, hash);
    CHECK(ARRAY_RESERVE(sets->members, sets->members_capacity, sets->n_members + n_z + 1, err));
    if (place == HASH_NONE) {
        CHECK(ARRAY_ROOM(sets->entries, sets->n, sets->capacity, err));
        CHECK(hash_table_add(&sets->places, hash, sets->n, err));
        place = sets->n++;
    }
    sets->entries[place] = (entry){sets->n_members, n_z};
    if (n_z > 0)
        memcpy(sets->members + sets->n_members, z, n_z * sizeof *z);
    sets->n_members += n_z;
    return STATUS_OK;
}

const size_t *separating_sets_get(const separating_sets *sets, size_t a, size_t b, size_t *n_z) {
    size_t place = hash_find(&sets->places, hash_of(a, b));
    *n_z = place == HASH_NONE ? 0 : sets->entries[place].length;
    return place == HASH_NONE ? NULL : sets->members + sets->entries[place].start;
}

bool separating_sets_has(const separating_sets *sets, size_t a, size_t b, size_t node) {
    size_t n_z;
    const size_t *z = separating_sets_get(sets, a, b, &n_z);
    for (size_t i = 0; z && i < n_z; i++) {
        if (z[i] == node)
            return true;
    }
    return false;
}
