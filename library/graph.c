/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs: made, read, written, compared. */
#include "library/library_internal.h"

#include "core/base/file.h"
#include "core/base/name_index.h"
#include "core/base/text.h"
#include "core/graph/equivalence.h"
#include "metrics/distances/graph_distance.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)BNB_DAG == (int)GRAPH_DAG && (int)BNB_CPDAG == (int)GRAPH_CPDAG &&
                   (int)BNB_SKELETON == (int)GRAPH_SKELETON,
               "kinds of graphs are the program's");

status library_graph_take(named_graph *g, graph_kind kind, bnb_graph **out, error_info *err) {
    bnb_graph *graph = calloc(1, sizeof *graph);
    CHECK_ALLOC(graph);
    graph->g = TAKE(*g);
    graph->g.lists_nodes = graph->g.has_kind = true;
    graph->g.kind = kind;
    *out = graph;
    return STATUS_OK;
}

/* ---- made ---- */

static status name_nodes(const char *const *names, size_t n, named_graph *g, error_info *err) {
    AUTO_PTR(name_index_destroy) name_index *index = NULL;
    size_t earlier;
    CHECK(name_index_create(n, &index, err));
    CHECK_ALLOC(g->names = calloc(n + 1, sizeof *g->names));
    for (; g->n_nodes < n; g->n_nodes++) {
        CHECK(name_index_add(index, names[g->n_nodes], g->n_nodes, &earlier, err));
        if (earlier != NAME_NONE)
            return error_set(err, STATUS_INVALID, "two nodes are named '%s'", names[g->n_nodes]);
        CHECK_ALLOC(g->names[g->n_nodes] = text_copy(names[g->n_nodes]));
    }
    return STATUS_OK;
}

static status connect(const bnb_edge *edges, size_t n, named_graph *g, error_info *err) {
    AUTO_FREE pdag_pair *pairs = calloc(n + 1, sizeof *pairs);
    CHECK_ALLOC(pairs);
    for (size_t i = 0; i < n; i++)
        pairs[i] = (pdag_pair){edges[i].from, edges[i].to, edges[i].is_directed ? EDGE_OUT : EDGE_UNDIRECTED};
    return pdag_from_pairs(g->n_nodes, pairs, n, &g->graph, err);
}

static status check_kind(const pdag *g, graph_kind kind, error_info *err) {
    AUTO_PTR(dag_destroy) dag *as_dag = NULL;
    if (kind == GRAPH_SKELETON && pdag_directed_count(g) > 0)
        return error_set(err, STATUS_INVALID, "a skeleton has no directed edges");
    return kind == GRAPH_DAG ? pdag_to_dag(g, &as_dag, err) : STATUS_OK;
}

static status create(const char *const *names, size_t n_nodes, const bnb_edge *edges, size_t n_edges,
                     bnb_graph_kind kind, bnb_graph **out, error_info *err) {
    AUTO(named_graph_clear) named_graph g = {0};
    CHECK(name_nodes(names, n_nodes, &g, err));
    CHECK(connect(edges, n_edges, &g, err));
    CHECK(check_kind(g.graph, (graph_kind)kind, err));
    return library_graph_take(&g, (graph_kind)kind, out, err);
}

bnb_status bnb_graph_create(const char *const *names, size_t n_nodes, const bnb_edge *edges, size_t n_edges,
                            bnb_graph_kind kind, bnb_graph **out, bnb_error *error) {
    LIBRARY_CALL(error, create(names, n_nodes, edges, n_edges, kind, out, err));
}

/* ---- files ---- */

static status read_graph(const char *path, named_graph *g, error_info *err) {
    AUTO(any_network_clear) any_network net = {0};
    if (file_exists(path) && !network_format_of_network(path))
        return graph_file_read(path, NULL, NULL, 0, g, err);
    CHECK(any_network_load(path, &net, err));
    return any_network_graph(&net, g, err);
}

static status read_file(const char *path, bnb_graph **out, error_info *err) {
    AUTO(named_graph_clear) named_graph g = {0};
    graph_kind kind;
    CHECK(read_graph(path, &g, err));
    CHECK(named_graph_kind(&g, &kind, err));
    return library_graph_take(&g, kind, out, err);
}

bnb_status bnb_graph_read(const char *path, bnb_graph **out, bnb_error *error) {
    LIBRARY_CALL(error, read_file(path, out, err));
}

