/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One metric against another. */
#include "parts/plots/plot_internal.h"

#include <stddef.h>
#include <stdlib.h>

static const plot_method method = {
    .manner = {.has_front = true}, .append_csv = points_append_csv, .append_script = scatter_append_script};

static status compute(const experiment_outputs *outputs, const void *declared, const job_record *records,
                      size_t n_records, plot *out, error_info *err) {
    return points_compute(outputs, declared, &method, records, n_records, out, err);
}

static status complete(void *declared, const experiment_outputs *outputs, const char **key, error_info *err) {
    const points_spec *spec = declared;
    (void)outputs;
    return plot_check_ranges(&spec->x_range, &spec->y_range, key, err);
}

static const option_spec options[] = {
    PART_HEAD_ROWS(points_spec, "the axes"), PLOT_METRIC_ROW(points_spec, x), POINTS_ROWS, {0}};

const part_kind part_scatter_plot = {
    .group = PART_PLOT,
    .name = "scatter",
    .summary = "one metric against another: a panel a sample size, names at the points, the Pareto front (on_front in "
               "its CSV file)",
    .options_size = sizeof(points_spec),
    .options = options,
    .make = plot_make,
    .plot = compute,
    .complete = complete,
};
