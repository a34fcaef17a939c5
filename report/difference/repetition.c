/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/difference/repetition.h"

#include "report/difference/difference_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void repetition_clear(repetition *r) {
    free(r->metrics);
    *r = (repetition){0};
}

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_value(double a, double b) {
    return a == b || fabs(a - b) <= SAME_WITHIN * fmax(fabs(a), fabs(b));
}

static bool same_counts(const statistics_count *a, const statistics_count *b) {
    return a->requests == b->requests && a->computed == b->computed && a->skipped == b->skipped;
}

static double value_of(const job_record *r, const char *name) {
    const double *value = job_record_metric(r, name);
    return value ? *value : (double)NAN;
}

static void add_metric(repetition *r, const char *name, const job_record *before, const job_record *after) {
    double a = value_of(before, name), b = value_of(after, name);
    if (difference_is_measured(name))
        return;
    r->metrics[r->n_metrics++] = (repeated_metric){name, a, b, same_value(a, b)};
}

status repetition_compare(const job_record *before, const job_record *after, repetition *out, error_info *err) {
    AUTO(repetition_clear)
    repetition r = {
        .same_state = before->state == after->state,
        .same_data = same_text(before->fingerprint, after->fingerprint),
        .same_graph = same_text(before->graph, after->graph) && same_text(before->graph_kind, after->graph_kind),
        .same_counts = same_counts(&before->tests, &after->tests) && same_counts(&before->scores, &after->scores),
        .time_ratio = after->cpu_seconds / before->cpu_seconds};
    CHECK_ALLOC(r.metrics = calloc(before->n_metrics + after->n_metrics + 1, sizeof *r.metrics));
    for (size_t i = 0; i < before->n_metrics; i++)
        add_metric(&r, before->metrics[i].name, before, after);
    for (size_t i = 0; i < after->n_metrics; i++) {
        if (!job_record_metric(before, after->metrics[i].name))
            add_metric(&r, after->metrics[i].name, before, after);
    }
    r.is_same = r.same_state && r.same_data && r.same_graph && r.same_counts;
    for (size_t i = 0; i < r.n_metrics; i++)
        r.is_same = r.is_same && r.metrics[i].is_same;
    *out = TAKE(r);
    return STATUS_OK;
}
