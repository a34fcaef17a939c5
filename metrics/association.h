/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The strength of a dependence as MMPC and its relatives order it (Tsamardinos, Brown, Aliferis 2006, Mach. Learn. 65,
 * sec. 4): independent is the unique minimum; else a smaller p-value, then a larger statistic, is more associated.
 */
#ifndef BNB_METRICS_ASSOCIATION_H
#define BNB_METRICS_ASSOCIATION_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
