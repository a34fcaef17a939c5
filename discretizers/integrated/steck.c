/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The discretization of Steck and Jaakkola 2003, MIT technical report, as Fu 2005, III.2.3 has it: the Bayesian score
 * of the discretized data, less what it takes to tell the rows of an interval apart on the finest grid that the data
 * show: log Gamma of their number. With ties the grid is coarser than the formula takes it to be; it is used all the
 * same.
 */
#include "discretizers/integrated/integrated_internal.h"

static const option_spec options[] = {INTEGRATED_OPTION_ROWS, {0}};

/* An interval without rows has no finest grid: minus infinity. */
static double interval(const integration *in, size_t n, double width) {
    (void)width;
    return -in->log_gamma[n];
}

const integrated_method integrated_steck = {.terms = integrated_bdeu_terms, .interval = interval};

const discretizer discretizer_steck = {
    .name = "steck",
    .summary = "graph and thresholds in turn, of the best predictive score",
    .citation = "Steck and Jaakkola 2003, MIT AI Memo 2003-002; Fu 2005, thesis, III.2",
    .version = 2,
    .options = options,
    .options_size = sizeof(integrated_options),
    .fit = integrated_fit,
    .integrate = integrated_run,
    .method = &integrated_steck,
};
