/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy search over DAGs: Heckerman, Geiger, Chickering 1995, and with a TABU list of structures Friedman, Nachman,
 * Pe'er 1999. The best legal addition, deletion or reversal of an arc is made again and again; greedy_moves.c finds it
 * by the bounds of greedy_bounds.c. `now` is always the local score of each node with its present parents, and `above`
 * who is whose ancestor.
 */
#include "learners/greedy/greedy_search.h"

#include "learners/greedy/greedy_bounds_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void state_clear(greedy_state *s) {
    score_destroy(s->own_scorer);
    dag_destroy(s->current);
    dag_destroy(s->best);
    ancestry_destroy(s->above);
    tabu_list_destroy(s->tabu);
    greedy_bounds_clear(s);
}

static const score_kind *chosen(const greedy_options *options) {
    return option_chosen(&score_registry, &options->score);
}

const char *greedy_score_name(const greedy_options *options) {
    return chosen(options)->name;
}

/* The prior holds with every score, and its ess is that of a score that has one. */
status greedy_scorer_create(const dataset *data, const greedy_options *options, run_context *ctx, score **out,
                            error_info *err) {
    static const option_spec shared[] = {BDEU_OPTION_ROWS(greedy_options, ess, prior, prior_parents, 1), {0}};
    option_choice choice = options->score;
    double arc_nats;
    CHECK(score_prior_penalty(options->prior, options->ess, options->prior_parents, dataset_column_count(data),
                              &arc_nats, err));
    options_take(chosen(options)->options, option_chosen_options(&score_registry, &choice), shared, options);
    CHECK(score_create_within(chosen(options), option_chosen_options(&score_registry, &choice), data, ctx, out, err));
    score_penalise_arcs(*out, arc_nats);
    return STATUS_OK;
}

status greedy_report(const greedy_options *options, const dag *found, double total, bool is_cut_short,
                     learner_result *result, error_info *err) {
    CHECK(pdag_from_dag(found, &result->graph, err));
    result->score_name = greedy_score_name(options);
    result->score = total;
    result->is_cut_short = is_cut_short;
    return STATUS_OK;
}

static status make_scorer(greedy_state *s, const dataset *data, error_info *err) {
    if (!s->plan->scorer)
        CHECK(greedy_scorer_create(data, &s->plan->options, s->ctx, &s->own_scorer, err));
    s->scorer = s->own_scorer ? s->own_scorer : s->plan->scorer;
    return STATUS_OK;
}

static status add_start_arcs(greedy_state *s, const dag *start, error_info *err) {
    for (size_t y = 0; y < s->n; y++) {
        size_t n_parents;
        const size_t *parents = dag_parents(start, y, &n_parents);
        for (size_t i = 0; i < n_parents; i++) {
            if (greedy_position(&s->rows[y], parents[i]) == s->rows[y].n)
                return error_set(err, STATUS_INVALID, "the start has the arc %zu -> %zu, which is not allowed",
                                 parents[i], y);
            CHECK(dag_add_arc(s->current, parents[i], y, err));
            ancestry_arc_added(s->above, parents[i], y);
        }
    }
    return STATUS_OK;
}

static status make_start(greedy_state *s, error_info *err) {
    CHECK(dag_create(s->n, &s->current, err));
    CHECK(ancestry_create(s->current, &s->above, err));
    if (s->plan->start)
        CHECK(add_start_arcs(s, s->plan->start, err));
    CHECK(dag_copy(s->current, &s->best, err));
    for (size_t y = 0; y < s->n; y++) {
        size_t n_parents;
        const size_t *parents = dag_parents(s->current, y, &n_parents);
        greedy_forget_row(s, y);
        CHECK(score_node(s->scorer, y, parents, n_parents, &s->now[y], err));
    }
    if (s->plan->tabu_length > 0) {
        CHECK(tabu_list_create(s->plan->tabu_length, &s->tabu, err));
        CHECK(tabu_list_push(s->tabu, s->current, err));
    }
    return STATUS_OK;
}

