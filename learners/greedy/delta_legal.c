/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/delta_legal_internal.h"

#include "core/base/array.h"
#include "core/base/bits.h"

#include <string.h>

uint64_t *delta_forbidden_row(const delta_table *t, size_t y) {
    return t->forbidden + y * t->n_words;
}

bool delta_table_is_forbidden(const delta_table *t, size_t from, size_t to) {
    return bits_have(delta_forbidden_row(t, to), from);
}

bool delta_has_room(const delta_table *t, size_t y) {
    size_t n_parents;
    (void)dag_parents(t->graph, y, &n_parents);
    return t->max_parents < 0 || n_parents < (size_t)t->max_parents;
}

/* --- cycles --- */

static bool has_children(const delta_table *t, size_t y) {
    size_t n_children;
    (void)dag_children(t->graph, y, &n_children);
    return n_children > 0;
}

/* No path leads to a node that comes before: in the order that the DAG keeps, which is at hand, while rows of ancestors
 * are misses of the caches. */
static bool leads_to(const delta_table *t, size_t y, size_t x) {
    return dag_place(t->graph, y) <= dag_place(t->graph, x) && ancestry_reaches(t->above, y, x);
}

bool delta_closes_cycle(const delta_table *t, size_t x, size_t y) {
    return has_children(t, y) && leads_to(t, y, x);
}

bool delta_may_reverse(const delta_table *t, size_t x, size_t y) {
    return !t->keeps_directions && !delta_table_is_forbidden(t, y, x) && delta_has_room(t, x) &&
           !ancestry_reaches_otherwise(t->above, x, y);
}

/* --- candidates --- */

uint64_t delta_candidates_in(const delta_table *t, size_t half, size_t y, size_t w) {
    uint64_t all = w + 1 < t->n_words || t->n % 64 == 0 ? UINT64_MAX : bit_of(t->n) - 1;
    uint64_t lower = w < y / 64 ? UINT64_MAX : w > y / 64 ? 0 : bit_of(y) - 1;
    uint64_t self = w == y / 64 ? bit_of(y) : 0;
    return all & (half == FROM_LOWER ? lower : ~lower & ~self) & ~delta_forbidden_row(t, y)[w];
}

/* Takes the parents of y out of nodes that ascend. */
static size_t leave_out_parents(const delta_table *t, size_t y, size_t *nodes, size_t n) {
    size_t n_parents, n_left = 0, at = 0;
    const size_t *parents = dag_parents(t->graph, y, &n_parents);
    for (size_t i = 0; i < n && n_parents > 0; i++) {
        while (at < n_parents && parents[at] < nodes[i])
            at++;
        nodes[n_left] = nodes[i];
        n_left += at < n_parents && parents[at] == nodes[i] ? 0 : 1;
    }
    return n_parents > 0 ? n_left : n;
}

/* The candidates of the half, parents among them, ascending; `among`: those that are in these bits. */
static size_t list_unless_forbidden(const delta_table *t, size_t half, size_t y, const uint64_t *among, size_t *out) {
    size_t n = 0, first = half == FROM_LOWER ? 0 : y / 64, end = half == FROM_LOWER ? y / 64 + 1 : t->n_words;
    for (size_t w = first; w < end; w++) {
        uint64_t left = delta_candidates_in(t, half, y, w) & (among ? among[w] : UINT64_MAX);
        for (; left != 0; left &= left - 1)
            out[n++] = w * 64 + (size_t)__builtin_ctzll(left);
    }
    return n;
}

size_t delta_list_candidates(const delta_table *t, size_t half, size_t y, size_t *out) {
    return leave_out_parents(t, y, out, list_unless_forbidden(t, half, y, NULL, out));
}

/* Searches from both ends are short where y reaches little, or little reaches x. Once they have looked at as many arcs
 * as that share of all nodes, all that y reaches is walked to, unless few are left to be looked for. */
enum { SHARE_BEFORE_WALK = 4, FEW_LEFT = 16 };

/* Of n nodes, those from which an arc to y closes no cycle. Who is above a node is a miss of the caches each, so that
 * all are under way before the first is looked at. */
static size_t keep_legal(const delta_table *t, size_t y, size_t *nodes, size_t n) {
    size_t n_legal = 0, walk_at = dag_search_steps(t->graph) + t->n / SHARE_BEFORE_WALK;
    if (!has_children(t, y))
        return n;
    for (size_t i = 0; i < n; i++)
        ancestry_foresee(t->above, y, nodes[i]);
    for (size_t i = 0; i < n; i++) {
        if (n - i > FEW_LEFT && dag_search_steps(t->graph) > walk_at)
            (void)ancestry_all_below(t->above, y);
        nodes[n_legal] = nodes[i];
        n_legal += leads_to(t, y, nodes[i]) ? 0 : 1;
    }
    return n_legal;
}

size_t delta_list_legal(const delta_table *t, size_t half, size_t y, size_t *out) {
    return keep_legal(t, y, out, delta_list_candidates(t, half, y, out));
}

/* --- what has become legal --- */

status delta_note_allowed(delta_table *t, size_t from, size_t to, error_info *err) {
    CHECK(ARRAY_PUSH(t->allowed, t->n_allowed, t->allowed_capacity, err, (allowed_arc){from, to, t->last_allowed[to]}));
    t->last_allowed[to] = t->n_allowed;
    return STATUS_OK;
}

void delta_forget_new(delta_table *t) {
    for (size_t i = 0; i < t->n_allowed; i++)
        t->last_allowed[t->allowed[i].to] = 0;
    t->n_allowed = 0;
    memset(t->reaching_less, 0, t->n_words * sizeof *t->reaching_less);
    memset(t->less_reached, 0, t->n_words * sizeof *t->less_reached);
}

/* Puts the node into its place among those that ascend, where it is not among them. */
static size_t insert_node(size_t *nodes, size_t n, size_t node) {
    size_t at = n;
    while (at > 0 && nodes[at - 1] > node)
        at--;
    if (at > 0 && nodes[at - 1] == node)
        return n;
    memmove(nodes + at + 1, nodes + at, (n - at) * sizeof *nodes);
    nodes[at] = node;
    return n + 1;
}

/* What was allowed, and of whom y may not be above any more. */
size_t delta_list_new(const delta_table *t, size_t half, size_t y, size_t *out) {
    size_t n = bits_have(t->reaching_less, y) ? list_unless_forbidden(t, half, y, t->less_reached, out) : 0;
    for (size_t i = t->last_allowed[y]; i > 0; i = t->allowed[i - 1].before) {
        size_t x = t->allowed[i - 1].from;
        if ((x < y) == (half == FROM_LOWER) && !delta_table_is_forbidden(t, x, y))
            n = insert_node(out, n, x);
    }
    return keep_legal(t, y, out, leave_out_parents(t, y, out, n));
}
