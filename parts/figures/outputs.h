/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The tables and plots that an experiment declares. Read by the YAML reader, used by tables and plots. */
#ifndef BNB_PARTS_FIGURES_OUTPUTS_H
#define BNB_PARTS_FIGURES_OUTPUTS_H

#include "core/base/text.h"
#include "document/drawing/look.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum { AXIS_SAMPLES, AXIS_NETWORK, AXIS_LEARNER, AXIS_SIGMA } table_axis;
#define TABLE_AXIS_CHOICES "samples|network|learner|sigma"

/** MEAN_RANK: the learners are ranked on each network (or sample size), 1 the best; a failed one comes last there. */
typedef enum { AGGREGATE_MEDIAN, AGGREGATE_MEAN, AGGREGATE_MEAN_RANK } table_aggregate;
#define TABLE_AGGREGATE_CHOICES "median|mean|mean_rank"

/** What a failed, timed-out or out-of-memory cell does to an aggregate (design, section 5). */
typedef enum {
    FAILURES_DROP_DATASET, /* leave the data set out for every learner of the table; a mark says so */
    FAILURES_WORST,        /* counts as the worst value that any learner had on that data set */
    FAILURES_LIMIT         /* a time counts as its limit; other metrics as drop-dataset */
} failure_policy;
#define FAILURE_POLICY_CHOICES "drop-dataset|worst|limit"

typedef enum { RATIO_OF_MEANS, MEAN_OF_RATIOS } ratio_order;
#define RATIO_ORDER_CHOICES "ratio-of-means|mean-of-ratios"

typedef enum { TABLE_OF_METRIC, TABLE_OF_NETWORKS, TABLE_OF_POLICIES } table_kind;
#define TABLE_KIND_CHOICES "metric|networks|policies"

/** Learners of a table whose figures are shown as one, their mean. Owned strings. */
typedef struct {
    char *id;
    size_t n_parts;
    char **parts; /* learners */
} learner_pool;

/** Strings are owned; NULL where not declared. */
typedef struct {
    table_kind kind; /* TABLE_OF_NETWORKS: properties of the networks; of the rest it has id, title and published.
                        TABLE_OF_POLICIES: thresholds; it has id, title, and the lists from `learners` to `variables` */
    char *id, *title;
    char *metric;
    size_t n_sum_of;
    char **sum_of; /* metrics: the figure is the sum of their figures, not the figure of their sum */
    size_t n_learners;
    char **learners; /* these alone, in this order; none: all that are not hidden */
    size_t n_networks;
    char **networks; /* these alone, in this order; none: all */
    size_t n_samples;
    size_t *samples; /* these sample sizes alone; none: all */
    size_t n_sigmas;
    double *sigmas; /* these noise levels alone; none: all */
    size_t n_variables;
    char **variables; /* of policies: these alone; none: all */
    size_t n_pools;
    learner_pool *pools; /* each stands in the place of its first part */
    table_axis rows, columns;
    char *normalise_by;        /* a learner id */
    table_aggregate aggregate; /* over the networks (or sample sizes) that share a cell */
    ratio_order ratio;
    failure_policy failures;
    char *published;        /* a file of results/published/ */
    char *published_metric; /* the metric's name there; NULL: as in the metric's registry */
    int decimals;           /* -1: by the values */
    bool has_within;        /* a published figure counts as regenerated within one of these */
    double within_relative, within_absolute;
} table_spec;

typedef enum { TEST_FRIEDMAN, TEST_WILCOXON } test_kind;
#define TEST_KIND_CHOICES "friedman|wilcoxon"

/** What follows Friedman's test: comparisons with a control, adjusted, or Nemenyi's of all pairs. */
typedef enum { POST_HOC_HOLM, POST_HOC_BONFERRONI, POST_HOC_BH, POST_HOC_NEMENYI, POST_HOC_NONE } post_hoc_kind;
#define POST_HOC_CHOICES "holm|bonferroni|bh|nemenyi|none"

