/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Rows of local scores, each found by its family: row (y, Q) belongs to the node y with the parents Q, and holds what
 * its owner knows of y with Q and one parent more. Searches that come back to a family find its row again, whatever the
 * graph has become since. What a row looks like, and when all are forgotten, is the owner's affair.
 */
#ifndef BNB_LEARNERS_BASE_FAMILY_INDEX_H
#define BNB_LEARNERS_BASE_FAMILY_INDEX_H

#include "core/base/status.h"

typedef struct family_index family_index;

/** No row yet. `destroy` releases a row: free, or what calls it. */
BNB_MUST_CHECK status family_index_create(size_t n_nodes, void (*destroy)(void *row), family_index **out,
                                          error_info *err);
void family_index_destroy(family_index *index); /* NULL is fine */
AUTO_PTR_OF(family_index, family_index_destroy)

/** Destroys every row. */
BNB_MUST_CHECK status family_index_forget(family_index *index, error_info *err);

/** The row of y and n distinct parents in any order; NULL where there is none. O(n) where they ascend, else O(n^2). */
void *family_index_find(family_index *index, size_t y, const size_t *parents, size_t n);

/** Adds the row of the family that was just looked for in vain. The index owns it from here on, not after an error. */
BNB_MUST_CHECK status family_index_add(family_index *index, void *row, error_info *err);

#endif
