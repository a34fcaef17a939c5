/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The tables of all pairs of columns of data of many rows, in one pass over them: core/counting/pair_block.h would read
 * all rows anew for every block of columns.
 */
#ifndef BNB_CORE_COUNTING_CHUNK_PAIRS_H
#define BNB_CORE_COUNTING_CHUNK_PAIRS_H

#include "core/counting/pair_tables.h"
#include "core/run/run_context.h"

typedef struct chunk_pairs chunk_pairs;

/** Whether there are so many rows that one pass pays, and few enough columns, all with bit vectors or one state. */
bool chunk_pairs_suit(const pair_tables *t);

/** Counts all pairs by ctx->n_threads; the tables are borrowed. `*is_expired`: the deadline came first, and there is no
 * result. */
BNB_MUST_CHECK status chunk_pairs_create(const pair_tables *t, const run_context *ctx, chunk_pairs **out,
                                         bool *is_expired, error_info *err);
void chunk_pairs_destroy(chunk_pairs *p); /* NULL is fine */
AUTO_PTR_OF(chunk_pairs, chunk_pairs_destroy)

/** The table of columns x < y, as pair_tables_count(x, y). */
void chunk_pairs_lay(const chunk_pairs *p, size_t x, size_t y, uint32_t *cells);

#endif
