/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The metrics of a result. Every metric that can be computed is, whether a table shows it or not, so that a new table
 * needs no new run; bach_score, which takes long, is computed on request.
 */
#include "runner/job/job_internal.h"

#include "core/base/text.h"
#include "core/graph/equivalence.h"
#include "core/graph/graph_file.h"
#include "metrics/distances/arc_rates.h"
#include "metrics/distances/graph_distance.h"
#include "metrics/distances/metric.h"
#include "metrics/distances/region_distance.h"
#include "metrics/prediction/held_out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MEASURE_ESS 10.0 /* equivalent sample size of the reported scores, as in Brown et al. 2005 */
#define SMALL_ESS 1.0    /* as in Vandel et al. 2012 */

static status set_if_finite(job_record *record, const char *name, double value, error_info *err) {
    return isfinite(value) ? job_record_set_metric(record, name, value, err) : STATUS_OK;
}

static status set_counts(job_record *r, const pdag *graph, error_info *err) {
    CHECK(set_if_finite(r, "time", r->cpu_seconds, err));
    CHECK(set_if_finite(r, "wall_time", r->wall_seconds, err));
    CHECK(set_if_finite(r, "memory", (double)r->peak_memory_bytes, err));
    return set_if_finite(r, "edges", (double)pdag_edge_count(graph), err);
}

/* An external learner does not tell what it computed. */
static status set_statistics(job_record *r, error_info *err) {
    const double *discretizing = job_record_metric(r, "discretization_calls");
    double computed = (double)(r->tests.computed + r->scores.computed),
           calls = computed + (discretizing ? *discretizing : 0);
    CHECK(set_if_finite(r, "statistics", computed, err));
    CHECK(set_if_finite(r, "calls", calls, err));
    CHECK(set_if_finite(r, "tests", (double)r->tests.computed, err));
    CHECK(set_if_finite(r, "tests_requested", (double)r->tests.requests, err));
    return set_if_finite(r, "score_evaluations", (double)r->scores.computed, err);
}

static bool applies(const char *name, graph_kind kind, const world *w) {
    const metric_info *info = metric_find(name);
    return info && !(info->needs_directions && (kind == GRAPH_SKELETON || !w->is_directed));
}

/* Distances to the true graph. Where that has cycles, only metrics of the skeleton apply;
 * set_arc_rates compares arcs. */
static status set_distances(const job *j, const learned_graph *learned, job_record *r, error_info *err) {
    graph_kind kind_of_truth = j->world->is_directed ? GRAPH_DAG : GRAPH_SKELETON;
    graph_distance d;
    if (!j->world->truth)
        return STATUS_OK;
    CHECK(graph_distance_measure(learned->graph, learned->kind, j->world->truth, kind_of_truth, &d, err));
    for (const metric_info *m = metrics_of_graphs; m->name; m++) {
        if (m->of_distance && applies(m->name, learned->kind, j->world))
            CHECK(set_if_finite(r, m->name, m->of_distance(&d), err));
    }
    return STATUS_OK;
}

/* The true edges between the columns of the data, as the learner saw them. */
static status true_columns(const job *j, const job_data *data, pdag **out, error_info *err) {
    const pdag *g = j->world->truth;
    size_t n = pdag_node_count(g), n_pairs = 0;
    AUTO_FREE size_t *column = calloc(n + 1, sizeof *column);
    AUTO_FREE pdag_pair *pairs = calloc(pdag_edge_count(g) + 1, sizeof *pairs);
    CHECK_ALLOC(column);
    CHECK_ALLOC(pairs);
    for (size_t i = 0; i < n; i++)
        column[data->order[i]] = i;
    for (size_t v = 0; v < n; v++) {
        size_t n_edges;
        const pdag_edge *edges = pdag_edges(g, v, &n_edges);
        for (size_t k = 0; k < n_edges; k++) {
            if (edges[k].node > v)
                pairs[n_pairs++] = (pdag_pair){column[edges[k].node], column[v], EDGE_UNDIRECTED};
        }
    }
    return pdag_from_pairs(n, pairs, n_pairs, out, err);
}

