/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/runner/kernel_measure_internal.h"

#include "core/equivalence.h"
#include "core/text.h"
#include "learners/bach.h"
#include "metrics/score.h"

#include <math.h>
#include <string.h>

static const char metric_name[] = "bach_score";

/* Raised when the same graph, data and options come to another score. */
enum { KERNEL_MEASURE_VERSION = 1 };

bool kernel_measure_is_wanted(const experiment *e) {
    for (size_t i = 0; i < e->n_metrics; i++) {
        if (strcmp(e->metrics[i], metric_name) == 0)
            return true;
    }
    return false;
}

static status find_score(const experiment *e, const score_kind **kind, score_options *options, error_info *err) {
    status st = score_kind_find("kgv", kind, err);
    if (st != STATUS_OK)
        return st;
    *options = (score_options){0};
    options_set_initial(score_kind_options(*kind), options);
    for (size_t i = 0; i < e->n_variants; i++) {
        if (e->variants[i].kind == &learner_bach) {
            options->kernel = ((const bach_options *)e->variants[i].options)->kernel;
            break;
        }
    }
    return STATUS_OK;
}

status kernel_measure_digest(const experiment *e, digest *d, error_info *err) {
    const score_kind *kind;
    score_options options;
    text_buffer value = {0};
    status st = STATUS_OK;
    if (!kernel_measure_is_wanted(e))
        return STATUS_OK;
    TRY(find_score(e, &kind, &options, err));
    digest_text(d, metric_name);
    digest_number(d, KERNEL_MEASURE_VERSION);
    for (const option_spec *spec = score_kind_options(kind); spec->kind != OPT_END; spec++) {
        text_buffer_clear(&value);
        options_append_value(spec, &options, &value);
        TRY(text_buffer_check(&value, err));
        digest_text(d, spec->name);
        digest_text(d, value.data);
    }
cleanup:
    text_buffer_clear(&value);
    return st;
}

static status score_graph(const experiment *e, const dataset *data, const pdag *graph, double *out, error_info *err) {
    const score_kind *kind;
    score_options options;
    score *s = NULL;
    dag *g = NULL;
    int fallback = 0;
    status st = STATUS_OK;
    TRY(find_score(e, &kind, &options, err));
    TRY(pdag_extend_anyway(graph, &g, &fallback, err));
    TRY(score_create(kind, &options, data, NULL, &s, err));
    TRY(score_dag(s, g, out, NULL, err));
cleanup:
    score_destroy(s);
    dag_destroy(g);
    return st;
}

/* Data that the score cannot take cost the figure, not the result. */
static status remark_refusal(job_record *record, error_info *err) {
    status st = STATUS_OK;
    text_buffer why = {0};
    if (record->message)
        return STATUS_OK;
    text_append_format(&why, "no %s: %s", metric_name, err->message);
    TRY(text_buffer_check(&why, err));
    record->message = why.data;
    why = (text_buffer){0};
cleanup:
    text_buffer_clear(&why);
    return st;
}

status kernel_measure(const job *j, const job_data *data, const learned_graph *learned, job_record *record,
                      error_info *err) {
    const experiment *e = plan_experiment(j->plan);
    dataset *rows = NULL;
    double value = 0;
    status st = STATUS_OK;
    if (!kernel_measure_is_wanted(e) || learned->kind == GRAPH_SKELETON)
        return STATUS_OK;
    if (data->is_discretized)
        TRY(job_sample_rows(j, &rows, err));
    TRY(score_graph(e, rows ? rows : data->train, learned->graph, &value, err));
    if (isfinite(value))
        TRY(job_record_set_metric(record, metric_name, value, err));
cleanup:
    dataset_destroy(rows);
    return st == STATUS_INVALID ? remark_refusal(record, err) : st;
}
