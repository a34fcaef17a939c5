/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/counting/count_kernels_internal.h"
#include "core/counting/counts.h"
#include "core/run/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The slow, plain way: one count by walking every row. */
static uint32_t count_slowly(const dataset *data, const size_t *columns, const size_t *states, size_t n) {
    uint32_t sum = 0;
    for (size_t i = 0; i < dataset_row_count(data); i++) {
        size_t c = 0;
        while (c < n && dataset_state(data, i, columns[c]) == states[c])
            c++;
        sum += c == n;
    }
    return sum;
}

/* Every observed configuration of the conditioning columns, ascending: their mixed-radix codes, and how many. */
static size_t observed_strata(const dataset *data, const size_t *z, size_t n_z, uint64_t *codes) {
    size_t n = 0;
    for (size_t i = 0; i < dataset_row_count(data); i++) {
        uint64_t code = 0, scale = 1;
        size_t at;
        for (size_t c = 0; c < n_z; c++) {
            code += scale * dataset_state(data, i, z[c]);
            scale *= dataset_state_count(data, z[c]);
        }
        for (at = 0; at < n && codes[at] < code; at++)
            ;
        if (at < n && codes[at] == code)
            continue;
        memmove(codes + at + 1, codes + at, (n - at) * sizeof *codes);
        codes[at] = code;
        n++;
    }
    return n;
}

static uint32_t table_count(const counts_table *t, uint64_t code) {
    if (t->cells)
        return t->cells[code];
    for (size_t i = 0; i < t->n_cells; i++) {
        if (t->codes[i] == code)
            return t->tallies[i];
    }
    return 0;
}

static void check_table(const dataset *data, const counts_table *t, size_t first, const size_t *z, size_t n_z,
                        size_t extra) {
    uint64_t strata[512];
    size_t columns[8], states[8], n_observed = observed_strata(data, z, n_z, strata);
    bool all = t->cells && (double)t->n_strata == t->q_conditioning;
    columns[0] = first;
    memcpy(columns + 1, z, n_z * sizeof *z);
    columns[1 + n_z] = extra;
    if (!all && t->n_strata != (size_t)t->q_conditioning)
        assert_int_equal(t->n_strata, n_observed);
    for (size_t s = 0; s < t->n_strata; s++) {
        uint64_t code = t->n_strata == n_observed ? strata[s] : s;
        if ((double)t->n_strata == t->q_conditioning)
            code = s;
        for (size_t c = 0; c < n_z; c++) {
            states[1 + c] = code % dataset_state_count(data, z[c]);
            code /= dataset_state_count(data, z[c]);
        }
        for (size_t e = 0; e < t->r_extra; e++) {
            for (size_t f = 0; f < t->r_first; f++) {
                states[0] = f;
                states[1 + n_z] = e;
                assert_int_equal(table_count(t, (s * t->r_extra + e) * t->r_first + f),
                                 count_slowly(data, columns, states, 1 + n_z + (extra != COUNTS_NO_EXTRA)));
            }
        }
    }
}

static void every_method_gives_the_counts_of_a_plain_walk(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_text(random_key_of(1), "counts"));
    for (int round = 0; round < 60; round++) {
        size_t n_rows = (size_t)random_below(&random, 300), max_states = 2 + (size_t)random_below(&random, 5);
        dataset *data = make_random_dataset(&random, n_rows, 6, max_states);
        counts *c = NULL;
        error_info err = {0};
        assert_ok(counts_create(data, &c, &err), &err);
        for (int method = COUNTS_AUTO; method <= COUNTS_SPARSE; method++) {
            size_t order[6], n_z = (size_t)random_below(&random, 4);
            counts_force_method(c, (counts_method)method);
            random_permutation(&random, order, 6);
            for (size_t extra = n_z; extra <= 7; extra++) { /* the base alone first, and twice at the end */
                counts_table t;
                size_t column = extra == n_z || extra >= 6 ? COUNTS_NO_EXTRA : order[extra];
                assert_ok(counts_get(c, order[0], order + 1, n_z, column, &t, &err), &err);
                check_table(data, &t, order[0], order + 1, n_z, column);
            }
        }
        counts_destroy(c);
        dataset_destroy(data);
    }
}

