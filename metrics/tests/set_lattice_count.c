/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets are walked by prefix: the rows are sorted by the one or two columns of a prefix, and the words of their strata
 * lie side by side, a lane a stratum, so that one AND of vectors and one count of ones serve eight strata. Of two and
 * three further columns only the cells without last states are counted; the others are what smaller tables leave.
 */
#include "metrics/tests/set_lattice_internal.h"

#include "core/base/bits.h"
#include "core/counting/counts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    STATES = LATTICE_MOST_STATES,
    LANES = 16, /* strata of two columns */
    SIDE = 8,   /* lanes of a vector */
    CELLS = STATES * STATES,
    WORD = 64
};

/* C(n, k): the rank of a set of places p_1 < p_2 < ... is the sum of C(p_i, i). */
static size_t choose(size_t n, size_t k) {
    size_t c = 1;
    for (size_t i = 0; i < k; i++)
        c = c * (n - i) / (i + 1);
    return n < k ? 0 : c;
}

typedef size_t set_ranks[LATTICE_MOST_GIVEN + 2];
typedef uint32_t lane_counts[LANES];

/* A column in the order of the lanes. */
typedef struct {
    size_t r;
    size_t plane;   /* the first of its bits among those of a row, one for each state but the last */
    uint64_t *bits; /* of these states, n_words each */
    lane_counts rows[STATES];
} lane_column;

typedef struct walk walk;

/* The sum over the table of three columns, the first two of which are laid out. */
typedef int64_t (*triple_sum)(const walk *w, size_t c, size_t d, size_t e);

typedef void (*lane_count)(const walk *w, const uint64_t *a, size_t n, const uint64_t *b, lane_counts *out);

struct walk {
    const dataset *data;
    const whole_terms *terms;
    const size_t *columns; /* the members */
    size_t n_columns, n_rows;
    uint8_t *states;  /* by member, and the target after them: n_rows + 1, the last of no state */
    uint64_t *planes; /* by row, n_parts words: a bit for every state of a member but its last */
    size_t n_parts;
    const set_ranks *rank; /* of the lattice */

    /* the prefix */
    lane_counts lane_rows;
    size_t n_lanes, n_sides, depth[LANES / SIDE], n_words;
    uint8_t *strata; /* by row */
    uint32_t *order; /* the row of every bit */
    lane_column column[LATTICE_MOST_MEMBERS];
    lane_counts *pair; /* by pair of members: CELLS */
    uint64_t *vectors; /* of all columns */
    uint64_t *both;    /* the bits of a pair of states: (STATES - 1)^2 x n_words */
    uint64_t *halves;  /* the same as lay_three wants them */
    int64_t **out;     /* by number of members */
    size_t base, n_prefix, most_further;
    lane_count count;                               /* as count_lanes; NULL: that itself */
    triple_sum of_three;                            /* of columns of three states each; NULL: as all others */
    void (*lay_three)(walk *w, size_t c, size_t d); /* what it needs of two columns */
};

/* --- the rows by the strata of a prefix --- */

typedef struct {
    uint32_t stratum, rows;
} stratum_size;

static int compare_sizes(const void *a, const void *b) {
    const stratum_size *x = a, *y = b;
    if (x->rows != y->rows)
        return x->rows < y->rows ? 1 : -1;
    return x->stratum < y->stratum ? -1 : x->stratum > y->stratum;
}

static const uint8_t *states_of(const walk *w, size_t member) {
    return w->states + member * (w->n_rows + 1);
}

static void append_states(uint8_t *restrict strata, const uint8_t *restrict states, size_t n_rows) {
    for (size_t row = 0; row < n_rows; row++)
        strata[row] = (uint8_t)(strata[row] * STATES + states[row]);
}

static void find_strata(walk *w, const size_t *prefix, size_t n) {
    memset(w->strata, 0, w->n_rows);
    for (size_t i = 0; i < n; i++)
        append_states(w->strata, states_of(w, prefix[i]), w->n_rows);
}

