/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bytes as they lie in a file: plain, gzip or zstd. */
#ifndef BNB_CORE_BASE_COMPRESSION_INTERNAL_H
#define BNB_CORE_BASE_COMPRESSION_INTERNAL_H

#include "core/base/status.h"

#include <stdbool.h>

/** Grows by doubling. Zero-initialise; owns its bytes. */
typedef struct {
    char *data;
    size_t length, capacity;
    size_t most;          /* bytes that it may hold: those who add look */
    bool has_users_limit; /* which BNBENCH_READ_LIMIT raises */
} bytes_buffer;

void bytes_clear(bytes_buffer *b);

/** Room for `more` bytes and the NUL behind them. */
BNB_MUST_CHECK status bytes_reserve(bytes_buffer *b, size_t more, error_info *err);

/** STATUS_INVALID: it holds more than the most. */
status bytes_too_long(const bytes_buffer *b, error_info *err);

/** True if the bytes begin as gzip or zstd do. */
bool compression_is_of(const bytes_buffer *b);

/**
 * Unpacks such bytes, and a NUL behind them. STATUS_PARSE: they are broken, or zstd that asks for more than 128 MiB of
 * memory; STATUS_INVALID: bytes_too_long.
 */
BNB_MUST_CHECK status compression_unpack(const bytes_buffer *packed, bytes_buffer *plain, error_info *err);

/** What goes into a file of that ending: the bytes themselves, or packed into `packed` where it is .gz or .zst. */
BNB_MUST_CHECK status compression_pack(const char *ending, const char **bytes, size_t *length, bytes_buffer *packed,
                                       error_info *err);

#endif
