/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a greedy search knows of the score of each node with one more parent: for each node the best few candidates, and
 * a bound that no other passes. Row y is forgotten when the parents of y change. It is evaluated when its ceiling is
 * the highest: first for its best candidate, then, where cycles or a TABU list bar that, for more. So memory grows with
 * the nodes and not with their pairs.
 *
 * The counts are those of a search that scores every legal addition: all candidates but those that have been
 * descendants of the node all the time, of which a list is kept.
 */
#include "core/base/array.h"
#include "learners/greedy/greedy_state_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BOUND_MIN_OPEN = 64, /* with fewer candidates to score, preparing for closer bounds does not pay */
    KEPT = 16,           /* candidates of which the score is kept once it is known */
    ALL = 2              /* the depth at which every candidate that gains enough is kept */
};

/* How many of the best a row is evaluated for. */
static const size_t depth_size[] = {1, KEPT, SIZE_MAX};

/* --- memory --- */

static status make_allowed_rows(greedy_state *s, error_info *err) {
    const pdag *allowed = s->plan->allowed;
    size_t at = 0;
    CHECK_ALLOC(s->lists = calloc(2 * pdag_edge_count(allowed) + 1, sizeof *s->lists));
    for (size_t y = 0; y < s->n; y++) {
        size_t degree;
        const pdag_edge *edges = pdag_edges(allowed, y, &degree);
        s->rows[y].n_nodes = degree;
        s->rows[y].nodes = s->lists + at;
        for (size_t i = 0; i < degree; i++)
            s->lists[at++] = edges[i].node;
    }
    return STATUS_OK;
}

static status make_rows(greedy_state *s, error_info *err) {
    CHECK_ALLOC(s->rows = calloc(s->n + 1, sizeof *s->rows));
    if (!s->plan->candidates && s->plan->allowed)
        return make_allowed_rows(s, err);
    for (size_t y = 0; y < s->n; y++) {
        s->rows[y].n_nodes = s->plan->candidates ? s->plan->n_candidates[y] : s->n;
        s->rows[y].nodes = s->plan->candidates ? s->plan->candidates[y] : NULL;
    }
    return STATUS_OK;
}

/* Nodes of as many states are of one kind: a bound does not tell them apart. */
static status make_kinds(greedy_state *s, error_info *err) {
    CHECK_ALLOC(s->kind = calloc(s->n + 1, sizeof *s->kind));
    CHECK_ALLOC(s->kind_states = calloc(s->n + 1, sizeof *s->kind_states));
    for (size_t x = 0; x < s->n; x++) {
        size_t r = dataset_state_count(s->data, x), k = 0;
        while (k < s->n_kinds && s->kind_states[k] != r)
            k++;
        s->kind[x] = k;
        s->kind_states[k] = r;
        s->n_kinds += k == s->n_kinds;
    }
    CHECK_ALLOC(s->kind_ceiling = calloc(s->n_kinds + 1, sizeof *s->kind_ceiling));
    CHECK_ALLOC(s->kind_constant = calloc(s->n_kinds + 1, sizeof *s->kind_constant));
    return STATUS_OK;
}

status greedy_rows_init(greedy_state *s, error_info *err) {
    CHECK_ALLOC(s->now = calloc(s->n + 1, sizeof *s->now));
    CHECK_ALLOC(s->stale = calloc(s->n + 1, sizeof *s->stale));
    CHECK_ALLOC(s->stale_arcs = calloc(s->n + 1, sizeof *s->stale_arcs));
    CHECK_ALLOC(s->visited = calloc(s->n + 1, sizeof *s->visited));
    CHECK_ALLOC(s->visited_keys = calloc(s->n + 1, sizeof *s->visited_keys));
    CHECK_ALLOC(s->nodes = calloc(s->n + 1, sizeof *s->nodes));
    CHECK_ALLOC(s->marks = calloc(s->n + 1, sizeof *s->marks));
    CHECK(row_heap_init(&s->additions, s->n, err));
    CHECK(row_heap_init(&s->arcs, s->n, err));
    CHECK(make_rows(s, err));
    return make_kinds(s, err);
}

void greedy_rows_clear(greedy_state *s) {
    for (size_t y = 0; s->rows && y < s->n; y++) {
        free(s->rows[y].found);
        free(s->rows[y].unasked);
        free(s->rows[y].reversed);
        free(s->rows[y].arcs);
    }
    free(s->rows);
    free(s->now);
    free(s->stale);
    free(s->stale_arcs);
    free(s->visited);
    free(s->visited_keys);
    free(s->nodes);
    free(s->marks);
    row_heap_clear(&s->additions);
    row_heap_clear(&s->arcs);
    free(s->lists);
    free(s->kind);
    free(s->kind_states);
    free(s->kind_ceiling);
    free(s->kind_constant);
}

