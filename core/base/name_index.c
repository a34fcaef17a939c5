/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/name_index.h"

#include "core/base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *name; /* NULL: free */
    uint64_t hash;
    size_t number;
} slot;

struct name_index {
    slot *slots;
    size_t n_slots, used; /* n_slots is a power of two, at most half of it used */
};

/* FNV-1a, 64 bits. */
static uint64_t hash_name(const char *name) {
    uint64_t h = 14695981039346656037u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return h ^ (h >> 29);
}

status name_index_create(size_t expected, name_index **out, error_info *err) {
    size_t n_slots = 16;
    name_index *index = calloc(1, sizeof *index);
    while (n_slots < expected * 2 && n_slots < SIZE_MAX / 64)
        n_slots *= 2;
    if (index)
        index->slots = calloc(n_slots, sizeof *index->slots);
    if (!index || !index->slots) {
        free(index);
        return error_out_of_memory(err);
    }
    index->n_slots = n_slots;
    *out = index;
    return STATUS_OK;
}

void name_index_destroy(name_index *index) {
    if (!index)
        return;
    for (size_t i = 0; i < index->n_slots; i++)
        free(index->slots[i].name);
    free(index->slots);
    free(index);
}

/* The slot that holds the name, or the free one where it belongs. */
static slot *locate(slot *slots, size_t n_slots, const char *name, uint64_t hash) {
    size_t i = (size_t)hash & (n_slots - 1);
    while (slots[i].name && (slots[i].hash != hash || strcmp(slots[i].name, name) != 0))
        i = (i + 1) & (n_slots - 1);
    return &slots[i];
}

static status grow(name_index *index, error_info *err) {
    size_t n_slots = index->n_slots * 2;
    slot *slots = calloc(n_slots, sizeof *slots);
    if (!slots)
        return error_out_of_memory(err);
    for (size_t i = 0; i < index->n_slots; i++) {
        const slot *s = &index->slots[i];
        if (s->name)
            *locate(slots, n_slots, s->name, s->hash) = *s;
    }
    free(index->slots);
    index->slots = slots;
    index->n_slots = n_slots;
    return STATUS_OK;
}

status name_index_add(name_index *index, const char *name, size_t number, size_t *earlier, error_info *err) {
    uint64_t hash = hash_name(name);
    slot *s = locate(index->slots, index->n_slots, name, hash);
    char *copy;
    if (earlier)
        *earlier = s->name ? s->number : NAME_NONE;
    if (s->name)
        return STATUS_OK;
    if (index->used * 2 >= index->n_slots) {
        CHECK(grow(index, err));
        s = locate(index->slots, index->n_slots, name, hash);
    }
    copy = text_copy(name);
    if (!copy)
        return error_out_of_memory(err);
    *s = (slot){copy, hash, number};
    index->used++;
    return STATUS_OK;
}

size_t name_index_find(const name_index *index, const char *name) {
    const slot *s = locate(index->slots, index->n_slots, name, hash_name(name));
    return s->name ? s->number : NAME_NONE;
}
