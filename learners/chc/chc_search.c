/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Within a sweep over all moves, what one pair forbids concerns this pair alone. So the sweep may go head by head,
 * which shares the counting, as long as x -> y with x < y comes before y -> x. What the second of the two forbids takes
 * the first, already examined, off the next sweep and not off this one: it waits in `late`.
 */
#include "learners/chc/chc_search.h"

#include "core/base/array.h"

#include <stdlib.h>

typedef struct {
    size_t a, b;
} node_pair;

typedef struct {
    const chc_plan *plan;
    delta_table table;
    node_pair *late;
    size_t n_late, late_capacity;
    size_t n_moves; /* of all passes */
} search;

static void tell(const search *s, const chc_event *event) {
    if (s->plan->watch)
        s->plan->watch(s->plan->watch_context, event);
}

/* --- forbidding --- */

static void forbid_pair(search *s, size_t a, size_t b) {
    delta_table_forbid(&s->table, a, b);
    delta_table_forbid(&s->table, b, a);
}

static void forbid_late_pairs(search *s) {
    for (size_t i = 0; i < s->n_late; i++)
        forbid_pair(s, s->late[i].a, s->late[i].b);
    s->n_late = 0;
}

static status examine(void *context, const arc_move *m, double d_delete, double d_add, error_info *err) {
    search *s = context;
    bool is_independent = d_delete > SCORE_TOLERANCE || d_add < -SCORE_TOLERANCE;
    if (!is_independent)
        return STATUS_OK;
    if (m->kind == ARC_REVERSE || (m->kind == ARC_ADD && m->from > m->to))
        return ARRAY_PUSH(s->late, s->n_late, s->late_capacity, err, (node_pair){m->from, m->to});
    forbid_pair(s, m->from, m->to);
    return STATUS_OK;
}

/* --- releasing --- */

static status release_pair(search *s, size_t a, size_t b, error_info *err) {
    delta_table *t = &s->table;
    if (a == b || !(delta_table_is_forbidden(t, a, b) || delta_table_is_forbidden(t, b, a)))
        return STATUS_OK;
    CHECK(delta_table_allow(t, a, b, err));
    CHECK(delta_table_allow(t, b, a, err));
    tell(s, &(chc_event){.kind = CHC_RELEASED, .a = a, .b = b, .graph = t->graph});
    return STATUS_OK;
}

static status release_with(search *s, size_t a, const size_t *others, size_t n, error_info *err) {
    for (size_t i = 0; i < n; i++)
        CHECK(release_pair(s, a, others[i], err));
    return STATUS_OK;
}

static status release_with_children(search *s, size_t a, size_t of, error_info *err) {
    size_t n;
    const size_t *children = dag_children(s->table.graph, of, &n);
    return release_with(s, a, children, n, err);
}

static status release_with_parents(search *s, size_t a, size_t of, error_info *err) {
    size_t n;
    const size_t *parents = dag_parents(s->table.graph, of, &n);
    return release_with(s, a, parents, n, err);
}

static status release_with_neighbours(search *s, size_t a, size_t of, error_info *err) {
    CHECK(release_with_parents(s, a, of, err));
    return release_with_children(s, a, of, err);
}

static status release_after_addition(search *s, size_t x, size_t y, error_info *err) {
    CHECK(release_with_neighbours(s, y, x, err));
    if (s->plan->release != CHC_RELEASE_A)
        CHECK(release_with_children(s, x, y, err));
    if (s->plan->release == CHC_RELEASE_ADJ)
        CHECK(release_with_parents(s, x, y, err));
    return STATUS_OK;
}

static status release_with_all(search *s, size_t a, error_info *err) {
    for (size_t z = 0; z < s->plan->n; z++)
        CHECK(release_pair(s, a, z, err));
    return STATUS_OK;
}

static status release_heads(search *s, const arc_move *m, error_info *err) {
    CHECK(release_with_all(s, m->to, err));
    return m->kind == ARC_REVERSE ? release_with_all(s, m->from, err) : STATUS_OK;
}

static status release_around(search *s, const arc_move *m, error_info *err) {
    if (s->plan->release == CHC_RELEASE_HEAD)
        return release_heads(s, m, err);
    if (m->kind == ARC_ADD)
        CHECK(release_after_addition(s, m->from, m->to, err));
    if (m->kind == ARC_REVERSE)
        CHECK(release_after_addition(s, m->to, m->from, err));
    if (m->kind != ARC_ADD && s->plan->release == CHC_RELEASE_FULL)
        CHECK(release_with_neighbours(s, m->to, m->from, err));
    return STATUS_OK;
}

/* --- passes --- */

/* After one sweep most pairs are forbidden, and there is no pass that allows all again. */
static bool looks_at_few(const chc_plan *plan) {
    return (plan->variant == CHC_ONCE || plan->variant == CHC_FAST) && plan->scorer.by_tables &&
           single_parents_can_survey(plan->scorer.by_tables);
}

/* Sweeps until no move gains. */
static status make_pass(search *s, bool forbids, size_t *n_moves, error_info *err) {
    delta_table *t = &s->table;
    bool is_surveyed = false;
    *n_moves = 0;
    delta_table_allow_all(t);
    if (looks_at_few(s->plan))
        CHECK(delta_table_survey(t, &is_surveyed, err));
    t->rule = forbids ? (delta_rule){s, examine} : (delta_rule){0};
    for (;;) {
        arc_move m;
        bool found = false;
        CHECK(delta_table_refresh(t, err));
        if (!t->is_expired)
            CHECK(delta_table_best(t, SCORE_TOLERANCE, &m, &found, err));
        forbid_late_pairs(s);
        if (!found)
            break;
        CHECK(delta_table_apply(t, &m, err));
        ++*n_moves;
        s->n_moves++;
        tell(s, &(chc_event){.kind = CHC_MOVED, .move = m, .graph = t->graph});
        if (s->plan->variant == CHC_FAST)
            CHECK(release_around(s, &m, err));
    }
    tell(s, &(chc_event){.kind = CHC_PASS_ENDED, .graph = t->graph, .n_moves = *n_moves});
    return STATUS_OK;
}

static status make_passes(search *s, error_info *err) {
    chc_variant variant = s->plan->variant;
    size_t n_moves;
    CHECK(make_pass(s, variant != CHC_HC, &n_moves, err));
    if (variant == CHC_STAR || variant == CHC_TWICE)
        CHECK(make_pass(s, variant == CHC_TWICE, &n_moves, err));
    while (variant == CHC_REPEATED && n_moves > 0 && !s->table.is_expired)
        CHECK(make_pass(s, true, &n_moves, err));
    return STATUS_OK;
}

static void search_clear(search *s) {
    delta_table_clear(&s->table);
    free(s->late);
}

status chc_search(const chc_plan *plan, run_context *ctx, chc_result *out, error_info *err) {
    AUTO(search_clear) search s = {.plan = plan};
    delta_form form = {plan->max_parents, looks_at_few(plan), plan->searches_paths};
    CHECK(delta_table_init(&s.table, plan->n, &plan->scorer, &form, ctx, err));
    s.table.scores.keeps_all = plan->keeps_scores;
    CHECK(make_passes(&s, err));
    *out = (chc_result){TAKE(s.table.graph), delta_table_score(&s.table), s.n_moves, s.table.is_expired};
    return STATUS_OK;
}
