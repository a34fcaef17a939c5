/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The state of an MMPC search, which its two phases share. */
#ifndef BNB_LEARNERS_CONSTRAINT_MMPC_SEARCH_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_MMPC_SEARCH_INTERNAL_H

#include "learners/constraint/association_probe_internal.h"
#include "learners/constraint/mmpc_search.h"

#include <stdint.h>

typedef struct {
    size_t variable;
    association minimum; /* over the sets tested so far, but for those that are pending */
    bool is_reliable;    /* some set of the present size was tested */
    bool is_closed;      /* no larger set can be */
} candidate;

/* A set of members, given which a candidate is known to be dependent and no more. */
typedef struct {
    uint64_t members; /* by place of entry */
    double least_statistic, most_df;
} pending_set;

typedef struct {
    pending_set *items;
    size_t count, capacity;
} pending_list;

struct mmpc_search {
    association_probe probe;
    mmpc_rules rules;
    size_t n_variables, target;
    candidate *open; /* candidates that have not reached zero, by index */
    size_t n_open;
    size_t *members; /* CPC in order of entry; the first n_warm stem from optimisation 5 */
    size_t n_members, n_warm;
    size_t *chosen, *z; /* a subset by position, and its variables */
    size_t *attended;
    uint64_t z_members;    /* the same by place of entry */
    pending_list *pending; /* by variable */
};

/** The states of a column; 1 without a limit. */
static inline double mmpc_states_of(const mmpc_search *s, size_t column) {
    return table_limit_states(s->rules.limit, column);
}

/** The largest set of so many members that is looked at. */
static inline size_t mmpc_largest_set(const mmpc_search *s, size_t n_available) {
    size_t max_k = s->rules.max_k < 0 ? n_available : (size_t)s->rules.max_k;
    return n_available < max_k ? n_available : max_k;
}

/**
 * How many of the chosen members (the place `left_out` of the members not counted) it takes until a table of so many
 * cells and theirs is past the limit; 0 if it stays within.
 */
size_t mmpc_too_many(const mmpc_search *s, size_t k, size_t left_out, double cells);

/** Tells the source that the tests that follow are about the target, the members and the candidates. */
void mmpc_attend(mmpc_search *s);

/** Takes the members out that some set of the others makes independent of the target. */
BNB_MUST_CHECK status mmpc_backward(mmpc_search *s, error_info *err);

#endif
