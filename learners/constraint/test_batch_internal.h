/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Tests of a few columns with a target, given many sets of a pool: threads ask them side by side, and what they find
 * and count is kept by test, so that it can be taken as if one had been asked after the other.
 */
#ifndef BNB_LEARNERS_CONSTRAINT_TEST_BATCH_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_TEST_BATCH_INTERNAL_H

#include "core/run/run_context.h"
#include "learners/base/table_limit.h"
#include "learners/constraint/association_probe_internal.h"

#include <stdatomic.h>

/** Of which source tests are asked, by one thread. All is borrowed. */
typedef struct {
    association_probe *probe;
    statistics_count *tally; /* what the source counts; a batch leaves it as it was */
    size_t *z;               /* room for a set */
    void *self;
    /* Is the column known to depend on the target given the set in z? Counted then. */
    bool (*is_dependent)(void *self, size_t column, size_t n_z, verdict *out);
} batch_asker;

typedef struct {
    verdict verdict;
    statistics_count count; /* what the source counted */
    bool is_there;          /* else a set before it has made the column independent, or the table is past the limit */
    bool is_reliable;
} batch_answer;

/** Sets are bits, by place in the pool, of which 64 can be members. */
typedef struct {
    size_t target;
    const size_t *pool;       /* borrowed */
    const table_limit *limit; /* borrowed */
    size_t n_columns, n_sets, most_sets;
    size_t *columns;
    atomic_size_t *ends; /* by column: the first set that is known to make it independent */
    uint64_t *sets;
    batch_answer *answers; /* by set and column */
    atomic_size_t next;    /* the first test that nobody has taken: those given the first set, and so on */
} test_batch;

BNB_MUST_CHECK status test_batch_init(test_batch *b, size_t n_variables, error_info *err);
void test_batch_clear(test_batch *b);

/** Nothing is in it then but the columns that are in b->columns. */
void test_batch_begin(test_batch *b, size_t n_columns);

static inline bool test_batch_is_full(const test_batch *b) {
    return b->n_sets == b->most_sets;
}

/** Adds a set; the batch is not full. */
void test_batch_add(test_batch *b, uint64_t members);

static inline batch_answer *test_batch_answer(const test_batch *b, size_t set, size_t column) {
    return &b->answers[set * b->n_columns + column];
}

/** Lays out a set; returns its size. */
size_t test_batch_lay(const size_t *pool, uint64_t members, size_t *z);

/** Asks what has no answer yet, until no set is left that nobody has taken. */
BNB_MUST_CHECK status test_batch_ask(test_batch *b, const batch_asker *asker, error_info *err);

#endif
