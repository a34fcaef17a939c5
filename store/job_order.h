/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Records in the order of their cells: network, sample size, noise level, learner, then replicate. */
#ifndef BNB_STORE_JOB_ORDER_H
#define BNB_STORE_JOB_ORDER_H

#include "store/store.h"

/** By network, sample size, noise level and learner: 0 for records of one cell. */
int job_compare_cells(const job_record *a, const job_record *b);

/** The same, then by replicate. */
int job_compare(const job_record *a, const job_record *b);

/** As store_read_all orders them: replicate before learner. */
int job_compare_stored(const job_record *a, const job_record *b);

/** Pointers to all records in that order, on the heap; NULL without memory. */
const job_record **job_records_sorted(const job_record *records, size_t n);

#endif
