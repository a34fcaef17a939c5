/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sums that fit whatever stands in a file of packed columns, so that what is behind the sums is looked at, too. */
#ifndef BNB_TESTS_SUPPORT_PACKED_SUPPORT_H
#define BNB_TESTS_SUPPORT_PACKED_SUPPORT_H

#include "core/base/checksum.h"
#include "core/data/dataset_packed.h"
#include "core/data/packed_layout_internal.h"

#include <sys/mman.h>
#include <unistd.h>

/* Of the values of each column as far as the schema tells where they are. */
static inline void packed_mend_columns(char *file, size_t size, size_t schema_end, size_t offset) {
    uint64_t n_rows = packed_get_64(file + PACKED_AT_ROWS);
    size_t at = PACKED_HEADER_SIZE;
    while (at + PACKED_COLUMN_SIZE <= schema_end && n_rows / 8 <= size) {
        uint32_t n_states = packed_get_32(file + at), length = packed_get_32(file + at + 4);
        size_t values = packed_align(packed_bytes((size_t)n_rows, packed_bits(n_states)));
        if (values > size - offset || length > schema_end - at)
            return;
        packed_put_64(file + at + 8, checksum_bytes(CHECKSUM_START, file + offset, values));
        offset += values;
        at += PACKED_COLUMN_SIZE + length;
        for (uint32_t k = 0; k < n_states && at + 4 <= schema_end; k++)
            at += 4 + (size_t)packed_get_32(file + at);
    }
}

static inline void packed_mend(char *file, size_t size) {
    uint64_t n_schema;
    size_t values;
    if (size < PACKED_HEADER_SIZE)
        return;
    memcpy(file, PACKED_MAGIC, PACKED_MAGIC_SIZE);
    packed_put_32(file + PACKED_AT_VERSION, PACKED_VERSION);
    packed_put_64(file + PACKED_AT_FILE_SIZE, size);
    n_schema = packed_get_64(file + PACKED_AT_SCHEMA_SIZE);
    values = n_schema <= size ? packed_align(PACKED_HEADER_SIZE + (size_t)n_schema) : size + 1;
    if (values <= size) {
        packed_mend_columns(file, size, PACKED_HEADER_SIZE + (size_t)n_schema, values);
        packed_put_64(file + PACKED_AT_SCHEMA_SUM,
                      checksum_bytes(CHECKSUM_START, file + PACKED_HEADER_SIZE, values - PACKED_HEADER_SIZE));
    }
    packed_put_64(file + PACKED_AT_SUM, checksum_bytes(CHECKSUM_START, file, PACKED_AT_SUM));
}

/* As from a file of these bytes, of which the dataset keeps the packed columns. */
static inline status unpack_from_file(const char *file, size_t size, size_t n_threads, dataset **out, error_info *err) {
    packed_source source = {memfd_create("packed", MFD_CLOEXEC), NULL, size};
    status st = source.fd >= 0 && write(source.fd, file, size) == (ssize_t)size ? (status)STATUS_OK
                                                                                : error_set(err, STATUS_IO, "no file");
    if (st == STATUS_OK)
        st = dataset_unpack(&source, n_threads, out, err);
    if (source.fd >= 0)
        (void)close(source.fd);
    return st;
}

#endif
