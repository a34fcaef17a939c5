/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every level of the loops over slabs gives the numbers that single columns give. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "core/counting/slab_kernels_internal.h"

#include <math.h>
#include <stdlib.h>

enum { L = SLAB_LANES };

/* Runs of ones too. */
static uint64_t random_word(random_stream *random) {
    uint64_t word = random_next(random);
    return random_below(random, 3) ? word : UINT64_MAX;
}

static void every_level_adds_rows_up(void **state) {
    enum { ROWS = 300, MOST = 4096 + SLAB_EIGHT };
    uint64_t *rows = aligned_alloc(64, ROWS * SLAB_WORDS * 8);
    uint64_t *sums = aligned_alloc(64, SLAB_MOST_BITS * SLAB_WORDS * 8);
    uint32_t *list = calloc(MOST, sizeof *list), *out = aligned_alloc(64, L * sizeof *out);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t i = 0; i < ROWS * SLAB_WORDS; i++)
        rows[i] = i < SLAB_WORDS ? 0 : random_word(&random); /* the first fills up */
    for (size_t level = 0; slab_kernels_level(level); level++) {
        const slab_kernels *kernels = slab_kernels_level(level);
        for (size_t round = 0; round < 200; round++) {
            size_t n = 1 + (size_t)random_below(&random, round % 4 == 0 ? 4096 : 40), n_bits = 0;
            for (size_t i = 0; i < n + SLAB_EIGHT; i++)
                list[i] = i < n ? (uint32_t)random_below(&random, ROWS) : 0;
            while (n >> n_bits > 0)
                n_bits++;
            kernels->add_rows(rows, list, (n + SLAB_EIGHT - 1) / SLAB_EIGHT * SLAB_EIGHT, n_bits, rows, sums);
            for (size_t word = 0; word < SLAB_WORDS; word++) {
                kernels->spread(sums + word, n_bits, out);
                for (size_t lane = 0; lane < L; lane++) {
                    uint32_t sum = 0;
                    for (size_t i = 0; i < n; i++)
                        sum += (uint32_t)(rows[list[i] * SLAB_WORDS + word] >> lane & 1);
                    assert_int_equal(out[lane], sum);
                }
            }
        }
    }
    free(rows);
    free(sums);
    free(list);
    free(out);
}

static void every_level_adds_numbers_without_what_does_not_fit(void **state) {
    uint64_t *number = aligned_alloc(64, SLAB_MOST_BITS * SLAB_WORDS * 8),
             *sum = aligned_alloc(64, SLAB_MOST_BITS * SLAB_WORDS * 8);
    _Alignas(64) uint32_t added[L], before[L], after[L];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(62));
    for (size_t level = 0; slab_kernels_level(level); level++) {
        const slab_kernels *kernels = slab_kernels_level(level);
        for (size_t round = 0; round < 200; round++) {
            size_t n_sum_bits = (size_t)random_below(&random, SLAB_MOST_BITS + 1);
            size_t n_bits = (size_t)random_below(&random, n_sum_bits + 1),
                   word = (size_t)random_below(&random, SLAB_WORDS);
            for (size_t i = 0; i < SLAB_MOST_BITS * SLAB_WORDS; i++) {
                number[i] = random_word(&random);
                sum[i] = random_word(&random);
            }
            kernels->spread(number + word, n_bits, added);
            kernels->spread(sum + word, n_sum_bits, before);
            kernels->add_number(number, n_bits, n_sum_bits, sum);
            kernels->spread(sum + word, n_sum_bits, after);
            for (size_t lane = 0; lane < L; lane++)
                assert_int_equal(after[lane], (before[lane] + added[lane]) & ((1U << n_sum_bits) - 1));
        }
    }
    free(number);
    free(sum);
}

/* --- sums of values --- */

enum { MOST_STRATA = 12, MOST_CELLS = MOST_STRATA * 6 };

/* Strata of cells with the states of the columns of a word. */
typedef struct {
    uint32_t tallies[MOST_CELLS], starts[MOST_STRATA + 1], rows[MOST_STRATA], shared[MOST_CELLS][SLAB_MOST_STATES][L];
    size_t n_strata, n_cells, r;
    uint64_t *bits;
} strata;

