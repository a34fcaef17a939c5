/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of one cell: which values are not what they were, and whether that is for the worse. */
#include "report/difference/difference_internal.h"

#include "metrics/distances/metric.h"
#include "metrics/statistics/wilcoxon.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool difference_is_measured(const char *metric) {
    const metric_info *info = metric_find(metric);
    return info && (strcmp(info->unit, "s") == 0 || strcmp(info->unit, "bytes") == 0);
}

static bool is_among(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Results that the clock has ended differ from run to run. */
static bool is_timed(const job_pair *pairs, size_t n, const difference_options *options) {
    for (size_t i = 0; i < n; i++)
        if (pairs[i].before->is_cut_short || pairs[i].after->is_cut_short)
            return true;
    return is_among(pairs[0].before->learner, options->timed, options->n_timed);
}

static bool is_same(double a, double b) {
    return a == b || fabs(a - b) <= SAME_WITHIN * fmax(fabs(a), fabs(b));
}

typedef struct {
    size_t n;
    double mean, sd; /* sd: NAN below two values */
} moments;

static moments moments_of(const double *x, size_t n) {
    moments m = {.n = n, .mean = 0, .sd = NAN};
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        m.mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - m.mean) * (x[i] - m.mean);
    if (n > 1)
        m.sd = sqrt(squares / (double)(n - 1));
    if (m.sd <= SAME_WITHIN * fabs(m.mean)) /* equal values, and what rounding made of them */
        m.sd = 0;
    return m;
}

static double half_width(const moments *m) {
    return m->n > 1 ? gsl_cdf_tdist_Pinv(0.975, (double)(m->n - 1)) * m->sd / sqrt((double)m->n) : NAN;
}

static change_verdict direction(const metric_change *c, const difference_options *options) {
    const metric_info *info = metric_find(c->metric);
    if (!info || info->has_no_best || !is_among(c->metric, options->metrics, options->n_metrics) ||
        is_same(c->before, c->after))
        return CHANGE_OTHER;
    return (c->after > c->before) == info->less_is_better ? CHANGE_WORSE : CHANGE_BETTER;
}

static status compare_values(const char *metric, const double *before, const double *after, size_t n,
                             const difference_options *options, metric_change *out, error_info *err) {
    static const wilcoxon_options test = {.side = WILCOXON_TWO_SIDED};
    AUTO_FREE double *differences = calloc(n, sizeof *differences);
    wilcoxon_result result;
    moments m;
    CHECK_ALLOC(differences);
    *out = (metric_change){.metric = metric, .n_pairs = n, .p_value = NAN};
    for (size_t i = 0; i < n; i++) {
        bool same = is_same(before[i], after[i]);
        differences[i] = same ? 0 : after[i] - before[i];
        out->n_changed += !same;
    }
    m = moments_of(differences, n);
    out->before = moments_of(before, n).mean;
    out->after = moments_of(after, n).mean;
    out->change = m.mean;
    out->low = m.mean - half_width(&m);
    out->high = m.mean + half_width(&m);
    out->sd = m.sd;
    out->effect = m.sd > 0 ? m.mean / m.sd : NAN;
    if (n > 1) {
        CHECK(wilcoxon_signed_rank(differences, NULL, n, &test, &result, err));
        out->p_value = result.p_value;
    }
    out->verdict = out->n_changed ? direction(out, options) : CHANGE_NONE;
    return STATUS_OK;
}

/*
 * The lesser of two ratios: of the seconds as they stand, and of the seconds against those of the fixed work beside
 * them. A slow processor raises the first alone; noise in the fixed work, or a processor that does this work slower and
 * other work not, the second alone. A slower program raises both.
 */
static double log_ratio(const job_pair *p) {
    const double *a = job_record_metric(p->before, "calibration"), *b = job_record_metric(p->after, "calibration");
    double ratio = log(p->after->cpu_seconds / p->before->cpu_seconds);
    return a && b && *a > 0 && *b > 0 ? fmin(ratio, ratio - log(*b / *a)) : ratio;
}

