/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnlearn's model string: "[A][B|A][C|A:B]", nodes with their parents, in any order. Arcs alone. */
#include "generators/networks/graph_reading.h"
#include "generators/networks/network_format.h"

#include <string.h>

/* Up to a byte of [ ] | : */
static status read_name(graph_cursor *in, const char **name, size_t *length, error_info *err) {
    *name = in->at;
    while (!graph_is_at_end(in) && !strchr("[]|:\n\r", *in->at))
        graph_step(in);
    *length = (size_t)(in->at - *name);
    return *length ? STATUS_OK : graph_complain(in, err, "expected the name of a node, found nothing");
}

static status expect(graph_cursor *in, const char *bytes, const char *what, error_info *err) {
    if (!graph_is_at_end(in) && strchr(bytes, *in->at))
        return STATUS_OK;
    return graph_complain(in, err, "expected %s, found %s", what, graph_is_at_end(in) ? "the end" : "something else");
}

static status find_node(const graph_cursor *in, graph_builder *b, const char *name, size_t length, size_t *node,
                        bool *is_new, error_info *err) {
    status st = graph_builder_node(b, name, length, node, is_new, err);
    return st == STATUS_INVALID ? graph_complain(in, err, "%s", err ? err->message : "") : st;
}

static status read_parents(graph_cursor *in, graph_builder *b, size_t node, bool takes_edges, error_info *err) {
    do {
        const char *name;
        size_t length, parent, n = b->n_names;
        bool is_new;
        graph_step(in);
        CHECK(read_name(in, &name, &length, err));
        if (takes_edges) {
            CHECK(find_node(in, b, name, length, &parent, &is_new, err));
            if (b->n_names > n)
                return graph_complain(in, err, "expected a node that has a bracket of its own, found '%.*s'",
                                      (int)(length < 60 ? length : 60), name);
            if (parent == node)
                return graph_complain(in, err, "expected another parent than the node itself");
            CHECK(graph_builder_edge(b, parent, node, EDGE_OUT, in->line, err));
        }
        CHECK(expect(in, ":]", "':' or ']'", err));
    } while (*in->at == ':');
    return STATUS_OK;
}

/* Once for the nodes, so that parents may stand before their own bracket, then once for the arcs. */
static status read_brackets(graph_cursor in, graph_builder *b, unsigned char *is_seen, bool takes_edges,
                            error_info *err) {
    for (graph_skip_space(&in); !graph_is_at_end(&in); graph_skip_space(&in)) {
        const char *name;
        size_t length, node;
        bool is_new;
        CHECK(expect(&in, "[", "'['", err));
        graph_step(&in);
        CHECK(read_name(&in, &name, &length, err));
        CHECK(find_node(&in, b, name, length, &node, &is_new, err));
        if (!takes_edges && is_seen[node]++)
            return graph_complain(&in, err, "the node '%.60s' is there twice", b->names[node]);
        CHECK(expect(&in, "|]", "'|' or ']'", err));
        if (*in.at == '|')
            CHECK(read_parents(&in, b, node, takes_edges, err));
        graph_step(&in);
    }
    return STATUS_OK;
}

static status parse(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                    error_info *err) {
    AUTO(graph_builder_clear) graph_builder b = {0};
    AUTO_FREE unsigned char *is_seen = calloc(length + n_names + 1, 1);
    graph_cursor in;
    CHECK_ALLOC(is_seen);
    CHECK(graph_cursor_init(&in, text, length, err));
    CHECK(graph_builder_start(&b, names, n_names, err));
    CHECK(read_brackets(in, &b, is_seen, false, err));
    CHECK(read_brackets(in, &b, is_seen, true, err));
    return graph_builder_finish(&b, out, err);
}

static void append(const named_graph *g, text_buffer *out) {
    for (size_t i = 0; i < g->n_nodes; i++) {
        size_t n = 0;
        const pdag_edge *edges = pdag_edges(g->graph, i, &n);
        const char *before = "|";
        text_append_format(out, "[%s", g->names[i]);
        for (size_t k = 0; k < n; k++) {
            if (edges[k].kind != EDGE_IN)
                continue;
            text_append_format(out, "%s%s", before, g->names[edges[k].node]);
            before = ":";
        }
        text_append(out, "]");
    }
    text_append(out, "\n");
}

const network_format network_format_modelstring = {.name = "modelstring",
                                                   .title = "a model string",
                                                   .parse_graph = parse,
                                                   .append_graph = append,
                                                   .graph_loses = GRAPH_LOSES_KIND | GRAPH_LOSES_UNDIRECTED,
                                                   .no_name_has = "[]|:\n\r"};
