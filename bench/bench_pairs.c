/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What does a pair of columns cost in the pass over all pairs, at each level of the kernels, and what would it cost if
 * nothing but the words of its bit vectors were counted?
 *
 *     bench_pairs [--json] [COLUMNS [ROWS [STATES]]]
 *
 * Each level counts and decides by G2 the pairs of COLUMNS independent columns (10,000; 1,000 rows, 3 states), one
 * thread, CPU time, the best of three rounds. The roofline is the operations on words that no pass can do without, over
 * the rate at which this processor does the same operations on registers alone, measured in the same minute: a pair has
 * (states - 1)^2 * rows / 64 words, and each goes through an AND, has its ones counted, and is added. What deciding
 * takes is no part of it. The clock is that of a chain of additions that wait for each other, one a cycle. `one by
 * one`: pairs so near to the critical value that they were computed exactly.
 */
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/counting/lane_kernels_internal.h"
#include "core/run/run_context.h"
#include "metrics/tests/pair_screen.h"
#include "metrics/tests/table_tests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, MOST_STATES = 8 };

static dataset *make_data(size_t n_columns, size_t n_rows, size_t n_states) {
    static const char *const states[MOST_STATES] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    variable *variables = calloc(n_columns, sizeof *variables);
    dataset *data = NULL;
    random_stream random;
    error_info err = {0};
    bool ok = variables;
    random_stream_init(&random, random_key_of(1));
    for (size_t c = 0; ok && c < n_columns; c++) {
        char name[32];
        (void)snprintf(name, sizeof name, "X%zu", c);
        ok = variable_init_discrete(&variables[c], name, states, n_states, &err) == STATUS_OK;
    }
    ok = ok && dataset_create(variables, n_columns, n_rows, &data, &err) == STATUS_OK;
    for (size_t c = 0; ok && c < n_columns; c++) {
        uint8_t *values = dataset_build_bytes(data, c);
        for (size_t i = 0; i < n_rows; i++)
            values[i] = (uint8_t)random_below(&random, n_states);
    }
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    variables_destroy(variables, n_columns);
    return data;
}

/* Cycles a nanosecond: every addition waits for the one before. */
static double measure_clock(void) {
    enum { CHAIN = 20000000 };
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = run_cpu_s(), rate;
        uint64_t sum = 1, step = (uint64_t)(start > 0);
        for (int i = 0; i < CHAIN; i++) {
            sum += step;
            __asm__ volatile("" : "+r"(sum));
        }
        rate = CHAIN / (run_cpu_s() - start) * 1e-9;
        best = rate > best ? rate : best;
    }
    return best;
}

/* --- the same operations on registers alone: words whose ones are counted in one call --- */

enum { TURNS = 2000000, SUMS = 6 };

#define VECTOR(type, bytes) typedef type __attribute__((vector_size(bytes)))

VECTOR(uint32_t, 16) lanes_128;

/* The compiler knows nothing of what is in a register from here on: of what it knows, it would leave operations out. */
#define HIDE(vector) __asm__ volatile("" : "+x"(vector))

/* As the portable kernel counts three steps. */
static double turn_portable(void) {
    lanes_128 x = {1, 2, 3, 4}, y[SUMS], sums[SUMS] = {0};
    for (int k = 0; k < SUMS; k++)
        y[k] = x + (uint32_t)k;
    for (int k = 0; k < SUMS; k++)
        HIDE(y[k]);
    for (int i = 0; i < TURNS; i++) {
        for (int k = 0; k < SUMS; k += 3) {
            lanes_128 nibbles = {0};
            for (int j = 0; j < 3; j++) {
                lanes_128 v = x & y[k + j];
                v -= (v >> 1) & 0x55555555U;
                nibbles += (v & 0x33333333U) + ((v >> 2) & 0x33333333U);
            }
            sums[k] += (nibbles & 0x0F0F0F0FU) + ((nibbles >> 4) & 0x0F0F0F0FU);
        }
        HIDE(x);
    }
    for (int k = 0; k < SUMS; k++)
        __asm__ volatile("" : : "x"(sums[k]));
    return 2.0 * SUMS * TURNS;
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static double turn_avx2(void) {
    const __m256i low = _mm256_set1_epi8(0x0F);
    __m256i table = _mm256_set1_epi8(1), x = _mm256_set1_epi8(3), y[SUMS], sums[SUMS];
    for (int k = 0; k < SUMS; k++)
        y[k] = sums[k] = _mm256_set1_epi8((char)k);
    for (int k = 0; k < SUMS; k++)
        HIDE(y[k]);
    for (int i = 0; i < TURNS; i++) {
        for (int k = 0; k < SUMS; k++) {
            __m256i v = _mm256_and_si256(x, y[k]);
            __m256i ones = _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(v, low)),
                                           _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
            sums[k] = _mm256_add_epi8(sums[k], ones);
        }
        HIDE(x);
        HIDE(table);
    }
    for (int k = 0; k < SUMS; k++)
        __asm__ volatile("" : : "x"(sums[k]));
    return 4.0 * SUMS * TURNS;
}

