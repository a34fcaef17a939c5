/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A file of what a search has found so far, block after block of nodes, by which the same search goes on after its
 * process was killed. docs/file-formats.md describes it. A block whose end is missing or damaged, and what follows it,
 * is taken for not done.
 */
#ifndef BNB_LEARNERS_BASE_LIST_CHECKPOINT_H
#define BNB_LEARNERS_BASE_LIST_CHECKPOINT_H

#include "core/base/text.h"
#include "core/run/run_context.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct list_checkpoint list_checkpoint;

/** Who takes what the file has; nodes and members are in range, blocks come once. */
typedef struct {
    void *self;
    status (*take_list)(void *self, size_t node, const size_t *members, size_t n, error_info *err);
    status (*take_block)(void *self, size_t block, const statistics_count *tests, error_info *err);
} checkpoint_taker;

/**
 * Opens the file, or makes it, and hands over every block that it holds; the lists of a block come before it. Until it
 * is closed no other process can open it so.
 * @param key  of what the search depends on; a word
 * @return STATUS_INVALID: it is no checkpoint, or one of another key, or another process has it open. STATUS_IO.
 */
BNB_MUST_CHECK status list_checkpoint_open(const char *path, const char *key, size_t n_nodes, size_t n_blocks,
                                           const checkpoint_taker *taker, list_checkpoint **out, error_info *err);
void list_checkpoint_close(list_checkpoint *c); /* NULL is fine */
AUTO_PTR_OF(list_checkpoint, list_checkpoint_close)

/** Appends the list of a node, if it has members, to the text of a block. */
void list_checkpoint_append(text_buffer *block_text, size_t node, const size_t *members, size_t n);

/** Writes a block and its lists, in one piece. One thread at a time. */
BNB_MUST_CHECK status list_checkpoint_write(list_checkpoint *c, size_t block, const statistics_count *tests,
                                            const text_buffer *lists, error_info *err);

#endif
