/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best move of a part is kept until a gain or a ban changes it, or a path that went lets others in. What is asked
 * for is asked in one order (additions from lower nodes, from higher ones, arcs), which fixes the counts. A move
 * that closes a cycle by now stays until the choice of the best comes to it: no other of its part gains more.
 *
 * This table and the bounds of a greedy search (greedy_rows.c) stay apart: the rule of CHC must see the gain of every
 * legal move, and LAGD takes moves off and undoes them, so here no bound may stand for a gain. Without bounds hc would
 * take twice the time: 45 against 24 ms on andes, 3.7 against 2.0 s on link (1,000 rows).
 *
 * Where a search forbids most pairs in its first sweep, that sweep is a survey of all pairs (single_parents.c).
 */
#include "learners/greedy/delta_table.h"

#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/base/huge_pages.h"
#include "learners/greedy/delta_legal_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADS = 64,             /* in a group */
    MOST_TRIED = 64,        /* of those that gain most, before all are looked at for the legal ones */
    MOST_FORESEEN = 1 << 15 /* scores; of a group of heads it may be more */
};

static const best_move no_best_move = {.gain = -INFINITY};

static void forget_best(delta_table *t, size_t part, size_t y) {
    t->best[part][y].gain = (double)NAN;
    t->is_stale[part][y / HEADS] = true;
}

/* At all arcs into y. */
static void look_again_at_arcs(delta_table *t, size_t y) {
    forget_best(t, OF_ARCS, y);
}

static bool is_known(const delta_table *t, size_t part, size_t y) {
    return !isnan(t->best[part][y].gain);
}

/* At the best of the additions, and at those that may have become legal: the others that are legal were, and were
 * looked at. */
static void look_at_few(delta_table *t, size_t half, size_t y) {
    t->is_nearly_known[half][y] = t->is_nearly_known[half][y] || is_known(t, half, y);
    forget_best(t, half, y);
}

static void look_at_few_additions(delta_table *t, size_t y) {
    look_at_few(t, FROM_LOWER, y);
    look_at_few(t, FROM_HIGHER, y);
}

/* --- life --- */

void delta_table_clear(delta_table *t) {
    dag_destroy(t->graph);
    ancestry_destroy(t->above);
    supports_destroy(t->supports);
    free(t->now);
    toggled_scores_clear(&t->scores);
    for (size_t part = 0; part < N_PARTS; part++) {
        free(t->best[part]);
        free(t->top[part]);
        free(t->is_stale[part]);
    }
    for (size_t half = 0; half < N_HALVES; half++)
        free(t->is_nearly_known[half]);
    free(t->forbidden);
    free(t->allowed);
    free(t->last_allowed);
    free(t->reaching_less);
    free(t->less_reached);
    free(t->taken);
    free(t->lacks_scores);
    free(t->legal);
    free(t->with);
    *t = (delta_table){0};
}

static void look_again_at_additions(delta_table *t, size_t y) {
    for (size_t half = 0; half < N_HALVES; half++) {
        forget_best(t, half, y);
        t->is_nearly_known[half][y] = false;
    }
}

static void forget_row(delta_table *t, size_t y) {
    toggled_scores_forget(&t->scores, y);
    if (t->lacks_scores)
        t->lacks_scores[y] = true;
    look_again_at_additions(t, y);
    look_again_at_arcs(t, y);
}

/* Rows are met in any order. */
static uint64_t *bit_rows_create(size_t n, size_t n_words) {
    uint64_t *rows = calloc(n * n_words + 1, sizeof *rows);
    if (rows)
        huge_pages_ask(rows, n * n_words * sizeof *rows);
    return rows;
}

