/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every level of the kernels for passes over all pairs, held against loops over single rows. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "core/counting/lane_kernels_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { L = KERNEL_LANES, MOST_VECTORS = 5, MOST_SETS = 4, MOST_STEPS = 100, WORDS = 56 };

static uint64_t random_word(random_stream *random) {
    uint64_t word = random_next(random);
    return random_below(random, 3) ? word : UINT64_MAX; /* runs of ones: the worst for counters of a byte */
}

/* One vector in two has rows in few of its bytes, as a rare state has. */
static void fill_vector(uint64_t *vector, random_stream *random) {
    bool is_rare = random_below(random, 2);
    uint64_t part = 1 + random_below(random, 8);
    for (size_t i = 0; i < WORDS; i++) {
        vector[i] = random_word(random);
        if (is_rare)
            vector[i] &= random_below(random, part) ? 0 : 0xFFULL << 8 * random_below(random, 8);
    }
}

static bool bit_of(const void *vector, size_t row) {
    return ((const unsigned char *)vector)[row / 8] >> row % 8 & 1;
}

/* Lanes of the tiles that the first n reach into. */
static size_t lanes_of_tiles(size_t n) {
    return (n + KERNEL_TILE - 1) / KERNEL_TILE * KERNEL_TILE;
}

static uint32_t count_plainly(const uint64_t *a, const uint64_t *b, size_t n_bits) {
    uint32_t sum = 0;
    for (size_t bit = 0; bit < n_bits; bit++)
        sum += bit_of(a, bit) && bit_of(b, bit);
    return sum;
}

/* A block as a level lays it, counted from some tile on. */
typedef struct {
    uint64_t *a, *vectors;
    uint32_t *lanes, *out;
    const uint64_t *chosen[MOST_SETS][L];
} lane_block;

static void clear_block(lane_block *b) {
    free(b->a);
    free(b->vectors);
    free(b->lanes);
    free(b->out);
}

static void fill_block(lane_block *b, random_stream *random) {
    b->a = aligned_alloc(64, MOST_VECTORS * WORDS * 8);
    b->vectors = aligned_alloc(64, L * WORDS * 8);
    b->lanes = aligned_alloc(64, MOST_SETS * MOST_STEPS * L * 4);
    b->out = aligned_alloc(64, MOST_VECTORS * MOST_SETS * L * 4);
    for (size_t i = 0; i < MOST_VECTORS; i++)
        fill_vector(b->a + i * WORDS, random);
    for (size_t i = 0; i < L * WORDS; i++)
        b->vectors[i] = random_word(random);
}

static void choose_vectors(lane_block *b, random_stream *random) {
    for (size_t i = 0; i < MOST_SETS * (size_t)L; i++)
        b->chosen[i / L][i % L] = b->vectors + random_below(random, L) * WORDS;
}

/* Of n_lanes lanes, those of the tiles from `first` to that of `end` - 1, two of them at most unless `first` is 0. */
static void expect_counts(const lane_block *b, const lane_kernels *k, size_t n_a, size_t n_sets, size_t n_steps,
                          size_t n_lanes, size_t first, size_t end) {
    for (size_t set = 0; set < n_sets; set++)
        k->lay(b->chosen[set], n_lanes, n_steps, b->lanes + set * n_steps * L);
    k->count(b->a, n_a, WORDS, b->lanes + first, n_sets, n_steps, end - first, b->out + first);
    for (size_t i = 0; i < n_a * n_sets; i++) {
        for (size_t lane = first; lane < lanes_of_tiles(end); lane++) {
            const uint64_t *a = b->a + i / n_sets * WORDS, *vector = b->chosen[i % n_sets][lane];
            uint32_t expected = lane < n_lanes ? count_plainly(a, vector, n_steps * LANE_STEP_BITS) : 0;
            assert_int_equal(b->out[i * L + lane], expected);
        }
    }
}

