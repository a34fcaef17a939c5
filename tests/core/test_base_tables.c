/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of data of many rows, counted in chunks, against a plain count; and the scores and the search by them. */
#include "tests/support/support.h"

#include "core/counting/base_tables.h"
#include "core/counting/chunk_pairs.h"
#include "core/counting/counts.h"
#include "core/run/parallel.h"
#include "learners/greedy/greedy_search.h"
#include "metrics/scores/scored_extras.h"

#include <stdlib.h>
#include <string.h>

/* MANY_EXTRAS: of more vectors than are counted at once. */
enum { COLUMNS = 7, MANY_EXTRAS = 60, MANY_ROWS = 131072 + 77, MOST_CELLS = 4096 };

static const size_t n_states[COLUMNS] = {2, 3, 4, 2, 5, 1, 3};

/* A chain with noise, the sixth column constant; some states of the fifth do not occur in the first half of the rows.
 */
static dataset *make_data(random_stream *random, size_t n_rows) {
    int *cells = calloc(n_rows * COLUMNS, sizeof *cells);
    dataset *data;
    assert_non_null(cells);
    for (size_t i = 0; i < n_rows; i++) {
        int *row = cells + i * COLUMNS;
        for (size_t c = 0; c < COLUMNS; c++) {
            size_t r = c == 4 && i < n_rows / 2 ? 2 : n_states[c];
            row[c] = (int)random_below(random, r);
            if (c > 0 && random_below(random, 3) > 0)
                row[c] = row[c - 1] % (int)r;
        }
    }
    data = make_dataset(n_rows, COLUMNS, n_states, cells);
    free(cells);
    return data;
}

/* By (stratum, extra, first); without an extra by (stratum, first). */
static void count_plainly(const dataset *data, const size_t *columns, size_t n, size_t extra, uint32_t *cells) {
    memset(cells, 0, MOST_CELLS * sizeof *cells);
    for (size_t i = 0; i < dataset_row_count(data); i++) {
        size_t stratum = 0, r_extra = extra == COUNTS_NO_EXTRA ? 1 : n_states[extra];
        size_t e = extra == COUNTS_NO_EXTRA ? 0 : dataset_state(data, i, extra);
        for (size_t k = n; k-- > 1;)
            stratum = stratum * n_states[columns[k]] + dataset_state(data, i, columns[k]);
        cells[(stratum * r_extra + e) * n_states[columns[0]] + dataset_state(data, i, columns[0])]++;
    }
}

static const size_t bases[][4] = {{0}, {4, 2}, {5, 1, 3}, {2, 0, 1, 3}};
static const size_t base_sizes[] = {1, 2, 3, 4};

static void tables_of_one_pass_are_plain_counts(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t round = 0; round < 4; round++) {
        dataset *data = make_data(&random, (size_t[]){100, MANY_ROWS, 65536, MANY_ROWS}[round]);
        pair_tables *tables = NULL;
        base_tables *b = NULL;
        error_info err = {0};
        uint32_t expected[MOST_CELLS];
        assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
        if (round == 3)
            base_tables_prepare(tables, 3);
        assert_ok(base_tables_create(tables, &b, &err), &err);
        for (size_t i = 0; i < sizeof base_sizes / sizeof *base_sizes; i++) {
            size_t extras[MANY_EXTRAS], n = i == 1 || i == 2 ? 1 : MANY_EXTRAS; /* not the family's own */
            bool is_done = false;
            for (size_t k = 0; k < n; k++)
                extras[k] = 6 - k % 3;
            assert_ok(base_tables_count(b, bases[i][0], bases[i] + 1, base_sizes[i] - 1, extras, n, &is_done, &err),
                      &err);
            assert_true(is_done);
            for (size_t k = 0; k < n; k++) {
                count_plainly(data, bases[i], base_sizes[i], extras[k], expected);
                assert_memory_equal(base_tables_cells(b, k), expected,
                                    base_tables_strata(b) * n_states[extras[k]] * n_states[bases[i][0]] *
                                        sizeof *expected);
            }
        }
        base_tables_destroy(b);
        pair_tables_destroy(tables);
        dataset_destroy(data);
    }
}

/* --- a pass by several threads --- */

enum { HELPERS = 3, FEWEST_SHARED_ROWS = 1 << 20 };

