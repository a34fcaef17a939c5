/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy equivalence search with operators that are scored once and kept: Chickering 2002, JMLR 3, 507-554.
 *
 * An arrow's gain depends on Pa(Y), on its clique and on X alone. So it stays right until Y has other parents or
 * neighbours, or there are other cliques among its neighbours, and then all arrows into Y are scored anew. What else
 * its validity depends on (NA(Y, X), paths) is looked at when it is taken from the heap, or from those that are open.
 * This misses none: while Y's surroundings stay, NA(Y, X) only grows in the forward phase and only shrinks in the
 * backward phase, and with it only fewer cliques are valid.
 */
#include "learners/ges/ges_search_internal.h"

#include "learners/ges/ges_pairs_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the first arcs into a node, those from itself and later nodes are left out. */
static bool is_left_out(void *search, size_t y, size_t x) {
    (void)search;
    return x >= y;
}

static size_t list_left_out(void *search, size_t y, size_t *out) {
    const ges_search *s = search;
    for (size_t x = y; x < s->n; x++)
        out[x - y] = x;
    return s->n - y;
}

/* Counts the first arcs as asked for one by one: of each node, those from the nodes before it. */
static status count_first_arcs(ges_search *s, error_info *err) {
    const left_out_source source = {s, is_left_out, list_left_out, true};
    for (size_t y = 0; y < s->n; y++) {
        size_t n_known;
        CHECK(score_count_additions_recalled(s->plan->scorer, y, NULL, 0, &source, y, &n_known, err));
        score_count_recalled(s->plan->scorer, y, n_known);
    }
    return STATUS_OK;
}

static status score_first_arcs(ges_search *s, error_info *err) {
    CHECK(ges_pairs_begin(&s->rows, s->first_arcs, err));
    for (size_t y = 0; y < s->n; y++)
        CHECK(score_node(s->plan->scorer, y, NULL, 0, &s->first_arcs[y]->without, err));
    CHECK(count_first_arcs(s, err));
    return ges_pairs_end(&s->rows, &s->is_expired, err);
}

static status rows_init(ges_search *s, error_info *err) {
    AUTO_FREE score **scorers = calloc(s->plan->n_helpers + 1, sizeof *scorers);
    CHECK_ALLOC(scorers);
    scorers[0] = s->plan->scorer;
    for (size_t i = 0; i < s->plan->n_helpers; i++)
        scorers[i + 1] = s->plan->helpers[i];
    return ges_rows_init(&s->rows, scorers, s->plan->n_helpers + 1, s->n, s->ctx, err);
}

status ges_search_init(ges_search *s, const ges_plan *plan, run_context *ctx, size_t n_nodes, error_info *err) {
    *s = (ges_search){.plan = plan, .ctx = ctx, .n = n_nodes, .n_words = n_nodes / 64 + 1};
    if (n_nodes > UINT32_MAX)
        return error_out_of_memory(err);
    CHECK(ges_graph_init(&s->graph, n_nodes, err));
    CHECK(ges_scratch_init(&s->scratch, n_nodes, err));
    CHECK(rows_init(s, err));
    CHECK_ALLOC(s->first_arcs = calloc(n_nodes + 1, sizeof(ges_row *)));
    CHECK(ges_waiting_init(&s->blocked, n_nodes, err));
    CHECK_ALLOC(s->stamp = calloc(n_nodes + 1, sizeof *s->stamp));
    CHECK_ALLOC(s->n_arrows = calloc(n_nodes + 1, sizeof *s->n_arrows));
    return score_first_arcs(s, err);
}

static void close_streams(ges_search *s) {
    for (size_t i = 0; i < s->n_streams; i++)
        ges_stream_close(s, i);
    s->n_streams = s->n_read = 0;
}

void ges_search_clear(ges_search *s) {
    ges_graph_clear(&s->graph);
    ges_arrows_clear(&s->arrows);
    ges_waiting_clear(&s->blocked);
    ges_sets_clear(&s->cliques);
    close_streams(s);
    free(s->streams);
    ges_rows_clear(&s->rows);
    for (size_t y = 0; s->first_arcs && y < s->n; y++)
        ges_row_release(s->first_arcs[y]);
    free(s->first_arcs);
    ges_scratch_clear(&s->scratch);
    free(s->stamp);
    free(s->n_arrows);
    *s = (ges_search){0};
}

/* --- the operator of an arrow --- */

