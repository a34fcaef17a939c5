/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The graph of a stochastic greedy search, with the rows of scores of each node. After every change `above` knows every
 * path, the memo of repairs knows of the change, and the rows of a head are those of its present parents.
 */
#include "core/base/array.h"
#include "core/base/bits.h"
#include "learners/sgs/repair_memo_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t sgs_arc_hash(size_t from, size_t to) {
    return random_key_number(random_key_of(from), to).hash;
}

status sgs_arcs_push(sgs_arc_list *list, sgs_arc arc, error_info *err) {
    return ARRAY_PUSH(list->arcs, list->n, list->capacity, err, arc);
}

void sgs_parents_drop(size_t *parents, size_t *n, size_t x) {
    size_t i = 0;
    while (parents[i] != x)
        i++;
    memmove(parents + i, parents + i + 1, (--*n - i) * sizeof *parents);
}

void sgs_parents_add(size_t *parents, size_t *n, size_t x) {
    size_t i = (*n)++;
    for (; i > 0 && parents[i - 1] > x; i--)
        parents[i] = parents[i - 1];
    parents[i] = x;
}

void sgs_state_clear(sgs_state *s) {
    for (size_t x = 0; s->heads && x < s->n; x++)
        free(s->heads[x].without);
    free(s->heads);
    free(s->renewed);
    free(s->fewer);
    free(s->bounds);
    free(s->arc_bounds);
    repair_memo_destroy(s->repairs);
    family_scores_destroy(s->scores);
    ancestry_destroy(s->above);
    dag_destroy(s->g);
    free(s->parent_sets);
    free(s->child_sets);
    *s = (sgs_state){0};
}

status sgs_state_init(sgs_state *s, family_pool *pool, size_t worker, const family_source *source, const sgs_plan *plan,
                      const run_context *ctx, error_info *err) {
    *s = (sgs_state){.source = source, .plan = plan, .ctx = ctx, .n = source->n_variables};
    s->n_words = (s->n / (64 * SGS_SET_BLOCK) + 1) * SGS_SET_BLOCK;
    CHECK(family_scores_create(pool, worker, &s->scores, err));
    CHECK_ALLOC(s->heads = calloc(s->n + 1, sizeof *s->heads));
    CHECK_ALLOC(s->renewed = calloc(s->n + 1, sizeof *s->renewed));
    CHECK_ALLOC(s->fewer = calloc(s->n + 1, sizeof *s->fewer));
    CHECK_ALLOC(s->bounds = calloc(s->n + 1, sizeof *s->bounds));
    CHECK_ALLOC(s->arc_bounds = calloc(s->n + 1, sizeof *s->arc_bounds));
    if (plan->neighbourhood == SGS_STARS) {
        CHECK_ALLOC(s->parent_sets = calloc(s->n + 1, s->n_words * sizeof *s->parent_sets));
        CHECK_ALLOC(s->child_sets = calloc(s->n + 1, s->n_words * sizeof *s->child_sets));
    }
    return STATUS_OK;
}

static void list_renewed(sgs_state *s, size_t x) {
    size_t at = array_count_below(s->renewed, s->n_renewed, x);
    if (at < s->n_renewed && s->renewed[at] == x)
        return;
    memmove(s->renewed + at + 1, s->renewed + at, (s->n_renewed - at) * sizeof *s->renewed);
    s->renewed[at] = x;
    s->n_renewed++;
}

/* An arc gains by its removal what its head makes of it, and by its reversal what its tail does, too. */
static void forget_arcs_of(sgs_state *s, size_t x) {
    size_t n_children;
    const size_t *children = dag_children(s->g, x, &n_children);
    s->arc_bounds[x] = INFINITY;
    for (size_t i = 0; i < n_children; i++)
        s->arc_bounds[children[i]] = INFINITY;
}

/* The rows of its present parents. */
static status renew_head(sgs_state *s, size_t x, error_info *err) {
    sgs_head *h = &s->heads[x];
    size_t n_parents;
    const size_t *parents = dag_parents(s->g, x, &n_parents);
    CHECK(ARRAY_RESERVE(h->without, h->capacity, n_parents, err));
    CHECK(family_scores_get(s->scores, x, parents, n_parents, &h->with, err));
    h->n_parents = n_parents;
    s->gained += h->with->base - h->now;
    h->now = h->with->base;
    h->is_full = h->n_parents >= s->plan->max_parents;
    h->is_scanned = false;
    s->bounds[x] = INFINITY;
    if (s->repairs)
        repair_memo_forget_head(s->repairs, x);
    for (size_t i = 0; i < n_parents; i++) {
        memcpy(s->fewer, parents, i * sizeof *parents);
        memcpy(s->fewer + i, parents + i + 1, (n_parents - i - 1) * sizeof *parents);
        CHECK(family_scores_get(s->scores, x, s->fewer, n_parents - 1, &h->without[i], err));
    }
    return STATUS_OK;
}

static void flip_in_sets(sgs_state *s, size_t from, size_t to) {
    if (!s->parent_sets)
        return;
    bits_flip(s->parent_sets + to * s->n_words, from);
    bits_flip(s->child_sets + from * s->n_words, to);
}

