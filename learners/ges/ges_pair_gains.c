/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_pair_gains_internal.h"

#include "core/base/array.h"

#include <math.h>

/* How much the scores of the two families of a pair may differ, relative to them; rounding makes a millionth of it. */
#define PAIR_SLACK 1e-6

/* --- when the rows are filled first --- */

/* Once the row has twice as many as it keeps, half of them go. */
static status keep_pair(ges_row *row, double gain, size_t x, error_info *err) {
    if (!(gain > row->rest))
        return STATUS_OK;
    CHECK(ARRAY_PUSH(row->open, row->n_open, row->room, err, (ges_gain){gain, (uint32_t)x, false}));
    if (row->n_open == 2 * row->most)
        row->n_open = ges_gains_cut(row->open, row->n_open, row->most, &row->rest);
    return STATUS_OK;
}

status ges_pairs_take(ges_rows *r, const ges_row *row, const double *scores, error_info *err) {
    for (size_t x = 0; x < row->y; x++) {
        double gain = scores[x] - row->without;
        if (!(gain > SCORE_TOLERANCE)) /* nor where it is NaN */
            continue;
        CHECK(keep_pair(r->pairs[row->y], gain, x, err));
        CHECK(keep_pair(r->pairs[x], gain, row->y, err));
    }
    return STATUS_OK;
}

/* --- when a row is filled again --- */

status ges_pairs_score(const ges_rows *r, size_t a, size_t b, double *gain, error_info *err) {
    size_t first = a < b ? a : b, last = a < b ? b : a;
    double with;
    CHECK(score_node_fresh(r->scorer, last, NULL, 0, first, &with, err));
    *gain = with - r->pairs[last]->without;
    return STATUS_OK;
}

/* The gains become bounds that those of the later nodes' scores do not pass. */
static void loosen(const ges_row *row, ges_gain *gains, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (gains[i].x < row->y)
            continue;
        gains[i].gain += PAIR_SLACK * (1 + fabs(row->without) + gains[i].gain);
        gains[i].is_bound = true;
    }
}

/* The gains of pairs with later nodes are put in the place of those that were found, behind the n others. */
static status score_later(ges_rows *r, const ges_row *row, size_t *n, error_info *err) {
    for (size_t x = row->y + 1; x < r->n; x++) {
        ges_gain later = {0, (uint32_t)x, false};
        CHECK(ges_pairs_score(r, row->y, x, &later.gain, err));
        if (later.gain > SCORE_TOLERANCE)
            r->found[(*n)++] = later;
    }
    return STATUS_OK;
}

status ges_pairs_turn(ges_rows *r, const ges_row *row, bool are_bounds, size_t *n, error_info *err) {
    size_t n_before = 0;
    if (are_bounds) {
        loosen(row, r->found, *n);
        return STATUS_OK;
    }
    while (n_before < *n && r->found[n_before].x < row->y)
        n_before++;
    *n = n_before;
    return score_later(r, row, n, err);
}
