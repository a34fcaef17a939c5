/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The terms of scores in whole numbers (core/counting/slab_values.h), made once for two tables of terms. */
#ifndef BNB_METRICS_SCORES_ROUNDED_TERMS_INTERNAL_H
#define BNB_METRICS_SCORES_ROUNDED_TERMS_INTERNAL_H

#include "core/counting/slab_values.h"
#include "metrics/numerics/term_table_internal.h"

typedef struct rounded_terms rounded_terms;

/** For strata of up to `most` rows, at most SLAB_MOST_ROWS. */
BNB_MUST_CHECK status rounded_terms_create(uint32_t most, rounded_terms **out, error_info *err);
void rounded_terms_destroy(rounded_terms *w); /* NULL is fine */

/** Those of the terms of cells and rows; NULL into `*out` where they do not fit. They live as long as `w`. */
BNB_MUST_CHECK status rounded_terms_find(rounded_terms *w, term_table *cell, term_table *row, const slab_values **out,
                                         error_info *err);

#endif
