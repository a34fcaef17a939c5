/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best move, without scoring every move: rows whose ceiling does not pass the best gain so far are left as they
 * are. What is chosen is what scoring everything would choose.
 */
#include "core/base/array.h"
#include "learners/greedy/greedy_ahead_internal.h"

#include <math.h>

static bool is_tabu(const greedy_state *s, const arc_move *m) {
    return s->tabu && tabu_list_has(s->tabu, m);
}

/* A scan looks for the best gain, then, in a second pass, for the first move within the tolerance of it. */
typedef struct {
    bool found;
    arc_move best;  /* best.gain is -INFINITY before one is found */
    arc_move first; /* of the second pass; only where has_first */
    bool has_first;
} scan;

/* What a move must gain more than to be better than the best. */
static double floor_of(const greedy_state *s, const scan *sc) {
    return fmax(s->least, sc->best.gain);
}

static void offer(scan *sc, const arc_move *m) {
    if (m->gain > sc->best.gain) {
        sc->best = *m;
        sc->found = true;
    }
}

/* --- additions --- */

static arc_move addition(const greedy_state *s, size_t y, size_t at) {
    const scored_parent *p = &s->rows[y].found[at];
    return (arc_move){ARC_ADD, p->node, y, p->with - s->now[y]};
}

/* The gains of the best addition that is legal, and of the best that is not on the TABU list either, of those found. */
typedef struct {
    double legal;
    arc_move allowed;
} best_found;

static best_found find_in_row(const greedy_state *s, size_t y) {
    best_found best = {-INFINITY, {.gain = -INFINITY}};
    for (size_t i = 0; i < s->rows[y].n_found; i++) {
        arc_move m = addition(s, y, i);
        if (greedy_closes_cycle(s, y, &s->rows[y].found[i]))
            continue;
        best.legal = fmax(best.legal, m.gain);
        if (is_tabu(s, &m))
            continue;
        best.allowed = m;
        break;
    }
    return best;
}

/* Some candidate that was not found may gain as much. */
static bool may_be_more(const greedy_state *s, size_t y, double gain) {
    const candidate_row *row = &s->rows[y];
    return !row->is_evaluated || (row->rest > -INFINITY && greedy_rest_gain(s, y) >= gain);
}

/* The best addition of row y, if it gains more than the best so far. An addition on the TABU list counts for the row's
   ceiling, as it may leave the list again. The row is out of the way until restore_rows. */
static status visit_row(greedy_state *s, scan *sc, size_t y, error_info *err) {
    best_found best = {-INFINITY, {.gain = -INFINITY}};
    double rest;
    if (!s->rows[y].is_evaluated)
        CHECK(greedy_evaluate_row(s, y, err));
    for (; !s->is_expired; s->is_expired = run_context_is_expired(s->ctx)) {
        best = find_in_row(s, y);
        rest = greedy_rest_gain(s, y);
        if (!may_be_more(s, y, best.allowed.gain) || !(rest > floor_of(s, sc)))
            break;
        CHECK(greedy_evaluate_row(s, y, err));
    }
    if (s->is_expired)
        return STATUS_OK;
    if (best.allowed.gain > floor_of(s, sc))
        offer(sc, &best.allowed);
    rest = s->rows[y].rest > -INFINITY ? greedy_rest_gain(s, y) : -INFINITY;
    s->visited_keys[s->n_visited] = fmax(best.legal, rest); /* not NaN, as `legal` is not */
    s->visited[s->n_visited++] = y;
    row_heap_set(&s->additions, y, -INFINITY);
    greedy_ahead_ask(s, y);
    return STATUS_OK;
}

static void restore_rows(greedy_state *s) {
    for (size_t i = 0; i < s->n_visited; i++)
        row_heap_set(&s->additions, s->visited[i], s->visited_keys[i]);
    s->n_visited = 0;
}

static status look_at_stale_rows(greedy_state *s, error_info *err) {
    size_t done = 0;
    array_sort_sizes(s->stale, s->n_stale);
    while (done < s->n_stale && !s->is_expired) {
        size_t y = s->stale[done++];
        CHECK(greedy_look_at_row(s, y, err));
        s->is_expired = s->is_expired || run_context_is_expired_at(s->ctx, y);
    }
    s->n_stale = 0;
    return STATUS_OK;
}

