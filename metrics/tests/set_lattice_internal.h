/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * One column and some tens of others: the sums of n log n over the tables of all sets of up to five of the others, and
 * of all sets of up to four joined with the one. What the one and one of the others share given any four of the rest
 * can then be told, or bounded, without a table: for the hubs of a network, of which millions of tests are asked.
 */
#ifndef BNB_METRICS_TESTS_SET_LATTICE_INTERNAL_H
#define BNB_METRICS_TESTS_SET_LATTICE_INTERNAL_H

#include "core/data/dataset.h"
#include "core/run/parallel.h"
#include "metrics/numerics/whole_terms_internal.h"

#include <stdbool.h>

enum { LATTICE_MOST_MEMBERS = 64, LATTICE_MOST_GIVEN = 4, LATTICE_MOST_STATES = 4 };

typedef struct {
    size_t n_members;
    size_t most;                                                   /* members that a test is given */
    int64_t none;                                                  /* the sum of no columns */
    int64_t *alone[LATTICE_MOST_GIVEN + 2];                        /* by number of members, and rank of the set */
    int64_t *joined[LATTICE_MOST_GIVEN + 1];                       /* the same with the one column */
    size_t rank[LATTICE_MOST_MEMBERS + 1][LATTICE_MOST_GIVEN + 2]; /* C(place, number): a set's rank is their sum */
} set_lattice;

/** Columns with so many states can be part of it. */
bool set_lattice_takes(const dataset *data, size_t target, const size_t *members, size_t n_members);

/**
 * Counts all sets: `n_members` at most LATTICE_MOST_MEMBERS, `most` from 1 to LATTICE_MOST_GIVEN. Some 0.2 microseconds
 * a set at 5,000 rows; `sharing`: with other threads, NULL: with none. The caller clears it, after a failure too.
 */
BNB_MUST_CHECK status set_lattice_count(set_lattice *l, const dataset *data, const whole_terms *terms, size_t target,
                                        const size_t *members, size_t n_members, size_t most,
                                        const work_sharing *sharing, error_info *err);
void set_lattice_clear(set_lattice *l);

/**
 * In units of the terms, n times the information that member x and the one column share at least, given at most `most`
 * other members, a bit a member. Given less than `most`, what they do share.
 */
int64_t set_lattice_least(const set_lattice *l, size_t x, uint64_t given);

/** True if that is at least `needed` given any `n_given` members of `others`, x not among them. */
bool set_lattice_always(const set_lattice *l, size_t x, uint64_t others, size_t n_given, int64_t needed);

#endif
