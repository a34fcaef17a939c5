/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of which each bit is a vector, a bit a column: plain loops that each level compiles for its own
 * instructions, and some by hand. */
#include "core/counting/slab_kernels_internal.h"

#include "core/counting/count_kernels_internal.h"
#include "core/counting/slab_sums_avx2_internal.h"
#include "core/counting/slab_sums_avx512_internal.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define HAVE_X86 1
#endif

#define INLINED static inline __attribute__((always_inline))

enum { L = SLAB_LANES };

/* --- adding rows up --- */

/* Half of a row: so many words as fit the registers of the lower levels. */
typedef uint64_t half_row __attribute__((vector_size(SLAB_WORDS / 2 * sizeof(uint64_t)), may_alias));

/* sum + a + b, of which the carry goes to `carry`. */
INLINED void add_two(half_row *sum, const half_row *a, const half_row *b, half_row *carry) {
    half_row one = *sum ^ *a;
    *carry = (*sum & *a) | (one & *b);
    *sum = one ^ *b;
}

/* Eight rows, of which the eights go on: Harley and Seal. */
INLINED void add_eight(const half_row *rows, const uint32_t *list, half_row low[3], half_row *eights) {
    half_row twos[2], fours[2];
    for (size_t k = 0; k < 2; k++) {
        const uint32_t *four = list + 4 * k;
        add_two(&low[0], &rows[four[0] * 2], &rows[four[1] * 2], &twos[0]);
        add_two(&low[0], &rows[four[2] * 2], &rows[four[3] * 2], &twos[1]);
        add_two(&low[1], &twos[0], &twos[1], &fours[k]);
    }
    add_two(&low[2], &fours[0], &fours[1], eights);
}

/* Adds a bit to numbers that do not overflow. */
INLINED void add_bit(half_row *numbers, size_t n_bits, half_row bit[1]) {
    for (size_t i = 0; i < n_bits; i++) {
        half_row both = numbers[i] & *bit;
        numbers[i] ^= *bit;
        *bit = both;
    }
}

