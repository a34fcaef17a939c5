/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Random graphs with reference values (tests/golden/graphs/graphs.jsonl.gz). */
#ifndef BNB_TESTS_SUPPORT_GRAPH_GOLDENS_H
#define BNB_TESTS_SUPPORT_GRAPH_GOLDENS_H

#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/graph/pdag.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/** All cases, one a line of the file, as one array; ids count from 1. */
static inline json_t *load_graph_goldens(void) {
    char *text = NULL, *rest = NULL;
    size_t length;
    json_t *cases = json_array();
    error_info err = {0};
    assert_ok(file_read(golden_path("graphs/graphs.jsonl"), FILE_READ_MOST, &text, &length, &err), &err);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        assert_int_equal(json_array_append_new(cases, json_loads(line, 0, NULL)), 0);
    free(text);
    assert_int_equal(json_array_size(cases), 200);
    return cases;
}

static inline json_t *find_golden(json_t *cases, json_int_t id) {
    size_t i;
    json_t *one;
    json_array_foreach(cases, i, one) {
        if (json_integer_value(json_object_get(one, "id")) == id)
            return one;
    }
    return NULL;
}

/** Nodes are named A, B, C, ... */
static inline size_t golden_node(const json_t *name) {
    return (size_t)(json_string_value(name)[0] - 'A');
}

static inline size_t golden_node_count(const json_t *one) {
    return (size_t)json_integer_value(json_object_get(one, "n"));
}

static inline void add_golden_edges(pdag *g, const json_t *edges, edge_kind kind) {
    size_t i;
    json_t *edge;
    json_array_foreach(edges, i, edge) {
        error_info err = {0};
        size_t a = golden_node(json_array_get(edge, 0)), b = golden_node(json_array_get(edge, 1));
        assert_ok(pdag_set_edge(g, a, b, kind, &err), &err);
    }
}

/** The graph of {"directed": [...], "undirected": [...]}. */
static inline pdag *golden_pdag(const json_t *one, const json_t *graph) {
    error_info err = {0};
    pdag *g = NULL;
    assert_ok(pdag_create(golden_node_count(one), &g, &err), &err);
    add_golden_edges(g, json_object_get(graph, "directed"), EDGE_OUT);
    add_golden_edges(g, json_object_get(graph, "undirected"), EDGE_UNDIRECTED);
    return g;
}

static inline dag *golden_dag(const json_t *one) {
    error_info err = {0};
    dag *g = NULL;
    size_t i;
    json_t *arc;
    assert_ok(dag_create(golden_node_count(one), &g, &err), &err);
    json_array_foreach(json_object_get(one, "arcs"), i, arc) {
        assert_ok(dag_add_arc(g, golden_node(json_array_get(arc, 0)), golden_node(json_array_get(arc, 1)), &err), &err);
    }
    return g;
}

#endif
