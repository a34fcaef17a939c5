/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The sets that made pairs of variables independent: v-structures are read from them. */
#ifndef BNB_LEARNERS_CONSTRAINT_SEPARATING_SETS_H
#define BNB_LEARNERS_CONSTRAINT_SEPARATING_SETS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Sets of unordered pairs: memory for the pairs that have one, not for all; 20 bytes, and 4 a member. */
typedef struct separating_sets separating_sets;

BNB_MUST_CHECK status separating_sets_create(separating_sets **out, error_info *err);
void separating_sets_destroy(separating_sets *sets); /* NULL is fine */
AUTO_PTR_OF(separating_sets, separating_sets_destroy)

/**
 * The set of the pair, in place of an earlier one; copied. a != b, both below 2^32, as are the members.
 * @return STATUS_MEMORY; all is then as before.
 */
BNB_MUST_CHECK status separating_sets_put(separating_sets *sets, size_t a, size_t b, const size_t *z, size_t n_z,
                                          error_info *err);

/** Puts all sets of one behind those of the other, and leaves none. As before on STATUS_MEMORY. */
BNB_MUST_CHECK status separating_sets_move(separating_sets *from, separating_sets *to, error_info *err);

/** After it a set is found in O(log pairs), but for those that are put later, each of which is looked at. */
BNB_MUST_CHECK status separating_sets_sort(separating_sets *sets, error_info *err);

/** Says which sets are of use: a < b, z the members. */
typedef struct {
    void *self;
    bool (*keeps)(void *self, size_t a, size_t b, const uint32_t *z, size_t n_z);
} set_filter;

/** Leaves those sets alone; before separating_sets_sort. Takes no memory. */
void separating_sets_keep(separating_sets *sets, const set_filter *filter);

/** The set of the pair as it was given, which may be empty; NULL where there is none. Valid until the next change. */
const uint32_t *separating_sets_get(const separating_sets *sets, size_t a, size_t b, size_t *n_z);

/** True if the pair has a set and `node` is in it. */
bool separating_sets_has(const separating_sets *sets, size_t a, size_t b, size_t node);

#endif