bool greedy_is_candidate(const greedy_state *s, size_t y, size_t x) {
    const candidate_row *row = &s->rows[y];
    size_t at;
    if (!row->nodes)
        return true;
    at = array_count_below(row->nodes, row->n_nodes, x);
    return at < row->n_nodes && row->nodes[at] == x;
}

/* --- marks --- */

static void clear_marks(greedy_state *s) {
    if (++s->mark == 0) {
        memset(s->marks, 0, s->n * sizeof *s->marks);
        s->mark = 1;
    }
}

static bool is_marked(const greedy_state *s, size_t x) {
    return s->marks[x] == s->mark;
}

static void mark(greedy_state *s, size_t x) {
    s->marks[x] = s->mark;
}

static void mark_all(greedy_state *s, const uint32_t *nodes, size_t n) {
    for (size_t i = 0; i < n; i++)
        mark(s, nodes[i]);
}

static void mark_parents(greedy_state *s, size_t y) {
    size_t n;
    const size_t *parents = dag_parents(s->current, y, &n);
    for (size_t i = 0; i < n; i++)
        mark(s, parents[i]);
}

/* --- what changes --- */

static bool is_full(const greedy_state *s, size_t y) {
    int most = s->plan->options.max_parents;
    size_t n_parents;
    (void)dag_parents(s->current, y, &n_parents);
    return most >= 0 && n_parents >= (size_t)most;
}

void greedy_touch_row(greedy_state *s, size_t y) {
    if (!s->rows[y].is_stale)
        s->stale[s->n_stale++] = y;
    s->rows[y].is_stale = true;
}

void greedy_touch_arcs(greedy_state *s, size_t y) {
    if (!s->rows[y].has_stale_arcs)
        s->stale_arcs[s->n_stale_arcs++] = y;
    s->rows[y].has_stale_arcs = true;
}

/* The reversal of x -> child makes a parent of x, of which nothing is known now. */
static void forget_back(greedy_state *s, size_t x, size_t child) {
    candidate_row *row = &s->rows[child];
    size_t n_parents, at;
    const size_t *parents = dag_parents(s->current, child, &n_parents);
    greedy_touch_arcs(s, child);
    at = array_count_below(parents, n_parents, x);
    if (row->n_arcs > 0)
        row->arcs[at] = (arc_scores){row->arcs[at].drop, INFINITY, false};
}

void greedy_forget_row(greedy_state *s, size_t y) {
    candidate_row *row = &s->rows[y];
    size_t n_children;
    const size_t *children = dag_children(s->current, y, &n_children);
    row->was_looked_at = row->is_evaluated = false;
    row->depth = 0;
    row->n_arcs = row->n_unasked = row->n_reversed = 0;
    greedy_touch_row(s, y);
    greedy_touch_arcs(s, y);
    for (size_t i = 0; i < n_children; i++)
        forget_back(s, y, children[i]);
}

/* --- scores --- */

status greedy_score_with(greedy_state *s, size_t y, size_t x, double *out, error_info *err) {
    const candidate_row *row = &s->rows[y];
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    *out = -INFINITY;
    if (is_full(s, y))
        return STATUS_OK;
    for (size_t i = 0; row->is_evaluated && i < row->n_found; i++) {
        if (row->found[i].node == x) {
            *out = row->found[i].with;
            return STATUS_OK;
        }
    }
    return score_node_fresh(s->scorer, y, parents, n_parents, x, out, err);
}

status greedy_score_without(greedy_state *s, size_t y, size_t x, double *out, error_info *err) {
    size_t n_parents, n = 0;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        if (parents[i] != x)
            s->nodes[n++] = parents[i];
    }
    return score_node(s->scorer, y, s->nodes, n, out, err);
}

status greedy_arcs_of(greedy_state *s, size_t y, arc_scores **out, error_info *err) {
    candidate_row *row = &s->rows[y];
    size_t n_parents;
    (void)dag_parents(s->current, y, &n_parents);
    if (row->n_arcs != n_parents) {
        CHECK(ARRAY_RESERVE(row->arcs, row->arcs_capacity, n_parents, err));
        for (size_t i = 0; i < n_parents; i++)
            row->arcs[i] = (arc_scores){(double)NAN, INFINITY, false};
        row->n_arcs = n_parents;
    }
    *out = row->arcs;
    return STATUS_OK;
}

