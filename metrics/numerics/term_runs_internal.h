/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The values of a term for the counts 0, 1, 2, ..., one after the other. Threads share them: each value is computed
 * once. A term is lgamma(a + n) - lgamma(a) for its parameter a > 0, and n log n for the parameter 0.
 */
#ifndef BNB_METRICS_NUMERICS_TERM_RUNS_INTERNAL_H
#define BNB_METRICS_NUMERICS_TERM_RUNS_INTERNAL_H

#include "core/base/status.h"

#include <stdint.h>

typedef struct term_run term_run;
typedef struct term_runs term_runs;

BNB_MUST_CHECK status term_runs_create(size_t max_count, term_runs **out, error_info *err);
void term_runs_destroy(term_runs *r); /* NULL is fine */
AUTO_PTR_OF(term_runs, term_runs_destroy)

/** The run of a parameter; made at first use. Lives as long as the runs. */
BNB_MUST_CHECK status term_runs_find(term_runs *r, double parameter, term_run **out, error_info *err);

/** The values of 0 .. most, which stay where they are and are only read; NULL where a long run could be of more than
 * 2^16, or without memory. */
double *term_run_first(term_run *run, uint32_t most);

/** Values lie in blocks of so many as well. */
enum { TERM_BLOCK_BITS = 9, TERM_BLOCK = 1 << TERM_BLOCK_BITS };

/** The values from b * TERM_BLOCK on, which stay where they are and are only read; NULL: no thread has made them. */
double *term_run_block(const term_run *run, size_t b);

/** A thread has computed one of its values for itself: how many that makes, of all threads. */
uint32_t term_run_ask(term_run *run, size_t b);

/** Makes that block, of which `known` holds some values, and NaN for the others. NULL where another thread makes it at
 * the moment, or without memory. */
double *term_run_make_block(term_run *run, size_t b, const double *known);

/** lgamma(a), and 0 for the parameter 0. */
double term_log_gamma(double parameter);

/** One value, `log_gamma` being that of the parameter. */
double term_value(double parameter, double log_gamma, uint32_t n);

#endif
