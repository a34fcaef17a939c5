/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/distances/region_distance.h"

#include "metrics/distances/metric.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { FAR = UINT8_MAX };

/* The variables within some steps of a target: the steps of each, and the variables in the order of their steps. */
typedef struct {
    uint8_t *steps; /* FAR where not reached */
    size_t *order;
    size_t n_reached;
} walk;

typedef struct {
    const region_lists *found;
    const pdag *truth;
    walk by_lists, by_truth;
} comparison;

/* What one target gives at one depth. */
typedef struct {
    double area, in_area, outside; /* edges of A(T, d); of the region, in it and not */
} tally;

static void start_walk(walk *w, size_t target) {
    for (size_t i = 0; i < w->n_reached; i++)
        w->steps[w->order[i]] = FAR;
    w->steps[target] = 0;
    w->order[0] = target;
    w->n_reached = 1;
}

static void reach(walk *w, size_t node, uint8_t steps) {
    if (w->steps[node] != FAR)
        return;
    w->steps[node] = steps;
    w->order[w->n_reached++] = node;
}

static void walk_lists(comparison *c, size_t target) {
    walk *w = &c->by_lists;
    start_walk(w, target);
    for (size_t i = 0; i < w->n_reached && w->steps[w->order[i]] < REGION_DEPTHS; i++) {
        size_t v = w->order[i];
        for (size_t k = c->found->starts[v]; k < c->found->starts[v + 1]; k++)
            reach(w, c->found->members[k], (uint8_t)(w->steps[v] + 1));
    }
}

static void walk_truth(comparison *c, size_t target) {
    walk *w = &c->by_truth;
    start_walk(w, target);
    for (size_t i = 0; i < w->n_reached && w->steps[w->order[i]] < REGION_DEPTHS; i++) {
        size_t v = w->order[i], n;
        const pdag_edge *edges = pdag_edges(c->truth, v, &n);
        for (size_t k = 0; k < n; k++)
            reach(w, edges[k].node, (uint8_t)(w->steps[v] + 1));
    }
}

static uint8_t nearer(const walk *w, size_t a, size_t b) {
    return w->steps[a] < w->steps[b] ? w->steps[a] : w->steps[b];
}

/* Each edge at the end that was reached first. */
static void tally_area(const comparison *c, tally *tallies) {
    const walk *w = &c->by_truth;
    for (size_t i = 0; i < w->n_reached && w->steps[w->order[i]] < REGION_DEPTHS; i++) {
        size_t v = w->order[i], n;
        const pdag_edge *edges = pdag_edges(c->truth, v, &n);
        for (size_t k = 0; k < n; k++) {
            size_t other = edges[k].node;
            bool is_first = w->steps[other] > w->steps[v] || (w->steps[other] == w->steps[v] && other > v);
            for (size_t d = (size_t)w->steps[v] + 1; is_first && d <= REGION_DEPTHS; d++)
                tallies[d - 1].area++; /* an edge whose nearer end is s steps away belongs to the depths past s */
        }
    }
}

static bool lists_have(const region_lists *found, size_t v, size_t member) {
    for (size_t k = found->starts[v]; k < found->starts[v + 1]; k++) {
        if (found->members[k] == member)
            return true;
    }
    return false;
}

/* An edge enters the region with the first of its ends that is expanded and has the other in its list. */
static bool is_entry(const comparison *c, size_t v, size_t other) {
    const walk *w = &c->by_lists;
    bool other_is_earlier = w->steps[other] < w->steps[v] || (w->steps[other] == w->steps[v] && other < v);
    return !(other_is_earlier && lists_have(c->found, other, v));
}

