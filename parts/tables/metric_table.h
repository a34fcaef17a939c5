/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A table of a metric: learners on one side, sample sizes, networks or noise levels on the other. */
#ifndef BNB_PARTS_TABLES_METRIC_TABLE_H
#define BNB_PARTS_TABLES_METRIC_TABLE_H

#include "parts/figures/aggregate.h"
#include "parts/tables/table.h"

/** Strings and arrays are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *metric;
    size_t n_sum_of;
    char **sum_of;     /* metrics: the figure is the sum of their figures, not the figure of their sum */
    char *plus;        /* a metric: its value of the same cell is added to each value, before anything else; or NULL */
    double plus_times; /* so many times */
    size_t n_learners;
    char **learners; /* these alone, in this order; none: all that are not hidden */
    size_t n_networks;
    char **networks; /* these alone, in this order; none: all */
    size_t n_samples;
    size_t *samples; /* these sample sizes alone; none: all */
    size_t n_sigmas;
    double *sigmas; /* these noise levels alone; none: all */
    size_t n_pools;
    option_pool *pools; /* each stands in the place of its first part */
    size_t n_multiply;
    option_pool *multiply; /* by the number that is its id, each value of its parts */
    table_axis rows, columns;
    char *normalise_by;        /* a learner id */
    table_aggregate aggregate; /* over the networks (or sample sizes) that share a cell */
    ratio_order ratio;
    failure_policy failures;
    char *published;        /* a file of results/published/ */
    char *published_metric; /* the metric's name there; NULL: as in the metric's registry */
    int decimals;           /* -1: by the values */
    table_tolerance within;
} metric_table_spec;

/** The declaration of a table of a metric; NULL of any other part. Borrowed. */
const metric_table_spec *metric_table_of(const declared_part *p);

/**
 * The outputs as the table sees them: its networks, sizes, noise levels and learners, the baseline always among these.
 * Borrows everything but the array `learners`, which the caller frees. STATUS_MEMORY.
 */
BNB_MUST_CHECK status metric_table_view(const experiment_outputs *outputs, const metric_table_spec *spec,
                                        experiment_outputs *view, error_info *err);

/**
 * Computes a declared table.
 *
 * One axis holds learners, the other sample sizes or networks (any order); figures are aggregated over the third. Where
 * several sample sizes are shown, an "average" follows, the mean of their figures. Learners whose graphs lack the
 * metric are left out and named in a note.
 *
 * @param published NULL: none; `spec->published` names it in the note
 * @return STATUS_INVALID: axes that make no table, or a baseline that is not a learner of the experiment.
 * STATUS_MEMORY.
 */
BNB_MUST_CHECK status metric_table_compute(const experiment_outputs *outputs, const metric_table_spec *spec,
                                           const job_record *records, size_t n_records,
                                           const published_table *published, table *out, error_info *err);

#endif
