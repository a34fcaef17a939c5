/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Data in packed columns, the .bnd files of docs/file-formats.md: read at once, 1 to 16 bits a state. */
#ifndef BNB_CORE_DATA_DATASET_PACKED_H
#define BNB_CORE_DATA_DATASET_PACKED_H

#include "core/data/dataset.h"

enum { PACKED_MAGIC_SIZE = 8 };
#define PACKED_MAGIC                                                                                                   \
    "\x89"                                                                                                             \
    "BND\r\n\x1a\n"

/** Where the bytes are: an open file that can be read at any place, or memory. */
typedef struct {
    int fd;            /* -1: memory */
    const char *bytes; /* borrowed */
    size_t size;
} packed_source;

/** The whole file on the heap. STATUS_MEMORY. */
BNB_MUST_CHECK status dataset_pack(const dataset *data, char **out, size_t *length, error_info *err);

/**
 * The data of such a file. Nothing in it is trusted: sums and sizes are checked before anything follows from them.
 * @param n_threads  at most; the outcome is the same with any number
 * @return STATUS_PARSE, the message says what is wrong: another version, a file that was cut short or holds other bytes
 *         than were written, a value that is no state or no finite number. STATUS_MEMORY, STATUS_IO.
 */
BNB_MUST_CHECK status dataset_unpack(const packed_source *source, size_t n_threads, dataset **out, error_info *err);

#endif
