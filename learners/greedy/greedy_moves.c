/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best move, without scoring every move: a candidate whose upper bound does not pass the best gain so far is left
 * as it is, and so is a row whose ceiling does not. What is chosen is what scoring everything would choose.
 */
#include "learners/greedy/greedy_bounds_internal.h"

#include <math.h>

enum { BOUND_MIN_OPEN = 64 }; /* with fewer candidates to score, preparing for closer bounds does not pay */

static arc_change change_of(const arc_move *m) {
    switch (m->kind) {
    case ARC_ADD:
        return (arc_change){.add_from = m->from, .add_to = m->to};
    case ARC_DELETE:
        return (arc_change){.drop_from = m->from, .drop_to = m->to};
    case ARC_REVERSE:
        break;
    }
    return (arc_change){m->from, m->to, m->to, m->from};
}

static bool is_tabu(const greedy_state *s, const arc_move *m) {
    arc_change change = change_of(m);
    return s->tabu && tabu_list_has(s->tabu, &change);
}

/* A scan looks for the best gain, then, in a second pass, for the first move within the tolerance of it. */
typedef struct {
    double least; /* a move must gain more */
    bool found;
    arc_move best;  /* best.gain is -INFINITY before one is found */
    arc_move first; /* of the second pass; only where has_first */
    bool has_first;
} scan;

/* --- additions --- */

static double gain_at(const greedy_state *s, size_t y, size_t at) {
    return s->rows[y].with[at] - s->now[y];
}

/* Candidates with these marks are not there to be added; the rest may be illegal. */
static bool may_be_added(const greedy_state *s, size_t y, size_t at) {
    const candidate_row *row = &s->rows[y];
    size_t x = greedy_node(row, at);
    return x != y && !(row->known[at] & GREEDY_PARENT) && !ancestry_reaches(s->above, y, x);
}

/* The gain of the addition where it may pass `floor`; else at least a bound that does not. */
static status score_addition(greedy_state *s, size_t y, size_t at, double floor, bool uses_bounds, error_info *err) {
    candidate_row *row = &s->rows[y];
    size_t x = greedy_node(row, at), n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    double value;
    bool is_exact = true;
    row->known[at] |= GREEDY_ASKED;
    if (uses_bounds && greedy_known(row, at) == KNOWN_CEILING)
        CHECK(score_node_above(s->scorer, y, parents, n_parents, x, s->now[y] + floor, &value, &is_exact, err));
    else
        CHECK(score_node_fresh(s->scorer, y, parents, n_parents, x, &value, err));
    greedy_learn(row, at, value, is_exact ? KNOWN_EXACTLY : KNOWN_BOUND);
    s->is_expired = s->is_expired || run_context_is_expired_at(s->ctx, at);
    return STATUS_OK;
}

/* How many candidates would have to be scored to know the best above `floor`. */
static size_t count_open(const greedy_state *s, size_t y, double floor) {
    const candidate_row *row = &s->rows[y];
    size_t n = 0;
    for (size_t i = 0; i < row->n; i++)
        n += greedy_known(row, i) == KNOWN_CEILING && gain_at(s, y, i) > floor;
    return n;
}

static void offer(scan *sc, const arc_move *m) {
    if (m->gain > sc->best.gain) {
        sc->best = *m;
        sc->found = true;
    }
}

/* The best legal addition of row y, if it gains more than the best so far. An addition on the TABU list counts for the
   row's ceiling, as it may leave the list again, and hides no other. */
