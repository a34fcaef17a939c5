/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/set_lattice_walk_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,popcnt")))
#define PEXT __attribute__((target("avx2,bmi2,popcnt")))

enum { HALF = SIDE / 2, BYTE_STEPS = 31 }; /* lanes of a register; a byte holds as many words' eight ones at most */

AVX2 static inline __m256i load_half(const void *p) {
    return _mm256_loadu_si256(p);
}

AVX2 static inline __m256i nibble_ones(void) {
    return _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3,
                            4);
}

AVX2 static inline void store_sums(__m256i sums, uint32_t out[HALF]) {
    __m256i even = _mm256_permutevar8x32_epi32(sums, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128((__m128i *)(void *)out, _mm256_castsi256_si128(even));
}

/* Ones in four lanes of a AND b, by nibble look-up (Mula, Kurz, Lemire 2018, Computer Journal 61(1)); the words of a
 * lane are SIDE apart. */
AVX2 static inline void count_one_half(const uint64_t *a, const uint64_t *b, size_t depth, uint32_t out[HALF]) {
    const __m256i low = _mm256_set1_epi8(0x0F), none = _mm256_setzero_si256(), ones = nibble_ones();
    __m256i sum = none;
    for (size_t done = 0; done < depth;) {
        size_t end = depth - done > BYTE_STEPS ? done + BYTE_STEPS : depth;
        __m256i bytes = none;
        for (; done < end; done++, a += SIDE, b += SIDE) {
            __m256i both = _mm256_and_si256(load_half(a), load_half(b));
            __m256i upper = _mm256_and_si256(_mm256_srli_epi16(both, 4), low);
            bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(ones, _mm256_and_si256(both, low)));
            bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(ones, upper));
        }
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, none));
    }
    store_sums(sum, out);
}

/* The deepest of four strips. */
static size_t depth_of_four(const walk *w, size_t strip) {
    const uint32_t *d = w->strips.depth + strip;
    uint32_t a = d[0] > d[1] ? d[0] : d[1], b = d[2] > d[3] ? d[2] : d[3];
    return a > b ? a : b;
}

AVX2 static void count_lanes_avx2(const walk *w, const uint64_t *a, size_t n, const uint64_t *b, lane_counts *out) {
    memset(out, 0, n * sizeof *out);
    for (size_t strip = 0; strip < w->strips.n; strip += HALF) {
        size_t start = strip < SIDE ? strip : SIDE * w->depth[0] + strip - SIDE, depth = depth_of_four(w, strip);
        const uint32_t *lane = w->strips.lane + strip;
        for (size_t k = 0; k < n; k++) {
            uint32_t ones[HALF];
            count_one_half(a + k * w->n_words + start, b + start, depth, ones);
            for (size_t i = 0; i < HALF; i++)
                out[k][lane[i]] += ones[i];
        }
    }
}

/* --- sets of three columns of three states --- */

/* Puts the rows of `mask`, of one word, at bit `shift` of a word of the parts. */
PEXT static void put_word(walk *w, size_t c, size_t word, uint64_t mask, size_t at, size_t shift) {
    size_t step = w->parts.n_words, n_words = w->n_words, n_columns = w->n_columns;
    bool overflows = shift + (size_t)__builtin_popcountll(mask) > WORD;
    uint64_t *to = w->parts.bits + 2 * (c + 1) * step + at;
    for (size_t e = c + 1; e < n_columns; e++, to += 2 * step) {
        const uint64_t *from = w->column[e].bits + word;
        uint64_t first, second;
        if (w->column[e].r != 3)
            continue;
        first = _pext_u64(from[0], mask);
        second = _pext_u64(from[n_words], mask);
        to[0] |= first << shift;
        to[step] |= second << shift;
        if (overflows) {
            to[HALF] |= first >> (WORD - shift);
            to[step + HALF] |= second >> (WORD - shift);
        }
    }
}

/* The parts of four lanes begin at `start`, first those of one state. */
static size_t give_parts(walk *w, size_t c, size_t first_lane, size_t start) {
    for (size_t i = 0; i < 2; i++) {
        uint32_t most = 0;
        for (size_t lane = first_lane; lane < first_lane + HALF; lane++)
            most = w->column[c].rows[i][lane] > most ? w->column[c].rows[i][lane] : most;
        w->parts.depth[i][first_lane / HALF] = (most + WORD - 1) / WORD;
        start += HALF * w->parts.depth[i][first_lane / HALF];
    }
    return start;
}

PEXT static void put_lane(walk *w, size_t c, size_t i, size_t lane, size_t start) {
    const uint64_t *bits = w->column[c].bits + i * w->n_words;
    const uint32_t *words = w->word_at + w->first_word[lane];
    size_t n_words = (w->lane_rows[lane] + WORD - 1) / WORD, n_put = 0;
    for (size_t j = 0; j < n_words; j++) {
        size_t word = words[j];
        if (bits[word] == 0)
            continue;
        put_word(w, c, word, bits[word], start + n_put / WORD * HALF, n_put % WORD);
        n_put += (size_t)__builtin_popcountll(bits[word]);
    }
}

