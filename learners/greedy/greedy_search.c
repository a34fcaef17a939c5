/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy search over DAGs: Heckerman, Geiger, Chickering 1995, and with a TABU list of structures Friedman, Nachman,
 * Pe'er 1999. The best legal addition, deletion or reversal of an arc is made again and again; greedy_moves.c finds it
 * by what greedy_rows.c knows. `now` is always the local score of each node with its present parents, and `above`
 * who is whose ancestor.
 */
#include "learners/greedy/greedy_search.h"

#include "core/base/array.h"
#include "learners/greedy/greedy_ahead_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void state_clear(greedy_state *s) {
    greedy_ahead_stop(s);
    if (s->scorer)
        score_lend_tables(s->scorer, NULL);
    dag_destroy(s->best);
    free(s->after_best);
    ancestry_destroy(s->above);
    supports_destroy(s->supports);
    tabu_list_destroy(s->tabu);
    greedy_rows_clear(s);
    greedy_count_end(s);
    crew_destroy(s->threads);
    greedy_counts_clear(s);
    score_destroy(s->own_scorer);
    dag_destroy(s->current);
    reach_history_destroy(s->past);
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
            if (!greedy_is_candidate(s, y, parents[i]))
                return error_set(err, STATUS_INVALID, "the start has the arc %zu -> %zu, which is not allowed",
                                 parents[i], y);
            CHECK(dag_add_arc(s->current, parents[i], y, err));
            ancestry_arc_added(s->above, parents[i], y);
            supports_arc_added(s->supports, parents[i], y);
            CHECK(reach_history_add_arc(s->past, parents[i], y, err));
        }
    }
    return STATUS_OK;
}

static status make_start(greedy_state *s, error_info *err) {
    CHECK(dag_create(s->n, &s->current, err));
    CHECK(ancestry_create(s->current, ANCESTRY_MAX_BESIDE_SUPPORTS, &s->above, err));
    if (!ancestry_has_rows(s->above))
        CHECK(supports_create(s->current, &s->supports, err));
    ancestry_lend_supports(s->above, s->supports);
    CHECK(reach_history_create(s->n, &s->past, err));
    if (s->plan->start)
        CHECK(add_start_arcs(s, s->plan->start, err));
    for (size_t y = 0; y < s->n; y++) {
        size_t n_parents;
        const size_t *parents = dag_parents(s->current, y, &n_parents);
        greedy_forget_row(s, y, SIZE_MAX);
        CHECK(score_node(s->scorer, y, parents, n_parents, &s->now[y], err));
    }
    return s->plan->tabu_length > 0 ? tabu_list_create(s->plan->tabu_length, &s->tabu, err) : STATUS_OK;
}

static status make_start_and_survey(greedy_state *s, error_info *err) {
    CHECK(make_start(s, err));
    return greedy_survey(s, err);
}

/* Where there is another thread, it makes the lanes first, and takes part in the survey from then on. */
static status make_all_rows(greedy_state *s, error_info *err) {
    status st, lanes;
    if (!s->threads || crew_size(s->threads) < 2) {
        CHECK(greedy_make_lanes(s, 0, err));
        return make_start_and_survey(s, err);
    }
    crew_begin(s->threads, greedy_make_lanes, s);
    st = make_start_and_survey(s, err);
    lanes = crew_end(s->threads, st == STATUS_OK ? err : NULL);
    return st == STATUS_OK ? lanes : st;
}

static status state_init(greedy_state *s, const dataset *data, error_info *err) {
    s->data = data;
    s->n = dataset_column_count(data);
    s->least = s->plan->tabu_length > 0 ? -INFINITY : SCORE_TOLERANCE;
    CHECK(make_scorer(s, data, err));
    CHECK(greedy_rows_init(s, err));
    CHECK(make_all_rows(s, err));
    return greedy_rows_init_worker(s, err);
}

/* --- the search --- */