/* --- counting --- */

/* Those that were not asked for, y and its parents among them, ascending. */
static size_t list_unasked(greedy_state *s, size_t y, size_t *out) {
    const candidate_row *row = &s->rows[y];
    size_t n_parents, n = 0;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    clear_marks(s);
    mark_all(s, row->reversed, row->n_reversed);
    for (size_t i = 0; i < row->n_unasked; i++) {
        if (!is_marked(s, row->unasked[i]))
            out[n++] = row->unasked[i];
    }
    memcpy(out + n, parents, n_parents * sizeof *parents);
    n += n_parents;
    out[n++] = y;
    array_sort_sizes(out, n);
    return n;
}

static status count_listed(greedy_state *s, size_t y, const size_t *parents, size_t n_parents, error_info *err) {
    const candidate_row *row = &s->rows[y];
    size_t n_unasked = list_unasked(s, y, s->nodes), n = 0;
    clear_marks(s);
    for (size_t i = 0; i < n_unasked; i++)
        mark(s, s->nodes[i]);
    for (size_t i = 0; i < row->n_nodes; i++) {
        if (!is_marked(s, row->nodes[i]))
            s->nodes[n++] = row->nodes[i];
    }
    return score_count_additions(s->scorer, y, parents, n_parents, s->nodes, n, err);
}

status greedy_count_row(greedy_state *s, size_t y, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    if (!s->rows[y].was_looked_at || is_full(s, y))
        return STATUS_OK;
    if (s->rows[y].nodes)
        return count_listed(s, y, parents, n_parents, err);
    return score_count_additions_but(s->scorer, y, parents, n_parents, s->nodes, list_unasked(s, y, s->nodes), err);
}

/* --- looking at a row --- */

typedef const size_t *(*neighbours_of)(const dag *g, size_t node, size_t *count);

/* Marks and lists y and all that paths lead to. */
static size_t walk(greedy_state *s, size_t y, neighbours_of next, size_t *out) {
    size_t n = 0;
    clear_marks(s);
    mark(s, y);
    out[n++] = y;
    for (size_t i = 0; i < n; i++) {
        size_t n_next;
        const size_t *nodes = next(s->current, out[i], &n_next);
        for (size_t k = 0; k < n_next; k++) {
            if (is_marked(s, nodes[k]))
                continue;
            mark(s, nodes[k]);
            out[n++] = nodes[k];
        }
    }
    return n;
}

size_t greedy_list_descendants(greedy_state *s, size_t y, size_t *out) {
    return walk(s, y, dag_children, out);
}

size_t greedy_list_ancestors(greedy_state *s, size_t y, size_t *out) {
    return walk(s, y, dag_parents, out);
}

/* The candidates among the descendants, of which the first of the list is y itself. */
static status begin_unasked(greedy_state *s, size_t y, size_t *below, size_t n_below, error_info *err) {
    candidate_row *row = &s->rows[y];
    row->n_unasked = 0;
    if (n_below > 1)
        CHECK(ARRAY_RESERVE(row->unasked, row->unasked_capacity, n_below, err));
    for (size_t i = 0; row->nodes && n_below > 1 && i < row->n_nodes; i++) {
        if (is_marked(s, row->nodes[i]))
            row->unasked[row->n_unasked++] = (uint32_t)row->nodes[i];
    }
    if (row->nodes)
        return STATUS_OK;
    array_sort_sizes(below + 1, n_below - 1);
    for (size_t i = 1; i < n_below; i++)
        row->unasked[row->n_unasked++] = (uint32_t)below[i];
    return STATUS_OK;
}

/* An upper bound for any candidate of that kind, or all. */
static status bound_kind(greedy_state *s, size_t y, size_t kind, double *out, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    if (isnan(s->kind_ceiling[kind]))
        CHECK(score_ceiling_with(s->scorer, y, parents, n_parents, s->kind_states[kind], &s->kind_ceiling[kind], err));
    *out = s->kind_ceiling[kind];
    return STATUS_OK;
}

static void forget_kinds(greedy_state *s) {
    for (size_t k = 0; k < s->n_kinds; k++)
        s->kind_ceiling[k] = s->kind_constant[k] = (double)NAN;
}

static status find_most(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    size_t n = row->nodes ? row->n_nodes : s->n_kinds;
    row->most = -INFINITY;
    forget_kinds(s);
    for (size_t i = 0; i < n && !is_full(s, y); i++) {
        double ceiling = 0;
        CHECK(bound_kind(s, y, row->nodes ? s->kind[row->nodes[i]] : i, &ceiling, err));
        row->most = fmax(row->most, ceiling);
    }
    return STATUS_OK;
}

