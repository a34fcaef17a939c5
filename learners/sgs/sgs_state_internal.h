/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the sources of the stochastic greedy search share: the graph with its rows, and moves. */
#ifndef BNB_LEARNERS_SGS_SGS_STATE_INTERNAL_H
#define BNB_LEARNERS_SGS_SGS_STATE_INTERNAL_H

#include "core/run/shared_work.h"
#include "learners/greedy/ancestry_internal.h"
#include "learners/sgs/family_scores_internal.h"

#include <stdint.h>

/** A node with its present parents. */
typedef struct {
    double now;           /* the local score */
    bool is_full;         /* no more parents */
    family_row *with;     /* one more parent */
    size_t n_parents;     /* as the graph has them, ascending */
    family_row **without; /* less the i-th, with another one */
    size_t capacity;      /* of `without` */
    bool is_scanned;      /* its legal cells are all known */
    double
        most_entered; /* of the rows, once they are full: the greatest gain of an addition or exchange, legal or not */
    double most_deleted; /* and of a deletion */
} sgs_head;

typedef struct {
    size_t from, to;
} sgs_arc;

typedef struct {
    sgs_arc *arcs;
    size_t n, capacity;
} sgs_arc_list;

typedef struct repair_memo repair_memo;

/** Repairs of ADD* and SWAP*, on a copy of the graph that may have cycles. */
typedef struct sgs_repair sgs_repair;

/** What a thread of a team works with, whosever search it is at. */
typedef struct {
    family_scores *scores; /* its way to the rows; borrowed */
    sgs_repair *repair;    /* NULL where no moves are repaired */
} sgs_member;

/** Threads of which each has searches of its own, and takes part in the steps of another's once it has none. */
typedef struct {
    shared_work work;
    sgs_member *members; /* by thread */
} sgs_team;

typedef struct {
    const family_source *source;
    const sgs_plan *plan;
    const run_context *ctx;
    random_stream random; /* of the search */
    size_t n, n_words;    /* n_words: of a set of nodes, a bit each; a multiple of SGS_SET_BLOCK */
    family_scores *scores;
    dag *g;
    ancestry *above;
    uint64_t *parent_sets, *child_sets; /* by node, where moves are repaired: n_words each */
    sgs_head *heads;
    size_t n_renewed, *renewed; /* heads of the last change, ascending */
    size_t *fewer;              /* scratch: parents less one */
    double *bounds;             /* by head: what a scan has found that no move gains more than; INFINITY: not known */
    double *arc_bounds;         /* the same of the removals and reversals of the arcs into the head; not where it looks
                                   everywhere */
    repair_memo *repairs;       /* told of every change; NULL: no moves are repaired */
    double gained;              /* by the last change */
    sgs_team *team;             /* borrowed */
    size_t worker;              /* the thread among them, from 0 */
} sgs_state;

typedef enum { SGS_ADD, SGS_DELETE, SGS_REVERSE, SGS_SWAP } sgs_kind;

/** SGS_SWAP: from takes the place of exchanged among the parents of to. */
typedef struct {
    sgs_kind kind;
    size_t from, to, exchanged;
    double gain;
    bool needs_repair;
    size_t n_operations;
    size_t n_deletions; /* of the operations after the first; the others are exchanges */
    uint64_t change;    /* equal for moves that lead to the same graph */
    size_t number;      /* of one that needs a repair, among the moves of its head */
} sgs_move;

enum { SGS_SET_BLOCK = 4 };

#define SGS_NONE ((size_t)-1)

/** Contributes an arc that appears or vanishes to a move's `change`, by exclusive or. */
uint64_t sgs_arc_hash(size_t from, size_t to);

BNB_MUST_CHECK status sgs_arcs_push(sgs_arc_list *list, sgs_arc arc, error_info *err);

/** Takes x out of a list, ascending, or puts it in where it is not; `parents` has room. */
void sgs_parents_drop(size_t *parents, size_t *n, size_t x);
void sgs_parents_add(size_t *parents, size_t *n, size_t x);

