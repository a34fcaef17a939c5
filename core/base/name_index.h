/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From a name to its number: variables of a network, states of a variable with many. */
#ifndef BNB_CORE_BASE_NAME_INDEX_H
#define BNB_CORE_BASE_NAME_INDEX_H

#include "core/base/status.h"

#include <stdbool.h>

typedef struct name_index name_index;

#define NAME_NONE ((size_t)-1)

BNB_MUST_CHECK status name_index_create(size_t expected, name_index **out, error_info *err);
void name_index_destroy(name_index *index);
AUTO_PTR_OF(name_index, name_index_destroy)

/**
 * Gives `name` the value `number`; the name is copied. `*earlier` (may be NULL) is NAME_NONE, or, where the
 * name was there already, its number, which stays.
 */
BNB_MUST_CHECK status name_index_add(name_index *index, const char *name, size_t number, size_t *earlier,
                                     error_info *err);

/** The number of `name`, or NAME_NONE. O(1). */
size_t name_index_find(const name_index *index, const char *name);

/** The same of a name of so many bytes without a NUL behind it. */
size_t name_index_find_n(const name_index *index, const char *name, size_t length);

#endif