static status add_arc(sgs_state *s, size_t from, size_t to, error_info *err) {
    CHECK(dag_add_arc(s->g, from, to, err));
    ancestry_arc_added(s->above, from, to);
    flip_in_sets(s, from, to);
    return STATUS_OK;
}

/* Whether scans read it: those that look everywhere do not. */
static bool keeps_scanned(const sgs_state *s) {
    return s->plan->neighbourhood != SGS_STARS || !s->plan->looks_everywhere;
}

/* After the removal of an arc what closes no cycle any more is what these heads do not reach any more. */
static void note_new_legal_moves(sgs_state *s) {
    const uint64_t *reaching_less = ancestry_reaching_less(s->above);
    for (size_t x = 0; x < s->n; x++) {
        if (bits_have(reaching_less, x))
            s->heads[x].is_scanned = false;
    }
}

static status remove_arc(sgs_state *s, size_t from, size_t to, error_info *err) {
    CHECK(dag_remove_arc(s->g, from, to, err));
    ancestry_arc_removed(s->above, from, to);
    if (keeps_scanned(s))
        note_new_legal_moves(s);
    flip_in_sets(s, from, to);
    return STATUS_OK;
}

static status renew(sgs_state *s, error_info *err) {
    s->gained = 0;
    for (size_t i = 0; i < s->n_renewed; i++) {
        if (keeps_scanned(s))
            forget_arcs_of(s, s->renewed[i]);
        CHECK(renew_head(s, s->renewed[i], err));
    }
    return STATUS_OK;
}

status sgs_state_change(sgs_state *s, const sgs_arc *removed, size_t n_removed, const sgs_arc *added, size_t n_added,
                        error_info *err) {
    s->n_renewed = 0;
    for (size_t i = 0; i < n_removed; i++) {
        CHECK(remove_arc(s, removed[i].from, removed[i].to, err));
        list_renewed(s, removed[i].to);
    }
    for (size_t i = 0; i < n_added; i++) {
        CHECK(add_arc(s, added[i].from, added[i].to, err));
        list_renewed(s, added[i].to);
    }
    for (size_t i = 0; s->repairs && i < n_removed; i++)
        repair_memo_note_removal(s->repairs, removed[i].to);
    for (size_t i = 0; s->repairs && i < n_added; i++)
        CHECK(repair_memo_note_addition(s->repairs, s->above, added[i], err));
    return renew(s, err);
}

static status add_given_arcs(sgs_state *s, error_info *err) {
    for (size_t x = 0; x < s->n; x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(s->plan->start, x, &n_parents);
        for (size_t i = 0; i < n_parents; i++)
            CHECK(add_arc(s, parents[i], x, err));
    }
    return STATUS_OK;
}

/* Draws parents until the node has two; one that would close a cycle is drawn again, until none is left. */
static status add_random_parents(sgs_state *s, size_t x, size_t *positions, error_info *err) {
    size_t n_left = family_scores_width(s->scores, x), wanted = s->plan->max_parents < 2 ? s->plan->max_parents : 2;
    for (size_t i = 0; i < n_left; i++)
        positions[i] = i;
    while (wanted > 0 && n_left > 0) {
        size_t at = (size_t)random_below(&s->random, n_left);
        size_t y = family_scores_node(s->scores, x, positions[at]);
        positions[at] = positions[--n_left];
        if (ancestry_reaches(s->above, x, y)) /* x itself too */
            continue;
        CHECK(add_arc(s, y, x, err));
        wanted--;
    }
    return STATUS_OK;
}

static status add_random_arcs(sgs_state *s, error_info *err) {
    AUTO_FREE size_t *nodes = NULL, *positions = NULL;
    CHECK_ALLOC(nodes = calloc(s->n + 1, sizeof *nodes));
    CHECK_ALLOC(positions = calloc(s->n + 1, sizeof *positions));
    random_permutation(&s->random, nodes, s->n);
    for (size_t i = 0; i < s->n; i++)
        CHECK(add_random_parents(s, nodes[i], positions, err));
    return STATUS_OK;
}

static status renew_all(sgs_state *s, error_info *err) {
    s->n_renewed = 0;
    for (size_t x = 0; x < s->n; x++) {
        list_renewed(s, x);
        s->arc_bounds[x] = INFINITY;
        CHECK(renew_head(s, x, err));
    }
    return STATUS_OK;
}

status sgs_state_start(sgs_state *s, random_stream random, error_info *err) {
    s->random = random;
    ancestry_destroy(s->above);
    dag_destroy(s->g);
    s->above = NULL;
    s->g = NULL;
    if (s->repairs)
        repair_memo_forget_all(s->repairs);
    if (s->parent_sets) {
        memset(s->parent_sets, 0, s->n * s->n_words * sizeof *s->parent_sets);
        memset(s->child_sets, 0, s->n * s->n_words * sizeof *s->child_sets);
    }
    CHECK(dag_create(s->n, &s->g, err));
    CHECK(ancestry_create(s->g, ANCESTRY_MAX_NODES, &s->above, err));
    if (s->plan->start)
        CHECK(add_given_arcs(s, err));
    else if (s->plan->starts_at_random)
        CHECK(add_random_arcs(s, err));
    return renew_all(s, err);
}

double sgs_state_score(const sgs_state *s) {
    double sum = 0;
    for (size_t x = 0; x < s->n; x++)
        sum += s->heads[x].now;
    return sum;
}
