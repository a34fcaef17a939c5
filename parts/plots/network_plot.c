/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing of one learned graph, or a region of it, against the true one. */
#include "parts/plots/network_plot.h"

#include "parts/plots/plot_internal.h"

#include <stddef.h>

static const option_spec options[] = {
    PART_HEAD_ROWS(network_plot_spec, "network, rows and learner"),
    PART_ROW(OPT_NETWORK, "network", network_plot_spec, network, .is_required = true,
             .help = "a network of the experiment"),
    PART_ROW(OPT_LEARNER, "learner", network_plot_spec, learner, .is_required = true,
             .help = "whose graph of the first data set is drawn"),
    PLOT_SIZE_ROW(network_plot_spec, "where there is one size, that"),
    PART_ROW(OPT_LINE, "target", network_plot_spec, target, .usual = "the whole network",
             .help = "a variable: only the area around it is drawn"),
    PART_ROW(
        OPT_COUNT, "radius", network_plot_spec, radius, .least = 1, .most = 1000, .usual = "2",
        .help =
            "of that area: variables within so many steps in either graph, and the edges with an end nearer than that"),
    PLOT_STYLE_ROW(network_plot_spec),
    {0},
};

static status complete(void *declared, const experiment_outputs *outputs, const char **key, error_info *err) {
    network_plot_spec *spec = declared;
    *key = "radius";
    if (spec->radius && !spec->target)
        return error_set(err, STATUS_INVALID, "a radius needs a 'target', the variable in the middle");
    spec->radius = spec->radius ? spec->radius : 2;
    return plot_settle_size(outputs, &spec->samples, key, err);
}

const part_kind part_network_plot = {
    .group = PART_PLOT,
    .name = "network",
    .summary = "a learned network against the true one: found edges, turned, extra and missing ones",
    .options_size = sizeof(network_plot_spec),
    .options = options,
    .needs = PART_NEEDS_TEXTS | PART_NEEDS_TRUTH,
    .complete = complete,
};
