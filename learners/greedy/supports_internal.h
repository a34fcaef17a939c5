/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Supports of a DAG: a few nodes of which all ancestors and all descendants are kept. Most questions for a path are
 * answered by them at once: a path leads from x to y where it leads from x to a support and from this to y, and none
 * does where a support is above x and not above y, or below y and not below x. Source: Hanauer, Henzinger, Schulz
 * 2020, Faster Fully Dynamic Transitive Closure in Practice (supportive vertices). NULL has none, and knows nothing.
 */
#ifndef BNB_LEARNERS_GREEDY_SUPPORTS_INTERNAL_H
#define BNB_LEARNERS_GREEDY_SUPPORTS_INTERNAL_H

#include "core/graph/dag.h"

#include <stdint.h>

enum { SUPPORTS_WORDS = 2, SUPPORTS_MOST = 64 * SUPPORTS_WORDS };

/** A bit a support. */
typedef struct {
    uint64_t words[SUPPORTS_WORDS];
} support_set;

typedef struct supports supports;

/** Follows `g` (borrowed), which has no arcs yet; its supports are spread evenly over its nodes. */
BNB_MUST_CHECK status supports_create(const dag *g, supports **out, error_info *err);
void supports_destroy(supports *s);
AUTO_PTR_OF(supports, supports_destroy)

typedef enum { PATH_UNKNOWN, PATH_NONE, PATH_EXISTS } path_answer;

/** Whether a path leads from x to y; a node reaches itself. */
path_answer supports_ask(const supports *s, size_t x, size_t y);

/** The supports that reach a node, which is there; and those that it reaches. Not of NULL. */
const support_set *supports_above(const supports *s, size_t node);
const support_set *supports_below(const supports *s, size_t node);

/** The bit of the support that the node is; SUPPORTS_MOST: it is none. */
size_t supports_number(const supports *s, size_t node);

/** To be called after the arc was added to the DAG. */
void supports_arc_added(supports *s, size_t from, size_t to);

/** After an arc was removed: nothing is known until supports_go_on, before which each pair that lost its last path is
 * told. */
void supports_arc_removed(supports *s);
void supports_lose(supports *s, size_t x, size_t z);
void supports_go_on(supports *s);

#endif
