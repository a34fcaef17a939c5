/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mermaid's flowcharts, as pages in Markdown show them. Written, not read. */
#include "generators/networks/graph_reading.h"
#include "generators/networks/network_format.h"

/* Signs that mean something to Mermaid or to a browser stand as the numbers of their characters. */
static void append_label(const char *name, text_buffer *out) {
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        bool is_plain = c >= 0x80 || c == ' ' || c == '_' || c == '-' || c == '.' || (c >= '0' && c <= '9') ||
                        (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (is_plain)
            text_append_bytes(out, name, 1);
        else
            text_append_format(out, "#%d;", c);
    }
}

static void append_edge(const named_graph *g, size_t from, size_t to, bool is_directed, text_buffer *out) {
    (void)g;
    text_append_format(out, "    n%zu %s n%zu\n", from, is_directed ? "-->" : "---", to);
}

static void append(const named_graph *g, text_buffer *out) {
    text_append(out, "flowchart TD\n");
    for (size_t i = 0; i < g->n_nodes; i++) {
        text_append_format(out, "    n%zu[\"", i);
        append_label(g->names[i], out);
        text_append(out, "\"]\n");
    }
    graph_append_edges(g, append_edge, out);
}

const network_format network_format_mermaid = {
    .name = "mermaid", .title = "Mermaid", .append_graph = append, .graph_loses = GRAPH_LOSES_KIND};
