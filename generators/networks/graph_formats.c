/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of a graph without the numbers of a network: core/graph/graph_file.h. */
#include "core/graph/graph_file.h"
#include "generators/networks/network_format.h"

const network_format network_format_csv = {.name = "csv", .title = "CSV", .append_graph = graph_append_csv};

const network_format network_format_dot = {.name = "dot", .title = "DOT", .append_graph = graph_append_dot};