/* Gives the strata lanes, the largest first, so that lanes side by side are of like depth. */
static void give_lanes(walk *w, const stratum_size *sizes, size_t *start) {
    w->n_words = 0;
    memset(w->lane_rows, 0, sizeof w->lane_rows);
    for (w->n_lanes = 0; w->n_lanes < LANES && sizes[w->n_lanes].rows > 0; w->n_lanes++) {
        size_t side = w->n_lanes / SIDE, lane = w->n_lanes % SIDE;
        if (lane == 0) {
            w->depth[side] = (sizes[w->n_lanes].rows + WORD - 1) / WORD;
            w->n_words += SIDE * w->depth[side];
        }
        w->lane_rows[w->n_lanes] = sizes[w->n_lanes].rows;
        start[sizes[w->n_lanes].stratum] = w->n_words - SIDE * w->depth[side] + lane;
    }
    w->n_sides = (w->n_lanes + SIDE - 1) / SIDE;
}

static void sort_rows(walk *w, const size_t *prefix, size_t n) {
    stratum_size sizes[LANES + 1] = {0};
    size_t n_rows = w->n_rows, word[LANES], filled[LANES] = {0};
    for (size_t i = 0; i < LANES; i++)
        sizes[i].stratum = (uint32_t)i;
    find_strata(w, prefix, n);
    for (size_t row = 0; row < n_rows; row++)
        sizes[w->strata[row]].rows++;
    qsort(sizes, LANES, sizeof *sizes, compare_sizes);
    give_lanes(w, sizes, word);
    for (size_t i = 0; i < w->n_words * WORD; i++)
        w->order[i] = (uint32_t)w->n_rows;
    for (size_t row = 0; row < n_rows; row++) {
        size_t s = w->strata[row], at = filled[s]++;
        w->order[(word[s] + at / WORD * SIDE) * WORD + at % WORD] = (uint32_t)row;
    }
}

/* --- counting: inlined for each level of the processor --- */

#define INLINE static inline __attribute__((always_inline))

enum { ABREAST = 4 }; /* vectors that are counted with the same one */

/* Ones by lane of n <= ABREAST vectors, w->n_words each, each AND b. */
INLINE void count_abreast(const walk *w, const uint64_t *a, size_t n, const uint64_t *b, lane_counts *out) {
    size_t at = 0;
    for (size_t side = 0; side < LANES / SIDE; side++) {
        uint64_t sum[ABREAST][SIDE] = {{0}};
        for (size_t j = 0; side < w->n_sides && j < w->depth[side]; j++, at += SIDE) {
            for (size_t k = 0; k < n; k++) {
                for (size_t i = 0; i < SIDE; i++)
                    sum[k][i] += (uint64_t)__builtin_popcountll(a[k * w->n_words + at + i] & b[at + i]);
            }
        }
        for (size_t k = 0; k < n; k++) {
            for (size_t i = 0; i < SIDE; i++)
                out[k][side * SIDE + i] = (uint32_t)sum[k][i];
        }
    }
}

/* The same of any number of them. */
INLINE void count_lanes(const walk *w, const uint64_t *a, size_t n, const uint64_t *b, lane_counts *out) {
    size_t k = 0;
    if (w->count) {
        w->count(w, a, n, b, out);
        return;
    }
    for (; k + 4 <= n; k += 4)
        count_abreast(w, a + k * w->n_words, 4, b, out + k);
    for (; k + 2 <= n; k += 2)
        count_abreast(w, a + k * w->n_words, 2, b, out + k);
    if (k < n)
        count_abreast(w, a + k * w->n_words, 1, b, out + k);
}

/* Lanes that are not in use have no rows. */
INLINE void subtract(uint32_t *restrict from, const uint32_t *restrict less) {
    for (size_t i = 0; i < LANES; i++)
        from[i] -= less[i];
}

INLINE void copy(uint32_t *restrict to, const uint32_t *restrict rows) {
    for (size_t i = 0; i < LANES; i++)
        to[i] = rows[i];
}

INLINE int64_t sum_terms(const walk *w, lane_counts *cells, size_t n) {
    const int64_t *term = w->terms->at;
    int64_t sum = 0, more = 0;
    for (size_t c = 0; c < n; c++) {
        for (size_t i = 0; i + 1 < w->n_lanes; i += 2) {
            sum += term[cells[c][i]];
            more += term[cells[c][i + 1]];
        }
        if (w->n_lanes % 2)
            sum += term[cells[c][w->n_lanes - 1]];
    }
    return sum + more;
}

INLINE lane_counts *pair_of(const walk *w, size_t c, size_t d) {
    return w->pair + w->rank[d][2] * CELLS + c * CELLS;
}

