/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of which each bit is a vector, a bit a column: plain loops that each level compiles for its own
 * instructions, and some by hand. */
#include "core/counting/slab_kernels_internal.h"

#include "core/counting/count_kernels_internal.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define HAVE_X86 1
#endif

#define INLINED static inline __attribute__((always_inline))

enum { L = SLAB_LANES };

/* --- adding rows up --- */

typedef uint64_t slab_row __attribute__((vector_size(SLAB_WORDS * sizeof(uint64_t)), may_alias));

/* sum + a + b, of which the carry goes to `carry`. */
INLINED void add_two(slab_row *sum, const slab_row *a, const slab_row *b, slab_row *carry) {
    slab_row one = *sum ^ *a;
    *carry = (*sum & *a) | (one & *b);
    *sum = one ^ *b;
}

/* Eight rows, of which the eights go on: Harley and Seal. */
INLINED void add_eight(const slab_row *rows, const uint32_t *list, slab_row low[3], slab_row *eights) {
    slab_row twos[2], fours[2];
    for (size_t k = 0; k < 2; k++) {
        const uint32_t *four = list + 4 * k;
        add_two(&low[0], &rows[four[0]], &rows[four[1]], &twos[0]);
        add_two(&low[0], &rows[four[2]], &rows[four[3]], &twos[1]);
        add_two(&low[1], &twos[0], &twos[1], &fours[k]);
    }
    add_two(&low[2], &fours[0], &fours[1], eights);
}

/* Adds a bit to numbers that do not overflow. */
INLINED void add_bit(slab_row *numbers, size_t n_bits, slab_row bit[1]) {
    for (size_t i = 0; i < n_bits; i++) {
        slab_row both = numbers[i] & *bit;
        numbers[i] ^= *bit;
        *bit = both;
    }
}

/* Of each power from eight on, every other carry waits for the next, so that both are added at once. */
INLINED void add_rows_loop(const uint64_t *words, const uint32_t *list, size_t n, size_t n_bits, uint64_t *out) {
    slab_row low[3] = {0}, high[SLAB_MOST_BITS], waiting[SLAB_MOST_BITS], *result = (void *)out;
    size_t n_high = n_bits > 3 ? n_bits - 3 : 0, n_eights = 0, power;
    for (size_t i = 0; i < n_high; i++)
        high[i] = (slab_row){0};
    for (; n_eights < n / SLAB_EIGHT; n_eights++) {
        slab_row carry, next;
        add_eight((const void *)words, list + n_eights * SLAB_EIGHT, low, &carry);
        for (power = 0; n_eights >> power & 1; power++) {
            add_two(&high[power], &waiting[power], &carry, &next);
            carry = next;
        }
        waiting[power] = carry;
    }
    for (power = 0; power < n_high; power++) {
        if (n_eights >> power & 1)
            add_bit(high + power, n_high - power, &waiting[power]);
    }
    for (size_t i = 0; i < n_bits; i++)
        result[i] = i < 3 ? low[i] : high[i - 3];
}

INLINED void spread_loop(const uint64_t *bits, size_t n_bits, uint32_t *restrict out) {
    memset(out, 0, L * sizeof *out);
    for (size_t i = 0; i < n_bits; i++) {
        uint32_t low = (uint32_t)bits[i * SLAB_WORDS], high = (uint32_t)(bits[i * SLAB_WORDS] >> 32);
        for (uint32_t k = 0; k < 32; k++) {
            out[k] |= (low >> k & 1) << i;
            out[k + 32] |= (high >> k & 1) << i;
        }
    }
}

/* --- portable --- */

static void add_rows_portable(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits, uint64_t *out) {
    add_rows_loop(rows, list, n, n_bits, out);
}

static void spread_portable(const uint64_t *bits, size_t n_bits, uint32_t *out) {
    spread_loop(bits, n_bits, out);
}

static const slab_kernels portable = {"portable", add_rows_portable, spread_portable};

#ifdef HAVE_X86

#define AVX2 __attribute__((target("avx2")))
#define AVX512BW __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))

/* --- avx2 --- */

AVX2 static void add_rows_avx2(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits, uint64_t *out) {
    add_rows_loop(rows, list, n, n_bits, out);
}

AVX2 static void spread_avx2(const uint64_t *bits, size_t n_bits, uint32_t *out) {
    spread_loop(bits, n_bits, out);
}

static const slab_kernels avx2 = {"avx2", add_rows_avx2, spread_avx2};

/* --- avx512bw --- */

AVX512BW static void add_rows_avx512(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits,
                                     uint64_t *out) {
    add_rows_loop(rows, list, n, n_bits, out);
}

/* A bit of sixteen lanes is a mask. */
AVX512BW static void spread_avx512(const uint64_t *bits, size_t n_bits, uint32_t *out) {
    __m512i sums[L / 16] = {0};
    for (size_t i = 0; i < n_bits; i++) {
        __m512i bit = _mm512_set1_epi32(1 << i);
        for (size_t k = 0; k < L / 16; k++)
            sums[k] = _mm512_mask_or_epi32(sums[k], (__mmask16)(bits[i * SLAB_WORDS] >> (k * 16)), sums[k], bit);
    }
    for (size_t k = 0; k < L / 16; k++)
        _mm512_store_si512(out + k * 16, sums[k]);
}

static const slab_kernels avx512 = {"avx512", add_rows_avx512, spread_avx512};

#endif

static const slab_kernels *const levels[] = {
    &portable,
#ifdef HAVE_X86
    &avx2,
    &avx512, /* of the two that count_kernels tells apart */
    &avx512,
#endif
};

const slab_kernels *slab_kernels_level(size_t i) {
    return count_kernels_level(i) ? levels[i] : NULL;
}

const slab_kernels *slab_kernels_choose(void) {
    const char *wanted = count_kernels_choose()->name;
    const slab_kernels *found = levels[0];
    for (size_t i = 0; slab_kernels_level(i); i++) {
        if (strcmp(count_kernels_level(i)->name, wanted) == 0)
            found = levels[i];
    }
    return found;
}
