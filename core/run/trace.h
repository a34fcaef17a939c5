/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a learner tells of its run besides the graph: figures (a name, a number) and series (a number at each step). */
#ifndef BNB_CORE_RUN_TRACE_H
#define BNB_CORE_RUN_TRACE_H

#include "core/base/status.h"

#include <stdint.h>

typedef struct {
    char *name;
    double value;
} trace_figure;

typedef struct {
    uint64_t step;
    double value;
} trace_point;

typedef struct {
    char *name;
    size_t n, capacity;
    trace_point *points; /* in the order in which they were noted */
} trace_series;

/** Owns everything; zero-initialise. */
typedef struct {
    size_t n_figures, n_series;
    trace_figure *figures;
    trace_series *series;
} trace;

/** A series keeps that many points; what comes later is passed over, so that a long run's trace stays small. */
enum { TRACE_MAX_POINTS = 10000 };

void trace_clear(trace *t);

/**
 * Sets a figure, a point of a series. With `t` NULL, or a value that is not finite, nothing is kept: a learner need
 * not ask whether anybody listens.
 * @return STATUS_MEMORY
 */
BNB_MUST_CHECK status trace_set_figure(trace *t, const char *name, double value, error_info *err);
BNB_MUST_CHECK status trace_add_point(trace *t, const char *series, uint64_t step, double value, error_info *err);

/** NULL where there is none. */
const double *trace_find_figure(const trace *t, const char *name);
const trace_series *trace_find_series(const trace *t, const char *name);

#endif
