/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/packed_values.h"

#include <endian.h>
#include <string.h>

/* Eight values of so many bits, the lowest first, as eight bytes. */
static inline uint64_t spread(uint64_t x, size_t bits) {
    switch (bits) {
    case 1:
        x = (x | x << 28) & 0x0000000F0000000F;
        x = (x | x << 14) & 0x0003000300030003;
        return (x | x << 7) & 0x0101010101010101;
    case 2:
        x = (x | x << 24) & 0x000000FF000000FF;
        x = (x | x << 12) & 0x000F000F000F000F;
        return (x | x << 6) & 0x0303030303030303;
    default:
        x = (x | x << 16) & 0x0000FFFF0000FFFF;
        x = (x | x << 8) & 0x00FF00FF00FF00FF;
        return (x | x << 4) & 0x0F0F0F0F0F0F0F0F;
    }
}

/* Eight values are as many bytes as a value has bits. */
static inline __attribute__((always_inline)) void unpack(const unsigned char *from, size_t bits, size_t n,
                                                         uint8_t *out) {
    for (size_t done = 0; done < n; done += 8, from += bits) {
        uint64_t packed = 0, eight;
        memcpy(&packed, from, bits);
        eight = htole64(spread(le64toh(packed), bits));
        memcpy(out + done, &eight, n - done < 8 ? n - done : 8);
    }
}

void packed_values_unpack(const packed_values *v, size_t first, size_t n, uint8_t *out) {
    const unsigned char *from = v->bytes + first / 8 * v->bits;
    if (v->bits == 1)
        unpack(from, 1, n, out);
    else if (v->bits == 2)
        unpack(from, 2, n, out);
    else if (v->bits == 4)
        unpack(from, 4, n, out);
    else
        memcpy(out, from, n);
}

/* Every other value of a word at a time, with room for a carry above each: it is there where the sum of the value and
 * what lacks the states to a power of two does not fit. */
bool packed_values_pass(const packed_values *v, size_t n, size_t n_states) {
    size_t bits = v->bits, n_words = (n + 64 / bits - 1) / (64 / bits), all = (size_t)1 << bits;
    uint64_t ones = UINT64_MAX / ((UINT64_C(1) << 2 * bits) - 1), mask = ones * (all - 1), carries = 0;
    if (n_states >= all)
        return false;
    for (size_t i = 0; i < n_words; i++) {
        uint64_t word;
        memcpy(&word, v->bytes + i * sizeof word, sizeof word);
        word = le64toh(word);
        carries |= (word & mask) + ones * (all - n_states);
        carries |= (word >> bits & mask) + ones * (all - n_states);
    }
    return (carries & ones << bits) != 0;
}