/* x reaches z no more: z may be added into x, and arcs into z may be reversed. */
static status lose(void *self, size_t x, size_t z, error_info *err) {
    greedy_state *s = self;
    scored_parent *candidate = greedy_find_candidate(s, x, z);
    if (candidate)
        candidate->note = 0;
    greedy_touch_row(s, x);
    greedy_open_arcs(s, x, z);
    supports_lose(s->supports, x, z);
    return reach_history_lose(s->past, x, z, err);
}

/* The arc went: more may be added into whoever reaches less; and more arcs reversed into what is reached by fewer, and
   from `from`, which has a child less to reach their heads by. */
static status free_moves(greedy_state *s, size_t from, size_t to, error_info *err) {
    loss_listener listener = {s, lose};
    size_t n;
    const size_t *children = dag_children(s->current, from, &n);
    for (size_t i = 0; i < n; i++)
        greedy_open_arc(s, from, children[i]);
    CHECK(ancestry_arc_removed_told(s->above, from, to, &listener, err));
    greedy_lock_graph(s);
    supports_go_on(s->supports);
    greedy_unlock_graph(s);
    return STATUS_OK;
}

/* The local score of y with x toggled among its parents. */
static status score_toggled(greedy_state *s, size_t y, size_t x, double *out, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    arc_scores *arcs;
    if (!dag_has_arc(s->current, x, y))
        return greedy_score_with(s, y, x, out, err);
    CHECK(greedy_arcs_of(s, y, &arcs, err));
    *out = arcs[array_count_below(parents, n_parents, x)].drop;
    return STATUS_OK;
}

static status toggle_arc(greedy_state *s, size_t x, size_t y, error_info *err) {
    if (!dag_has_arc(s->current, x, y)) {
        CHECK(dag_add_arc(s->current, x, y, err));
        supports_arc_added(s->supports, x, y);
        return reach_history_add_arc(s->past, x, y, err);
    }
    CHECK(dag_remove_arc(s->current, x, y, err));
    supports_arc_removed(s->supports);
    reach_history_remove_arc(s->past, x, y);
    return STATUS_OK;
}

static status toggle_parent(greedy_state *s, size_t y, size_t x, error_info *err) {
    double now = 0;
    status st;
    CHECK(score_toggled(s, y, x, &now, err));
    CHECK(greedy_count_row(s, y, err));
    s->now[y] = now;
    greedy_lock_graph(s);
    st = toggle_arc(s, x, y, err);
    greedy_forget_row(s, y, x);
    greedy_unlock_graph(s);
    CHECK(st);
    if (dag_has_arc(s->current, x, y))
        ancestry_arc_added(s->above, x, y);
    else
        CHECK(free_moves(s, x, y, err));
    greedy_ahead_forget_reversals(s, y);
    return STATUS_OK;
}

static status apply(greedy_state *s, const arc_move *m, error_info *err) {
    CHECK(toggle_parent(s, m->to, m->from, err));
    if (m->kind == ARC_REVERSE)
        CHECK(toggle_parent(s, m->from, m->to, err));
    if (s->tabu)
        tabu_list_push(s->tabu, m);
    return STATUS_OK;
}

/* Nodes without a density (a constant column has none under a Gaussian score) would hide what the others gain. */
typedef struct {
    size_t n_infinite;
    double finite, size; /* the sum of the finite ones, and of their absolutes */
} search_score;

static double finite_size(double value) {
    return isinf(value) ? 0 : fabs(value);
}

static search_score total_score(const greedy_state *s) {
    search_score total = {0, 0, 0};
    for (size_t y = 0; y < s->n; y++) {
        if (isinf(s->now[y]))
            total.n_infinite++;
        else
            total.finite += s->now[y];
        total.size += finite_size(s->now[y]);
    }
    return total;
}

static bool is_better(const search_score *a, const search_score *b) {
    if (a->n_infinite != b->n_infinite)
        return a->n_infinite < b->n_infinite;
    return a->finite > b->finite + SCORE_TOLERANCE;
}

static status undo(dag *g, const arc_move *m, error_info *err) {
    if (m->kind == ARC_ADD)
        return dag_remove_arc(g, m->from, m->to, err);
    if (m->kind == ARC_REVERSE)
        CHECK(dag_remove_arc(g, m->to, m->from, err));
    return dag_add_arc(g, m->from, m->to, err);
}

