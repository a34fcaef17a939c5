/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The highest scores of a node with a family and every column, against those that are asked for one by one. */
#include "tests/support/scores.h"

#include "core/base/array.h"
#include "core/base/random.h"
#include "core/counting/counts.h"
#include "core/run/parallel.h"
#include "metrics/scores/high_scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_COLUMNS = 320, MOST_PARENTS = 6, N_EXACT = 5 };

/* Columns that depend on those before them; some have one state, or more than lanes take. */
static dataset *make_data(random_stream *random, size_t n_rows) {
    size_t n_states[N_COLUMNS];
    int *cells = calloc(n_rows * N_COLUMNS, sizeof *cells);
    dataset *data;
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = c % 80 == 79 ? 40 : c % 80 == 78 ? 1 : 2 + c % 2 + c % 3;
    for (size_t i = 0; i < n_rows; i++) {
        int *row = cells + i * N_COLUMNS;
        for (size_t c = 0; c < N_COLUMNS; c++)
            row[c] = (int)((c > 2 && random_below(random, 3) > 0 ? (size_t)(row[c - 1 - c % 3]) + c
                                                                 : (size_t)random_below(random, n_states[c])) %
                           n_states[c]);
    }
    data = make_dataset(n_rows, N_COLUMNS, n_states, cells);
    free(cells);
    return data;
}

static const high_score *find(const high_score *list, size_t n, size_t column) {
    for (size_t i = 0; i < n; i++) {
        if (list[i].column == column)
            return &list[i];
    }
    return NULL;
}

/* The first of them are exact, and pass all others. */
static void check_exact(const high_score *list, size_t n) {
    size_t n_exact = 0;
    double highest_bound = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (list[i].kind != HIGH_EXACT && list[i].score > highest_bound)
            highest_bound = list[i].score;
    }
    for (size_t i = 0; i < n; i++)
        n_exact += list[i].kind == HIGH_EXACT && list[i].score >= highest_bound;
    assert_true(n_exact >= N_EXACT || n_exact == n);
}

static void check_family(high_scores *h, const high_columns *columns, score *plain, const size_t *family, size_t n) {
    double bounds[N_COLUMNS], without, expected;
    high_score list[N_COLUMNS];
    size_t n_list;
    error_info err = {0};
    for (size_t i = 0; i < high_columns_shares(columns); i++)
        assert_ok(high_scores_bound(h, i, family[0], family + 1, n - 1, bounds, &err), &err);
    assert_ok(high_scores_list(h, family[0], family + 1, n - 1, bounds, N_EXACT, list, &n_list, &err), &err);
    assert_ok(score_node_fresh(plain, family[0], family + 1, n - 1, COUNTS_NO_EXTRA, &without, &err), &err);
    for (size_t c = 0; c < N_COLUMNS; c++) {
        const high_score *found = find(list, n_list, c);
        if (array_has_size(family, n, c)) {
            assert_null(found);
            continue;
        }
        assert_ok(score_node_fresh(plain, family[0], family + 1, n - 1, c, &expected, &err), &err);
        assert_true(found || !(expected - without > SCORE_TOLERANCE));
        assert_true(!found || found->score >= expected);
        assert_true(!found || found->kind != HIGH_EXACT || found->score == expected);
    }
    check_exact(list, n_list);
}

static void check_data(random_stream *random, const dataset *data, const char *name) {
    score *s = score_of_data(name, NULL, data), *plain = score_of_data(name, NULL, data);
    high_columns *columns = NULL;
    high_scores *h = NULL;
    error_info err = {0};
    assert_ok(high_columns_create(s, 1, &columns, &err), &err);
    if (columns)
        assert_ok(high_scores_create(s, columns, &h, &err), &err);
    for (size_t n = 1; h && n <= MOST_PARENTS + 1; n++) {
        size_t family[MOST_PARENTS + 1];
        for (size_t f = 0; f < n;) {
            family[f] = (size_t)random_below(random, N_COLUMNS);
            f += !array_has_size(family, f, family[f]);
        }
        check_family(h, columns, plain, family, n);
    }
    high_scores_destroy(h);
    high_columns_destroy(columns);
    score_destroy(s);
    score_destroy(plain);
}

static void the_highest_are_those_of_single_scores(void **state) {
    static const char *const names[] = {"bdeu", "bic", "k2"};
    static const size_t n_rows[] = {1, 63, 700, 3000, 8000};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(63));
    for (size_t i = 0; i < sizeof n_rows / sizeof *n_rows; i++) {
        dataset *data = make_data(&random, n_rows[i]);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            check_data(&random, data, names[k]);
        dataset_destroy(data);
    }
}

enum { N_THREADS = 3, ALONE = N_THREADS, N_READERS, N_FAMILIES = 40, FAMILY = 4 };

/* Threads that go through the families at once, in one order, each in all shares: so one comes while another one
 * prepares a family or holds it. The last reader goes through them alone. */
typedef struct {
    score *scorers[N_READERS];
    high_scores *high[N_READERS];
    size_t families[N_FAMILIES][FAMILY], n_shares;
    double bounds[N_READERS][N_FAMILIES][N_COLUMNS];
} crowd;

static status find_bounds(void *self, size_t worker, error_info *err) {
    crowd *c = self;
    for (size_t i = 0; i < N_FAMILIES; i++) {
        const size_t *family = c->families[i];
        for (size_t k = 0; k < c->n_shares; k++)
            CHECK(high_scores_bound(c->high[worker], k, family[0], family + 1, FAMILY - 1, c->bounds[worker][i], err));
    }
    return STATUS_OK;
}

/* Every fourth is the last but one before it: a thread comes back to what it has left. */
static void choose_families(crowd *c, random_stream *random) {
    for (size_t i = 0; i < N_FAMILIES; i++) {
        if (i % 4 == 3) {
            memcpy(c->families[i], c->families[i - 2], sizeof c->families[i]);
            continue;
        }
        for (size_t f = 0; f < FAMILY;) {
            c->families[i][f] = (size_t)random_below(random, N_COLUMNS);
            f += !array_has_size(c->families[i], f, c->families[i][f]);
        }
    }
}

static void threads_that_share_families_find_what_one_finds(void **state) {
    crowd *c = calloc(1, sizeof *c);
    high_columns *columns = NULL;
    random_stream random;
    error_info err = {0};
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(64));
    data = make_data(&random, 900);
    choose_families(c, &random);
    for (size_t i = 0; i < N_READERS; i++)
        c->scorers[i] = score_of_data("bdeu", NULL, data);
    assert_ok(high_columns_create(c->scorers[0], N_READERS, &columns, &err), &err);
    for (size_t i = 0; columns && i < N_READERS; i++)
        assert_ok(high_scores_create(c->scorers[i], columns, &c->high[i], &err), &err);
    if (columns) {
        c->n_shares = high_columns_shares(columns);
        assert_ok(find_bounds(c, ALONE, &err), &err);
        assert_ok(parallel_run(N_THREADS, find_bounds, c, &err), &err);
        for (size_t i = 0; i < N_THREADS; i++)
            assert_memory_equal(c->bounds[i], c->bounds[ALONE], sizeof c->bounds[0]);
    }
    for (size_t i = 0; i < N_READERS; i++)
        high_scores_destroy(c->high[i]);
    high_columns_destroy(columns);
    for (size_t i = 0; i < N_READERS; i++)
        score_destroy(c->scorers[i]);
    dataset_destroy(data);
    free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_highest_are_those_of_single_scores),
                                       cmocka_unit_test(threads_that_share_families_find_what_one_finds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
