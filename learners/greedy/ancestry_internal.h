/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Who is an ancestor of whom in a DAG that changes by single arcs: the legality of every move of a greedy search. */
#ifndef BNB_LEARNERS_GREEDY_ANCESTRY_INTERNAL_H
#define BNB_LEARNERS_GREEDY_ANCESTRY_INTERNAL_H

#include "learners/greedy/path_losses_internal.h"

#include <stdint.h>

typedef struct ancestry ancestry;

/** Follows `g` (borrowed), which has no arcs yet. A bit matrix up to `most_rows` nodes, searches past that. */
BNB_MUST_CHECK status ancestry_create(const dag *g, size_t most_rows, ancestry **out, error_info *err);
void ancestry_destroy(ancestry *a);
AUTO_PTR_OF(ancestry, ancestry_destroy)

/** Of the same DAG, and right whenever `a` is asked; NULL: none. They spare searches. */
void ancestry_lend_supports(ancestry *a, const supports *lent);

/** So many rows pay for a learner that asks of every node again and again; so many for one that lends supports: of more
 * nodes, searches for single paths take less time than rows, which every arc changes. */
enum { ANCESTRY_MAX_NODES = 16384, ANCESTRY_MAX_BESIDE_SUPPORTS = 4096 };

/** True where there are so few nodes that ancestry_reaches looks at one bit. */
bool ancestry_has_rows(const ancestry *a);

/** The nodes that reach y, as bits, 64 nodes a word; NULL where not ancestry_has_rows. Valid until an arc changes. */
const uint64_t *ancestry_row(const ancestry *a, size_t y);
size_t ancestry_row_words(const ancestry *a);

/** So many walks down are kept where there are no rows, until an arc changes. */
enum { ANCESTRY_WALKS = 256 };

/** The nodes that x reaches, where there are no rows (else NULL): by a walk, at which ancestry_reaches looks as long as
 * it is kept. Valid until an arc changes or so many more walks are made; no other thread may ask ancestry_reaches
 * meanwhile. */
const uint64_t *ancestry_all_below(ancestry *a, size_t x);

/** True if a directed path leads from x to y; a node reaches itself. */
bool ancestry_reaches(const ancestry *a, size_t x, size_t y);

/** ancestry_reaches of these is asked soon: fetches what it looks at. */
void ancestry_foresee(const ancestry *a, size_t x, size_t y);

/** True if a path other than the arc x -> y itself leads from x to y: then reversing it would close a cycle. */
bool ancestry_reaches_otherwise(const ancestry *a, size_t x, size_t y);

/** To be called after the arc was added to, or removed from, the DAG. */
void ancestry_arc_added(ancestry *a, size_t from, size_t to);
void ancestry_arc_removed(ancestry *a, size_t from, size_t to);

/** After the arc was removed, in place of ancestry_arc_removed: each pair that lost its last path is told, once. */
BNB_MUST_CHECK status ancestry_arc_removed_told(ancestry *a, size_t from, size_t to, const loss_listener *listener,
                                                error_info *err);

/**
 * What the last ancestry_arc_removed changed, or, where there are rows, ancestry_arc_removed_told: the nodes that reach
 * fewer, as bits, 64 nodes a word; and, where there are rows, those that fewer nodes reach now, in no order. Valid
 * until the next removal.
 */
const uint64_t *ancestry_reaching_less(const ancestry *a);
const size_t *ancestry_less_reached(const ancestry *a, size_t *n);

#endif
