/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/delta_parts_internal.h"

#include "core/base/array.h"

#include <stdlib.h>

static bool has_room(const delta_table *t, size_t y) {
    size_t n_parents;
    (void)dag_parents(t->graph, y, &n_parents);
    return t->max_parents < 0 || n_parents < (size_t)t->max_parents;
}

static status examine(delta_table *t, const arc_move *m, double d_delete, double d_add, error_info *err) {
    return t->rule.examine ? t->rule.examine(t->rule.context, m, d_delete, d_add, err) : STATUS_OK;
}

/* --- additions -------------------------------------------------------------------------------------------------------
 */

/* The nodes of word w that lie in that half and may become parents of y, as far as the list of the forbidden knows. */
static uint64_t candidates_in(const delta_table *t, size_t half, size_t y, size_t w) {
    uint64_t all = w + 1 < t->n_words || t->n % 64 == 0 ? UINT64_MAX : bit_of(t->n) - 1;
    uint64_t lower = w < y / 64 ? UINT64_MAX : w > y / 64 ? 0 : bit_of(y) - 1;
    uint64_t self = w == y / 64 ? bit_of(y) : 0;
    size_t at = y * t->n_words + w;
    return all & (half == FROM_LOWER ? lower : ~lower & ~self) & ~t->forbidden[at] & ~t->parents[at];
}

static bool closes_cycle(const delta_table *t, size_t x, size_t y) {
    return ancestry_reaches(t->above, y, x);
}

static status scan_half(delta_table *t, size_t half, size_t y, error_info *err) {
    best_move best = NO_BEST_MOVE;
    if (!has_room(t, y))
        goto found;
    for (size_t w = 0; w < t->n_words; w++) {
        for (uint64_t left = candidates_in(t, half, y, w); left != 0; left &= left - 1) {
            arc_move m = {ARC_ADD, w * 64 + (size_t)__builtin_ctzll(left), y, 0};
            if (closes_cycle(t, m.from, y))
                continue;
            CHECK(delta_toggle_gain(t, m.from, y, &m.gain, err));
            if (m.gain > best.gain)
                best = (best_move){m.gain, m.from, false};
            CHECK(examine(t, &m, 0, m.gain, err));
        }
    }
found:
    t->best[half][y] = best;
    return STATUS_OK;
}

/* --- deletions and reversals -----------------------------------------------------------------------------------------
 */

static bool may_reverse(const delta_table *t, size_t x, size_t y) {
    return !delta_table_is_forbidden(t, y, x) && has_room(t, x) && !ancestry_reaches_otherwise(t->above, x, y);
}

static bool is_taken(const delta_table *t, arc_move_kind kind, size_t x, size_t y) {
    for (size_t i = 0; i < t->n_taken; i++) {
        if (t->taken[i].kind == kind && t->taken[i].from == x && t->taken[i].to == y)
            return true;
    }
    return false;
}

static void raise_best(const delta_table *t, const arc_move *m, best_move *best) {
    if (m->gain > best->gain && !is_taken(t, m->kind, m->from, m->to))
        *best = (best_move){m->gain, m->from, m->kind == ARC_REVERSE};
}

static status look_at_arc(delta_table *t, size_t x, size_t y, best_move *best, error_info *err) {
    status st = STATUS_OK;
    arc_move drop = {ARC_DELETE, x, y, 0}, reverse = {ARC_REVERSE, x, y, 0};
    double d_add = 0;
    CHECK(delta_toggle_gain(t, x, y, &drop.gain, err));
    raise_best(t, &drop, best);
    CHECK(examine(t, &drop, drop.gain, 0, err));
    if (!may_reverse(t, x, y))
        return st;
    CHECK(delta_toggle_gain(t, y, x, &d_add, err));
    reverse.gain = d_add + drop.gain;
    raise_best(t, &reverse, best);
    return examine(t, &reverse, drop.gain, d_add, err);
}

static status scan_arcs(delta_table *t, size_t y, error_info *err) {
    best_move best = NO_BEST_MOVE;
    size_t n_parents;
    const size_t *parents = dag_parents(t->graph, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++)
        CHECK(look_at_arc(t, parents[i], y, &best, err));
    t->best[OF_ARCS][y] = best;
    return STATUS_OK;
}