static bool scores_more(const scored_parent *a, const scored_parent *b) {
    return a->with != b->with ? a->with > b->with : a->node < b->node;
}

/* Puts a candidate in its place among the found. */
static status insert_found(candidate_row *row, const scored_parent *candidate, error_info *err) {
    size_t at = row->n_found;
    CHECK(ARRAY_ROOM(row->found, row->n_found, row->found_capacity, err));
    for (; at > 0 && scores_more(candidate, &row->found[at - 1]); at--)
        row->found[at] = row->found[at - 1];
    row->found[at] = *candidate;
    row->n_found++;
    return STATUS_OK;
}

/* Those that are no descendants any more can be added, and are asked for: the row was evaluated without them. */
static status shrink_unasked(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    size_t n = 0, n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    for (size_t i = 0; i < row->n_unasked; i++) {
        scored_parent freed = {0, row->unasked[i]};
        if (is_marked(s, freed.node)) {
            row->unasked[n++] = freed.node;
            continue;
        }
        if (!row->is_evaluated || is_full(s, y))
            continue;
        CHECK(score_node_fresh(s->scorer, y, parents, n_parents, freed.node, &freed.with, err));
        CHECK(insert_found(row, &freed, err));
    }
    row->n_unasked = n;
    return STATUS_OK;
}

/* What no candidate of the row passes. */
static double ceiling_of(const greedy_state *s, size_t y) {
    const candidate_row *row = &s->rows[y];
    double with = row->is_evaluated ? row->rest : row->most;
    if (row->is_evaluated && row->n_found > 0)
        with = fmax(with, row->found[0].with);
    with -= s->now[y];
    return isnan(with) ? -INFINITY : with;
}

status greedy_look_at_row(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    bool is_first = !row->was_looked_at;
    if (is_first || row->n_unasked > 0) {
        size_t n_below = greedy_list_descendants(s, y, s->nodes);
        if (is_first)
            CHECK(begin_unasked(s, y, s->nodes, n_below, err));
        else
            CHECK(shrink_unasked(s, y, err));
    }
    if (is_first && !row->is_evaluated)
        CHECK(find_most(s, y, err));
    row->was_looked_at = true;
    row->is_stale = false;
    row_heap_set(&s->additions, y, ceiling_of(s, y));
    return STATUS_OK;
}

/* --- evaluating a row --- */

/* The best candidates so far. Those that gain no more than `floor` are not wanted. */
typedef struct {
    candidate_row *row;
    double now, least;
    size_t size;       /* so many of the best are wanted */
    double best[KEPT]; /* the gains of the best so far, descending */
    size_t n_best;
    double floor;
    double passed_over; /* no other candidate scores more */
} selection;

static double slack(double now) {
    return 2 * SCORE_TOLERANCE + 1e-14 * fabs(now);
}

static void note_gain(selection *c, double gain) {
    size_t at = c->n_best < c->size ? c->n_best : c->size - 1;
    if (c->size > KEPT || (c->n_best == c->size && !(gain > c->best[at])))
        return;
    for (; at > 0 && gain > c->best[at - 1]; at--)
        c->best[at] = c->best[at - 1];
    c->best[at] = gain;
    c->n_best += c->n_best < c->size;
    if (c->n_best == c->size)
        c->floor = fmax(c->least, c->best[c->size - 1] - slack(c->now));
}

static status offer(selection *c, size_t x, double with, error_info *err) {
    double gain = with - c->now;
    if (gain > c->floor) {
        note_gain(c, gain);
        return ARRAY_PUSH(c->row->found, c->row->n_found, c->row->found_capacity, err,
                          (scored_parent){with, (uint32_t)x});
    }
    if (gain > c->least)
        c->passed_over = fmax(c->passed_over, with);
    return STATUS_OK;
}

/* A bound that is not above the floor. */
static void pass_over(selection *c, double bound) {
    if (bound - c->now > c->least)
        c->passed_over = fmax(c->passed_over, bound);
}

