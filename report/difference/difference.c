/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/difference/difference_internal.h"

#include "core/base/array.h"
#include "metrics/statistics/p_adjust.h"
#include "metrics/statistics/quantile.h"
#include "store/job_order.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CELLS_FOR_DRIFT = 5 };

const char *change_verdict_name(change_verdict v) {
    static const char *const names[] = {"same", "suspicious", "changed", "better", "worse"};
    return names[v];
}

const char *job_change_kind_name(job_change_kind kind) {
    static const char *const names[] = {"fails now", "failed before", "not measured now", "not measured before",
                                        "other data"};
    return names[kind];
}

void difference_clear(difference *d) {
    for (size_t i = 0; i < d->n_cells; i++)
        free(d->cells[i].changes);
    free(d->cells);
    free(d->learners);
    free(d->jobs);
    *d = (difference){0};
}

/* Text that is missing on a side says nothing against a match. */
static bool differs(const char *a, const char *b) {
    return a && b && strcmp(a, b) != 0;
}

static void add_job(difference *d, job_change_kind kind, const job_record *before, const job_record *after) {
    d->jobs[d->n_jobs++] = (job_change){kind, before, after};
    d->has_shrunk |= kind == JOB_ONLY_BEFORE || kind == JOB_OTHER_DATA;
    d->n_regressions += kind == JOB_FAILS_NOW;
}

/* True where the two results can be held against each other. */
static bool is_pair(difference *d, const job_record *before, const job_record *after) {
    if (!after)
        add_job(d, JOB_ONLY_BEFORE, before, after);
    else if (!before)
        add_job(d, JOB_ONLY_AFTER, before, after);
    else if (differs(before->fingerprint, after->fingerprint))
        add_job(d, JOB_OTHER_DATA, before, after);
    else if (before->state == JOB_DONE && after->state != JOB_DONE)
        add_job(d, JOB_FAILS_NOW, before, after);
    else if (before->state != JOB_DONE && after->state == JOB_DONE)
        add_job(d, JOB_FAILED_BEFORE, before, after);
    else
        return before->state == JOB_DONE;
    return false;
}

static status add_cell(difference *d, const job_pair *pairs, size_t n, const difference_options *options,
                       error_info *err) {
    cell_difference *cell = &d->cells[d->n_cells];
    const job_record *first = pairs[0].before;
    *cell = (cell_difference){.network = first->network,
                              .learner = first->learner,
                              .n_samples = first->n_samples,
                              .sigma = first->sigma,
                              .n_pairs = n};
    d->n_cells++;
    d->n_compared += n;
    for (size_t i = 0; i < n; i++) {
        cell->n_graphs_differ += differs(pairs[i].before->graph, pairs[i].after->graph);
        cell->has_other_options |= differs(pairs[i].before->options, pairs[i].after->options);
    }
    return difference_find_changes(cell, pairs, options, err);
}

/* Walks both runs in step and hands over the pairs of each cell. */
static status match(const job_record *const *before, size_t n_before, const job_record *const *after, size_t n_after,
                    job_pair *pairs, const difference_options *options, difference *d, error_info *err) {
    size_t a = 0, b = 0, n = 0;
    while (a < n_before || b < n_after) {
        int order = a == n_before ? 1 : b == n_after ? -1 : job_compare(before[a], after[b]);
        job_pair pair = {order <= 0 ? before[a++] : NULL, order >= 0 ? after[b++] : NULL};
        const job_record *any = pair.before ? pair.before : pair.after;
        if (n > 0 && job_compare_cells(pairs[0].before, any) != 0) {
            CHECK(add_cell(d, pairs, n, options, err));
            n = 0;
        }
        if (is_pair(d, pair.before, pair.after))
            pairs[n++] = pair;
    }
    if (n > 0)
        CHECK(add_cell(d, pairs, n, options, err));
    return STATUS_OK;
}

static metric_change *time_of(cell_difference *cell) {
    for (size_t i = 0; i < cell->n_changes; i++)
        if (cell->changes[i].is_time)
            return &cell->changes[i];
    return NULL;
}

/* What all cells share is the machine's doing, or the whole program's: it is judged once, and not by each of them. */
static void find_drift(difference *d, const difference_options *options, double *ratios) {
    size_t n = 0;
    for (size_t i = 0; i < d->n_cells; i++) {
        const metric_change *t = time_of(&d->cells[i]);
        if (t)
            ratios[n++] = t->change;
    }
    array_sort_reals(ratios, n);
    d->drift = n ? quantile(ratios, n, 0.5, QUANTILE_LINEAR) : 1;
    d->is_slower_throughout = n >= LEAST_CELLS_FOR_DRIFT && d->drift > options->max_slowdown;
    d->n_regressions += d->is_slower_throughout;
    d->shared = n >= LEAST_CELLS_FOR_DRIFT && d->drift > 1 ? d->drift : 1;
}

/* Student's t of the pairs' log ratios, one-sided: the mean exceeds what all cells share. */
static double p_of_slower(const metric_change *t, double shared) {
    double n = (double)t->n_pairs;
    if (!isfinite(t->sd) || !(t->sd > 0))
        return NAN;
    return gsl_cdf_tdist_Q((log(t->change) - log(shared)) / (t->sd / sqrt(n)), n - 1);
}

/* The times of a learner's cells, from its first cell on; none where that cell is not its first. Returns how many. */
static size_t times_of_learner(difference *d, size_t first, const metric_change **times) {
    const char *learner = d->cells[first].learner;
    size_t n = 0;
    for (size_t i = 0; i < d->n_cells; i++) {
        if (strcmp(d->cells[i].learner, learner) != 0)
            continue;
        if (i < first)
            return 0;
        if (time_of(&d->cells[i]))
            times[n++] = time_of(&d->cells[i]);
    }
    return n;
}