static void every_level_counts_what_two_vectors_share(void **state) {
    lane_block b = {0};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(60));
    fill_block(&b, &random);
    for (size_t n_steps = 1; n_steps <= MOST_STEPS; n_steps++) {
        size_t n_sets = 1 + (size_t)random_below(&random, MOST_SETS), n_a = n_steps % (MOST_VECTORS + 1);
        size_t n_lanes = 1 + (size_t)random_below(&random, L);
        size_t first = (size_t)random_below(&random, (n_lanes + KERNEL_TILE - 1) / KERNEL_TILE) * KERNEL_TILE;
        size_t n_left = n_lanes - first < 2 * KERNEL_TILE ? n_lanes - first : 2 * KERNEL_TILE;
        size_t end = first + 1 + (size_t)random_below(&random, n_left);
        choose_vectors(&b, &random);
        for (size_t i = 0; i < MOST_VECTORS; i++)
            fill_vector(b.a + i * WORDS, &random);
        for (size_t level = 0; lane_kernels_level(level); level++) {
            expect_counts(&b, lane_kernels_level(level), n_a, n_sets, n_steps, n_lanes, 0, n_lanes);
            expect_counts(&b, lane_kernels_level(level), n_a, n_sets, n_steps, n_lanes, first, end);
        }
    }
    clear_block(&b);
}

/* Counters of a byte are fullest, and a lane meets what its neighbours are not. */
static void every_level_counts_vectors_of_ones_between_zeros(void **state) {
    lane_block b = {0};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(66));
    fill_block(&b, &random);
    memset(b.a, 0xFF, MOST_VECTORS * WORDS * 8);
    for (size_t lane = 0; lane < L; lane++)
        memset(b.vectors + lane * WORDS, lane % 2 ? 0xFF : 0, WORDS * 8);
    for (size_t i = 0; i < MOST_SETS * (size_t)L; i++)
        b.chosen[i / L][i % L] = b.vectors + i % L * WORDS;
    for (size_t n_steps = 1; n_steps <= MOST_STEPS; n_steps += 3) {
        for (size_t level = 0; lane_kernels_level(level); level++)
            expect_counts(&b, lane_kernels_level(level), 3, 2, n_steps, L, 0, L);
    }
    clear_block(&b);
}

/* Rows of a list that goes on with one that has no bits, of 1 to LANE_MOST_ROW_SETS sets. */
static void expect_counts_of_rows(lane_block *b, const lane_kernels *k, size_t n_sets, size_t n_steps,
                                  const uint16_t *list, size_t n, uint64_t *rows) {
    size_t n_words = lane_row_words(n_sets);
    for (size_t set = 0; set < n_sets; set++)
        k->lay(b->chosen[set], L, n_steps, b->lanes + set * n_steps * L);
    k->turn(b->lanes, n_sets, n_steps, rows);
    memset(rows + n_steps * LANE_STEP_BITS * n_words, 0, n_words * sizeof *rows);
    k->count_rows(rows, n_sets, list, n, b->out);
    for (size_t i = 0; i < n_sets * L; i++) {
        uint32_t expected = 0;
        for (size_t at = 0; at < n; at++)
            expected += bit_of(b->chosen[i / L][i % L], list[at]);
        assert_int_equal(b->out[i], expected);
    }
}

static void rows_of_a_list_are_counted_as_bits_are(void **state) {
    enum { MOST_ROWS = MOST_STEPS * LANE_STEP_BITS };
    uint64_t *rows = aligned_alloc(64, (MOST_ROWS + 2) / 2 * 64);
    uint16_t list[MOST_ROWS + PAIR_ROWS_AT_ONCE];
    lane_block b = {0};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(67));
    fill_block(&b, &random);
    for (size_t round = 0; round < 120; round++) {
        size_t n_steps = 1 + (size_t)random_below(&random, MOST_STEPS), n_sets = 1 + round % LANE_MOST_ROW_SETS, n = 0;
        size_t part = 1 + (size_t)random_below(&random, 16);
        choose_vectors(&b, &random);
        for (size_t i = 0; i < n_steps * LANE_STEP_BITS && round > 3; i++) {
            if (random_below(&random, 16) < part)
                list[n++] = (uint16_t)i;
        }
        for (size_t i = n; i < n + PAIR_ROWS_AT_ONCE; i++)
            list[i] = (uint16_t)(n_steps * LANE_STEP_BITS);
        for (size_t level = 0; lane_kernels_level(level); level++) {
            if (lane_kernels_level(level)->count_rows)
                expect_counts_of_rows(&b, lane_kernels_level(level), n_sets, n_steps, list, n, rows);
        }
    }
    free(rows);
    clear_block(&b);
}

