/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What targets of PMMPC asked that others ask as well: the test of two variables given a set may come from either end.
 */
#ifndef BNB_LEARNERS_CONSTRAINT_PMMPC_RECORDS_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_PMMPC_RECORDS_INTERNAL_H

#include "core/counting/tuple_cache.h"
#include "learners/constraint/pmmpc_search.h"

/** As the values of a tuple_cache: log p, below 0 of a dependent pair, and the statistic. */
static inline tuple_value pmmpc_pack(const association *a) {
    return (tuple_value){a->is_zero ? 0 : a->log_p, a->is_zero ? 0 : a->statistic};
}
static inline association pmmpc_unpack(const tuple_value *value) {
    return (association){.is_zero = !(value->a < 0), .log_p = value->a, .statistic = value->b};
}

/** A test of a target that x as target may ask, or may have asked. */
typedef struct {
    size_t x, first, n_z; /* the set is at `first` of the list's numbers */
    size_t n_before;      /* tests that the target performed before this one */
    association value;
} pmmpc_question;

/** Those of one target, in order; all zero at first. */
typedef struct {
    pmmpc_question *items;
    size_t n, capacity;
    size_t *numbers, n_numbers, numbers_capacity;
    size_t n_performed; /* tests, those that are not in the list too */
} pmmpc_questions;

void pmmpc_questions_clear(pmmpc_questions *q);
BNB_MUST_CHECK status pmmpc_questions_add(pmmpc_questions *q, size_t x, const size_t *z, size_t n_z,
                                          const association *value, error_info *err);

/** The tests of all targets so far. */
typedef struct pmmpc_records pmmpc_records;

/** Of so many variables. `quick` says which are independent without condition; borrowed. */
BNB_MUST_CHECK status pmmpc_records_create(const decision_source *quick, size_t n_variables, pmmpc_records **out,
                                           error_info *err);
void pmmpc_records_destroy(pmmpc_records *r); /* NULL is fine */
AUTO_PTR_OF(pmmpc_records, pmmpc_records_destroy)

/** May x as target ask for a test given z, ascending? Any thread may ask this and the next, at any time. */
bool pmmpc_records_may_ask(const pmmpc_records *r, size_t x, const size_t *z, size_t n_z);

/** What is recorded of a test; `key` has room for n_z + 2. */
bool pmmpc_records_find(const pmmpc_records *r, uint32_t *key, size_t x, size_t target, const size_t *z, size_t n_z,
                        association *out);

/**
 * Records a target. In ascending order, by one thread at a time, so that what is kept depends on nothing else; past
 * four million tests nothing more is.
 */
void pmmpc_records_add(pmmpc_records *r, size_t target, const pmmpc_questions *asked);

/** The tests that targets performed although an earlier one's record has them. */
uint64_t pmmpc_records_count_repeated(const pmmpc_records *r);

/** The search reads what is recorded, and lists what is to be. `records` are borrowed. */
void pmmpc_search_use_records(pmmpc_search *s, const pmmpc_records *records);

/** The list of the last target, which goes to the caller. */
pmmpc_questions pmmpc_search_take_questions(pmmpc_search *s);

#endif