/* Consecutive sets share some columns; now and then another column, or the base alone, comes between. */
static void a_pair_given_one_set_after_the_other_is_counted(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_text(random_key_of(2), "counts"));
    for (int round = 0; round < 10; round++) {
        size_t n_rows = 4000 + (size_t)random_below(&random, 600), order[6];
        dataset *data = make_random_dataset(&random, n_rows, 6, 2 + (size_t)random_below(&random, 5));
        counts *c = NULL;
        error_info err = {0};
        assert_ok(counts_create(data, &c, &err), &err);
        counts_force_method(c, round % 2 ? COUNTS_AUTO : COUNTS_BITS);
        random_permutation(&random, order, 6);
        for (int i = 0; i < 20; i++) {
            counts_table t;
            size_t n_z = 1 + (size_t)random_below(&random, 3), z[3] = {order[2], order[3], order[4]};
            size_t extra = random_below(&random, 5) > 0 ? order[1] : order[5];
            z[n_z - 1] = order[n_z + 1 + random_below(&random, 4 - n_z)];
            extra = random_below(&random, 8) > 0 ? extra : COUNTS_NO_EXTRA;
            assert_ok(counts_get(c, order[0], z, n_z, extra, &t, &err), &err);
            check_table(data, &t, order[0], z, n_z, extra);
        }
        counts_destroy(c);
        dataset_destroy(data);
    }
}

static dataset *make_columns(random_stream *random, size_t n_rows, size_t n_columns, const size_t *n_states) {
    int *cells = calloc(n_rows * n_columns, sizeof *cells);
    dataset *data;
    for (size_t i = 0; i < n_rows * n_columns; i++)
        cells[i] = (int)random_below(random, n_states[i % n_columns]);
    data = make_dataset(n_rows, n_columns, n_states, cells);
    free(cells);
    return data;
}

/* The base of the first three columns, held as bit vectors. */
static void check_base(counts *c, const dataset *data) {
    static const size_t columns[] = {0, 1, 2};
    size_t r[] = {dataset_state_count(data, 0), dataset_state_count(data, 1)};
    counts_base base;
    error_info err = {0};
    assert_ok(counts_get_base(c, columns[0], columns + 1, 2, &base, &err), &err);
    assert_that(base.n, >, 0);
    for (size_t i = 0; i < base.n; i++) {
        size_t states[] = {base.cell[i] % r[0], base.cell[i] / r[0] % r[1], base.cell[i] / r[0] / r[1]};
        assert_int_equal(base.tally[i], count_slowly(data, columns, states, 3));
    }
}

/* A base of 168 cells: columns of many states are counted by rows, of few by bits, whichever comes first. A shorter
 * base comes between. */
static void a_base_is_counted_by_rows_and_by_bits_in_any_order(void **state) {
    static const size_t n_states[] = {7, 6, 4, 7, 2, 3}, extras[] = {3, 4, 5, COUNTS_NO_EXTRA};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_text(random_key_of(4), "counts"));
    for (int round = 0; round < 6; round++) {
        dataset *data = make_columns(&random, 1500, 6, n_states);
        counts *c = NULL;
        error_info err = {0};
        assert_ok(counts_create(data, &c, &err), &err);
        for (int i = 0; i < 12; i++) {
            const size_t z[] = {1, 2}, n_z = random_below(&random, 5) > 0 ? 2 : 1,
                         extra = extras[random_below(&random, 4)];
            counts_table t;
            assert_ok(counts_get(c, 0, z, n_z, extra, &t, &err), &err);
            check_table(data, &t, 0, z, n_z, extra);
            if (random_below(&random, 4) == 0)
                check_base(c, data);
        }
        counts_destroy(c);
        dataset_destroy(data);
    }
}

/* Three of four rows have the same state, another one in each column: the table before tells what they leave, also
 * where the next one is larger. */