/* Past the tiles in use, and past the steps, nothing is written. */
static void every_level_lays_no_more_than_the_tiles_in_use(void **state) {
    lane_block b = {0};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(65));
    fill_block(&b, &random);
    for (int round = 0; round < 300; round++) {
        size_t n_lanes = 1 + (size_t)random_below(&random, L), n_steps = 1 + (size_t)random_below(&random, MOST_STEPS);
        choose_vectors(&b, &random);
        for (size_t level = 0; lane_kernels_level(level); level++) {
            memset(b.lanes, 1, (MOST_STEPS + 1) * L * sizeof *b.lanes);
            lane_kernels_level(level)->lay(b.chosen[0], n_lanes, n_steps, b.lanes);
            for (size_t i = 0; i < (MOST_STEPS + 1) * (size_t)L; i++)
                assert_true(b.lanes[i] == 0x01010101 || (i / L < n_steps && i % L < lanes_of_tiles(n_lanes)));
        }
    }
    clear_block(&b);
}

/* --- sums of terms --- */

typedef struct {
    uint32_t cells[6][6][L], counts[25 * L], x_margin[6], y_margins[6 * L], n;
    size_t r_x, r_y;
} lane_cells;

/* Tables with one margin of x in all lanes. */
static void fill(lane_cells *t, random_stream *random, size_t r_x, size_t r_y, uint32_t most) {
    memset(t, 0, sizeof *t);
    t->r_x = r_x;
    t->r_y = r_y;
    for (size_t i = 0; i < r_x; i++) {
        uint32_t margin = (uint32_t)random_below(random, most);
        t->x_margin[i] = margin;
        t->n += margin;
        for (size_t k = 0; k < L; k++) {
            uint32_t left = margin;
            for (size_t j = 0; j + 1 < r_y; j++) {
                uint32_t cell = random_below(random, 4) ? (uint32_t)random_below(random, left + 1) : 0;
                t->cells[i][j][k] = cell;
                left -= cell;
            }
            t->cells[i][r_y - 1][k] = left;
        }
    }
    for (size_t i = 0; i < r_x; i++) {
        for (size_t j = 0; j < r_y; j++) {
            for (size_t k = 0; k < L; k++) {
                t->y_margins[j * L + k] += t->cells[i][j][k];
                if (i + 1 < r_x && j + 1 < r_y)
                    t->counts[(i * (r_y - 1) + j) * L + k] = t->cells[i][j][k];
            }
        }
    }
}

static double sum_plainly(const lane_cells *t, size_t lane) {
    double sum = 0;
    for (size_t i = 0; i < t->r_x; i++) {
        for (size_t j = 0; j < t->r_y; j++) {
            double n = t->cells[i][j][lane];
            sum += n > 0 ? n * log(n) : 0;
        }
    }
    return sum;
}

static void every_level_sums_terms_as_closely_as_it_says(void **state) {
    _Alignas(64) float sums[L], limits[L];
    lane_cells *t = calloc(1, sizeof *t);
    random_stream random;
    (void)state;
    assert_non_null(t);
    random_stream_init(&random, random_key_of(61));
    for (int round = 0; round < 300; round++) {
        size_t r_x = 1 + (size_t)random_below(&random, 6), r_y = 1 + (size_t)random_below(&random, 6);
        size_t n_lanes = 1 + (size_t)random_below(&random, L);
        fill(t, &random, r_x, r_y, 2U << random_below(&random, 20));
        for (size_t level = 0; lane_kernels_level(level); level++) {
            const lane_kernels *k = lane_kernels_level(level);
            lane_tables tables = {t->counts, r_x, r_y, t->x_margin, t->y_margins, n_lanes};
            double n = t->n, most_error = 1e-5 * n + (double)(r_x * r_y + 4) * ldexp(1, -24) * n * log(n + 1);
            uint64_t expected = 0;
            k->sum_terms(&tables, sums);
            for (size_t lane = 0; lane < L; lane++) {
                if (lane < lanes_of_tiles(n_lanes))
                    assert_that(fabs(sums[lane] - sum_plainly(t, lane)), <=, most_error);
                else
                    assert_true(sums[lane] == 0);
                limits[lane] = sums[random_below(&random, L)] - 1;
                expected |= (uint64_t)(sums[lane] >= limits[lane] + 1) << lane;
            }
            assert_true(k->at_least(sums, limits, 1) == expected);
        }
    }
    free(t);
}

