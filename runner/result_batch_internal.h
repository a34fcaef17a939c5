/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Results on their way into a store. Those that come fast share a transaction, since bringing one to the disk takes
 * longer than a tiny job; the files that hold them stay until then, so that a killed run loses none.
 */
#ifndef BNB_RUNNER_RESULT_BATCH_INTERNAL_H
#define BNB_RUNNER_RESULT_BATCH_INTERNAL_H

#include "store/store.h"

#include <stdbool.h>

/** Zero-initialise but for the store, which is borrowed. */
typedef struct {
    store *store;
    bool is_open;
    double settled_s; /* when the last one ended, on run_clock_s */
    char **files;     /* of the results in hand */
    size_t n_files;
} result_batch;

/** Begins a transaction of the store where none is open. */
BNB_MUST_CHECK status result_batch_open(result_batch *b, error_info *err);

/** This file holds a result of the open transaction: it goes when that has ended. */
BNB_MUST_CHECK status result_batch_remember(result_batch *b, const char *file, error_info *err);

/** Ends the transaction, if one is open, and removes the files. After an error they stay, and nothing of it is stored.
 */
BNB_MUST_CHECK status result_batch_settle(result_batch *b, error_info *err);

/** The same after work that ended with `st`, which is kept, with the sentence in `err`, where it is a failure. */
BNB_MUST_CHECK status result_batch_settle_after(result_batch *b, status st, error_info *err);

/** Settles where the last one ended a tenth of a second ago. */
BNB_MUST_CHECK status result_batch_settle_when_due(result_batch *b, error_info *err);

/** Forgets an open transaction, which the store drops when it is closed; the files stay. */
void result_batch_clear(result_batch *b);

#endif