static status find_best_addition(greedy_state *s, scan *sc, error_info *err) {
    CHECK(look_at_stale_rows(s, err));
    while (!s->is_expired && s->n > 0) {
        size_t y = row_heap_top(&s->additions);
        if (!(s->additions.keys[y] > floor_of(s, sc)))
            break;
        CHECK(visit_row(s, sc, y, err));
        s->is_expired = run_context_is_expired(s->ctx);
    }
    restore_rows(s);
    return STATUS_OK;
}

/* The addition into y from the lowest node that ties with the best move. */
static status find_first_in_row(greedy_state *s, scan *sc, size_t y, error_info *err) {
    double enough = sc->best.gain - SCORE_TOLERANCE;
    while (may_be_more(s, y, enough) && !s->is_expired)
        CHECK(greedy_evaluate_row(s, y, err));
    for (size_t i = 0; i < s->rows[y].n_found; i++) {
        arc_move m = addition(s, y, i);
        if (m.gain < enough)
            break;
        if (!(m.gain > s->least) || (sc->has_first && !arc_move_comes_first(&m, &sc->first)) ||
            greedy_closes_cycle(s, y, &s->rows[y].found[i]) || is_tabu(s, &m))
            continue;
        sc->first = m;
        sc->has_first = true;
    }
    return STATUS_OK;
}

/* --- deletions and reversals --- */

/* A gain that is of interest: in the first pass a better one, in the second one that ties with the best. */
static bool is_wanted(const greedy_state *s, const scan *sc, bool wants_first, double gain) {
    return gain > s->least && (wants_first ? gain >= sc->best.gain - SCORE_TOLERANCE : gain > sc->best.gain);
}

static void take(const greedy_state *s, scan *sc, bool wants_first, const arc_move *m) {
    if (!is_wanted(s, sc, wants_first, m->gain) || is_tabu(s, m))
        return;
    if (!wants_first) {
        offer(sc, m);
    } else if (!sc->has_first || arc_move_comes_first(m, &sc->first)) {
        sc->first = *m;
        sc->has_first = true;
    }
}

/* True if the arc may turn; that it may not holds until a path is lost. */
static bool may_be_reversed(const greedy_state *s, size_t x, size_t y, arc_scores *arc) {
    if (!arc->is_closed)
        arc->is_closed = !greedy_is_candidate(s, x, y) || ancestry_reaches_otherwise(s->above, x, y);
    return !arc->is_closed;
}

static double reversal_gain(const greedy_state *s, const arc_move *drop, const arc_scores *arc) {
    return drop->gain + (arc->back - s->now[drop->from]);
}

/* What the reversal gains at most, as far as it is not known to close a cycle. */
static double reversal_ceiling(const greedy_state *s, const arc_move *drop, const arc_scores *arc) {
    return arc->is_closed ? -INFINITY : reversal_gain(s, drop, arc);
}

static status scan_reversal(greedy_state *s, scan *sc, bool wants_first, const arc_move *drop, arc_scores *arc,
                            error_info *err) {
    size_t x = drop->from, y = drop->to;
    arc_move m = {ARC_REVERSE, x, y, 0};
    if (!is_wanted(s, sc, wants_first, reversal_ceiling(s, drop, arc)) || !may_be_reversed(s, x, y, arc))
        return STATUS_OK;
    if (!arc->is_back_exact)
        CHECK(greedy_score_with(s, x, y, &arc->back, err));
    arc->is_back_exact = true;
    m.gain = reversal_gain(s, drop, arc);
    if (!is_tabu(s, &m))
        greedy_ahead_foresee(s, &m, arc);
    take(s, sc, wants_first, &m);
    return STATUS_OK;
}

/* The reversal of x -> y asks for x with y as a parent, once. */
static status ask_for_reversal(greedy_state *s, size_t x, size_t y, arc_scores *arc, error_info *err) {
    candidate_row *row = &s->rows[x];
    if (arc->is_asked || !may_be_reversed(s, x, y, arc))
        return STATUS_OK;
    arc->is_asked = true;
    return ARRAY_PUSH(row->reversed, row->n_reversed, row->reversed_capacity, err, (uint32_t)y);
}

