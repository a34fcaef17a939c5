/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/distances/metric.h"

#include "core/graph/equivalence.h"

#include <math.h>

/* What comparing two graphs pair by pair counts. `ours` and `theirs` are the learned and the true graph. */
typedef struct {
    size_t both, only_ours, only_theirs; /* pairs with an edge */
    size_t differ;                       /* an edge in both, of another kind */
    size_t directed_alone;               /* directed edges where the other graph has none */
} pair_tally;

static void tally_lonely(pair_tally *t, edge_kind kind, size_t *count) {
    (*count)++;
    t->directed_alone += kind != EDGE_UNDIRECTED;
}

/* Each pair once, at its lower node; lists are ascending, so this is a merge. */
static void tally_node(pair_tally *t, size_t node, const pdag *learned, const pdag *truth) {
    size_t n_ours, n_theirs, i = 0, j = 0;
    const pdag_edge *ours = pdag_edges(learned, node, &n_ours), *theirs = pdag_edges(truth, node, &n_theirs);
    while (i < n_ours && ours[i].node < node)
        i++;
    while (j < n_theirs && theirs[j].node < node)
        j++;
    while (i < n_ours || j < n_theirs) {
        if (j == n_theirs || (i < n_ours && ours[i].node < theirs[j].node)) {
            tally_lonely(t, ours[i++].kind, &t->only_ours);
        } else if (i == n_ours || theirs[j].node < ours[i].node) {
            tally_lonely(t, theirs[j++].kind, &t->only_theirs);
        } else {
            t->both++;
            t->differ += ours[i++].kind != theirs[j++].kind;
        }
    }
}

static pair_tally tally_pairs(const pdag *learned, const pdag *truth) {
    pair_tally t = {0};
    for (size_t i = 0; i < pdag_node_count(truth); i++)
        tally_node(&t, i, learned, truth);
    return t;
}

/* One pair of graphs as they are, as they are compared, and with the learned one completed. */
typedef struct {
    pair_tally raw, compared, extended;
} tallies;

static graph_distance distance_of(size_t n_nodes, const tallies *t) {
    double n = (double)n_nodes;
    size_t unmatched = t->raw.only_ours + t->raw.only_theirs;
    return (graph_distance){
        .true_edges = t->raw.both + t->raw.only_theirs,
        .tp = t->raw.both,
        .fp = t->raw.only_ours,
        .fn = t->raw.only_theirs,
        .tn = n * (n - 1) / 2 - (double)(t->raw.both + unmatched),
        .shd_skeleton = unmatched,
        .misoriented = t->compared.differ,
        .shd = unmatched + t->compared.differ,
        .shd_fu = unmatched + t->compared.directed_alone + t->compared.differ,
        .shd_extended = unmatched + t->extended.differ,
        .shd_raw = unmatched + t->raw.differ,
    };
}

status graph_distance_measure(const pdag *learned, graph_kind kind, const pdag *truth, graph_kind kind_of_truth,
                              graph_distance *out, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *ours = NULL, *completed = NULL, *theirs = NULL;
    tallies t;

    if (pdag_node_count(learned) != pdag_node_count(truth))
        return error_set(err, STATUS_INVALID,
                         "the learned graph has %zu nodes, the true one %zu; they must be the same",
                         pdag_node_count(learned), pdag_node_count(truth));
    CHECK(pdag_compared(truth, kind_of_truth, &theirs, err));
    CHECK(pdag_compared(learned, kind, &ours, err));
    t.raw = tally_pairs(learned, truth);
    t.compared = t.extended = tally_pairs(ours, theirs);
    if (kind == GRAPH_CPDAG) {
        CHECK(pdag_pattern(learned, &completed, err));
        t.extended = tally_pairs(completed, theirs);
    }
    *out = distance_of(pdag_node_count(truth), &t);
    return STATUS_OK;
}

/* --- figures --- */

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : NAN;
}

#define FIGURE(name, formula)                                                                                          \
    static double name(const graph_distance *d) {                                                                      \
        return formula;                                                                                                \
    }