/* a without b, both ascending; the size. */
static size_t difference(const size_t *a, size_t n_a, const size_t *b, size_t n_b, size_t *out) {
    size_t n = 0, k = 0;
    for (size_t i = 0; i < n_a; i++) {
        while (k < n_b && b[k] < a[i])
            k++;
        if (k == n_b || b[k] != a[i])
            out[n++] = a[i];
    }
    return n;
}

/* Insert(X, Y, T) of an arrow, T into `set`; false where NA(Y, X) has outgrown the clique, or X and Y are adjacent. */
static bool as_insert(const ges_search *s, const ges_arrow *a, size_t *set, ges_operator *op) {
    size_t n_clique, n_shared;
    const size_t *clique = ges_sets_get(&s->cliques, a->clique, &n_clique);
    size_t *shared = s->scratch.set[2];
    if (pdag_edge_between(s->graph.class.cpdag, a->x, a->y) != EDGE_NONE)
        return false;
    if (ges_is_full(s, a->x) || ges_is_full(s, a->y))
        return false;
    n_shared = ges_graph_shared(&s->graph, a->y, a->x, shared);
    *op = (ges_operator){a->x, a->y, set, difference(clique, n_clique, shared, n_shared, set)};
    return op->n_set == n_clique - n_shared && n_shared <= n_clique;
}

/* Delete(X, Y, H) likewise; false where NA(Y, X) has lost a node of the clique, or X and Y are not adjacent. */
static bool as_delete(const ges_search *s, const ges_arrow *a, size_t *set, ges_operator *op) {
    size_t n_clique, n_shared;
    const size_t *clique = ges_sets_get(&s->cliques, a->clique, &n_clique);
    size_t *shared = s->scratch.set[2];
    if (pdag_edge_between(s->graph.class.cpdag, a->x, a->y) == EDGE_NONE)
        return false;
    n_shared = ges_graph_shared(&s->graph, a->y, a->x, shared);
    *op = (ges_operator){a->x, a->y, set, difference(shared, n_shared, clique, n_clique, set)};
    return n_clique <= n_shared && op->n_set == n_shared - n_clique;
}

static bool as_operator(const ges_search *s, ges_phase phase, const ges_arrow *a, size_t *set, ges_operator *op) {
    if (a->stamp != s->stamp[a->y])
        return false;
    return phase == GES_INSERT ? as_insert(s, a, set, op) : as_delete(s, a, set, op);
}

/* Insertions wait while a semi-directed path from Y to X is in the way. */
static bool is_blocked(ges_search *s, ges_phase phase, const ges_arrow *a) {
    size_t n_clique;
    const size_t *clique;
    if (phase != GES_INSERT)
        return false;
    clique = ges_sets_get(&s->cliques, a->clique, &n_clique);
    return ges_graph_reaches(&s->graph, a->y, a->x, clique, n_clique);
}

/* Directly after is_blocked. */
static status keep_blocked(ges_search *s, const ges_arrow *a, error_info *err) {
    size_t *path = s->scratch.set[2], n = ges_graph_path(&s->graph, a->y, a->x, path);
    return ges_waiting_add(&s->blocked, a, path, n, err);
}

/* --- the best operator --- */

/* X, then Y, then the set, lexicographically. */
static bool comes_first(const ges_operator *a, const ges_operator *b) {
    if (a->x != b->x)
        return a->x < b->x;
    if (a->y != b->y)
        return a->y < b->y;
    for (size_t i = 0; i < a->n_set && i < b->n_set; i++) {
        if (a->set[i] != b->set[i])
            return a->set[i] < b->set[i];
    }
    return a->n_set < b->n_set;
}

typedef struct {
    bool found;
    double best;         /* the largest gain of a valid operator */
    ges_candidate first; /* of those that tie with it; its operator, whose set is one of scratch.set: */
    ges_operator op;
} choice;

/* Of the open but the first n, the one that gains most, where no arrow of the heap gains more; else n_open. */
static size_t find_open(const ges_search *s, size_t n) {
    size_t best = s->n_open;
    for (size_t i = n; i < s->n_open; i++) {
        if (best == s->n_open || s->open[i].arrow.gain > s->open[best].arrow.gain)
            best = i;
    }
    if (best < s->n_open && s->arrows.count > 0 && s->arrows.items[0].gain > s->open[best].arrow.gain)
        return s->n_open;
    return best;
}

/* The first of these and of the heap; NULL: there is none. */
static const ges_arrow *first_arrow(const ges_search *s, size_t n) {
    size_t at = find_open(s, n);
    if (at < s->n_open)
        return &s->open[at].arrow;
    return s->arrows.count > 0 ? s->arrows.items : NULL;
}