status delta_table_init(delta_table *t, size_t n, const local_scorer *scorer, const delta_form *form, run_context *ctx,
                        error_info *err) {
    *t = (delta_table){.n = n, .n_words = (n + 63) / 64, .max_parents = form->max_parents, .ctx = ctx};
    CHECK(dag_create(n, &t->graph, err));
    CHECK(toggled_scores_init(&t->scores, t->graph, scorer, form->is_sparse, ctx, err));
    CHECK(ancestry_create(t->graph, form->searches_paths ? 0 : ANCESTRY_MAX_BESIDE_SUPPORTS, &t->above, err));
    if (!ancestry_has_rows(t->above))
        CHECK(supports_create(t->graph, &t->supports, err));
    ancestry_lend_supports(t->above, t->supports);
    CHECK_ALLOC(t->now = calloc(n + 1, sizeof *t->now));
    t->n_groups = (n + HEADS - 1) / HEADS;
    for (size_t part = 0; part < N_PARTS; part++) {
        CHECK_ALLOC(t->best[part] = calloc(n + 1, sizeof *t->best[part]));
        CHECK_ALLOC(t->top[part] = calloc(t->n_groups + 1, sizeof *t->top[part]));
        CHECK_ALLOC(t->is_stale[part] = calloc(t->n_groups + 1, sizeof *t->is_stale[part]));
    }
    for (size_t half = 0; half < N_HALVES; half++)
        CHECK_ALLOC(t->is_nearly_known[half] = calloc(n + 1, sizeof *t->is_nearly_known[half]));
    CHECK_ALLOC(t->forbidden = bit_rows_create(n, t->n_words));
    CHECK_ALLOC(t->last_allowed = calloc(n + 1, sizeof *t->last_allowed));
    CHECK_ALLOC(t->reaching_less = calloc(t->n_words + 1, sizeof *t->reaching_less));
    CHECK_ALLOC(t->less_reached = calloc(t->n_words + 1, sizeof *t->less_reached));
    CHECK_ALLOC(t->legal = calloc(n + 1, sizeof *t->legal));
    CHECK_ALLOC(t->with = calloc(n + 1, sizeof *t->with));
    if (t->scores.ahead)
        CHECK_ALLOC(t->lacks_scores = calloc(n + 1, sizeof *t->lacks_scores));
    for (size_t y = 0; y < n; y++) {
        forget_row(t, y);
        t->best[OF_ARCS][y] = no_best_move;
        CHECK(scorer->node(scorer->context, y, NULL, 0, &t->now[y], err));
    }
    return STATUS_OK;
}

/* --- what is forbidden --- */

/* The part of the moves that from -> to, added, is one of or a half of. */
static void find_part(const delta_table *t, size_t from, size_t to, size_t *part, size_t *head) {
    bool is_reversal = dag_has_arc(t->graph, to, from);
    *part = is_reversal ? OF_ARCS : from < to ? FROM_LOWER : FROM_HIGHER;
    *head = is_reversal ? from : to;
}

/* A best addition that closes a cycle is left to the choice of the best. */
void delta_table_forbid(delta_table *t, size_t from, size_t to) {
    size_t part, head;
    find_part(t, from, to, &part, &head);
    bits_add(delta_forbidden_row(t, to), from);
    if (part == OF_ARCS && t->best[part][head].from == to)
        look_again_at_arcs(t, head);
    else if (part != OF_ARCS && t->best[part][head].from == from && !dag_has_arc(t->graph, from, to) &&
             !delta_closes_cycle(t, from, to))
        look_at_few(t, part, head);
}

/* A rule is to see the gain again: where it was asked for and forgotten, it is found now. */
static status remember(delta_table *t, size_t from, size_t to, error_info *err) {
    double with;
    if (!toggled_scores_was_asked(&t->scores, from, to) || !isnan(toggled_scores_with(&t->scores, from, to)))
        return STATUS_OK;
    return toggled_scores_find(&t->scores, from, to, &with, err);
}

status delta_table_allow(delta_table *t, size_t from, size_t to, error_info *err) {
    size_t part, head;
    find_part(t, from, to, &part, &head);
    bits_drop(delta_forbidden_row(t, to), from);
    if (part == OF_ARCS) {
        look_again_at_arcs(t, head);
    } else {
        look_at_few(t, part, head);
        CHECK(delta_note_allowed(t, from, to, err));
    }
    return remember(t, from, to, err);
}

