/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gains of first arcs. A pair gains as much whichever of both is the parent, but for the last bits: what counts is
 * the score of the later node. So each row asks for the nodes before its own, and what a pair gains goes into the rows
 * of both. A row that is filled again asks for all nodes; of the pairs with later ones that gives what is nearly right.
 */
#include "learners/ges/ges_pairs_internal.h"

#include "core/base/array.h"

#include <math.h>

/* How much the scores of the two families of a pair may differ, relative to them; rounding makes a millionth of it. */
#define PAIR_SLACK 1e-6

/* --- when the rows are filled first --- */

/* The rows from *first on wait, as many as are filled at once; *first is then where the others begin. */
static status wait_for_some(ges_rows *r, size_t *first, error_info *err) {
    while (*first < r->n && !ges_rows_are_many(r))
        CHECK(ges_rows_wait_for(r, r->pairs[(*first)++], err));
    return STATUS_OK;
}

status ges_pairs_begin(ges_rows *r, ges_row **out, error_info *err) {
    size_t first = 0;
    for (size_t y = 0; y < r->n; y++) {
        CHECK(ges_rows_create_row(r, y, NULL, 0, y, &out[y], err));
        out[y]->is_of_pairs = true;
    }
    r->pairs = out;
    CHECK(wait_for_some(r, &first, err));
    return ges_rows_ask(r, err);
}

/* Once the row has twice as many as it keeps, half of them go. */
static status keep_pair(ges_row *row, double gain, size_t x, error_info *err) {
    if (!(gain > row->rest))
        return STATUS_OK;
    CHECK(ARRAY_PUSH(row->open, row->n_open, row->open_capacity, err, (ges_gain){gain, (uint32_t)x, false}));
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

/* Gives back what the rows do not need of their room. */
static status fit_rows(const ges_rows *r, error_info *err) {
    for (size_t y = 0; y < r->n; y++) {
        if (r->pairs[y]->n_open > 0)
            CHECK(array_resize(&r->pairs[y]->open, r->pairs[y]->n_open, sizeof *r->pairs[y]->open, err));
        r->pairs[y]->open_capacity = r->pairs[y]->n_open;
    }
    return STATUS_OK;
}

status ges_pairs_end(ges_rows *r, bool *is_expired, error_info *err) {
    size_t next = r->n_waiting;
    while (r->n_waiting > 0 && !*is_expired) {
        CHECK(ges_rows_fill(r, is_expired, err));
        CHECK(wait_for_some(r, &next, err));
    }
    return *is_expired ? STATUS_OK : fit_rows(r, err);
}

/* --- when one is filled again --- */

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
