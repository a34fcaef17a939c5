/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/distances/arc_rates.h"

#include "metrics/distances/metric.h"

#include <math.h>

status arc_rates_measure(const pdag *learned, const pdag_pair *arcs, size_t n_arcs, arc_rates *out, error_info *err) {
    size_t n = pdag_node_count(learned), n_edges = pdag_edge_count(learned), n_directed = pdag_directed_count(learned);
    arc_rates r = {.true_arcs = n_arcs, .learned_arcs = n_directed + 2 * (n_edges - n_directed)};
    for (size_t k = 0; k < n_arcs; k++) {
        edge_kind kind;
        if (arcs[k].a >= n || arcs[k].b >= n)
            return error_set(err, STATUS_INVALID, "an arc names node %zu; there are %zu",
                             (arcs[k].a > arcs[k].b ? arcs[k].a : arcs[k].b) + 1, n);
        kind = pdag_edge_between(learned, arcs[k].a, arcs[k].b);
        r.found += kind == EDGE_OUT || kind == EDGE_UNDIRECTED;
    }
    *out = r;
    return STATUS_OK;
}

double arc_precision(const arc_rates *r) {
    return r->learned_arcs ? (double)r->found / (double)r->learned_arcs : 0;
}

double arc_recall(const arc_rates *r) {
    return r->true_arcs ? (double)r->found / (double)r->true_arcs : NAN;
}

const metric_info metrics_of_arcs[] = {
    {.name = "arc_precision",
     .summary = "arcs found that are true, as a share of those found; an undirected edge counts as both",
     .unit = "",
     .needs_truth = true},
    {.name = "arc_recall",
     .summary = "arcs found that are true, as a share of the true ones; an undirected edge counts as both",
     .unit = "",
     .needs_truth = true},
    {.name = "arc_distance_origin",
     .summary = "distance of (arc_precision, arc_recall) to the origin",
     .unit = "",
     .needs_truth = true},
    {.name = "candidate_recall",
     .summary = "true arcs that a filter of candidate parents leaves (Vandel et al. 2012)",
     .unit = "percent",
     .needs_truth = true,
     .published = "recall"},
    {0},
};
