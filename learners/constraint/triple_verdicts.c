/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all separating sets say of the triples of a skeleton: the conservative rule of Ramsey, Spirtes, Zhang 2006 and
 * the majority rule of Colombo, Maathuis 2014, section 3.1. For every pair that is two steps apart each set of
 * neighbours of either end is tested once, and the sets that separate the pair are counted, with and without each
 * common neighbour.
 */
#include "learners/constraint/triple_verdicts.h"

#include "core/base/array.h"
#include "learners/base/set_walk.h"
#include "learners/constraint/association_probe_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t x, y, z; /* x < y */
    triple_verdict verdict;
} triple;

struct triple_verdicts {
    triple *items; /* ascending by x, y, z */
    size_t count, capacity, n_unknown;
};

void triple_verdicts_destroy(triple_verdicts *v) {
    if (!v)
        return;
    free(v->items);
    free(v);
}

size_t triple_verdicts_count(const triple_verdicts *v) {
    return v->count;
}

size_t triple_verdicts_unknown_count(const triple_verdicts *v) {
    return v->n_unknown;
}

static int compare_triples(const void *a, const void *b) {
    const triple *s = a, *t = b;
    if (s->x != t->x)
        return s->x < t->x ? -1 : 1;
    if (s->y != t->y)
        return s->y < t->y ? -1 : 1;
    if (s->z != t->z)
        return s->z < t->z ? -1 : 1;
    return 0;
}

triple_verdict triple_verdicts_get(const triple_verdicts *v, size_t x, size_t z, size_t y) {
    triple wanted = {.x = x < y ? x : y, .y = x < y ? y : x, .z = z};
    const triple *found = v->count ? bsearch(&wanted, v->items, v->count, sizeof *v->items, compare_triples) : NULL;
    return found ? found->verdict : TRIPLE_UNKNOWN;
}

static status append(triple_verdicts *v, triple t, error_info *err) {
    v->n_unknown += t.verdict == TRIPLE_UNKNOWN;
    return ARRAY_PUSH(v->items, v->count, v->capacity, err, t);
}

/* --- the sets that separate one pair --- */

/* A pair, and how many of the sets that separate it hold each node. */
typedef struct {
    association_probe probe;
    const pdag *g;
    const triple_rules *rules;
    triple_verdicts *found;
    size_t x, y;
    size_t *pool, n_pool; /* neighbours of one end */
    size_t *chosen, *z, *attended;
    size_t *n_with; /* by node; of those that are in no set 0 */
    size_t n_sets;
    size_t *others; /* ends to pair x with */
    size_t n_others;
    unsigned char *is_other; /* by node */
} census;

static void list_neighbours(const pdag *g, size_t node, size_t *out, size_t *count) {
    const pdag_edge *edges = pdag_edges(g, node, count);
    for (size_t i = 0; i < *count; i++)
        out[i] = edges[i].node;
}

static bool is_adjacent(const census *c, size_t a, size_t b) {
    return pdag_edge_between(c->g, a, b) != EDGE_NONE;
}

/* Sets of neighbours of y that are neighbours of x too have been seen with those of x. */
static bool was_seen(const census *c, size_t end, size_t size) {
    if (end == c->x)
        return false;
    for (size_t i = 0; i < size; i++) {
        if (!is_adjacent(c, c->x, c->z[i]))
            return false;
    }
    return true;
}

static status test_set(census *c, size_t end, size_t size, bool *is_performed, error_info *err) {
    bool reliable = false;
    verdict v = {0};
    status st = STATUS_OK;
    if (was_seen(c, end, size)) {
        *is_performed = true; /* or it was refused, and so will be every larger one */
        return STATUS_OK;
    }
    st = association_probe_decide(&c->probe, c->x, c->y, c->z, size, &reliable, &v, err);
    if (st != STATUS_OK || !reliable || c->probe.is_expired)
        return st;
    *is_performed = true;
    if (v.is_exact && v.value.is_zero) {
        c->n_sets++;
        for (size_t i = 0; i < size; i++)
            c->n_with[c->z[i]]++;
    }
    return STATUS_OK;
}

static status test_sets_of(census *c, size_t end, size_t size, bool *is_performed, error_info *err) {
    const table_limit *limit = c->rules->limit;
    double cells = table_limit_states(limit, c->x) * table_limit_states(limit, c->y);
    set_walk w = {limit, cells, c->pool, c->n_pool, size, c->chosen, c->z};
    for (bool more = set_walk_first(&w); more && !c->probe.is_expired; more = set_walk_next(&w))
        CHECK(test_set(c, end, size, is_performed, err));
    return STATUS_OK;
}