static void share_out(strata *t, size_t cell, random_stream *random) {
    for (size_t lane = 0; lane < L; lane++) {
        uint32_t left = t->tallies[cell];
        for (size_t k = 0; k + 1 < t->r; k++) {
            t->shared[cell][k][lane] =
                (uint32_t)random_below(random, random_below(random, 3) ? left + 1 : left / 8 + 1);
            left -= t->shared[cell][k][lane];
        }
        t->shared[cell][t->r - 1][lane] = left;
    }
}

/* As adding rows up leaves them; the other words hold anything. */
static void lay_bits(strata *t, random_stream *random) {
    uint64_t *at = t->bits;
    for (size_t i = 0; i < t->n_cells; i++) {
        for (size_t k = 0; k + 1 < t->r; k++) {
            for (size_t bit = 0; bit < slab_bits_of(t->tallies[i]); bit++, at += SLAB_WORDS) {
                for (size_t w = 0; w < SLAB_WORDS; w++)
                    at[w] = random_next(random);
                at[0] = 0;
                for (size_t lane = 0; lane < L; lane++)
                    at[0] |= (uint64_t)(t->shared[i][k][lane] >> bit & 1) << lane;
            }
        }
    }
}

/* Often the last that a way of looking up serves, or the next. */
static uint32_t random_size(random_stream *random, uint32_t most) {
    static const uint32_t edges[] = {1, 7, 15, 31, 63, 127, 255, 511, 1022};
    uint32_t edge = edges[random_below(random, sizeof edges / sizeof *edges)] + (uint32_t)random_below(random, 2);
    return edge <= most && random_below(random, 2) ? edge : 1 + (uint32_t)random_below(random, most);
}

static void make_strata(strata *t, uint32_t most, random_stream *random) {
    t->r = 2 + (size_t)random_below(random, SLAB_MOST_STATES - 1);
    t->n_strata = 1 + (size_t)random_below(random, MOST_STRATA);
    t->n_cells = t->starts[0] = 0;
    for (size_t i = 0; i < t->n_strata; i++) {
        uint32_t left = random_size(random, random_below(random, 3) && most > 63 ? 63 : most);
        t->rows[i] = left;
        for (size_t k = 0; k < 6 && left > 0; k++) {
            t->tallies[t->n_cells] = k == 5 ? left : random_size(random, left);
            left -= t->tallies[t->n_cells];
            share_out(t, t->n_cells++, random);
        }
        t->starts[i + 1] = (uint32_t)t->n_cells;
    }
    lay_bits(t, random);
}

/* By whole numbers, and as the functions are. */
static int32_t sum_plainly(const strata *t, const slab_values *v, size_t lane, const double *cell, const double *row,
                           double *exact) {
    int32_t sum = 0;
    *exact = 0;
    for (size_t i = 0; i < t->n_strata; i++) {
        bool is_small = t->rows[i] < SLAB_EXACT;
        for (size_t k = 0; k < t->r; k++) {
            uint32_t margin = 0;
            for (size_t c = t->starts[i]; c < t->starts[i + 1]; c++) {
                margin += t->shared[c][k][lane];
                sum += slab_values_at(v, &v->cell, t->shared[c][k][lane], is_small);
                *exact += cell[t->shared[c][k][lane]];
            }
            sum -= slab_values_at(v, &v->row, margin, is_small);
            *exact -= row[margin];
        }
    }
    return sum;
}

/* Of a score: lgamma(a + n) - lgamma(a) for cells, and of a multiple of a for rows; or n log n for both. */
static void make_functions(random_stream *random, double *cell, double *row) {
    double a = exp(-12 + 14 * random_uniform(random)), b = a * (double)(2 + random_below(random, 4));
    bool is_gamma = random_below(random, 4) > 0;
    for (uint32_t n = 0; n <= SLAB_MOST_ROWS; n++) {
        double n_log_n = n > 0 ? n * log(n) : 0;
        cell[n] = is_gamma ? lgamma(a + n) - lgamma(a) : n_log_n;
        row[n] = is_gamma ? lgamma(b + n) - lgamma(b) : n_log_n;
    }
}

