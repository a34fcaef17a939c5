/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An association_source that a deadline can shut. */
#ifndef BNB_LEARNERS_CONSTRAINT_ASSOCIATION_PROBE_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_ASSOCIATION_PROBE_INTERNAL_H

#include "core/run/run_context.h"
#include "metrics/tests/association.h"

#include <string.h>

typedef struct {
    association_source source;
    const decision_source *quick; /* the same, asked for decisions; NULL: there is none */
    const run_context *ctx;
    unsigned until_clock; /* tests left before the clock is read again */
    bool is_expired;      /* from here on no test is performed */
} association_probe;

/** Tests between two looks at the clock: its reading costs some 25 ns, a test on a few thousand rows a microsecond. */
#define ASSOCIATION_PROBE_INTERVAL 16u

static inline bool association_probe_is_expired(association_probe *probe) {
    if (probe->until_clock == 0) {
        probe->until_clock = ASSOCIATION_PROBE_INTERVAL;
        probe->is_expired = probe->is_expired || run_context_is_expired(probe->ctx);
    }
    probe->until_clock--;
    return probe->is_expired;
}

/** The same in front of many tests at once: the clock is read. */
static inline bool association_probe_looks_expired(association_probe *probe) {
    probe->until_clock = 0;
    return association_probe_is_expired(probe);
}

/** As association_source.measure; after the deadline *reliable is false. */
static inline status association_probe_measure(association_probe *probe, size_t x, size_t target, const size_t *z,
                                               size_t n_z, bool *reliable, association *out, error_info *err) {
    *reliable = false;
    if (association_probe_is_expired(probe))
        return STATUS_OK;
    return probe->source.measure(probe->source.self, x, target, z, n_z, reliable, out, err);
}

/** As decision_source.attend. */
static inline void association_probe_attend(const association_probe *probe, const size_t *columns, size_t n_columns) {
    if (probe->quick && probe->quick->attend)
        probe->quick->attend(probe->quick->self, columns, n_columns);
}

/** As decision_source.approach. */
static inline void association_probe_approach(const association_probe *probe, size_t column) {
    if (probe->quick && probe->quick->approach)
        probe->quick->approach(probe->quick->self, column);
}

/** As decision_source.release. */
static inline void association_probe_release(const association_probe *probe, const later_tests *later) {
    if (probe->quick && probe->quick->release)
        probe->quick->release(probe->quick->self, later);
}

/** As decision_source.screen. */
static inline size_t association_probe_screen(const association_probe *probe, size_t target, const size_t *columns,
                                              size_t n_columns, size_t *left) {
    if (probe->quick && probe->quick->screen)
        return probe->quick->screen(probe->quick->self, target, columns, n_columns, left);
    memmove(left, columns, n_columns * sizeof *left);
    return n_columns;
}

/** As decision_source.decide, by the association where nothing else can tell. */
static inline status association_probe_decide(association_probe *probe, size_t x, size_t target, const size_t *z,
                                              size_t n_z, bool *reliable, verdict *out, error_info *err) {
    if (probe->quick && !association_probe_is_expired(probe))
        return probe->quick->decide(probe->quick->self, x, target, z, n_z, reliable, out, err);
    out->is_exact = true;
    return association_probe_measure(probe, x, target, z, n_z, reliable, &out->value, err);
}

#endif
