/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the searches of MMPC have found, target after target, in a file by which they go on after their process was
 * killed (learners/base/list_checkpoint.h). A block is of 64 targets; a target has the variables that entered, in
 * order, and then once more those of them that were removed: all that later targets need to know of it.
 */
#ifndef BNB_LEARNERS_CONSTRAINT_MMPC_CHECKPOINT_H
#define BNB_LEARNERS_CONSTRAINT_MMPC_CHECKPOINT_H

#include "learners/base/list_checkpoint.h"
#include "learners/constraint/mmpc_search.h"

/** Who takes what was found for a target, in order of entry. */
typedef struct {
    void *self;
    status (*take)(void *self, size_t target, const size_t *members, size_t n, error_info *err);
} mmpc_taker;

/** Zero-initialise; the caller clears it. */
typedef struct {
    list_checkpoint *file; /* NULL: none is kept */
    mmpc_search *search;   /* that has the records (borrowed) */
    mmpc_parts parts;
    size_t n_targets, n_done;  /* all targets before this one are in the file */
    statistics_count *counted; /* by block, by the searches of its targets */
    statistics_count read;     /* of the blocks that the file had */
    mmpc_taker taker;
} mmpc_checkpoint;

/**
 * Opens the file, and hands over the targets that it has: the first n_done, also as records of `search`, which keeps
 * them (mmpc_search_create).
 * @param parts  as in mmpc_rules: tests that these count for a target are counted with its block
 */
BNB_MUST_CHECK status mmpc_checkpoint_open(mmpc_checkpoint *c, const char *path, const char *key, size_t n_targets,
                                           mmpc_search *search, const mmpc_parts *parts, mmpc_taker taker,
                                           error_info *err);
void mmpc_checkpoint_clear(mmpc_checkpoint *c);

/** Adds what the search of a target has counted. One thread at a time, as is the next. */
void mmpc_checkpoint_count(mmpc_checkpoint *c, size_t target, const statistics_count *tests);

/** Writes the blocks that are complete once all targets before `n_done` are done. */
BNB_MUST_CHECK status mmpc_checkpoint_write(mmpc_checkpoint *c, size_t n_done, error_info *err);

#endif
