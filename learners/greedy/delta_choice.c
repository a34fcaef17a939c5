/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best move of all parts. A best of a part that may not be made any more gives way when the choice comes to it, and
 * another is looked for; ties are broken by the order of moves.
 */
#include "learners/greedy/delta_best_internal.h"
#include "learners/greedy/delta_legal_internal.h"
#include "learners/greedy/delta_scan_internal.h"

#include <math.h>

static double best_gain(const delta_table *t) {
    double best = -INFINITY;
    for (size_t part = 0; part < N_PARTS; part++) {
        for (size_t group = 0; group < t->n_groups; group++)
            best = fmax(best, delta_top_of(t, part, group));
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

static status offer_half(delta_table *t, size_t half, size_t y, choice *c, error_info *err) {
    size_t n;
    if (delta_may_hide(t, half, y, c->from))
        CHECK(delta_recall_half(t, half, y, err));
    n = delta_list_candidates(t, half, y, t->legal);
    toggled_scores_look_up(&t->scores, y, t->legal, n, t->with);
    for (size_t i = 0; i < n; i++) {
        arc_move m = {ARC_ADD, t->legal[i], y, t->with[i] - t->now[y]};
        if (m.gain >= c->from && !delta_closes_cycle(t, m.from, y))
            offer(c, &m);
    }
    return STATUS_OK;
}

static void offer_arc(const delta_table *t, size_t x, size_t y, choice *c) {
    arc_move drop = {ARC_DELETE, x, y, toggled_scores_with(&t->scores, x, y) - t->now[y]},
             reverse = {ARC_REVERSE, x, y, 0};
    reverse.gain = toggled_scores_with(&t->scores, y, x) - t->now[x] + drop.gain;
    if (drop.gain >= c->from && !delta_is_taken(t, ARC_DELETE, x, y))
        offer(c, &drop);
    if (reverse.gain >= c->from && delta_may_reverse(t, x, y) && !delta_is_taken(t, ARC_REVERSE, x, y))
        offer(c, &reverse);
}

static void offer_arcs(const delta_table *t, size_t y, choice *c) {
    size_t n_parents;
    const size_t *parents = dag_parents(t->graph, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++)
        offer_arc(t, parents[i], y, c);
}

static status offer_group(delta_table *t, size_t part, size_t group, choice *c, error_info *err) {
    for (size_t y = group * DELTA_HEADS; y < delta_first_behind(t, group); y++) {
        if (t->best[part][y].gain < c->from)
            continue; /* one that is to be looked at again is not passed over: others of its moves stand */
        if (part == OF_ARCS)
            offer_arcs(t, y, c);
        else
            CHECK(offer_half(t, part, y, c, err));
    }
    return STATUS_OK;
}

/* May the best of the part still be made? */
static bool stays_legal(const delta_table *t, size_t part, size_t y) {
    const best_move *best = &t->best[part][y];
    if (part == OF_ARCS)
        return !best->is_reversal || delta_may_reverse(t, best->from, y);
    return !delta_table_is_forbidden(t, best->from, y) && !delta_closes_cycle(t, best->from, y);
}

/* The best of the part may not be made since it was found: another is now. */
static status find_another(delta_table *t, size_t part, size_t y, error_info *err) {
    size_t group = y / DELTA_HEADS;
    bool is_stale = t->is_stale[part][group];
    if (part != OF_ARCS)
        delta_look_at_few(t, part, y);
    CHECK(delta_scan(t, part, y, err));
    t->is_expired = t->is_expired || run_context_is_expired(t->ctx);
    t->is_stale[part][group] = is_stale;
    t->top[part][group] = delta_find_top(t, part, group);
    return STATUS_OK;
}

/* True into `*is_changed` where the best moves of some heads that gain at least `from` are others now. */
static status leave_illegal(delta_table *t, double from, bool *is_changed, error_info *err) {
    *is_changed = false;
    for (size_t at = 0; at < N_PARTS * t->n_groups && !t->is_expired; at++) {
        size_t part = at / t->n_groups, group = at % t->n_groups;
        for (size_t y = group * DELTA_HEADS; delta_top_of(t, part, group) >= from && y < delta_first_behind(t, group);
             y++) {
            if (!(t->best[part][y].gain >= from) || stays_legal(t, part, y))
                continue;
            *is_changed = true;
            CHECK(find_another(t, part, y, err));
        }
    }
    return STATUS_OK;
}

/* The gain of the best legal move. */
static status find_best_gain(delta_table *t, double least, double *out, error_info *err) {
    for (bool is_changed = true; is_changed && !t->is_expired;) {
        *out = best_gain(t);
        if (!(*out > least))
            return STATUS_OK;
        CHECK(leave_illegal(t, *out - SCORE_TOLERANCE, &is_changed, err));
    }
    return STATUS_OK;
}

status delta_table_best(delta_table *t, double least, arc_move *out, bool *is_any, error_info *err) {
    double best = -INFINITY;
    choice c = {.above = least};
    *is_any = false;
    CHECK(find_best_gain(t, least, &best, err));
    c.from = best - SCORE_TOLERANCE;
    if (!(best > least) || t->is_expired)
        return STATUS_OK;
    for (size_t part = 0; part < N_PARTS; part++) {
        for (size_t group = 0; group < t->n_groups && !t->is_expired; group++) {
            if (t->is_stale[part][group] || t->top[part][group] >= c.from)
                CHECK(offer_group(t, part, group, &c, err));
        }
    }
    *out = c.first;
    *is_any = c.found && !t->is_expired;
    return STATUS_OK;
}