__attribute__((target("avx512f,avx512bw,avx512vl"))) static double turn_avx512bw(void) {
    const __m512i low = _mm512_set1_epi8(0x0F);
    __m512i table = _mm512_set1_epi8(1), x = _mm512_set1_epi8(3), y[SUMS], sums[SUMS];
    for (int k = 0; k < SUMS; k++)
        y[k] = sums[k] = _mm512_set1_epi8((char)k);
    for (int k = 0; k < SUMS; k++)
        HIDE(y[k]);
    for (int i = 0; i < TURNS; i++) {
        for (int k = 0; k < SUMS; k++) {
            __m512i v = _mm512_and_si512(x, y[k]);
            __m512i ones = _mm512_add_epi8(_mm512_shuffle_epi8(table, _mm512_and_si512(v, low)),
                                           _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16(v, 4), low)));
            sums[k] = _mm512_add_epi8(sums[k], ones);
        }
        HIDE(x);
        HIDE(table);
    }
    for (int k = 0; k < SUMS; k++)
        __asm__ volatile("" : : "v"(sums[k]));
    return 8.0 * SUMS * TURNS;
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512vpopcntdq"))) static double turn_avx512(void) {
    __m512i x = _mm512_set1_epi8(3), y[SUMS], sums[SUMS];
    for (int k = 0; k < SUMS; k++)
        y[k] = sums[k] = _mm512_set1_epi8((char)k);
    for (int k = 0; k < SUMS; k++)
        HIDE(y[k]);
    for (int i = 0; i < TURNS; i++) {
        for (int k = 0; k < SUMS; k++)
            sums[k] = _mm512_add_epi32(sums[k], _mm512_popcnt_epi32(_mm512_and_si512(x, y[k])));
        HIDE(x);
    }
    for (int k = 0; k < SUMS; k++)
        __asm__ volatile("" : : "v"(sums[k]));
    return 8.0 * SUMS * TURNS;
}
#endif

static double (*const turns[])(void) = {
    turn_portable,
#if defined(__x86_64__)
    turn_avx2,
    turn_avx512bw,
    turn_avx512,
#endif
};

/* Words a nanosecond. */
static double measure_words(size_t level) {
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = run_cpu_s(), words = turns[level](), rate = words / (run_cpu_s() - start) * 1e-9;
        best = rate > best ? rate : best;
    }
    return best;
}

/* --- the pass --- */

typedef struct {
    ci_test *test;
    pair_tables *tables;
    ci_margin *margins;
    pair_screen *screen;
    pair_blocks blocks;
} pass;

static void clear_pass(pass *p) {
    pair_screen_destroy(p->screen);
    pair_blocks_clear(&p->blocks);
    free(p->margins);
    pair_tables_destroy(p->tables);
    ci_test_destroy(p->test);
}

static status prepare(pass *p, const dataset *data, error_info *err) {
    table_test_options options = {.alpha = 0.05, .min_rows = 5, .df = CI_DF_ADJ};
    CHECK(ci_test_create(&ci_test_g2, &options, data, NULL, &p->test, err));
    CHECK(pair_tables_create(data, 1, &p->tables, err));
    CHECK(pair_tables_list_rows(p->tables, 1, err));
    CHECK(pair_blocks_init(&p->blocks, data, err));
    CHECK(pair_screen_margins(p->test, p->tables, &p->margins, err));
    return pair_screen_create(p->test, p->tables, p->margins, &p->screen, err);
}

/* Every pair once; how many were decided by limits, and how many are dependent. */
static status go(pass *p, size_t n_columns, size_t *n_pairs, size_t *n_open, size_t *n_dependent, error_info *err) {
    *n_pairs = *n_open = *n_dependent = 0;
    for (size_t b = 0; b < p->blocks.n_blocks; b++) {
        size_t first = p->blocks.starts[b], n = p->blocks.starts[b + 1] - first;
        CHECK(pair_screen_begin(p->screen, p->blocks.columns + first, n, err));
        for (size_t x = 0; x < first + n && x < n_columns; x++) {
            uint64_t wanted = x < first ? UINT64_MAX : x + 1 - first < 64 ? UINT64_MAX << (x + 1 - first) : 0;
            screened s;
            wanted &= n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
            s = pair_screen_count(p->screen, x);
            *n_pairs += (size_t)__builtin_popcountll(wanted);
            *n_dependent += (size_t)__builtin_popcountll(wanted & s.are);
            for (uint64_t open = wanted & s.may_be & ~s.are; open; open &= open - 1, ++*n_open)
                *n_dependent += !pair_screen_judge(p->screen, (size_t)__builtin_ctzll(open)).is_zero;
        }
    }
    return STATUS_OK;
}