static void tally_region(const comparison *c, tally *tallies) {
    const walk *w = &c->by_lists;
    for (size_t i = 0; i < w->n_reached && w->steps[w->order[i]] < REGION_DEPTHS; i++) {
        size_t v = w->order[i];
        for (size_t k = c->found->starts[v]; k < c->found->starts[v + 1]; k++) {
            size_t other = c->found->members[k];
            bool is_true = pdag_edge_between(c->truth, v, other) != EDGE_NONE;
            uint8_t true_steps = is_true ? nearer(&c->by_truth, v, other) : FAR;
            for (size_t d = (size_t)w->steps[v] + 1; is_entry(c, v, other) && d <= REGION_DEPTHS; d++) {
                tallies[d - 1].in_area += true_steps < d;
                tallies[d - 1].outside += true_steps >= d;
            }
        }
    }
}

static void add_target(comparison *c, size_t target, region_average *sums) {
    tally tallies[REGION_DEPTHS] = {0};
    double n = (double)c->found->n_variables, pairs = n * (n - 1) / 2;
    walk_lists(c, target);
    walk_truth(c, target);
    tally_area(c, tallies);
    tally_region(c, tallies);
    for (size_t d = 0; d < REGION_DEPTHS; d++) {
        double others = pairs - tallies[d].area;
        double sensitivity = tallies[d].in_area / tallies[d].area;
        double specificity = others > 0 ? 1 - tallies[d].outside / others : 1;
        sums[d].sensitivity += sensitivity;
        sums[d].specificity += specificity;
        sums[d].distance += hypot(1 - sensitivity, 1 - specificity);
    }
}

static status init_walk(walk *w, size_t n, error_info *err) {
    CHECK_ALLOC(w->steps = calloc(n + 1, sizeof *w->steps));
    CHECK_ALLOC(w->order = calloc(n + 1, sizeof *w->order));
    for (size_t i = 0; i < n; i++)
        w->steps[i] = FAR;
    return STATUS_OK;
}

static void clear(comparison *c) {
    free(c->by_lists.steps);
    free(c->by_lists.order);
    free(c->by_truth.steps);
    free(c->by_truth.order);
}

status region_distance_measure(const region_lists *found, const pdag *truth, region_average out[REGION_DEPTHS],
                               error_info *err) {
    AUTO(clear) comparison c = {.found = found, .truth = truth};
    region_average sums[REGION_DEPTHS] = {0};
    size_t n = found->n_variables, n_targets = 0, degree;
    if (n != pdag_node_count(truth))
        return error_set(err, STATUS_INVALID, "lists of %zu variables and a graph of %zu nodes; they must be as many",
                         n, pdag_node_count(truth));
    CHECK(init_walk(&c.by_lists, n, err));
    CHECK(init_walk(&c.by_truth, n, err));
    for (size_t target = 0; target < n; target++) {
        (void)pdag_edges(truth, target, &degree);
        if (degree == 0)
            continue;
        n_targets++;
        add_target(&c, target, sums);
    }
    for (size_t d = 0; d < REGION_DEPTHS; d++) {
        double by = n_targets ? (double)n_targets : NAN;
        out[d] = (region_average){sums[d].sensitivity / by, sums[d].specificity / by, sums[d].distance / by};
    }
    return STATUS_OK;
}

/* The three metrics of one depth, its number as text and in words. */
/* clang-format off */
#define REGION_ROWS(depth, steps)                                                                                      \
    {.name = "region_sensitivity_" depth, .unit = "", .needs_truth = true, .published = "sensitivity@" depth,          \
     .summary = "edges within " steps " of a variable that a search around it finds, as a share; mean of all "         \
                "variables"},                                                                                          \
    {.name = "region_specificity_" depth, .unit = "", .needs_truth = true, .published = "specificity@" depth,          \
     .summary = "pairs elsewhere that a search within " steps " rightly leaves apart, as a share; mean of all "        \
                "variables"},                                                                                          \
    {.name = "region_distance_" depth, .unit = "", .needs_truth = true, .published = "distance@" depth,                \
     .summary = "distance to perfect sensitivity and specificity within " steps "; mean of all variables",             \
     .less_is_better = true}
/* clang-format on */

const metric_info metrics_of_regions[] = {
    REGION_ROWS("1", "one step"),
    REGION_ROWS("2", "two steps"),
    REGION_ROWS("3", "three steps"),
    REGION_ROWS("4", "four steps"),
    {0},
};