/** What the pairs of a Wilcoxon test are. */
typedef enum {
    PAIRS_REPLICATES, /* of one network and size: a verdict each */
    PAIRS_DATA_SETS,  /* all networks and replicates of a size */
    PAIRS_NETWORKS    /* the networks of a size, each by the mean over its replicates */
} test_pairs;
#define TEST_PAIRS_CHOICES "replicates|data-sets|networks"

typedef enum { CORRECTION_BONFERRONI, CORRECTION_HOLM, CORRECTION_BH, CORRECTION_NONE } test_correction;
#define TEST_CORRECTION_CHOICES "bonferroni|holm|bh|none"

/** A statistical test of the results. Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    test_kind kind;
    char *metric;
    size_t n_learners;
    char **learners; /* these alone, in this order; none: all that are not hidden */
    double alpha;
    failure_policy failures;
    post_hoc_kind post_hoc;     /* friedman */
    char *control;              /* friedman: compare with this learner; NULL: with the best */
    char *reference;            /* wilcoxon: pairs with this learner alone; NULL: all pairs */
    bool is_two_sided;          /* wilcoxon; else one-sided in both directions */
    test_pairs pairs;           /* wilcoxon */
    test_correction correction; /* wilcoxon: over all pairs of learners and all cells */
    size_t n_comparisons;       /* wilcoxon: the size of that family; 0: as many as there are */
    char *published;            /* a file of results/published/ with marks or verdicts */
    char *published_metric;     /* the metric's name there; NULL: any */
    char *published_scores;     /* wilcoxon: a file with the sums of the verdicts */
} test_spec;

typedef enum {
    PLOT_SCATTER,
    PLOT_LINE,
    PLOT_CRITICAL_DIFFERENCE,
    PLOT_TRACE,
    PLOT_NETWORK,
    PLOT_BOX,     /* a box a learner: the data sets of a sample size */
    PLOT_HEATMAP, /* learner by network: means over the data sets of a sample size */
    PLOT_GROWTH,  /* by the number of variables: a point a network, at a sample size */
    PLOT_POLICY   /* histograms of variables of a network with the learners' thresholds, at a sample size */
} plot_kind;
#define PLOT_KIND_CHOICES "scatter|line|critical_difference|trace|network|box|heatmap|growth|policy"

typedef struct {
    char *id, *title;
    plot_kind kind;
    char *x, *y; /* metrics; x may be "samples" for a line plot; NULL of a critical difference. Trace: y is a series */
    char *level; /* trace: the metric by which learners without the series stand; NULL: they do not */
    char *test;  /* critical difference: the id of the Friedman test */
    size_t n_learners;
    char **learners; /* these alone; none: all that are not hidden */
    char *normalise_by;
    bool log_x, log_y;
    bool use_means; /* scatter and line: the mean over networks, as a table's `aggregate: mean`, instead of medians */
    plot_style style;
    /* a drawing of a network: the graph of a learner on the first data set of that size */
    char *network, *learner;
    size_t samples; /* of a box, heatmap or growth too: that sample size; 0: the largest. Scatter, line: it alone; 0:
                       all */
    char *target;   /* a variable: what lies within `radius` steps of it; NULL: the whole network */
    size_t radius;  /* at least 1 */
    /* policies: of `network` at `samples` and this noise level (0: data as they were sampled) */
    double sigma;
    size_t n_variables;
    char **variables; /* these alone, in this order; none: the first ones */
} plot_spec;

/** A learner that on each data set stands for the best of others. Owned strings. */
typedef struct {
    char *id; /* it is among the learners */
    size_t n_parts;
    char **parts;   /* learners, as declared; the first of equals is taken */
    char *by;       /* the metric that decides */
    bool needs_all; /* it fails where a part did; else the best of those that did not */
} best_of_spec;