/* The table of two columns, cells[i * r_d + j]. */
INLINE void count_pair(walk *w, size_t c, size_t d) {
    const lane_column *x = &w->column[c], *y = &w->column[d];
    lane_counts *cells = pair_of(w, c, d), *last = cells + (x->r - 1) * y->r;
    for (size_t j = 0; j < y->r; j++)
        copy(last[j], y->rows[j]);
    for (size_t i = 0; i + 1 < x->r; i++) {
        lane_counts *row = cells + i * y->r;
        count_lanes(w, y->bits, y->r - 1, x->bits + i * w->n_words, row);
        copy(row[y->r - 1], x->rows[i]);
        for (size_t j = 0; j + 1 < y->r; j++)
            subtract(row[y->r - 1], row[j]);
        for (size_t j = 0; j < y->r; j++)
            subtract(last[j], row[j]);
    }
}

INLINE void lay_and(uint64_t *restrict to, const uint64_t *a, const uint64_t *b, size_t n) {
    for (size_t k = 0; k < n; k++)
        to[k] = a[k] & b[k];
}

INLINE void lay_both(walk *w, size_t c, size_t d) {
    const lane_column *x = &w->column[c], *y = &w->column[d];
    size_t n = w->n_words, at = 0;
    for (size_t i = 0; i + 1 < x->r; i++) {
        for (size_t j = 0; j + 1 < y->r; j++, at += n)
            lay_and(w->both + at, x->bits + i * n, y->bits + j * n, n);
    }
}

/* cells[(i * r_d + j) * r_e + k] */
INLINE int64_t sum_triple(const walk *w, size_t c, size_t d, size_t e, size_t r_c, size_t r_d, size_t r_e) {
    lane_counts cells[STATES * STATES * STATES], common[STATES][CELLS]; /* by state of e, then by states of c and d */
    lane_counts *cd = pair_of(w, c, d), *ce = pair_of(w, c, e), *de = pair_of(w, d, e);
    lane_counts *last = cells + (r_c - 1) * r_d * r_e;
    size_t n_both = (r_c - 1) * (r_d - 1);
    for (size_t k = 0; k + 1 < r_e; k++)
        count_lanes(w, w->both, n_both, w->column[e].bits + k * w->n_words, common[k]);
    for (size_t cell = 0; cell < r_d * r_e; cell++)
        copy(last[cell], de[cell]);
    for (size_t i = 0; i + 1 < r_c; i++) {
        lane_counts *table = cells + i * r_d * r_e, *last_row = table + (r_d - 1) * r_e;
        for (size_t k = 0; k < r_e; k++)
            copy(last_row[k], ce[i * r_e + k]);
        for (size_t j = 0; j + 1 < r_d; j++) {
            lane_counts *row = table + j * r_e;
            copy(row[r_e - 1], cd[i * r_d + j]);
            for (size_t k = 0; k + 1 < r_e; k++) {
                copy(row[k], common[k][i * (r_d - 1) + j]);
                subtract(row[r_e - 1], row[k]);
            }
            for (size_t k = 0; k < r_e; k++)
                subtract(last_row[k], row[k]);
        }
        for (size_t cell = 0; cell < r_d * r_e; cell++)
            subtract(last[cell], table[cell]);
    }
    return sum_terms(w, cells, r_c * r_d * r_e);
}

INLINE void walk_triples(walk *w, size_t c, size_t d) {
    size_t base = w->base + w->rank[c][w->n_prefix + 1] + w->rank[d][w->n_prefix + 2], n = w->n_prefix + 3;
    size_t r_c = w->column[c].r, r_d = w->column[d].r;
    bool are_of_three = r_c == 3 && r_d == 3 && w->of_three, is_laid = false;
    if (are_of_three && d + 1 < w->n_columns)
        w->lay_three(w, c, d);
    for (size_t e = d + 1; e < w->n_columns; e++) {
        int64_t *sum = &w->out[n][base + w->rank[e][n]];
        size_t r_e = w->column[e].r;
        if (are_of_three && r_e == 3) {
            *sum = w->of_three(w, c, d, e);
            continue;
        }
        if (!is_laid)
            lay_both(w, c, d);
        is_laid = true;
        *sum = sum_triple(w, c, d, e, r_c, r_d, r_e);
    }
}

