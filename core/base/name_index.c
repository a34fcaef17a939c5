/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/name_index.h"

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    char *name;
    size_t number;
} entry;

struct name_index {
    entry *entries;
    size_t n, capacity;
    hash_table places; /* of the entries, by name */
};

status name_index_create(size_t expected, name_index **out, error_info *err) {
    AUTO_PTR(name_index_destroy) name_index *index = calloc(1, sizeof *index);
    CHECK_ALLOC(index);
    CHECK(ARRAY_RESERVE(index->entries, index->capacity, expected, err));
    CHECK(hash_table_reserve(&index->places, expected, err));
    *out = TAKE(index);
    return STATUS_OK;
}

void name_index_destroy(name_index *index) {
    if (!index)
        return;
    for (size_t i = 0; i < index->n; i++)
        free(index->entries[i].name);
    free(index->entries);
    hash_table_clear(&index->places);
    free(index);
}

static const entry *find(const name_index *index, const char *name, size_t length, uint64_t hash) {
    size_t at = (size_t)hash, place;
    while ((place = hash_next(&index->places, hash, &at)) != HASH_NONE) {
        const entry *e = &index->entries[place];
        if (strlen(e->name) == length && memcmp(e->name, name, length) == 0)
            return e;
    }
    return NULL;
}

status name_index_add(name_index *index, const char *name, size_t number, size_t *earlier, error_info *err) {
    size_t length = strlen(name);
    uint64_t hash = hash_bytes(name, length);
    const entry *there = find(index, name, length, hash);
    char *copy;
    if (earlier)
        *earlier = there ? there->number : NAME_NONE;
    if (there)
        return STATUS_OK;
    CHECK(ARRAY_ROOM(index->entries, index->n, index->capacity, err));
    CHECK(hash_table_reserve(&index->places, index->n + 1, err));
    CHECK_ALLOC(copy = text_copy(name));
    index->entries[index->n] = (entry){copy, number};
    return hash_table_add(&index->places, hash, index->n++, err);
}

size_t name_index_find(const name_index *index, const char *name) {
    return name_index_find_n(index, name, strlen(name));
}

size_t name_index_find_n(const name_index *index, const char *name, size_t length) {
    const entry *there = find(index, name, length, hash_bytes(name, length));
    return there ? there->number : NAME_NONE;
}
