/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The cells of a node's table that training or test rows show. Their number is at most that of the rows, however many
 * configurations the parents have.
 */
#ifndef BNB_METRICS_PREDICTION_HELD_OUT_CELLS_INTERNAL_H
#define BNB_METRICS_PREDICTION_HELD_OUT_CELLS_INTERNAL_H

#include "core/base/status.h"
#include "core/data/dataset.h"

typedef struct {
    size_t n_cells;
    const uint32_t *train_count, *test_count; /* rows of a cell */
    const uint32_t *configuration;            /* of a cell: which configuration of the parents it belongs to */
    const uint32_t *train_total;              /* training rows of a configuration */
} family_cells;

typedef struct family_counter family_counter;

/** Both discrete, of the same columns and state spaces, borrowed. STATUS_INVALID: 2^31 rows or more together. */
BNB_MUST_CHECK status family_counter_create(const dataset *train, const dataset *test, family_counter **out,
                                            error_info *err);
void family_counter_destroy(family_counter *c);
AUTO_PTR_OF(family_counter, family_counter_destroy)

/** The cells of x given its parents; valid until the next call. O(rows x parents), of which
 * only those count that still split a configuration. */
const family_cells *family_counter_count(family_counter *c, size_t x, const size_t *parents, size_t n_parents);

#endif