/* All sets of the prefix and up to three of the members from `first` on. */
INLINE void walk_further(walk *w, size_t first) {
    size_t n = w->n_prefix;
    for (size_t c = first; c < w->n_columns; c++)
        w->out[n + 1][w->base + w->rank[c][n + 1]] = sum_terms(w, w->column[c].rows, w->column[c].r);
    for (size_t c = first; w->most_further > 1 && c < w->n_columns; c++) {
        for (size_t d = c + 1; d < w->n_columns; d++) {
            count_pair(w, c, d);
            w->out[n + 2][w->base + w->rank[c][n + 1] + w->rank[d][n + 2]] =
                sum_terms(w, pair_of(w, c, d), w->column[c].r * w->column[d].r);
        }
    }
    for (size_t c = first; w->most_further > 2 && c < w->n_columns; c++) {
        for (size_t d = c + 1; d < w->n_columns; d++)
            walk_triples(w, c, d);
    }
}

INLINE void count_column(walk *w, size_t c) {
    lane_column *x = &w->column[c];
    copy(x->rows[x->r - 1], w->lane_rows);
    for (size_t k = 0; k + 1 < x->r; k++) {
        count_lanes(w, x->bits + k * w->n_words, 1, x->bits + k * w->n_words, &x->rows[k]);
        subtract(x->rows[x->r - 1], x->rows[k]);
    }
}

/* Of all squares of 2 half by 2 half bits the two quarters off the diagonal change places. */
INLINE void exchange(uint64_t *restrict rows, size_t half, uint64_t mask) {
    for (size_t block = 0; block < WORD; block += 2 * half) {
        for (size_t i = block; i < block + half; i++) {
            uint64_t change = (rows[i] >> half ^ rows[i + half]) & mask;
            rows[i] ^= change << half;
            rows[i + half] ^= change;
        }
    }
}

/* Bit j of word i becomes bit i of word j: Warren 2013, Hacker's Delight, 7-3. */
INLINE void transpose(uint64_t *rows) {
    exchange(rows, 32, 0x00000000FFFFFFFFu);
    exchange(rows, 16, 0x0000FFFF0000FFFFu);
    exchange(rows, 8, 0x00FF00FF00FF00FFu);
    exchange(rows, 4, 0x0F0F0F0F0F0F0F0Fu);
    exchange(rows, 2, 0x3333333333333333u);
    exchange(rows, 1, 0x5555555555555555u);
}

/* A word that no row has. */
INLINE void clear_word(walk *w, size_t first, size_t word) {
    for (size_t c = first; c < w->n_columns; c++) {
        for (size_t k = 0; k + 1 < w->column[c].r; k++)
            w->column[c].bits[k * w->n_words + word] = 0;
    }
}

/* One word of the vectors of the columns from `first` on: 64 rows at once. Lanes are as long as the longest of eight:
 * words past a lane's own rows are empty. */
INLINE void lay_word(walk *w, size_t first, size_t word) {
    const uint32_t *rows = w->order + word * WORD;
    size_t c = first, k = 0;
    if (rows[0] == w->n_rows) {
        clear_word(w, first, word);
        return;
    }
    for (size_t part = w->column[first].plane / WORD; part < w->n_parts; part++) {
        uint64_t planes[WORD];
        for (size_t i = 0; i < WORD; i++)
            planes[i] = w->planes[rows[i] * w->n_parts + part];
        transpose(planes);
        for (; c < w->n_columns && (w->column[c].plane + k) / WORD == part;) {
            w->column[c].bits[k * w->n_words + word] = planes[(w->column[c].plane + k) % WORD];
            k = k + 2 < w->column[c].r ? k + 1 : 0;
            c += k == 0;
        }
    }
}

INLINE void walk_sets(walk *w, size_t first) {
    for (size_t i = 0; i < w->n_words; i++)
        lay_word(w, first, i);
    for (size_t c = first; c < w->n_columns; c++)
        count_column(w, c);
    walk_further(w, first);
}

static void walk_portable(walk *w, size_t first) {
    walk_sets(w, first);
}

#if defined(__x86_64__)
/* The terms of a table of three columns of three states. */
static inline int64_t sum_cells(const whole_terms *terms, lane_counts cells[27], size_t n_lanes) {
    const int64_t *term = terms->at;
    int64_t sum = 0, more = 0;
    for (size_t i = 0; i < n_lanes; i++) {
        for (size_t cell = 0; cell < 26; cell += 2) {
            sum += term[cells[cell][i]];
            more += term[cells[cell + 1][i]];
        }
        sum += term[cells[26][i]];
    }
    return sum + more;
}