typedef struct {
    void (*work)(void *self, size_t index);
    void *self;
    size_t left_out; /* this helper has no time */
    size_t n_called;
} calls;

static status call(void *self, size_t worker, error_info *err) {
    const calls *c = self;
    (void)err;
    if (worker != c->left_out)
        c->work(c->self, worker);
    return STATUS_OK;
}

static void run_helpers(void *owner, void (*work)(void *self, size_t index), void *self) {
    calls *c = owner;
    error_info err = {0};
    c->work = work;
    c->self = self;
    c->n_called++;
    assert_ok(parallel_run(HELPERS, call, c, &err), &err);
}

static void compare_shared(const dataset *data, base_tables *b, size_t base) {
    static const size_t extras[] = {6, 4};
    bool is_done = false;
    error_info err = {0};
    uint32_t expected[MOST_CELLS];
    assert_ok(base_tables_count(b, bases[base][0], bases[base] + 1, base_sizes[base] - 1, extras, base == 1 ? 1 : 2,
                                &is_done, &err),
              &err);
    assert_true(is_done);
    for (size_t k = 0; k < (base == 1 ? 1 : 2); k++) {
        count_plainly(data, bases[base], base_sizes[base], extras[k], expected);
        assert_memory_equal(base_tables_cells(b, k), expected,
                            base_tables_strata(b) * n_states[extras[k]] * n_states[bases[base][0]] * sizeof *expected);
    }
}

static void a_pass_by_several_threads_is_a_plain_count(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(67));
    for (size_t round = 0; round < 3; round++) {
        dataset *data = make_data(&random, round == 0 ? FEWEST_SHARED_ROWS - 64 * 513 : FEWEST_SHARED_ROWS + 77);
        calls c = {.left_out = 3 - round};
        pass_helpers helpers = {HELPERS, run_helpers, &c};
        pair_tables *tables = NULL;
        base_tables *b = NULL;
        error_info err = {0};
        assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
        if (round == 2)
            base_tables_prepare(tables, 3);
        assert_ok(base_tables_create(tables, &b, &err), &err);
        base_tables_share(b, &helpers);
        for (size_t base = 0; base < 4; base++)
            compare_shared(data, b, base);
        assert_int_equal(c.n_called, round == 0 ? 0 : 4);
        base_tables_share(b, NULL);
        compare_shared(data, b, 0);
        assert_int_equal(c.n_called, round == 0 ? 0 : 4);
        base_tables_destroy(b);
        pair_tables_destroy(tables);
        dataset_destroy(data);
    }
}

static void pairs_of_one_pass_are_plain_counts(void **state) {
    random_stream random;
    dataset *data;
    pair_tables *tables = NULL;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(65));
    data = make_data(&random, MANY_ROWS);
    assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
    assert_true(chunk_pairs_suit(tables));
    for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
        run_context ctx;
        chunk_pairs *pairs = NULL;
        bool is_expired = false;
        run_context_init(&ctx, 1);
        ctx.n_threads = n_threads;
        assert_ok(chunk_pairs_create(tables, &ctx, &pairs, &is_expired, &err), &err);
        assert_false(is_expired);
        for (size_t y = 1; y < COLUMNS; y++) {
            for (size_t x = 0; x < y; x++) {
                uint32_t cells[MOST_CELLS], expected[MOST_CELLS];
                chunk_pairs_lay(pairs, x, y, cells);
                pair_tables_count(tables, x, y, expected);
                assert_memory_equal(cells, expected, n_states[x] * n_states[y] * sizeof *cells);
            }
        }
        chunk_pairs_destroy(pairs);
    }
    pair_tables_destroy(tables);
    dataset_destroy(data);
}

static void pairs_past_the_deadline_are_not_counted(void **state) {
    random_stream random;
    dataset *data;
    pair_tables *tables = NULL;
    chunk_pairs *pairs = NULL;
    bool is_expired = false;
    run_context ctx;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(66));
    data = make_data(&random, MANY_ROWS);
    assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
    run_context_init(&ctx, 1);
    ctx.n_threads = 2;
    ctx.deadline_s = run_clock_s() - 1;
    assert_ok(chunk_pairs_create(tables, &ctx, &pairs, &is_expired, &err), &err);
    assert_true(is_expired);
    assert_null(pairs);
    pair_tables_destroy(tables);
    dataset_destroy(data);
}