static void columns_of_rare_states_are_counted(void **state) {
    enum { N_ROWS = 1200, N_COLUMNS = 7 };
    static const size_t n_states[] = {5, 4, 6, 2, 3, 5, 8}, z[] = {1, 2};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_text(random_key_of(6), "counts"));
    for (int method = COUNTS_AUTO; method <= COUNTS_HISTOGRAM; method++) {
        int cells[N_ROWS * N_COLUMNS];
        dataset *data;
        counts *c = NULL;
        error_info err = {0};
        for (size_t i = 0; i < N_ROWS * N_COLUMNS; i++) {
            size_t r = n_states[i % N_COLUMNS], rare = random_below(&random, r);
            cells[i] = (int)(random_below(&random, 4) > 0 ? i % N_COLUMNS % r : rare);
        }
        data = make_dataset(N_ROWS, N_COLUMNS, n_states, cells);
        assert_ok(counts_create(data, &c, &err), &err);
        counts_force_method(c, (counts_method)method);
        for (size_t i = 0; i < 24; i++) {
            size_t n_z = 1 + i / 8 % 2, extra = i % 8 == 5 ? COUNTS_NO_EXTRA : 3 + i % 4;
            counts_table t;
            assert_ok(counts_get(c, 0, z, n_z, extra, &t, &err), &err);
            check_table(data, &t, 0, z, n_z, extra);
        }
        counts_destroy(c);
        dataset_destroy(data);
    }
}

/* A base of 600 cells, of which one stratum has its only row at the end, or none. */
static void strata_that_are_met_late_are_counted(void **state) {
    enum { N_ROWS = 1000 };
    static const size_t n_states[] = {10, 30, 2, 3}, z[] = {1, 2};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_text(random_key_of(5), "counts"));
    for (size_t last = 0; last < 2; last++) {
        int cells[N_ROWS * 4];
        dataset *data;
        counts *c = NULL;
        counts_table t;
        error_info err = {0};
        for (size_t i = 0; i < N_ROWS; i++) {
            bool is_last = i + 1 == N_ROWS && last;
            cells[i * 4] = (int)random_below(&random, n_states[0]);
            cells[i * 4 + 1] = is_last ? 29 : (int)(i / 2 % 30);
            cells[i * 4 + 2] = is_last || i / 2 % 30 < 29 ? (int)(i % 2) : 0;
            cells[i * 4 + 3] = (int)random_below(&random, n_states[3]);
        }
        data = make_dataset(N_ROWS, 4, n_states, cells);
        assert_ok(counts_create(data, &c, &err), &err);
        assert_ok(counts_get(c, 0, z, 2, 3, &t, &err), &err);
        assert_int_equal(t.n_strata, 59 + last);
        check_table(data, &t, 0, z, 2, 3);
        counts_destroy(c);
        dataset_destroy(data);
    }
}

static void columns_of_many_states_are_counted(void **state) {
    enum { N = 500, R = 1000 };
    char labels[R][8];
    const char *states[R];
    variable variables[2] = {{0}};
    dataset *data = NULL;
    counts *c = NULL;
    counts_table t;
    error_info err = {0};
    uint32_t sum = 0;
    (void)state;
    for (int k = 0; k < R; k++) {
        snprintf(labels[k], sizeof labels[k], "s%d", k);
        states[k] = labels[k];
    }
    assert_ok(variable_init_discrete(&variables[0], "wide", states, R, &err), &err);
    assert_ok(variable_init_discrete(&variables[1], "wide too", states, R, &err), &err);
    assert_ok(dataset_create(variables, 2, N, &data, &err), &err);
    for (size_t i = 0; i < N; i++) {
        dataset_set_state(data, i, 0, i * 7 % R);
        dataset_set_state(data, i, 1, i % 3 * 300);
    }
    assert_ok(counts_create(data, &c, &err), &err);
    assert_ok(counts_get(c, 0, (const size_t[]){1}, 1, COUNTS_NO_EXTRA, &t, &err), &err);
    assert_true(t.cells == NULL || t.n_cells <= 2 * N + 512);
    for (size_t i = 0; i < t.n_cells; i++)
        sum += t.cells ? t.cells[i] : t.tallies[i];
    assert_int_equal(sum, N);
    assert_int_equal(t.n_strata, 3); /* the observed ones */
    counts_destroy(c);
    dataset_destroy(data);
    variable_clear(&variables[0]);
    variable_clear(&variables[1]);
}

