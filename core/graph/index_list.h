/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A set of indices as an ascending array: the neighbours of a node. */
#ifndef BNB_CORE_GRAPH_INDEX_LIST_H
#define BNB_CORE_GRAPH_INDEX_LIST_H

#include "core/base/status.h"

#include <stdbool.h>

/** Zero-initialise. `items` ascending, without repeats. */
typedef struct {
    size_t *items;
    size_t count, capacity;
} index_list;

void index_list_clear(index_list *list);

/** Where `item` is, or where it would be inserted; `*found` tells which. O(log count). */
size_t index_list_find(const index_list *list, size_t item, bool *found);
bool index_list_has(const index_list *list, size_t item);

/** Room for that many items, so that the insertions up to it cannot fail; exact where the list is empty. */
BNB_MUST_CHECK status index_list_reserve(index_list *list, size_t capacity, error_info *err);

/** Inserts at a place that index_list_find gave; room must be reserved. */
void index_list_insert(index_list *list, size_t place, size_t item);
void index_list_remove(index_list *list, size_t place);

BNB_MUST_CHECK status index_list_copy(const index_list *from, index_list *to, error_info *err);

#endif
