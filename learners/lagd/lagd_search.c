/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Look ahead in good directions: Holland, Fathi, Abramovici, Neubach 2008 (IPMU). At each depth the l best moves are
 * made one after the other, what follows is searched, and they are undone: an undone move leaves the graph and all that
 * the delta table knows of it as they were, so nothing is scored twice.
 */
#include "learners/lagd/lagd_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t n_moves;
    double gain;
    arc_move *moves; /* h */
} sequence;

/* What one depth of the look-ahead needs: its good moves, the best sequence so far, and what undoing restores. */
typedef struct {
    arc_move *good;    /* l */
    arc_move *best;    /* h */
    saved_row rows[2]; /* the scores of both ends of a move */
    best_move *known;  /* N_PARTS x n: the best moves */
} level;

typedef struct {
    const lagd_plan *plan;
    delta_table table;
    level *levels; /* h */
    arc_move *path;
    size_t n_steps;
} search;

static void search_clear(search *s) {
    for (size_t i = 0; s->levels && i < s->plan->h; i++) {
        free(s->levels[i].good);
        free(s->levels[i].best);
        saved_row_clear(&s->levels[i].rows[0]);
        saved_row_clear(&s->levels[i].rows[1]);
        free(s->levels[i].known);
    }
    free(s->levels);
    free(s->path);
    delta_table_clear(&s->table);
}

static status search_init(search *s, run_context *ctx, error_info *err) {
    const lagd_plan *p = s->plan;
    delta_form form = {p->max_parents, p->is_sparse, p->searches_paths};
    CHECK(delta_table_init(&s->table, p->n, &p->scorer, &form, ctx, err));
    s->table.keeps_directions = p->keeps_directions;
    CHECK_ALLOC(s->path = calloc(p->h, sizeof *s->path));
    CHECK_ALLOC(s->levels = calloc(p->h, sizeof *s->levels));
    for (size_t i = 0; i < p->h; i++) {
        CHECK_ALLOC(s->levels[i].good = calloc(p->l, sizeof *s->levels[i].good));
        CHECK_ALLOC(s->levels[i].best = calloc(p->h, sizeof *s->levels[i].best));
        CHECK_ALLOC(s->levels[i].known = calloc(p->n, N_PARTS * sizeof *s->levels[i].known));
    }
    return STATUS_OK;
}

/* --- trying a move --- */

static status keep(const delta_table *t, const arc_move *m, level *at, error_info *err) {
    CHECK(toggled_scores_save_row(&t->scores, m->to, &at->rows[0], err));
    CHECK(toggled_scores_save_row(&t->scores, m->from, &at->rows[1], err));
    for (size_t part = 0; part < N_PARTS; part++)
        memcpy(at->known + part * t->n, t->best[part], t->n * sizeof *at->known);
    return STATUS_OK;
}

static arc_move inverse_of(const arc_move *m) {
    if (m->kind == ARC_REVERSE)
        return (arc_move){ARC_REVERSE, m->to, m->from, -m->gain};
    return (arc_move){m->kind == ARC_ADD ? ARC_DELETE : ARC_ADD, m->from, m->to, -m->gain};
}

/* The graph, and everything known of it, is as it was before m. */
static status undo(delta_table *t, const arc_move *m, const level *at, error_info *err) {
    arc_move back = inverse_of(m);
    CHECK(delta_table_apply(t, &back, err));
    CHECK(toggled_scores_restore_row(&t->scores, m->to, &at->rows[0], err));
    CHECK(toggled_scores_restore_row(&t->scores, m->from, &at->rows[1], err));
    for (size_t part = 0; part < N_PARTS; part++)
        delta_table_restore_best(t, part, at->known + part * t->n);
    return STATUS_OK;
}

/* --- looking ahead --- */

/* The l best legal moves, of any sign, best first. */
static status good_moves(search *s, arc_move *out, size_t *n, error_info *err) {
    delta_table *t = &s->table;
    bool is_any = true;
    CHECK(delta_table_refresh(t, err));
    for (*n = 0; *n < s->plan->l && !t->is_expired;) {
        CHECK(delta_table_best(t, -INFINITY, &out[*n], &is_any, err));
        if (!is_any)
            break;
        CHECK(delta_table_take_off(t, &out[(*n)++], err));
        CHECK(delta_table_refresh(t, err));
    }
    CHECK(delta_table_put_back(t, out, *n, err));
    return delta_table_refresh(t, err);
}

static void take_if_better(level *at, const arc_move *m, const sequence *tail, sequence *best) {
    double gain = m->gain + tail->gain;
    if (!(gain > best->gain + SCORE_TOLERANCE))
        return;
    at->best[0] = *m;
    memcpy(at->best + 1, tail->moves, tail->n_moves * sizeof *tail->moves);
    *best = (sequence){1 + tail->n_moves, gain, at->best};
}

/* The best move of any sign, as a sequence; or none. */
static status best_single(search *s, sequence *best, error_info *err) {
    arc_move *m = s->levels[0].best;
    bool is_any = false;
    *best = (sequence){.moves = m};
    CHECK(delta_table_refresh(&s->table, err));
    if (!s->table.is_expired)
        CHECK(delta_table_best(&s->table, -INFINITY, m, &is_any, err));
    if (is_any)
        *best = (sequence){1, m->gain, m};
    return STATUS_OK;
}

