/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/graph_columns.h"

#include "core/base/name_index.h"
#include "core/graph/equivalence.h"

#include <stdlib.h>

status graph_columns(const named_graph *g, const dataset *data, size_t *columns, error_info *err) {
    if (g->is_unnamed && g->n_nodes != dataset_column_count(data))
        return error_set(err, STATUS_INVALID, "the graph has %zu nodes without names, and the data have %zu columns",
                         g->n_nodes, dataset_column_count(data));
    for (size_t i = 0; i < g->n_nodes; i++) {
        columns[i] = g->is_unnamed ? i : dataset_find_column(data, g->names[i]);
        if (columns[i] == NAME_NONE)
            return error_set(err, STATUS_INVALID, "the graph has a node '%s' that is no column of the data",
                             g->names[i]);
    }
    return STATUS_OK;
}

status graph_on_columns(const named_graph *g, const dataset *data, dag **out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *of_nodes = NULL, *of_columns = NULL;
    AUTO_FREE size_t *columns = calloc(g->n_nodes + 1, sizeof *columns);
    CHECK_ALLOC(columns);
    CHECK(pdag_orient(g->graph, &of_nodes, err));
    CHECK(graph_columns(g, data, columns, err));
    CHECK(dag_create(dataset_column_count(data), &of_columns, err));
    for (size_t i = 0; i < g->n_nodes; i++) {
        size_t n;
        const size_t *parents = dag_parents(of_nodes, i, &n);
        for (size_t k = 0; k < n; k++)
            CHECK(dag_add_arc(of_columns, columns[parents[k]], columns[i], err));
    }
    *out = TAKE(of_columns);
    return STATUS_OK;
}