void delta_table_allow_all(delta_table *t) {
    memset(t->forbidden, 0, t->n * t->n_words * sizeof *t->forbidden);
    for (size_t y = 0; y < t->n; y++) {
        if (t->lacks_scores)
            t->lacks_scores[y] = true;
        look_again_at_additions(t, y);
        look_again_at_arcs(t, y);
    }
}

/* --- gains --- */

/* Of x toggled among the parents of y. */
static status toggle_gain(delta_table *t, size_t x, size_t y, double *gain, error_info *err) {
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
            CHECK(toggle_gain(t, m.from, y, &m.gain, err));
        if (t->is_expired)
            break;
        raise_addition(best, m.gain, m.from);
        CHECK(examine(t, &m, 0, m.gain, err));
    }
    return STATUS_OK;
}

/* Those that were not legal at the last refresh: what is asked for, and what the rule is to see. */
static status look_at_new(delta_table *t, size_t half, size_t y, error_info *err) {
    best_move best = no_best_move;
    return scan_legal(t, y, delta_list_new(t, half, y, t->legal), &best, err);
}

/* Makes all that was asked for of the half known again, which no pruning follows before the next scan of it. */
static status recall_half(delta_table *t, size_t half, size_t y, error_info *err) {
    size_t n = delta_list_candidates(t, half, y, t->legal);
    CHECK(toggled_scores_recall(&t->scores, half, y, t->legal, n, t->with, err));
    t->is_expired = t->is_expired || run_context_is_expired(t->ctx);
    return STATUS_OK;
}

/* May one that is not known gain as much? Such as differ by the tolerance count as equal. */
static bool may_hide(const delta_table *t, size_t half, size_t y, double gain) {
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
    *best = no_best_move;
    if (!delta_has_room(t, y))
        return STATUS_OK;
    if (t->is_nearly_known[half][y]) {
        CHECK(look_at_new(t, half, y, err));
        find_best_left(t, half, y, best);
    } else {
        CHECK(scan_legal(t, y, delta_list_legal(t, half, y, t->legal), best, err));
    }
    if (t->is_expired || !may_hide(t, half, y, best->gain))
        return STATUS_OK;
    *best = no_best_move;
    t->is_nearly_known[half][y] = false;
    CHECK(recall_half(t, half, y, err));
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
    arc_move drop = {ARC_DELETE, x, y, 0}, reverse = {ARC_REVERSE, x, y, 0};
    double d_add = 0;
    CHECK(toggle_gain(t, x, y, &drop.gain, err));
    raise_best(t, &drop, best);
    CHECK(examine(t, &drop, drop.gain, 0, err));
    if (!delta_may_reverse(t, x, y))
        return STATUS_OK;
    CHECK(toggle_gain(t, y, x, &d_add, err));
    reverse.gain = d_add + drop.gain;
    raise_best(t, &reverse, best);
    return examine(t, &reverse, drop.gain, d_add, err);
}

static status scan_arcs(delta_table *t, size_t y, error_info *err) {
    best_move best = no_best_move;
    size_t n_parents;
    const size_t *parents = dag_parents(t->graph, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++)
        CHECK(look_at_arc(t, parents[i], y, &best, err));
    t->best[OF_ARCS][y] = best;
    return STATUS_OK;
}

static status scan(delta_table *t, size_t part, size_t y, error_info *err) {
    return part == OF_ARCS ? scan_arcs(t, y, err) : scan_half(t, part, y, err);
}

static size_t first_behind(const delta_table *t, size_t group) {
    size_t end = (group + 1) * HEADS;
    return end < t->n ? end : t->n;
}

/* --- what other threads find beforehand --- */

