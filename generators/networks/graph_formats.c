/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs without the numbers of a network: CSV (core/graph/graph_file.h). */
#include "core/graph/graph_file.h"
#include "generators/networks/network_format.h"

static void append_csv(const named_graph *g, text_buffer *out) {
    if (g->has_kind)
        graph_append_kind(g->kind, out);
    graph_append_csv(g->graph, (const char *const *)g->names, out);
}

const network_format network_format_csv = {
    .name = "csv", .title = "CSV", .parse_graph = graph_parse_csv, .append_graph = append_csv};
