/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What box plots and heat maps share. */
#ifndef BNB_PARTS_PLOTS_VALUES_INTERNAL_H
#define BNB_PARTS_PLOTS_VALUES_INTERNAL_H

#include "parts/plots/plot_internal.h"
#include "parts/plots/values.h"

typedef struct values_work values_work;

typedef struct {
    plot_method method;
    void (*add)(const values_work *w, size_t learner, plot *p); /* what is shown of a learner */
    const char *note;                                           /* what that is; behind "At 500 rows, " */
} values_kind;

struct values_work {
    const experiment_outputs *outputs;
    const values_spec *spec;
    const values_kind *kind;
    result_grid grid;
    metric_values values;
    size_t size, baseline;
};

/** NAN where there is none, or no baseline to divide by. */
double values_at(const values_work *w, size_t learner, size_t place, size_t replicate);

BNB_MUST_CHECK status values_compute(const experiment_outputs *outputs, const values_spec *spec,
                                     const values_kind *kind, const job_record *records, size_t n_records, plot *out,
                                     error_info *err);

#endif