static status score_arc(greedy_state *s, size_t x, size_t y, arc_scores *arc, error_info *err) {
    if (isnan(arc->drop))
        CHECK(greedy_score_without(s, y, x, &arc->drop, err));
    if (!arc->is_back_exact)
        arc->back = s->rows[x].most;
    return STATUS_OK;
}

/* The ceiling of the arcs into y. Every row has been looked at. */
static status look_at_arcs(greedy_state *s, size_t y, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    arc_scores *arcs;
    double ceiling = -INFINITY;
    CHECK(greedy_arcs_of(s, y, &arcs, err));
    for (size_t i = 0; i < n_parents; i++) {
        arc_move drop = {ARC_DELETE, parents[i], y, 0};
        CHECK(score_arc(s, parents[i], y, &arcs[i], err));
        CHECK(ask_for_reversal(s, parents[i], y, &arcs[i], err));
        drop.gain = arcs[i].drop - s->now[y];
        greedy_ahead_foresee(s, &drop, &arcs[i]);
        ceiling = fmax(ceiling, fmax(drop.gain, reversal_ceiling(s, &drop, &arcs[i])));
    }
    s->rows[y].has_stale_arcs = false;
    row_heap_set(&s->arcs, y, ceiling);
    return STATUS_OK;
}

/* Deletions and reversals of the arcs into y. What was scored on the way makes their ceiling closer. */
static status scan_arcs_into(greedy_state *s, scan *sc, bool wants_first, size_t y, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    arc_scores *arcs;
    double ceiling = -INFINITY;
    CHECK(greedy_arcs_of(s, y, &arcs, err));
    for (size_t i = 0; i < n_parents; i++) {
        arc_move drop = {ARC_DELETE, parents[i], y, arcs[i].drop - s->now[y]};
        take(s, sc, wants_first, &drop);
        CHECK(scan_reversal(s, sc, wants_first, &drop, &arcs[i], err));
        ceiling = fmax(ceiling, fmax(drop.gain, reversal_ceiling(s, &drop, &arcs[i])));
    }
    row_heap_set(&s->arcs, y, ceiling);
    return STATUS_OK;
}

static status scan_arcs(greedy_state *s, scan *sc, bool wants_first, error_info *err) {
    double least = wants_first ? sc->best.gain - SCORE_TOLERANCE : floor_of(s, sc);
    size_t n = row_heap_list(&s->arcs, least, s->visited);
    for (size_t i = 0; i < n; i++) {
        size_t y = s->visited[i];
        if (is_wanted(s, sc, wants_first, s->arcs.keys[y]))
            CHECK(scan_arcs_into(s, sc, wants_first, y, err));
    }
    return STATUS_OK;
}

static status look_at_stale_arcs(greedy_state *s, error_info *err) {
    for (size_t i = 0; i < s->n_stale_arcs; i++)
        CHECK(look_at_arcs(s, s->stale_arcs[i], err));
    s->n_stale_arcs = 0;
    return STATUS_OK;
}

/* Additions come before all else: arcs matter where no addition ties with the best. */
static status find_first(greedy_state *s, scan *sc, error_info *err) {
    size_t n = row_heap_list(&s->additions, sc->best.gain - SCORE_TOLERANCE, s->visited);
    for (size_t i = 0; i < n; i++)
        CHECK(find_first_in_row(s, sc, s->visited[i], err));
    if (!sc->has_first && !s->is_expired)
        CHECK(scan_arcs(s, sc, true, err));
    return STATUS_OK;
}

status greedy_find_move(greedy_state *s, bool *found, arc_move *out, error_info *err) {
    scan sc = {.best.gain = -INFINITY};
    *found = false;
    CHECK(find_best_addition(s, &sc, err));
    if (s->is_expired)
        return STATUS_OK;
    CHECK(look_at_stale_arcs(s, err));
    CHECK(scan_arcs(s, &sc, false, err));
    if (!sc.found)
        return STATUS_OK;
    CHECK(find_first(s, &sc, err));
    *out = sc.first;
    *found = sc.has_first && !s->is_expired;
    return STATUS_OK;
}
