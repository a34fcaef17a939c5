/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The discretization policies of an experiment's results: which learner's data were cut where. */
#ifndef BNB_PARTS_FIGURES_POLICIES_H
#define BNB_PARTS_FIGURES_POLICIES_H

#include "document/document.h"
#include "parts/figures/outputs.h"
#include "parts/figures/policy_text.h"
#include "store/store.h"

/** Which policies; an empty list is no choice. Borrowed. */
typedef struct {
    size_t n_networks, n_samples, n_sigmas, n_learners, n_variables;
    char *const *networks;
    const size_t *samples;
    const double *sigmas;
    char *const *learners, *const *variables;
} policy_choice;

/** Of one job; the record is borrowed. */
typedef struct {
    const job_record *record;
    policy_table policy;
} job_policy;

/** Ordered by network and learner as the experiment names them, sample size, noise level and replicate. */
typedef struct {
    size_t n;
    job_policy *jobs;
} policy_list;

void policy_list_clear(policy_list *l);

/**
 * The policies of the chosen jobs that are done and have one.
 * @return STATUS_PARSE: a record's policy cannot be read. STATUS_MEMORY.
 */
BNB_MUST_CHECK status policy_list_create(const experiment_outputs *outputs, const policy_choice *choice,
                                         const job_record *records, size_t n_records, policy_list *out,
                                         error_info *err);

/**
 * Heading, a section for the first replicate of each (network, size, noise level), a row a variable and a column a
 * learner, and a note.
 */
BNB_MUST_CHECK status policy_list_append_document(const policy_list *l, const policy_choice *choice, const char *title,
                                                  document *d, error_info *err);

/** A line a column of a job: network,samples,sigma,replicate,learner,column,states,thresholds;
 * joined by '|', in full. */
void policy_list_append_csv(const policy_list *l, const policy_choice *choice, text_buffer *out);

#endif