/* Is it as good as the best within the tolerance? */
static bool has_candidate(const ges_search *s, size_t n, const choice *c) {
    const ges_arrow *first = first_arrow(s, n);
    return first && !s->is_expired && (!c->found || first->gain >= c->best - SCORE_TOLERANCE);
}

static bool would_win(const choice *c, const ges_operator *op) {
    return !c->found || comes_first(op, &c->op);
}

/* The choice is another; the one before is among the losers. */
static status take(choice *c, const ges_candidate *a, const ges_operator *op, ges_arrows *losers, error_info *err) {
    status st = c->found ? ges_arrows_append(losers, &c->first.arrow, err) : (status)STATUS_OK;
    c->best = c->found ? c->best : a->arrow.gain;
    c->found = true;
    c->first = *a;
    c->op = *op;
    return st;
}

/* The first arrow of the heap, by itself; behind one of a stream, the stream's next joins the heap. */
static status pop_arrow(ges_search *s, ges_arrow *out, error_info *err) {
    size_t stream;
    *out = ges_arrows_pop(&s->arrows);
    stream = out->stream;
    out->stream = GES_NO_STREAM;
    if (stream == GES_NO_STREAM)
        return STATUS_OK;
    if (out->stamp == s->stamp[out->y])
        return ges_stream_advance(s, stream, err);
    ges_stream_close(s, stream);
    return STATUS_OK;
}

static ges_candidate take_open(ges_search *s, size_t at) {
    ges_candidate taken = s->open[at];
    s->n_open--;
    memmove(s->open + at, s->open + at + 1, (s->n_open - at) * sizeof *s->open);
    return taken;
}

/* The first arrow, of which there is one. */
static status take_arrow(ges_search *s, size_t n, ges_candidate *out, error_info *err) {
    size_t at = find_open(s, n);
    if (at < s->n_open) {
        *out = take_open(s, at);
        return STATUS_OK;
    }
    out->is_foreseen = out->is_free = false;
    return pop_arrow(s, &out->arrow, err);
}

/* Will the arrow be scored anew once the first n of those that are open are inserted? */
static bool depends_on_open(const ges_search *s, const ges_arrow *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a->y == s->open[i].arrow.y || a->y == s->open[i].arrow.x)
            return true;
    }
    return false;
}

/* Takes arrows until what is left gains less than the best valid one. Of many that tie, paths are looked for only where
 * an arrow would win. The first n that are open stay, and those alone are taken that do not depend on them, as long as
 * no more than `most` were in vain. */
static status choose_beside(ges_search *s, ges_phase phase, size_t n, size_t most, choice *c, error_info *err) {
    AUTO(ges_arrows_clear) ges_arrows losers = {0};
    *c = (choice){0};
    while (has_candidate(s, n, c) && losers.count <= most) {
        ges_candidate a;
        ges_operator op;
        size_t *set = c->found && c->op.set == s->scratch.set[0] ? s->scratch.set[1] : s->scratch.set[0];
        CHECK(take_arrow(s, n, &a, err));
        s->is_expired = s->is_expired || run_context_is_expired(s->ctx);
        if (!as_operator(s, phase, &a.arrow, set, &op))
            continue;
        if (depends_on_open(s, &a.arrow, n) || !would_win(c, &op))
            CHECK(ges_arrows_append(&losers, &a.arrow, err));
        else if (!a.is_free && is_blocked(s, phase, &a.arrow))
            CHECK(keep_blocked(s, &a.arrow, err));
        else
            CHECK(take(c, &a, &op, &losers, err));
    }
    for (size_t i = 0; i < losers.count; i++)
        CHECK(ges_arrows_push(&s->arrows, &losers.items[i], err));
    return STATUS_OK;
}

static status choose(ges_search *s, ges_phase phase, choice *c, error_info *err) {
    return choose_beside(s, phase, 0, SIZE_MAX, c, err);
}

/* --- what comes next --- */

/* The other threads fill the rows of the insertion that is chosen. */
static void foresee_chosen(ges_search *s, const choice *c) {
    if (c->first.is_foreseen || ges_filling_threads(s->rows.filling) == 1)
        return;
    ges_foresee(s, &c->first.arrow);
    ges_rows_tell_foreseen(&s->rows);
}

/* Of the open, those that the operator before has left as they were. */
static void keep_open(ges_search *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->n_open; i++) {
        ges_operator op;
        if (as_operator(s, GES_INSERT, &s->open[i].arrow, s->scratch.set[0], &op))
            s->open[n++] = (ges_candidate){s->open[i].arrow, true, false};
    }
    s->n_open = n;
}

