/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The state of a greedy search: the graph, its local scores, and what is known of the scores of its neighbours. */
#ifndef BNB_LEARNERS_GREEDY_GREEDY_STATE_INTERNAL_H
#define BNB_LEARNERS_GREEDY_GREEDY_STATE_INTERNAL_H

#include "core/run/spin.h"
#include "learners/greedy/ancestry_internal.h"
#include "learners/greedy/arc_move.h"
#include "learners/greedy/greedy_search.h"
#include "learners/greedy/reach_history_internal.h"
#include "learners/greedy/row_heap_internal.h"
#include "learners/greedy/tabu_list_internal.h"
#include "metrics/scores/row_bounds.h"
#include "metrics/scores/single_parents.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

/** What is known of an arc x -> y: the scores of y without it, of x with y as a parent, and whether it may turn. */
typedef struct {
    double drop; /* NaN: not asked for yet */
    double back; /* the score, or an upper bound */
    bool is_back_exact;
    bool is_closed; /* it may not turn: y is no candidate of x, or there was another path, and none was lost since */
    bool is_asked;  /* its reversal has been counted since x has these parents */
} arc_scores;

static const arc_scores unknown_arc = {.drop = (double)NAN, .back = INFINITY};

/** A descendant that a row was evaluated without, and what it scores at most. */
typedef struct {
    uint32_t node;
    float most;
} missed_node;

/** Zero-initialise: any may be one. */
typedef struct {
    missed_node *nodes;
    size_t n, capacity;
    bool are_all; /* no other descendant gained enough */
} missed_nodes;

/** What is known of the additions into a node y, whose candidates are all nodes or a list of them. */
typedef struct {
    size_t n_nodes;
    const size_t *nodes;  /* ascending; NULL: every node */
    scored_parent *found; /* candidates of which the score is known, the best first */
    size_t n_found, found_capacity;
    double rest;        /* no other candidate that can be added scores more; -INFINITY: or gains enough */
    double most;        /* no candidate at all scores more */
    uint32_t begun_at;  /* when the row was looked at for the first time since y has these parents; see s->past */
    uint32_t looked_at; /* when for the last time */
    uint32_t without;   /* the descendants of when the row was evaluated without, where ancestors have rows */
    missed_nodes missed;
    uint32_t *reversed; /* descendants all that time, which the reversal of an arc from y has asked for */
    size_t n_reversed, reversed_capacity;
    arc_scores *arcs; /* by parent; n_arcs: none is known */
    size_t n_arcs, arcs_capacity;
    unsigned char depth; /* how many of the best were looked for */
    bool was_looked_at;  /* since y has these parents */
    bool is_evaluated;   /* `found` and `rest` are */
    bool is_stale;       /* what may be added has changed since the row was looked at */
    bool has_stale_arcs; /* the same of the arcs into the node */
} candidate_row;

typedef struct greedy_ahead greedy_ahead;
typedef struct greedy_counts greedy_counts;

