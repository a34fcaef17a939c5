/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/models/net_frame_internal.h"

#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

status net_frame_init(net_frame *f, const char *name, size_t n_nodes, error_info *err) {
    if (n_nodes == 0)
        return error_set(err, STATUS_INVALID, "a network needs at least one variable");
    CHECK_ALLOC(f->name = text_copy(name));
    CHECK_ALLOC(f->variables = calloc(n_nodes, sizeof *f->variables));
    CHECK_ALLOC(f->parents = calloc(n_nodes, sizeof *f->parents));
    CHECK_ALLOC(f->n_parents = calloc(n_nodes, sizeof *f->n_parents));
    f->n_nodes = n_nodes;
    CHECK(name_index_create(n_nodes, &f->index, err));
    return dag_create(n_nodes, &f->graph, err);
}

void net_frame_clear(net_frame *f) {
    for (size_t i = 0; i < f->n_nodes; i++)
        free(f->parents[i]);
    free(f->parents);
    free(f->n_parents);
    variables_destroy(f->variables, f->n_nodes);
    name_index_destroy(f->index);
    dag_destroy(f->graph);
    free(f->name);
}

status net_frame_index(net_frame *f, size_t node, error_info *err) {
    const char *name = f->variables[node].name;
    size_t earlier;
    CHECK(name_index_add(f->index, name, node, &earlier, err));
    return earlier == NAME_NONE ? STATUS_OK : error_set(err, STATUS_INVALID, "two variables are named '%.200s'", name);
}

status net_frame_check_parents(const net_frame *f, size_t node, const size_t *parents, size_t n_parents,
                               error_info *err) {
    const char *name = f->variables[node].name;
    for (size_t p = 0; p < n_parents; p++) {
        if (parents[p] >= f->n_nodes)
            return error_set(err, STATUS_INVALID, "node %zu as a parent of '%.200s'; the network has %zu nodes",
                             parents[p], name, f->n_nodes);
        if (parents[p] == node)
            return error_set(err, STATUS_INVALID, "variable '%.200s' is its own parent", name);
    }
    return STATUS_OK;
}

static void remove_arcs(net_frame *f, size_t node, const size_t *parents, size_t n_parents) {
    for (size_t p = 0; p < n_parents; p++) {
        status st = dag_remove_arc(f->graph, parents[p], node, NULL);
        (void)st; /* it was added a moment ago */
    }
}

static status add_arcs(net_frame *f, size_t node, const size_t *parents, size_t n_parents, error_info *err) {
    for (size_t p = 0; p < n_parents; p++) {
        const char *from = f->variables[parents[p]].name, *to = f->variables[node].name;
        status st = STATUS_OK;
        if (dag_has_arc(f->graph, parents[p], node))
            st = error_set(err, STATUS_INVALID, "'%.200s' is twice a parent of '%.200s'", from, to);
        else if (dag_reaches(f->graph, node, parents[p]))
            st = error_set(err, STATUS_INVALID, "the arc '%.200s' -> '%.200s' would close a cycle", from, to);
        else
            st = dag_add_arc(f->graph, parents[p], node, err);
        if (st != STATUS_OK) {
            remove_arcs(f, node, parents, p);
            return st;
        }
    }
    return STATUS_OK;
}

status net_frame_set_parents(net_frame *f, size_t node, const size_t *parents, size_t n_parents, error_info *err) {
    AUTO_FREE size_t *copy = calloc(n_parents + 1, sizeof *copy);
    CHECK_ALLOC(copy);
    CHECK(add_arcs(f, node, parents, n_parents, err));
    if (n_parents > 0)
        memcpy(copy, parents, n_parents * sizeof *copy);
    f->parents[node] = copy;
    copy = NULL;
    f->n_parents[node] = n_parents;
    return STATUS_OK;
}
