/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/ci_bounds_internal.h"

#include "core/counting/counts.h"

#include <stdlib.h>

void ci_bounds_destroy(ci_bounds *b) {
    if (!b)
        return;
    set_terms_destroy(b->sets);
    free(b->others);
    free(b->recent.z);
    free(b);
}

status ci_bounds_create(const dataset *data, const whole_terms *terms, distinct_rows *rows, ci_bounds **out,
                        error_info *err) {
    size_t p = dataset_column_count(data);
    AUTO_PTR(ci_bounds_destroy) ci_bounds *b = NULL;
    set_term none;
    CHECK_ALLOC(b = calloc(1, sizeof *b));
    CHECK(set_terms_create(data, terms, &b->sets, err));
    CHECK_ALLOC(b->others = calloc(p + 1, sizeof *b->others));
    CHECK_ALLOC(b->recent.z = calloc(p + 1, sizeof *b->recent.z));
    CHECK(set_terms_get(b->sets, NULL, 0, COUNTS_NO_EXTRA, &none, err));
    b->none = none.sum;
    set_terms_count_by(b->sets, rows);
    *out = TAKE(b);
    return STATUS_OK;
}
