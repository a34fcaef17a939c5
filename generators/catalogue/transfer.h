/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Downloads of whole files, and their digests. */
#ifndef BNB_GENERATORS_CATALOGUE_TRANSFER_H
#define BNB_GENERATORS_CATALOGUE_TRANSFER_H

#include "core/base/text.h"

#include <stdbool.h>

/** BASE/NAME/STEM+SUFFIX on the heap, NULL without memory; slashes at the end of the base are too many. */
char *transfer_address(const char *base, const char *name, const char *stem, const char *suffix);

/** What may be fetched. All zero: the file that the catalogue knows, from its address, by https. */
typedef struct {
    const char *base_url; /* another place; NULL for the catalogue's */
    bool allows_http;
    bool allows_other; /* a file of another digest is kept where it has every figure of the catalogue */
} fetch_options;

/** What vouches for a file that was fetched. */
typedef enum {
    FETCH_BY_DIGEST, /* its SHA-256 is the catalogue's */
    FETCH_BY_CONTENT /* it has every figure of the catalogue, and may be another all the same */
} fetch_check;

/** The most that is taken in, and the most that it may become when it is unpacked. */
enum { TRANSFER_MOST_BYTES = 64 << 20 };

/**
 * Appends the file at an address. https alone, or http too where that is allowed; five redirections at most (never from
 * https back to http), TRANSFER_MOST_BYTES at most; given up after 20 s without a connection, 30 s of less than 100
 * bytes a second, or ten minutes.
 * @return STATUS_INVALID: http is not allowed. STATUS_MISSING: no server or no file there, an empty file, the download
 * broke off, or as transfer_find_library. STATUS_PARSE: it is too long. STATUS_MEMORY. The address is not part of the
 * messages.
 */
BNB_MUST_CHECK status transfer_get(const char *url, bool allows_http, text_buffer *out, error_info *err);

/** STATUS_OK where something can be fetched at all; STATUS_MISSING, and why. Into *library: what that takes. */
BNB_MUST_CHECK status transfer_find_library(const char **library, error_info *err);

#define TRANSFER_DIGEST_SIZE 65

/** SHA-256 in hex. STATUS_MEMORY. */
BNB_MUST_CHECK status transfer_digest(const char *bytes, size_t length, char digest[TRANSFER_DIGEST_SIZE],
                                      error_info *err);

/**
 * Compares the SHA-256 with the catalogue's, NULL where it has none.
 * @return STATUS_PARSE where it is another and `o` does not allow that: the message holds both. STATUS_MEMORY.
 */
BNB_MUST_CHECK status transfer_check_digest(const char *bytes, size_t length, const char *expected,
                                            const fetch_options *o, fetch_check *check, error_info *err);

#endif
