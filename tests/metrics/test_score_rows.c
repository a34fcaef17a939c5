/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node with a family and every column: the scores that are asked for one by one, bit for bit. */
#include "tests/support/scores.h"

#include "core/base/array.h"
#include "core/base/random.h"
#include "metrics/scores/bdeu.h"
#include "metrics/scores/score_rows.h"

#include <math.h>
#include <stdio.h>

enum { N_COLUMNS = 214, N_BLOCKS = (N_COLUMNS + COLUMN_BLOCK - 1) / COLUMN_BLOCK, MOST_PARENTS = 6 };

enum { WIDE = 40 };

/* The blocks have many columns of one to five states, and one, two and three of six, seven and eight; one column, and
 * all of the third block, have more than bit vectors take. */
static size_t states_of(size_t column) {
    static const size_t few[] = {6, 7, 7, 8, 8, 8};
    size_t place = column % COLUMN_BLOCK;
    if (column == 20 || column / COLUMN_BLOCK == 2)
        return WIDE;
    return place < sizeof few / sizeof *few ? few[place] : 1 + column % 5;
}

/* The last state of some columns does not occur. */
static dataset *make_data(random_stream *random, size_t n_rows) {
    char labels[WIDE][8], names[N_COLUMNS][8];
    const char *states[WIDE];
    variable variables[N_COLUMNS] = {{0}};
    dataset *data = NULL;
    error_info err = {0};
    for (size_t k = 0; k < WIDE; k++) {
        (void)snprintf(labels[k], sizeof labels[k], "s%zu", k);
        states[k] = labels[k];
    }
    for (size_t c = 0; c < N_COLUMNS; c++) {
        (void)snprintf(names[c], sizeof names[c], "c%zu", c);
        assert_ok(variable_init_discrete(&variables[c], names[c], states, states_of(c), &err), &err);
    }
    assert_ok(dataset_create(variables, N_COLUMNS, n_rows, &data, &err), &err);
    for (size_t i = 0; i < n_rows * N_COLUMNS; i++) {
        size_t c = i % N_COLUMNS, r = states_of(c);
        dataset_set_state(data, i / N_COLUMNS, c, (uint32_t)random_below(random, r - (r > 1 && c % 7 == 0)));
    }
    for (size_t c = 0; c < N_COLUMNS; c++)
        variable_clear(&variables[c]);
    return data;
}

static score *make_score(const char *name, const dataset *data) {
    score *s = score_of_data(name, NULL, data);
    score_penalise_arcs(s, 0.25);
    return s;
}

static void assert_is_score(score *plain, const size_t *family, size_t n, size_t column, double found) {
    double expected;
    error_info err = {0};
    if (array_has_size(family, n, column)) {
        assert_true(isnan(found));
        return;
    }
    assert_ok(score_node_fresh(plain, family[0], family + 1, n - 1, column, &expected, &err), &err);
    if (found != expected)
        fail_msg("%zu given %zu and column %zu: %a, not %a", family[0], n - 1, column, found, expected);
}

static void fill_row(score_rows *rows, const size_t *family, size_t n, double *out) {
    error_info err = {0};
    for (size_t i = 0; i < N_BLOCKS; i++)
        assert_ok(score_rows_block(rows, i, family[0], family + 1, n - 1, out + i * COLUMN_BLOCK, &err), &err);
}

static void assert_row_is_that_of_single_scores(score_rows *rows, score *plain, const size_t *family, size_t n) {
    double scores[N_BLOCKS * COLUMN_BLOCK];
    fill_row(rows, family, n, scores);
    for (size_t column = 0; column < N_COLUMNS; column++)
        assert_is_score(plain, family, n, column, scores[column]);
}

static void a_row_is_that_of_single_scores(void **state) {
    static const char *const names[] = {"bdeu", "bic", "aic", "loglik", "k2"};
    static const size_t n_rows[] = {1, 63, 700, 40000};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(15));
    for (size_t i = 0; i < sizeof n_rows / sizeof *n_rows; i++) {
        dataset *data = make_data(&random, n_rows[i]);
        for (size_t k = 0; k < (n_rows[i] > 1000 ? 1 : sizeof names / sizeof *names); k++) {
            score *s = make_score(names[k], data), *plain = make_score(names[k], data);
            score_rows rows = {.scorer = s};
            score_columns *columns = NULL;
            error_info err = {0};
            assert_ok(score_columns_create(s, &columns, &err), &err);
            rows.columns = columns;
            for (size_t n = 1; n <= MOST_PARENTS + 1; n++) {
                size_t family[MOST_PARENTS + 1];
                for (size_t f = 0; f < n;) {
                    family[f] = (size_t)random_below(&random, N_COLUMNS);
                    f += !array_has_size(family, f, family[f]);
                }
                assert_row_is_that_of_single_scores(&rows, plain, family, n);
            }
            score_rows_clear(&rows);
            score_columns_destroy(columns);
            score_destroy(s);
            score_destroy(plain);
        }
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_row_is_that_of_single_scores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