typedef struct {
    const greedy_search_plan *plan;
    run_context *ctx;
    const dataset *data;
    size_t n;
    double least;                 /* a move must gain more */
    score *scorer, *own_scorer;   /* the second is NULL where the plan lends one */
    pair_tables *tables;          /* NULL where no row is long, or the score is no sum over a table */
    struct column_blocks *blocks; /* of all columns, where there are no lanes and these pay */
    lane_columns *lanes;          /* of the tables; NULL where rows are not of all columns, or lanes do not pay */
    struct greedy_worker *worker; /* this thread's */
    crew *threads;                /* for all that is shared; NULL: one thread does it */
    greedy_ahead *ahead;          /* the others; NULL: there are none */
    pthread_mutex_t *graph_lock;  /* of `current`, for the others; NULL: there are none */
    dag *current, *best;          /* the second at the end of the search */
    arc_move *after_best;         /* with a TABU list: the moves that were made since the graph was the best */
    size_t n_after_best, after_best_capacity;
    ancestry *above;
    supports *supports;  /* of `current`, with the lock of the graph; NULL where ancestors have rows */
    reach_history *past; /* what was a descendant of which node, and when */
    tabu_list *tabu;
    candidate_row *rows;
    greedy_counts *counts;
    double *now;                      /* local score of each node with its present parents */
    row_heap additions;               /* by head: no legal addition into it gains more */
    row_heap arcs;                    /* by head: no deletion or legal reversal of an arc into it does */
    size_t *stale, n_stale;           /* rows with is_stale */
    size_t *stale_arcs, n_stale_arcs; /* rows with has_stale_arcs */
    size_t *visited, n_visited;       /* scratch of a scan: rows, and their keys */
    double *visited_keys;
    size_t *nodes;              /* scratch: a list of nodes */
    uint32_t *marks, mark;      /* scratch: a node is marked where its entry is `mark` */
    size_t *lists;              /* what the rows' `nodes` point into */
    size_t n_kinds;             /* different state counts */
    size_t *kind, *kind_states; /* of a node; of a kind */
    bool is_expired;
} greedy_state;

/** The rows, their memory, and the kinds; `s` has its plan, data and n. */
BNB_MUST_CHECK status greedy_rows_init(greedy_state *s, error_info *err);
void greedy_rows_clear(greedy_state *s);

/** Makes the lanes where they pay: a parallel_work of a greedy_state, done by worker 0 alone or by worker 1 among
 * others. Only what comes after the start needs them. */
BNB_MUST_CHECK status greedy_make_lanes(void *self, size_t worker, error_info *err);

/** Makes s->worker; after the lanes. */
BNB_MUST_CHECK status greedy_rows_init_worker(greedy_state *s, error_info *err);

/** True if x is a candidate of y. */
bool greedy_is_candidate(const greedy_state *s, size_t y, size_t x);

/** Of all rows at once, where the graph has no arcs and that can be done: as if each had been evaluated. */
BNB_MUST_CHECK status greedy_survey(greedy_state *s, error_info *err);

/** Makes right which additions into y have been asked for, and a ceiling for them. */
BNB_MUST_CHECK status greedy_look_at_row(greedy_state *s, size_t y, error_info *err);

/** Finds the best candidates of row y: the more the more often it is called. Stops at the deadline, with is_expired. */
BNB_MUST_CHECK status greedy_evaluate_row(greedy_state *s, size_t y, error_info *err);

/** Of the counts; `s` has its n. */
BNB_MUST_CHECK status greedy_counts_init(greedy_state *s, error_info *err);
void greedy_counts_clear(greedy_state *s);

/** Counts the additions of row y that were asked for; to be called before the parents of y change. Some come into the
 * tally late. */
BNB_MUST_CHECK status greedy_count_row(greedy_state *s, size_t y, error_info *err);

/** Counts all rows at the end of a search. What is late is counted by the end of greedy_count_end, by other threads
 * from now on, and the graph, its history and the scorer stay as they are. Nobody is ahead of the search. */
BNB_MUST_CHECK status greedy_count_rest(greedy_state *s, error_info *err);
void greedy_count_end(greedy_state *s);

/** Forgets the scores of row y: x was toggled among the parents of its node; SIZE_MAX: all are new. */
void greedy_forget_row(greedy_state *s, size_t y, size_t x);

/** What may be added into y has changed; or what may be done to the arcs into it. */
void greedy_touch_row(greedy_state *s, size_t y);
void greedy_touch_arcs(greedy_state *s, size_t y);

/** There is no path from x to z any more: arcs into z from parents of x may turn that could not before. */
void greedy_open_arcs(greedy_state *s, size_t x, size_t z);

/** x has lost a child, by which it may have reached another child, y. */
void greedy_open_arc(greedy_state *s, size_t x, size_t y);

