/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a local search found for each variable, one after the other, and the skeleton that follows from it. */
#ifndef BNB_LEARNERS_BASE_NEIGHBOUR_LISTS_H
#define BNB_LEARNERS_BASE_NEIGHBOUR_LISTS_H

#include "core/base/status.h"
#include "core/graph/pdag.h"

#include <stdbool.h>
#include <stddef.h>

/** Which edges a skeleton keeps: X - T where each found the other, or where one found the other. */
typedef enum { SYMMETRY_AND, SYMMETRY_OR } symmetry_rule;
#define SYMMETRY_CHOICES "and|or"

typedef struct neighbour_lists neighbour_lists;

/** No list yet. O(n_nodes + members) memory. */
BNB_MUST_CHECK status neighbour_lists_create(size_t n_nodes, neighbour_lists **out, error_info *err);
void neighbour_lists_destroy(neighbour_lists *lists); /* NULL is fine */
AUTO_PTR_OF(neighbour_lists, neighbour_lists_destroy)

/** The list of the next node: the first call gives that of node 0. The members are copied. */
BNB_MUST_CHECK status neighbour_lists_append(neighbour_lists *lists, const size_t *members, size_t n_members,
                                             error_info *err);

/** Nodes that have a list: 0 .. count-1. */
size_t neighbour_lists_count(const neighbour_lists *lists);

/** The members of a node that has a list, in the order in which they were given; valid until the next append. */
const size_t *neighbour_lists_get(const neighbour_lists *lists, size_t node, size_t *n_members);

/**
 * All lists at once: that of i is members[starts[i]] .. members[starts[i + 1] - 1]. Every node must have one; valid
 * until the next append.
 */
void neighbour_lists_all(const neighbour_lists *lists, const size_t **starts, const size_t **members);

/** True if `node` has a list and `member` is in it. O(length). */
bool neighbour_lists_has(const neighbour_lists *lists, size_t node, size_t member);

/** All undirected. A node without a list found nothing. */
BNB_MUST_CHECK status neighbour_lists_skeleton(const neighbour_lists *lists, symmetry_rule rule, pdag **out,
                                               error_info *err);

#endif
