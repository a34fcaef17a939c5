/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The discretization of Friedman and Goldszmidt 1996, ICML, as Fu 2005, III.2.1 has it: graph and policy of the least
 * description length. The score is minus that length, in nats. What it counts of a policy: the terms of DL_local. A
 * threshold's gain in mutual information decides between thresholds, since their number alone enters the rest.
 */
#include "discretizers/integrated/integrated_internal.h"

#include <math.h>

static const option_spec options[] = {INTEGRATED_OPTION_ROWS, {0}};

static double m_log_m(double m) {
    return m > 0 ? m * log(m) : 0;
}

static status terms(const integration *in, increment_tables *tables, double r, double q, policy_terms *out,
                    error_info *err) {
    const double *table = increment_tables_m_log_m(tables);
    double n = (double)in->n_rows;
    (void)err;
    *out = (policy_terms){table, table, table, m_log_m(n) - log(n) / 2 * q * (r - 1)};
    return STATUS_OK;
}

/* (u - 1) H((k - 1) / (u - 1)): which of the u - 1 midpoints are thresholds. */
static double code_length(double k, double u) {
    double n = u - 1, m = k - 1;
    return m_log_m(n) - m_log_m(m) - m_log_m(n - m);
}

static double column(const integration *in, size_t n_levels, size_t u) {
    (void)in;
    return -log((double)n_levels) - (n_levels <= u ? code_length((double)n_levels, (double)u) : 0);
}

static double node(const integration *in, size_t n_parents, size_t n_states, bool is_continuous) {
    double sum = -(1 + (double)n_parents) * log((double)in->n_columns);
    return is_continuous ? sum : sum - log((double)n_states);
}

const integrated_method integrated_friedman = {.is_additive = true, .terms = terms, .column = column, .node = node};

const discretizer discretizer_friedman = {
    .name = "friedman",
    .summary = "graph and thresholds in turn, of the least description length",
    .citation = "Friedman and Goldszmidt 1996, ICML; Fu 2005, thesis, III.2",
    .version = 2,
    .options = options,
    .options_size = sizeof(integrated_options),
    .fit = integrated_fit,
    .integrate = integrated_run,
    .method = &integrated_friedman,
};