/* What a scan of the half will ask for, if no rule forbids it before. */
static status foresee_half(delta_table *t, size_t half, size_t y, error_info *err) {
    size_t first = half == FROM_LOWER ? 0 : y + 1, end = half == FROM_LOWER ? y : t->n;
    if (is_known(t, half, y) || !t->lacks_scores[y] || !delta_has_room(t, y) ||
        !toggled_scores_lack_many(&t->scores, y, first, end))
        return STATUS_OK;
    return toggled_scores_foresee(&t->scores, y, t->legal, delta_list_legal(t, half, y, t->legal), t->with, err);
}

static status foresee_group(delta_table *t, size_t half, size_t group, error_info *err) {
    for (size_t y = group * HEADS; t->is_stale[half][group] && y < first_behind(t, group); y++)
        CHECK(foresee_half(t, half, y, err));
    return STATUS_OK;
}

/* Has other threads find the scores of this group of heads, and of those behind it, while they are few enough. A rule
 * may forbid one half after a look at the other: each is foreseen when its turn comes. */
static status foresee(delta_table *t, size_t part, size_t group, error_info *err) {
    size_t at = part * t->n_groups + group,
           end = (t->rule.examine && part == FROM_LOWER ? FROM_HIGHER : OF_ARCS) * t->n_groups;
    if (!t->scores.ahead || at < t->foreseen)
        return STATUS_OK;
    CHECK(delta_ahead_forget(t->scores.ahead, err));
    for (; at < end && delta_ahead_size(t->scores.ahead) < MOST_FORESEEN; at++)
        CHECK(foresee_group(t, at / t->n_groups, at % t->n_groups, err));
    t->foreseen = at;
    return delta_ahead_begin(t->scores.ahead, err);
}

/* --- all moves --- */

/* The best gain that is known among the heads of a group. */
static double find_top(const delta_table *t, size_t part, size_t group) {
    double top = -INFINITY;
    for (size_t y = group * HEADS; y < first_behind(t, group); y++)
        top = t->best[part][y].gain > top ? t->best[part][y].gain : top;
    return top;
}

/* What a look at one head makes out of date is looked at in this refresh where it comes later, else in the next. */
static status refresh_group(delta_table *t, size_t part, size_t group, error_info *err) {
    t->is_stale[part][group] = false;
    for (size_t y = group * HEADS; y < first_behind(t, group) && !t->is_expired; y++) {
        if (is_known(t, part, y))
            continue;
        CHECK(scan(t, part, y, err));
        t->is_expired = run_context_is_expired(t->ctx);
    }
    t->top[part][group] = find_top(t, part, group);
    return STATUS_OK;
}

status delta_table_refresh(delta_table *t, error_info *err) {
    t->is_expired = t->is_expired || run_context_is_expired(t->ctx);
    t->foreseen = 0;
    for (size_t part = 0; part < N_PARTS; part++) {
        for (size_t group = 0; group < t->n_groups && !t->is_expired; group++) {
            if (!t->is_stale[part][group])
                continue;
            CHECK(foresee(t, part, group, err));
            CHECK(refresh_group(t, part, group, err));
        }
    }
    if (!t->is_expired)
        delta_forget_new(t);
    return t->scores.ahead ? delta_ahead_forget(t->scores.ahead, err) : STATUS_OK;
}

void delta_table_restore_best(delta_table *t, size_t part, const best_move *best) {
    memcpy(t->best[part], best, t->n * sizeof *best);
    if (part != OF_ARCS)
        memset(t->is_nearly_known[part], false, t->n * sizeof *t->is_nearly_known[part]);
    delta_forget_new(t);
    memset(t->is_stale[part], true, t->n_groups * sizeof *t->is_stale[part]);
}

/* --- the best move --- */

static double top_of(const delta_table *t, size_t part, size_t group) {
    return t->is_stale[part][group] ? find_top(t, part, group) : t->top[part][group];
}

