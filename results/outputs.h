/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The tables and plots that an experiment declares. Read by the YAML reader, used by tables and plots. */
#ifndef BNB_RESULTS_OUTPUTS_H
#define BNB_RESULTS_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { AXIS_SAMPLES, AXIS_NETWORK, AXIS_LEARNER } table_axis;
#define TABLE_AXIS_CHOICES "samples|network|learner"

typedef enum { AGGREGATE_MEDIAN, AGGREGATE_MEAN } table_aggregate;
#define TABLE_AGGREGATE_CHOICES "median|mean"

/** What a failed, timed-out or out-of-memory cell does to an aggregate (design, section 5). */
typedef enum {
    FAILURES_DROP_DATASET, /* leave the data set out for every learner of the table; a mark says so */
    FAILURES_WORST,        /* counts as the worst value that any learner had on that data set */
    FAILURES_LIMIT         /* a time counts as its limit; other metrics as drop-dataset */
} failure_policy;
#define FAILURE_POLICY_CHOICES "drop-dataset|worst|limit"

typedef enum { RATIO_OF_MEANS, MEAN_OF_RATIOS } ratio_order;
#define RATIO_ORDER_CHOICES "ratio-of-means|mean-of-ratios"

/** Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *metric;
    table_axis rows, columns;
    char *normalise_by;        /* a learner id */
    table_aggregate aggregate; /* over the networks (or sample sizes) that share a cell */
    ratio_order ratio;
    failure_policy failures;
    char *published;        /* a file of results/published/ */
    char *published_metric; /* the metric's name there; NULL: as in the metric's registry */
    int decimals;           /* -1: by the values */
} table_spec;

typedef enum { PLOT_SCATTER, PLOT_LINE } plot_kind;
#define PLOT_KIND_CHOICES "scatter|line"

typedef struct {
    char *id, *title;
    plot_kind kind;
    char *x, *y; /* metrics; x may be "samples" for a line plot */
    char *normalise_by;
    bool log_x, log_y;
} plot_spec;

/** What the report wants of an experiment. Owned strings and arrays; zero-initialise. */
typedef struct {
    char *name, *title;
    size_t n_networks, n_sizes, n_learners;
    char **networks;
    size_t *sizes;
    char **learners; /* ids in declared order */
    size_t n_replicates;
    size_t n_tables, n_plots;
    table_spec *tables;
    plot_spec *plots;
} experiment_outputs;

void experiment_outputs_clear(experiment_outputs *o);

#endif
