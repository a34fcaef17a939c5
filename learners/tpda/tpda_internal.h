/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The parts of TPDA: how two nodes are separated, and how what separated them orients the graph. */
#ifndef BNB_LEARNERS_TPDA_TPDA_INTERNAL_H
#define BNB_LEARNERS_TPDA_TPDA_INTERNAL_H

#include "learners/tpda/path_finder_internal.h"
#include "learners/tpda/tpda_foresight_internal.h"
#include "learners/tpda/tpda_search.h"

/** A pair, x < y, whose information exceeds the threshold. */
typedef struct {
    size_t x, y;
    double information;
    bool is_edge, is_separated;
    size_t *cut; /* what separated it, where it is separated; owned */
    size_t n_cut;
} tpda_pair;

/** The order by x, then y, of two tpda_pairs. */
int tpda_pair_compare(const void *p, const void *q);

/** A search for separating sets in a graph that others change between calls. */
typedef struct {
    const information_source *source;
    const tpda_rules *rules;
    run_context *ctx;
    const pdag *g;
    size_t n;
    path_finder *paths;
    tpda_foresight foresight;     /* of the pair at hand */
    const bool *is_between;       /* the pair at hand */
    size_t *near_x, *near_y;      /* neighbours between x and y; n entries each, as the rest */
    size_t *around_x, *around_y;  /* the same with their neighbours */
    size_t *set, *trial, *chosen; /* scratch */
    bool *mark;
} tpda_separator;

BNB_MUST_CHECK status tpda_separator_init(tpda_separator *s, error_info *err);
void tpda_separator_clear(tpda_separator *s);

/**
 * EdgeNeeded_H, EdgeNeeded and EdgeNeeded* of the paper: sets pair->is_separated and the cut where a set of nodes
 * between the two brings their information below the threshold. At the deadline the third gives up.
 */
BNB_MUST_CHECK status tpda_separate_heuristically(tpda_separator *s, tpda_pair *pair, error_info *err);
BNB_MUST_CHECK status tpda_separate_monotonely(tpda_separator *s, tpda_pair *pair, error_info *err);
BNB_MUST_CHECK status tpda_separate_exhaustively(tpda_separator *s, tpda_pair *pair, error_info *err);

/** Orients g by the cuts of its pairs (sorted by x, then y); a pair that is not among them was independent from the
 * start. An edge once oriented is never turned. */
BNB_MUST_CHECK status tpda_orient(pdag *g, const tpda_pair *pairs, size_t n_pairs, error_info *err);

#endif
