/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * From results to figures: the records laid out by data set and learner, the failure policies, and the aggregate over a
 * group of networks or sample sizes. Source of the rules: Brown, Tsamardinos, Aliferis 2005, Table 3, and Fu 2005,
 * chapter V.
 */
#ifndef BNB_PARTS_FIGURES_AGGREGATE_H
#define BNB_PARTS_FIGURES_AGGREGATE_H

#include "parts/figures/outputs.h"
#include "store/store.h"

/** MEAN_RANK: the learners are ranked on each network (or sample size), 1 the best; a failed one comes last there. */
typedef enum { AGGREGATE_MEDIAN, AGGREGATE_MEAN, AGGREGATE_MEAN_RANK } table_aggregate;

/** What a failed, timed-out or out-of-memory cell does to an aggregate. */
typedef enum {
    FAILURES_DROP_DATASET, /* leave the data set out for every learner of the table; a mark says so */
    FAILURES_WORST,        /* counts as the worst value that any learner had on that data set */
    FAILURES_LIMIT         /* a time counts as its limit; other metrics as drop-dataset */
} failure_policy;
#define FAILURE_POLICY_CHOICES "drop-dataset|worst|limit"

typedef enum { RATIO_OF_MEANS, MEAN_OF_RATIOS } ratio_order;

/** What a cell has of a metric. The first four are job states. */
typedef enum {
    VALUE_DONE,
    VALUE_FAILED,
    VALUE_TIMEOUT,
    VALUE_MEMORY,
    VALUE_UNDEFINED, /* done, but this metric could not be computed, which for other cells of the learner it could */
    VALUE_ABSENT,    /* not run yet */
    VALUE_STATE_COUNT
} value_state;
const char *value_state_name(value_state state); /* "failed", "timed out", ... */

/** Records by (place, size, replicate, learner) as the experiment declares them, a place being a network at a noise
 * level (outputs_place_count); borrows the records. */
typedef struct {
    size_t n_places, n_sizes, n_replicates, n_learners;
    const job_record **records; /* at result_grid_index; NULL where there is none */
    bool *failed_in_paper;      /* there too: the cell counts as failed, whatever its record says */
    size_t n_doubled;           /* records whose cell another one, later in the array, has too: the later one stands */
} result_grid;

/** Records of networks, noise levels, sizes, replicates or learners that are not declared are left
 * out. STATUS_MEMORY. */
BNB_MUST_CHECK status result_grid_lay_out(const experiment_outputs *outputs, const job_record *records, size_t n,
                                          result_grid *out, error_info *err);

/** The same, where a learner that stands for the best of others has their records. */
BNB_MUST_CHECK status result_grid_create(const experiment_outputs *outputs, const job_record *records, size_t n,
                                         result_grid *out, error_info *err);
void result_grid_clear(result_grid *grid);
size_t result_grid_index(const result_grid *grid, size_t place, size_t size, size_t replicate, size_t learner);

/** What the cell at that index counts as, whatever the metric: never VALUE_UNDEFINED. */
value_state result_grid_state(const result_grid *grid, size_t index);

/** One metric of every cell, after the failure policy. */
typedef struct {
    const result_grid *grid;
    double *values;      /* NAN where there is none, not even by the policy */
    value_state *states; /* before the policy */
    bool *applies;       /* by learner: false where it is done somewhere and never has the metric (SHD of a skeleton) */
} metric_values;

/** The grid must outlive it. STATUS_MEMORY. */
BNB_MUST_CHECK status metric_values_create(const result_grid *grid, const char *metric, failure_policy policy,
                                           metric_values *out, error_info *err);
void metric_values_clear(metric_values *m);

/** The data sets of one place and one sample size. */
typedef struct {
    size_t place, size;
} grid_element;

/**
 * Which learners a group's comparison can hold: those with a value of every metric on at least one data set of the
 * group. A learner that failed on all of them is shown as failed and does not cost the others their data sets.
 * @param[out] takes_part n_learners
 */
void group_participants(const metric_values *const *metrics, size_t n_metrics, const grid_element *elements,
                        size_t n_elements, bool *takes_part);

/** Whether every participant has every metric on that data set. */
bool data_set_is_kept(const metric_values *const *metrics, size_t n_metrics, const bool *takes_part,
                      grid_element element, size_t replicate);

#define NO_BASELINE ((size_t)-1)

typedef struct {
    size_t baseline; /* the learner by whose value to divide, or NO_BASELINE */
    ratio_order ratio;
    table_aggregate aggregate; /* over the elements */
} group_rule;

/** One learner's figure. */
typedef struct {
    bool takes_part;
    double value;      /* NAN where there is none */
    double low, high;  /* around it: the quartiles of the elements' figures; of a mean one standard error to each side.
                          NAN where there is no saying: one element, or for a mean an element of one data set */
    size_t n;          /* data sets that entered */
    size_t n_imputed;  /* of these, those whose value the failure policy gave */
    size_t n_opposite; /* data sets left out for this learner, its value and the baseline's having different signs */
} group_figure;

typedef struct {
    size_t n_kept;                 /* data sets that every participant has */
    size_t n_negative, n_positive; /* elements by the sign of their baseline: a ratio of two negatives turns round */
    size_t n_zero;                 /* elements left out, their baseline being 0, which has no ratio */
    size_t n_zero_data_sets;       /* MEAN_OF_RATIOS: data sets left out for the same reason */
} group_summary;

/**
 * The figures of a group: per element the mean over the data sets kept, or its ratio to the baseline's, then the
 * aggregate over elements. What is left out is left out for every learner, but where a learner's value and the
 * baseline's have different signs: that is left out for the learner alone.
 *
 * The standard error of a mean is that of the elements' figures, which are taken as given: of each the squared standard
 * error over its data sets, a ratio of means by its linear expansion (Cochran 1977, Sampling Techniques, section 2.11).
 *
 * @param[out] figures n_learners
 * @param[out] is_zero n_elements, true where the element was left out because its baseline is 0
 */
BNB_MUST_CHECK status group_compare(const metric_values *metric, const grid_element *elements, size_t n_elements,
                                    const group_rule *rule, group_figure *figures, bool *is_zero,
                                    group_summary *summary, error_info *err);

/** Sorts; n > 0. Quantiles between two values are interpolated (type 7 of Hyndman and Fan 1996). */
double sorted_quantile(double *values, size_t n, double q);

#endif
