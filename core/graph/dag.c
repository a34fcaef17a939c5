/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/dag_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

/* calloc of nothing may give NULL; one entry more than needed never does without a reason. */
status dag_create(size_t n_nodes, dag **out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *g = calloc(1, sizeof *g);

    CHECK_ALLOC(g);
    CHECK_ALLOC(g->parents = calloc(n_nodes + 1, sizeof *g->parents));
    CHECK_ALLOC(g->children = calloc(n_nodes + 1, sizeof *g->children));
    CHECK_ALLOC(g->position = calloc(n_nodes + 1, sizeof *g->position));
    CHECK_ALLOC(g->node_at = calloc(n_nodes + 1, sizeof *g->node_at));
    CHECK(dag_search_create(n_nodes, &g->search, err));
    g->n_nodes = n_nodes;
    for (size_t i = 0; i < n_nodes; i++)
        g->position[i] = g->node_at[i] = i;
    *out = TAKE(g);
    return STATUS_OK;
}

void dag_destroy(dag *g) {
    if (!g)
        return;
    for (size_t i = 0; i < g->n_nodes; i++) {
        index_list_clear(&g->parents[i]);
        index_list_clear(&g->children[i]);
    }
    free(g->parents);
    free(g->children);
    free(g->position);
    free(g->node_at);
    dag_search_destroy(g->search);
    free(g);
}

status dag_copy(const dag *g, dag **out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *copy = NULL;

    CHECK(dag_create(g->n_nodes, &copy, err));
    for (size_t i = 0; i < g->n_nodes; i++) {
        CHECK(index_list_copy(&g->parents[i], &copy->parents[i], err));
        CHECK(index_list_copy(&g->children[i], &copy->children[i], err));
    }
    memcpy(copy->position, g->position, g->n_nodes * sizeof *g->position);
    memcpy(copy->node_at, g->node_at, g->n_nodes * sizeof *g->node_at);
    copy->n_arcs = g->n_arcs;
    *out = TAKE(copy);
    return STATUS_OK;
}

static status check_nodes(size_t n_nodes, size_t from, size_t to, error_info *err) {
    if (from < n_nodes && to < n_nodes)
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "arc %zu -> %zu: there are only %zu nodes, from 0 on", from, to, n_nodes);
}

/* ---- all arcs at once ---- */

static status check_arcs(size_t n_nodes, const size_t *from, const size_t *to, size_t n_arcs, error_info *err) {
    for (size_t k = 0; k < n_arcs; k++) {
        CHECK(check_nodes(n_nodes, from[k], to[k], err));
        if (from[k] == to[k])
            return error_set(err, STATUS_INVALID, "arc %zu -> %zu would close a cycle", from[k], to[k]);
    }
    return STATUS_OK;
}

/* Gives each list exactly the room that it needs. */
static status size_lists(dag *g, const size_t *from, const size_t *to, size_t n_arcs, error_info *err) {
    size_t *n_out = g->search->queue, *n_in = g->search->nodes;
    memset(n_out, 0, g->n_nodes * sizeof *n_out);
    memset(n_in, 0, g->n_nodes * sizeof *n_in);
    for (size_t k = 0; k < n_arcs; k++) {
        n_out[from[k]]++;
        n_in[to[k]]++;
    }
    for (size_t i = 0; i < g->n_nodes; i++) {
        CHECK(index_list_reserve(&g->parents[i], n_in[i], err));
        CHECK(index_list_reserve(&g->children[i], n_out[i], err));
    }
    return STATUS_OK;
}

/* Fills `other` from `lists` read in ascending order of the node, so that each of its lists comes out ascending. */
static void transpose(const index_list *lists, index_list *other, size_t n_nodes) {
    for (size_t i = 0; i < n_nodes; i++)
        other[i].count = 0;
    for (size_t i = 0; i < n_nodes; i++) {
        for (size_t k = 0; k < lists[i].count; k++) {
            index_list *target = &other[lists[i].items[k]];
            target->items[target->count++] = i;
        }
    }
}

