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
#include "learners/greedy/delta_best_internal.h"
#include "learners/greedy/delta_legal_internal.h"
#include "learners/greedy/delta_scan_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FORESEEN = 1 << 15 }; /* scores; of a group of heads it may be more */

static void look_at_few_additions(delta_table *t, size_t y) {
    delta_look_at_few(t, FROM_LOWER, y);
    delta_look_at_few(t, FROM_HIGHER, y);
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
        delta_look_again(t, half, y);
        t->is_nearly_known[half][y] = false;
    }
}

static void forget_row(delta_table *t, size_t y) {
    toggled_scores_forget(&t->scores, y);
    if (t->lacks_scores)
        t->lacks_scores[y] = true;
    look_again_at_additions(t, y);
    delta_look_again(t, OF_ARCS, y);
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
    t->n_groups = (n + DELTA_HEADS - 1) / DELTA_HEADS;
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
        t->best[OF_ARCS][y] = DELTA_NO_BEST;
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
        delta_look_again(t, OF_ARCS, head);
    else if (part != OF_ARCS && t->best[part][head].from == from && !dag_has_arc(t->graph, from, to) &&
             !delta_closes_cycle(t, from, to))
        delta_look_at_few(t, part, head);
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
        delta_look_again(t, OF_ARCS, head);
    } else {
        delta_look_at_few(t, part, head);
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
        delta_look_again(t, OF_ARCS, y);
    }
}

/* --- what other threads find beforehand --- */

/* What a scan of the half will ask for, if no rule forbids it before. */
static status foresee_half(delta_table *t, size_t half, size_t y, error_info *err) {
    size_t first = half == FROM_LOWER ? 0 : y + 1, end = half == FROM_LOWER ? y : t->n;
    if (delta_is_known(t, half, y) || !t->lacks_scores[y] || !delta_has_room(t, y) ||
        !toggled_scores_lack_many(&t->scores, y, first, end))
        return STATUS_OK;
    return toggled_scores_foresee(&t->scores, y, t->legal, delta_list_legal(t, half, y, t->legal), t->with, err);
}

static status foresee_group(delta_table *t, size_t half, size_t group, error_info *err) {
    for (size_t y = group * DELTA_HEADS; t->is_stale[half][group] && y < delta_first_behind(t, group); y++)
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

/* What a look at one head makes out of date is looked at in this refresh where it comes later, else in the next. */
static status refresh_group(delta_table *t, size_t part, size_t group, error_info *err) {
    t->is_stale[part][group] = false;
    for (size_t y = group * DELTA_HEADS; y < delta_first_behind(t, group) && !t->is_expired; y++) {
        if (delta_is_known(t, part, y))
            continue;
        CHECK(delta_scan(t, part, y, err));
        t->is_expired = run_context_is_expired(t->ctx);
    }
    t->top[part][group] = delta_find_top(t, part, group);
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

status delta_table_take_off(delta_table *t, const arc_move *m, error_info *err) {
    if (m->kind == ARC_ADD) {
        delta_table_forbid(t, m->from, m->to);
        return STATUS_OK;
    }
    CHECK(ARRAY_PUSH(t->taken, t->n_taken, t->taken_capacity, err, *m));
    delta_look_again(t, OF_ARCS, m->to);
    return STATUS_OK;
}

status delta_table_put_back(delta_table *t, const arc_move *moves, size_t n, error_info *err) {
    for (size_t i = 0; i < n; i++) {
        if (moves[i].kind == ARC_ADD)
            CHECK(delta_table_allow(t, moves[i].from, moves[i].to, err));
        else
            delta_look_again(t, OF_ARCS, moves[i].to);
    }
    t->n_taken = 0;
    return STATUS_OK;
}

/* --- changes --- */

static void look_again_at_children(delta_table *t, size_t y) {
    size_t n_children;
    const size_t *children = dag_children(t->graph, y, &n_children);
    for (size_t i = 0; i < n_children; i++)
        delta_look_again(t, OF_ARCS, children[i]);
}

/* More may be added into whoever reaches less. */
static void note_reaching_less(delta_table *t, size_t x) {
    bits_add(t->reaching_less, x);
    look_at_few_additions(t, x);
}

/* More arcs may be reversed into what is reached by fewer. */
static void note_less_reached(delta_table *t, size_t z) {
    bits_add(t->less_reached, z);
    delta_look_again(t, OF_ARCS, z);
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
    CHECK(delta_toggle_gain(t, x, y, &gain, err));
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
