/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/delta_parts_internal.h"

#include <stdlib.h>
#include <string.h>

static status node_of_score(void *context, size_t y, const size_t *parents, size_t n_parents, double *out,
                            error_info *err) {
    return score_node(context, y, parents, n_parents, out, err);
}

static status node_with_of_score(void *context, size_t y, const size_t *parents, size_t n_parents, size_t extra,
                                 double *out, error_info *err) {
    return score_node_with(context, y, parents, n_parents, extra, out, err);
}

local_scorer local_scorer_of(score *s) {
    return (local_scorer){s, node_of_score, node_with_of_score};
}

bool arc_move_comes_first(const arc_move *a, const arc_move *b) {
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->from != b->from ? a->from < b->from : a->to < b->to;
}

/* --- life --- */

void delta_table_clear(delta_table *t) {
    dag_destroy(t->graph);
    ancestry_destroy(t->above);
    free(t->now);
    free(t->with);
    for (size_t part = 0; part < N_PARTS; part++)
        free(t->best[part]);
    free(t->parents);
    free(t->forbidden);
    free(t->taken);
    free(t->scratch);
    *t = (delta_table){0};
}

static void look_again_at_additions(delta_table *t, size_t y) {
    look_again(t, FROM_LOWER, y);
    look_again(t, FROM_HIGHER, y);
}

static void forget_row(delta_table *t, size_t y) {
    for (size_t x = 0; x < t->n; x++)
        t->with[y * t->n + x] = (double)NAN;
    look_again_at_additions(t, y);
    look_again(t, OF_ARCS, y);
}

status delta_table_init(delta_table *t, size_t n, const local_scorer *scorer, int max_parents, run_context *ctx,
                        error_info *err) {
    size_t cells;
    *t = (delta_table){.n = n, .n_words = (n + 63) / 64, .scorer = *scorer, .max_parents = max_parents, .ctx = ctx};
    if (__builtin_mul_overflow(n, n, &cells))
        return error_out_of_memory(err);
    CHECK(dag_create(n, &t->graph, err));
    CHECK(ancestry_create(t->graph, &t->above, err));
    CHECK_ALLOC(t->now = calloc(n + 1, sizeof *t->now));
    CHECK_ALLOC(t->with = calloc(cells + 1, sizeof *t->with));
    for (size_t part = 0; part < N_PARTS; part++)
        CHECK_ALLOC(t->best[part] = calloc(n + 1, sizeof *t->best[part]));
    CHECK_ALLOC(t->parents = calloc(n * t->n_words + 1, sizeof *t->parents));
    CHECK_ALLOC(t->forbidden = calloc(n * t->n_words + 1, sizeof *t->forbidden));
    CHECK_ALLOC(t->scratch = calloc(n + 1, sizeof *t->scratch));
    for (size_t y = 0; y < n; y++) {
        forget_row(t, y);
        t->best[OF_ARCS][y] = NO_BEST_MOVE;
        CHECK(scorer->node(scorer->context, y, NULL, 0, &t->now[y], err));
    }
    return STATUS_OK;
}

/* --- what is forbidden --- */

bool delta_table_is_forbidden(const delta_table *t, size_t from, size_t to) {
    return (*word_of(t, t->forbidden, from, to) & bit_of(from)) != 0;
}

/* The part of the moves that from -> to, added, is one of or a half of. */
static void find_part(const delta_table *t, size_t from, size_t to, size_t *part, size_t *head) {
    bool is_reversal = has_arc(t, to, from);
    *part = is_reversal ? OF_ARCS : from < to ? FROM_LOWER : FROM_HIGHER;
    *head = is_reversal ? from : to;
}

void delta_table_forbid(delta_table *t, size_t from, size_t to) {
    size_t part, head;
    find_part(t, from, to, &part, &head);
    *word_of(t, t->forbidden, from, to) |= bit_of(from);
    if (t->best[part][head].from == (part == OF_ARCS ? to : from) && !has_arc(t, from, to))
        look_again(t, part, head);
}