status delta_table_refresh(delta_table *t, error_info *err) {
    t->is_expired = t->is_expired || run_context_is_expired(t->ctx);
    for (size_t part = 0; part < N_PARTS; part++) {
        for (size_t y = 0; y < t->n && !t->is_expired; y++) {
            if (is_known(t, part, y))
                continue;
            CHECK(part == OF_ARCS ? scan_arcs(t, y, err) : scan_half(t, part, y, err));
            t->is_expired = run_context_is_expired(t->ctx);
        }
    }
    return STATUS_OK;
}

/* --- the best move ---------------------------------------------------------------------------------------------------
 */

static double best_gain(const delta_table *t) {
    double best = -INFINITY;
    for (size_t part = 0; part < N_PARTS; part++) {
        for (size_t y = 0; y < t->n; y++)
            best = fmax(best, t->best[part][y].gain);
    }
    return best;
}

/* What a search for the first of the best moves has come to. */
typedef struct {
    double above, from; /* a gain counts where it is > above and >= from */
    bool found;
    arc_move first;
} choice;

static void offer(choice *c, const arc_move *m) {
    if (m->gain > c->above && m->gain >= c->from && (!c->found || arc_move_comes_first(m, &c->first))) {
        c->first = *m;
        c->found = true;
    }
}

static void offer_half(const delta_table *t, size_t half, size_t y, choice *c) {
    for (size_t w = 0; w < t->n_words; w++) {
        for (uint64_t left = candidates_in(t, half, y, w); left != 0; left &= left - 1) {
            size_t x = w * 64 + (size_t)__builtin_ctzll(left);
            arc_move m = {ARC_ADD, x, y, t->with[y * t->n + x] - t->now[y]};
            if (m.gain >= c->from && !closes_cycle(t, x, y))
                offer(c, &m);
        }
    }
}

static void offer_arc(const delta_table *t, size_t x, size_t y, choice *c) {
    arc_move drop = {ARC_DELETE, x, y, t->with[y * t->n + x] - t->now[y]}, reverse = {ARC_REVERSE, x, y, 0};
    reverse.gain = t->with[x * t->n + y] - t->now[x] + drop.gain;
    if (drop.gain >= c->from && !is_taken(t, ARC_DELETE, x, y))
        offer(c, &drop);
    if (reverse.gain >= c->from && may_reverse(t, x, y) && !is_taken(t, ARC_REVERSE, x, y))
        offer(c, &reverse);
}

static void offer_arcs(const delta_table *t, size_t y, choice *c) {
    size_t n_parents;
    const size_t *parents = dag_parents(t->graph, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++)
        offer_arc(t, parents[i], y, c);
}

bool delta_table_best(const delta_table *t, double least, arc_move *out) {
    double best = best_gain(t);
    choice c = {.above = least, .from = best - SCORE_TOLERANCE};
    if (!(best > least))
        return false;
    for (size_t part = 0; part < N_PARTS; part++) {
        for (size_t y = 0; y < t->n; y++) {
            if (t->best[part][y].gain < c.from)
                continue;
            if (part == OF_ARCS)
                offer_arcs(t, y, &c);
            else
                offer_half(t, part, y, &c);
        }
    }
    *out = c.first;
    return c.found;
}

status delta_table_take_off(delta_table *t, const arc_move *m, error_info *err) {
    if (m->kind == ARC_ADD) {
        delta_table_forbid(t, m->from, m->to);
        return STATUS_OK;
    }
    CHECK(ARRAY_PUSH(t->taken, t->n_taken, t->taken_capacity, err, *m));
    look_again(t, OF_ARCS, m->to);
    return STATUS_OK;
}

void delta_table_put_back(delta_table *t, const arc_move *moves, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (moves[i].kind == ARC_ADD)
            delta_table_allow(t, moves[i].from, moves[i].to);
        else
            look_again(t, OF_ARCS, moves[i].to);
    }
    t->n_taken = 0;
}
