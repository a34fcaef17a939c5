/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A plain second implementation of searches by single arcs: small graphs as parent sets, every move tried in turn. */
#ifndef BNB_TESTS_LEARNERS_MOVE_REFERENCE_H
#define BNB_TESTS_LEARNERS_MOVE_REFERENCE_H

#include "tests/support/score_tables.h"

typedef struct {
    size_t n;
    unsigned parents[TABLE_NODES];
} small_graph;

static inline bool small_has(const small_graph *g, size_t x, size_t y) {
    return g->parents[y] >> x & 1u;
}

static inline bool small_adjacent(const small_graph *g, size_t x, size_t y) {
    return small_has(g, x, y) || small_has(g, y, x);
}

static inline bool small_reaches(const small_graph *g, size_t x, size_t y) {
    if (x == y)
        return true;
    for (size_t z = 0; z < g->n; z++) {
        if (small_has(g, x, z) && small_reaches(g, z, y))
            return true;
    }
    return false;
}

static inline void small_apply(small_graph *g, const arc_move *m) {
    g->parents[m->to] ^= 1u << m->from;
    if (m->kind == ARC_REVERSE)
        g->parents[m->from] ^= 1u << m->to;
}

/** Within the graph: an addition and a reversal close no cycle, and no node has more than `most` parents (< 0: any). */
static inline bool small_is_legal(const small_graph *g, const arc_move *m, int most) {
    small_graph after = *g;
    size_t head = m->kind == ARC_REVERSE ? m->from : m->to, tail = m->kind == ARC_REVERSE ? m->to : m->from;
    if (m->from == m->to || small_has(g, m->from, m->to) == (m->kind == ARC_ADD))
        return false;
    if (m->kind == ARC_DELETE)
        return true;
    small_apply(&after, m);
    if (most >= 0 && __builtin_popcount(after.parents[head]) > most)
        return false;
    after.parents[head] &= ~(1u << tail);
    return !small_reaches(&after, head, tail);
}

static inline double small_toggle_gain(const small_graph *g, score_table *t, size_t x, size_t y) {
    return score_table_ask(t, y, g->parents[y] ^ 1u << x) - score_table_ask(t, y, g->parents[y]);
}

/** Both halves of the gain. */
static inline void small_gain(const small_graph *g, score_table *t, arc_move *m, double *d_delete, double *d_add) {
    *d_delete = m->kind == ARC_ADD ? 0 : small_toggle_gain(g, t, m->from, m->to);
    *d_add = m->kind == ARC_ADD       ? small_toggle_gain(g, t, m->from, m->to)
             : m->kind == ARC_REVERSE ? small_toggle_gain(g, t, m->to, m->from)
                                      : 0;
    m->gain = *d_delete + *d_add;
}

enum { SMALL_MOVES_MAX = 2 * TABLE_NODES * TABLE_NODES };

/** The first, by order, of those within the tolerance of the best; its place, or n where none gains
 * more than `least`. */
static inline size_t choose_move(const arc_move *moves, size_t n, double least) {
    double best = -INFINITY;
    size_t chosen = n;
    for (size_t i = 0; i < n; i++)
        best = fmax(best, moves[i].gain);
    for (size_t i = 0; i < n; i++) {
        if (moves[i].gain > least && moves[i].gain >= best - SCORE_TOLERANCE &&
            (chosen == n || arc_move_comes_first(&moves[i], &moves[chosen])))
            chosen = i;
    }
    return chosen;
}

static inline bool small_equals(const small_graph *small, const dag *g) {
    for (size_t y = 0; y < small->n; y++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, y, &n_parents);
        if (set_of(parents, n_parents) != small->parents[y])
            return false;
    }
    return true;
}

#endif
