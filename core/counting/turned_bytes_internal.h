/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Eight words as a square of bytes, for layouts in which bytes of several bit vectors lie side by side. */
#ifndef BNB_CORE_COUNTING_TURNED_BYTES_INTERNAL_H
#define BNB_CORE_COUNTING_TURNED_BYTES_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

/** Byte k of word i becomes byte i of word k. */
static inline void turn_bytes(uint64_t w[8]) {
    static const uint64_t mask[3] = {0x00FF00FF00FF00FFu, 0x0000FFFF0000FFFFu, 0x00000000FFFFFFFFu};
    for (size_t level = 0; level < 3; level++) {
        size_t apart = (size_t)1 << level;
        for (size_t i = 0; i < 8; i++) {
            uint64_t swap;
            if (i & apart)
                continue;
            swap = ((w[i] >> (8 * apart)) ^ w[i + apart]) & mask[level];
            w[i + apart] ^= swap;
            w[i] ^= swap << (8 * apart);
        }
    }
}

#endif