#define AVX2 __attribute__((target("avx2,popcnt")))

enum { HALF = SIDE / 2, BYTE_STEPS = 31 }; /* lanes of a register; a byte holds as many words' eight ones at most */

AVX2 static inline __m256i load_half(const void *p) {
    return _mm256_loadu_si256(p);
}

/* Pairs of states of c and d as lay_both, but each word as two: its lower halves of bytes, and the upper ones in their
 * place. */
AVX2 static void lay_halves(walk *w, size_t c, size_t d) {
    const __m256i low = _mm256_set1_epi8(0x0F);
    const uint64_t *x = w->column[c].bits, *y = w->column[d].bits;
    size_t n = w->n_words;
    for (size_t k = 0; k < 4; k++) {
        uint64_t *to = w->halves + 2 * k * n;
        for (size_t at = 0; at < n; at += HALF) {
            __m256i both = _mm256_and_si256(load_half(x + k / 2 * n + at), load_half(y + k % 2 * n + at));
            _mm256_store_si256((__m256i *)(void *)(to + at), _mm256_and_si256(both, low));
            _mm256_store_si256((__m256i *)(void *)(to + n + at), _mm256_and_si256(_mm256_srli_epi16(both, 4), low));
        }
    }
}

/* The first word of a lane. */
static inline size_t start_of(const walk *w, size_t lane) {
    return lane < SIDE ? lane : SIDE * w->depth[0] + lane - SIDE;
}

