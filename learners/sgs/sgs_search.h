/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Stochastic greedy search: Vandel, Mangin, de Givry 2012 (PGM), Algorithms 1 and 2. Greedy searches that choose at
 * random among equally good moves, the best of several kept; moves that exchange a parent, and moves that break the
 * cycles they close by further deletions and exchanges.
 */
#ifndef BNB_LEARNERS_SGS_SGS_SEARCH_H
#define BNB_LEARNERS_SGS_SGS_SEARCH_H

#include "core/graph/dag.h"
#include "core/run/run_context.h"

/** Where scores of families come from: data, or a table in a test. */
typedef struct {
    void *self;
    /**
     * The score of x with the parents (ascending) and `extra`, or without one for FAMILY_NO_EXTRA; never NaN. Asked for
     * once a family and row, so a cache behind it is useful only across rows.
     */
    status (*family)(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                     error_info *err);
    size_t n_variables;
    /**
     * values[i]: the score of x with the parents (ascending) and node i, for all nodes at once; anything for x and the
     * parents. Workers below n_workers may ask side by side, and beside all else. NULL: each is asked for by itself.
     */
    status (*row)(void *self, size_t worker, size_t x, const size_t *parents, size_t n_parents, double *values,
                  error_info *err);
    /** What counts as asking for a row; NULL: nothing does. */
    status (*count_row)(void *self, size_t x, const size_t *parents, size_t n_parents, error_info *err);
    size_t n_workers; /* that may ask for rows side by side; 0 is 1 */
    /** Told by the run's own thread that what was counted so far belongs into the run's tally, which it alone writes;
     * nothing else is asked meanwhile. NULL: it is there at once. */
    void (*publish)(void *self);
    /**
     * For a search that knows by itself which families it has asked for: values[i], the score of x with the parents
     * (ascending) and extras[i] (ascending, or FAMILY_NO_EXTRA alone), nothing looked up, kept or counted; NAN where
     * the time is over before. NULL: each is asked for by itself.
     */
    status (*fresh)(void *self, size_t x, const size_t *parents, size_t n_parents, const size_t *extras,
                    size_t n_extras, double *values, error_info *err);
    void (*count)(void *self, uint64_t requests, uint64_t computed); /* what was had so */
    /** Told of all that it has had so, `family` goes on as if it had been asked. It can keep so many. */
    void (*keep)(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double value);
    size_t most_kept;
} family_source;

#define FAMILY_NO_EXTRA ((size_t)-1)

/** The neighbours of a graph, each with those before: SGS1, SGS2, SGS3. */
typedef enum {
    SGS_PLAIN, /* ADD, DELETE, REVERSE */
    SGS_SWAPS, /* and SWAP(x|y->z): y takes the place of x among the parents of z */
    SGS_STARS  /* ADD*, DELETE, SWAP*: with repairs where they close cycles; ADD* covers REVERSE */
} sgs_neighbourhood;

typedef struct {
    sgs_neighbourhood neighbourhood;
    size_t n_restarts;          /* at least 1 */
    size_t max_parents;         /* SIZE_MAX: no limit */
    size_t max_moves;           /* a search; SIZE_MAX: no limit */
    size_t max_operations;      /* of a move, repairs among them; 0: no limit */
    const dag *start;           /* where every search starts (borrowed); NULL: without arcs, or at random */
    bool starts_at_random;      /* two parents a node, fewer where no more can be had without a cycle */
    bool breaks_ties_at_random; /* else the lowest (kind, from, to, exchanged) is taken */
    bool prefers_short_moves;   /* of moves that tie, those of the fewest operations alone are left to choose from */
    size_t max_row_bytes;       /* rows that take more are forgotten after some searches; 0: 256 MiB */
    bool looks_everywhere; /* ADD*, SWAP* also where the first gain is below the best move known: a repair may gain */
    const size_t *const *candidates; /* the nodes that may become parents of y, ascending; NULL: all. Borrowed */
    const size_t *n_candidates;
} sgs_plan;

/** How often a move of each kind was applied. The last two needed at least one repair. */
typedef enum {
    SGS_USE_ADD,
    SGS_USE_DELETE,
    SGS_USE_REVERSE, /* also an ADD* whose one repair deletes the arc that went the other way */
    SGS_USE_SWAP,
    SGS_USE_ADD_PLUS,
    SGS_USE_SWAP_PLUS,
    SGS_N_USES
} sgs_use;

typedef struct {
    dag *graph; /* the caller destroys it */
    double score;
    bool is_cut_short;
    size_t n_searches;       /* begun */
    size_t uses[SGS_N_USES]; /* over all searches */
    size_t longest_move;     /* operations */
    size_t n_repair_deletions, n_repair_swaps;
} sgs_result;

/** Threads that search side by side, if the source has rows and a worker for each: up to sixteen of ctx->n_threads for
 * SGS_STARS where searches look everywhere and all nodes are candidates, but for a run with most_scores; else 1. A
 * thread that has no search left helps with the rows and repairs of another's. */
size_t sgs_search_threads(const sgs_plan *plan, const run_context *ctx);

/**
 * The best graph of n_restarts greedy searches. A move must gain more than SCORE_TOLERANCE, and moves whose gains lie
 * within it tie; two moves that lead to the same graph count as one. At the deadline the best graph so far. The first
 * search draws from ctx->random, each further one from a stream of its own. Searches run side by side as
 * sgs_search_threads says; that makes no difference to anything but what there is at a deadline. `fresh` may have
 * threads of its own.
 *
 * ctx->trace gets the series "best_score" (step: searches done; value: the best score by then) and "search_score" (of
 * each search).
 *
 * Departures from the listing of Algorithm 2: gains are compared with the tolerance; of several shortest cycles the one
 * is taken that comes first when arcs are tried in the order in which the move added them and paths are read backwards
 * by index; a start that is too large for max_parents is searched nevertheless, without adding to such a node.
 *
 * O(k n^2) families a search and row changed; the rows of families are kept from one search to the next.
 * @return STATUS_INVALID: `start` has another number of nodes. STATUS_MEMORY, or what the source returns.
 */
BNB_MUST_CHECK status sgs_search(const family_source *source, const sgs_plan *plan, run_context *ctx, sgs_result *out,
                                 error_info *err);

/**
 * Covered v-structures: for each a -> c <- b with a, b adjacent the three v-structures on a, b, c are scored on these
 * three variables alone. If the best of them beats the three connected (or always, without `keep_if_better`), the edge
 * between its tails is removed and its two arcs are oriented, where no cycle closes and max_parents holds. In index
 * order, repeated until nothing changes. `*g` may give way to another graph. Vandel et al. 2012, section 4.1.
 */
BNB_MUST_CHECK status sgs_uncover_colliders(const family_source *source, const sgs_plan *plan, bool keep_if_better,
                                            dag **g, size_t *n_changed, error_info *err);

/** The sum of the families' scores. */
BNB_MUST_CHECK status family_score_dag(const family_source *source, const dag *g, double *out, error_info *err);

#endif