/* Of each power from eight on, every other carry waits for the next, so that both are added at once. */
INLINED void add_halves(const uint64_t *words, const uint32_t *list, size_t n, size_t n_bits, uint64_t *out) {
    half_row low[3] = {0}, high[SLAB_MOST_BITS], waiting[SLAB_MOST_BITS], *result = (void *)out;
    size_t n_high = n_bits > 3 ? n_bits - 3 : 0, n_eights = 0, power;
    for (size_t i = 0; i < n_high; i++)
        high[i] = (half_row){0};
    for (; n_eights < n / SLAB_EIGHT; n_eights++) {
        half_row carry, next;
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
        result[i * 2] = i < 3 ? low[i] : high[i - 3];
}

INLINED void add_rows_loop(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits, uint64_t *out) {
    add_halves(rows, list, n, n_bits, out);
    add_halves(rows + SLAB_WORDS / 2, list, n, n_bits, out + SLAB_WORDS / 2);
}

INLINED void add_number_half(const uint64_t *words, size_t n_bits, size_t n_sum_bits, uint64_t *sum_words) {
    const half_row *number = (const void *)words;
    half_row *sum = (void *)sum_words, carry = {0}, next;
    size_t i = 0;
    for (; i < n_bits; i++) {
        add_two(&sum[i * 2], &number[i * 2], &carry, &next);
        carry = next;
    }
    for (; i < n_sum_bits; i++) {
        next = sum[i * 2] & carry;
        sum[i * 2] ^= carry;
        carry = next;
    }
}

INLINED void add_number_loop(const uint64_t *number, size_t n_bits, size_t n_sum_bits, uint64_t *sum) {
    add_number_half(number, n_bits, n_sum_bits, sum);
    add_number_half(number + SLAB_WORDS / 2, n_bits, n_sum_bits, sum + SLAB_WORDS / 2);
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

INLINED uint64_t above_loop(const double *values, size_t n, double from, double least) {
    uint64_t above = 0;
    for (size_t i = 0; i < n; i++)
        above |= (uint64_t)(values[i] - from > least) << i;
    return above;
}

/* --- portable --- */

static void add_rows_portable(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits,
                              const uint64_t *ahead, uint64_t *out) {
    (void)ahead;
    add_rows_loop(rows, list, n, n_bits, out);
}

static void add_number_portable(const uint64_t *number, size_t n_bits, size_t n_sum_bits, uint64_t *sum) {
    add_number_loop(number, n_bits, n_sum_bits, sum);
}

static void spread_portable(const uint64_t *bits, size_t n_bits, uint32_t *out) {
    spread_loop(bits, n_bits, out);
}

static uint64_t above_portable(const double *values, size_t n, double from, double least) {
    return above_loop(values, n, from, least);
}

static const slab_kernels portable = {
    "portable", add_rows_portable, add_number_portable, spread_portable, NULL, above_portable,
};

#ifdef HAVE_X86

#define AVX2 __attribute__((target("avx2")))
#define AVX512BW __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))

INLINED void foresee_rows(const uint64_t *ahead, const uint32_t *list, size_t n) {
    for (size_t k = 0; k < n; k++)
        __builtin_prefetch(ahead + list[k] * (size_t)SLAB_WORDS, 0, 2);
}

/* --- avx2 --- */

AVX2 INLINED __m256i half_of(const uint64_t *rows, uint32_t row) {
    return _mm256_load_si256((const void *)(rows + row * (size_t)SLAB_WORDS));
}

/* sum + a + b, of which the carry is returned. */
AVX2 INLINED __m256i add_two_256(__m256i *sum, __m256i a, __m256i b) {
    __m256i one = _mm256_xor_si256(*sum, a), both = _mm256_and_si256(*sum, a);
    *sum = _mm256_xor_si256(one, b);
    return _mm256_or_si256(both, _mm256_and_si256(one, b));
}

AVX2 INLINED __m256i add_eight_256(const uint64_t *rows, const uint32_t *list, __m256i low[3]) {
    __m256i twos[2], fours[2];
    for (size_t k = 0; k < 2; k++) {
        const uint32_t *four = list + 4 * k;
        twos[0] = add_two_256(&low[0], half_of(rows, four[0]), half_of(rows, four[1]));
        twos[1] = add_two_256(&low[0], half_of(rows, four[2]), half_of(rows, four[3]));
        fours[k] = add_two_256(&low[1], twos[0], twos[1]);
    }
    return add_two_256(&low[2], fours[0], fours[1]);
}

/* Half of at most seven rows. */
AVX2 INLINED void add_seven_256(const uint64_t *rows, const uint32_t *list, size_t n_bits, __m256i low[3]) {
    low[0] = half_of(rows, list[0]);
    if (n_bits >= 2)
        low[1] = add_two_256(&low[0], half_of(rows, list[1]), half_of(rows, list[2]));
    if (n_bits == 3) {
        __m256i twos = add_two_256(&low[0], half_of(rows, list[3]), half_of(rows, list[4]));
        low[2] = add_two_256(&low[1], twos, add_two_256(&low[0], half_of(rows, list[5]), half_of(rows, list[6])));
    }
}

enum { HALF_WORDS = SLAB_WORDS / 2 };

/* Sets of few rows are many: these take no loop. */
AVX2 INLINED void add_few_rows_avx2(const uint64_t *rows, const uint32_t *list, size_t n_bits, const uint64_t *ahead,
                                    uint64_t *out) {
    foresee_rows(ahead, list, ((size_t)1 << n_bits) - 1);
    for (size_t h = 0; h < SLAB_WORDS; h += HALF_WORDS) {
        __m256i low[3];
        add_seven_256(rows + h, list, n_bits, low);
        for (size_t i = 0; i < n_bits; i++)
            _mm256_store_si256((void *)(out + i * SLAB_WORDS + h), low[i]);
    }
}

AVX2 INLINED void add_bit_256(__m256i (*numbers)[2], size_t n_bits, size_t h, __m256i bit) {
    for (size_t i = 0; i < n_bits; i++) {
        __m256i both = _mm256_and_si256(numbers[i][h], bit);
        numbers[i][h] = _mm256_xor_si256(numbers[i][h], bit);
        bit = both;
    }
}

/* As add_halves, both at once: each row is fetched once. */
AVX2 INLINED void add_many_rows_avx2(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits,
                                     const uint64_t *ahead, uint64_t *out) {
    __m256i low[2][3], high[SLAB_MOST_BITS][2], waiting[SLAB_MOST_BITS][2];
    size_t n_high = n_bits - 3, n_eights = 0, power;
    for (size_t i = 0; i < 3; i++)
        low[0][i] = low[1][i] = _mm256_setzero_si256();
    for (size_t i = 0; i < n_high; i++)
        high[i][0] = high[i][1] = _mm256_setzero_si256();
    for (; n_eights < n / SLAB_EIGHT; n_eights++, list += SLAB_EIGHT) {
        __m256i first = add_eight_256(rows, list, low[0]), second = add_eight_256(rows + HALF_WORDS, list, low[1]);
        foresee_rows(ahead, list, SLAB_EIGHT);
        for (power = 0; n_eights >> power & 1; power++) {
            first = add_two_256(&high[power][0], waiting[power][0], first);
            second = add_two_256(&high[power][1], waiting[power][1], second);
        }
        waiting[power][0] = first;
        waiting[power][1] = second;
    }
    for (power = 0; power < n_high; power++) {
        if (n_eights >> power & 1) {
            add_bit_256(high + power, n_high - power, 0, waiting[power][0]);
            add_bit_256(high + power, n_high - power, 1, waiting[power][1]);
        }
    }
    for (size_t h = 0; h < 2; h++) {
        for (size_t i = 0; i < n_bits; i++)
            _mm256_store_si256((void *)(out + i * SLAB_WORDS + h * HALF_WORDS), i < 3 ? low[h][i] : high[i - 3][h]);
    }
}

AVX2 static void add_rows_avx2(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits,
                               const uint64_t *ahead, uint64_t *out) {
    switch (n_bits) {
    case 0:
        break;
    case 1:
        add_few_rows_avx2(rows, list, 1, ahead, out);
        break;
    case 2:
        add_few_rows_avx2(rows, list, 2, ahead, out);
        break;
    case 3:
        add_few_rows_avx2(rows, list, 3, ahead, out);
        break;
    default:
        add_many_rows_avx2(rows, list, n, n_bits, ahead, out);
    }
}

AVX2 static void add_number_avx2(const uint64_t *number, size_t n_bits, size_t n_sum_bits, uint64_t *sum) {
    add_number_loop(number, n_bits, n_sum_bits, sum);
}

AVX2 static void spread_avx2(const uint64_t *bits, size_t n_bits, uint32_t *out) {
    spread_loop(bits, n_bits, out);
}

AVX2 static uint64_t above_avx2(const double *values, size_t n, double from, double least) {
    uint64_t above = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        __m256d gains = _mm256_sub_pd(_mm256_loadu_pd(values + i), _mm256_set1_pd(from));
        above |= (uint64_t)_mm256_movemask_pd(_mm256_cmp_pd(gains, _mm256_set1_pd(least), _CMP_GT_OQ)) << i;
    }
    return i < n ? above | above_loop(values + i, n - i, from, least) << i : above;
}

static const slab_kernels avx2 = {"avx2", add_rows_avx2, add_number_avx2, spread_avx2, slab_sums_avx2, above_avx2};

/* --- avx512bw --- */

/* sum + a + b, of which the carry is returned. */
AVX512BW INLINED __m512i add_two_512(__m512i *sum, __m512i a, __m512i b) {
    __m512i carry = _mm512_ternarylogic_epi64(*sum, a, b, 0xE8);
    *sum = _mm512_ternarylogic_epi64(*sum, a, b, 0x96);
    return carry;
}

AVX512BW INLINED __m512i add_eight_512(const uint64_t *rows, const uint32_t *list, __m512i low[3]) {
    __m512i row[SLAB_EIGHT], twos[2], fours[2];
    for (size_t k = 0; k < SLAB_EIGHT; k++)
        row[k] = _mm512_load_si512(rows + list[k] * (size_t)SLAB_WORDS);
    for (size_t k = 0; k < 2; k++) {
        twos[0] = add_two_512(&low[0], row[4 * k], row[4 * k + 1]);
        twos[1] = add_two_512(&low[0], row[4 * k + 2], row[4 * k + 3]);
        fours[k] = add_two_512(&low[1], twos[0], twos[1]);
    }
    return add_two_512(&low[2], fours[0], fours[1]);
}

AVX512BW INLINED void add_bit_512(__m512i *numbers, size_t n_bits, __m512i bit) {
    for (size_t i = 0; i < n_bits; i++) {
        __m512i both = _mm512_and_si512(numbers[i], bit);
        numbers[i] = _mm512_xor_si512(numbers[i], bit);
        bit = both;
    }
}

AVX512BW INLINED __m512i row_of(const uint64_t *rows, uint32_t row) {
    return _mm512_load_si512(rows + row * (size_t)SLAB_WORDS);
}

/* Of at most seven rows: such sets are many, and take no loop. */
AVX512BW INLINED void add_few_rows_avx512(const uint64_t *rows, const uint32_t *list, size_t n_bits,
                                          const uint64_t *ahead, uint64_t *out) {
    __m512i low[3] = {row_of(rows, list[0])};
    foresee_rows(ahead, list, ((size_t)1 << n_bits) - 1);
    if (n_bits >= 2)
        low[1] = add_two_512(&low[0], row_of(rows, list[1]), row_of(rows, list[2]));
    if (n_bits == 3) {
        __m512i twos = add_two_512(&low[0], row_of(rows, list[3]), row_of(rows, list[4]));
        low[2] = add_two_512(&low[1], twos, add_two_512(&low[0], row_of(rows, list[5]), row_of(rows, list[6])));
    }
    for (size_t i = 0; i < n_bits; i++)
        _mm512_store_si512(out + i * SLAB_WORDS, low[i]);
}

/* As add_halves. */
AVX512BW INLINED void add_many_rows_avx512(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits,
                                           const uint64_t *ahead, uint64_t *out) {
    __m512i low[3] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
    __m512i high[SLAB_MOST_BITS], waiting[SLAB_MOST_BITS];
    size_t n_high = n_bits - 3, n_eights = 0, power;
    for (size_t i = 0; i < n_high; i++)
        high[i] = _mm512_setzero_si512();
    for (; n_eights < n / SLAB_EIGHT; n_eights++) {
        __m512i carry = add_eight_512(rows, list + n_eights * SLAB_EIGHT, low);
        foresee_rows(ahead, list + n_eights * SLAB_EIGHT, SLAB_EIGHT);
        for (power = 0; n_eights >> power & 1; power++)
            carry = add_two_512(&high[power], waiting[power], carry);
        waiting[power] = carry;
    }
    for (power = 0; power < n_high; power++) {
        if (n_eights >> power & 1)
            add_bit_512(high + power, n_high - power, waiting[power]);
    }
    for (size_t i = 0; i < n_bits; i++)
        _mm512_store_si512(out + i * SLAB_WORDS, i < 3 ? low[i] : high[i - 3]);
}

AVX512BW static void add_rows_avx512(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits,
                                     const uint64_t *ahead, uint64_t *out) {
    switch (n_bits) {
    case 0:
        break;
    case 1:
        add_few_rows_avx512(rows, list, 1, ahead, out);
        break;
    case 2:
        add_few_rows_avx512(rows, list, 2, ahead, out);
        break;
    case 3:
        add_few_rows_avx512(rows, list, 3, ahead, out);
        break;
    default:
        add_many_rows_avx512(rows, list, n, n_bits, ahead, out);
    }
}

AVX512BW static void add_number_avx512(const uint64_t *number, size_t n_bits, size_t n_sum_bits, uint64_t *sum) {
    add_number_loop(number, n_bits, n_sum_bits, sum);
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

AVX512BW static uint64_t above_avx512(const double *values, size_t n, double from, double least) {
    uint64_t above = 0;
    for (size_t i = 0; i < n; i += 8) {
        __mmask8 are_there = (__mmask8)(n - i < 8 ? (1U << (n - i)) - 1 : UINT8_MAX);
        __m512d gains = _mm512_sub_pd(_mm512_maskz_loadu_pd(are_there, values + i), _mm512_set1_pd(from));
        above |= (uint64_t)_mm512_mask_cmp_pd_mask(are_there, gains, _mm512_set1_pd(least), _CMP_GT_OQ) << i;
    }
    return above;
}

static const slab_kernels avx512 = {
    "avx512", add_rows_avx512, add_number_avx512, spread_avx512, slab_sums_avx512, above_avx512,
};

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
    return levels[count_kernels_chosen()];
}
