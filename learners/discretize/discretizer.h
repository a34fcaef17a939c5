/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A discretizer: an entry in the registry, as learners are. Adding one is one file and one line in registry.def. */
#ifndef BNB_DISCRETIZE_DISCRETIZER_H
#define BNB_DISCRETIZE_DISCRETIZER_H

#include "core/dataset.h"
#include "core/options.h"
#include "core/run_context.h"
#include "learners/discretize/policy.h"

typedef struct {
    const char *name;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *summary;        /* one line, no full stop */
    const char *citation;
    int version; /* raised when results change: part of a stored result's key */
    const option_spec *options;
    size_t options_size;
    /** Sets the thresholds of every continuous column; `out` is initialised for the data's columns. */
    status (*fit)(const dataset *data, const void *options, run_context *ctx, cut_policy *out, error_info *err);
} discretizer;

size_t discretizer_count(void);
const discretizer *discretizer_at(size_t i);

/** By name or alias; STATUS_INVALID with a suggestion. */
BNB_MUST_CHECK status discretizer_find(const char *name, const discretizer **out, error_info *err);

/** An options struct on the heap with initial values; NULL without memory. free() it. */
void *discretizer_options_create(const discretizer *d);

/**
 * Finds the policy for the data. A constant column gets no threshold, hence one state; data without a continuous column
 * get a policy without thresholds.
 * @return STATUS_INVALID: no rows, or a value that is NaN or infinite (the message names column and row).
 */
BNB_MUST_CHECK status discretizer_fit(const discretizer *d, const dataset *data, const void *options, run_context *ctx,
                                      cut_policy *out, error_info *err);

#endif
