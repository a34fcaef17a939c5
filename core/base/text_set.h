/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Distinct texts, numbered as they arrive, found in O(1) by pointer and length: states in the
 * middle of a file's text. */
#ifndef BNB_CORE_BASE_TEXT_SET_H
#define BNB_CORE_BASE_TEXT_SET_H

#include "core/base/hash.h"
#include "core/base/name_index.h"
#include "core/base/status.h"

#include <stdint.h>

/** Zero-initialise. Owns the texts, each with a NUL behind it. */
typedef struct {
    char **texts;
    size_t *lengths;
    uint64_t *keys; /* a text of at most seven bytes and its length in one number; 0 for a longer one */
    size_t n, capacity;
    hash_table numbers;
} text_set;

void text_set_clear(text_set *set);

/** The number of that text, or NAME_NONE. */
size_t text_set_find(const text_set *set, const char *text, size_t length);

/** Appends a text that text_set_find does not find. STATUS_MEMORY. */
BNB_MUST_CHECK status text_set_add(text_set *set, const char *text, size_t length, error_info *err);

#endif
