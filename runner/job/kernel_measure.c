/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/job/job_internal.h"

#include "core/base/text.h"
#include "metrics/scores/kernel_score.h"
#include "runner/plan/kernel_metric_internal.h"

#include <math.h>

static status score_graph(const experiment *e, const dataset *data, const dag *g, double *out, error_info *err) {
    kernel_options options = kernel_metric_options(e);
    AUTO_PTR(score_destroy) score *s = NULL;
    CHECK(score_create(&score_kgv, &options, data, NULL, &s, err));
    return score_dag(s, g, out, NULL, err);
}

/* Where the score does not take the data, the result stands without this metric, and a message says why. */
static status remark_refusal(job_record *record, error_info *err) {
    AUTO(text_buffer_clear) text_buffer why = {0};
    text_append_format(&why, "no %s: %s", KERNEL_METRIC, err->message);
    CHECK(text_buffer_check(&why, err));
    return job_record_remark(record, why.data, err);
}

status kernel_measure(const job *j, const job_data *data, const dag *g, job_record *record, error_info *err) {
    const experiment *e = plan_experiment(j->plan);
    AUTO_PTR(dataset_destroy) dataset *rows = NULL;
    double value = 0;
    status st = STATUS_OK;
    if (!kernel_metric_is_wanted(e))
        return STATUS_OK;
    if (data->is_discretized)
        st = job_sample_rows(j, &rows, err);
    if (st == STATUS_OK)
        st = score_graph(e, rows ? rows : data->train, g, &value, err);
    if (st == STATUS_OK && isfinite(value))
        st = job_record_set_metric(record, KERNEL_METRIC, value, err);
    return st == STATUS_INVALID ? remark_refusal(record, err) : st;
}