/* A full list gives back what gains least, where the heap has more. */
static status make_room(ges_search *s, error_info *err) {
    size_t least = 0;
    ges_candidate last;
    for (size_t i = 1; i < s->n_open; i++)
        least = s->open[i].arrow.gain < s->open[least].arrow.gain ? i : least;
    if (s->n_open < GES_MOST_OPEN || s->arrows.count == 0 || !(s->arrows.items[0].gain > s->open[least].arrow.gain))
        return STATUS_OK;
    last = take_open(s, least);
    return ges_arrows_push(&s->arrows, &last.arrow, err);
}

/* Then those that were open and are as they were, and of those that would be chosen next, before what the present one
 * adds is known, each one that those before it leave as it is. What is found of them need not be found again while they
 * are open. */
static status foresee_next(ges_search *s, error_info *err) {
    choice c = {.found = ges_filling_threads(s->rows.filling) > 1};
    keep_open(s);
    CHECK(make_room(s, err));
    while (c.found && !s->is_expired && s->n_open < GES_MOST_OPEN) {
        CHECK(choose_beside(s, GES_INSERT, s->n_open, GES_MOST_IN_VAIN, &c, err));
        if (c.found)
            s->open[s->n_open++] = (ges_candidate){c.first.arrow, true, true};
    }
    for (size_t i = 0; i < s->n_open; i++)
        ges_foresee(s, &s->open[i].arrow);
    return STATUS_OK;
}

/* --- phases --- */

/* The nodes whose operators an operator on x and y has changed: those with other parents or neighbours, and those
 * around which the edge makes or breaks cliques, the undirected neighbours of both. Returns how many, in `out`. */
static size_t list_affected(const ges_search *s, size_t x, size_t y, size_t *out) {
    size_t *shared = s->scratch.set[2], n_shared = ges_graph_shared(&s->graph, x, y, shared), n = s->graph.n_changed;
    memcpy(out, s->graph.changed, n * sizeof *out);
    for (size_t i = 0; i < n_shared; i++) {
        if (pdag_edge_between(s->graph.class.cpdag, shared[i], y) == EDGE_UNDIRECTED)
            out[n++] = shared[i];
    }
    return n;
}

static void close_dropped(void *self, const ges_arrow *arrow) {
    if (arrow->stream != GES_NO_STREAM)
        ges_stream_close(self, arrow->stream);
}

/* Clears the heap of stale arrows once they may be half of it. */
static void drop_stale(ges_search *s) {
    if (s->n_stale < 1024 || 2 * s->n_stale < s->arrows.count)
        return;
    ges_arrows_drop_stale(&s->arrows, s->stamp, close_dropped, s);
    s->n_stale = 0;
}

static status apply(ges_search *s, ges_phase phase, const ges_operator *op, error_info *err) {
    size_t n;
    CHECK(ges_graph_apply(&s->graph, phase, op, err));
    s->n_operators++;
    n = list_affected(s, op->x, op->y, s->scratch.affected);
    CHECK(ges_waiting_release(&s->blocked, s->graph.class.cpdag, s->graph.changed, s->graph.n_changed, s->stamp,
                              &s->arrows, err));
    CHECK(ges_note_operators(s, phase, s->scratch.affected, n, err));
    if (phase == GES_INSERT)
        CHECK(foresee_next(s, err));
    CHECK(ges_keep_noted(s, err));
    drop_stale(s);
    return STATUS_OK;
}

static status run_phase(ges_search *s, ges_phase phase, error_info *err) {
    s->arrows.count = s->n_open = s->cliques.count = 0;
    ges_waiting_forget(&s->blocked);
    close_streams(s);
    s->n_stale = 0;
    memset(s->n_arrows, 0, s->n * sizeof *s->n_arrows);
    for (size_t y = 0; y < s->n; y++)
        s->scratch.affected[y] = y;
    CHECK(phase == GES_INSERT ? ges_score_operators(s, phase, s->scratch.affected, s->n, err)
                              : ges_score_all_deletions(s, err));
    while (!s->is_expired) {
        choice c;
        CHECK(choose(s, phase, &c, err));
        if (!c.found || s->is_expired)
            break;
        if (phase == GES_INSERT)
            foresee_chosen(s, &c);
        CHECK(apply(s, phase, &c.op, err));
    }
    return STATUS_OK;
}

status ges_search_run(ges_search *s, error_info *err) {
    CHECK(run_phase(s, GES_INSERT, err));
    return run_phase(s, GES_DELETE, err);
}
