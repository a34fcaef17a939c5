/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/prediction/graph_data.h"

status graph_data_check_nodes(const dag *g, const dataset *data, error_info *err) {
    if (dag_node_count(g) == dataset_column_count(data))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "the graph has %zu nodes and the data %zu columns; they must be the same",
                     dag_node_count(g), dataset_column_count(data));
}

status graph_data_check_columns(const dataset *train, const dataset *test, error_info *err) {
    size_t n = dataset_column_count(train);
    if (dataset_column_count(test) != n)
        return error_set(err, STATUS_INVALID, "the training data have %zu columns and the test data %zu", n,
                         dataset_column_count(test));
    for (size_t i = 0; i < n; i++) {
        const variable *a = dataset_variable(train, i), *b = dataset_variable(test, i);
        if (!variable_is_equal(a, b))
            return error_set(err, STATUS_INVALID,
                             "column %zu is '%.200s' in the training data and '%.200s' in the test data, or their "
                             "states differ",
                             i + 1, a->name, b->name);
    }
    return STATUS_OK;
}
