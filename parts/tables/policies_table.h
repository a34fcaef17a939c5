/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A table of the thresholds by which continuous data were made discrete. */
#ifndef BNB_PARTS_TABLES_POLICIES_TABLE_H
#define BNB_PARTS_TABLES_POLICIES_TABLE_H

#include "parts/figures/policies.h"

/** Strings and arrays are owned; NULL where not declared. An empty list is no choice. */
typedef struct {
    char *id, *title;
    size_t n_networks, n_samples, n_sigmas, n_learners, n_variables;
    char **networks;
    size_t *samples;
    double *sigmas;
    char **learners, **variables;
} policies_table_spec;

/** What it shows of all policies. Borrows the lists. */
policy_choice policies_table_choice(const policies_table_spec *t);

#endif