/* Of one level. */
typedef struct {
    double ns_a_pair, roofline_ns, words_a_ns, open, dependent; /* the last two: parts of all pairs */
} level_time;

static status time_level(size_t level, const dataset *data, level_time *out, error_info *err) {
    AUTO(clear_pass) pass p = {0};
    size_t n_columns = dataset_column_count(data), n_pairs = 1, n_open = 0, n_dependent = 0;
    double r = (double)dataset_state_count(data, 0), n_words = (double)dataset_row_count(data) / 64;
    double best = INFINITY;
    CHECK(prepare(&p, data, err));
    for (int round = 0; round < ROUNDS; round++) {
        double start = run_cpu_s(), seconds;
        CHECK(go(&p, n_columns, &n_pairs, &n_open, &n_dependent, err));
        seconds = run_cpu_s() - start;
        best = seconds < best ? seconds : best;
    }
    out->words_a_ns = measure_words(level);
    out->roofline_ns = (r - 1) * (r - 1) * n_words / out->words_a_ns;
    out->ns_a_pair = best * 1e9 / (double)n_pairs;
    out->open = (double)n_open / (double)n_pairs;
    out->dependent = (double)n_dependent / (double)n_pairs;
    return STATUS_OK;
}

static void print_level(const char *name, const level_time *t) {
    printf("%-10s %10.2f %10.2f %10.0f%% %10.2f %12.4f%% %12.4f%%\n", name, t->ns_a_pair, t->roofline_ns,
           100 * t->roofline_ns / t->ns_a_pair, t->words_a_ns, 100 * t->open, 100 * t->dependent);
}

static json_t *object_of(const char *name, const level_time *t) {
    return json_object_of({"level", json_of_text(name)}, {"ns_a_pair", json_of_double(t->ns_a_pair)},
                          {"roofline_ns", json_of_double(t->roofline_ns)},
                          {"words_a_ns", json_of_double(t->words_a_ns)}, {"one_by_one", json_of_double(t->open)},
                          {"dependent", json_of_double(t->dependent)});
}

/* Every level that this processor has: printed, or into `levels` where that is no NULL. */
static status time_levels(const dataset *data, json_t *levels, error_info *err) {
    for (size_t level = 0; lane_kernels_level(level); level++) {
        const char *name = lane_kernels_level(level)->name;
        level_time t = {0};
        if (setenv("BNBENCH_SIMD", name, 1) != 0)
            return error_out_of_memory(err);
        CHECK(time_level(level, data, &t, err));
        if (levels)
            CHECK(json_add(levels, object_of(name, &t), err));
        else
            print_level(name, &t);
    }
    return STATUS_OK;
}

static status print_json(const dataset *data, error_info *err) {
    json_t *levels = json_array();
    double r = (double)dataset_state_count(data, 0);
    AUTO_PTR(json_decref)
    json_t *o = json_object_of({"columns", json_of_size(dataset_column_count(data))},
                               {"rows", json_of_size(dataset_row_count(data))}, {"states", json_of_double(r)},
                               {"cells", json_of_double((r - 1) * (r - 1))},
                               {"clock_ghz", json_of_double(measure_clock())}, {"levels", levels});
    AUTO_FREE char *text = NULL;
    CHECK_ALLOC(o);
    CHECK(time_levels(data, levels, err));
    CHECK_ALLOC(text = json_to_text(o, JSON_INDENT(1)));
    puts(text);
    return STATUS_OK;
}

static status print_table(const dataset *data, error_info *err) {
    printf("%zu columns, %zu rows; clock %.2f GHz\n%-10s %10s %10s %11s %10s %13s %13s\n", dataset_column_count(data),
           dataset_row_count(data), measure_clock(), "level", "ns a pair", "roofline", "reached", "words/ns",
           "one by one", "dependent");
    return time_levels(data, NULL, err);
}

static size_t argument(int argc, char **argv, int i, size_t usual, int64_t most) {
    int64_t n = 0;
    return argc > i && text_to_int(argv[i], &n) && n > 0 && n <= most ? (size_t)n : usual;
}

int main(int argc, char **argv) {
    bool is_json = argc > 1 && strcmp(argv[1], "--json") == 0;
    int first = is_json ? 2 : 1;
    size_t n_columns = argument(argc, argv, first, 10000, 1 << 20);
    size_t n_rows = argument(argc, argv, first + 1, 1000, 1 << 24);
    dataset *data = make_data(n_columns, n_rows, argument(argc, argv, first + 2, 3, MOST_STATES));
    error_info err = {0};
    status st = !data ? STATUS_MEMORY : is_json ? print_json(data, &err) : print_table(data, &err);
    if (st != STATUS_OK)
        fprintf(stderr, "%s\n", err.message);
    dataset_destroy(data);
    return st == STATUS_OK ? 0 : 1;
}
