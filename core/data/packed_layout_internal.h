/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Where things stand in a file of packed columns (docs/file-formats.md); all numbers are little-endian. */
#ifndef BNB_CORE_DATA_PACKED_LAYOUT_INTERNAL_H
#define BNB_CORE_DATA_PACKED_LAYOUT_INTERNAL_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    PACKED_VERSION = 1,
    PACKED_ALIGNMENT = 64,
    /* the header */
    PACKED_AT_VERSION = 8, /* 32 bits, and 32 of zero */
    PACKED_AT_ROWS = 16,
    PACKED_AT_COLUMNS = 24,
    PACKED_AT_SCHEMA_SIZE = 32,
    PACKED_AT_FILE_SIZE = 40,
    PACKED_AT_SCHEMA_SUM = 48,
    PACKED_AT_SUM = 56, /* of what is before it */
    PACKED_HEADER_SIZE = 64,
    /* a column in the schema: states, bytes of the name, the sum of its values; then name and states */
    PACKED_COLUMN_SIZE = 16,
    PACKED_REAL_BITS = 64
};

/** Bits of a value of a column with so many states, 0 for a continuous one. */
static inline size_t packed_bits(size_t n_states) {
    size_t bits = 1;
    if (n_states == 0)
        return PACKED_REAL_BITS;
    while ((size_t)1 << bits < n_states)
        bits *= 2;
    return bits;
}

/** Bytes of n values, without the zeros behind them; no overflow for n that packed_bytes(n, 1) fits a file. */
static inline size_t packed_bytes(size_t n, size_t bits) {
    return bits < 8 ? n / (8 / bits) + (n % (8 / bits) > 0) : n * (bits / 8);
}

static inline size_t packed_align(size_t n) {
    return (n + PACKED_ALIGNMENT - 1) / PACKED_ALIGNMENT * PACKED_ALIGNMENT;
}

static inline void packed_put_32(char *to, uint32_t value) {
    value = htole32(value);
    memcpy(to, &value, sizeof value);
}

static inline void packed_put_64(char *to, uint64_t value) {
    value = htole64(value);
    memcpy(to, &value, sizeof value);
}

static inline uint32_t packed_get_32(const char *from) {
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return le32toh(value);
}

static inline uint64_t packed_get_64(const char *from) {
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return le64toh(value);
}

#endif
