/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/distances/graph_distance.h"

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

static void fill(graph_distance *d, size_t n_nodes, pair_tally raw, pair_tally pattern) {
    double n = (double)n_nodes;
    size_t unmatched = raw.only_ours + raw.only_theirs;
    *d = (graph_distance){
        .true_edges = raw.both + raw.only_theirs,
        .tp = raw.both,
        .fp = raw.only_ours,
        .fn = raw.only_theirs,
        .tn = n * (n - 1) / 2 - (double)(raw.both + unmatched),
        .misoriented = pattern.differ,
        .shd = unmatched + pattern.differ,
        .shd_fu = unmatched + pattern.directed_alone + pattern.differ,
        .shd_skeleton = unmatched,
        .shd_raw = unmatched + raw.differ,
    };
}

status graph_distance_measure(const pdag *learned, const pdag *truth, graph_distance *out, error_info *err) {
    status st = STATUS_OK;
    pdag *ours = NULL, *theirs = NULL;

    if (pdag_node_count(learned) != pdag_node_count(truth))
        TRY(error_set(err, STATUS_INVALID, "the learned graph has %zu nodes, the true one %zu; they must be the same",
                      pdag_node_count(learned), pdag_node_count(truth)));
    TRY(pdag_pattern(learned, &ours, err));
    TRY(pdag_pattern(truth, &theirs, err));
    fill(out, pdag_node_count(truth), tally_pairs(learned, truth), tally_pairs(ours, theirs));
cleanup:
    pdag_destroy(ours);
    pdag_destroy(theirs);
    return st;
}

/* ---- figures ---- */

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : NAN;
}

static double shd(const graph_distance *d) {
    return (double)d->shd;
}

static double shd_fu(const graph_distance *d) {
    return (double)d->shd_fu;
}

static double shd_skeleton(const graph_distance *d) {
    return (double)d->shd_skeleton;
}

static double shd_raw(const graph_distance *d) {
    return (double)d->shd_raw;
}

static double missing_edges(const graph_distance *d) {
    return (double)d->fn;
}

static double extra_edges(const graph_distance *d) {
    return (double)d->fp;
}

static double misoriented_edges(const graph_distance *d) {
    return (double)d->misoriented;
}

static double edge_errors(const graph_distance *d) {
    return (double)(d->fp + d->fn);
}

static double true_edges_found(const graph_distance *d) {
    return (double)d->tp;
}

static double precision(const graph_distance *d) {
    return d->tp + d->fp > 0 ? (double)d->tp / (double)(d->tp + d->fp) : 0;
}

static double recall(const graph_distance *d) {
    return ratio((double)d->tp, (double)d->true_edges);
}

static double f1(const graph_distance *d) {
    return ratio(2 * (double)d->tp, (double)(2 * d->tp + d->fp + d->fn));
}

static double specificity(const graph_distance *d) {
    return ratio(d->tn, d->tn + (double)d->fp);
}

static double distance_perfect(const graph_distance *d) {
    return hypot(1 - recall(d), 1 - specificity(d));
}

static double distance_origin(const graph_distance *d) {
    return hypot(precision(d), recall(d));
}

static double extra_ratio(const graph_distance *d) {
    return ratio((double)d->fp, (double)d->true_edges);
}

static double missing_ratio(const graph_distance *d) {
    return ratio((double)d->fn, (double)d->true_edges);
}

static const graph_metric metrics[] = {
    {"shd", "structural Hamming distance of the CPDAGs (Tsamardinos, Brown, Aliferis 2006)", true, shd},
    {"shd_fu", "the same, a directed edge that is extra or missing counts 2 (Fu 2005)", true, shd_fu},
    {"shd_skeleton", "edges that are extra or missing, whatever their direction (Vandel et al. 2012)", true,
     shd_skeleton},
    {"shd_raw", "structural Hamming distance of the graphs as they are", true, shd_raw},
    {"missing_edges", "edges of the true graph that were not learned", true, missing_edges},
    {"extra_edges", "learned edges that the true graph does not have", true, extra_edges},
    {"misoriented_edges", "edges of both graphs with another direction in the CPDAGs", true, misoriented_edges},
    {"edge_errors", "extra and missing edges together (Brown, Tsamardinos, Aliferis 2005)", true, edge_errors},
    {"true_edges_found", "learned edges that the true graph has", false, true_edges_found},
    {"precision", "share of the learned edges that are true, 0 to 1; 0 where none was learned", false, precision},
    {"recall", "share of the true edges that were learned, 0 to 1", false, recall},
    {"f1", "harmonic mean of precision and recall, 0 to 1", false, f1},
    {"specificity", "share of the pairs without a true edge that were left without, 0 to 1", false, specificity},
    {"distance_perfect", "distance from recall = specificity = 1, 0 to 1.414 (Tsamardinos et al. 2003)", true,
     distance_perfect},
    {"distance_origin", "distance from precision = recall = 0, 0 to 1.414 (Vandel et al. 2012)", false,
     distance_origin},
    {"extra_ratio", "extra edges by true edges (Fu 2005)", true, extra_ratio},
    {"missing_ratio", "missing edges by true edges, 0 to 1 (Fu 2005)", true, missing_ratio},
};

size_t graph_metric_count(void) {
    return sizeof metrics / sizeof *metrics;
}

const graph_metric *graph_metric_at(size_t i) {
    return &metrics[i];
}
