/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/graph_file.h"

#include "core/base/file.h"
#include "core/base/name_index.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

void named_graph_clear(named_graph *g) {
    texts_destroy(g->names, g->n_nodes);
    pdag_destroy(g->graph);
    *g = (named_graph){0};
}

status graph_read_csv(const char *path, const char *const *names, size_t n_names, named_graph *out, error_info *err) {
    AUTO_FREE char *text = NULL;
    size_t length;
    status st = file_read(path, FILE_READ_MOST, &text, &length, err);
    if (st == STATUS_OK)
        st = graph_parse_csv(text, length, names, n_names, out, err);
    return error_at(st, err, strcmp(path, "-") == 0 ? "standard input" : path);
}

status named_graph_kind(const named_graph *g, graph_kind *out, error_info *err) {
    if (!g->has_kind)
        return pdag_kind(g->graph, out, err);
    *out = g->kind;
    return STATUS_OK;
}

status named_graph_name(named_graph *g, const char *const *names, size_t n_names, error_info *err) {
    if (n_names != g->n_nodes)
        return error_set(err, STATUS_INVALID, "the graph has %zu nodes without names, and there are %zu names",
                         g->n_nodes, n_names);
    for (size_t i = 0; i < n_names; i++) {
        char *name = text_copy(names[i]);
        CHECK_ALLOC(name);
        free(g->names[i]);
        g->names[i] = name;
    }
    g->is_unnamed = false;
    return STATUS_OK;
}

/* ---- writing ---- */

typedef void (*edge_writer)(const char *from, const char *to, bool directed, text_buffer *out);

static void append_edges(const pdag *g, const char *const *names, edge_writer append_edge, text_buffer *out) {
    for (size_t i = 0; i < pdag_node_count(g); i++) {
        size_t count;
        const pdag_edge *edges = pdag_edges(g, i, &count);
        for (size_t k = 0; k < count; k++) {
            size_t j = edges[k].node;
            bool back = edges[k].kind == EDGE_IN;
            if (j > i)
                append_edge(names[back ? j : i], names[back ? i : j], edges[k].kind != EDGE_UNDIRECTED, out);
        }
    }
}

static void append_csv_edge(const char *from, const char *to, bool directed, text_buffer *out) {
    text_append_csv(out, from);
    text_append(out, ",");
    text_append_csv(out, to);
    text_append(out, ",");
    text_append(out, directed ? "directed\n" : "undirected\n");
}

void graph_append_kind(graph_kind kind, text_buffer *out) {
    text_append_format(out, "# kind: %s\n", graph_kind_name(kind));
}

void graph_append_csv(const pdag *g, const char *const *names, text_buffer *out) {
    text_append(out, "# nodes: ");
    for (size_t i = 0; i < pdag_node_count(g); i++) {
        text_append(out, i > 0 ? "," : "");
        text_append_csv(out, names[i]);
    }
    text_append(out, "\nfrom,to,type\n");
    append_edges(g, names, append_csv_edge, out);
}

/*
 * A quoted DOT string. A backslash is doubled: as the last character it would end the string too late, and in a label,
 * which is the name unless said otherwise, it starts an escape. `entities` also keeps "&lt;" from becoming "<" in a
 * label.
 */
static void append_dot_string(const char *s, bool entities, text_buffer *out) {
    text_append(out, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_append(out, "\\");
        if (*s == '&' && entities)
            text_append(out, "&amp;");
        else
            text_append_bytes(out, s, 1);
    }
    text_append(out, "\"");
}

static void append_dot_node(const char *name, text_buffer *out) {
    text_append(out, "    ");
    append_dot_string(name, false, out);
    if (strchr(name, '&')) {
        text_append(out, " [label=");
        append_dot_string(name, true, out);
        text_append(out, "]");
    }
    text_append(out, ";\n");
}

static void append_dot_edge(const char *from, const char *to, bool directed, text_buffer *out) {
    text_append(out, "    ");
    append_dot_string(from, false, out);
    text_append(out, " -> ");
    append_dot_string(to, false, out);
    text_append(out, directed ? ";\n" : " [dir=none];\n");
}

void graph_append_dot(const pdag *g, const char *const *names, text_buffer *out) {
    text_append(out, "digraph {\n");
    for (size_t i = 0; i < pdag_node_count(g); i++)
        append_dot_node(names[i], out);
    append_edges(g, names, append_dot_edge, out);
    text_append(out, "}\n");
}

/* ---- other nodes ---- */

/* The place among `names` of each node of g. */
static status match_names(const named_graph *g, const char *const *names, size_t n_names, size_t *place,
                          error_info *err) {
    AUTO_PTR(name_index_destroy) name_index *index = NULL;
    size_t earlier;

    CHECK(name_index_create(n_names, &index, err));
    for (size_t i = 0; i < n_names; i++) {
        CHECK(name_index_add(index, names[i], i, &earlier, err));
        if (earlier != NAME_NONE)
            return error_set(err, STATUS_INVALID, "the name '%s' stands twice among the nodes", names[i]);
    }
    for (size_t i = 0; i < g->n_nodes; i++) {
        place[i] = name_index_find(index, g->names[i]);
        if (place[i] == NAME_NONE)
            return error_set(err, STATUS_INVALID, "the graph's node '%s' is not among the %zu nodes expected",
                             g->names[i], n_names);
    }
    if (g->n_nodes != n_names)
        return error_set(err, STATUS_INVALID, "the graph has %zu nodes; %zu are expected", g->n_nodes, n_names);
    return STATUS_OK;
}

status named_graph_align(const named_graph *g, const char *const *names, size_t n_names, pdag **out, error_info *err) {
    AUTO_FREE size_t *place = NULL;
    size_t n_pairs = 0;
    AUTO_FREE pdag_pair *pairs = NULL;

    CHECK_ALLOC(place = calloc(g->n_nodes + 1, sizeof *place));
    CHECK_ALLOC(pairs = calloc(pdag_edge_count(g->graph) + 1, sizeof *pairs));
    CHECK(match_names(g, names, n_names, place, err));
    for (size_t i = 0; i < g->n_nodes; i++) {
        size_t count;
        const pdag_edge *edges = pdag_edges(g->graph, i, &count);
        for (size_t k = 0; k < count; k++) {
            if (edges[k].node > i)
                pairs[n_pairs++] = (pdag_pair){place[i], place[edges[k].node], edges[k].kind};
        }
    }
    return pdag_from_pairs(n_names, pairs, n_pairs, out, err);
}