/* The best sequence of at most h moves that gains, h > 1; or none. It stands in the level's `best`. */
static status look_ahead(search *s, size_t h, sequence *best, error_info *err) {
    level *at = &s->levels[h - 1];
    size_t n_good;
    *best = (sequence){.moves = at->best};
    CHECK(good_moves(s, at->good, &n_good, err));
    for (size_t i = 0; i < n_good && !s->table.is_expired; i++) {
        const arc_move *m = &at->good[i];
        sequence tail;
        CHECK(keep(&s->table, m, at, err));
        CHECK(delta_table_apply(&s->table, m, err));
        CHECK(h > 2 ? look_ahead(s, h - 1, &tail, err) : best_single(s, &tail, err));
        take_if_better(at, m, &tail, best);
        CHECK(undo(&s->table, m, at, err));
    }
    return STATUS_OK;
}

static status make_moves(search *s, const sequence *chosen, error_info *err) {
    const lagd_plan *p = s->plan;
    memcpy(s->path, chosen->moves, chosen->n_moves * sizeof *s->path);
    for (size_t i = 0; i < chosen->n_moves; i++)
        CHECK(delta_table_apply(&s->table, &s->path[i], err));
    s->n_steps++;
    if (p->watch)
        p->watch(p->watch_context, chosen->n_moves, chosen->gain, s->table.graph);
    return STATUS_OK;
}

static status climb(search *s, error_info *err) {
    for (size_t depth = s->plan->h; depth > 0;) {
        sequence best;
        CHECK(depth > 1 ? look_ahead(s, depth, &best, err) : best_single(s, &best, err));
        if (s->table.is_expired)
            break;
        if (best.n_moves == depth && best.gain > SCORE_TOLERANCE)
            CHECK(make_moves(s, &best, err));
        else
            depth--;
    }
    return STATUS_OK;
}

status lagd_search(const lagd_plan *plan, run_context *ctx, lagd_result *out, error_info *err) {
    AUTO(search_clear) search s = {.plan = plan};
    CHECK(search_init(&s, ctx, err));
    CHECK(climb(&s, err));
    *out = (lagd_result){TAKE(s.table.graph), delta_table_score(&s.table), s.n_steps, 1, s.table.is_expired};
    return STATUS_OK;
}

/* --- searches in several orders --- */

/* Node i of a search is node order[i] of the plan; scores are asked for under the plan's names, so that a cache behind
 * them serves every search. */
typedef struct {
    local_scorer inner;
    const size_t *order;
    size_t *parents; /* scratch */
} renaming;

static const size_t *rename_parents(const renaming *r, const size_t *parents, size_t n_parents) {
    for (size_t i = 0; i < n_parents; i++)
        r->parents[i] = r->order[parents[i]];
    return r->parents;
}

static status score_node_renamed(void *context, size_t y, const size_t *parents, size_t n_parents, double *out,
                                 error_info *err) {
    const renaming *r = context;
    return r->inner.node(r->inner.context, r->order[y], rename_parents(r, parents, n_parents), n_parents, out, err);
}

static status score_with_renamed(void *context, size_t y, const size_t *parents, size_t n_parents, size_t extra,
                                 double *out, error_info *err) {
    const renaming *r = context;
    return r->inner.node_with(r->inner.context, r->order[y], rename_parents(r, parents, n_parents), n_parents,
                              r->order[extra], out, err);
}

static void result_clear(lagd_result *r) {
    dag_destroy(r->graph);
}

static status rename_graph(const dag *g, const size_t *order, dag **out, error_info *err) {
    AUTO_FREE size_t *from = NULL, *to = NULL;
    size_t n_arcs = 0;
    CHECK_ALLOC(from = calloc(dag_arc_count(g) + 1, sizeof *from));
    CHECK_ALLOC(to = calloc(dag_arc_count(g) + 1, sizeof *to));
    for (size_t y = 0; y < dag_node_count(g); y++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, y, &n_parents);
        for (size_t i = 0; i < n_parents; i++) {
            from[n_arcs] = order[parents[i]];
            to[n_arcs++] = order[y];
        }
    }
    return dag_from_arcs(dag_node_count(g), from, to, n_arcs, out, err);
}

/* Keeps `found` in `best`, under the plan's names, where it is better. */
static status keep_best(const lagd_result *found, const size_t *order, lagd_result *best, error_info *err) {
    dag *renamed = NULL;
    best->is_cut_short = found->is_cut_short;
    best->n_steps += found->n_steps;
    best->n_searches += found->n_searches;
    if (best->graph && found->score <= best->score + SCORE_TOLERANCE)
        return STATUS_OK;
    CHECK(rename_graph(found->graph, order, &renamed, err));
    dag_destroy(best->graph);
    best->graph = renamed;
    best->score = found->score;
    return STATUS_OK;
}

status lagd_search_in_orders(const lagd_plan *plan, size_t n_searches, run_context *ctx, lagd_result *out,
                             error_info *err) {
    AUTO_FREE size_t *order = calloc(plan->n + 1, sizeof *order), *parents = calloc(plan->n + 1, sizeof *parents);
    AUTO(result_clear) lagd_result best = {0};
    lagd_plan inner = *plan;
    renaming names = {plan->scorer, order, parents};
    CHECK_ALLOC(order);
    CHECK_ALLOC(parents);
    inner.scorer = (local_scorer){&names, score_node_renamed, score_with_renamed, NULL};
    for (size_t i = 0; i < n_searches && !best.is_cut_short; i++) {
        AUTO(result_clear) lagd_result found = {0};
        random_permutation(&ctx->random, order, plan->n);
        CHECK(lagd_search(&inner, ctx, &found, err));
        CHECK(keep_best(&found, order, &best, err));
        CHECK(trace_add_point(ctx->trace, "best_score", i + 1, best.score, err));
    }
    *out = TAKE(best);
    return STATUS_OK;
}
