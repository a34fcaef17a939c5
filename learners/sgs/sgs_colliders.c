/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Covered v-structures uncovered: Vandel, Mangin, de Givry 2012, section 4.1, last paragraph. Each change removes an
 * edge, so the passes come to an end; the graph stays acyclic and within the limit of parents.
 */
#include "learners/sgs/sgs_search.h"

#include "metrics/scores/score.h"

#include <stdlib.h>

typedef struct {
    const family_source *source;
    const sgs_plan *plan;
    bool keep_if_better;
    dag **g; /* a change replaces it */
} uncovering;

static status family(const uncovering *u, size_t x, const size_t *parents, size_t n, double *sum, error_info *err) {
    double value = 0;
    size_t sorted[2];
    status st;
    if (n > 0) {
        bool swaps = n == 2 && parents[0] > parents[1];
        sorted[0] = parents[swaps];
        sorted[1] = parents[n == 2 && !swaps];
    }
    st = u->source->family(u->source->self, x, sorted, n, FAMILY_NO_EXTRA, &value, err);
    *sum += value;
    return st;
}

/* The three nodes alone, tails -> collider, the tails apart. */
static status score_collider(const uncovering *u, const size_t tails[2], size_t collider, double *out,
                             error_info *err) {
    *out = 0;
    CHECK(family(u, tails[0], NULL, 0, out, err));
    CHECK(family(u, tails[1], NULL, 0, out, err));
    return family(u, collider, tails, 2, out, err);
}

/* As they are: a -> b, both -> c. */
static status score_connected(const uncovering *u, size_t a, size_t b, size_t c, double *out, error_info *err) {
    size_t both[2] = {a, b};
    *out = 0;
    CHECK(family(u, a, NULL, 0, out, err));
    CHECK(family(u, b, &a, 1, out, err));
    return family(u, c, both, 2, out, err);
}

static bool is_candidate(const sgs_plan *plan, size_t parent, size_t child) {
    size_t i = 0;
    if (!plan->candidates)
        return true;
    while (i < plan->n_candidates[child] && plan->candidates[child][i] != parent)
        i++;
    return i < plan->n_candidates[child];
}

static status drop_between(dag *g, size_t x, size_t y, error_info *err) {
    bool forwards = dag_has_arc(g, x, y);
    return dag_remove_arc(g, forwards ? x : y, forwards ? y : x, err);
}

/* Works on a copy: a change that cannot be completed leaves the graph as it was. */
static status orient(uncovering *u, const size_t tails[2], size_t collider, bool *is_done, error_info *err) {
    AUTO_PTR(dag_destroy) dag *copy = NULL;
    size_t n_parents;
    *is_done = false;
    CHECK(dag_copy(*u->g, &copy, err));
    CHECK(drop_between(copy, tails[0], tails[1], err));
    for (size_t i = 0; i < 2; i++) {
        if (dag_has_arc(copy, tails[i], collider))
            continue;
        CHECK(dag_remove_arc(copy, collider, tails[i], err));
        if (!is_candidate(u->plan, tails[i], collider) || dag_reaches(copy, collider, tails[i]))
            return STATUS_OK;
        CHECK(dag_add_arc(copy, tails[i], collider, err));
    }
    (void)dag_parents(copy, collider, &n_parents);
    if (n_parents > u->plan->max_parents)
        return STATUS_OK;
    dag_destroy(*u->g);
    *u->g = TAKE(copy);
    *is_done = true;
    return STATUS_OK;
}

static status visit_triangle(uncovering *u, size_t a, size_t b, size_t c, bool *is_done, error_info *err) {
    const size_t tails[3][2] = {{a, b}, {b, c}, {a, c}}, colliders[3] = {c, a, b};
    double best = 0, connected;
    size_t chosen = 0;
    *is_done = false;
    CHECK(score_connected(u, a, b, c, &connected, err));
    for (size_t i = 0; i < 3; i++) {
        double value;
        CHECK(score_collider(u, tails[i], colliders[i], &value, err));
        if (i == 0 || value > best + SCORE_TOLERANCE) {
            best = value;
            chosen = i;
        }
    }
    if (!u->keep_if_better || best > connected + SCORE_TOLERANCE)
        CHECK(orient(u, tails[chosen], colliders[chosen], is_done, err));
    return STATUS_OK;
}

/* The triangles with c at the bottom. A change moves its parents, so they are read again. */
static status visit_node(uncovering *u, size_t c, size_t *n_changed, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(*u->g, c, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        for (size_t k = 0; k < n_parents; k++) {
            bool is_done = false;
            if (dag_has_arc(*u->g, parents[i], parents[k]))
                CHECK(visit_triangle(u, parents[i], parents[k], c, &is_done, err));
            if (!is_done)
                continue;
            ++*n_changed;
            parents = dag_parents(*u->g, c, &n_parents);
            i = 0;
            k = SIZE_MAX; /* the loop's step makes it 0 */
        }
    }
    return STATUS_OK;
}

status sgs_uncover_colliders(const family_source *source, const sgs_plan *plan, bool keep_if_better, dag **g,
                             size_t *n_changed, error_info *err) {
    uncovering u = {source, plan, keep_if_better, g};
    size_t before;
    *n_changed = 0;
    do {
        before = *n_changed;
        for (size_t c = 0; c < source->n_variables; c++)
            CHECK(visit_node(&u, c, n_changed, err));
    } while (*n_changed > before); /* each change removes an edge */
    return STATUS_OK;
}