static status scan_row(greedy_state *s, scan *sc, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    double ceiling = -INFINITY, allowed = -INFINITY, floor = fmax(sc->least, sc->best.gain);
    bool uses_bounds = count_open(s, y, floor) >= BOUND_MIN_OPEN;
    size_t top = row->n;
    for (size_t i = 0; i < row->n && !s->is_expired; i++) {
        arc_move m = {ARC_ADD, greedy_node(row, i), y, gain_at(s, y, i)};
        if (!(m.gain > allowed) || greedy_known(row, i) == KNOWN_NOTHING || !may_be_added(s, y, i))
            continue;
        floor = fmax(sc->least, sc->best.gain);
        if (m.gain > floor && !greedy_is_exact(row, i)) {
            CHECK(score_addition(s, y, i, floor, uses_bounds, err));
            m.gain = gain_at(s, y, i);
        }
        if (m.gain > ceiling) {
            ceiling = m.gain;
            top = i;
        }
        if (!(m.gain > allowed) || (m.gain > floor && is_tabu(s, &m)))
            continue;
        allowed = m.gain;
        if (m.gain > floor)
            offer(sc, &m);
    }
    s->ceiling[y] = ceiling;
    row->is_settled = top < row->n && greedy_is_exact(row, top);
    row->top = top;
    return STATUS_OK;
}

/* The row's best addition is known and still legal: no need to look at the others. */
static bool offer_settled(const greedy_state *s, scan *sc, size_t y) {
    const candidate_row *row = &s->rows[y];
    arc_move m;
    if (!row->is_settled || !may_be_added(s, y, row->top))
        return false;
    m = (arc_move){ARC_ADD, greedy_node(row, row->top), y, gain_at(s, y, row->top)};
    if (is_tabu(s, &m))
        return false;
    if (m.gain > sc->least)
        offer(sc, &m);
    return true;
}

/* The row with the highest ceiling of those not yet visited in this round; n where none may hold a better move. */
static size_t next_row(const greedy_state *s, const scan *sc) {
    double highest = fmax(sc->least, sc->best.gain);
    size_t at = s->n;
    for (size_t y = 0; y < s->n; y++) {
        if (s->ceiling[y] > highest && s->visit[y] != s->round) {
            highest = s->ceiling[y];
            at = y;
        }
    }
    return at;
}

static status find_best_addition(greedy_state *s, scan *sc, error_info *err) {
    s->round++;
    for (size_t y = 0; y < s->n && !s->is_expired; y++) {
        if (!s->rows[y].is_stale)
            continue;
        CHECK(greedy_look_at_row(s, y, err));
        s->is_expired = s->is_expired || run_context_is_expired_at(s->ctx, y);
    }
    for (size_t y; !s->is_expired && (y = next_row(s, sc)) < s->n;) {
        s->visit[y] = s->round;
        if (!offer_settled(s, sc, y))
            CHECK(scan_row(s, sc, y, err));
        s->is_expired = run_context_is_expired(s->ctx);
    }
    return STATUS_OK;
}

/* The addition into y from the lowest node that ties with the best move; nodes from `end` on do not matter. */
static status find_first_in_row(greedy_state *s, scan *sc, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    double enough = sc->best.gain - SCORE_TOLERANCE;
    for (size_t i = 0; i < row->n; i++) {
        arc_move m = {ARC_ADD, greedy_node(row, i), y, gain_at(s, y, i)};
        if (sc->has_first && !arc_move_comes_first(&m, &sc->first))
            break;
        if (!(m.gain >= enough && m.gain > sc->least) || greedy_known(row, i) == KNOWN_NOTHING ||
            !may_be_added(s, y, i))
            continue;
        if (!greedy_is_exact(row, i)) {
            CHECK(score_addition(s, y, i, -INFINITY, false, err));
            m.gain = gain_at(s, y, i);
        }
        if (m.gain >= enough && m.gain > sc->least && !is_tabu(s, &m)) {
            sc->first = m;
            sc->has_first = true;
            break;
        }
    }
    return STATUS_OK;
}

/* --- deletions and reversals --- */

/* A gain that is of interest: in the first pass a better one, in the second one that ties with the best. */
static bool is_wanted(const scan *sc, bool wants_first, double gain) {
    return gain > sc->least && (wants_first ? gain >= sc->best.gain - SCORE_TOLERANCE : gain > sc->best.gain);
}

static void take(const greedy_state *s, scan *sc, bool wants_first, const arc_move *m) {
    if (!is_wanted(sc, wants_first, m->gain) || is_tabu(s, m))
        return;
    if (!wants_first) {
        offer(sc, m);
    } else if (!sc->has_first || arc_move_comes_first(m, &sc->first)) {
        sc->first = *m;
        sc->has_first = true;
    }
}