static status set_region(job_record *r, size_t depth, const region_average *average, error_info *err) {
    const struct {
        const char *name;
        double value;
    } figures[] = {
        {"sensitivity", average->sensitivity}, {"specificity", average->specificity}, {"distance", average->distance}};
    status st = STATUS_OK;
    for (size_t i = 0; i < sizeof figures / sizeof *figures && st == STATUS_OK; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "region_%s_%zu", figures[i].name, depth);
        st = set_if_finite(r, name, figures[i].value, err);
    }
    return st;
}

/* For a learner that searches around every variable: how good the regions found around them are. */
static status set_regions(const job *j, const job_data *data, const learned_graph *learned, job_record *r,
                          error_info *err) {
    region_lists lists = {.n_variables = neighbour_lists_count(learned->found)};
    region_average averages[REGION_DEPTHS];
    AUTO_PTR(pdag_destroy) pdag *truth = NULL;
    neighbour_lists_all(learned->found, &lists.starts, &lists.members);
    CHECK(true_columns(j, data, &truth, err));
    CHECK(region_distance_measure(&lists, truth, averages, err));
    for (size_t d = 0; d < REGION_DEPTHS; d++)
        CHECK(set_region(r, d + 1, &averages[d], err));
    return STATUS_OK;
}

/* Rates over arcs, which exist for a true graph with cycles too; for a skeleton, how good a filter of parents it is. */
static status set_arc_rates(const job *j, const learned_graph *learned, job_record *r, error_info *err) {
    const world *w = j->world;
    AUTO_FREE pdag_pair *arcs = calloc(w->n_arcs + 1, sizeof *arcs);
    arc_rates rates;
    CHECK_ALLOC(arcs);
    for (size_t k = 0; k < w->n_arcs; k++)
        arcs[k] = (pdag_pair){w->arcs[k].from, w->arcs[k].to, EDGE_OUT};
    CHECK(arc_rates_measure(learned->graph, arcs, w->n_arcs, &rates, err));
    CHECK(set_if_finite(r, "arc_precision", arc_precision(&rates), err));
    CHECK(set_if_finite(r, "arc_recall", arc_recall(&rates), err));
    CHECK(set_if_finite(r, "arc_distance_origin", hypot(arc_precision(&rates), arc_recall(&rates)), err));
    if (learned->kind == GRAPH_SKELETON) {
        CHECK(set_if_finite(r, "candidate_arcs", (double)rates.learned_arcs, err));
        CHECK(set_if_finite(r, "candidate_recall", 100 * arc_recall(&rates), err));
    }
    return STATUS_OK;
}

static status set_discretizing(const job_data *data, job_record *r, error_info *err) {
    size_t n = dataset_column_count(data->train);
    double states = 0;
    for (size_t c = 0; c < n; c++)
        states += (double)dataset_state_count(data->train, c) / (double)n;
    CHECK(set_if_finite(r, "discretize_time", data->discretize_s, err));
    return set_if_finite(r, "states_mean", states, err);
}

/* Means over the test sets. */
static status set_held_out(const job_data *data, const dag *g, bool is_counted, job_record *r, error_info *err) {
    double bdeu = 0, loglik = 0, n_statistics = (double)(r->tests.computed + r->scores.computed);
    for (size_t i = 0; i < data->n_tests; i++) {
        double value = 0;
        CHECK(held_out_bdeu(g, data->tests[i], MEASURE_ESS, &value, err));
        bdeu += value / (double)data->n_tests;
        CHECK(held_out_loglik(g, data->train, data->tests[i], ESTIMATE_BDEU, MEASURE_ESS, &value, err));
        loglik += value / (double)data->n_tests;
    }
    CHECK(set_if_finite(r, "bdeu_test", bdeu, err));
    CHECK(set_if_finite(r, "loglik_test", loglik, err));
    if (is_counted)
        CHECK(set_if_finite(r, "loglik_statistics", -loglik * n_statistics, err));
    return STATUS_OK;
}

static status set_scores(const job_data *data, const dag *g, bool is_counted, job_record *r, error_info *err) {
    double value = 0;
    CHECK(held_out_bdeu(g, data->train, MEASURE_ESS, &value, err));
    CHECK(set_if_finite(r, "bdeu_train", value, err));
    CHECK(held_out_bdeu(g, data->train, SMALL_ESS, &value, err));
    CHECK(set_if_finite(r, "bdeu1_train", value, err));
    if (data->n_tests > 0)
        CHECK(set_held_out(data, g, is_counted, r, err));
    return STATUS_OK;
}

