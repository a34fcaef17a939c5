/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of products of columns: each level gives those of a plain loop over the rows, to the last bit. */
#include "tests/support/gaussian_support.h"

#include "metrics/numerics/gaussian_moments.h"

enum { BLOCK = 256, MOST_ROWS = 600 };

/* A block after the other; in a block a row after the other, each product and sum rounded once. */
static double sum_in_order(const dataset *data, const gaussian_moments *m, size_t x, size_t y) {
    double sum = 0;
    for (size_t first = 0; first < dataset_row_count(data); first += BLOCK) {
        double of_block = 0;
        for (size_t i = first; i < dataset_row_count(data) && i < first + BLOCK; i++)
            of_block = fma(dataset_reals(data, x)[i] - gaussian_moments_mean(m, x),
                           dataset_reals(data, y)[i] - gaussian_moments_mean(m, y), of_block);
        sum += of_block;
    }
    return sum;
}

static bool rounds_once(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("fma");
#elif defined(__FP_FAST_FMA)
    return true;
#else
    return false;
#endif
}

static void compare_products(const dataset *data) {
    gaussian_moments *m = NULL;
    error_info err = {0};
    assert_ok(gaussian_moments_create(data, 1, &m, &err), &err);
    for (size_t x = 0; x < dataset_column_count(data); x++) {
        for (size_t y = 0; y < dataset_column_count(data); y++) {
            double expected = sum_in_order(data, m, x, y), found = gaussian_moments_products(m, x)[y];
            if (rounds_once())
                assert_true(found == expected);
            else
                assert_that(fabs(found - expected), <=, 1e-9 * (double)dataset_row_count(data));
        }
    }
    gaussian_moments_destroy(m);
}

static void products_are_those_of_a_plain_loop_on_every_level(void **state) {
    static const char *const levels[] = {"portable", "avx2", "avx512bw", "avx512"};
    static const size_t n_columns[] = {1, 7, 8, 16, 17, 40}, n_rows[] = {2, 255, 256, 257, MOST_ROWS};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t i = 0; i < 30; i++) {
        dataset *data = sample_reals(&random, n_columns[i % 6], n_rows[i % 5]);
        for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
            assert_int_equal(setenv("BNBENCH_SIMD", levels[k], 1), 0);
            compare_products(data);
        }
        dataset_destroy(data);
    }
    assert_int_equal(unsetenv("BNBENCH_SIMD"), 0);
}

static void assert_same_moments(const gaussian_moments *a, const gaussian_moments *b) {
    size_t p = gaussian_moments_column_count(a);
    for (size_t x = 0; x < p; x++) {
        assert_true(gaussian_moments_mean(a, x) == gaussian_moments_mean(b, x));
        assert_memory_equal(gaussian_moments_products(a, x), gaussian_moments_products(b, x), p * sizeof(double));
    }
}

/* Of so much data that there is work for all. */
static void threads_change_no_bit(void **state) {
    random_stream random;
    dataset *data;
    gaussian_moments *one = NULL;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(62));
    data = sample_reals(&random, 210, 2500);
    assert_ok(gaussian_moments_create(data, 1, &one, &err), &err);
    for (size_t n_threads = 2; n_threads <= 4; n_threads++) {
        gaussian_moments *m = NULL;
        assert_ok(gaussian_moments_create(data, n_threads, &m, &err), &err);
        assert_same_moments(m, one);
        gaussian_moments_destroy(m);
    }
    gaussian_moments_destroy(one);
    dataset_destroy(data);
}

static void the_first_column_that_is_refused_is_told(void **state) {
    random_stream random;
    dataset *data;
    gaussian_moments *m = NULL;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(63));
    data = sample_reals(&random, 210, 2500);
    dataset_build_reals(data, 200)[7] = INFINITY;
    dataset_build_reals(data, 150)[9] = 1e200;
    assert_int_equal(gaussian_moments_create(data, 3, &m, &err), STATUS_INVALID);
    assert_message_has(&err, "column v150 holds 1e+200 in row 10");
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_a_plain_loop_on_every_level),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(the_first_column_that_is_refused_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
