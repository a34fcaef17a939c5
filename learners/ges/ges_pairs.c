/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gains of first arcs. A pair gains as much whichever of both is the parent, but for the last bits: what counts is
 * the score of the later node. So each row asks for the nodes before its own, and what a pair gains goes into the rows
 * of both (ges_pair_gains.c). A row that is filled again asks for all nodes; of the pairs with later ones that gives
 * what is nearly right.
 */
#include "learners/ges/ges_pairs_internal.h"

#include "core/base/array.h"

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

/* Gives back what the rows do not need of their room. */
static status fit_rows(const ges_rows *r, error_info *err) {
    for (size_t y = 0; y < r->n; y++) {
        if (r->pairs[y]->n_open > 0)
            CHECK(array_resize(&r->pairs[y]->open, r->pairs[y]->n_open, sizeof *r->pairs[y]->open, err));
        r->pairs[y]->room = r->pairs[y]->n_open;
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
