/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plots of made-up results, computed by their kind. */
#ifndef BNB_TESTS_SUPPORT_PLOTS_H
#define BNB_TESTS_SUPPORT_PLOTS_H

#include "tests/support/records.h"

static inline status compute_plot_of(const made_results *m, const declared_part *p, plot *out, error_info *err) {
    const char *kind = p->kind->name;
    if (strcmp(kind, "scatter") == 0)
        return scatter_compute(&m->outputs, p->options, m->records, m->n, out, err);
    if (strcmp(kind, "line") == 0)
        return line_compute(&m->outputs, p->options, m->records, m->n, out, err);
    if (strcmp(kind, "box") == 0)
        return box_compute(&m->outputs, p->options, m->records, m->n, out, err);
    if (strcmp(kind, "heatmap") == 0)
        return heatmap_compute(&m->outputs, p->options, m->records, m->n, out, err);
    return growth_compute(&m->outputs, p->options, m->records, m->n, out, err);
}

/** Of a plot that add_points or add_values made. */
static inline plot compute_plot(const made_results *m, const void *spec) {
    plot p = {0};
    error_info err = {0};
    for (size_t i = 0; i < m->parts.n; i++) {
        if (m->parts.parts[i].options == spec)
            assert_ok(compute_plot_of(m, &m->parts.parts[i], &p, &err), &err);
    }
    return p;
}

#endif
