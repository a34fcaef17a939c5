/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise around states: generators/sampling/continuize.h and `bnbench sample --continuize`. */
#include "tests/support/cli_support.h"

#include "generators/sampling/continuize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_ROWS = 30000, N_COLUMNS = 3 };
static const size_t n_states[N_COLUMNS] = {2, 3, 5};

/* States that run through all of them, so that each has as many rows. */
static dataset *make_states(size_t n_rows) {
    int *cells = calloc(n_rows * N_COLUMNS, sizeof *cells);
    dataset *data;
    for (size_t i = 0; i < n_rows * N_COLUMNS; i++)
        cells[i] = (int)(i / N_COLUMNS % n_states[i % N_COLUMNS]);
    data = make_dataset(n_rows, N_COLUMNS, n_states, cells);
    free(cells);
    return data;
}

static dataset *make_noisy(const dataset *states, double sigma, uint64_t seed) {
    dataset *noisy = NULL;
    error_info err = {0};
    assert_ok(continuize(states, sigma, random_key_of(seed), &noisy, &err), &err);
    return noisy;
}

static double noise_of(const dataset *states, const dataset *noisy, size_t row, size_t column) {
    return dataset_reals(noisy, column)[row] - (double)(dataset_state(states, row, column) + 1);
}

static void each_state_becomes_a_normal_distribution_around_its_number(void **state) {
    dataset *states = make_states(N_ROWS), *noisy = make_noisy(states, 0.35, 1);
    (void)state;
    for (size_t c = 0; c < N_COLUMNS; c++) {
        for (size_t k = 0; k < n_states[c]; k++) {
            double sum = 0, squares = 0, fourth = 0, n = 0;
            for (size_t row = 0; row < N_ROWS; row++) {
                double z = noise_of(states, noisy, row, c) / 0.35;
                if (dataset_state(states, row, c) != k)
                    continue;
                sum += z;
                squares += z * z;
                fourth += z * z * z * z;
                n++;
            }
            assert_true(fabs(sum / n) < 4 / sqrt(n));
            assert_true(fabs(squares / n - 1) < 4 * sqrt(2 / n));
            assert_true(fabs(fourth / n - 3) < 4 * sqrt(96 / n));
        }
    }
    dataset_destroy(states);
    dataset_destroy(noisy);
}

static void the_noise_of_two_cells_is_not_related(void **state) {
    dataset *states = make_states(N_ROWS), *noisy = make_noisy(states, 1, 2);
    double beside = 0, below = 0;
    (void)state;
    for (size_t row = 0; row + 1 < N_ROWS; row++) {
        beside += noise_of(states, noisy, row, 0) * noise_of(states, noisy, row, 1) / N_ROWS;
        below += noise_of(states, noisy, row, 0) * noise_of(states, noisy, row + 1, 0) / N_ROWS;
    }
    assert_true(fabs(beside) < 4 / sqrt(N_ROWS));
    assert_true(fabs(below) < 4 / sqrt(N_ROWS));
    dataset_destroy(states);
    dataset_destroy(noisy);
}

static void longer_data_begin_with_the_shorter(void **state) {
    dataset *few = make_states(100), *many = make_states(300);
    dataset *a = make_noisy(few, 0.4, 3), *b = make_noisy(many, 0.4, 3), *other = make_noisy(few, 0.4, 4);
    (void)state;
    for (size_t c = 0; c < N_COLUMNS; c++) {
        assert_memory_equal(dataset_reals(a, c), dataset_reals(b, c), 100 * sizeof(double));
        assert_true(dataset_reals(a, c)[0] != dataset_reals(other, c)[0]);
    }
    dataset_destroy(few);
    dataset_destroy(many);
    dataset_destroy(a);
    dataset_destroy(b);
    dataset_destroy(other);
}

static void another_sigma_stretches_the_same_draws(void **state) {
    dataset *states = make_states(200), *a = make_noisy(states, 0.3, 5), *b = make_noisy(states, 0.6, 5);
    (void)state;
    for (size_t row = 0; row < 200; row++)
        assert_close(2 * noise_of(states, a, row, 2), noise_of(states, b, row, 2), 1e-12);
    dataset_destroy(states);
    dataset_destroy(a);
    dataset_destroy(b);
}

