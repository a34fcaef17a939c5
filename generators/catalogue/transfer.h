/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Downloads of whole files, and their digests. */
#ifndef BNB_GENERATORS_CATALOGUE_TRANSFER_H
#define BNB_GENERATORS_CATALOGUE_TRANSFER_H

#include "core/base/text.h"

/** BASE/NAME/STEM+SUFFIX on the heap, NULL without memory; slashes at the end of the base are too many. */
char *transfer_address(const char *base, const char *name, const char *stem, const char *suffix);

/** What vouches for a file that was fetched. */
typedef enum {
    FETCH_BY_DIGEST, /* its SHA-256 is one that the catalogue holds */
    FETCH_BY_CONTENT /* it has every figure of the catalogue */
} fetch_check;

/**
 * Appends the file at an address. http and https alone, five redirections at most (never from https back to http),
 * 64 MiB at most; given up after 20 s without a connection, 30 s of less than 100 bytes a second, or ten minutes.
 * @return STATUS_MISSING: no server or no file there, an empty file, the download broke off. STATUS_PARSE: it is too
 *         long. STATUS_MEMORY. The address is not part of the messages.
 */
BNB_MUST_CHECK status transfer_get(const char *url, text_buffer *out, error_info *err);

#define TRANSFER_DIGEST_SIZE 65

/** SHA-256 in hex. STATUS_MEMORY. */
BNB_MUST_CHECK status transfer_digest(const text_buffer *bytes, char digest[TRANSFER_DIGEST_SIZE], error_info *err);

#endif
