/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The values of a term for the counts 0, 1, 2, ..., one after the other. Threads share them. A term is lgamma(a + n) -
 * lgamma(a) for its parameter a > 0, and n log n for the parameter 0.
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

/** A block of NaN, to be freed; NULL without memory. */
double *term_block_create(void);

/**
 * The values from b * TERM_BLOCK on, NaN where none is known: until it is released, of which the last frees it, or to
 * the end of the runs. Threads fill it while others read: values are read and written by shared_double.h. NULL without
 * memory.
 */
double *term_run_hold(term_run *run, size_t b);
void term_run_release(term_run *run, size_t b); /* one that is held */

/** Keeps the value of n in its block, which is held, `values`; once it has many, the others are computed too. */
void term_run_keep(term_run *run, uint32_t n, double value, double *values);

/** lgamma(a), and 0 for the parameter 0. */
double term_log_gamma(double parameter);

/** One value, `log_gamma` being that of the parameter. */
double term_value(double parameter, double log_gamma, uint32_t n);

#endif
