/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The state of a greedy search: the graph, its local scores, and what is known of the scores of its neighbours. */
#ifndef BNB_LEARNERS_GREEDY_GREEDY_BOUNDS_INTERNAL_H
#define BNB_LEARNERS_GREEDY_GREEDY_BOUNDS_INTERNAL_H

#include "learners/greedy/ancestry_internal.h"
#include "learners/greedy/arc_move.h"
#include "learners/greedy/greedy_search.h"
#include "learners/greedy/tabu_list_internal.h"

#include <stdint.h>

/** What is known of the score of y with a candidate toggled: nothing, an upper bound, a closer one; or the score. */
typedef enum { KNOWN_NOTHING, KNOWN_CEILING, KNOWN_BOUND, KNOWN_EXACTLY } knowledge;

/** The candidate parents of a node y and the scores with each of them toggled. */
typedef struct {
    size_t n;
    const size_t *nodes;  /* ascending; NULL: every node, position = node */
    double *with;         /* the score of y, or an upper bound */
    unsigned char *known; /* enum knowledge, and the marks below */
    bool is_stale;        /* what may be added has changed since the row was looked at */
    bool has_stale_arcs;  /* the same of the arcs into the node */
    bool is_settled;      /* the best legal addition is known, with its score: `top` */
    size_t top;
} candidate_row;

/** Asked: a plain search would have needed the score with this candidate added. Parent: as of the last look. */
enum { GREEDY_ASKED = 0x80, GREEDY_PARENT = 0x40, GREEDY_MARKS = 0xC0 };

typedef struct {
    const greedy_search_plan *plan;
    run_context *ctx;
    const dataset *data;
    size_t n;
    score *scorer, *own_scorer; /* the second is NULL where the plan lends one */
    dag *current, *best;
    ancestry *above;
    tabu_list *tabu;
    candidate_row *rows;
    double *now;         /* local score of each node with its present parents */
    double *ceiling;     /* no legal addition into the node gains more */
    double *arc_ceiling; /* no deletion or legal reversal of an arc into it does */
    size_t *visit;       /* the round in which the row was last looked at */
    size_t round;
    size_t *without;                      /* scratch: parents less one */
    size_t *asked;                        /* scratch: the candidates of a row with that mark */
    double *values;                       /* what the rows' `with` point into */
    unsigned char *knowledge;             /* ... and their `known` */
    size_t *lists;                        /* what the rows' `nodes` point into */
    size_t n_kinds;                       /* different state counts */
    size_t *kind, *kind_states;           /* of a node; of a kind */
    double *kind_ceiling, *kind_constant; /* of the row that is looked at; NaN: not yet asked for */
    bool is_expired;
} greedy_state;

/** The rows, their memory, and the kinds; `s` has its plan, data and n. */
BNB_MUST_CHECK status greedy_bounds_init(greedy_state *s, error_info *err);
void greedy_bounds_clear(greedy_state *s);

/** The position of x in the row, or the row's length where it is no candidate. */
size_t greedy_position(const candidate_row *row, size_t x);

static inline size_t greedy_node(const candidate_row *row, size_t at) {
    return row->nodes ? row->nodes[at] : at;
}

static inline knowledge greedy_known(const candidate_row *row, size_t at) {
    return (knowledge)(row->known[at] & ~GREEDY_MARKS);
}

static inline bool greedy_is_exact(const candidate_row *row, size_t at) {
    return greedy_known(row, at) == KNOWN_EXACTLY;
}

static inline void greedy_learn(candidate_row *row, size_t at, double with, knowledge how) {
    row->with[at] = with;
    row->known[at] = (unsigned char)((row->known[at] & GREEDY_MARKS) | how);
}

/** Makes known an upper bound at least of every candidate in row y that is no parent, and the ceiling of the row. */
BNB_MUST_CHECK status greedy_look_at_row(greedy_state *s, size_t y, error_info *err);

/** Counts the additions of row y that were asked for; to be called before the parents of y change. */
BNB_MUST_CHECK status greedy_count_row(greedy_state *s, size_t y, error_info *err);

/** Forgets the scores of row y: its node has other parents. */
void greedy_forget_row(greedy_state *s, size_t y);

/** The score of y with candidate `at` toggled; as all that search needs, exact. */
BNB_MUST_CHECK status greedy_toggled(greedy_state *s, size_t y, size_t at, double *out, error_info *err);

/** The best legal move that gains more than `least`, ties within the tolerance broken by (kind, from, to). */
BNB_MUST_CHECK status greedy_find_move(greedy_state *s, double least, bool *found, arc_move *out, error_info *err);

#endif