static status score_candidate(greedy_state *s, selection *c, size_t y, size_t x, bool uses_bounds, error_info *err) {
    size_t n_parents, kind = s->kind[x];
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    double value = 0;
    bool is_exact = true;
    if (score_is_constant(s->scorer, x)) {
        if (isnan(s->kind_constant[kind]))
            CHECK(score_constant_with(s->scorer, y, parents, n_parents, s->kind_states[kind], &s->kind_constant[kind],
                                      err));
        return offer(c, x, s->kind_constant[kind], err);
    }
    CHECK(bound_kind(s, y, kind, &value, err));
    if (value - c->now <= c->floor) {
        pass_over(c, value);
        return STATUS_OK;
    }
    if (uses_bounds)
        CHECK(score_node_above(s->scorer, y, parents, n_parents, x, c->now + c->floor, &value, &is_exact, err));
    else
        CHECK(score_node_fresh(s->scorer, y, parents, n_parents, x, &value, err));
    if (is_exact)
        return offer(c, x, value, err);
    pass_over(c, value);
    return STATUS_OK;
}

static int by_score(const void *a, const void *b) {
    return scores_more(a, b) ? -1 : scores_more(b, a);
}

/* Sorts what was found, and keeps those that are wanted, and a few more. */
static void take_selection(selection *c) {
    candidate_row *row = c->row;
    size_t kept = 0;
    qsort(row->found, row->n_found, sizeof *row->found, by_score);
    while (kept < row->n_found && (kept < KEPT || row->found[kept].with - c->now > c->floor))
        kept++;
    if (kept < row->n_found)
        c->passed_over = fmax(c->passed_over, row->found[kept].with);
    row->n_found = kept;
    row->rest = c->passed_over;
}

/* Scores first what was good before, so that bounds have something to pass: those of the parents before, or of a search
 * for fewer. Returns how many they are; they are marked. */
static status score_seeds(greedy_state *s, selection *c, size_t y, bool uses_bounds, error_info *err) {
    scored_parent seeds[KEPT];
    size_t n = c->row->n_found < KEPT ? c->row->n_found : KEPT;
    if (n > 0)
        memcpy(seeds, c->row->found, n * sizeof *seeds);
    c->row->n_found = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_marked(s, seeds[i].node))
            continue;
        mark(s, seeds[i].node);
        CHECK(score_candidate(s, c, y, seeds[i].node, uses_bounds, err));
    }
    return STATUS_OK;
}

static status score_row(greedy_state *s, selection *c, size_t y, error_info *err) {
    const candidate_row *row = c->row;
    bool uses_bounds = row->n_nodes >= BOUND_MIN_OPEN;
    clear_marks(s);
    mark(s, y);
    mark_parents(s, y);
    mark_all(s, row->unasked, row->n_unasked);
    CHECK(score_seeds(s, c, y, uses_bounds, err));
    for (size_t i = 0; i < row->n_nodes && !s->is_expired; i++) {
        size_t x = row->nodes ? row->nodes[i] : i;
        if (is_marked(s, x))
            continue;
        CHECK(score_candidate(s, c, y, x, uses_bounds, err));
        s->is_expired = run_context_is_expired_at(s->ctx, i);
    }
    return STATUS_OK;
}

status greedy_evaluate_row(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    selection c = {.row = row, .now = s->now[y], .least = s->least, .floor = s->least, .passed_over = -INFINITY};
    row->depth = (unsigned char)(row->depth + (row->is_evaluated && row->depth < ALL));
    c.size = depth_size[row->depth];
    row->is_evaluated = false;
    forget_kinds(s);
    if (is_full(s, y))
        row->n_found = 0;
    else
        CHECK(score_row(s, &c, y, err));
    take_selection(&c);
    if (row->depth == ALL && !s->is_expired)
        row->rest = -INFINITY;
    row->is_evaluated = !s->is_expired;
    return STATUS_OK;
}

/* --- all rows at once --- */

/* The lists are copied: a row may find more. */
static status take_singles(greedy_state *s, const single_parents *p, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    CHECK(ARRAY_RESERVE(row->found, row->found_capacity, p->n_found[y], err));
    if (p->n_found[y] > 0)
        memcpy(row->found, p->found + y * p->most, p->n_found[y] * sizeof *row->found);
    row->n_found = p->n_found[y];
    row->rest = p->rest[y];
    row->most = INFINITY;
    row->depth = 1;
    row->is_evaluated = true;
    return STATUS_OK;
}

status greedy_survey(greedy_state *s, error_info *err) {
    AUTO(single_parents_clear) single_parents p = {0};
    if (s->lists || s->plan->candidates || s->plan->options.max_parents == 0 || dag_arc_count(s->current) > 0 ||
        !single_parents_can_survey(s->scorer))
        return STATUS_OK;
    CHECK(single_parents_survey(s->scorer, s->now, s->least, KEPT, s->ctx, &p, &s->is_expired, err));
    for (size_t y = 0; y < s->n && !s->is_expired; y++)
        CHECK(take_singles(s, &p, y, err));
    return STATUS_OK;
}
