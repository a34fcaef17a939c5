/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What levels with kernels of their own for columns of three states have in common. */
#ifndef BNB_METRICS_TESTS_SET_LATTICE_CELLS_INTERNAL_H
#define BNB_METRICS_TESTS_SET_LATTICE_CELLS_INTERNAL_H

#include "metrics/tests/set_lattice_walk_internal.h"

/** The terms of a table of three columns of three states. */
static inline int64_t sum_cells(const whole_terms *terms, lane_counts cells[27], size_t n_lanes) {
    const int64_t *term = terms->at;
    int64_t sum = 0, more = 0;
    for (size_t i = 0; i < n_lanes; i++) {
        for (size_t cell = 0; cell < 26; cell += 2) {
            sum += term[cells[cell][i]];
            more += term[cells[cell + 1][i]];
        }
        sum += term[cells[26][i]];
    }
    return sum + more;
}

#endif
