/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A sum of 64 bits over values, by which a disk's or a copy's change of stored bytes is found; no help against intent.
 * Each step is a bijection of the sum before it and of the value, so a change within one value (of a text: within eight
 * bytes) always gives another sum, and any other change misses with a chance of 2^-64. The same on every machine.
 */
#ifndef BNB_CORE_BASE_CHECKSUM_H
#define BNB_CORE_BASE_CHECKSUM_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CHECKSUM_START 0x243F6A8885A308D3u /* of pi */

/** Fibonacci hashing of both, the upper half folded into the lower. */
static inline uint64_t checksum_number(uint64_t sum, uint64_t number) {
    uint64_t h = (sum ^ number) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
}

/** Its bits: 0 and -0 differ. */
static inline uint64_t checksum_real(uint64_t sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return checksum_number(sum, bits);
}

/** Eight bytes at a time, the first the lowest; the last word is filled up with zeros. */
static inline uint64_t checksum_words(uint64_t sum, const void *bytes, size_t n) {
    const char *at = bytes;
    uint64_t word;
    for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = checksum_number(sum, le64toh(word));
    }
    if (n == 0)
        return sum;
    word = 0;
    memcpy(&word, at, n);
    return checksum_number(sum, le64toh(word));
}

/** Their number, and themselves. */
static inline uint64_t checksum_bytes(uint64_t sum, const void *bytes, size_t n) {
    return checksum_words(checksum_number(sum, n), bytes, n);
}

/** NULL differs from an empty text. */
static inline uint64_t checksum_text(uint64_t sum, const char *text) {
    return text ? checksum_bytes(sum, text, strlen(text)) : checksum_number(sum, UINT64_MAX);
}

#endif
