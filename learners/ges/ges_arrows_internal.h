/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The operators that GES has scored and not yet applied, the largest gain first; and the node sets that they name. */
#ifndef BNB_LEARNERS_GES_GES_ARROWS_INTERNAL_H
#define BNB_LEARNERS_GES_GES_ARROWS_INTERNAL_H

#include "core/base/status.h"

#include <stdint.h>

/**
 * Inserting or deleting X and Y when Y's parents become Pa(Y) and `clique` (a subset of Y's neighbours), with X or
 * without. Insert has T = clique \ NA(Y, X), Delete has H = NA(Y, X) \ clique, with NA as it is when the arrow is
 * taken.
 */
typedef struct {
    double gain;
    uint32_t x, y;
    uint32_t stamp;  /* of y's surroundings when it was scored */
    uint32_t clique; /* in a ges_sets */
    uint32_t stream; /* of which it is the first; GES_NO_STREAM: it stands for itself */
} ges_arrow;

#define GES_NO_STREAM UINT32_MAX

/** Zero-initialise. A heap under push and pop; a plain list under append. */
typedef struct {
    ges_arrow *items;
    size_t count, capacity;
} ges_arrows;

void ges_arrows_clear(ges_arrows *a);
BNB_MUST_CHECK status ges_arrows_append(ges_arrows *a, const ges_arrow *arrow, error_info *err);
BNB_MUST_CHECK status ges_arrows_push(ges_arrows *a, const ges_arrow *arrow, error_info *err);

/** The largest gain; the heap must not be empty. Ties in no order. */
ges_arrow ges_arrows_pop(ges_arrows *a);

/** Drops the arrows of a heap whose stamp is not that of their y: stamp[y]; dropped(self, arrow) is told of each. */
void ges_arrows_drop_stale(ges_arrows *a, const uint32_t *stamp, void (*dropped)(void *self, const ges_arrow *arrow),
                           void *self);

/** Zero-initialise. Sets of nodes, kept until all are cleared. */
typedef struct {
    size_t *items; /* a set is its length, then its nodes */
    size_t count, capacity;
} ges_sets;

void ges_sets_clear(ges_sets *s);

/** Keeps a copy; STATUS_MEMORY past 2^32 numbers too. */
BNB_MUST_CHECK status ges_sets_add(ges_sets *s, const size_t *nodes, size_t n, uint32_t *id, error_info *err);

/** Valid until the next add. */
const size_t *ges_sets_get(const ges_sets *s, uint32_t id, size_t *n);

#endif