static void compare_bases(const dataset *data, counts *c) {
    error_info err = {0};
    uint32_t expected[MOST_CELLS];
    for (size_t i = 0; i < sizeof base_sizes / sizeof *base_sizes; i++) {
        counts_table t;
        assert_ok(counts_get(c, bases[i][0], bases[i] + 1, base_sizes[i] - 1, COUNTS_NO_EXTRA, &t, &err), &err);
        count_plainly(data, bases[i], base_sizes[i], COUNTS_NO_EXTRA, expected);
        assert_memory_equal(t.cells, expected, t.n_strata * t.r_first * sizeof *expected);
    }
}

static void a_base_of_many_rows_is_a_plain_count(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(62));
    for (size_t is_lent = 0; is_lent < 2; is_lent++) {
        dataset *data = make_data(&random, MANY_ROWS * 10); /* too many for the vectors of all cells */
        counts *c = NULL;
        pair_tables *tables = NULL;
        error_info err = {0};
        assert_ok(counts_create(data, &c, &err), &err);
        if (is_lent)
            assert_ok(pair_tables_create(data, 1, &tables, &err), &err);
        counts_lend_tables(c, tables);
        compare_bases(data, c);
        counts_destroy(c);
        pair_tables_destroy(tables);
        dataset_destroy(data);
    }
}

static void scores_of_one_pass_are_the_scores(void **state) {
    static const char *const names[] = {"bdeu", "k2", "bic", "aic"};
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(63));
    data = make_data(&random, MANY_ROWS);
    for (size_t i = 0; i < 4; i++) {
        static const size_t parents[] = {1, 5}, extras[] = {2, 3, 4, 6};
        const score_kind *kind = NULL;
        score *s = NULL;
        pair_tables *tables = NULL;
        scored_extras *e = NULL;
        bool is_done = false;
        error_info err = {0};
        assert_ok(score_kind_find(names[i], &kind, &err), &err);
        assert_ok(score_create(kind, NULL, data, NULL, &s, &err), &err);
        assert_ok(score_make_tables(s, 1, NULL, &tables, &err), &err);
        assert_ok(scored_extras_create(s, tables, &e, &err), &err);
        assert_ok(scored_extras_set(e, 0, parents, 2, extras, 4, &is_done, &err), &err);
        assert_true(is_done);
        for (size_t k = 0; k < 4; k++) {
            double expected = 0;
            assert_ok(score_node_with(s, 0, parents, 2, extras[k], &expected, &err), &err);
            assert_true(scored_extras_with(e, extras[k]) == expected);
        }
        scored_extras_destroy(e);
        pair_tables_destroy(tables);
        score_destroy(s);
    }
    dataset_destroy(data);
}

static void a_search_on_many_rows_is_the_same_by_any_number_of_threads(void **state) {
    random_stream random;
    dataset *data;
    learner_result results[3] = {0};
    statistics_count scores[3];
    (void)state;
    random_stream_init(&random, random_key_of(64));
    data = make_data(&random, MANY_ROWS * 16); /* so that rows are worth a thread */
    for (size_t i = 0; i < 3; i++) {
        greedy_search_plan plan = {.options = {.ess = 1, .max_parents = -1}};
        run_context ctx;
        error_info err = {0};
        run_context_init(&ctx, 1);
        ctx.n_threads = i + 1;
        assert_ok(greedy_search(data, &plan, &ctx, &results[i], &err), &err);
        scores[i] = ctx.scores;
        assert_true(pdag_is_equal(results[0].graph, results[i].graph));
        assert_true(results[0].score == results[i].score);
        assert_int_equal(scores[0].requests, scores[i].requests);
        assert_int_equal(scores[0].computed, scores[i].computed);
    }
    assert_true(pdag_edge_count(results[0].graph) >= 4);
    for (size_t i = 0; i < 3; i++)
        learner_result_clear(&results[i]);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_one_pass_are_plain_counts),
        cmocka_unit_test(a_pass_by_several_threads_is_a_plain_count),
        cmocka_unit_test(pairs_of_one_pass_are_plain_counts),
        cmocka_unit_test(pairs_past_the_deadline_are_not_counted),
        cmocka_unit_test(a_base_of_many_rows_is_a_plain_count),
        cmocka_unit_test(scores_of_one_pass_are_the_scores),
        cmocka_unit_test(a_search_on_many_rows_is_the_same_by_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