void delta_table_allow(delta_table *t, size_t from, size_t to) {
    size_t part, head;
    find_part(t, from, to, &part, &head);
    *word_of(t, t->forbidden, from, to) &= ~bit_of(from);
    look_again(t, part, head);
}

void delta_table_allow_all(delta_table *t) {
    memset(t->forbidden, 0, t->n * t->n_words * sizeof *t->forbidden);
    for (size_t y = 0; y < t->n; y++) {
        look_again_at_additions(t, y);
        look_again(t, OF_ARCS, y);
    }
}

/* --- gains --- */

static status score_without(delta_table *t, size_t y, size_t x, double *out, error_info *err) {
    size_t n_parents, n = 0;
    const size_t *parents = dag_parents(t->graph, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        if (parents[i] != x)
            t->scratch[n++] = parents[i];
    }
    return t->scorer.node(t->scorer.context, y, t->scratch, n, out, err);
}

status delta_toggle_gain(delta_table *t, size_t x, size_t y, double *gain, error_info *err) {
    double *with = &t->with[y * t->n + x];
    if (isnan(*with)) {
        size_t n_parents;
        const size_t *parents = dag_parents(t->graph, y, &n_parents);
        if (has_arc(t, x, y))
            CHECK(score_without(t, y, x, with, err));
        else
            CHECK(t->scorer.node_with(t->scorer.context, y, parents, n_parents, x, with, err));
    }
    *gain = *with - t->now[y];
    return STATUS_OK;
}

/* --- changes --- */

/* x -> y came: what would now close a cycle leads from y or below into x or above. */
static void fewer_are_legal(delta_table *t, size_t x, size_t y) {
    for (size_t v = 0; v < t->n; v++) {
        const best_move *arc = &t->best[OF_ARCS][v];
        for (size_t half = FROM_LOWER; half <= FROM_HIGHER && ancestry_reaches(t->above, v, x); half++) {
            if (is_known(t, half, v) && ancestry_reaches(t->above, y, t->best[half][v].from))
                look_again(t, half, v);
        }
        if (arc->is_reversal && ancestry_reaches(t->above, y, v) && ancestry_reaches(t->above, arc->from, x))
            look_again(t, OF_ARCS, v);
    }
}

/* x -> y went: more may be added into x and its ancestors, and more arcs reversed into y and its descendants. */
static void more_are_legal(delta_table *t, size_t x, size_t y) {
    for (size_t v = 0; v < t->n; v++) {
        if (ancestry_reaches(t->above, v, x))
            look_again_at_additions(t, v);
        if (ancestry_reaches(t->above, y, v))
            look_again(t, OF_ARCS, v);
    }
}

/* Reversing an arc from y makes y a head, whose scores are others now. */
static void look_again_at_children(delta_table *t, size_t y) {
    size_t n_children;
    const size_t *children = dag_children(t->graph, y, &n_children);
    for (size_t i = 0; i < n_children; i++)
        look_again(t, OF_ARCS, children[i]);
}

static status toggle(delta_table *t, size_t x, size_t y, error_info *err) {
    double gain;
    CHECK(delta_toggle_gain(t, x, y, &gain, err));
    t->now[y] = t->with[y * t->n + x];
    if (has_arc(t, x, y)) {
        CHECK(dag_remove_arc(t->graph, x, y, err));
        CHECK(ancestry_arc_removed(t->above, y, err));
        more_are_legal(t, x, y);
    } else {
        CHECK(dag_add_arc(t->graph, x, y, err));
        ancestry_arc_added(t->above, x, y);
        fewer_are_legal(t, x, y);
    }
    *word_of(t, t->parents, x, y) ^= bit_of(x);
    forget_row(t, y);
    look_again_at_children(t, y);
    return STATUS_OK;
}

status delta_table_apply(delta_table *t, const arc_move *m, error_info *err) {
    CHECK(toggle(t, m->from, m->to, err));
    if (m->kind == ARC_REVERSE)
        CHECK(toggle(t, m->to, m->from, err));
    return STATUS_OK;
}

double delta_table_score(const delta_table *t) {
    double sum = 0;
    for (size_t y = 0; y < t->n; y++)
        sum += t->now[y];
    return sum;
}
