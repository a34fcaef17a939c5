/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The start of the backward phase scores every deletion. The search takes the nodes in their order, and threads that
 * would wait take those of the most edges first: what is left at the end is little work. What they find the search is
 * told when it comes to the node, in the order in which it visits the deletions: it counts and keeps the scores as if
 * it had computed them.
 */
#include "learners/ges/ges_search_internal.h"

#include "core/base/array.h"
#include "core/run/spin.h"

#include <stdlib.h>

enum { NOT_BEGUN, BEGUN, DONE, GIVEN_UP }; /* the state of a node */

typedef struct {
    atomic_size_t state;
    double *scores; /* of each deletion into it: without X, and with it */
    size_t n, capacity;
} node_scores;

/* A thread looks at the graph as the search does, with a scratch of its own. */
typedef struct {
    ges_search search; /* borrows the graph */
    ges_plan plan;
    node_scores *into; /* of the node that it is at */
} looker;

typedef struct {
    run_context ctx; /* without the counters, which are the search's alone */
    node_scores *nodes;
    size_t *by_degree;    /* the nodes, those of the most edges last; NULL: there is no other thread */
    atomic_size_t n_left; /* of these, those that no thread has come to */
    atomic_bool is_over;
    looker *lookers; /* by thread, from the second on */
    size_t n, n_lookers;
} deletions;

static void deletions_clear(deletions *d) {
    for (size_t i = 0; i < d->n_lookers; i++)
        ges_scratch_clear(&d->lookers[i].search.scratch);
    for (size_t y = 0; d->nodes && y < d->n; y++)
        free(d->nodes[y].scores);
    free(d->lookers);
    free(d->by_degree);
    free(d->nodes);
}

static status looker_init(looker *l, const ges_search *s, run_context *ctx, error_info *err) {
    l->plan = *s->plan;
    l->search = (ges_search){.plan = &l->plan, .ctx = ctx, .n = s->n, .graph = s->graph, .is_limited = s->is_limited};
    return ges_scratch_init(&l->search.scratch, s->n, err);
}

/* Counts the nodes of each degree, and puts each behind those of lower ones. */
static status order_by_degree(deletions *d, const ges_search *s, error_info *err) {
    AUTO_FREE size_t *next = NULL;
    size_t degree;
    CHECK_ALLOC(next = calloc(s->n + 1, sizeof *next));
    CHECK_ALLOC(d->by_degree = calloc(s->n + 1, sizeof *d->by_degree));
    for (size_t y = 0; y < s->n; y++) {
        (void)pdag_edges(s->graph.class.cpdag, y, &degree);
        next[degree + 1]++;
    }
    for (size_t i = 0; i < s->n; i++)
        next[i + 1] += next[i];
    for (size_t y = 0; y < s->n; y++) {
        (void)pdag_edges(s->graph.class.cpdag, y, &degree);
        d->by_degree[next[degree]++] = y;
    }
    return STATUS_OK;
}

static status deletions_init(deletions *d, const ges_search *s, error_info *err) {
    size_t n_others = ges_filling_threads(s->rows.filling) - 1;
    d->ctx = *s->ctx;
    d->ctx.most_scores = 0;
    d->n = s->n;
    d->n_left = s->n;
    CHECK_ALLOC(d->nodes = calloc(s->n + 1, sizeof *d->nodes));
    if (n_others > 0)
        CHECK(order_by_degree(d, s, err));
    CHECK_ALLOC(d->lookers = calloc(n_others + 1, sizeof *d->lookers));
    while (d->n_lookers < n_others)
        CHECK(looker_init(&d->lookers[d->n_lookers++], s, &d->ctx, err));
    return STATUS_OK;
}

static bool begin(node_scores *node) {
    size_t expected = NOT_BEGUN;
    return atomic_compare_exchange_strong(&node->state, &expected, BEGUN);
}

/* --- a thread that would wait ----------------------------------------------------------------- */

static status find_scores(ges_search *s, size_t y, size_t x, error_info *err) {
    node_scores *into = ((looker *)s)->into;
    size_t n = ges_make_family(&s->scratch, x);
    CHECK(ARRAY_RESERVE(into->scores, into->capacity, into->n + 2, err));
    CHECK(score_node(s->plan->scorer, y, s->scratch.family, n, &into->scores[into->n++], err));
    return score_node_with(s->plan->scorer, y, s->scratch.family, n, x, &into->scores[into->n++], err);
}

static void look_at(looker *l, node_scores *node, size_t y) {
    l->into = node;
    if (ges_visit_deletions(&l->search, y, find_scores, NULL) == STATUS_OK && !l->search.is_expired)
        atomic_store(&node->state, DONE);
    else
        atomic_store(&node->state, GIVEN_UP);
}

/* The node of the most edges that no thread has come to. */
static bool take_last(deletions *d, size_t *y) {
    size_t left = atomic_load(&d->n_left);
    do {
        if (left == 0 || atomic_load(&d->is_over))
            return false;
    } while (!atomic_compare_exchange_weak(&d->n_left, &left, left - 1));
    *y = d->by_degree[left - 1];
    return true;
}

/* The next of these that the search has not begun with. */
static bool look_at_last(void *self, size_t thread, score *scorer) {
    deletions *d = self;
    looker *l = &d->lookers[thread - 1];
    size_t y;
    do {
        if (!take_last(d, &y))
            return false;
    } while (!begin(&d->nodes[y]));
    l->plan.scorer = scorer;
    look_at(l, &d->nodes[y], y);
    return true;
}

/* --- the search ------------------------------------------------------------------------------- */

static void wait_for(node_scores *node) {
    for (spin s = {0}; atomic_load(&node->state) == BEGUN;)
        spin_wait(&s);
}

static status score_each(ges_search *s, deletions *d, error_info *err) {
    status st = STATUS_OK;
    for (size_t y = 0; y < s->n && st == STATUS_OK && !s->is_expired; y++) {
        node_scores *node = &d->nodes[y];
        if (!begin(node))
            wait_for(node);
        s->told = node->state == DONE ? node->scores : NULL;
        st = ges_score_operators(s, GES_DELETE, &y, 1, err);
    }
    s->told = NULL;
    return st;
}

status ges_score_all_deletions(ges_search *s, error_info *err) {
    AUTO(deletions_clear) deletions d = {0};
    status st;
    CHECK(deletions_init(&d, s, err));
    ges_filling_begin_side(s->rows.filling, look_at_last, &d);
    st = score_each(s, &d, err);
    atomic_store(&d.is_over, true);
    ges_filling_end_side(s->rows.filling);
    return st;
}
