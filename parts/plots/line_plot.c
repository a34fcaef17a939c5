/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric by sample size or noise level. */
#include "parts/plots/plot_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const plot_method method = {.manner = {.bars = BARS_ALWAYS, .marker = 1.1},
                                   .append_csv = points_append_csv,
                                   .append_script = points_append_script};

static status compute(const experiment_outputs *outputs, const void *declared, const job_record *records,
                      size_t n_records, plot *out, error_info *err) {
    return points_compute(outputs, declared, &method, records, n_records, out, err);
}

static const option_spec options[] = {
    PART_HEAD_ROWS(points_spec, "the axes"),
    PART_ROW(OPT_WORD, "x", points_spec, x, .choices = "samples|sigma", .usual = "samples",
             .help = "sample sizes or noise levels"),
    POINTS_ROWS,
    {0},
};

static status complete(void *declared, const experiment_outputs *outputs, const char **key, error_info *err) {
    const points_spec *spec = declared;
    CHECK(plot_check_ranges(&spec->x_range, &spec->y_range, key, err));
    *key = "x";
    return spec->x && strcmp(spec->x, "sigma") == 0 && outputs->n_sigmas == 0
               ? error_set(err, STATUS_INVALID, "this experiment has no noise levels; data.continuize declares them")
               : STATUS_OK;
}

const part_kind part_line_plot = {
    .group = PART_PLOT,
    .name = "line",
    .summary = "a metric by sample size or noise level",
    .options_size = sizeof(points_spec),
    .options = options,
    .make = plot_make,
    .plot = compute,
    .complete = complete,
};
