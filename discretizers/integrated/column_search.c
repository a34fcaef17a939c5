/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LearnVariableDP of Fu 2005, III.1: the thresholds of one column, the best midpoint first. */
#include "discretizers/integrated/column_scan.h"

#include "core/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The intervals of a column, in order. */
typedef struct {
    column_scan scan;
    scanned_interval *intervals;
    size_t n, capacity;
} column_search;

static void search_clear(column_search *s) {
    column_scan_close(&s->scan);
    free(s->intervals);
}

static size_t cut_at_or_after(const sorted_column *s, size_t position) {
    size_t low = 0, high = s->n_cuts;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->cuts[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The cut at `from` itself lies outside. */
static scanned_interval interval_between(const sorted_column *s, size_t from, size_t to, double low, double high) {
    return (scanned_interval){.from = from,
                              .to = to,
                              .first_cut = cut_at_or_after(s, from + 1),
                              .end_cut = cut_at_or_after(s, to),
                              .low = low,
                              .high = high};
}

static status search_open(column_search *s, integration *in, size_t column, const double *thresholds, size_t n,
                          error_info *err) {
    const sorted_column *sorted = &in->sorted[column];
    double low = sorted->values[0];
    size_t from = 0;
    CHECK(column_scan_open(&s->scan, in, column, err));
    for (size_t k = 0; k <= n; k++) {
        double high = k < n ? thresholds[k] : sorted->values[sorted->n - 1];
        size_t to = k < n ? sorted_column_below(sorted, high) : sorted->n;
        CHECK(ARRAY_PUSH(s->intervals, s->n, s->capacity, err, interval_between(sorted, from, to, low, high)));
        from = to;
        low = high;
    }
    return STATUS_OK;
}

/* The score of the column with the intervals as they are. */
static status score_intervals(column_search *s, double *out, error_info *err) {
    double sum;
    CHECK(column_scan_set_levels(&s->scan, s->n, err));
    sum = column_scan_constant(&s->scan, s->n);
    for (size_t k = 0; k < s->n; k++) {
        column_scan_total(&s->scan, &s->intervals[k]);
        sum += s->intervals[k].total;
    }
    s->scan.in->ctx->policy_scores++;
    *out = sum;
    return STATUS_OK;
}

status integration_score_column(integration *in, size_t column, const double *thresholds, size_t n, double *out,
                                error_info *err) {
    column_search s = {0};
    status st = STATUS_OK;
    TRY(search_open(&s, in, column, thresholds, n, err));
    TRY(score_intervals(&s, out, err));
cleanup:
    search_clear(&s);
    return st;
}

/* The interval with the split that gains most, ties to the lowest; s->n where none can be split. */
static size_t best_interval(const column_search *s) {
    size_t best = s->n;
    for (size_t k = 0; k < s->n; k++) {
        double gain = s->intervals[k].gain;
        if (gain > -INFINITY && (best == s->n || integration_improves(gain, s->intervals[best].gain)))
            best = k;
    }
    return best;
}

/* Scans the intervals whose gains are not known: all, or those that the last split has left. */
static status scan_intervals(column_search *s, size_t first, size_t n, error_info *err) {
    bool is_additive = s->scan.in->method->is_additive;
    status st = column_scan_set_levels(&s->scan, s->n + 1, err);
    for (size_t k = 0; k < s->n && st == STATUS_OK; k++) {
        if (!is_additive || (k >= first && k < first + n))
            s->scan.in->ctx->threshold_evaluations += column_scan_splits(&s->scan, &s->intervals[k]);
    }
    return st;
}

static double score_with_split(const column_search *s, size_t at) {
    double sum = column_scan_constant(&s->scan, s->n + 1) + s->intervals[at].gain;
    for (size_t k = 0; k < s->n; k++)
        sum += s->intervals[k].total;
    return sum;
}

static status split(column_search *s, size_t at, error_info *err) {
    const sorted_column *sorted = s->scan.s;
    scanned_interval whole;
    size_t below;
    double t;
    CHECK(ARRAY_ROOM(s->intervals, s->n, s->capacity, err));
    whole = s->intervals[at];
    below = sorted->cuts[whole.best_cut];
    t = sorted_column_threshold(sorted, below);
    memmove(&s->intervals[at + 2], &s->intervals[at + 1], (s->n - at - 1) * sizeof *s->intervals);
    s->intervals[at] = interval_between(sorted, whole.from, below, whole.low, t);
    s->intervals[at + 1] = interval_between(sorted, below, whole.to, t, whole.high);
    s->n++;
    return STATUS_OK;
}

/* Adds thresholds while the score rises, or the least number of levels is not reached. */
static status grow(column_search *s, double *score, error_info *err) {
    integration *in = s->scan.in;
    size_t first = 0, n_new = 1;
    while (s->n < VARIABLE_MAX_STATES) {
        size_t at;
        double with;
        in->is_expired = in->is_expired || run_context_is_expired(in->ctx);
        if (in->is_expired)
            break;
        CHECK(scan_intervals(s, first, n_new, err));
        at = best_interval(s);
        if (at == s->n)
            break;
        with = score_with_split(s, at);
        in->ctx->policy_scores++;
        if (!integration_improves(with, *score) && s->n >= (size_t)in->options->min_levels)
            break;
        CHECK(split(s, at, err));
        *score = with;
        first = at;
        n_new = 2;
    }
    return STATUS_OK;
}

static status take_thresholds(const column_search *s, column_candidate *out, error_info *err) {
    double *thresholds = calloc(s->n, sizeof *thresholds);
    CHECK_ALLOC(thresholds);
    for (size_t k = 0; k + 1 < s->n; k++)
        thresholds[k] = s->intervals[k].high;
    out->thresholds = thresholds;
    out->n = s->n - 1;
    return STATUS_OK;
}

status integration_search_column(integration *in, size_t column, column_candidate *out, error_info *err) {
    column_search s = {0};
    double score = 0;
    status st = STATUS_OK;
    TRY(search_open(&s, in, column, NULL, 0, err));
    TRY(score_intervals(&s, &score, err));
    TRY(grow(&s, &score, err));
    TRY(take_thresholds(&s, out, err));
    out->score = score;
cleanup:
    search_clear(&s);
    return st;
}
