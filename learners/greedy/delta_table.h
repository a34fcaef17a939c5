/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A DAG that changes by single arcs, and the gains of all its legal single-arc changes. What a change of the DAG leaves
 * as it was is neither asked of the score again nor looked at again: of the additions, the best of each head is kept
 * until its parents or what is forbidden change or more become legal.
 * The threads of the run context score the additions of a refresh side by side, where the score has twins; gains, their
 * order and the counters are those of one thread.
 */
#ifndef BNB_LEARNERS_GREEDY_DELTA_TABLE_H
#define BNB_LEARNERS_GREEDY_DELTA_TABLE_H

#include "core/graph/dag.h"
#include "core/run/run_context.h"
#include "learners/greedy/ancestry_internal.h"
#include "learners/greedy/arc_move.h"
#include "learners/greedy/toggled_scores.h"

#include <stdint.h>

/**
 * Called for every legal move when it is examined, with the two halves of its gain: of the deletion (0 for an addition)
 * and of the addition (0 for a deletion). By one thread, in the same order whatever the number of threads.
 */
typedef struct {
    void *context; /* NULL and NULL for none */
    status (*examine)(void *context, const arc_move *m, double d_delete, double d_add, error_info *err);
} delta_rule;

/** The moves that change arcs into a head: additions from lower and from higher nodes; deletions and reversals. */
enum { FROM_LOWER, FROM_HIGHER, N_HALVES, OF_ARCS = N_HALVES, N_PARTS };

/**
 * A best legal move of a part: its gain, -INFINITY without one, NaN while it is to be found; and which one it is. It
 * may close a cycle by now: then no legal one of the part gains more.
 */
typedef struct {
    double gain;
    size_t from;
    bool is_reversal;
} best_move;

typedef struct {
    size_t from, to, before; /* the one before it into `to`, as in delta_table.last_allowed */
} allowed_arc;

typedef struct {
    size_t n, n_words;
    run_context *ctx;
    int max_parents;       /* -1: no limit */
    bool keeps_directions; /* arcs are added and deleted alone; to be set before the first refresh */
    delta_rule rule;
    dag *graph;
    ancestry *above;
    supports *supports; /* NULL where the ancestry has rows */
    double *now;        /* local score of each node with its present parents */
    toggled_scores scores;
    best_move *best[N_PARTS];        /* by head */
    bool *is_nearly_known[N_HALVES]; /* by head, of additions that are to be looked at: such as are legal were, and were
                                       looked at, when the last best was found, but for what is new (below) */
    double *top[N_PARTS];            /* by group of heads: the best gain among those that are known */
    bool *is_stale[N_PARTS];         /* by group of heads: one of them is to be looked at, and `top` is out of date */
    size_t n_groups;
    uint64_t *forbidden;  /* row y: bit x where x -> y must not be added */
    allowed_arc *allowed; /* since the last refresh; some may be forbidden again */
    size_t n_allowed, allowed_capacity;
    size_t *last_allowed;    /* by head: the place behind the last of these; 0: there is none */
    uint64_t *reaching_less; /* bits: who lost a path, by arcs that went since the last refresh */
    uint64_t *less_reached;  /* bits: to whom */
    arc_move *taken;         /* deletions and reversals that were taken off */
    size_t n_taken, taken_capacity;
    bool *lacks_scores; /* where other threads find scores beforehand, by head: of most additions nothing is known */
    size_t foreseen;    /* the first group behind those whose heads are foreseen; their part counts first */
    size_t *legal;      /* scratch: candidates of a half */
    double *with;       /* scratch: the head's score with each of them; NaN: not known */
    bool is_expired;
} delta_table;

typedef struct {
    int max_parents;     /* -1: no limit */
    bool is_sparse;      /* as of toggled_scores_init */
    bool searches_paths; /* as of more than ANCESTRY_MAX_BESIDE_SUPPORTS nodes */
} delta_form;

/** The graph without arcs on n nodes; nothing forbidden. `t` is zero before; delta_table_clear in any case. */
BNB_MUST_CHECK status delta_table_init(delta_table *t, size_t n, const local_scorer *scorer, const delta_form *form,
                                       run_context *ctx, error_info *err);
void delta_table_clear(delta_table *t);

/**
 * As the first refresh with a rule that forbids both directions of a pair where an addition loses: the gains of x -> y
 * with x < y are found by a survey of all pairs, those that lose are forbidden, and no gain is kept. Right after
 * delta_table_init; false into `*is_done`, and nothing has changed, where the score or the number of nodes does not
 * call for it.
 */
BNB_MUST_CHECK status delta_table_survey(delta_table *t, bool *is_done, error_info *err);

/**
 * Makes all gains known: first of the additions x -> y with x < y, then of those with x > y, then of deletions and
 * reversals. The rule is called for each addition that has become legal or whose gain changed, and for each deletion
 * and reversal of a head where something changed. Sets is_expired when the deadline passes, and stops there.
 */
BNB_MUST_CHECK status delta_table_refresh(delta_table *t, error_info *err);

/**
 * After a refresh: the best move that gains more than `least`, ties within SCORE_TOLERANCE by order. False into
 * `*is_any`: there is none, or the deadline has passed, which sets is_expired. Additions and reversals that close a
 * cycle by now give way to the next best of their part; the rule may be called again for arcs beside such a reversal.
 */
BNB_MUST_CHECK status delta_table_best(delta_table *t, double least, arc_move *out, bool *is_any, error_info *err);

/** Changes the graph. The move is legal. */
BNB_MUST_CHECK status delta_table_apply(delta_table *t, const arc_move *m, error_info *err);

bool delta_table_is_forbidden(const delta_table *t, size_t from, size_t to);

/** These bar or allow one direction alone; the next refresh, or choice, finds what that makes impossible, or possible.
 */
void delta_table_forbid(delta_table *t, size_t from, size_t to);
BNB_MUST_CHECK status delta_table_allow(delta_table *t, size_t from, size_t to, error_info *err);

/** Nothing is forbidden, everything is looked at again; scores are kept. */
void delta_table_allow_all(delta_table *t);

/** From the next refresh on the move is not there, until all are put back. An addition counts as forbidden. */
BNB_MUST_CHECK status delta_table_take_off(delta_table *t, const arc_move *m, error_info *err);
BNB_MUST_CHECK status delta_table_put_back(delta_table *t, const arc_move *moves, size_t n, error_info *err);

/** The best moves of one part, by head, become what they were before changes that have been undone since. */
void delta_table_restore_best(delta_table *t, size_t part, const best_move *best);

/** The sum of the local scores. */
double delta_table_score(const delta_table *t);

#endif