static void a_continuous_column_stays_and_names_stay(void **state) {
    dataset *states = make_states(50), *once = make_noisy(states, 0.35, 6), *twice = make_noisy(once, 9, 7);
    (void)state;
    for (size_t c = 0; c < N_COLUMNS; c++) {
        assert_memory_equal(dataset_reals(once, c), dataset_reals(twice, c), 50 * sizeof(double));
        assert_int_equal(dataset_variable(once, c)->kind, VARIABLE_CONTINUOUS);
        assert_string_equal(dataset_variable(once, c)->name, dataset_variable(states, c)->name);
    }
    dataset_destroy(states);
    dataset_destroy(once);
    dataset_destroy(twice);
}

static void sigma_must_be_a_number_above_0(void **state) {
    static const double bad[] = {0, -1, INFINITY, NAN};
    dataset *states = make_states(5), *noisy = NULL;
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(continuize(states, bad[i], random_key_of(1), &noisy, &err), STATUS_INVALID);
        assert_message_has(&err, "above 0");
    }
    assert_null(noisy);
    dataset_destroy(states);
}

/* ---- the command ---- */

/* The number of a state by its name in asia. */
static int number_of(const char *name) {
    return strncmp(name, "yes", 3) == 0 ? 1 : 2;
}

static void the_sample_is_the_same_with_and_without_noise(void **state) {
    char *discrete, *plain, *noisy, *plain_end = NULL, *noisy_end = NULL;
    (void)state;
    assert_status(0, "sample", "asia", "-n", "40", "--seed", "9");
    discrete = strdup(cli_out);
    assert_status(0, "sample", "asia", "-n", "40", "--seed", "9", "--continuize", "sigma=0.001");
    plain = strtok_r(discrete, "\n", &plain_end);
    noisy = strtok_r(cli_out, "\n", &noisy_end);
    assert_string_equal(plain, noisy); /* the names */
    for (int row = 0; row < 40; row++) {
        plain = strtok_r(NULL, "\n", &plain_end);
        noisy = strtok_r(NULL, "\n", &noisy_end);
        for (int column = 0; column < 8; column++) {
            assert_int_equal(lround(strtod(noisy, &noisy)), number_of(plain));
            plain += strcspn(plain, ",") + (column < 7);
            noisy += column < 7;
        }
    }
    assert_null(strtok_r(NULL, "\n", &noisy_end));
    free(discrete);
}

static void a_noisy_sample_is_written_as_continuous_columns(void **state) {
    const char *path = in_folder("noisy.csv");
    json_t *answer;
    char *text;
    (void)state;
    assert_status(0, "sample", "asia", "-n", "20", "--continuize", "sigma=0.35", "-o", path, "--json");
    answer = parse_answer();
    assert_close(number_at(answer, "sigma"), 0.35, 0);
    assert_close(number_at(answer, "rows"), 20, 0);
    json_decref(answer);
    assert_status(0, "learn", "empty", path);
    assert_int_equal(cli_call_shell("cat \"$1/noisy.schema.csv\""), 0);
    text = cli_out;
    assert_text_has(text, "asia,continuous");
    assert_text_lacks(text, "discrete");
}

static void what_is_no_noise_level_is_wrong_usage(void **state) {
    static const char *const words[] = {"0.35", "sigma=0", "sigma=-1", "sigma=x", "sigma=", "width=2"};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_status(2, "sample", "asia", "-n", "5", "--continuize", words[i]);
        assert_text_has(cli_errors, "sigma=0.35");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_state_becomes_a_normal_distribution_around_its_number),
        cmocka_unit_test(the_noise_of_two_cells_is_not_related),
        cmocka_unit_test(longer_data_begin_with_the_shorter),
        cmocka_unit_test(another_sigma_stretches_the_same_draws),
        cmocka_unit_test(a_continuous_column_stays_and_names_stay),
        cmocka_unit_test(sigma_must_be_a_number_above_0),
        cli_test(the_sample_is_the_same_with_and_without_noise),
        cli_test(a_noisy_sample_is_written_as_continuous_columns),
        cli_test(what_is_no_noise_level_is_wrong_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