FIGURE(shd, (double)d->shd)
FIGURE(shd_fu, (double)d->shd_fu)
FIGURE(shd_extended, (double)d->shd_extended)
FIGURE(shd_skeleton, (double)d->shd_skeleton)
FIGURE(shd_raw, (double)d->shd_raw)
FIGURE(missing_edges, (double)d->fn)
FIGURE(extra_edges, (double)d->fp)
FIGURE(misoriented_edges, (double)d->misoriented)
FIGURE(edge_errors, (double)(d->fp + d->fn))
FIGURE(true_edges_found, (double)d->tp)
FIGURE(precision, d->tp + d->fp > 0 ? (double)d->tp / (double)(d->tp + d->fp) : 0)
FIGURE(recall, ratio((double)d->tp, (double)d->true_edges))
FIGURE(f1, ratio(2 * (double)d->tp, (double)(2 * d->tp + d->fp + d->fn)))
FIGURE(specificity, ratio(d->tn, d->tn + (double)d->fp))
FIGURE(distance_perfect, hypot(1 - recall(d), 1 - specificity(d)))
FIGURE(distance_origin, hypot(precision(d), recall(d)))
FIGURE(extra_ratio, ratio((double)d->fp, (double)d->true_edges))
FIGURE(missing_ratio, ratio((double)d->fn, (double)d->true_edges))
#undef FIGURE

#define ERRORS .unit = "edges", .less_is_better = true, .needs_truth = true
#define SHARE .unit = "", .needs_truth = true

const metric_info metrics_of_graphs[] = {
    {.name = "edges",
     .summary = "edges of the learned graph",
     .unit = "edges",
     .less_is_better = true,
     .has_no_best = true},
    {.name = "shd",
     .summary = "structural Hamming distance, a DAG as its CPDAG, a PDAG as it is (Tsamardinos et al. 2006)",
     ERRORS,
     .needs_directions = true,
     .of_distance = shd},
    {.name = "shd_fu",
     .summary = "shd, where a directed edge extra or missing costs 2 (Fu 2005)",
     ERRORS,
     .needs_directions = true,
     .of_distance = shd_fu},
    {.name = "shd_extended",
     .summary = "shd, a PDAG as the CPDAG of its extension where it has one (bnlearn)",
     ERRORS,
     .needs_directions = true,
     .of_distance = shd_extended},
    {.name = "shd_skeleton",
     .summary = "edges extra or missing (Vandel et al. 2012)",
     ERRORS,
     .of_distance = shd_skeleton},
    {.name = "shd_raw",
     .summary = "structural Hamming distance of the graphs as they are",
     ERRORS,
     .needs_directions = true,
     .of_distance = shd_raw},
    {.name = "missing_edges",
     .summary = "true edges that were not found",
     ERRORS,
     .published = "errors_omission_missing",
     .of_distance = missing_edges},
    {.name = "extra_edges",
     .summary = "edges found that are not there",
     ERRORS,
     .published = "errors_commission_extra",
     .of_distance = extra_edges},
    {.name = "misoriented_edges",
     .summary = "edges found with another direction, on the graphs that shd compares",
     ERRORS,
     .needs_directions = true,
     .of_distance = misoriented_edges},
    {.name = "edge_errors",
     .summary = "edges extra and missing together",
     ERRORS,
     .published = "errors_total",
     .of_distance = edge_errors},
    {.name = "true_edges_found",
     .summary = "true edges that were found",
     .unit = "edges",
     .needs_truth = true,
     .of_distance = true_edges_found},
    {.name = "precision",
     .summary = "edges found that are true, as a share of those found",
     SHARE,
     .of_distance = precision},
    {.name = "recall",
     .summary = "edges found that are true, as a share of the true ones",
     SHARE,
     .of_distance = recall},
    {.name = "f1", .summary = "harmonic mean of precision and recall", SHARE, .of_distance = f1},
    {.name = "specificity",
     .summary = "pairs rightly left apart, as a share of those apart",
     SHARE,
     .of_distance = specificity},
    {.name = "distance_perfect",
     .summary = "distance to perfect sensitivity and specificity (Tsamardinos et al. 2003)",
     SHARE,
     .less_is_better = true,
     .of_distance = distance_perfect},
    {.name = "distance_origin",
     .summary = "distance of (precision, recall) to the origin (Vandel et al. 2012)",
     SHARE,
     .of_distance = distance_origin},
    {.name = "extra_ratio",
     .summary = "extra edges as a share of the true ones (Fu 2005)",
     SHARE,
     .less_is_better = true,
     .of_distance = extra_ratio},
    {.name = "missing_ratio",
     .summary = "missing edges as a share of the true ones (Fu 2005)",
     SHARE,
     .less_is_better = true,
     .of_distance = missing_ratio},
    {0},
};