/* Cells of random rows in random strata: what a lane's column makes of them, summed one cell at a time. */
static void every_level_sums_strata_as_closely_as_it_says(void **state) {
    enum { CELLS = 12, STATES = 4 };
    _Alignas(64) static uint32_t counts[CELLS * (STATES - 1) * L], adjusted[L];
    _Alignas(64) static float sums[L];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(63));
    for (int round = 0; round < 200; round++) {
        uint32_t tallies[CELLS], starts[CELLS + 1] = {0}, cells[CELLS][STATES][L];
        size_t r = 1 + (size_t)random_below(&random, STATES), n_strata = 0;
        size_t n_lanes = 1 + (size_t)random_below(&random, L);
        uint32_t most = 2U << random_below(&random, 12), n = 0;
        for (uint32_t i = 0; i < CELLS; i++) {
            tallies[i] = 1 + (uint32_t)random_below(&random, most);
            n += tallies[i];
            if (i + 1 == CELLS || random_below(&random, 3) == 0)
                starts[++n_strata] = i + 1;
            for (size_t k = 0; k < L; k++) {
                uint32_t left = tallies[i];
                for (size_t j = 0; j + 1 < r; j++) {
                    cells[i][j][k] = random_below(&random, 3) ? (uint32_t)random_below(&random, left + 1) : 0;
                    left -= cells[i][j][k];
                    counts[(i * (r - 1) + j) * L + k] = cells[i][j][k];
                }
                cells[i][r - 1][k] = left;
            }
        }
        for (size_t level = 0; lane_kernels_level(level); level++) {
            lane_strata t = {counts, tallies, starts, n_strata, r, n_lanes};
            double most_error = 2 * (1e-5 * n + (double)(2 * CELLS * r + 4) * ldexp(1, -24) * n * log(n + 1.0));
            lane_kernels_level(level)->sum_strata(&t, sums, adjusted);
            for (size_t k = lanes_of_tiles(n_lanes); k < L; k++)
                assert_true(sums[k] == 0 && adjusted[k] == 0);
            for (size_t k = 0; k < lanes_of_tiles(n_lanes); k++) {
                double sum = 0;
                uint32_t degrees = 0;
                for (size_t s = 0; s < n_strata; s++) {
                    uint32_t seen = 0;
                    for (size_t j = 0; j < r; j++) {
                        double margin = 0;
                        for (size_t i = starts[s]; i < starts[s + 1]; i++) {
                            double cell = cells[i][j][k];
                            sum += cell > 0 ? cell * log(cell) : 0;
                            margin += cell;
                        }
                        sum -= margin > 0 ? margin * log(margin) : 0;
                        seen += margin > 0;
                    }
                    degrees += (seen - 1) * (starts[s + 1] - starts[s] - 1);
                }
                assert_that(fabs(sums[k] - sum), <=, most_error);
                assert_int_equal(adjusted[k], degrees);
            }
        }
    }
}

/* Strata of random cells that begin anywhere in their list, against sums over single cells. */
static void every_level_makes_what_is_not_counted(void **state) {
    enum { CELLS = 9, STATES = 5 };
    static uint32_t counts[CELLS * (STATES - 1) * L], rest[CELLS * L], margins[CELLS * STATES * L];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(64));
    for (int round = 0; round < 200; round++) {
        uint32_t tallies[CELLS], starts[CELLS + 1] = {(uint32_t)random_below(&random, 100)};
        size_t r = 1 + (size_t)random_below(&random, STATES), n_lanes = 1 + (size_t)random_below(&random, L);
        size_t n_strata = 0;
        for (uint32_t i = 0; i < CELLS; i++) {
            tallies[i] = 1 + (uint32_t)random_below(&random, UINT32_MAX - 1);
            if (i + 1 == CELLS || random_below(&random, 3) == 0)
                starts[++n_strata] = starts[0] + i + 1;
        }
        for (size_t i = 0; i < CELLS * (r - 1) * L; i++)
            counts[i] = (uint32_t)random_below(&random, tallies[i / L / (r - 1)] / (STATES - 1) + 1);
        for (size_t level = 0; lane_kernels_level(level); level++) {
            lane_strata t = {counts, tallies, starts, n_strata, r, n_lanes};
            memset(rest, 1, sizeof rest);
            memset(margins, 1, sizeof margins);
            lane_kernels_level(level)->complete(&t, rest, margins);
            for (size_t k = 0; k < lanes_of_tiles(n_lanes); k++) {
                for (size_t s = 0; s < n_strata; s++) {
                    uint32_t of_states[STATES] = {0};
                    for (size_t i = starts[s] - starts[0]; i < starts[s + 1] - starts[0]; i++) {
                        uint32_t left = tallies[i];
                        for (size_t j = 0; j + 1 < r; j++) {
                            of_states[j] += counts[(i * (r - 1) + j) * L + k];
                            left -= counts[(i * (r - 1) + j) * L + k];
                        }
                        of_states[r - 1] += left;
                        assert_true(rest[i * L + k] == left);
                    }
                    for (size_t j = 0; j < r; j++)
                        assert_true(margins[(s * r + j) * L + k] == of_states[j]);
                }
            }
        }
    }
}

