/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The rows of a text in pieces, so that several threads read them side by side. */
#ifndef BNB_CORE_DATA_CSV_BLOCKS_INTERNAL_H
#define BNB_CORE_DATA_CSV_BLOCKS_INTERNAL_H

#include "core/data/csv_text_internal.h"

#include <stdbool.h>

/** Whole rows, at least one: from the beginning of the first to the end of the last, without the LF of that one. */
typedef struct {
    size_t from, end; /* bytes of the text */
    size_t first_row; /* the number of its first row, counted from 0; known once n_rows of those before it are */
    size_t n_rows;
    bool has_quotes;
} csv_block;

/** Zero-initialise; free `blocks`. */
typedef struct {
    csv_block *blocks;
    size_t n, n_rows; /* in all */
} csv_blocks;

/**
 * Cuts from .. end, the bytes below a header, into pieces of some `size` bytes and counts their rows. A line end within
 * quotes ends no row, and quotes are those at the beginning of a field; behind a quoted field that is broken all is one
 * piece, for its reader to refuse. STATUS_PARSE: there are quotes, and the text is not in memory.
 */
BNB_MUST_CHECK status csv_blocks_find(const csv_text *text, size_t from, size_t end, size_t size, size_t n_threads,
                                      char separator, csv_blocks *out, error_info *err);

/** The bytes of a block, without the line end of the last row; see csv_text_view. */
BNB_MUST_CHECK status csv_block_view(const csv_block *block, const csv_text *text, csv_room *room, const char **from,
                                     const char **end, error_info *err);

#endif
