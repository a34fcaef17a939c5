/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What changed between two runs of an experiment. Graphs, counters and metrics of a version are the same bit for bit on
 * the same data, so any change of theirs is one of the program and is found by comparing; only times need statistics.
 */
#ifndef BNB_REPORT_DIFFERENCE_DIFFERENCE_H
#define BNB_REPORT_DIFFERENCE_DIFFERENCE_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    double max_slowdown;        /* at least 1: a longer time than this many times the earlier one is a regression */
    double alpha;               /* level of the tests on times, over all of them together (Holm) */
    const char *const *metrics; /* those whose worsening is a regression; the others are only named */
    size_t n_metrics;
    const char *const *timed; /* learners (ids) that work against the clock: their metrics need a test at `alpha` too */
    size_t n_timed;
} difference_options;

/** Suspicious: a time past the limit that no test shows to be slower. Changed: neither better nor worse, or a metric
 * that is not judged. */
typedef enum { CHANGE_NONE, CHANGE_SUSPICIOUS, CHANGE_OTHER, CHANGE_BETTER, CHANGE_WORSE } change_verdict;
const char *change_verdict_name(change_verdict v); /* "same", "suspicious", "changed", "better", "worse" */

/** One metric of one comparison, over the replicates that both runs have. */
typedef struct {
    const char *metric;
    size_t n_pairs, n_changed;
    double before, after; /* means; of a time: geometric means, as measured */
    double change;        /* mean difference; of a time: the ratio after / before, as measured or each
                              divided by its calibration, whichever is less */
    double low, high;     /* 95% interval of `change` (Student's t); NAN with fewer than two pairs */
    double sd;            /* of the differences; of a time: of the logarithms of the ratios; NAN below two pairs */
    double effect;        /* Cohen's d of the pairs: mean over standard deviation; NAN where all are equal */
    double p_value; /* of no change, two-sided: Wilcoxon's signed-rank test; of a time: one-sided, slower, Student's
                       t on log ratios, adjusted by Holm. NAN where no test is possible */
    bool is_time;
    change_verdict verdict;
} metric_change;

/** One learner on one network at one sample size and noise level. */
typedef struct {
    const char *network, *learner;
    uint64_t n_samples;
    double sigma;           /* 0: none */
    size_t n_pairs;         /* replicates that both runs have done, on the same data */
    size_t n_graphs_differ; /* of them */
    bool has_other_options; /* the learner's options are not those of before */
    metric_change *changes; /* what changed, and the time */
    size_t n_changes;
    change_verdict verdict;
} cell_difference;

/** The times of one learner, over all its cells that have one. */
typedef struct {
    const char *learner;
    size_t n_cells;
    metric_change time;
} learner_difference;

typedef enum { JOB_FAILS_NOW, JOB_FAILED_BEFORE, JOB_ONLY_BEFORE, JOB_ONLY_AFTER, JOB_OTHER_DATA } job_change_kind;
const char *job_change_kind_name(job_change_kind kind); /* "fails now", ... */

/** A job that cannot be compared, and why. */
typedef struct {
    job_change_kind kind;
    const job_record *before, *after; /* NULL where a run has none */
} job_change;

/** Borrows names from the records: they have to outlive it. Zero-initialise. */
typedef struct {
    cell_difference *cells;
    size_t n_cells;
    learner_difference *learners; /* those with two cells at least */
    size_t n_learners;
    job_change *jobs;
    size_t n_jobs;
    size_t n_compared;         /* jobs */
    double shared;             /* the part of the ratios that all cells share: the drift above 1; with few cells 1 */
    bool is_slower_throughout; /* the drift exceeds max_slowdown: one regression, of everything */
    double drift;              /* median of the times' ratios over the cells; 1 with none */
    bool is_calibrated;        /* all times were held against the processor's speed at their moment */
    size_t n_regressions, n_better; /* changes and new failures */
    bool has_shrunk;                /* something that was measured before was not measured now, or on other data */
} difference;

void difference_clear(difference *d);

/**
 * Compares two sets of records; jobs are matched by network, sample size, noise level, replicate and learner.
 *
 * @return STATUS_INVALID: options outside their ranges. STATUS_MEMORY.
 */
BNB_MUST_CHECK status difference_measure(const job_record *before, size_t n_before, const job_record *after,
                                         size_t n_after, const difference_options *options, difference *out,
                                         error_info *err);

/** For people: regressions first, then what else changed. */
void difference_append_text(const difference *d, const difference_options *options, text_buffer *out);

/** One self-contained page. The names of the two runs are shown as text. */
BNB_MUST_CHECK status difference_append_html(const difference *d, const difference_options *options, const char *before,
                                             const char *after, text_buffer *out, error_info *err);

/**
 * JUnit XML, which CI systems show: a test case a cell, a failure a regression. Jobs that fail now are test cases of
 * their own; what is not measured any more is an error.
 */
void junit_append(const difference *d, const char *experiment, text_buffer *out);

#endif