/** The scores of the arcs into y, one a parent: all NaN, or bounds, where they are not known. */
BNB_MUST_CHECK status greedy_arcs_of(greedy_state *s, size_t y, arc_scores **out, error_info *err);

/** The score of y with one parent more, counted anew and not in the tally. */
BNB_MUST_CHECK status greedy_score_fresh(greedy_state *s, size_t y, size_t x, double *out, error_info *err);

/** The score of y with a candidate toggled that is no parent, and that of y without a parent. */
BNB_MUST_CHECK status greedy_score_with(greedy_state *s, size_t y, size_t x, double *out, error_info *err);
BNB_MUST_CHECK status greedy_score_without(greedy_state *s, size_t y, size_t x, double *out, error_info *err);

/** The best legal move that gains more than s->least, ties within the tolerance broken by (kind, from, to). */
BNB_MUST_CHECK status greedy_find_move(greedy_state *s, bool *found, arc_move *out, error_info *err);

/** Takes what another thread knows of row y; `waits`: also where it is about to know it. False into `*is_known`:
 * nothing. */
BNB_MUST_CHECK status greedy_take_answer(greedy_state *s, size_t y, bool waits, bool *is_known, error_info *err);

/** The graph changes between these two only; any thread may ask it there. */
static inline void greedy_lock_graph(const greedy_state *s) {
    if (s->graph_lock)
        spin_lock(s->graph_lock);
}

static inline void greedy_unlock_graph(const greedy_state *s) {
    if (s->graph_lock)
        (void)pthread_mutex_unlock(s->graph_lock);
}

/** The marks of nodes, one set at a time. */
static inline void greedy_clear_marks(greedy_state *s) {
    if (++s->mark == 0) {
        memset(s->marks, 0, s->n * sizeof *s->marks);
        s->mark = 1;
    }
}

static inline bool greedy_is_marked(const greedy_state *s, size_t x) {
    return s->marks[x] == s->mark;
}

static inline void greedy_mark(greedy_state *s, size_t x) {
    s->marks[x] = s->mark;
}

static inline void greedy_unmark(greedy_state *s, size_t x) {
    s->marks[x] = s->mark - 1;
}

static inline bool greedy_scores_more(const scored_parent *a, const scored_parent *b) {
    return a->with != b->with ? a->with > b->with : a->node < b->node;
}

/** True if y may have no more parents. */
static inline bool greedy_is_full(const greedy_state *s, size_t y) {
    int most = s->plan->options.max_parents;
    size_t n_parents;
    (void)dag_parents(s->current, y, &n_parents);
    return most >= 0 && n_parents >= (size_t)most;
}

/** A candidate's note: from when a path was found until it is lost; else the time at which there was none. */
#define GREEDY_CLOSES UINT32_MAX

/** True if a candidate that was found for row y closes a cycle. What is asked again before it may have changed is not
 * looked for again. */
static inline bool greedy_closes_cycle(const greedy_state *s, size_t y, scored_parent *candidate) {
    uint32_t now = reach_history_now(s->past);
    if (candidate->note == GREEDY_CLOSES || candidate->note == now)
        return candidate->note == GREEDY_CLOSES;
    candidate->note = ancestry_reaches(s->above, y, candidate->node) ? GREEDY_CLOSES : now;
    return candidate->note == GREEDY_CLOSES;
}

/** The candidate found for row y; NULL: it is not among them. */
static inline scored_parent *greedy_find_candidate(const greedy_state *s, size_t y, size_t x) {
    const candidate_row *row = &s->rows[y];
    size_t i = 0;
    while (i < row->n_found && row->found[i].node != x)
        i++;
    return i < row->n_found ? &row->found[i] : NULL;
}

/** An upper bound of what any candidate of row y gains; NaN where y has no density. */
static inline double greedy_rest_gain(const greedy_state *s, size_t y) {
    return s->rows[y].rest - s->now[y];
}

#endif