PEXT static void lay_parts(walk *w, size_t c) {
    size_t start = 0;
    for (size_t lane = 0; lane < LANES; lane += HALF)
        start = give_parts(w, c, lane, start);
    w->parts.n_words = start;
    memset(w->parts.bits + 2 * (c + 1) * start, 0, 2 * (w->n_columns - c - 1) * start * sizeof *w->parts.bits);
    start = 0;
    for (size_t lane = 0; lane < w->n_lanes; lane++) {
        size_t four = lane / HALF;
        put_lane(w, c, 0, lane, start + lane % HALF);
        put_lane(w, c, 1, lane, start + HALF * w->parts.depth[0][four] + lane % HALF);
        if (lane % HALF == HALF - 1)
            start += HALF * (w->parts.depth[0][four] + w->parts.depth[1][four]);
    }
}

static const uint64_t *parts_of(const walk *w, size_t column) {
    return w->parts.bits + 2 * column * w->parts.n_words;
}

/* Each word of a column's parts as two: its lower halves of bytes, and the upper ones in their place. */
AVX2 static void lay_halves(walk *w, size_t c, size_t d) {
    const __m256i low = _mm256_set1_epi8(0x0F);
    const uint64_t *from = parts_of(w, d);
    size_t n = w->parts.n_words;
    (void)c;
    for (size_t k = 0; k < 2; k++, from += n) {
        uint64_t *to = w->halves + 2 * k * n;
        for (size_t at = 0; at < n; at += HALF) {
            __m256i word = load_half(from + at);
            _mm256_store_si256((__m256i *)(void *)(to + at), _mm256_and_si256(word, low));
            _mm256_store_si256((__m256i *)(void *)(to + n + at), _mm256_and_si256(_mm256_srli_epi16(word, 4), low));
        }
    }
}

/* Ones by byte in up to BYTE_STEPS words, of four lanes, of both states of d AND both of e. */
AVX2 static inline __attribute__((always_inline)) void count_bytes(const uint64_t *d, const uint64_t *e, size_t n,
                                                                   size_t depth, __m256i bytes[4]) {
    const __m256i ones = nibble_ones();
    for (size_t k = 0; k < 4; k++)
        bytes[k] = _mm256_setzero_si256();
    for (size_t at = 0; at < HALF * depth; at += HALF) {
        __m256i lower[2] = {load_half(e + at), load_half(e + n + at)};
        __m256i upper[2] = {_mm256_srli_epi16(lower[0], 4), _mm256_srli_epi16(lower[1], 4)};
        for (size_t k = 0; k < 4; k++) {
            const uint64_t *halves = d + k / 2 * 2 * n + at;
            __m256i first = _mm256_and_si256(lower[k % 2], load_half(halves));
            __m256i second = _mm256_and_si256(upper[k % 2], load_half(halves + n));
            bytes[k] = _mm256_add_epi8(bytes[k], _mm256_shuffle_epi8(ones, first));
            KEEP_ORDER(bytes[k]);
            bytes[k] = _mm256_add_epi8(bytes[k], _mm256_shuffle_epi8(ones, second));
            KEEP_ORDER(bytes[k]);
        }
    }
}

/* The same of any number of words, by lane. */
AVX2 static inline __attribute__((always_inline)) void count_half(const walk *w, const uint64_t *e, size_t at,
                                                                  size_t depth, __m256i sum[4]) {
    const __m256i none = _mm256_setzero_si256();
    size_t n = w->parts.n_words, first = depth < BYTE_STEPS ? depth : BYTE_STEPS;
    __m256i bytes[4];
    count_bytes(w->halves + at, e + at, n, first, bytes);
    for (size_t k = 0; k < 4; k++)
        sum[k] = _mm256_sad_epu8(bytes[k], none);
    for (size_t done = first; done < depth; done += BYTE_STEPS) {
        size_t steps = depth - done < BYTE_STEPS ? depth - done : BYTE_STEPS;
        count_bytes(w->halves + at + HALF * done, e + at + HALF * done, n, steps, bytes);
        for (size_t k = 0; k < 4; k++)
            sum[k] = _mm256_add_epi64(sum[k], _mm256_sad_epu8(bytes[k], none));
    }
}

/* out[4 i + k]: ones by lane of pair k of states of d and e, with state i of c, none the last. */
AVX2 static inline void count_eight_avx2(const walk *w, const uint64_t *e, lane_counts out[8]) {
    size_t at = 0;
    for (size_t lane = 0; lane < (w->n_lanes + SIDE - 1) / SIDE * SIDE; lane += HALF) {
        for (size_t i = 0; i < 2; i++) {
            size_t depth = w->parts.depth[i][lane / HALF];
            __m256i sum[4];
            count_half(w, e, at, depth, sum);
            at += HALF * depth;
            for (size_t k = 0; k < 4; k++)
                store_sums(sum[k], out[4 * i + k] + lane);
        }
    }
}

/* A side of the table of three columns, as sum_triple: what of every row and column is not counted is what its margin
 * leaves. */
