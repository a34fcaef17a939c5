/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What must hold between a graph and data, and between training and test data, before one is measured by the other. */
#ifndef BNB_METRICS_PREDICTION_GRAPH_DATA_H
#define BNB_METRICS_PREDICTION_GRAPH_DATA_H

#include "core/data/dataset.h"
#include "core/graph/dag.h"

/** As many nodes as columns; STATUS_INVALID else. */
BNB_MUST_CHECK status graph_data_check_nodes(const dag *g, const dataset *data, error_info *err);

/** The same columns in the same order, with the same state spaces; STATUS_INVALID else. */
BNB_MUST_CHECK status graph_data_check_columns(const dataset *train, const dataset *test, error_info *err);

#endif