/* A slowdown of one learner that no single cell shows may show in all its cells together. */
static status pool_learners(difference *d, error_info *err) {
    AUTO_FREE const metric_change **times = calloc(d->n_cells + 1, sizeof *times);
    CHECK_ALLOC(times);
    CHECK_ALLOC(d->learners = calloc(d->n_cells + 1, sizeof *d->learners));
    for (size_t i = 0; i < d->n_cells; i++) {
        learner_difference *pooled = &d->learners[d->n_learners];
        *pooled = (learner_difference){.learner = d->cells[i].learner, .n_cells = times_of_learner(d, i, times)};
        if (pooled->n_cells < 2)
            continue;
        difference_pool_times(times, pooled->n_cells, &pooled->time);
        d->n_learners++;
    }
    return STATUS_OK;
}

/* All times that are judged, of cells and of learners; `times` has room. Returns how many. */
static size_t collect_times(difference *d, metric_change **times) {
    size_t n = 0;
    for (size_t i = 0; i < d->n_cells; i++)
        if (time_of(&d->cells[i]))
            times[n++] = time_of(&d->cells[i]);
    for (size_t i = 0; i < d->n_learners; i++)
        times[n++] = &d->learners[i].time;
    return n;
}

/* Slower: past the limit, and the adjusted test says so. Suspicious: the test by itself does, or there is none. */
static change_verdict judge_time(const metric_change *t, double own_p, double shared, const difference_options *o) {
    if (!(t->change / shared > o->max_slowdown) || own_p > o->alpha)
        return CHANGE_NONE;
    return t->p_value <= o->alpha ? CHANGE_WORSE : CHANGE_SUSPICIOUS;
}

/* Holm over the tests of cells and learners, so that a night of a hundred cells does not cry wolf every night. */
static status judge_times(difference *d, const difference_options *options, error_info *err) {
    AUTO_FREE double *p = calloc(2 * d->n_cells + 1, sizeof *p);
    AUTO_FREE metric_change **times = calloc(2 * d->n_cells + 1, sizeof *times);
    size_t n, n_tests = 0;
    CHECK_ALLOC(p);
    CHECK_ALLOC(times);
    find_drift(d, options, p);
    CHECK(pool_learners(d, err));
    n = collect_times(d, times);
    for (size_t i = 0; i < n; i++)
        if (isfinite(times[i]->p_value = p_of_slower(times[i], d->shared)))
            p[n_tests++] = times[i]->p_value;
    CHECK(p_adjust(ADJUST_HOLM, p, n_tests, 0, p, err));
    for (size_t i = 0, k = 0; i < n; i++) {
        double own_p = times[i]->p_value;
        if (isfinite(own_p))
            times[i]->p_value = p[k++];
        times[i]->verdict = judge_time(times[i], own_p, d->shared, options);
    }
    return STATUS_OK;
}

static void sum_up(difference *d) {
    for (size_t i = 0; i < d->n_cells; i++) {
        cell_difference *cell = &d->cells[i];
        cell->verdict = cell->n_graphs_differ ? CHANGE_OTHER : CHANGE_NONE;
        for (size_t k = 0; k < cell->n_changes; k++) {
            change_verdict v = cell->changes[k].verdict;
            cell->verdict = v > cell->verdict ? v : cell->verdict;
            d->n_regressions += v == CHANGE_WORSE;
            d->n_better += v == CHANGE_BETTER;
        }
    }
    for (size_t i = 0; i < d->n_learners; i++)
        d->n_regressions += d->learners[i].time.verdict == CHANGE_WORSE;
}

static status check_options(const difference_options *o, error_info *err) {
    if (!(o->max_slowdown >= 1) || !isfinite(o->max_slowdown))
        return error_set(err, STATUS_INVALID, "the largest slowdown is %g; it must be a ratio of at least 1",
                         o->max_slowdown);
    if (!(o->alpha > 0 && o->alpha < 1))
        return error_set(err, STATUS_INVALID, "alpha is %g; it must lie between 0 and 1", o->alpha);
    return STATUS_OK;
}

/* Every job of both runs has the processor's speed beside it, or times are compared as they stand. */
static bool is_calibrated(const job_record *records, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (records[i].state == JOB_DONE && !job_record_metric(&records[i], "calibration"))
            return false;
    return n > 0;
}

status difference_measure(const job_record *before, size_t n_before, const job_record *after, size_t n_after,
                          const difference_options *options, difference *out, error_info *err) {
    AUTO_FREE const job_record **a = job_records_sorted(before, n_before), **b = job_records_sorted(after, n_after);
    size_t n = n_before + n_after + 1;
    AUTO_FREE job_pair *pairs = calloc(n, sizeof *pairs);
    AUTO(difference_clear) difference d = {0};
    CHECK(check_options(options, err));
    CHECK_ALLOC(a);
    CHECK_ALLOC(b);
    CHECK_ALLOC(pairs);
    CHECK_ALLOC(d.cells = calloc(n, sizeof *d.cells));
    CHECK_ALLOC(d.jobs = calloc(n, sizeof *d.jobs));
    d.is_calibrated = is_calibrated(before, n_before) && is_calibrated(after, n_after);
    CHECK(match(a, n_before, b, n_after, pairs, options, &d, err));
    CHECK(judge_times(&d, options, err));
    sum_up(&d);
    *out = TAKE(d);
    return STATUS_OK;
}
