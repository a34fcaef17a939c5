/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/whole_terms_internal.h"

#include <math.h>
#include <stdlib.h>

/* Of the largest term: sums of terms of one table, margins and all, stay within 63. */
enum { BITS = 60 };

status whole_terms_init(whole_terms *t, size_t max_count, error_info *err) {
    double most = (double)max_count * log((double)max_count + 1);
    double scale;
    int exponent;
    int64_t *at = calloc(max_count + 1, sizeof *at);
    CHECK_ALLOC(at);
    (void)frexp(fmax(most, 1), &exponent); /* most < 2^exponent */
    scale = ldexp(1, BITS - exponent);
    for (size_t n = 2; n <= max_count; n++)
        at[n] = (int64_t)nearbyint((double)n * log((double)n) * scale);
    *t = (whole_terms){at, ldexp(1, exponent - BITS)};
    return STATUS_OK;
}

void whole_terms_clear(whole_terms *t) {
    free(t->at);
    *t = (whole_terms){0};
}
