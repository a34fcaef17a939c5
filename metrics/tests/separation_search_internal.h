/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The first of all sets of one size that makes two columns independent by a test of their partial correlation. Where
 * there are many sets, whole branches of them are ruled out by what they leave of the variances at most and at least
 * (metrics/numerics/conditioned_pair_internal.h), so that a hub of forty neighbours, of which there are 2^40 sets, is
 * done in thousands of steps. Nothing is decided by a correlation that rounding could take past the critical value: the
 * test itself is asked there.
 */
#ifndef BNB_METRICS_TESTS_SEPARATION_SEARCH_INTERNAL_H
#define BNB_METRICS_TESTS_SEPARATION_SEARCH_INTERNAL_H

#include "metrics/numerics/gaussian_moments.h"
#include "metrics/tests/association.h"

/** A test by the size of a partial correlation alone: the greater, the more dependent; and the larger the set, the
 * greater must it be. */
typedef struct {
    void *self;
    bool (*is_dependent_at)(void *self, double r, size_t n_z);
    bool (*has_enough_rows)(const void *self, size_t n_z);
    status (*is_dependent)(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *out, error_info *err);
} correlation_rule;

typedef struct separation_search separation_search;

/** `moments` and what the rule refers to are borrowed. */
BNB_MUST_CHECK status separation_search_create(const gaussian_moments *moments, const correlation_rule *rule,
                                               separation_search **out, error_info *err);
void separation_search_destroy(separation_search *s); /* NULL is fine */
AUTO_PTR_OF(separation_search, separation_search_destroy)

/** As decision_source.separate; there are enough rows. */
BNB_MUST_CHECK status separation_search_find(separation_search *s, const separation_task *task, separation *out,
                                             error_info *err);

#endif
