/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The options of the tests on contingency tables, g2 and x2. */
#ifndef BNB_METRICS_TESTS_TABLE_TESTS_H
#define BNB_METRICS_TESTS_TABLE_TESTS_H

#include "metrics/tests/ci_test.h"

/**
 * Degrees of freedom, of r_x by r_y tables under q configurations of the set: (r_x - 1)(r_y - 1) q; the same of the
 * rows and columns that a stratum has (Tsamardinos and Borboudakis 2010); cells less rows less columns plus one of each
 * stratum, those with rows alone (Steck and Jaakkola 2002); those of q less cells whose expectation is 0 (Spirtes,
 * Glymour, Scheines 2000, ch. 5); (r_x - 1)(r_y - 1) for each configuration with rows.
 */
enum ci_df { CI_DF_FULL, CI_DF_ADJ, CI_DF_STECK, CI_DF_SGS, CI_DF_OBSERVED };

typedef struct {
    double alpha;    /* level, (0, 1): dependent iff p <= alpha */
    double min_rows; /* reliable iff n >= min_rows * r_x * r_y * prod r_z; 0: every test is reliable */
    int df;          /* enum ci_df */
} table_test_options;

/** Their rows, closed; of any test on tables. */
extern const option_spec table_test_rows[];

extern const ci_test_kind ci_test_g2, ci_test_x2;

#endif