static void every_level_tells_what_is_above_a_limit(void **state) {
    enum { LIMITS = 40 };
    _Alignas(64) float sums[KERNEL_TILE];
    _Alignas(64) uint32_t places[KERNEL_TILE];
    float own[KERNEL_TILE], limits[LIMITS];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(65));
    for (int round = 0; round < 200; round++) {
        uint32_t expected = 0;
        for (size_t i = 0; i < LIMITS; i++)
            limits[i] = (float)random_below(&random, 8);
        for (uint32_t i = 0; i < KERNEL_TILE; i++) {
            sums[i] = (float)random_below(&random, 16);
            own[i] = (float)random_below(&random, 8);
            places[i] = (uint32_t)random_below(&random, LIMITS);
            expected |= (uint32_t)(sums[i] - own[i] > limits[places[i]] + 2) << i;
        }
        for (size_t level = 0; lane_kernels_level(level); level++)
            assert_int_equal(lane_kernels_level(level)->above(sums, own, limits, places, 2), expected);
    }
}

enum { FIRSTS = 3, SECONDS = 4, GIVEN = 4 }; /* most states */

/* N log N of one number. */
static double term_of(double n) {
    return n > 0 ? n * log(n) : 0;
}

/* Of the tables of one lane, a state of its column each. */
static double sum_given_plainly(uint32_t (*cells)[SECONDS][GIVEN][L], size_t r, size_t lane, uint32_t *degrees) {
    double sum = 0;
    *degrees = 0;
    for (size_t k = 0; k < r; k++) {
        double firsts[FIRSTS] = {0}, seconds[SECONDS] = {0}, all = 0;
        uint32_t n_firsts = 0, n_seconds = 0;
        for (size_t i = 0; i < FIRSTS; i++) {
            for (size_t j = 0; j < SECONDS; j++) {
                double n = cells[i][j][k][lane];
                sum += term_of(n);
                firsts[i] += n;
                seconds[j] += n;
                all += n;
            }
        }
        for (size_t i = 0; i < FIRSTS; i++)
            n_firsts += firsts[i] > 0;
        for (size_t j = 0; j < SECONDS; j++) {
            sum -= term_of(seconds[j]);
            n_seconds += seconds[j] > 0;
        }
        *degrees += all > 0 ? (n_firsts - 1) * (n_seconds - 1) : 0;
    }
    return sum;
}

/* The tables of the first column with each lane's. */
static void lay_firsts(uint32_t (*cells)[SECONDS][GIVEN][L], size_t r_first, size_t r, uint32_t *counts,
                       uint32_t *first_margin, uint32_t *margins) {
    memset(first_margin, 0, FIRSTS * sizeof *first_margin);
    memset(margins, 0, r * L * sizeof *margins);
    for (size_t i = 0; i < r_first; i++) {
        for (size_t state = 0; state < r; state++) {
            for (size_t k = 0; k < L; k++) {
                uint32_t n = 0;
                for (size_t j = 0; j < SECONDS; j++)
                    n += cells[i][j][state][k];
                margins[state * L + k] += n;
                first_margin[i] += k == 0 ? n : 0;
                if (i + 1 < r_first && state + 1 < r)
                    counts[(i * (r - 1) + state) * L + k] = n;
            }
        }
    }
}