static double best_gain(const delta_table *t) {
    double best = -INFINITY;
    for (size_t part = 0; part < N_PARTS; part++) {
        for (size_t group = 0; group < t->n_groups; group++)
            best = fmax(best, top_of(t, part, group));
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
    if (may_hide(t, half, y, c->from))
        CHECK(recall_half(t, half, y, err));
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
    if (drop.gain >= c->from && !is_taken(t, ARC_DELETE, x, y))
        offer(c, &drop);
    if (reverse.gain >= c->from && delta_may_reverse(t, x, y) && !is_taken(t, ARC_REVERSE, x, y))
        offer(c, &reverse);
}

static void offer_arcs(const delta_table *t, size_t y, choice *c) {
    size_t n_parents;
    const size_t *parents = dag_parents(t->graph, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++)
        offer_arc(t, parents[i], y, c);
}

static status offer_group(delta_table *t, size_t part, size_t group, choice *c, error_info *err) {
    for (size_t y = group * HEADS; y < first_behind(t, group); y++) {
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
    size_t group = y / HEADS;
    bool is_stale = t->is_stale[part][group];
    if (part != OF_ARCS)
        look_at_few(t, part, y);
    CHECK(scan(t, part, y, err));
    t->is_expired = t->is_expired || run_context_is_expired(t->ctx);
    t->is_stale[part][group] = is_stale;
    t->top[part][group] = find_top(t, part, group);
    return STATUS_OK;
}

/* True into `*is_changed` where the best moves of some heads that gain at least `from` are others now. */
static status leave_illegal(delta_table *t, double from, bool *is_changed, error_info *err) {
    *is_changed = false;
    for (size_t at = 0; at < N_PARTS * t->n_groups && !t->is_expired; at++) {
        size_t part = at / t->n_groups, group = at % t->n_groups;
        for (size_t y = group * HEADS; top_of(t, part, group) >= from && y < first_behind(t, group); y++) {
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

status delta_table_take_off(delta_table *t, const arc_move *m, error_info *err) {
    if (m->kind == ARC_ADD) {
        delta_table_forbid(t, m->from, m->to);
        return STATUS_OK;
    }
    CHECK(ARRAY_PUSH(t->taken, t->n_taken, t->taken_capacity, err, *m));
    look_again_at_arcs(t, m->to);
    return STATUS_OK;
}

status delta_table_put_back(delta_table *t, const arc_move *moves, size_t n, error_info *err) {
    for (size_t i = 0; i < n; i++) {
        if (moves[i].kind == ARC_ADD)
            CHECK(delta_table_allow(t, moves[i].from, moves[i].to, err));
        else
            look_again_at_arcs(t, moves[i].to);
    }
    t->n_taken = 0;
    return STATUS_OK;
}

/* --- changes --- */

static void look_again_at_children(delta_table *t, size_t y) {
    size_t n_children;
    const size_t *children = dag_children(t->graph, y, &n_children);
    for (size_t i = 0; i < n_children; i++)
        look_again_at_arcs(t, children[i]);
}

/* More may be added into whoever reaches less. */
static void note_reaching_less(delta_table *t, size_t x) {
    bits_add(t->reaching_less, x);
    look_at_few_additions(t, x);
}

/* More arcs may be reversed into what is reached by fewer. */
static void note_less_reached(delta_table *t, size_t z) {
    bits_add(t->less_reached, z);
    look_again_at_arcs(t, z);
}

static void note_all_losses(delta_table *t) {
    size_t n;
    const uint64_t *heads = ancestry_reaching_less(t->above);
    const size_t *nodes = ancestry_less_reached(t->above, &n);
    for (size_t w = 0; w < t->n_words && n > 0; w++) {
        for (uint64_t left = heads[w]; left != 0; left &= left - 1)
            note_reaching_less(t, w * 64 + (size_t)__builtin_ctzll(left));
    }
    for (size_t i = 0; i < n; i++)
        note_less_reached(t, nodes[i]);
}

/* A pair of many: most ends have been met before. */
static status lose(void *self, size_t x, size_t z, error_info *err) {
    delta_table *t = self;
    (void)err;
    supports_lose(t->supports, x, z);
    if (!bits_have(t->reaching_less, x))
        note_reaching_less(t, x);
    if (!bits_have(t->less_reached, z))
        note_less_reached(t, z);
    return STATUS_OK;
}

/* x -> y went; more arcs may be reversed from x, too, which has a child less to reach their heads by. */
static status more_are_legal(delta_table *t, size_t x, size_t y, error_info *err) {
    loss_listener listener = {t, lose};
    look_again_at_children(t, x);
    if (t->supports) {
        CHECK(ancestry_arc_removed_told(t->above, x, y, &listener, err));
        supports_go_on(t->supports);
    } else {
        ancestry_arc_removed(t->above, x, y);
        note_all_losses(t);
    }
    return STATUS_OK;
}

/* Moves that close a cycle now are found out where the choice of the best comes to them. */
static status toggle_arc(delta_table *t, size_t x, size_t y, error_info *err) {
    if (dag_has_arc(t->graph, x, y)) {
        CHECK(dag_remove_arc(t->graph, x, y, err));
        supports_arc_removed(t->supports);
        return more_are_legal(t, x, y, err);
    }
    CHECK(dag_add_arc(t->graph, x, y, err));
    supports_arc_added(t->supports, x, y);
    ancestry_arc_added(t->above, x, y);
    return STATUS_OK;
}

static status toggle(delta_table *t, size_t x, size_t y, error_info *err) {
    double gain;
    CHECK(toggle_gain(t, x, y, &gain, err));
    t->now[y] = toggled_scores_with(&t->scores, x, y);
    CHECK(toggle_arc(t, x, y, err));
    forget_row(t, y);
    look_again_at_children(t, y); /* reversing an arc from y makes y a head, whose scores are others now */
    return STATUS_OK;
}

status delta_table_apply(delta_table *t, const arc_move *m, error_info *err) {
    CHECK(toggle(t, m->from, m->to, err));
    if (m->kind == ARC_REVERSE)
        CHECK(toggle(t, m->to, m->from, err));
    return STATUS_OK;
}

/* --- a survey of all pairs --- */

static void forbid_all(delta_table *t) {
    memset(t->forbidden, 0xFF, t->n * t->n_words * sizeof *t->forbidden);
    for (size_t y = 0; y < t->n; y++)
        bits_drop(delta_forbidden_row(t, y), y);
}

/* What may be added in one direction may be in the other. */
static void allow_both_ways(delta_table *t) {
    for (size_t y = 0; y < t->n; y++) {
        for (size_t w = 0; w <= y / 64; w++) {
            for (uint64_t left = delta_candidates_in(t, FROM_LOWER, y, w); left != 0; left &= left - 1)
                bits_drop(delta_forbidden_row(t, w * 64 + (size_t)__builtin_ctzll(left)), y);
        }
    }
}

status delta_table_survey(delta_table *t, bool *is_done, error_info *err) {
    AUTO(single_parents_clear) single_parents best = {0};
    score *by_tables = t->scores.scorer.by_tables;
    *is_done = t->scores.known && t->max_parents != 0 && by_tables && single_parents_can_survey(by_tables);
    if (!*is_done)
        return STATUS_OK;
    forbid_all(t);
    CHECK(single_parents_mark(by_tables, t->scores.tables, t->now, -SCORE_TOLERANCE, TOGGLED_SCORES_KEPT, t->ctx,
                              t->forbidden, &best, &t->is_expired, err));
    if (t->is_expired)
        return STATUS_OK;
    allow_both_ways(t);
    return toggled_scores_pass_lower(&t->scores, &best, err);
}

double delta_table_score(const delta_table *t) {
    double sum = 0;
    for (size_t y = 0; y < t->n; y++)
        sum += t->now[y];
    return sum;
}