static status append(const bnb_graph *graph, const network_format *f, const char *word, text_buffer *text,
                     error_info *err) {
    if (!f || !f->append_graph)
        return error_set(err, STATUS_INVALID, "'%s' is no format of graphs", word);
    return graph_format_append(f, &graph->g, text, NULL, err);
}

static status to_text(const bnb_graph *graph, const char *format, char **out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    CHECK(append(graph, network_format_find(format), format, &text, err));
    return text_buffer_take(&text, out, err);
}

bnb_status bnb_graph_text(const bnb_graph *graph, const char *format, char **out, bnb_error *error) {
    LIBRARY_CALL(error, to_text(graph, format, out, err));
}

static status write_file(const bnb_graph *graph, const char *path, error_info *err) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    CHECK(append(graph, network_format_of_path(path), path, &text, err));
    return file_write(path, text.data, text.length, err);
}

bnb_status bnb_graph_write(const bnb_graph *graph, const char *path, bnb_error *error) {
    LIBRARY_CALL(error, write_file(graph, path, err));
}

/* ---- what they hold ---- */

void bnb_graph_free(bnb_graph *graph) {
    if (graph)
        named_graph_clear(&graph->g);
    free(graph);
}

size_t bnb_graph_node_count(const bnb_graph *graph) {
    return graph->g.n_nodes;
}

const char *bnb_graph_node_name(const bnb_graph *graph, size_t node) {
    return node < graph->g.n_nodes ? graph->g.names[node] : NULL;
}

bnb_graph_kind bnb_graph_kind_of(const bnb_graph *graph) {
    return (bnb_graph_kind)graph->g.kind;
}

size_t bnb_graph_edge_count(const bnb_graph *graph) {
    return pdag_edge_count(graph->g.graph);
}

static bnb_edge edge_of(size_t a, const pdag_edge *e) {
    return e->kind == EDGE_IN ? (bnb_edge){e->node, a, 1} : (bnb_edge){a, e->node, e->kind == EDGE_OUT};
}

void bnb_graph_edges(const bnb_graph *graph, bnb_edge *out) {
    for (size_t a = 0; a < graph->g.n_nodes; a++) {
        size_t n;
        const pdag_edge *edges = pdag_edges(graph->g.graph, a, &n);
        for (size_t i = 0; i < n; i++) {
            if (edges[i].node > a)
                *out++ = edge_of(a, &edges[i]);
        }
    }
}

/* ---- what follows from them ---- */

static status complete(const bnb_graph *graph, bnb_graph **out, error_info *err) {
    AUTO(named_graph_clear) named_graph g = {0};
    graph_kind kind = graph->g.kind == GRAPH_DAG ? GRAPH_CPDAG : graph->g.kind;
    CHECK(name_nodes((const char *const *)graph->g.names, graph->g.n_nodes, &g, err));
    CHECK(pdag_compared(graph->g.graph, graph->g.kind, &g.graph, err));
    return library_graph_take(&g, kind, out, err);
}

bnb_status bnb_graph_cpdag(const bnb_graph *graph, bnb_graph **out, bnb_error *error) {
    LIBRARY_CALL(error, complete(graph, out, err));
}

static status compare(const bnb_graph *learned, const bnb_graph *truth, bnb_distance *out, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *aligned = NULL;
    graph_distance d;
    CHECK(named_graph_align(&learned->g, (const char *const *)truth->g.names, truth->g.n_nodes, &aligned, err));
    CHECK(graph_distance_measure(aligned, learned->g.kind, truth->g.graph, truth->g.kind, &d, err));
    *out = (bnb_distance){.true_edges = d.true_edges,
                          .tp = d.tp,
                          .fp = d.fp,
                          .fn = d.fn,
                          .misoriented = d.misoriented,
                          .shd = d.shd,
                          .shd_skeleton = d.shd_skeleton,
                          .shd_fu = d.shd_fu,
                          .shd_extended = d.shd_extended,
                          .shd_raw = d.shd_raw};
    return STATUS_OK;
}

bnb_status bnb_compare(const bnb_graph *learned, const bnb_graph *truth, bnb_distance *out, bnb_error *error) {
    LIBRARY_CALL(error, compare(learned, truth, out, err));
}
