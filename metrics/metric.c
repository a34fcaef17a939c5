/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/metric.h"

#include "core/text.h"

#include <string.h>

/* Those from "shd" to "missing_ratio" are values of metrics/graph_distance.h, by name; a test keeps the two in step. */
static const metric_info metrics[] = {
    {.name = "time", .summary = "CPU time of learning alone", .unit = "s", .less_is_better = true},
    {.name = "wall_time", .summary = "elapsed time of learning alone", .unit = "s", .less_is_better = true},
    {.name = "calibration",
     .summary = "CPU time of a fixed piece of work beside the learner: the processor's speed at that moment",
     .unit = "s",
     .less_is_better = true},
    {.name = "memory", .summary = "peak resident memory while learning", .unit = "bytes", .less_is_better = true},
    {.name = "statistics",
     .summary = "tests and local scores that were computed",
     .unit = "calls",
     .less_is_better = true,
     .published = "n_statistical_tests"},
    {.name = "tests", .summary = "independence tests that were computed", .unit = "calls", .less_is_better = true},
    {.name = "score_evaluations",
     .summary = "local scores that were computed",
     .unit = "calls",
     .less_is_better = true},
    {.name = "edges",
     .summary = "edges of the learned graph",
     .unit = "edges",
     .less_is_better = true,
     .has_no_best = true},
    {.name = "shd",
     .summary = "structural Hamming distance of the patterns (Tsamardinos et al. 2006)",
     .unit = "edges",
     .less_is_better = true,
     .needs_truth = true,
     .needs_directions = true},
    {.name = "shd_fu",
     .summary = "the same, a directed edge extra or missing costs 2 (Fu 2005)",
     .unit = "edges",
     .less_is_better = true,
     .needs_truth = true,
     .needs_directions = true},
    {.name = "shd_skeleton",
     .summary = "edges extra or missing (Vandel et al. 2012)",
     .unit = "edges",
     .less_is_better = true,
     .needs_truth = true},
    {.name = "shd_raw",
     .summary = "structural Hamming distance of the graphs as they are",
     .unit = "edges",
     .less_is_better = true,
     .needs_truth = true,
     .needs_directions = true},
    {.name = "missing_edges",
     .summary = "true edges that were not found",
     .unit = "edges",
     .less_is_better = true,
     .needs_truth = true,
     .published = "errors_omission_missing"},
    {.name = "extra_edges",
     .summary = "edges found that are not there",
     .unit = "edges",
     .less_is_better = true,
     .needs_truth = true,
     .published = "errors_commission_extra"},
    {.name = "misoriented_edges",
     .summary = "edges found with another direction, on the patterns",
     .unit = "edges",
     .less_is_better = true,
     .needs_truth = true,
     .needs_directions = true},
    {.name = "edge_errors",
     .summary = "edges extra and missing together",
     .unit = "edges",
     .less_is_better = true,
     .needs_truth = true,
     .published = "errors_total"},
    {.name = "true_edges_found", .summary = "true edges that were found", .unit = "edges", .needs_truth = true},
    {.name = "precision",
     .summary = "edges found that are true, as a share of those found",
     .unit = "",
     .needs_truth = true},
    {.name = "recall",
     .summary = "edges found that are true, as a share of the true ones",
     .unit = "",
     .needs_truth = true},
    {.name = "f1", .summary = "harmonic mean of precision and recall", .unit = "", .needs_truth = true},
    {.name = "specificity",
     .summary = "pairs rightly left apart, as a share of those apart",
     .unit = "",
     .needs_truth = true},
    {.name = "distance_perfect",
     .summary = "distance to perfect sensitivity and specificity (Tsamardinos et al. 2003)",
     .unit = "",
     .less_is_better = true,
     .needs_truth = true},
    {.name = "distance_origin",
     .summary = "distance of (precision, recall) to the origin (Vandel et al. 2012)",
     .unit = "",
     .needs_truth = true},
    {.name = "extra_ratio",
     .summary = "extra edges as a share of the true ones (Fu 2005)",
     .unit = "",
     .less_is_better = true,
     .needs_truth = true},
    {.name = "missing_ratio",
     .summary = "missing edges as a share of the true ones (Fu 2005)",
     .unit = "",
     .less_is_better = true,
     .needs_truth = true},
    {.name = "bdeu_test",
     .summary = "BDeu score of the graph on the test rows, equivalent sample size 10",
     .unit = "nats",
     .needs_test = true,
     .needs_directions = true,
     .published = "bdeu_score_test"},
    {.name = "bdeu_train",
     .summary = "BDeu score of the graph on the training rows, equivalent sample size 10",
     .unit = "nats",
     .needs_directions = true},
    {.name = "loglik_test",
     .summary = "log-likelihood of the test rows, tables estimated from the training rows with the BDeu prior",
     .unit = "nats",
     .needs_test = true,
     .needs_directions = true},
};

enum { N_METRICS = sizeof metrics / sizeof *metrics };

size_t metric_count(void) {
    return N_METRICS;
}

const metric_info *metric_at(size_t i) {
    return &metrics[i];
}

const metric_info *metric_find(const char *name) {
    for (size_t i = 0; i < N_METRICS; i++) {
        if (strcmp(metrics[i].name, name) == 0)
            return &metrics[i];
    }
    return NULL;
}

const char *metric_suggest(const char *typed) {
    const char *names[N_METRICS];
    for (size_t i = 0; i < N_METRICS; i++)
        names[i] = metrics[i].name;
    return text_nearest(typed, names, N_METRICS);
}