/* Words that a lane has, and those of the same register after it, which have no more rows. */
static inline size_t depth_of(const walk *w, size_t lane) {
    return (w->lane_rows[lane] + WORD - 1) / WORD;
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

AVX2 static void count_lanes_avx2(const walk *w, const uint64_t *a, size_t n, const uint64_t *b, lane_counts *out) {
    for (size_t lane = 0; lane < LANES; lane += HALF) {
        size_t start = start_of(w, lane), depth = depth_of(w, lane);
        for (size_t k = 0; k < n; k++)
            count_one_half(a + k * w->n_words + start, b + start, depth, out[k] + lane);
    }
}

/* The same of each of the four pairs that are laid out AND e. */
AVX2 static inline void count_half(const walk *w, const uint64_t *e, size_t at, size_t depth, __m256i sum[4]) {
    const __m256i none = _mm256_setzero_si256(), ones = nibble_ones();
    for (size_t k = 0; k < 4; k++)
        sum[k] = none;
    for (size_t done = 0; done < depth;) {
        size_t end = depth - done > BYTE_STEPS ? done + BYTE_STEPS : depth;
        __m256i bytes[4] = {none, none, none, none};
        for (; done < end; done++, at += SIDE) {
            __m256i lower = load_half(e + at), upper = _mm256_srli_epi16(lower, 4);
            for (size_t k = 0; k < 4; k++) {
                const uint64_t *halves = w->halves + 2 * k * w->n_words + at;
                __m256i first = _mm256_and_si256(lower, load_half(halves));
                __m256i second = _mm256_and_si256(upper, load_half(halves + w->n_words));
                bytes[k] = _mm256_add_epi8(bytes[k], _mm256_shuffle_epi8(ones, first));
                bytes[k] = _mm256_add_epi8(bytes[k], _mm256_shuffle_epi8(ones, second));
            }
        }
        for (size_t k = 0; k < 4; k++)
            sum[k] = _mm256_add_epi64(sum[k], _mm256_sad_epu8(bytes[k], none));
    }
}

/* out[2 k + i]: ones by lane of pair k of states of c and d, neither the last, with state i of e. */
AVX2 static inline void count_eight_avx2(const walk *w, const uint64_t *e, lane_counts out[8]) {
    for (size_t lane = 0; lane < w->n_sides * SIDE; lane += HALF) {
        for (size_t i = 0; i < 2; i++) {
            __m256i sum[4];
            count_half(w, e + i * w->n_words, start_of(w, lane), depth_of(w, lane), sum);
            for (size_t k = 0; k < 4; k++)
                store_sums(sum[k], out[2 * k + i] + lane);
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
    count_eight_avx2(w, w->column[e].bits, counted);
    for (size_t first = 0; first < w->n_lanes; first += SIDE)
        fill_side(cells, counted, cd, ce, de, first);
    return sum_cells(w->terms, cells, w->n_lanes);
}

AVX2 static void walk_avx2(walk *w, size_t first) {
    walk_sets(w, first);
}

/* Whole registers of 512 bits: the compilers have no common word for it. */
#if defined(__clang__)
#define WIDE_AVX512 target("avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt"), min_vector_width(512)
#else
#define WIDE_AVX512 target("avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt,prefer-vector-width=512")
#endif

/* Ones by lane of the four pairs of states of c and d that are not last, each with each of two states of e. */
__attribute__((WIDE_AVX512)) static inline void count_eight(const walk *w, const uint64_t *e, __m512i out[8]) {
    const uint64_t *both = w->both, *other = e + w->n_words;
    size_t step = w->n_words, at = 0;
    __m256i half[LANES / SIDE][8];
    for (size_t side = 0; side < LANES / SIDE; side++) {
        size_t end = side < w->n_sides ? at + SIDE * w->depth[side] : at;
        __m512i sum[8];
        for (size_t k = 0; k < 8; k++)
            sum[k] = _mm512_setzero_si512();
        for (; at < end; at += SIDE) {
            __m512i first = _mm512_load_si512(e + at), second = _mm512_load_si512(other + at);
            for (size_t k = 0; k < 4; k++) {
                __m512i pair = _mm512_load_si512(both + k * step + at);
                sum[2 * k] = _mm512_add_epi64(sum[2 * k], _mm512_popcnt_epi64(_mm512_and_si512(pair, first)));
                sum[2 * k + 1] = _mm512_add_epi64(sum[2 * k + 1], _mm512_popcnt_epi64(_mm512_and_si512(pair, second)));
            }
        }
        for (size_t k = 0; k < 8; k++)
            half[side][k] = _mm512_cvtepi64_epi32(sum[k]);
    }
    for (size_t k = 0; k < 8; k++)
        out[k] = _mm512_inserti64x4(_mm512_castsi256_si512(half[0][k]), half[1][k], 1);
}

__attribute__((WIDE_AVX512)) static inline __m512i load_lanes(lane_counts *cells, size_t i) {
    return _mm512_loadu_si512(cells[i]);
}

/* As sum_triple: what of every row and column of the table is not counted is what its margin leaves. */
__attribute__((WIDE_AVX512)) static int64_t sum_three_avx512(const walk *w, size_t c, size_t d, size_t e) {
    lane_counts *cd = pair_of(w, c, d), *ce = pair_of(w, c, e), *de = pair_of(w, d, e);
    lane_counts out[27];
    __m512i counted[8], last[9];
    count_eight(w, w->column[e].bits, counted);
    for (size_t i = 0; i < 9; i++)
        last[i] = load_lanes(de, i);
    for (size_t i = 0; i < 2; i++) {
        __m512i row[3];
        for (size_t k = 0; k < 3; k++)
            row[k] = load_lanes(ce, 3 * i + k);
        for (size_t j = 0; j < 2; j++) {
            __m512i cell[3] = {counted[4 * i + 2 * j], counted[4 * i + 2 * j + 1], load_lanes(cd, 3 * i + j)};
            cell[2] = _mm512_sub_epi32(cell[2], _mm512_add_epi32(cell[0], cell[1]));
            for (size_t k = 0; k < 3; k++) {
                row[k] = _mm512_sub_epi32(row[k], cell[k]);
                last[3 * j + k] = _mm512_sub_epi32(last[3 * j + k], cell[k]);
                _mm512_storeu_si512(out[9 * i + 3 * j + k], cell[k]);
            }
        }
        for (size_t k = 0; k < 3; k++) {
            last[6 + k] = _mm512_sub_epi32(last[6 + k], row[k]);
            _mm512_storeu_si512(out[9 * i + 6 + k], row[k]);
        }
    }
    for (size_t i = 0; i < 9; i++)
        _mm512_storeu_si512(out[18 + i], last[i]);
    return sum_cells(w->terms, out, w->n_lanes);
}

__attribute__((WIDE_AVX512)) static void lay_both_avx512(walk *w, size_t c, size_t d) {
    lay_both(w, c, d);
}

__attribute__((WIDE_AVX512)) static void walk_avx512(walk *w, size_t first) {
    walk_sets(w, first);
}
#endif

static void walk_at_level(walk *w, size_t first) {
#if defined(__x86_64__)
    if (strcmp(counts_simd_level(), "avx512") == 0) {
        w->of_three = sum_three_avx512;
        w->lay_three = lay_both_avx512;
        walk_avx512(w, first);
    } else if (strcmp(counts_simd_level(), "portable") != 0) {
        w->count = count_lanes_avx2;
        w->of_three = sum_three_avx2;
        w->lay_three = lay_halves;
        walk_avx2(w, first);
    } else
#endif
        walk_portable(w, first);
}

/* --- all prefixes --- */

/* The prefix and up to `most_further` of the members from `first` on. */
static void visit(walk *w, const size_t *prefix, size_t n, size_t first, size_t most_further) {
    w->most_further = most_further;
    sort_rows(w, prefix, n);
    walk_at_level(w, first);
}

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Sets of members alone that begin with a and b. */
static void walk_pair(walk *w, set_lattice *l, size_t a, size_t b) {
    w->out = l->alone;
    w->n_prefix = 2;
    w->base = w->rank[a][1] + w->rank[b][2];
    visit(w, (size_t[]){a, b}, 2, b + 1, least_of(3, l->most - 1));
}

/* Sets joined with the target that begin with a. */
static void walk_target(walk *w, set_lattice *l, size_t a) {
    size_t target = w->n_columns; /* its place behind the members */
    w->out = l->joined;
    w->n_prefix = 1;
    w->base = w->rank[a][1];
    visit(w, (size_t[]){target, a}, 2, a + 1, least_of(3, l->most - 1));
}

/* What is without a prefix. */
static void walk_small(walk *w, set_lattice *l) {
    size_t target = w->n_columns;
    w->out = l->alone;
    w->base = w->n_prefix = 0;
    l->alone[0][0] = l->none;
    visit(w, NULL, 0, 0, least_of(2, l->most + 1));
    w->out = l->joined;
    visit(w, &target, 1, 0, 1);
    l->joined[0][0] = 0;
    for (size_t i = 0; i < w->n_lanes; i++)
        l->joined[0][0] += w->terms->at[w->lane_rows[i]];
}

/*
 * What one thread walks at a time: no prefix; those of the target and some members that follow each other; those of two
 * members that have the second one in common. Sums of sets that differ by their lowest member alone lie side by side:
 * lines of the cache that two threads filled by turns would go to and fro between their processors.
 */
enum { ABREAST_TARGETS = 8 };

static size_t target_piece_count(const walk *w) {
    return (w->n_columns + ABREAST_TARGETS - 1) / ABREAST_TARGETS;
}

static size_t piece_count(const walk *w, const set_lattice *l) {
    return l->most > 1 ? 1 + target_piece_count(w) + w->n_columns : 1;
}

static void walk_targets(walk *w, set_lattice *l, size_t piece) {
    size_t first = piece * ABREAST_TARGETS, end = least_of(first + ABREAST_TARGETS, w->n_columns - 1);
    for (size_t a = first; a < end; a++)
        walk_target(w, l, a);
}

static void walk_pairs(walk *w, set_lattice *l, size_t b) {
    for (size_t a = 0; a < b && b + 1 < w->n_columns; a++)
        walk_pair(w, l, a, b);
}

static void walk_piece(walk *w, set_lattice *l, size_t number) {
    size_t n_targets = target_piece_count(w);
    if (number == 0)
        walk_small(w, l);
    else if (number <= n_targets)
        walk_targets(w, l, number - 1);
    else
        walk_pairs(w, l, number - 1 - n_targets);
}

/* --- memory --- */

static void walk_clear(walk *w) {
    free(w->states);
    free(w->planes);
    free(w->strata);
    free(w->order);
    free(w->pair);
    free(w->both);
    free(w->halves);
    free(w->vectors);
}

static void *allocate_lines(size_t n, size_t size) {
    return aligned_alloc(WORD, (n * size + WORD - 1) / WORD * WORD + WORD);
}

static status lay_planes(walk *w, size_t n_planes, error_info *err) {
    w->n_parts = n_planes / WORD + 1;
    CHECK_ALLOC(w->planes = calloc((w->n_rows + 1) * w->n_parts, sizeof *w->planes));
    for (size_t c = 0; c < w->n_columns; c++) {
        const uint8_t *states = states_of(w, c);
        for (size_t row = 0; row < w->n_rows; row++) {
            size_t plane = w->column[c].plane + states[row];
            if (states[row] + 1U < w->column[c].r)
                bits_add(w->planes + row * w->n_parts, plane);
        }
    }
    return STATUS_OK;
}

static status walk_init(walk *w, size_t target, error_info *err) {
    size_t m = w->n_columns, words = LANES * (w->n_rows / WORD + 1), n_planes = 0;
    CHECK_ALLOC(w->states = calloc(m + 1, w->n_rows + 1));
    CHECK_ALLOC(w->strata = calloc(w->n_rows + 1, sizeof *w->strata));
    CHECK_ALLOC(w->order = calloc(words * WORD, sizeof *w->order));
    CHECK_ALLOC(w->pair = calloc((m * m / 2 + 1) * CELLS, sizeof *w->pair));
    CHECK_ALLOC(w->both = allocate_lines(CELLS * words, sizeof *w->both));
    CHECK_ALLOC(w->halves = allocate_lines(8 * words, sizeof *w->halves));
    CHECK_ALLOC(w->vectors = allocate_lines(m * (STATES - 1) * words, sizeof *w->vectors));
    for (size_t i = 0; i <= m; i++) {
        size_t column = i < m ? w->columns[i] : target;
        memcpy(w->states + i * (w->n_rows + 1), dataset_bytes(w->data, column), w->n_rows);
        w->states[i * (w->n_rows + 1) + w->n_rows] = UINT8_MAX;
    }
    for (size_t i = 0; i < m; i++) {
        size_t r = dataset_state_count(w->data, w->columns[i]);
        w->column[i] = (lane_column){.r = r, .plane = n_planes, .bits = w->vectors + i * (STATES - 1) * words};
        n_planes += r - 1;
    }
    return lay_planes(w, n_planes, err);
}

static status init_sums(set_lattice *l, error_info *err) {
    for (size_t place = 0; place <= l->n_members; place++) {
        for (size_t k = 0; k <= l->most + 1; k++)
            l->rank[place][k] = choose(place, k);
    }
    for (size_t k = 0; k <= l->most + 1; k++)
        CHECK_ALLOC(l->alone[k] = calloc(l->rank[l->n_members][k] + 1, sizeof *l->alone[k]));
    for (size_t k = 0; k <= l->most; k++)
        CHECK_ALLOC(l->joined[k] = calloc(l->rank[l->n_members][k] + 1, sizeof *l->joined[k]));
    return STATUS_OK;
}

typedef struct {
    set_lattice *lattice;
    const walk *like;
    size_t target;
    atomic_size_t next; /* the first piece that nobody has taken */
} pile;

static status work(void *self, size_t worker, error_info *err) {
    status st = STATUS_OK;
    pile *p = self;
    size_t number = atomic_fetch_add(&p->next, 1);
    walk *w = NULL;
    (void)worker;
    if (number >= piece_count(p->like, p->lattice))
        return STATUS_OK;
    TRY_ALLOC(w = calloc(1, sizeof *w));
    *w = *p->like;
    TRY(walk_init(w, p->target, err));
    for (; number < piece_count(w, p->lattice); number = atomic_fetch_add(&p->next, 1))
        walk_piece(w, p->lattice, number);
cleanup:
    if (st != STATUS_OK && number < piece_count(p->like, p->lattice))
        atomic_store(&p->next, SIZE_MAX / 2); /* the lattice will have a hole */
    if (w)
        walk_clear(w);
    free(w);
    return st;
}

status set_lattice_count(set_lattice *l, const dataset *data, const whole_terms *terms, size_t target,
                         const size_t *members, size_t n_members, size_t most, const work_sharing *sharing,
                         error_info *err) {
    walk like = {
        .data = data, .terms = terms, .columns = members, .n_columns = n_members, .n_rows = dataset_row_count(data)};
    pile p = {.lattice = l, .like = &like, .target = target};
    *l = (set_lattice){.n_members = n_members, .most = most, .none = terms->at[dataset_row_count(data)]};
    CHECK(init_sums(l, err));
    like.rank = (const set_ranks *)l->rank;
    return sharing && sharing->run ? sharing->run(sharing->self, work, &p, err) : work(&p, 0, err);
}
