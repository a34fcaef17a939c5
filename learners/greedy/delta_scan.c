/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/delta_scan_internal.h"

#include "learners/greedy/delta_best_internal.h"
#include "learners/greedy/delta_legal_internal.h"

#include <math.h>

enum { MOST_TRIED = 64 }; /* of those that gain most, before all are looked at for the legal ones */

/* --- gains --- */

status delta_toggle_gain(delta_table *t, size_t x, size_t y, double *gain, error_info *err) {
    double with = toggled_scores_with(&t->scores, x, y);
    if (isnan(with)) {
        CHECK(toggled_scores_find(&t->scores, x, y, &with, err));
        t->is_expired = t->is_expired || run_context_is_expired_at(t->ctx, x);
    }
    *gain = with - t->now[y];
    return STATUS_OK;
}

static status examine(delta_table *t, const arc_move *m, double d_delete, double d_add, error_info *err) {
    return t->rule.examine ? t->rule.examine(t->rule.context, m, d_delete, d_add, err) : STATUS_OK;
}

/* --- additions --- */

static void raise_addition(best_move *best, double gain, size_t x) {
    if (gain > best->gain)
        *best = (best_move){gain, x, false};
}

/* Those that are asked for the first time, and those that are kept. */
static status scan_legal(delta_table *t, size_t y, size_t n_legal, best_move *best, error_info *err) {
    CHECK(toggled_scores_find_some(&t->scores, y, t->legal, n_legal, t->with, err));
    t->is_expired = run_context_is_expired(t->ctx);
    for (size_t i = 0; i < n_legal && !t->is_expired; i++) {
        arc_move m = {ARC_ADD, t->legal[i], y, t->with[i] - t->now[y]};
        if (isnan(t->with[i]) && toggled_scores_was_asked(&t->scores, m.from, y))
            continue; /* seen before, and below the rest of the row */
        if (isnan(t->with[i]))
            CHECK(delta_toggle_gain(t, m.from, y, &m.gain, err));
        if (t->is_expired)
            break;
        raise_addition(best, m.gain, m.from);
        CHECK(examine(t, &m, 0, m.gain, err));
    }
    return STATUS_OK;
}

/* Those that were not legal at the last refresh: what is asked for, and what the rule is to see. */
static status look_at_new(delta_table *t, size_t half, size_t y, error_info *err) {
    best_move best = DELTA_NO_BEST;
    return scan_legal(t, y, delta_list_new(t, half, y, t->legal), &best, err);
}

status delta_recall_half(delta_table *t, size_t half, size_t y, error_info *err) {
    size_t n = delta_list_candidates(t, half, y, t->legal);
    CHECK(toggled_scores_recall(&t->scores, half, y, t->legal, n, t->with, err));
    t->is_expired = t->is_expired || run_context_is_expired(t->ctx);
    return STATUS_OK;
}

bool delta_may_hide(const delta_table *t, size_t half, size_t y, double gain) {
    double rest = toggled_scores_rest(&t->scores, half, y);
    return rest > -INFINITY && rest - t->now[y] >= gain - 2 * SCORE_TOLERANCE;
}

/* The first of the highest of those that are known; n: there is none. */
static size_t find_highest(const double *scores, size_t n) {
    size_t at = n;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(scores[i]) && (at == n || scores[i] > scores[at]))
            at = i;
    }
    return at;
}

/* The best of all that were asked for, which are known. */
static void find_best_known(const delta_table *t, size_t half, size_t y, best_move *best) {
    size_t n = delta_list_legal(t, half, y, t->legal);
    toggled_scores_look_up(&t->scores, y, t->legal, n, t->with);
    for (size_t i = 0; i < n; i++)
        raise_addition(best, t->with[i] - t->now[y], t->legal[i]);
}

/* The same from the top, with a search for a path each: the first are presumably legal. */
static void find_best_left(const delta_table *t, size_t half, size_t y, best_move *best) {
    size_t n = delta_list_candidates(t, half, y, t->legal);
    toggled_scores_look_up(&t->scores, y, t->legal, n, t->with);
    for (size_t i = 0; i < MOST_TRIED; i++) {
        size_t at = find_highest(t->with, n);
        if (at == n)
            return;
        if (!delta_closes_cycle(t, t->legal[at], y)) {
            raise_addition(best, t->with[at] - t->now[y], t->legal[at]);
            return;
        }
        t->with[at] = (double)NAN;
    }
    find_best_known(t, half, y, best);
}

