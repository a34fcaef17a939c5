/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Graphs whose nodes are columns of data. */
#ifndef BNB_CORE_GRAPH_GRAPH_COLUMNS_H
#define BNB_CORE_GRAPH_GRAPH_COLUMNS_H

#include "core/data/dataset.h"
#include "core/graph/dag.h"
#include "core/graph/graph_file.h"

/** The columns that the graph's nodes are, into `columns`: by name, or one after the other where the graph has no
 * names. STATUS_INVALID: a node is no column. */
BNB_MUST_CHECK status graph_columns(const named_graph *g, const dataset *data, size_t *columns, error_info *err);

/** A DAG of the graph's class on the columns of the data; columns that are no node have no parents. STATUS_INVALID:
 * there is no such DAG, or a node is no column. */
BNB_MUST_CHECK status graph_on_columns(const named_graph *g, const dataset *data, dag **out, error_info *err);

#endif
