/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tetrad's text: "Graph Nodes:", a line of names with ; or , between, "Graph Edges:", a line each "1. a --> b". */
#include "generators/networks/graph_reading.h"
#include "generators/networks/network_format.h"

#include <ctype.h>
#include <string.h>

static bool is_line_end(const graph_cursor *in) {
    return graph_is_at_end(in) || *in->at == '\n' || *in->at == '\r';
}

static void skip_line(graph_cursor *in) {
    while (!graph_is_at_end(in) && *in->at != '\n')
        graph_step(in);
    if (!graph_is_at_end(in))
        graph_step(in);
}

static status expect_line(graph_cursor *in, const char *line, error_info *err) {
    graph_skip_space(in);
    if (!graph_is_at(in, line))
        return graph_complain(in, err, "expected the line '%s'", line);
    skip_line(in);
    return STATUS_OK;
}

static status find_node(const graph_cursor *in, graph_builder *b, const char *name, size_t length, size_t *node,
                        bool *is_new, error_info *err) {
    status st = graph_builder_node(b, name, length, node, is_new, err);
    return st == STATUS_INVALID ? graph_complain(in, err, "%s", err ? err->message : "") : st;
}

static status read_nodes(graph_cursor *in, graph_builder *b, error_info *err) {
    graph_skip_blanks(in);
    while (!is_line_end(in)) {
        const char *name = in->at;
        size_t node;
        bool is_new;
        while (!is_line_end(in) && !strchr(";, \t", *in->at))
            graph_step(in);
        CHECK(find_node(in, b, name, (size_t)(in->at - name), &node, &is_new, err));
        if (!is_new && !b->are_given)
            return graph_complain(in, err, "the node '%.60s' is listed twice", b->names[node]);
        graph_skip_blanks(in);
        if (!is_line_end(in) && *in->at != ';' && *in->at != ',')
            return graph_complain(in, err, "expected ';' or ',' between names");
        if (!is_line_end(in))
            graph_step(in);
        graph_skip_blanks(in);
    }
    return STATUS_OK;
}

static status read_word(graph_cursor *in, const char *what, const char **word, size_t *length, error_info *err) {
    graph_skip_blanks(in);
    *word = in->at;
    while (!is_line_end(in) && *in->at != ' ' && *in->at != '\t')
        graph_step(in);
    *length = (size_t)(in->at - *word);
    return *length ? STATUS_OK : graph_complain(in, err, "expected %s, found the end of the line", what);
}

static status read_end(graph_cursor *in, graph_builder *b, size_t *node, error_info *err) {
    const char *name;
    size_t length, n = b->n_names;
    bool is_new;
    CHECK(read_word(in, "the name of a node", &name, &length, err));
    CHECK(find_node(in, b, name, length, node, &is_new, err));
    return b->n_names == n
               ? STATUS_OK
               : graph_complain(in, err, "expected one of the nodes listed on top, found '%.60s'", b->names[*node]);
}

static bool is_word(const char *word, size_t length, const char *other) {
    return length == strlen(other) && memcmp(word, other, length) == 0;
}

/* "1. a --> b"; what stands behind, such as the frequencies of a bootstrap, is passed over. */
static status read_edge(graph_cursor *in, graph_builder *b, error_info *err) {
    const char *word;
    size_t length, from, to, mark_length;
    CHECK(read_word(in, "the number of the edge", &word, &length, err));
    CHECK(read_end(in, b, &from, err));
    CHECK(read_word(in, "-->, <-- or ---", &word, &mark_length, err));
    CHECK(read_end(in, b, &to, err));
    if (from == to)
        return graph_complain(in, err, "expected an edge between two nodes, found one from a node to itself");
    if (is_word(word, mark_length, "-->"))
        CHECK(graph_builder_edge(b, from, to, EDGE_OUT, in->line, err));
    else if (is_word(word, mark_length, "<--"))
        CHECK(graph_builder_edge(b, to, from, EDGE_OUT, in->line, err));
    else if (is_word(word, mark_length, "---"))
        CHECK(graph_builder_edge(b, from, to, EDGE_UNDIRECTED, in->line, err));
    else
        return graph_complain(in, err, "expected -->, <-- or --- (graphs here have no latent variables), found '%.*s'",
                              (int)(mark_length < 20 ? mark_length : 20), word);
    skip_line(in);
    return STATUS_OK;
}

/* Up to the first line that is no edge: other parts follow behind an empty one. */
static status read_all(graph_cursor *in, graph_builder *b, error_info *err) {
    CHECK(expect_line(in, "Graph Nodes:", err));
    CHECK(read_nodes(in, b, err));
    CHECK(expect_line(in, "Graph Edges:", err));
    for (graph_skip_blanks(in); !graph_is_at_end(in) && isdigit((unsigned char)*in->at); graph_skip_blanks(in))
        CHECK(read_edge(in, b, err));
    if (!is_line_end(in))
        return graph_complain(in, err, "expected an edge such as '1. a --> b', or an empty line");
    return STATUS_OK;
}

static status parse(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                    error_info *err) {
    AUTO(graph_builder_clear) graph_builder b = {0};
    graph_cursor in;
    CHECK(graph_cursor_init(&in, text, length, err));
    CHECK(graph_builder_start(&b, names, n_names, err));
    CHECK(read_all(&in, &b, err));
    return graph_builder_finish(&b, out, err);
}

static void append(const named_graph *g, text_buffer *out) {
    size_t number = 1;
    text_append(out, "Graph Nodes:\n");
    for (size_t i = 0; i < g->n_nodes; i++)
        text_append_format(out, "%s%s", i ? ";" : "", g->names[i]);
    text_append(out, "\n\nGraph Edges:\n");
    for (size_t i = 0; i < g->n_nodes; i++) {
        size_t n = 0;
        const pdag_edge *edges = pdag_edges(g->graph, i, &n);
        for (size_t k = 0; k < n; k++) {
            const char *a = g->names[i], *b = g->names[edges[k].node];
            bool is_back = edges[k].kind == EDGE_IN;
            if (edges[k].node > i)
                text_append_format(out, "%zu. %s %s %s\n", number++, is_back ? b : a,
                                   edges[k].kind == EDGE_UNDIRECTED ? "---" : "-->", is_back ? a : b);
        }
    }
    text_append(out, "\n");
}

const network_format network_format_tetrad = {.name = "tetrad",
                                              .title = "Tetrad's text",
                                              .parse_graph = parse,
                                              .append_graph = append,
                                              .graph_loses = GRAPH_LOSES_KIND,
                                              .no_name_has = " \t;,\n\r"};
