/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A change of a DAG by one arc. */
#ifndef BNB_LEARNERS_GREEDY_ARC_MOVE_H
#define BNB_LEARNERS_GREEDY_ARC_MOVE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { ARC_ADD, ARC_DELETE, ARC_REVERSE } arc_move_kind;

typedef struct {
    arc_move_kind kind;
    size_t from, to; /* before the move */
    double gain;
} arc_move;

/** The order in which equal gains are broken: additions before deletions before reversals, then from, then to. */
static inline bool arc_move_comes_first(const arc_move *a, const arc_move *b) {
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->from != b->from ? a->from < b->from : a->to < b->to;
}

#endif