static dataset *make_wide_dataset(random_stream *random, size_t n_rows, size_t n_columns, size_t n_states) {
    variable *variables = calloc(n_columns, sizeof *variables);
    char *labels = malloc(n_states * 24);
    const char **states = calloc(n_states, sizeof *states);
    dataset *data = NULL;
    error_info err = {0};
    for (size_t k = 0; k < n_states; k++) {
        snprintf(labels + k * 24, 24, "%zu", k);
        states[k] = labels + k * 24;
    }
    for (size_t c = 0; c < n_columns; c++) {
        char name[24];
        snprintf(name, sizeof name, "c%zu", c);
        assert_ok(variable_init_discrete(&variables[c], name, states, n_states, &err), &err);
    }
    assert_ok(dataset_create(variables, n_columns, n_rows, &data, &err), &err);
    for (size_t i = 0; i < n_rows * n_columns; i++)
        dataset_set_state(data, i / n_columns, i % n_columns, (size_t)random_below(random, n_states));
    for (size_t c = 0; c < n_columns; c++)
        variable_clear(&variables[c]);
    free(variables);
    free(labels);
    free(states);
    return data;
}

static int compare_codes(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A state space of up to 2^32 pairs, whatever part of it occurs: the runs of the sorted codes of all rows. */
static void pairs_of_columns_of_up_to_65536_states_are_counted(void **state) {
    static const size_t sizes[][2] = {{100, 65536}, {300, 700}, {5000, 200}, {5000, 2000}, {5000, 65536}, {20000, 400}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(3));
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k][0], r = sizes[k][1], at = 0;
        dataset *data = make_wide_dataset(&random, n, 2, r);
        uint64_t *codes = calloc(n, sizeof *codes);
        counts *c = NULL;
        counts_table t;
        error_info err = {0};
        for (size_t i = 0; i < n; i++)
            codes[i] = (uint64_t)dataset_state(data, i, 1) * r + dataset_state(data, i, 0);
        qsort(codes, n, sizeof *codes, compare_codes);
        assert_ok(counts_create(data, &c, &err), &err);
        assert_ok(counts_get(c, 0, NULL, 0, 1, &t, &err), &err);
        assert_null(t.cells);
        for (size_t i = 0; i < t.n_cells; i++) {
            assert_true(t.codes[i] == codes[at]);
            for (uint32_t j = 0; j < t.tallies[i]; j++)
                assert_true(codes[at++] == t.codes[i]);
        }
        assert_int_equal(at, n);
        counts_destroy(c);
        free(codes);
        dataset_destroy(data);
    }
}

/* Of a copy of the set: what it has in common with `a`, and then all that is left. */
static void assert_taken(const count_kernels *k, const uint64_t *set, const uint64_t *a, size_t n_words) {
    enum { MOST = 328 };
    _Alignas(64) uint64_t left[MOST], part[MOST], rest[MOST];
    memcpy(left, set, n_words * sizeof *left);
    assert_int_equal(k->take(left, a, part, n_words), k->count_and(set, a, n_words));
    assert_int_equal(k->take(left, left, rest, n_words),
                     k->count_and(set, set, n_words) - k->count_and(set, a, n_words));
    for (size_t w = 0; w < n_words; w++)
        assert_true(left[w] == 0 && part[w] == (set[w] & a[w]) && rest[w] == (set[w] & ~a[w]));
}

/* Whole tiles, and what is left of them on either side. */
static void assert_crossed(const count_kernels *k, const uint64_t *v, const uint64_t *block) {
    enum { MOST_A = 11, MOST_B = 9, N_WORDS = 2 * KERNEL_WORDS };
    const uint64_t *a[MOST_A];
    uint32_t cross[MOST_A * MOST_B], one;
    for (size_t i = 0; i < MOST_A; i++)
        a[i] = v + (i * 5 % MOST_A) * KERNEL_WORDS;
    for (size_t n_a = 0; n_a <= MOST_A; n_a++) {
        for (size_t n_b = 0; n_b <= MOST_B; n_b++) {
            count_kernels_cross(k, a, n_a, block, n_b, N_WORDS, cross);
            for (size_t i = 0; i < n_a * n_b; i++) {
                one = count_kernels_level(0)->count_and(a[i / n_b], block + i % n_b * N_WORDS, N_WORDS);
                assert_int_equal(cross[i], one);
            }
        }
    }
}

