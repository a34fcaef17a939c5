/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What each node of a DAG has reached, and when. Time is a count of changes. Kept are the arcs, with when each came and
 * went, and the pairs of nodes that lost their last path: memory grows with the changes, and not with the pairs that
 * paths connect.
 */
#ifndef BNB_LEARNERS_GREEDY_REACH_HISTORY_INTERNAL_H
#define BNB_LEARNERS_GREEDY_REACH_HISTORY_INTERNAL_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reach_history reach_history;

BNB_MUST_CHECK status reach_history_create(size_t n_nodes, reach_history **out, error_info *err);
void reach_history_destroy(reach_history *h); /* NULL is fine */
AUTO_PTR_OF(reach_history, reach_history_destroy)

/** The number of changes so far. */
uint32_t reach_history_now(const reach_history *h);

/** An arc came, or went: the next change. */
BNB_MUST_CHECK status reach_history_add_arc(reach_history *h, size_t from, size_t to, error_info *err);
void reach_history_remove_arc(reach_history *h, size_t from, size_t to);

/** The last change left no path from x to z. */
BNB_MUST_CHECK status reach_history_lose(reach_history *h, size_t x, size_t z, error_info *err);

typedef struct {
    uint32_t node, when; /* the change that cut the last path to the node */
} reach_loss;

/** What x lost by the changes after number `after`, in that order; valid until x loses more. */
const reach_loss *reach_history_losses(const reach_history *h, size_t x, uint32_t after, size_t *n);

/** x, first, and what it reached when there had been `when` changes, into `out` (room for all nodes); how many. */
size_t reach_history_list(reach_history *h, size_t x, uint32_t when, size_t *out);

/** True if x was z or reached it then: a search from both ends. */
bool reach_history_reaches(reach_history *h, size_t x, size_t z, uint32_t when);

typedef struct {
    size_t x;
    uint32_t when;
} reach_question;

enum { REACH_TOGETHER = 512 };

/** A bit a question. */
typedef struct {
    uint64_t words[REACH_TOGETHER / 64];
} reach_bits;

/** What one thread needs for that; zero-initialise. */
typedef struct {
    uint32_t *marks, mark; /* a node is marked where its entry is `mark` */
    reach_bits *bits;      /* by node */
} reach_sweep;

/** After a failure it is as before. */
BNB_MUST_CHECK status reach_sweep_init(reach_sweep *s, size_t n_nodes, error_info *err);
void reach_sweep_clear(reach_sweep *s);

/**
 * The same for up to REACH_TOGETHER questions at once, whose `when` ascends: bit i of s->bits[v] where the x of
 * question i is v or reached it. `order` lists all nodes; the fewer arcs lead back in it, the less often it is gone
 * through. Several threads may ask at once, each with a sweep of its own.
 */
void reach_history_list_together(const reach_history *h, const reach_question *questions, size_t n, const size_t *order,
                                 reach_sweep *s);

/** How many nodes have bit i, for each i. */
void reach_sweep_count(const reach_sweep *s, size_t n_nodes, size_t counts[REACH_TOGETHER]);

#endif