/** What can be said of a network without a learner, by name as in results/published/. */
typedef struct {
    bool is_known;
    double n_variables, n_edges, states_min, states_max, states_mean, parents_mean, max_in_degree, max_out_degree;
    double pc_mean, pc_max; /* parents and children of a variable */
    /* of a real data set, which has the number of variables and these alone */
    bool is_data;
    double sample_size, n_discrete, n_continuous, cardinality_min, cardinality_max, cardinality_mean;
} network_facts;

typedef enum { CLAIM_LESS, CLAIM_ABOUT, CLAIM_ABOVE, CLAIM_BELOW, CLAIM_LOWEST, CLAIM_HIGHEST } claim_relation;
#define CLAIM_RELATION_CHOICES "less|about|above|below|lowest|highest"

/** What must hold of a table's figures. Owned strings. */
typedef struct {
    claim_relation relation;
    char *table;
    char *at; /* a sample size, a network or "average"; NULL: each of them but the average */
    size_t n_learners;
    char **learners;
    double number; /* of about: the relative tolerance; of above and below: the bound */
} claim_check;

/** A claim of a paper: it holds where every check does; without any it is for the reader to judge. Owned strings. */
typedef struct {
    char *id, *text, *comment;
    size_t n_checks;
    claim_check *checks;
} claim_spec;

/** What a reproduction report says in words. Owned strings. */
typedef struct {
    char *title, *text;
} remark_spec;

enum { OUTPUTS_ALL_ROWS = 0 };

/** What the report wants of an experiment. Owned strings and arrays; zero-initialise. */
typedef struct {
    char *name, *title;
    size_t n_networks, n_sizes, n_sigmas, n_learners;
    char **networks;
    size_t *sizes;    /* OUTPUTS_ALL_ROWS stands alone: every row of real data sets, as many as each has */
    double *sigmas;   /* noise levels of data made continuous; none where they are as they were sampled */
    char **learners;  /* ids in declared order */
    bool *is_hidden;  /* by learner: a part of another, shown where it is named alone; NULL: none is */
    size_t n_best_of; /* learners that stand for others */
    best_of_spec *best_of;
    size_t n_replicates;
    size_t n_tables, n_tests, n_plots;
    table_spec *tables;
    test_spec *tests;
    plot_spec *plots;
    network_facts *facts; /* by network; NULL until somebody who can read networks fills it in */
    char **true_graphs;   /* by network, as graph_append_csv writes it; NULL likewise, and where no plot draws it */
    size_t n_claims, n_remarks;
    claim_spec *claims;
    remark_spec *remarks; /* discrepancies and what explains them */
} experiment_outputs;

void experiment_outputs_clear(experiment_outputs *o);

/**
 * Where data sets come from: a network at a noise level, numbered network by network. Without noise levels the places
 * are the networks.
 */
size_t outputs_place_count(const experiment_outputs *o);
size_t outputs_sigma_count(const experiment_outputs *o); /* at least 1 */

/** Is the noise level one of these? */
bool outputs_is_among(double sigma, const double *sigmas, size_t n);

/** "500", "all" */
void outputs_append_size(size_t size, text_buffer *out);

/** Whether results on that many rows belong to a declared size. */
bool outputs_is_size(size_t declared, uint64_t n_samples);

/** "alarm", and with several noise levels "alarm (sigma 0.35)". */
void outputs_append_place(const experiment_outputs *o, size_t place, text_buffer *out);

/** The position of a learner's id, or (size_t)-1. */
size_t outputs_find_learner(const experiment_outputs *o, const char *id);

/** The best_of declaration of a learner, or NULL where it stands for itself. */
const best_of_spec *outputs_find_best_of(const experiment_outputs *o, const char *id);

/**
 * The same outputs with fewer learners: those that are not hidden, or with `n` > 0 those named, in that order. Borrows
 * everything but the array `learners`, which the caller frees. False without memory.
 */
bool outputs_with_learners(const experiment_outputs *o, char *const *ids, size_t n, experiment_outputs *view);

#endif