AVX2 static inline void fill_side(lane_counts *cells, lane_counts *counted, lane_counts *cd, lane_counts *ce,
                                  lane_counts *de, size_t first) {
    __m256i last[9];
    for (size_t i = 0; i < 9; i++)
        last[i] = load_half(de[i] + first);
    for (size_t i = 0; i < 2; i++) {
        __m256i row[3];
        for (size_t k = 0; k < 3; k++)
            row[k] = load_half(ce[3 * i + k] + first);
        for (size_t j = 0; j < 2; j++) {
            __m256i cell[3] = {load_half(counted[4 * i + 2 * j] + first), load_half(counted[4 * i + 2 * j + 1] + first),
                               load_half(cd[3 * i + j] + first)};
            cell[2] = _mm256_sub_epi32(cell[2], _mm256_add_epi32(cell[0], cell[1]));
            for (size_t k = 0; k < 3; k++) {
                row[k] = _mm256_sub_epi32(row[k], cell[k]);
                last[3 * j + k] = _mm256_sub_epi32(last[3 * j + k], cell[k]);
                _mm256_storeu_si256((__m256i *)(void *)(cells[9 * i + 3 * j + k] + first), cell[k]);
            }
        }
        for (size_t k = 0; k < 3; k++) {
            last[6 + k] = _mm256_sub_epi32(last[6 + k], row[k]);
            _mm256_storeu_si256((__m256i *)(void *)(cells[9 * i + 6 + k] + first), row[k]);
        }
    }
    for (size_t i = 0; i < 9; i++)
        _mm256_storeu_si256((__m256i *)(void *)(cells[18 + i] + first), last[i]);
}

AVX2 static int64_t sum_three_avx2(const walk *w, size_t c, size_t d, size_t e) {
    lane_counts cells[27], counted[8];
    lane_counts *cd = pair_of(w, c, d), *ce = pair_of(w, c, e), *de = pair_of(w, d, e);
    count_eight_avx2(w, parts_of(w, e), counted);
    for (size_t first = 0; first < w->n_lanes; first += SIDE)
        fill_side(cells, counted, cd, ce, de, first);
    return sum_terms(w, cells, 27);
}

/* --- rows to vectors --- */

/* Byte k of 32 rows of eight bytes becomes register k. */
AVX2 static inline void turn_bytes(const uint64_t *rows, __m256i bytes[8]) {
    __m256i pairs[8], fours[8], eights[8];
    for (size_t i = 0; i < 4; i++) {
        __m256i a = load_half(rows + 8 * i), b = load_half(rows + 8 * i + 4);
        pairs[i] = _mm256_unpacklo_epi8(a, b);
        pairs[4 + i] = _mm256_unpackhi_epi8(a, b);
    }
    for (size_t i = 0; i < 8; i += 2) {
        fours[i] = _mm256_unpacklo_epi16(pairs[i], pairs[i + 1]);
        fours[i + 1] = _mm256_unpackhi_epi16(pairs[i], pairs[i + 1]);
    }
    for (size_t i = 0; i < 8; i += 4) {
        for (size_t k = 0; k < 2; k++) {
            eights[i + 2 * k] = _mm256_unpacklo_epi32(fours[i + k], fours[i + 2 + k]);
            eights[i + 2 * k + 1] = _mm256_unpackhi_epi32(fours[i + k], fours[i + 2 + k]);
        }
    }
    for (size_t k = 0; k < 4; k++) {
        bytes[2 * k] = _mm256_unpacklo_epi64(eights[k], eights[4 + k]);
        bytes[2 * k + 1] = _mm256_unpackhi_epi64(eights[k], eights[4 + k]);
    }
}

/* Bits from the first one on of 64 rows: bit k of all rows becomes word k, in an order of the rows that is the same for
 * all bits. */
AVX2 static void turn_avx2(uint64_t *rows, size_t first) {
    uint64_t words[WORD];
    for (size_t half = 0; half < 2; half++) {
        __m256i bytes[8];
        turn_bytes(rows + half * WORD / 2, bytes);
        for (size_t k = first / 8; k < 8; k++) {
            for (size_t bit = 8; bit-- > 0; bytes[k] = _mm256_add_epi8(bytes[k], bytes[k])) {
                uint64_t mask = (uint32_t)_mm256_movemask_epi8(bytes[k]);
                words[8 * k + bit] = half == 0 ? mask : words[8 * k + bit] | mask << 32;
            }
        }
    }
    memcpy(rows + first, words + first, (WORD - first) * sizeof *rows);
}

/* Some processors have pext and take hundreds of cycles for one. */
static bool has_quick_pext(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("bdver4") && !__builtin_cpu_is("znver1") &&
           !__builtin_cpu_is("znver2");
}

AVX2 void set_lattice_walk_avx2(walk *w, size_t first) {
    w->count = count_lanes_avx2;
    w->turn = turn_avx2;
    if (has_quick_pext()) {
        w->of_three = sum_three_avx2;
        w->lay_first = lay_parts;
        w->lay_three = lay_halves;
    }
    walk_sets(w, first);
}

#endif
