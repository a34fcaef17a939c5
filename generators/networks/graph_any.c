/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs in files of any format. */
#include "core/base/file.h"
#include "generators/networks/network_format.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

status graph_file_read(const char *path, const network_format *format, const char *const *names, size_t n_names,
                       named_graph *out, error_info *err) {
    const char *shown = strcmp(path, "-") == 0 ? "standard input" : path;
    AUTO_FREE char *text = NULL;
    size_t length;
    status st;
    if (!format)
        format = network_format_of_path(path);
    if (!format || format->parse)
        format = network_format_find("csv");
    if (!format->parse_graph)
        return error_set(err, STATUS_INVALID, "%s: %s is written, and not read", shown, format->title);
    st = file_read(path, FILE_READ_MOST, &text, &length, err);
    if (st == STATUS_OK)
        st = format->parse_graph(text, length, names, n_names, out, err);
    return error_at(st, err, shown);
}

/* ---- writing ---- */

static status check_names(const network_format *format, const named_graph *g, error_info *err) {
    for (size_t i = 0; format->no_name_has && i < g->n_nodes; i++) {
        size_t n = strcspn(g->names[i], format->no_name_has);
        if (g->names[i][n] && (unsigned char)g->names[i][n] < ' ')
            return error_set(err, STATUS_INVALID, "%s cannot hold the name '%.200s', for it has a control character",
                             format->title, g->names[i]);
        if (g->names[i][n])
            return error_set(err, STATUS_INVALID, "%s cannot hold the name '%.200s', for it has '%c' in it",
                             format->title, g->names[i], g->names[i][n]);
    }
    return STATUS_OK;
}

static status append_losses(const network_format *format, const named_graph *g, text_buffer *out, error_info *err) {
    size_t n_edges = pdag_edge_count(g->graph), n_undirected = n_edges - pdag_directed_count(g->graph);
    graph_kind seen;
    CHECK(pdag_kind(g->graph, &seen, err));
    if (format->graph_loses & GRAPH_LOSES_NAMES && !g->is_unnamed)
        text_append_format(out, "%s holds no names: the nodes are numbers, in the order of their list\n",
                           format->title);
    if (format->graph_loses & GRAPH_LOSES_UNDIRECTED && n_undirected > 0)
        text_append_format(out, "%s holds no undirected edges: %zu of %zu edges are left out\n", format->title,
                           n_undirected, n_edges);
    else if (format->graph_loses & GRAPH_LOSES_KIND && g->has_kind && g->kind != seen)
        text_append_format(out, "%s holds no kind: this %s looks like a %s\n", format->title, graph_kind_name(g->kind),
                           graph_kind_name(seen));
    return text_buffer_check(out, err);
}

status graph_format_append(const network_format *format, const named_graph *g, text_buffer *out, text_buffer *losses,
                           error_info *err) {
    if (!format->append_graph)
        return error_set(err, STATUS_INVALID, "%s is no format of graphs", format->title);
    CHECK(check_names(format, g, err));
    if (losses)
        CHECK(append_losses(format, g, losses, err));
    format->append_graph(g, out);
    return text_buffer_check(out, err);
}