static status state_init(greedy_state *s, const dataset *data, error_info *err) {
    s->data = data;
    s->n = dataset_column_count(data);
    CHECK(make_scorer(s, data, err));
    CHECK(greedy_bounds_init(s, err));
    return make_start(s, err);
}

/* --- the search --- */

/* To be called before an arc is removed. Whoever reaches `from` may no longer reach what lies below `to`: more may be
   added into these, and more arcs into those reversed. */
static void free_moves(greedy_state *s, size_t from, size_t to) {
    for (size_t y = 0; y < s->n; y++) {
        if (ancestry_reaches(s->above, y, from))
            s->rows[y].is_stale = true;
        if (ancestry_reaches(s->above, to, y))
            s->rows[y].has_stale_arcs = true;
    }
}

static status toggle_parent(greedy_state *s, size_t y, size_t x, error_info *err) {
    CHECK(greedy_toggled(s, y, greedy_position(&s->rows[y], x), &s->now[y], err));
    CHECK(greedy_count_row(s, y, err));
    if (dag_has_arc(s->current, x, y)) {
        free_moves(s, x, y);
        CHECK(dag_remove_arc(s->current, x, y, err));
        CHECK(ancestry_arc_removed(s->above, y, err));
    } else {
        CHECK(dag_add_arc(s->current, x, y, err));
        ancestry_arc_added(s->above, x, y);
    }
    greedy_forget_row(s, y);
    return STATUS_OK;
}

static status apply(greedy_state *s, const arc_move *m, error_info *err) {
    CHECK(toggle_parent(s, m->to, m->from, err));
    if (m->kind == ARC_REVERSE)
        CHECK(toggle_parent(s, m->from, m->to, err));
    if (s->tabu)
        CHECK(tabu_list_push(s->tabu, s->current, err));
    return STATUS_OK;
}

/* Nodes without a density (a constant column has none under a Gaussian score) would hide what the others gain. */
typedef struct {
    size_t n_infinite;
    double finite;
} search_score;

static search_score total_score(const greedy_state *s) {
    search_score total = {0, 0};
    for (size_t y = 0; y < s->n; y++) {
        if (isinf(s->now[y]))
            total.n_infinite++;
        else
            total.finite += s->now[y];
    }
    return total;
}

static bool is_better(const search_score *a, const search_score *b) {
    if (a->n_infinite != b->n_infinite)
        return a->n_infinite < b->n_infinite;
    return a->finite > b->finite + SCORE_TOLERANCE;
}

static status keep_best(greedy_state *s, error_info *err) {
    dag *copy = NULL;
    CHECK(dag_copy(s->current, &copy, err));
    dag_destroy(s->best);
    s->best = copy;
    return STATUS_OK;
}

/* Moves until none is left, or none of the last `tabu_patience` gave a new best score. */
static status climb(greedy_state *s, search_score *best_score, error_info *err) {
    size_t without_gain = 0;
    double least = s->tabu ? -INFINITY : SCORE_TOLERANCE;
    *best_score = total_score(s);
    while (!s->is_expired && (!s->tabu || without_gain < s->plan->tabu_patience)) {
        bool found = false;
        arc_move m;
        search_score total;
        CHECK(greedy_find_move(s, least, &found, &m, err));
        if (!found)
            break;
        CHECK(apply(s, &m, err));
        total = total_score(s);
        without_gain++;
        if (is_better(&total, best_score)) {
            *best_score = total;
            without_gain = 0;
            if (s->tabu)
                CHECK(keep_best(s, err));
        }
    }
    if (!s->tabu)
        CHECK(keep_best(s, err));
    return STATUS_OK;
}

status greedy_search(const dataset *data, const greedy_search_plan *plan, run_context *ctx, learner_result *result,
                     error_info *err) {
    AUTO(state_clear) greedy_state s = {.plan = plan, .ctx = ctx};
    search_score best;
    CHECK(state_init(&s, data, err));
    CHECK(climb(&s, &best, err));
    for (size_t y = 0; y < s.n; y++)
        CHECK(greedy_count_row(&s, y, err));
    return greedy_report(&plan->options, s.best, best.n_infinite > 0 ? -INFINITY : best.finite,
                         result->is_cut_short || s.is_expired, result, err);
}
