/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/scores/score_bounds_internal.h"

#include <stdlib.h>

void score_bounds_destroy(score_bounds *b) {
    if (!b)
        return;
    free(b->parents);
    free(b->stratum);
    free(b->map);
    free(b->tally);
    free(b->state);
    free(b->row);
    free(b->row_stratum);
    free(b->row_state);
    free(b->histogram);
    free(b);
}

status score_bounds_create(const dataset *data, score_bounds **out, error_info *err) {
    AUTO_PTR(score_bounds_destroy) score_bounds *b = NULL;
    size_t n = dataset_row_count(data);
    CHECK_ALLOC(b = calloc(1, sizeof *b));
    b->n_rows = n;
    CHECK_ALLOC(b->parents = calloc(dataset_column_count(data) + 1, sizeof *b->parents));
    CHECK_ALLOC(b->stratum = calloc(n + 1, sizeof *b->stratum));
    CHECK_ALLOC(b->tally = calloc(n + 1, sizeof *b->tally));
    CHECK_ALLOC(b->state = calloc(n + 1, sizeof *b->state));
    CHECK_ALLOC(b->row = calloc(n + 1, sizeof *b->row));
    CHECK_ALLOC(b->row_stratum = calloc(n + 1, sizeof *b->row_stratum));
    CHECK_ALLOC(b->row_state = calloc(n + 1, sizeof *b->row_state));
    *out = TAKE(b);
    return STATUS_OK;
}
