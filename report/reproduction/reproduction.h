/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The report of a reproduction: every published figure beside the regenerated one, how many came out within the
 * declared tolerance under each reading of the paper, what explains the others, the order of the learners, and the
 * verdict on each declared claim. Nothing in it is typed in: figures and verdicts are computed from the store, words
 * come from the experiment's declaration.
 */
#ifndef BNB_REPORT_REPRODUCTION_REPRODUCTION_H
#define BNB_REPORT_REPRODUCTION_REPRODUCTION_H

#include "core/base/text.h"
#include "document/document.h"
#include "parts/base/part.h"
#include "store/store.h"

/** A reading of the experiment that has been run. Borrowed. */
typedef struct {
    const char *id;
    part_context of;
} reproduction_reading;

/** All are borrowed. */
typedef struct {
    part_context of;
    size_t n_readings;
    const reproduction_reading *readings;
    size_t n_planned;
    const char *published_folder;
    const store_run_facts *run;
    uint64_t seed;
    size_t test_samples;      /* rows of a test set */
    size_t n_validation_sets; /* test sets of each data set */
    bool test_is_as_large;    /* as the data set; then test_samples says nothing */
    bool tells_seen_states;   /* learners know of no state that does not occur in their rows */
} reproduction_input;

/**
 * Appends the report as Markdown.
 * @return STATUS_MEMORY; STATUS_MISSING, STATUS_IO or STATUS_PARSE for a published file that cannot be read.
 */
BNB_MUST_CHECK status reproduction_append(const reproduction_input *in, text_buffer *out, error_info *err);

/**
 * Adds what the report says first: the conclusion, how much came out, the claims with their verdicts, the reasons and
 * the readings. Nothing where the experiment has neither a published figure nor a claim.
 * @return as of reproduction_append
 */
BNB_MUST_CHECK status reproduction_add_front(const reproduction_input *in, document *out, error_info *err);

/**
 * Adds what one reason covers: each missed figure as published, as it is here and under the reason's readings.
 * @return STATUS_INVALID: there is no such reason; else as of reproduction_append
 */
BNB_MUST_CHECK status reproduction_append_reason(const reproduction_input *in, const char *id, document *out,
                                                 error_info *err);

#endif
