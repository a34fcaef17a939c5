/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every metric that a result can have, whatever the tables ask for, so that a new table needs no new run. */
#include "experiments/runner/job_internal.h"

#include "core/equivalence.h"
#include "core/graph_file.h"
#include "core/text.h"
#include "metrics/graph_distance.h"
#include "metrics/held_out.h"
#include "metrics/metric.h"

#include <math.h>
#include <stdlib.h>

#define MEASURE_ESS 10.0 /* equivalent sample size of the reported scores, as in Brown et al. 2005 */

static status set_if_finite(job_record *record, const char *name, double value, error_info *err) {
    return isfinite(value) ? job_record_set_metric(record, name, value, err) : STATUS_OK;
}

static status set_counts(job_record *r, const pdag *graph, error_info *err) {
    status st = STATUS_OK;
    TRY(set_if_finite(r, "time", r->cpu_seconds, err));
    TRY(set_if_finite(r, "wall_time", r->wall_seconds, err));
    TRY(set_if_finite(r, "memory", (double)r->peak_memory_bytes, err));
    TRY(set_if_finite(r, "edges", (double)pdag_edge_count(graph), err));
cleanup:
    return st;
}

/* An external learner does not tell what it computed. */
static status set_statistics(job_record *r, error_info *err) {
    status st = STATUS_OK;
    TRY(set_if_finite(r, "statistics", (double)(r->tests.computed + r->scores.computed), err));
    TRY(set_if_finite(r, "tests", (double)r->tests.computed, err));
    TRY(set_if_finite(r, "score_evaluations", (double)r->scores.computed, err));
cleanup:
    return st;
}

static bool applies(const char *name, graph_kind kind) {
    const metric_info *info = metric_find(name);
    return info && !(info->needs_directions && kind == GRAPH_SKELETON);
}

static status set_distances(const job *j, const learned_graph *learned, job_record *r, error_info *err) {
    graph_distance d;
    pdag *truth = NULL;
    status st = STATUS_OK;
    TRY(pdag_from_dag(bayes_net_dag(j->net), &truth, err));
    TRY(graph_distance_measure(learned->graph, truth, &d, err));
    for (size_t i = 0; i < graph_metric_count(); i++) {
        const graph_metric *m = graph_metric_at(i);
        if (applies(m->name, learned->kind))
            TRY(set_if_finite(r, m->name, m->value(&d), err));
    }
cleanup:
    pdag_destroy(truth);
    return st;
}

static status set_scores(const job_data *data, const learned_graph *learned, job_record *r, error_info *err) {
    dag *g = NULL;
    int fallback = 0;
    double value = 0;
    status st = STATUS_OK;
    TRY(pdag_extend_anyway(learned->graph, &g, &fallback, err));
    TRY(held_out_bdeu(g, data->train, MEASURE_ESS, &value, err));
    TRY(set_if_finite(r, "bdeu_train", value, err));
    if (data->test) {
        TRY(held_out_bdeu(g, data->test, MEASURE_ESS, &value, err));
        TRY(set_if_finite(r, "bdeu_test", value, err));
        TRY(held_out_loglik(g, data->train, data->test, ESTIMATE_BDEU, MEASURE_ESS, &value, err));
        TRY(set_if_finite(r, "loglik_test", value, err));
    }
cleanup:
    dag_destroy(g);
    return st;
}

static status set_graph(const job *j, const learned_graph *learned, job_record *r, error_info *err) {
    size_t n = bayes_net_node_count(j->net);
    const char **names = calloc(n, sizeof *names);
    text_buffer text = {0};
    status st = STATUS_OK;
    TRY_ALLOC(names);
    for (size_t i = 0; i < n; i++)
        names[i] = bayes_net_variable(j->net, i)->name;
    graph_append_csv(learned->graph, names, &text);
    TRY(text_buffer_check(&text, err));
    TRY_ALLOC(r->graph_kind = text_copy(graph_kind_name(learned->kind)));
    r->graph = text.data;
    text.data = NULL;
cleanup:
    text_buffer_clear(&text);
    free(names);
    return st;
}

status job_measure(const job *j, const job_data *data, const learned_graph *learned, job_record *record,
                   error_info *err) {
    status st = STATUS_OK;
    TRY(set_graph(j, learned, record, err));
    TRY(set_counts(record, learned->graph, err));
    if (job_variant(j)->kind)
        TRY(set_statistics(record, err));
    TRY(set_distances(j, learned, record, err));
    if (learned->kind != GRAPH_SKELETON)
        TRY(set_scores(data, learned, record, err));
cleanup:
    return st;
}
