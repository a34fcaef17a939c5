/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Conditional mutual information of discrete columns in nats: G2 / 2n, a cache and counters in front. */
#ifndef BNB_METRICS_NUMERICS_INFORMATION_H
#define BNB_METRICS_NUMERICS_INFORMATION_H

#include "core/base/status.h"
#include "core/counting/pair_tables.h"
#include "core/data/dataset.h"
#include "core/run/run_context.h"

typedef struct information information;

/** An evaluator on `data` (discrete, borrowed). `tally` (borrowed, may be NULL) counts. One a thread. */
BNB_MUST_CHECK status information_create(const dataset *data, statistics_count *tally, information **out,
                                         error_info *err);
void information_destroy(information *info);
AUTO_PTR_OF(information, information_destroy)

/**
 * I(x; y | z) of the empirical distribution, >= 0. Cheaper when consecutive calls share y and z and vary x.
 * x, y, z are distinct columns; the order of z does not matter.
 */
BNB_MUST_CHECK status information_measure(information *info, size_t x, size_t y, const size_t *z, size_t n_z,
                                          double *out, error_info *err);

/**
 * For a caller that asks all pairs, and knows which tests it has asked before: from here on nothing is kept, each
 * request counts as computed, and pairs without condition are counted by these tables of the same data, which must
 * outlive it.
 */
BNB_MUST_CHECK status information_use_tables(information *info, const pair_tables *tables, error_info *err);

/** Where a learner by information gets its answers: data, or a table of values. */
typedef struct {
    void *self;
    status (*measure)(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double *out, error_info *err);
    /** The same, neither counted nor kept. NULL, as is the next: `measure` alone is offered. */
    status (*compute)(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double *out, error_info *err);
    /** Counts and keeps as `measure` does what another source has computed. */
    status (*take)(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double value, double *out,
                   error_info *err);
} information_source;

information_source information_as_source(information *info);

#endif
