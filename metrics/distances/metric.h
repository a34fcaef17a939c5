/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The metrics that an experiment can report, which the experiment reader, tables, plots and `list` all read. Adding one
 * is one row of a family; a family is one file and one line in registry.def. What a row has no function for is measured
 * by whoever runs the learner, or is a figure of the learner's trace (core/run/trace.h) of that name.
 */
#ifndef BNB_METRICS_DISTANCES_METRIC_H
#define BNB_METRICS_DISTANCES_METRIC_H

#include "metrics/distances/graph_distance.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name;
    const char *summary; /* one line, no full stop */
    const char *unit;    /* "s", "bytes", "nats", "edges", "calls"; "" for a ratio */
    bool less_is_better;
    bool has_no_best;      /* neither more nor less of it is better */
    bool needs_truth;      /* compares with the true graph */
    bool needs_test;       /* needs test rows (data.test_samples) */
    bool needs_directions; /* a skeleton has no such value */
    bool scores_dag;       /* of a CPDAG or PDAG it is that of a DAG of its class, which may be altered for it */
    bool is_on_request;    /* it costs: computed where an experiment lists it under `metrics` */
    const char *published; /* its name in the files of results/published/; NULL: the same */
    double (*of_distance)(const graph_distance *d); /* of two graphs alone; NAN: nothing to divide by. NULL elsewhere */
} metric_info;

extern const metric_info metrics_of_graphs[]; /* closed by one without a name */

/** In the order of lists; NULL past the last. */
const metric_info *metric_at(size_t i);
const metric_info *metric_find(const char *name); /* NULL where there is none */

/** The nearest name to a typo, or NULL. */
const char *metric_suggest(const char *typed);

#endif
