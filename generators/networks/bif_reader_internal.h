/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the parts of the BIF reader share: the variables read so far, with their tables. */
#ifndef BNB_GENERATORS_NETWORKS_BIF_READER_INTERNAL_H
#define BNB_GENERATORS_NETWORKS_BIF_READER_INTERNAL_H

#include "core/base/text_set.h"
#include "generators/networks/bif.h"
#include "generators/networks/bif_cursor_internal.h"

#include <stdint.h>
#include <string.h>

typedef struct {
    char *name;
    text_set states;
    const char *declared_at;

    const char *block_at; /* of its probability block; NULL until one was read */
    size_t *parents;
    size_t n_parents;
    size_t q;
    double *table;
    size_t stamp; /* of the block that named it last: finds a parent named twice */
} bif_node;

typedef struct {
    bif_cursor cursor;
    bif_options options;
    bif_node *nodes;
    size_t n_nodes, capacity;
    name_index *index;
    const char **deferred; /* blocks that name a variable not declared yet */
    size_t n_deferred, deferred_capacity;
    bif_word network;
    uint64_t cells_left; /* what the tables may still take together */
    size_t n_blocks, n_scaled;
} bif_reader;

static inline const char *bif_shown_name(const bif_node *node, char shown[TEXT_SHOWN_SIZE]) {
    return text_show(node->name, strlen(node->name), shown);
}

/**
 * A probability block, the word `probability` (at `start`) being read. Where it names a variable not yet declared and
 * `may_defer`, the block is skipped and remembered in `deferred`.
 */
BNB_MUST_CHECK status bif_read_block(bif_reader *reader, const char *start, bool may_defer, error_info *err);

/** The braces of that block: fills node->table, which is there and zero. */
BNB_MUST_CHECK status bif_read_table(bif_reader *reader, bif_node *node, error_info *err);

/** The network; moves the tables. STATUS_PARSE: a variable without a block, a cycle. */
BNB_MUST_CHECK status bif_build(bif_reader *reader, const char *name, bayes_net **out, error_info *err);

#endif