static void every_level_sums_pairs_given_lanes_as_closely_as_it_says(void **state) {
    enum { CELLS = FIRSTS * SECONDS };
    _Alignas(64) static uint32_t counts[CELLS * (GIVEN - 1) * L], adjusted[L];
    _Alignas(64) static uint32_t first_counts[FIRSTS * GIVEN * L], margins[GIVEN * L];
    _Alignas(64) static float sums[L];
    static uint32_t cells[FIRSTS][SECONDS][GIVEN][L];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(64));
    for (int round = 0; round < 200; round++) {
        uint32_t tallies[CELLS], firsts[CELLS], seconds[CELLS], first_margin[FIRSTS],
            n = 0, most = 2U << random_below(&random, 10);
        uint32_t r_first = 2 + (uint32_t)random_below(&random, FIRSTS - 1);
        uint32_t r_second = 2 + (uint32_t)random_below(&random, SECONDS - 1);
        size_t r = 1 + (size_t)random_below(&random, GIVEN), n_cells = 0, n_counted = 0;
        memset(cells, 0, sizeof cells);
        for (uint32_t i = 0; i < r_first * r_second; i++) {
            if (round % 2 && random_below(&random, 4) == 0)
                continue; /* a cell without rows */
            firsts[n_cells] = i % r_first;
            seconds[n_cells] = i / r_first;
            tallies[n_cells] = 1 + (uint32_t)random_below(&random, most);
            n += tallies[n_cells];
            for (size_t k = 0; k < L; k++) {
                uint32_t left = tallies[n_cells], *lane = &cells[i % r_first][i / r_first][0][k];
                for (size_t j = 0; j + 1 < r; j++) {
                    lane[j * L] = random_below(&random, 3) ? (uint32_t)random_below(&random, left + 1) : 0;
                    left -= lane[j * L];
                    counts[(n_cells * (r - 1) + j) * L + k] = lane[j * L];
                }
                lane[(r - 1) * L] = left;
            }
            n_counted += seconds[n_cells] + 1 < r_second;
            n_cells++;
        }
        lay_firsts(cells, r_first, r, first_counts, first_margin, margins);
        for (size_t level = 0; lane_kernels_level(level); level++) {
            lane_cross t = {{first_counts, r_first, r, first_margin, margins, L},
                            counts,
                            tallies,
                            firsts,
                            seconds,
                            n_counted,
                            r_second};
            double n_terms = (double)(r * (CELLS + SECONDS) + 4);
            double most_error = 2 * (1e-5 * n + n_terms * ldexp(1, -24) * n * log(n + 1.0));
            for (size_t first = 0; first < L; first += KERNEL_TILE)
                lane_kernels_level(level)->sum_given(&t, first, sums, adjusted);
            for (size_t k = 0; k < L; k++) {
                uint32_t degrees;
                double sum = sum_given_plainly(cells, r, k, &degrees);
                assert_that(fabs(sums[k] - sum), <=, most_error);
                assert_int_equal(adjusted[k], degrees);
            }
        }
    }
}

/* --- strata, counted and summed at once --- */

enum { MOST_CELLS = 12, MOST_STATES = 6, MOST_OF_ROWS = MOST_STEPS * LANE_STEP_BITS };

/* Rows that fall into cells, the last of which have few, and what state each lane's column has in them. */
typedef struct {
    size_t n_rows, r, n_strata;
    unsigned char cell[MOST_OF_ROWS], state[MOST_OF_ROWS][L];
    uint32_t tallies[MOST_CELLS], starts[MOST_CELLS + 1];
    uint64_t *cells, *states; /* a vector each; of the states but the last, by state and lane */
} rows_in_strata;

static void put_row(uint64_t *vectors, size_t i, size_t row) {
    vectors[i * WORDS + row / 64] |= 1ULL << row % 64;
}

static void draw_strata(rows_in_strata *d, random_stream *random) {
    memset(d->tallies, 0, sizeof d->tallies);
    memset(d->cells, 0, (size_t)MOST_CELLS * WORDS * 8);
    memset(d->states, 0, (size_t)MOST_STATES * L * WORDS * 8);
    d->n_rows = MOST_CELLS + (size_t)random_below(random, MOST_OF_ROWS - MOST_CELLS + 1);
    d->r = 1 + (size_t)random_below(random, MOST_STATES);
    d->n_strata = 0;
    for (uint32_t i = 0; i < MOST_CELLS; i++) {
        if (i + 1 == MOST_CELLS || random_below(random, 3) == 0)
            d->starts[++d->n_strata] = i + 1;
    }
    for (size_t row = 0; row < d->n_rows; row++) {
        size_t cell = row < MOST_CELLS ? row : (size_t)random_below(random, 1 + random_below(random, MOST_CELLS));
        d->cell[row] = (unsigned char)(random_below(random, 3) ? cell : cell % 3);
        d->tallies[d->cell[row]]++;
        put_row(d->cells, d->cell[row], row);
        for (size_t k = 0; k < L; k++) {
            d->state[row][k] = (unsigned char)random_below(random, 1 + random_below(random, d->r));
            if (d->state[row][k] + 1U < d->r)
                put_row(d->states, d->state[row][k] * (size_t)L + k, row);
        }
    }
}

