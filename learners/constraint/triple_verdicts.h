/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What all sets that separate the ends of X - Z - Y say of Z, not the one that a skeleton search happened to find
 * first. Conservative: Ramsey, Spirtes, Zhang 2006, Adjacency-faithfulness and conservative causal inference, UAI, pp.
 * 401-408. Majority: Colombo, Maathuis 2014, J. Mach. Learn. Res. 15:3741-3782, section 3.1.
 */
#ifndef BNB_LEARNERS_CONSTRAINT_TRIPLE_VERDICTS_H
#define BNB_LEARNERS_CONSTRAINT_TRIPLE_VERDICTS_H

#include "core/graph/pdag.h"
#include "core/run/run_context.h"
#include "learners/base/table_limit.h"
#include "metrics/tests/association.h"

/** What tells the v-structures. */
typedef enum { COLLIDERS_SEPARATING_SET, COLLIDERS_CONSERVATIVE, COLLIDERS_MAJORITY } collider_rule;
#define COLLIDER_RULE_CHOICES "separating-set|conservative|majority"

typedef enum { TRIPLE_UNKNOWN, TRIPLE_COLLIDER, TRIPLE_CHAIN /* or fork */ } triple_verdict;

typedef struct {
    collider_rule rule;           /* not COLLIDERS_SEPARATING_SET */
    int max_k;                    /* largest set; negative: no limit */
    const table_limit *limit;     /* spares the source the sets that it would refuse; NULL: ask for all. Borrowed */
    const decision_source *quick; /* the source, NULL: not used. Borrowed */
} triple_rules;

typedef struct triple_verdicts triple_verdicts;

/**
 * Of every X - Z - Y in the skeleton with X and Y not adjacent. The sets are all those of neighbours of X, and all
 * those of neighbours of Y, each once, given which a test that is performed says independent. Conservative: a collider
 * if Z is in none of them, a chain if it is in all, else unknown. Majority: a collider if Z is in less than half of
 * them, a chain if it is in more, else unknown. Unknown too where no set separates the ends: sets of the neighbours
 * that are left, and tests that were performed, cannot then tell why the pair is not adjacent.
 *
 * @param ctx                asked for the deadline alone
 * @param[out] is_cut_short  the deadline came first; the verdicts are not to be used
 * Tests: O(pairs 2^k), k the most neighbours. Reliability must be monotone: sets are taken by increasing size until
 * none of a size was tested.
 */
BNB_MUST_CHECK status triple_verdicts_find(const association_source *source, const pdag *skeleton,
                                           const triple_rules *rules, const run_context *ctx, triple_verdicts **out,
                                           bool *is_cut_short, error_info *err);
void triple_verdicts_destroy(triple_verdicts *v); /* NULL is fine */
AUTO_PTR_OF(triple_verdicts, triple_verdicts_destroy)

/** Triples that have a verdict, and those of them that are unknown. */
size_t triple_verdicts_count(const triple_verdicts *v);
size_t triple_verdicts_unknown_count(const triple_verdicts *v);

/** The verdict on x - z - y, which is that on y - z - x; TRIPLE_UNKNOWN for what is no such triple. O(log triples). */
triple_verdict triple_verdicts_get(const triple_verdicts *v, size_t x, size_t z, size_t y);

#endif