/* The mean over the test sets. There is none where one of them has too few rows to estimate a variance. */
static status set_test_mean(const job_data *data, const dag *g, const char *name, bool is_loglik, job_record *r,
                            error_info *err) {
    double mean = 0;
    for (size_t i = 0; i < data->n_tests; i++) {
        double value = (double)NAN;
        error_info quiet = {0};
        status st = is_loglik ? held_out_gaussian_loglik(g, data->train, data->tests[i], &value, &quiet)
                              : held_out_gaussian_bic(g, data->tests[i], &value, &quiet);
        if (st != STATUS_OK && st != STATUS_INVALID)
            return error_set(err, st, "%s", quiet.message);
        mean += value / (double)data->n_tests;
    }
    return set_if_finite(r, name, data->n_tests > 0 ? mean : (double)NAN, err);
}

/* The scores of continuous data. */
static status set_gaussian_scores(const job_data *data, const dag *g, job_record *r, error_info *err) {
    double value = 0;
    error_info quiet = {0};
    if (held_out_gaussian_bic(g, data->train, &value, &quiet) == STATUS_OK)
        CHECK(set_if_finite(r, "bic-g_train", value, err));
    CHECK(set_test_mean(data, g, "bic-g_test", false, r, err));
    return set_test_mean(data, g, "loglik-g_test", true, r, err);
}

static status set_graph(const job *j, const learned_graph *learned, job_record *r, error_info *err) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    graph_append_csv(learned->graph, j->world->names, &text);
    CHECK(text_buffer_check(&text, err));
    CHECK_ALLOC(r->graph_kind = text_copy(graph_kind_name(learned->kind)));
    r->graph = text.data;
    text.data = NULL;
    return STATUS_OK;
}

/* A DAG of the learned class. A learner on a sample may return edges that no DAG agrees with: then an altered graph,
 * and the record says so. */
static status find_member(const learned_graph *learned, dag **out, job_record *r, error_info *err) {
    static const char *const alterations[] = {
        NULL,
        "no DAG agrees with the graph: scores are those of an altered graph, without the directions on its cycles",
        "no DAG agrees with the graph: scores are those of an altered graph, its edges directed along an order",
    };
    int fallback = 0;
    CHECK(pdag_extend_anyway(learned->graph, out, &fallback, err));
    if (learned->kind == GRAPH_CPDAG)
        CHECK(job_record_set_metric(r, "scored_altered", fallback > 0, err));
    return fallback ? job_record_remark(r, alterations[fallback], err) : STATUS_OK;
}

/* What needs a DAG. */
static status set_all_scores(const job *j, const job_data *data, const learned_graph *learned, job_record *r,
                             error_info *err) {
    AUTO_PTR(dag_destroy) dag *g = NULL;
    CHECK(find_member(learned, &g, r, err));
    CHECK(kernel_measure(j, data, g, r, err));
    if (dataset_is_discrete(data->train))
        CHECK(set_scores(data, g, job_variant(j)->kind != NULL, r, err));
    if (dataset_kind(data->train) == DATA_CONTINUOUS)
        CHECK(set_gaussian_scores(data, g, r, err));
    return STATUS_OK;
}

status job_measure(const job *j, const job_data *data, const learned_graph *learned, job_record *record,
                   error_info *err) {
    CHECK(set_graph(j, learned, record, err));
    CHECK(set_counts(record, learned->graph, err));
    if (job_variant(j)->kind) {
        CHECK(set_statistics(record, err));
        CHECK(set_if_finite(record, "learning_time", record->cpu_seconds, err)); /* a program tells its own */
    }
    CHECK(set_distances(j, learned, record, err));
    if (j->world->truth)
        CHECK(set_arc_rates(j, learned, record, err));
    CHECK(set_if_finite(record, "total_time", record->cpu_seconds + data->discretize_s, err));
    if (data->is_discretized)
        CHECK(set_discretizing(data, record, err));
    if (learned->found && j->world->truth)
        CHECK(set_regions(j, data, learned, record, err));
    return learned->kind == GRAPH_SKELETON ? STATUS_OK : set_all_scores(j, data, learned, record, err);
}