static void every_level_sums_the_same_values_and_they_are_bounds(void **state) {
    strata *t = calloc(1, sizeof *t);
    slab_values *v = aligned_alloc(64, sizeof *v);
    static double cell[SLAB_MOST_ROWS + 1], row[SLAB_MOST_ROWS + 1];
    _Alignas(64) int32_t out[L];
    uint32_t most = 0;
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(67));
    t->bits = aligned_alloc(64, MOST_CELLS * SLAB_MOST_STATES * SLAB_MOST_BITS * SLAB_WORDS * 8);
    for (size_t round = 0; round < 1500; round++) {
        if (round % 10 == 0) {
            most = round % 20 == 0 ? SLAB_MOST_ROWS : 1 + (uint32_t)random_below(&random, SLAB_MOST_ROWS);
            make_functions(&random, cell, row);
            assert_true(slab_values_set(v, cell, row, most));
        }
        make_strata(t, most, &random);
        for (size_t level = 0; slab_kernels_level(level); level++) {
            slab_strata of_word = {t->bits, t->tallies, t->starts, t->rows, t->n_strata, t->r};
            if (!slab_kernels_level(level)->sum_values)
                continue;
            slab_kernels_level(level)->sum_values(&of_word, v, out);
            for (size_t lane = 0; lane < L; lane++) {
                double exact = 0, rounded = (double)((t->n_cells + t->n_strata) * t->r) / v->unit;
                assert_int_equal(out[lane], sum_plainly(t, v, lane, cell, row, &exact));
                assert_true(out[lane] / v->unit > exact - 1e-7);
                assert_true(out[lane] / v->unit < exact + rounded + 0.6 * (double)(t->n_cells * t->r));
            }
        }
    }
    free(t->bits);
    free(t);
    free(v);
}

/* Of any number of rows; past 63 of them, lines take the place of the function. */
static void values_fit_closely_for_any_number_of_rows(void **state) {
    slab_values *v = aligned_alloc(64, sizeof *v);
    static double cell[SLAB_MOST_ROWS + 1], row[SLAB_MOST_ROWS + 1];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(68));
    make_functions(&random, cell, row);
    for (uint32_t most = 0; most <= SLAB_MOST_ROWS; most++) {
        assert_true(slab_values_set(v, cell, row, most));
        for (uint32_t n = 0; n <= most; n++) {
            bool is_small = most < SLAB_EXACT;
            /* all rows of a state in one cell, and in two */
            int32_t of_row = slab_values_at(v, &v->row, n, is_small);
            int32_t one = slab_values_at(v, &v->cell, n, is_small) - of_row;
            int32_t two = slab_values_at(v, &v->cell, n / 2, is_small) +
                          slab_values_at(v, &v->cell, n - n / 2, is_small) - of_row;
            double exact_two = cell[n / 2] + cell[n - n / 2] - row[n];
            assert_true(one / v->unit > cell[n] - row[n] - 1e-9 && one / v->unit < cell[n] - row[n] + 1.3);
            assert_true(two / v->unit > exact_two - 1e-9 && two / v->unit < exact_two + 1.9);
        }
    }
    free(v);
}

/* Values around the bound, on it, and none at all. */
static double random_value(random_stream *random, double bound) {
    static const double others[] = {-INFINITY, INFINITY, NAN};
    switch (random_below(random, 4)) {
    case 0:
        return bound;
    case 1:
        return others[random_below(random, 3)];
    default:
        return bound + 2 * random_uniform(random) - 1;
    }
}

static void every_level_tells_which_values_are_above(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(69));
    for (size_t round = 0; round < 2000; round++) {
        size_t n = (size_t)random_below(&random, L + 1);
        double from = -1000 * random_uniform(&random), least = round % 3 == 0 ? -INFINITY : 1e-9;
        double *values = malloc(n * sizeof *values); /* so that reading more is seen */
        assert_true(values || n == 0);
        for (size_t i = 0; i < n; i++)
            values[i] = random_value(&random, round % 2 == 0 ? from : from + 1e-9);
        for (size_t level = 0; slab_kernels_level(level); level++) {
            uint64_t above = slab_kernels_level(level)->above(values, n, from, least);
            for (size_t i = 0; i < L; i++)
                assert_int_equal(above >> i & 1, i < n && values[i] - from > least);
        }
        free(values);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_adds_rows_up),
        cmocka_unit_test(every_level_adds_numbers_without_what_does_not_fit),
        cmocka_unit_test(every_level_sums_the_same_values_and_they_are_bounds),
        cmocka_unit_test(values_fit_closely_for_any_number_of_rows),
        cmocka_unit_test(every_level_tells_which_values_are_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
