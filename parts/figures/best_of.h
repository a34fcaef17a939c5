/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Learners that stand for the best of others ("Best OR", "Best SC" of Brown, Tsamardinos, Aliferis 2005): on each data
 * set their result is that of the part with the best value of one metric. Parts within a relative 1e-9 of the best are
 * equals, of which the first as declared is taken.
 */
#ifndef BNB_PARTS_FIGURES_BEST_OF_H
#define BNB_PARTS_FIGURES_BEST_OF_H

#include "core/base/text.h"
#include "parts/figures/aggregate.h"

/** How often each part was chosen. Zero-initialise. */
typedef struct {
    size_t *n_chosen;     /* by part */
    size_t *n_unfinished; /* by part: data sets on which it failed, or met a limit */
    size_t n_data_sets, n_failed, n_not_run;
} best_of_counts;

BNB_MUST_CHECK status best_of_count(const experiment_outputs *outputs, const best_of_spec *spec,
                                    const job_record *records, size_t n, best_of_counts *out, error_info *err);
void best_of_counts_clear(best_of_counts *c);

/** "or: of 6 learners the one with the best bdeu_train on each data set: a 10, b 0 of 12 data sets; ..." */
void best_of_append_counts(const best_of_spec *spec, const best_of_counts *counts, text_buffer *out);

#endif
