/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The metrics that an experiment can report: one table, which the experiment reader, tables, plots and `list` all
 * read. */
#ifndef BNB_METRICS_DISTANCES_METRIC_H
#define BNB_METRICS_DISTANCES_METRIC_H

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
    bool is_on_request;    /* it costs: computed where an experiment lists it under `metrics` */
    const char *published; /* its name in the files of results/published/; NULL: the same */
} metric_info;

size_t metric_count(void);
const metric_info *metric_at(size_t i);
const metric_info *metric_find(const char *name); /* NULL where there is none */

/** The nearest name to a typo, or NULL. */
const char *metric_suggest(const char *typed);

#endif