/* A time from the geometric means before and after, and the moments of the logarithms of the ratios. */
static metric_change time_change(double before, double after, const moments *m) {
    return (metric_change){.metric = "time",
                           .n_pairs = m->n,
                           .n_changed = m->n,
                           .before = before,
                           .after = after,
                           .change = exp(m->mean),
                           .low = exp(m->mean - half_width(m)),
                           .high = exp(m->mean + half_width(m)),
                           .sd = m->sd,
                           .effect = m->sd > 0 ? m->mean / m->sd : NAN,
                           .p_value = NAN,
                           .is_time = true};
}

static status compare_times(const job_pair *pairs, size_t n_pairs, metric_change *out, bool *found, error_info *err) {
    AUTO_FREE double *ratios = calloc(n_pairs, sizeof *ratios);
    double before = 0, after = 0;
    size_t n = 0;
    moments m;
    status st = STATUS_OK;
    CHECK_ALLOC(ratios);
    for (size_t i = 0; i < n_pairs; i++) {
        const job_record *a = pairs[i].before, *b = pairs[i].after;
        if (!(a->cpu_seconds > 0 && b->cpu_seconds > 0))
            continue;
        before += log(a->cpu_seconds);
        after += log(b->cpu_seconds);
        ratios[n++] = log_ratio(&pairs[i]);
    }
    *found = n > 0;
    if (n == 0)
        return st;
    m = moments_of(ratios, n);
    *out = time_change(exp(before / (double)n), exp(after / (double)n), &m);
    return st;
}

void difference_pool_times(const metric_change *const *times, size_t n_times, metric_change *out) {
    double before = 0, after = 0, squares = 0, n = 0;
    moments m = {.sd = NAN};
    for (size_t i = 0; i < n_times; i++) {
        double n_pairs = (double)times[i]->n_pairs;
        m.n += times[i]->n_pairs;
        m.mean += n_pairs * log(times[i]->change);
        before += n_pairs * log(times[i]->before);
        after += n_pairs * log(times[i]->after);
    }
    n = (double)m.n;
    m.mean /= n;
    for (size_t i = 0; i < n_times; i++) {
        double n_pairs = (double)times[i]->n_pairs, off = log(times[i]->change) - m.mean;
        squares += n_pairs * off * off;
        if (times[i]->n_pairs > 1)
            squares += (n_pairs - 1) * times[i]->sd * times[i]->sd;
    }
    if (m.n > 1)
        m.sd = sqrt(squares / (n - 1));
    *out = time_change(exp(before / n), exp(after / n), &m);
}

/* The pairs that have the metric on both sides; returns how many. */
static size_t collect(const char *metric, const job_pair *pairs, size_t n_pairs, double *before, double *after) {
    size_t n = 0;
    for (size_t i = 0; i < n_pairs; i++) {
        const double *a = job_record_metric(pairs[i].before, metric), *b = job_record_metric(pairs[i].after, metric);
        if (!a || !b)
            continue;
        before[n] = *a;
        after[n++] = *b;
    }
    return n;
}

status difference_find_changes(cell_difference *cell, const job_pair *pairs, const difference_options *options,
                               error_info *err) {
    const job_record *first = pairs[0].before;
    AUTO_FREE double *before = calloc(cell->n_pairs, sizeof *before), *after = calloc(cell->n_pairs, sizeof *after);
    bool has_time = false, needs_test = is_timed(pairs, cell->n_pairs, options);
    CHECK_ALLOC(before);
    CHECK_ALLOC(after);
    CHECK_ALLOC(cell->changes = calloc(first->n_metrics + 1, sizeof *cell->changes));
    cell->n_graphs_differ = needs_test ? 0 : cell->n_graphs_differ;
    for (size_t k = 0; k < first->n_metrics; k++) {
        const char *metric = first->metrics[k].name;
        size_t n = difference_is_measured(metric) ? 0 : collect(metric, pairs, cell->n_pairs, before, after);
        if (n == 0)
            continue;
        metric_change *c = &cell->changes[cell->n_changes];
        CHECK(compare_values(metric, before, after, n, options, c, err));
        if (needs_test && !(c->p_value <= options->alpha))
            c->verdict = CHANGE_NONE;
        cell->n_changes += c->verdict != CHANGE_NONE;
    }
    CHECK(compare_times(pairs, cell->n_pairs, &cell->changes[cell->n_changes], &has_time, err));
    cell->n_changes += has_time;
    return STATUS_OK;
}
