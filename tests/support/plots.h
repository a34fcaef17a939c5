/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plots of made-up results, computed by their kind. */
#ifndef BNB_TESTS_SUPPORT_PLOTS_H
#define BNB_TESTS_SUPPORT_PLOTS_H

#include "tests/support/records.h"

/** Of a plot that add_points or add_values made. */
static inline plot compute_plot(const made_results *m, const void *spec) {
    plot p = {0};
    error_info err = {0};
    for (size_t i = 0; i < m->parts.n; i++) {
        const declared_part *part = &m->parts.parts[i];
        if (part->options == spec)
            assert_ok(part->kind->plot(&m->outputs, spec, m->records, m->n, &p, &err), &err);
    }
    return p;
}

#endif
