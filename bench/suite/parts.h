/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What is measured beside learners: the kernels, and what the runner adds to a job. */
#ifndef BNB_BENCH_SUITE_PARTS_H
#define BNB_BENCH_SUITE_PARTS_H

#include "bench/suite/learners.h"

/** {"pairs": what bench_pairs --json says, "tables": what bench_counts --json says}; null where that did not end within
 * five minutes. */
BNB_MUST_CHECK status kernels_measure(const suite *s, bool is_quick, json_t **out, error_info *err);

/** An experiment of that many jobs that learn nothing: {"jobs", "at_once", "elapsed_s", "cpu_s", "others"}, null where
 * it did not end within a quarter of an hour. */
BNB_MUST_CHECK status runner_measure(const suite *s, size_t n_jobs, json_t **out, error_info *err);

#endif
