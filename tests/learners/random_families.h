/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scores of families for a search of SGS, without data: random, and the same whenever they are asked for. */
#ifndef BNB_TESTS_LEARNERS_RANDOM_FAMILIES_H
#define BNB_TESTS_LEARNERS_RANDOM_FAMILIES_H

#include "tests/support/support.h"

#include "learners/sgs/sgs_search.h"

enum { N_RANDOM = 9 };

/* A number for each family, which more than three parents do not gain. */
static inline double random_score(uint64_t seed, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    uint64_t set = extra == FAMILY_NO_EXTRA ? 0 : UINT64_C(1) << extra;
    for (size_t i = 0; i < n_parents; i++)
        set |= UINT64_C(1) << parents[i];
    return (double)(random_key_number(random_key_of(seed + x), set).hash >> 40) / 16777216 -
           (__builtin_popcountll(set) > 3 ? 2 : 0);
}

static inline void assert_same_arcs(const dag *a, const dag *b) {
    assert_int_equal(dag_arc_count(a), dag_arc_count(b));
    for (size_t x = 0; x < dag_node_count(a); x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(a, x, &n_parents);
        for (size_t i = 0; i < n_parents; i++)
            assert_true(dag_has_arc(b, parents[i], x));
    }
}

#endif