static status find_best_addition(delta_table *t, size_t half, size_t y, best_move *best, error_info *err) {
    *best = DELTA_NO_BEST;
    if (!delta_has_room(t, y))
        return STATUS_OK;
    if (t->is_nearly_known[half][y]) {
        CHECK(look_at_new(t, half, y, err));
        find_best_left(t, half, y, best);
    } else {
        CHECK(scan_legal(t, y, delta_list_legal(t, half, y, t->legal), best, err));
    }
    if (t->is_expired || !delta_may_hide(t, half, y, best->gain))
        return STATUS_OK;
    *best = DELTA_NO_BEST;
    t->is_nearly_known[half][y] = false;
    CHECK(delta_recall_half(t, half, y, err));
    find_best_known(t, half, y, best);
    return STATUS_OK;
}

/* Looks at x where y has arcs alone: most nodes have none when most is asked. */
static bool is_adjacent(const delta_table *t, size_t x, size_t y) {
    size_t n_parents, n_children;
    (void)dag_parents(t->graph, y, &n_parents);
    (void)dag_children(t->graph, y, &n_children);
    return (n_parents > 0 && dag_has_arc(t->graph, x, y)) || (n_children > 0 && dag_has_arc(t->graph, y, x));
}

/* The score without an arc is counted each time that it is asked for, and that of a reversal is looked up; a move that
 * closes a cycle may become legal, and the rule has not seen its gain. */
static bool stays(const void *of, size_t x, size_t y) {
    const delta_table *t = of;
    return is_adjacent(t, x, y) ||
           (t->rule.examine && !delta_table_is_forbidden(t, x, y) && delta_closes_cycle(t, x, y));
}

static status scan_half(delta_table *t, size_t half, size_t y, error_info *err) {
    best_move best;
    CHECK(find_best_addition(t, half, y, &best, err));
    if (delta_has_room(t, y) && !(t->rule.examine && t->is_nearly_known[half][y]))
        toggled_scores_prune(&t->scores, half, y, &(pruning_rule){t, stays});
    if (t->is_expired)
        return STATUS_OK;
    t->best[half][y] = best;
    if (t->lacks_scores && half == FROM_HIGHER)
        t->lacks_scores[y] = false;
    return STATUS_OK;
}

/* --- deletions and reversals --- */

bool delta_is_taken(const delta_table *t, arc_move_kind kind, size_t x, size_t y) {
    for (size_t i = 0; i < t->n_taken; i++) {
        if (t->taken[i].kind == kind && t->taken[i].from == x && t->taken[i].to == y)
            return true;
    }
    return false;
}

static void raise_best(const delta_table *t, const arc_move *m, best_move *best) {
    if (m->gain > best->gain && !delta_is_taken(t, m->kind, m->from, m->to))
        *best = (best_move){m->gain, m->from, m->kind == ARC_REVERSE};
}

static status look_at_arc(delta_table *t, size_t x, size_t y, best_move *best, error_info *err) {
    arc_move drop = {ARC_DELETE, x, y, 0}, reverse = {ARC_REVERSE, x, y, 0};
    double d_add = 0;
    CHECK(delta_toggle_gain(t, x, y, &drop.gain, err));
    raise_best(t, &drop, best);
    CHECK(examine(t, &drop, drop.gain, 0, err));
    if (!delta_may_reverse(t, x, y))
        return STATUS_OK;
    CHECK(delta_toggle_gain(t, y, x, &d_add, err));
    reverse.gain = d_add + drop.gain;
    raise_best(t, &reverse, best);
    return examine(t, &reverse, drop.gain, d_add, err);
}

static status scan_arcs(delta_table *t, size_t y, error_info *err) {
    best_move best = DELTA_NO_BEST;
    size_t n_parents;
    const size_t *parents = dag_parents(t->graph, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++)
        CHECK(look_at_arc(t, parents[i], y, &best, err));
    t->best[OF_ARCS][y] = best;
    return STATUS_OK;
}

status delta_scan(delta_table *t, size_t part, size_t y, error_info *err) {
    return part == OF_ARCS ? scan_arcs(t, y, err) : scan_half(t, part, y, err);
}
