/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Constrained hill climbing: a pair whose gain says "independent" is forbidden and not scored again.
 * CHC, CHC*: Gamez, Puerta 2005, LNCS 3571:161-173; iCHC, 2iCHC: Gamez, Mateo, Puerta 2011, Data Min. Knowl. Discov.
 * 22:106-148; FastCHC: the same 2012, Prog. Artif. Intell. 1:329-346.
 */
#ifndef BNB_LEARNERS_CHC_CHC_SEARCH_H
#define BNB_LEARNERS_CHC_CHC_SEARCH_H

#include "learners/greedy/delta_table.h"

/** Which passes a search makes. */
typedef enum {
    CHC_HC,       /* one, nothing forbidden: plain hill climbing */
    CHC_ONCE,     /* one */
    CHC_STAR,     /* one, then plain hill climbing from its result */
    CHC_REPEATED, /* until a pass changes nothing, each from the result of the one before: iCHC */
    CHC_TWICE,    /* two of these: 2iCHC */
    CHC_FAST      /* one, in which a change lifts what was forbidden around it: FastCHC */
} chc_variant;

/**
 * Which pairs FastCHC allows again after x -> y was added (also by a reversal), in the graph after the move. The
 * authors' listing is not available to us; A and B are the pairs around a node that has become a non-collider.
 */
typedef enum {
    CHC_RELEASE_A,    /* (y, z) for every z adjacent to x: z - x -> y */
    CHC_RELEASE_AB,   /* also (x, z) for every child z of y: x -> y -> z */
    CHC_RELEASE_ADJ,  /* A, and (x, z) for every z adjacent to y */
    CHC_RELEASE_FULL, /* AB, and after x -> y was deleted or reversed (y, z) for every z adjacent to x */
    CHC_RELEASE_HEAD  /* (y, z) for every node z, where y is any node whose parents changed, and nothing else */
} chc_release;

#define CHC_RELEASE_CHOICES "A|AB|adj|full|head"

typedef enum { CHC_MOVED, CHC_RELEASED, CHC_PASS_ENDED } chc_event_kind;

typedef struct {
    chc_event_kind kind;
    arc_move move;    /* CHC_MOVED: after it was applied */
    size_t a, b;      /* CHC_RELEASED: a pair that was forbidden */
    const dag *graph; /* as it is now; borrowed */
    size_t n_moves;   /* CHC_PASS_ENDED: of this pass */
} chc_event;

typedef struct {
    size_t n; /* nodes */
    local_scorer scorer;
    chc_variant variant;
    chc_release release;                                  /* CHC_FAST alone */
    int max_parents;                                      /* -1: no limit */
    void (*watch)(void *context, const chc_event *event); /* NULL for none */
    void *watch_context;
    bool keeps_scores;   /* all of them, where most will be looked at again */
    bool searches_paths; /* as where there are more than ANCESTRY_MAX_BESIDE_SUPPORTS nodes */
} chc_plan;

typedef struct {
    dag *graph; /* the caller destroys it */
    double score;
    size_t n_moves;    /* of all passes */
    bool is_cut_short; /* the deadline came first: the graph so far */
} chc_result;

/**
 * Searches from the graph without arcs by additions, deletions and reversals of arcs, the best first; among moves
 * within SCORE_TOLERANCE of the best the lowest (kind, from, to), additions first.
 *
 * FP(v), the nodes that may not become parents of v, is empty at the start of each pass. While moves are examined (an
 * addition in both directions from -> to with from < to first): an addition that loses, a deletion that gains, or a
 * reversal with one of these halves, puts the pair into FP of both its ends; a gain of exactly zero says nothing.
 * FP bars additions, and reversals for the arc that they add.
 */
BNB_MUST_CHECK status chc_search(const chc_plan *plan, run_context *ctx, chc_result *out, error_info *err);

#endif
