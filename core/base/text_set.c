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

/* Few texts, as states mostly are, need no table: the keys of short ones lie in one cache line, three times as fast as
 * by hash on a file of 724 columns. */
static size_t find_among_few(const text_set *set, const char *text, size_t length) {
    uint64_t key = key_of(text, length);
    for (size_t i = 0; i < set->n; i++) {
        if (set->keys[i] == key &&
            (length <= SHORT || (set->lengths[i] == length && memcmp(set->texts[i], text, length) == 0)))
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
    return set->n <= FEW ? find_among_few(set, text, length) : find_by_hash(set, text, length);
}

/* The table begins with all that there are, once they are no longer few. */
static status add_to_table(text_set *set, size_t n, error_info *err) {
    size_t i = set->numbers.n;
    CHECK(hash_table_reserve(&set->numbers, n, err));
    for (; i < n; i++)
        CHECK(hash_table_add(&set->numbers, hash_bytes(set->texts[i], set->lengths[i]), i, err));
    return STATUS_OK;
}

/* Room comes first, so that a failure leaves the set whole. */
status text_set_add(text_set *set, const char *text, size_t length, error_info *err) {
    size_t n = set->n, wanted = n < FEW ? FEW : n + 1;
    size_t capacity = set->capacity, as_well = capacity; /* the three arrays share it */
    char *copy;
    CHECK(ARRAY_RESERVE(set->texts, capacity, wanted, err));
    CHECK(ARRAY_RESERVE(set->lengths, as_well, wanted, err));
    CHECK(ARRAY_RESERVE(set->keys, set->capacity, wanted, err));
    if (n >= FEW)
        CHECK(hash_table_reserve(&set->numbers, n + 1, err));
    CHECK_ALLOC(copy = text_copy_n(text, length));
    set->texts[n] = copy;
    set->keys[n] = key_of(text, length);
    set->lengths[n] = length;
    set->n++;
    return n >= FEW ? add_to_table(set, set->n, err) : STATUS_OK;
}