static status check_repeats(const dag *g, error_info *err) {
    for (size_t i = 0; i < g->n_nodes; i++) {
        const index_list *list = &g->parents[i];
        for (size_t k = 1; k < list->count; k++) {
            if (list->items[k] == list->items[k - 1])
                return error_set(err, STATUS_INVALID, "arc %zu -> %zu is given twice", list->items[k], i);
        }
    }
    return STATUS_OK;
}

status dag_from_arcs(size_t n_nodes, const size_t *from, const size_t *to, size_t n_arcs, dag **out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *g = NULL;

    CHECK(check_arcs(n_nodes, from, to, n_arcs, err));
    CHECK(dag_create(n_nodes, &g, err));
    CHECK(size_lists(g, from, to, n_arcs, err));
    for (size_t k = 0; k < n_arcs; k++) {
        index_list *list = &g->parents[to[k]];
        assert(list->items);
        list->items[list->count++] = from[k];
    }
    transpose(g->parents, g->children, n_nodes);
    transpose(g->children, g->parents, n_nodes);
    CHECK(check_repeats(g, err));
    g->n_arcs = n_arcs;
    CHECK(dag_order_all(g, err));
    *out = TAKE(g);
    return STATUS_OK;
}

/* ---- questions ---- */

size_t dag_node_count(const dag *g) {
    return g->n_nodes;
}

size_t dag_arc_count(const dag *g) {
    return g->n_arcs;
}

bool dag_has_arc(const dag *g, size_t from, size_t to) {
    if (from >= g->n_nodes || to >= g->n_nodes)
        return false;
    if (g->children[from].count < g->parents[to].count)
        return index_list_has(&g->children[from], to);
    return index_list_has(&g->parents[to], from);
}

const size_t *dag_parents(const dag *g, size_t node, size_t *count) {
    *count = g->parents[node].count;
    return g->parents[node].items;
}

void dag_foresee_parents(const dag *g, size_t node) {
    __builtin_prefetch(g->parents[node].items);
}

const size_t *dag_children(const dag *g, size_t node, size_t *count) {
    *count = g->children[node].count;
    return g->children[node].items;
}

const size_t *dag_kept_order(const dag *g) {
    return g->node_at;
}

size_t dag_place(const dag *g, size_t node) {
    return g->position[node];
}

/* ---- changes ---- */

status dag_add_arc(dag *g, size_t from, size_t to, error_info *err) {
    CHECK(check_nodes(g->n_nodes, from, to, err));
    bool found;
    size_t among_children = index_list_find(&g->children[from], to, &found);
    if (found)
        return error_set(err, STATUS_INVALID, "arc %zu -> %zu is there already", from, to);
    size_t among_parents = index_list_find(&g->parents[to], from, &found);
    CHECK(index_list_reserve(&g->children[from], g->children[from].count + 1, err));
    CHECK(index_list_reserve(&g->parents[to], g->parents[to].count + 1, err));
    if (from == to || !dag_order_before(g, from, to))
        return error_set(err, STATUS_INVALID, "arc %zu -> %zu would close a cycle", from, to);
    index_list_insert(&g->children[from], among_children, to);
    index_list_insert(&g->parents[to], among_parents, from);
    g->n_arcs++;
    return STATUS_OK;
}

/* The order stays right: it only promises something about arcs that are there. */
status dag_remove_arc(dag *g, size_t from, size_t to, error_info *err) {
    CHECK(check_nodes(g->n_nodes, from, to, err));
    bool found;
    size_t place = index_list_find(&g->children[from], to, &found);
    if (!found)
        return error_set(err, STATUS_INVALID, "arc %zu -> %zu is not there", from, to);
    index_list_remove(&g->children[from], place);
    index_list_remove(&g->parents[to], index_list_find(&g->parents[to], from, &found));
    g->n_arcs--;
    return STATUS_OK;
}
