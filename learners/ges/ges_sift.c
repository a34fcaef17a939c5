/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_sift_internal.h"

#include "metrics/scores/score.h"

size_t ges_sift(const double *scores, size_t n, double without, ges_gain *out) {
    size_t n_kept = 0;
    for (size_t x = 0; x < n; x++) {
        double gain = scores[x] - without;
        if (gain > SCORE_TOLERANCE) /* nor where it is NaN */
            out[n_kept++] = (ges_gain){gain, (uint32_t)x, false};
    }
    return n_kept;
}

size_t ges_sift_high(const high_score *scores, size_t n, double without, ges_gain *out) {
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        double gain = scores[i].score - without;
        if (gain > SCORE_TOLERANCE)
            out[n_kept++] = (ges_gain){gain, scores[i].column, scores[i].kind != HIGH_EXACT};
    }
    return n_kept;
}

double ges_sift_out(ges_gain *gains, size_t most, size_t *n) {
    double rest = 0;
    if (*n > 2 * most)
        *n = ges_gains_cut(gains, *n, most, &rest);
    return rest;
}
