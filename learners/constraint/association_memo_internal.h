/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a search for one target has been told: the association of a variable with the target given a set. */
#ifndef BNB_LEARNERS_CONSTRAINT_ASSOCIATION_MEMO_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_ASSOCIATION_MEMO_INTERNAL_H

#include "metrics/tests/association.h"

typedef struct association_memo association_memo;

/** For sets of fewer than n_variables. */
BNB_MUST_CHECK status association_memo_create(size_t n_variables, association_memo **out, error_info *err);
void association_memo_destroy(association_memo *memo); /* NULL is fine */

/** Starts anew. */
BNB_MUST_CHECK status association_memo_forget(association_memo *memo, error_info *err);

/** True, and the entry into `out`, if that of x and the ascending set z is there. */
bool association_memo_find(association_memo *memo, size_t x, const size_t *z, size_t n_z, association *out);

/** Adds one that is not there. Without memory it is asked for again later: no error. */
void association_memo_add(association_memo *memo, size_t x, const size_t *z, size_t n_z, const association *known);

#endif