/* A row's place in a table, from its place in the base, and the sum of copies of one. */
static void assert_placed_and_added_up(const count_kernels *k, uint32_t r_first, uint32_t r_extra) {
    enum { N = 203 };
    uint8_t first[N], extra[N];
    uint32_t index[N], placed[N], sum[N];
    uint32_t copies[KERNEL_COPIES * N];
    random_stream random;
    random_stream_init(&random, random_key_of(3));
    for (size_t i = 0; i < N; i++) {
        first[i] = (uint8_t)random_below(&random, r_first);
        extra[i] = (uint8_t)random_below(&random, r_extra);
        index[i] = (uint32_t)random_below(&random, 1000) * r_first + first[i];
        sum[i] = (uint32_t)i;
    }
    for (size_t i = 0; i < KERNEL_COPIES * N; i++)
        copies[i] = (uint32_t)random_below(&random, UINT32_MAX / KERNEL_COPIES);
    k->place(index, first, r_first, extra, r_extra, placed, N);
    k->add_up(copies, N, sum);
    for (size_t i = 0; i < N; i++) {
        uint32_t stratum = index[i] / r_first, expected = (uint32_t)i;
        for (size_t copy = 0; copy < KERNEL_COPIES; copy++)
            expected += copies[copy * N + i];
        assert_int_equal(placed[i], (stratum * r_extra + extra[i]) * r_first + first[i]);
        assert_int_equal(sum[i], expected);
    }
}

static void a_cell_of_more_rows_than_sixteen_bits_is_counted(void **state) {
    enum { N = 600000 };
    random_stream random;
    dataset *data;
    counts *c = NULL;
    counts_table t;
    error_info err = {0};
    uint32_t expected[8] = {0};
    (void)state;
    random_stream_init(&random, random_key_text(random_key_of(4), "counts"));
    data = make_random_dataset(&random, N, 3, 2);
    for (size_t i = 0; i < N; i++) {
        for (size_t column = 0; column < 3 && i % 50 != 0; column++)
            dataset_set_state(data, i, column, 1);
        expected[(dataset_state(data, i, 1) * 2 + dataset_state(data, i, 2)) * 2 + dataset_state(data, i, 0)]++;
    }
    assert_ok(counts_create(data, &c, &err), &err);
    counts_force_method(c, COUNTS_HISTOGRAM);
    assert_ok(counts_get(c, 0, (const size_t[]){1}, 1, 2, &t, &err), &err);
    assert_memory_equal(t.cells, expected, sizeof expected);
    counts_destroy(c);
    dataset_destroy(data);
}

static void every_dispatch_level_gives_the_same_integers(void **state) {
    enum { WORDS = 328, ROWS = 20900 };
    const count_kernels *plain = count_kernels_level(0);
    uint64_t *v = aligned_alloc(64, 5 * WORDS * 8);
    uint8_t *values = aligned_alloc(64, WORDS * 64);
    uint32_t *index = calloc(ROWS, 4), *other = calloc(ROWS, 4), two[2], two_plain[2];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(2));
    for (size_t i = 0; i < 3 * WORDS; i++)
        v[i] =
            random_next(&random) | (i % 40 < 35 ? ~(uint64_t)0 : 0); /* long runs of ones: the byte counters' worst */
    memset(values, 0, WORDS * 64);
    for (size_t i = 0; i < ROWS; i++)
        values[i] = (uint8_t)random_below(&random, 5);
    assert_crossed(plain, v, v + WORDS);
    assert_placed_and_added_up(plain, 5, 3);
    assert_placed_and_added_up(plain, 256, 256);
    for (size_t level = 1; count_kernels_level(level); level++) {
        const count_kernels *k = count_kernels_level(level);
        for (size_t n = KERNEL_WORDS; n <= WORDS; n += KERNEL_WORDS) {
            assert_int_equal(k->count_and(v, v + WORDS, n), plain->count_and(v, v + WORDS, n));
            k->count_and2(v, v + WORDS, v + 2 * WORDS, n, two);
            plain->count_and2(v, v + WORDS, v + 2 * WORDS, n, two_plain);
            assert_memory_equal(two, two_plain, sizeof two);
            assert_int_equal(k->store_and(v, v + WORDS, v + 3 * WORDS, n),
                             plain->store_and(v, v + WORDS, v + 4 * WORDS, n));
            assert_memory_equal(v + 3 * WORDS, v + 4 * WORDS, n * 8);
            assert_taken(k, v, v + WORDS, n);
        }
        for (size_t n_vectors = 0; n_vectors <= 19; n_vectors++) { /* whole groups, and what is left of one */
            uint32_t block[19], block_plain[19];
            k->count_block(v, v + WORDS, n_vectors, 2 * KERNEL_WORDS, block);
            plain->count_block(v, v + WORDS, n_vectors, 2 * KERNEL_WORDS, block_plain);
            assert_memory_equal(block, block_plain, n_vectors * sizeof *block);
        }
        assert_crossed(k, v, v + WORDS);
        assert_placed_and_added_up(k, 5, 3);
        assert_placed_and_added_up(k, 256, 256);
        for (uint8_t s = 0; s < 5; s++) {
            k->match(values, ROWS, s, v + 3 * WORDS, WORDS);
            plain->match(values, ROWS, s, v + 4 * WORDS, WORDS);
            assert_memory_equal(v + 3 * WORDS, v + 4 * WORDS, WORDS * 8);
        }
        plain->add_scaled(other, values, 5, ROWS, 1);
        k->join(other, values, 3, index, ROWS);
        for (size_t i = 0; i < ROWS; i++)
            assert_int_equal(index[i], other[i] * 3 + values[i]);
        for (int first = 1; first >= 0; first--) {
            static const uint32_t scales[] = {77, 32767, 32768, 70000};
            for (size_t i = 0; i < 4; i++) {
                k->add_scaled(index, values, scales[i], ROWS, first);
                plain->add_scaled(other, values, scales[i], ROWS, first);
                assert_memory_equal(index, other, ROWS * 4);
            }
        }
    }
    free(v);
    free(values);
    free(index);
    free(other);
}