/* The best graph is the present one without the moves that came after it. */
static status make_best(greedy_state *s, error_info *err) {
    CHECK(dag_copy(s->current, &s->best, err));
    for (size_t i = s->n_after_best; i-- > 0;)
        CHECK(undo(s->best, &s->after_best[i], err));
    return STATUS_OK;
}

/* The best score so far, which is made up only where it must be known: a sum over all nodes takes longer than a move.
 */
typedef struct {
    search_score score;
    bool is_known;   /* else it is that of the present graph; its size is right all the same */
    bool is_current; /* the present graph has it */
} best_score;

static void settle_best(const greedy_state *s, best_score *best) {
    if (!best->is_known)
        best->score = total_score(s);
    best->is_known = true;
}

/* A gain that no rounding of two sums can hide: n - 1 roundings of at most half an epsilon of the sum of absolutes each
   (Higham 2002, Accuracy and Stability of Numerical Algorithms, section 4.2). The scores of the move itself may be a
   little off, too. */
static bool is_plain(const greedy_state *s, const best_score *best, double gain) {
    enum { MARGIN = 2 };
    double hidden = MARGIN * (double)s->n * DBL_EPSILON * best->score.size;
    return gain > fmax(hidden, 0.01) + SCORE_TOLERANCE && gain < INFINITY;
}

static double size_of_ends(const greedy_state *s, const arc_move *m) {
    return finite_size(s->now[m->to]) + (m->kind == ARC_REVERSE ? finite_size(s->now[m->from]) : 0);
}

static status apply_plain(greedy_state *s, const arc_move *m, best_score *best, error_info *err) {
    double before = size_of_ends(s, m);
    CHECK(apply(s, m, err));
    best->is_known = false;
    best->score.size += size_of_ends(s, m) - before;
    return STATUS_OK;
}

/* Makes the move; true into `*is_gain` where no score before was as good. */
static status make_move(greedy_state *s, const arc_move *m, best_score *best, bool *is_gain, error_info *err) {
    search_score total;
    *is_gain = best->is_current && is_plain(s, best, m->gain);
    if (*is_gain)
        return apply_plain(s, m, best, err);
    settle_best(s, best);
    CHECK(apply(s, m, err));
    total = total_score(s);
    *is_gain = is_better(&total, &best->score);
    best->is_current = *is_gain;
    if (*is_gain) {
        best->score = total;
        s->n_after_best = 0;
    } else if (s->tabu) {
        CHECK(ARRAY_PUSH(s->after_best, s->n_after_best, s->after_best_capacity, err, *m));
    }
    return STATUS_OK;
}

/* Moves until none is left, or none of the last `tabu_patience` gave a new best score. */
static status climb(greedy_state *s, search_score *out, error_info *err) {
    size_t without_gain = 0;
    best_score best = {.is_current = true};
    settle_best(s, &best);
    while (!s->is_expired && (!s->tabu || without_gain < s->plan->tabu_patience)) {
        bool found = false, is_gain = false;
        arc_move m;
        CHECK(greedy_find_move(s, &found, &m, err));
        if (!found)
            break;
        CHECK(make_move(s, &m, &best, &is_gain, err));
        without_gain = is_gain ? 0 : without_gain + 1;
    }
    settle_best(s, &best);
    *out = best.score;
    return make_best(s, err);
}

status greedy_search(const dataset *data, const greedy_search_plan *plan, run_context *ctx, learner_result *result,
                     error_info *err) {
    AUTO(state_clear) greedy_state s = {.plan = plan, .ctx = ctx};
    search_score best;
    CHECK(state_init(&s, data, err));
    CHECK(greedy_ahead_start(&s, err));
    CHECK(climb(&s, &best, err));
    greedy_ahead_stop(&s);
    CHECK(greedy_count_rest(&s, err));
    return greedy_report(&plan->options, s.best, best.n_infinite > 0 ? -INFINITY : best.finite,
                         result->is_cut_short || s.is_expired, result, err);
}