static double sum_of_lane(const rows_in_strata *d, size_t lane, uint32_t *degrees) {
    double cells[MOST_CELLS][MOST_STATES] = {{0}}, sum = 0;
    *degrees = 0;
    for (size_t row = 0; row < d->n_rows; row++)
        cells[d->cell[row]][d->state[row][lane]]++;
    for (size_t s = 0; s < d->n_strata; s++) {
        uint32_t seen = 0;
        for (size_t j = 0; j < d->r; j++) {
            double margin = 0;
            for (size_t i = d->starts[s]; i < d->starts[s + 1]; i++) {
                sum += term_of(cells[i][j]);
                margin += cells[i][j];
            }
            sum -= term_of(margin);
            seen += margin > 0;
        }
        *degrees += (seen - 1) * (d->starts[s + 1] - d->starts[s] - 1);
    }
    return sum;
}

static void expect_sums_of_vectors(const rows_in_strata *d, const lane_kernels *k, size_t n_lanes, uint32_t *lanes) {
    _Alignas(64) float sums[L];
    _Alignas(64) uint32_t adjusted[L];
    size_t n_steps = (d->n_rows + LANE_STEP_BITS - 1) / LANE_STEP_BITS;
    lane_vectors v = {d->cells, WORDS, lanes, n_steps};
    lane_strata t = {NULL, d->tallies, d->starts, d->n_strata, d->r, n_lanes};
    double n = (double)d->n_rows,
           most_error = 2 * (1e-5 * n + (2 * MOST_CELLS * MOST_STATES) * ldexp(1, -24) * n * log(n + 1));
    for (size_t j = 0; j + 1 < d->r; j++) {
        const uint64_t *vectors[L];
        for (size_t lane = 0; lane < L; lane++)
            vectors[lane] = d->states + (j * L + lane) * WORDS;
        k->lay(vectors, n_lanes, n_steps, lanes + j * n_steps * L);
    }
    k->sum_vectors(&v, &t, sums, adjusted);
    for (size_t lane = 0; lane < n_lanes; lane++) {
        uint32_t degrees;
        assert_that(fabs((double)sums[lane] - sum_of_lane(d, lane, &degrees)), <=, most_error);
        assert_int_equal(adjusted[lane], degrees);
    }
}

static void vectors_are_summed_as_their_counts_are(void **state) {
    rows_in_strata *d = calloc(1, sizeof *d);
    uint32_t *lanes = aligned_alloc(64, (size_t)MOST_STATES * MOST_STEPS * L * 4);
    random_stream random;
    (void)state;
    assert_true(d && lanes);
    assert_non_null(d->cells = aligned_alloc(64, (size_t)MOST_CELLS * WORDS * 8));
    assert_non_null(d->states = aligned_alloc(64, (size_t)MOST_STATES * L * WORDS * 8));
    random_stream_init(&random, random_key_of(68));
    for (int round = 0; round < 60; round++) {
        size_t n_lanes = 1 + (size_t)random_below(&random, L);
        draw_strata(d, &random);
        for (size_t level = 0; lane_kernels_level(level); level++) {
            if (lane_kernels_level(level)->sum_vectors)
                expect_sums_of_vectors(d, lane_kernels_level(level), n_lanes, lanes);
        }
    }
    free(d->cells);
    free(d->states);
    free(lanes);
    free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_summed_as_their_counts_are),
        cmocka_unit_test(every_level_counts_what_two_vectors_share),
        cmocka_unit_test(every_level_counts_vectors_of_ones_between_zeros),
        cmocka_unit_test(rows_of_a_list_are_counted_as_bits_are),
        cmocka_unit_test(every_level_lays_no_more_than_the_tiles_in_use),
        cmocka_unit_test(every_level_sums_terms_as_closely_as_it_says),
        cmocka_unit_test(every_level_sums_strata_as_closely_as_it_says),
        cmocka_unit_test(every_level_makes_what_is_not_counted),
        cmocka_unit_test(every_level_tells_what_is_above_a_limit),
        cmocka_unit_test(every_level_sums_pairs_given_lanes_as_closely_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