enum { N_TWINS = 4, TWIN_COLUMNS = 12, TWIN_TABLES = TWIN_COLUMNS * (TWIN_COLUMNS - 2) };

/* Each thread counts the rows in which three columns have their first state, with each pair of neighbouring columns. */
typedef struct {
    counts *of[N_TWINS];
    uint32_t tallies[N_TWINS][TWIN_TABLES];
} twins;

static void triple_of(size_t table, size_t columns[3]) {
    columns[0] = table % TWIN_COLUMNS;
    columns[1] = (columns[0] + 1) % TWIN_COLUMNS;
    columns[2] = (columns[0] + 2 + table / TWIN_COLUMNS) % TWIN_COLUMNS;
}

static status count_triples(void *self, size_t worker, error_info *err) {
    twins *w = self;
    counts_force_method(w->of[worker], COUNTS_BITS);
    for (size_t i = 0; i < TWIN_TABLES; i++) {
        counts_table t;
        size_t c[3];
        triple_of(i, c);
        CHECK(counts_get(w->of[worker], c[0], &c[1], 1, c[2], &t, err));
        w->tallies[worker][i] = table_count(&t, 0);
    }
    return STATUS_OK;
}

static void twins_count_side_by_side(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_text(random_key_of(5), "counts"));
    for (int round = 0; round < 20; round++) {
        dataset *data = make_random_dataset(&random, 200 + 64 * (size_t)round, TWIN_COLUMNS, 3);
        twins w = {0};
        error_info err = {0};
        assert_ok(counts_create(data, &w.of[0], &err), &err);
        for (size_t i = 1; i < N_TWINS; i++)
            assert_ok(counts_create_twin(w.of[0], &w.of[i], &err), &err);
        assert_ok(parallel_run(N_TWINS, count_triples, &w, &err), &err);
        for (size_t i = 0; i < TWIN_TABLES; i++) {
            size_t c[3];
            triple_of(i, c);
            for (size_t k = 0; k < N_TWINS; k++)
                assert_int_equal(w.tallies[k][i], count_slowly(data, c, (const size_t[3]){0}, 3));
        }
        for (size_t i = N_TWINS; i-- > 0;)
            counts_destroy(w.of[i]);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_gives_the_counts_of_a_plain_walk),
        cmocka_unit_test(a_pair_given_one_set_after_the_other_is_counted),
        cmocka_unit_test(a_base_is_counted_by_rows_and_by_bits_in_any_order),
        cmocka_unit_test(columns_of_rare_states_are_counted),
        cmocka_unit_test(strata_that_are_met_late_are_counted),
        cmocka_unit_test(columns_of_many_states_are_counted),
        cmocka_unit_test(pairs_of_columns_of_up_to_65536_states_are_counted),
        cmocka_unit_test(a_cell_of_more_rows_than_sixteen_bits_is_counted),
        cmocka_unit_test(every_dispatch_level_gives_the_same_integers),
        cmocka_unit_test(twins_count_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
