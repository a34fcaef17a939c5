/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Random graphs with reference values (golden/graphs/graphs.jsonl of the shared folder; a part of it lies in data/).
 */
#ifndef BNB_TESTS_SUPPORT_GRAPH_GOLDENS_H
#define BNB_TESTS_SUPPORT_GRAPH_GOLDENS_H

#include "core/graph/pdag.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/** All cases, as one array; ids count from 1. */
static inline json_t *load_graph_goldens(void) {
    const char *path = shared_path("golden/graphs/graphs.jsonl");
    FILE *f = fopen(path ? path : source_path("tests/data/graphs.jsonl"), "r");
    json_t *cases = json_array();
    assert_non_null(f);
    for (json_t *one = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL); one;
         one = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))
        assert_int_equal(json_array_append_new(cases, one), 0);
    (void)fclose(f);
    assert_true(json_array_size(cases) >= 16);
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
