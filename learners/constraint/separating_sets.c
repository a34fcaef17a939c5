/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/separating_sets.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t pair; /* lower << 32 | higher; 0, which is no pair, where the slot is free */
    size_t start, length;
} entry;

struct separating_sets {
    entry *entries; /* open addressing; n_slots is a power of two, at most half of it used */
    size_t n_slots, n_used;
    size_t *members; /* of all sets, one after the other */
    size_t n_members, capacity;
};

enum { FIRST_SLOTS = 256, FIRST_MEMBERS = 256 };

status separating_sets_create(separating_sets **out, error_info *err) {
    status st = STATUS_OK;
    separating_sets *sets = NULL;

    TRY_ALLOC(sets = calloc(1, sizeof *sets));
    TRY_ALLOC(sets->entries = calloc(FIRST_SLOTS, sizeof *sets->entries));
    TRY_ALLOC(sets->members = calloc(FIRST_MEMBERS, sizeof *sets->members));
    sets->n_slots = FIRST_SLOTS;
    sets->capacity = FIRST_MEMBERS;
    *out = sets;
    sets = NULL;
cleanup:
    separating_sets_destroy(sets);
    return st;
}

void separating_sets_destroy(separating_sets *sets) {
    if (!sets)
        return;
    free(sets->entries);
    free(sets->members);
    free(sets);
}

size_t separating_sets_count(const separating_sets *sets) {
    return sets->n_used;
}

static uint64_t pair_of(size_t a, size_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* The slot of the pair, or the free one where it would go. */
static entry *locate(entry *entries, size_t n_slots, uint64_t pair) {
    uint64_t hash = pair * 0x9E3779B97F4A7C15u;
    size_t i = (size_t)(hash ^ hash >> 32) & (n_slots - 1);
    while (entries[i].pair != 0 && entries[i].pair != pair)
        i = (i + 1) & (n_slots - 1);
    return &entries[i];
}

static status double_slots(separating_sets *sets, error_info *err) {
    size_t n_slots = 2 * sets->n_slots;
    entry *entries = calloc(n_slots, sizeof *entries);
    if (!entries)
        return error_out_of_memory(err);
    for (size_t i = 0; i < sets->n_slots; i++) {
        if (sets->entries[i].pair != 0)
            *locate(entries, n_slots, sets->entries[i].pair) = sets->entries[i];
    }
    free(sets->entries);
    sets->entries = entries;
    sets->n_slots = n_slots;
    return STATUS_OK;
}

static status reserve_members(separating_sets *sets, size_t more, error_info *err) {
    size_t capacity = sets->capacity;
    size_t *members;
    while (capacity - sets->n_members < more)
        capacity *= 2;
    if (capacity == sets->capacity)
        return STATUS_OK;
    members = reallocarray(sets->members, capacity, sizeof *members);
    if (!members)
        return error_out_of_memory(err);
    sets->members = members;
    sets->capacity = capacity;
    return STATUS_OK;
}

status separating_sets_put(separating_sets *sets, size_t a, size_t b, const size_t *z, size_t n_z, error_info *err) {
    entry *e;
    CHECK(reserve_members(sets, n_z, err));
    if (2 * (sets->n_used + 1) > sets->n_slots)
        CHECK(double_slots(sets, err));
    e = locate(sets->entries, sets->n_slots, pair_of(a, b));
    sets->n_used += e->pair == 0;
    *e = (entry){pair_of(a, b), sets->n_members, n_z};
    if (n_z > 0)
        memcpy(sets->members + sets->n_members, z, n_z * sizeof *z);
    sets->n_members += n_z;
    return STATUS_OK;
}

const size_t *separating_sets_get(const separating_sets *sets, size_t a, size_t b, size_t *n_z) {
    const entry *e = locate(sets->entries, sets->n_slots, pair_of(a, b));
    *n_z = e->length;
    return e->pair ? sets->members + e->start : NULL;
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
