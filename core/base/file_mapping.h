/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The bytes of a file as memory, which the system reads when they are looked at, and may drop and read again. */
#ifndef BNB_CORE_BASE_FILE_MAPPING_H
#define BNB_CORE_BASE_FILE_MAPPING_H

#include "core/base/status.h"

#include <stdbool.h>

/** Zero-initialise: no file. */
typedef struct {
    const unsigned char *bytes; /* on 64 bytes at least */
    size_t size;
    bool is_mapped; /* else they were read: not every file system maps files */
} file_mapping;

/**
 * All `size` bytes of an open file, which may be closed after it. Whoever cuts the file short meanwhile ends the
 * process (SIGBUS) when it looks at what is gone.
 * @return STATUS_IO, STATUS_MEMORY
 */
BNB_MUST_CHECK status file_map(int fd, size_t size, file_mapping *out, error_info *err);
void file_unmap(file_mapping *m);

#endif