/* The position of y in x's row where x -> y may be reversed, else the row's length. */
static size_t position_back(const greedy_state *s, size_t x, size_t y) {
    size_t at = greedy_position(&s->rows[x], y);
    return ancestry_reaches_otherwise(s->above, x, y) ? s->rows[x].n : at;
}

static status scan_reversal(greedy_state *s, scan *sc, bool wants_first, const arc_move *drop, error_info *err) {
    size_t x = drop->from, y = drop->to, back = greedy_position(&s->rows[x], y);
    arc_move m = {ARC_REVERSE, x, y, 0};
    double with;
    if (back == s->rows[x].n || !is_wanted(sc, wants_first, drop->gain + gain_at(s, x, back)) ||
        position_back(s, x, y) == s->rows[x].n)
        return STATUS_OK;
    CHECK(greedy_toggled(s, x, back, &with, err));
    m.gain = drop->gain + (with - s->now[x]);
    take(s, sc, wants_first, &m);
    return STATUS_OK;
}

/* The ceiling of the arcs into y. Every row has been looked at. */
static status look_at_arcs(greedy_state *s, size_t y, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    double ceiling = -INFINITY, with;
    for (size_t i = 0; i < n_parents; i++) {
        size_t x = parents[i], back = position_back(s, x, y);
        double drop;
        CHECK(greedy_toggled(s, y, greedy_position(&s->rows[y], x), &with, err));
        drop = with - s->now[y];
        ceiling = fmax(ceiling, drop);
        if (back == s->rows[x].n)
            continue;
        s->rows[x].known[back] |= GREEDY_ASKED;
        ceiling = fmax(ceiling, drop + gain_at(s, x, back));
    }
    s->arc_ceiling[y] = ceiling;
    s->rows[y].has_stale_arcs = false;
    return STATUS_OK;
}

/* Deletions and reversals of the arcs into y. */
static status scan_arcs_into(greedy_state *s, scan *sc, bool wants_first, size_t y, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        arc_move drop = {ARC_DELETE, parents[i], y, 0};
        double with;
        CHECK(greedy_toggled(s, y, greedy_position(&s->rows[y], parents[i]), &with, err));
        drop.gain = with - s->now[y];
        take(s, sc, wants_first, &drop);
        CHECK(scan_reversal(s, sc, wants_first, &drop, err));
    }
    return STATUS_OK;
}

static status scan_arcs(greedy_state *s, scan *sc, bool wants_first, error_info *err) {
    for (size_t y = 0; y < s->n; y++) {
        if (s->rows[y].has_stale_arcs)
            CHECK(look_at_arcs(s, y, err));
        if (is_wanted(sc, wants_first, s->arc_ceiling[y]))
            CHECK(scan_arcs_into(s, sc, wants_first, y, err));
    }
    return STATUS_OK;
}

/* Additions come before all else: arcs matter where no addition ties with the best. */
static status find_first(greedy_state *s, scan *sc, error_info *err) {
    for (size_t y = 0; y < s->n; y++) {
        if (s->ceiling[y] >= sc->best.gain - SCORE_TOLERANCE)
            CHECK(find_first_in_row(s, sc, y, err));
    }
    if (!sc->has_first)
        CHECK(scan_arcs(s, sc, true, err));
    return STATUS_OK;
}

status greedy_find_move(greedy_state *s, double least, bool *found, arc_move *out, error_info *err) {
    scan sc = {.least = least, .best.gain = -INFINITY};
    *found = false;
    CHECK(find_best_addition(s, &sc, err));
    if (s->is_expired)
        return STATUS_OK;
    CHECK(scan_arcs(s, &sc, false, err));
    if (!sc.found)
        return STATUS_OK;
    CHECK(find_first(s, &sc, err));
    *out = sc.first;
    *found = sc.has_first;
    return STATUS_OK;
}
