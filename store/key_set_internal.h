/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A set of keys by sums of 64 bits, eight bytes a key. Filled when it is first asked. */
#ifndef BNB_STORE_KEY_SET_INTERNAL_H
#define BNB_STORE_KEY_SET_INTERNAL_H

#include "store/store.h"

typedef struct {
    const job_keys *of; /* given */
    uint64_t *sums;     /* ascending; NULL until then */
} key_set;

void key_set_clear(key_set *set);

/** Whether the key is one of them; another one is taken for it with a chance of n to 2^64. */
BNB_MUST_CHECK status key_set_has(key_set *set, const char *key, bool *out, error_info *err);

#endif
