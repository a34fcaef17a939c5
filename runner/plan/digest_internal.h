/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SHA-256 over values whose borders count: ("ab", "c") differs from ("a", "bc"). */
#ifndef BNB_RUNNER_PLAN_DIGEST_INTERNAL_H
#define BNB_RUNNER_PLAN_DIGEST_INTERNAL_H

#include "core/base/status.h"
#include "core/models/bayes_net.h"

#include <stdint.h>

enum { DIGEST_HEX_SIZE = 65 };

typedef struct digest digest;

BNB_MUST_CHECK status digest_create(digest **out, error_info *err);
void digest_destroy(digest *d);
AUTO_PTR_OF(digest, digest_destroy)
void digest_text(digest *d, const char *text);
void digest_bytes(digest *d, const void *bytes, size_t n);
void digest_number(digest *d, uint64_t number);

/** The hash in hex; the digest starts again. STATUS_BUG if the library refused an update. */
BNB_MUST_CHECK status digest_finish(digest *d, char hex[DIGEST_HEX_SIZE], error_info *err);

/** Names, states, parents and tables of a network. */
BNB_MUST_CHECK status digest_network(const bayes_net *net, char hex[DIGEST_HEX_SIZE], error_info *err);

#endif