static status test_neighbours_of(census *c, size_t end, error_info *err) {
    size_t largest;
    bool is_performed = true;
    list_neighbours(c->g, end, c->pool, &c->n_pool);
    largest = c->rules->max_k < 0 || (size_t)c->rules->max_k > c->n_pool ? c->n_pool : (size_t)c->rules->max_k;
    c->attended[0] = c->x;
    c->attended[1] = c->y;
    if (c->n_pool > 0)
        memcpy(c->attended + 2, c->pool, c->n_pool * sizeof *c->pool);
    association_probe_attend(&c->probe, c->attended, c->n_pool + 2);
    for (size_t size = 0; size <= largest && is_performed && !c->probe.is_expired; size++) {
        is_performed = false;
        CHECK(test_sets_of(c, end, size, &is_performed, err));
    }
    return STATUS_OK;
}

static triple_verdict judge(const census *c, size_t z) {
    size_t with = c->n_with[z], without = c->n_sets - with;
    if (c->n_sets == 0)
        return TRIPLE_UNKNOWN;
    if (c->rules->rule == COLLIDERS_MAJORITY)
        return with < without ? TRIPLE_COLLIDER : with > without ? TRIPLE_CHAIN : TRIPLE_UNKNOWN;
    return with == 0 ? TRIPLE_COLLIDER : without == 0 ? TRIPLE_CHAIN : TRIPLE_UNKNOWN;
}

static status judge_pair(census *c, size_t x, size_t y, error_info *err) {
    size_t degree;
    const pdag_edge *of_x = pdag_edges(c->g, x, &degree);
    c->x = x;
    c->y = y;
    c->n_sets = 0;
    CHECK(test_neighbours_of(c, x, err));
    CHECK(test_neighbours_of(c, y, err));
    for (size_t i = 0; i < degree; i++) {
        size_t z = of_x[i].node;
        if (is_adjacent(c, z, y))
            CHECK(append(c->found, (triple){x, y, z, judge(c, z)}, err));
        c->n_with[z] = 0;
    }
    list_neighbours(c->g, y, c->pool, &c->n_pool);
    for (size_t i = 0; i < c->n_pool; i++)
        c->n_with[c->pool[i]] = 0;
    return STATUS_OK;
}

/* --- all pairs --- */

/* The ends above x that are two steps away from it. */
static void list_others(census *c, size_t x) {
    size_t degree;
    const pdag_edge *of_x = pdag_edges(c->g, x, &degree);
    c->n_others = 0;
    for (size_t i = 0; i < degree; i++) {
        size_t count;
        const pdag_edge *of_z = pdag_edges(c->g, of_x[i].node, &count);
        for (size_t k = 0; k < count; k++) {
            size_t y = of_z[k].node;
            if (y <= x || c->is_other[y] || is_adjacent(c, x, y))
                continue;
            c->is_other[y] = 1;
            c->others[c->n_others++] = y;
        }
    }
    for (size_t i = 0; i < c->n_others; i++)
        c->is_other[c->others[i]] = 0;
    array_sort_sizes(c->others, c->n_others);
}

static status judge_all(census *c, error_info *err) {
    for (size_t x = 0; x < pdag_node_count(c->g); x++) {
        list_others(c, x);
        for (size_t i = 0; i < c->n_others && !c->probe.is_expired; i++)
            CHECK(judge_pair(c, x, c->others[i], err));
    }
    return STATUS_OK;
}

static status census_init(census *c, error_info *err) {
    size_t n = pdag_node_count(c->g) + 2;
    CHECK_ALLOC(c->found = calloc(1, sizeof *c->found));
    CHECK_ALLOC(c->pool = calloc(n, sizeof *c->pool));
    CHECK_ALLOC(c->chosen = calloc(n, sizeof *c->chosen));
    CHECK_ALLOC(c->z = calloc(n, sizeof *c->z));
    CHECK_ALLOC(c->attended = calloc(n, sizeof *c->attended));
    CHECK_ALLOC(c->n_with = calloc(n, sizeof *c->n_with));
    CHECK_ALLOC(c->others = calloc(n, sizeof *c->others));
    CHECK_ALLOC(c->is_other = calloc(n, 1));
    return STATUS_OK;
}

static void census_clear(census *c) {
    triple_verdicts_destroy(c->found);
    free(c->pool);
    free(c->chosen);
    free(c->z);
    free(c->attended);
    free(c->n_with);
    free(c->others);
    free(c->is_other);
}

status triple_verdicts_find(const association_source *source, const pdag *skeleton, const triple_rules *rules,
                            const run_context *ctx, triple_verdicts **out, bool *is_cut_short, error_info *err) {
    AUTO(census_clear)
    census c = {.probe = {.source = *source, .quick = rules->quick, .ctx = ctx}, .g = skeleton, .rules = rules};

    CHECK(census_init(&c, err));
    CHECK(judge_all(&c, err));
    *out = TAKE(c.found);
    *is_cut_short = c.probe.is_expired;
    return STATUS_OK;
}
