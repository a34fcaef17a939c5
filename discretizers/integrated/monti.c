/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The discretization of Monti and Cooper 1998, UAI, as Fu 2005, III.2.2 has it: the Bayesian score of the discretized
 * data, with the values of an interval spread evenly over its width.
 */
#include "discretizers/integrated/integrated_internal.h"

#include <math.h>

#define LEAST_WIDTH 1e-300

static const option_spec options[] = {
    INTEGRATED_OPTION_ROWS,
    {OPT_CHOICE, "acceptance", offsetof(integrated_options, acceptance), ACCEPT_SUM, 0, 0,
     "a column's new thresholds are taken where the sum over all variables rises, or the column's own score since it "
     "was last taken",
     "sum|local"},
    {0},
};

/* The outer intervals end with the data. */
static double interval(const integration *in, size_t n, double width) {
    (void)in;
    return n ? -(double)n * log(fmax(width, LEAST_WIDTH)) : 0;
}

const integrated_method integrated_monti = {
    .stops_at_same_graph = true, .terms = integrated_bdeu_terms, .interval = interval};

const discretizer discretizer_monti = {
    .name = "monti",
    .summary = "graph and thresholds in turn, of the best Bayesian score with a density in each interval",
    .citation = "Monti and Cooper 1998, UAI; Fu 2005, thesis, III.2",
    .version = 2,
    .options = options,
    .options_size = sizeof(integrated_options),
    .fit = integrated_fit,
    .integrate = integrated_run,
    .method = &integrated_monti,
};