/** Zero-initialise before; clear also after an error. `worker`: of the source, as family_scores_create says. */
BNB_MUST_CHECK status sgs_state_init(sgs_state *s, family_pool *pool, size_t worker, const family_source *source,
                                     const sgs_plan *plan, const run_context *ctx, error_info *err);

/** The start graph of the plan, for a search that draws from this stream. */
BNB_MUST_CHECK status sgs_state_start(sgs_state *s, random_stream random, error_info *err);
void sgs_state_clear(sgs_state *s);

double sgs_state_score(const sgs_state *s);

/** Changes the graph, removals first, and what follows from it. The result must be acyclic. */
BNB_MUST_CHECK status sgs_state_change(sgs_state *s, const sgs_arc *removed, size_t n_removed, const sgs_arc *added,
                                       size_t n_added, error_info *err);

/** Of the graph of s, by the rows of its scores. */
BNB_MUST_CHECK status sgs_repair_create(const sgs_state *s, sgs_repair **out, error_info *err);
void sgs_repair_destroy(sgs_repair *r); /* NULL is fine */
AUTO_PTR_OF(sgs_repair, sgs_repair_destroy)

/** Goes on with the graph of another search of the same run; the way to the rows stays that of its own thread. */
void sgs_repair_turn_to(sgs_repair *r, const sgs_state *s);

/**
 * Algorithm 2 from line 3 on: `m` holds kind, arc and the first gain, which is positive. Fills gain (-INFINITY where it
 * fails), n_operations, change; `*is_reversal` where the one repair deletes the arc that goes the other way.
 */
BNB_MUST_CHECK status sgs_repair_move(sgs_repair *r, const sgs_state *s, sgs_move *m, bool *is_reversal,
                                      error_info *err);

/** What a move hung on: sets of nodes, one after the other. */
enum {
    SGS_TRAIL_NODES,         /* of cycles, and the heads of changed arcs: their parents mattered */
    SGS_TRAIL_HEADS,         /* of the arcs that it added */
    SGS_TRAIL_PARENTS_READ,  /* whose parents a search for cycles read */
    SGS_TRAIL_CHILDREN_READ, /* whose children it read */
    SGS_TRAIL_SETS
};

/**
 * The trail of the last move. An arc that vanishes would change nothing where its head is none of the nodes; and so one
 * that appears, if also the children of its tail were not read, and the parents of its head were not or none of the
 * heads reaches it.
 */
const uint64_t *sgs_repair_trail(const sgs_repair *r);

/** The arcs in which the graph of the last move differs; valid until the next call. */
BNB_MUST_CHECK status sgs_repair_difference(sgs_repair *r, const sgs_state *s, const sgs_arc **removed,
                                            size_t *n_removed, const sgs_arc **added, size_t *n_added, error_info *err);

/** Fills rows that are open, by all threads that have no search; some stay open where the time is over. */
BNB_MUST_CHECK status sgs_team_fill(sgs_state *s, family_row *const *rows, size_t n, error_info *err);

/** Completes a move of the memo's lists, which has room for its outcome: known from a former step, or repaired now. */
BNB_MUST_CHECK status sgs_team_complete_one(sgs_state *s, sgs_move *m, error_info *err);

/** The same of n moves, by all threads that have no search. Where *is_expired is set, some may not be complete. */
BNB_MUST_CHECK status sgs_team_complete(sgs_state *s, sgs_move *moves, size_t n, bool *is_expired, error_info *err);

/** The moves within the tolerance of the best. */
typedef struct {
    double best; /* at least SCORE_TOLERANCE: a move must gain more */
    size_t n, capacity;
    sgs_move *moves;
    size_t n_stars, star_capacity;
    sgs_move *stars;              /* moves to be repaired, with their first gain, or repaired, with that of all */
    size_t *cells, cell_capacity; /* scratch, and: */
    family_row **rows;            /* to be filled */
    size_t row_capacity;
    bool is_expired;
} sgs_scan;

/** Fills the list with every move that ties with the best, each graph once. */
BNB_MUST_CHECK status sgs_scan_moves(sgs_scan *scan, sgs_state *s, error_info *err);
void sgs_scan_clear(sgs_scan *scan);

#endif
