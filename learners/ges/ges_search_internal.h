/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The search of GES: its state, and the scoring of the operators at a node. */
#ifndef BNB_LEARNERS_GES_GES_SEARCH_INTERNAL_H
#define BNB_LEARNERS_GES_GES_SEARCH_INTERNAL_H

#include "core/data/dataset.h"
#include "core/run/run_context.h"
#include "learners/ges/ges_arrows_internal.h"
#include "learners/ges/ges_graph_internal.h"
#include "learners/ges/ges_rows_internal.h"
#include "learners/ges/ges_scratch_internal.h"
#include "learners/ges/ges_waiting_internal.h"

typedef struct {
    score *scorer;   /* borrowed; score equivalent */
    score **helpers; /* its likes, for further threads; borrowed */
    size_t n_helpers;
    int max_parents; /* -1: no limit */
    int max_degree;  /* an insertion leaves no node with more adjacent nodes; -1: no limit */
    int max_cliques; /* past so many cliques among a node's neighbours GES_FEW_PARENTS is the limit; -1: never */
} ges_plan;

/**
 * The search looks at every clique among the neighbours of a node, and a clique of k nodes holds 2^k of them. Columns
 * that hardly vary are joined to cliques of hundreds. From the first node with more than max_cliques of them on, no
 * operator gives a node more parents than this.
 */
enum { GES_FEW_PARENTS = 5 };

/**
 * The insertions into y with one clique, the largest gain first: the heap holds the first that is left, and not some
 * hundred arrows each.
 */
typedef struct {
    ges_row *row; /* NULL: closed */
    size_t next;  /* in the row */
    uint32_t y, stamp;
    uint32_t clique; /* in `cliques` */
} ges_stream;

/** Insertions that are looked at ahead of the choice, and how many others may be taken from the heap for each. */
enum { GES_MOST_OPEN = 3, GES_MOST_IN_VAIN = 64 };

/** An arrow out of the heap. */
typedef struct {
    ges_arrow arrow;
    bool is_foreseen; /* its rows are */
    bool is_free;     /* since the last operator: no path is in its way */
} ges_candidate;

/** Zero-initialise. */
typedef struct {
    const ges_plan *plan;
    run_context *ctx;
    size_t n, n_words; /* n_words: of a set of nodes as bits */
    ges_graph graph;
    ges_arrows arrows;   /* a heap; among them stale ones */
    ges_waiting blocked; /* a semi-directed path was in the way when they were taken */
    ges_sets cliques;
    ges_rows rows;
    ges_row **first_arcs; /* by node: the gains of the first edge of a pair */
    ges_stream *streams;
    size_t n_streams, streams_capacity;
    size_t n_read;                     /* streams whose rows are filled */
    uint32_t *stamp;                   /* of a node: raised when its arrows are scored anew */
    size_t *n_arrows;                  /* of a node: with its stamp, among all that were kept */
    size_t n_stale;                    /* arrows with an earlier stamp, an upper bound */
    ges_candidate open[GES_MOST_OPEN]; /* not in the heap; all foreseen */
    size_t n_open;
    size_t n_operators; /* that were applied */
    bool is_expired;
    bool is_limited;    /* max_cliques was passed */
    const double *told; /* scores of the deletions that come now, found by another thread; NULL: nobody has */
    ges_scratch scratch;
} ges_search;

/** The graph without edges, and the gain of the first edge of every pair. */
BNB_MUST_CHECK status ges_search_init(ges_search *s, const ges_plan *plan, run_context *ctx, size_t n_nodes,
                                      error_info *err);
void ges_search_clear(ges_search *s);

/** Forward phase, then backward phase; stops at the deadline with `is_expired` and a CPDAG in `graph`. */
BNB_MUST_CHECK status ges_search_run(ges_search *s, error_info *err);

/**
 * Scores every operator of the phase that ends in one of the nodes; keeps those that gain more than SCORE_TOLERANCE.
 * A node may come more than once.
 */
BNB_MUST_CHECK status ges_score_operators(ges_search *s, ges_phase phase, const size_t *nodes, size_t n,
                                          error_info *err);

/** Its two steps: what rows of gains there must be, and the operators once these are filled. */
BNB_MUST_CHECK status ges_note_operators(ges_search *s, ges_phase phase, const size_t *nodes, size_t n,
                                         error_info *err);
BNB_MUST_CHECK status ges_keep_noted(ges_search *s, error_info *err);

/** ges_score_operators of all deletions, whose scores threads that would wait find from the last node on. */
BNB_MUST_CHECK status ges_score_all_deletions(ges_search *s, error_info *err);

/** A deletion: its Y and X; Pa(Y) and NA(Y, X) \ H are in the scratch. */
typedef status ges_visit(ges_search *s, size_t y, size_t x, error_info *err);

/** Visits the deletions into y. */
BNB_MUST_CHECK status ges_visit_deletions(ges_search *s, size_t y, ges_visit *visit, error_info *err);

/** Pa(Y) and the clique of the scratch, without one node; how many, in its family. */
size_t ges_make_family(ges_scratch *w, size_t without);

/**
 * Tells the rows what is asked for once the insertion is made: Y with its clique and X beside its parents, and X with Y
 * where the edge is the first of both and stays undirected.
 */
void ges_foresee(ges_search *s, const ges_arrow *a);

/** Puts the stream's next arrow on the heap; at its end it is closed. */
BNB_MUST_CHECK status ges_stream_advance(ges_search *s, size_t index, error_info *err);
void ges_stream_close(ges_search *s, size_t index);

/** Would a parent more, beside those of a family, be too many? */
bool ges_is_full_family(const ges_search *s, size_t n_family);

/** Has the node as many neighbours as max_degree allows? */
bool ges_is_full(const ges_search *s, size_t node);

#endif
