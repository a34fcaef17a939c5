/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The strength of a dependence as MMPC and its relatives order it (Tsamardinos, Brown, Aliferis 2006, Mach. Learn. 65,
 * sec. 4): independent is the unique minimum; else a smaller p-value, then a larger statistic, is more associated.
 */
#ifndef BNB_METRICS_TESTS_ASSOCIATION_H
#define BNB_METRICS_TESTS_ASSOCIATION_H

#include "core/base/status.h"
#include "core/run/parallel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    bool is_zero;     /* independent at the level of the test */
    double log_p;     /* of a dependent pair */
    double statistic; /* of a dependent pair; breaks ties in log_p */
} association;

/** Below 0, 0 or above: a is less, equally or more associated than b. Ties in log_p within 1e-12 relative. */
int association_compare(const association *a, const association *b);

/**
 * Where a constraint-based learner gets its answers: a test on data, a d-separation oracle, or a table of values.
 * `measure` sets *reliable to false, and nothing else, where the test is not performed.
 */
typedef struct {
    void *self;
    status (*measure)(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable, association *out,
                      error_info *err);
} association_source;

/** What is known of a test when no more was asked than whether the pair is independent. */
typedef struct {
    bool is_exact; /* `value` is the association; else the pair is dependent, and: */
    association value;
    double least_statistic; /* the association is at least that of this statistic ... */
    double most_df;         /* ... on so many degrees of freedom of a chi-square distribution; and */
    bool is_measured;       /* it is just that, and the statistic the test's */
} verdict;

/** What is known at once of one of many tests. */
typedef struct {
    double least_statistic, most_df;   /* of a dependent pair: as in verdict */
    bool is_independent, is_dependent; /* neither: the test is to be asked for by itself */
} quick_answer;

/** Says which tests may be asked again. */
typedef struct {
    void *self;
    bool (*may_come)(void *self, size_t x, size_t y, const uint32_t *z, size_t n_z); /* x < y, z ascending */
} later_tests;

/** The sets of one size from a pool, in lexicographic order: which of them makes x and y independent first? */
typedef struct {
    size_t x, y;
    const size_t *pool; /* ascending; y may be in it, and is passed over. Of the same x and y every pool lies within the
                           one before, and sizes do not fall */
    size_t n_pool, size;
    const uint32_t *known; /* ascending: sets of these alone were asked before, and left x and y dependent; or NULL */
    size_t n_known;
    double least_cells; /* of tests on tables: sets that make of so many cells too large a table are not asked for; 0:
                           all are, and each test has to say if it is performed */
    bool (*is_expired)(void *clock); /* asked now and then */
    void *clock;
} separation_task;

typedef struct {
    bool is_answered;  /* else ask about one set after the other */
    bool is_found;     /* the set is in `z` */
    bool is_performed; /* for one of the sets at least there were enough rows */
    size_t *z;         /* room for `size`, the caller's */
} separation;

/**
 * A source that can often say that a pair is dependent without performing the test. A search that asks both ways, of
 * the same source, learns and counts the same as one that asks for associations alone.
 */
typedef struct {
    void *self;
    /** As association_source.measure, and counted as that. */
    status (*decide)(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable, verdict *out,
                     error_info *err);
    /**
     * Of many columns with y given z, which is not empty, what can be told at once, each in its place of `out`; what is
     * told is counted as decided, the rest is not asked yet. False, and nothing done: nothing can. NULL: never.
     */
    bool (*decide_many)(void *self, const size_t *columns, size_t n_columns, size_t y, const size_t *z, size_t n_z,
                        quick_answer *out);
    /** The association of a test that was decided, counted no second time. */
    status (*resolve)(void *self, size_t x, size_t y, const size_t *z, size_t n_z, association *out, error_info *err);
    /** The columns that the next tests are about, the first of them one of every pair: a hint. NULL: not wanted. */
    void (*attend)(void *self, const size_t *columns, size_t n_columns);
    /** A test of the column comes soon: a hint. NULL: not wanted. */
    void (*approach)(const void *self, size_t column);
    /** Of the tests since the last release only those will be asked again: a promise. NULL: not wanted. */
    void (*release)(void *self, const later_tests *later);
    /** All tests of a task at once, counted as asked one by one until the first that says independent. NULL: no. */
    status (*separate)(void *self, const separation_task *task, separation *out, error_info *err);
    size_t most_separated; /* sets of up to this size it nearly always answers about */
    /**
     * Of the tests of the target and these columns without condition those that are known at once to find independence
     * are counted as if they had been asked. The columns that are left, in the same order, go to `left`, which may be
     * `columns`; returns their number. NULL: none is known.
     */
    size_t (*screen)(void *self, size_t target, const size_t *columns, size_t n_columns, size_t *left);
    /**
     * Counts a test that was asked before, and was not found independent; false if it is not performed. NULL: the
     * source is to be asked again.
     */
    bool (*repeat)(void *self, size_t x, size_t y, const size_t *z, size_t n_z);
    /**
     * Says that the next tests are of a target with each of the members, given sets of up to `most` of the other
     * members, and nearly all of these sets; certainly: a good part of them has to be asked. Sets are bits, members
     * their places. NULL, as are the next six: the tests are to be asked one by one.
     */
    status (*expect)(void *self, size_t target, const size_t *members, size_t n_members, size_t most, bool is_certain,
                     error_info *err);
    /** Would anything be known then? Any thread may ask. */
    bool (*can_expect)(const void *self, size_t target, const size_t *members, size_t n_members, size_t most);
    /** Is it still to come that what is expected becomes known? */
    bool (*expects_later)(const void *self);
    /** Expects what another source of the same tests does, of whose knowledge it makes use until that is told anew. */
    void (*expect_as)(void *self, const void *other);
    /** True if it is known that the member depends on the target given any n_given of the others; counts nothing. */
    bool (*depends_always)(void *self, size_t member, uint64_t others, size_t n_given);
    /** The same given one set; then also what is known of the test, never exactly. */
    bool (*depends)(void *self, size_t member, uint64_t given, verdict *out);
    /** Counts tests so found: how many of them were not asked before. */
    void (*tally)(void *self, uint64_t n_asked, uint64_t n_new);
    /** False if it is known that the pair is independent without condition, or is not tested; counts nothing. NULL:
     * nothing is known. Any thread may ask. */
    bool (*may_depend)(void *self, size_t x, size_t y);
    /** How many columns may depend on x so? Counts nothing. NULL: as may_depend. */
    size_t (*count_dependent)(void *self, size_t x);
    /** Long pieces of work may be shared so from here on. NULL: there are none. */
    void (*share)(void *self, work_sharing sharing);
} decision_source;

#endif
