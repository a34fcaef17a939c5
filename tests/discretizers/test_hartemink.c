/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hartemink against merges that are tried one by one. */
#include "discretizers/registry.h"
#include "tests/discretizers/discretize_support.h"

#include <math.h>

static void hartemink_merges_as_in_the_worked_example(void **state) {
    (void)state;
    static const double x[] = {0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 0, 1, 1, 1, 2, 2};
    dataset *data = make_reals(8, 2, x);
    cut_policy p = fit_with(data, "hartemink", fit_options("levels=3", "start_levels=0"));
    assert_thresholds(&p, 0, 2, (double[]){1.5, 2.5}); /* 0 and 1 of the first; the second has three levels */
    assert_thresholds(&p, 1, 2, (double[]){.5, 1.5});
    policy_clear(&p);
    dataset_destroy(data);
}

/* Mutual information of two lists of levels, from scratch, in nats times rows. */
static double information(const size_t *a, const size_t *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double both = 0, n_a = 0, n_b = 0;
        for (size_t k = 0; k < n; k++) {
            both += a[k] == a[i] && b[k] == b[i];
            n_a += a[k] == a[i];
            n_b += b[k] == b[i];
        }
        sum += log(both * (double)n / (n_a * n_b));
    }
    return sum;
}

enum { MOST_ROWS = 40, MOST_COLUMNS = 4 };

/* Columns as levels; those that were discrete are never merged. */
typedef struct {
    size_t n, p;
    size_t level[MOST_COLUMNS][MOST_ROWS], n_levels[MOST_COLUMNS];
    bool is_fixed[MOST_COLUMNS];
} levels;

/* The merge of column i that keeps most; `now` as the other columns are seen. */
static size_t plain_merge(const levels *now, const levels *l, size_t i) {
    size_t best = 0, merged[MOST_ROWS];
    double most = -1;
    for (size_t a = 0; a + 1 < l->n_levels[i]; a++) {
        double kept = 0;
        for (size_t r = 0; r < l->n; r++)
            merged[r] = l->level[i][r] - (l->level[i][r] > a);
        for (size_t j = 0; j < l->p; j++)
            kept += j == i ? 0 : information(merged, now->level[j], l->n);
        if (kept > most + 1e-9) {
            most = kept;
            best = a;
        }
    }
    return best;
}

/* Hartemink, every merge tried and the information of all pairs computed anew: one round; false where none was due. */
static bool plain_round(levels *l, size_t target, bool is_simultaneous) {
    levels before = *l;
    bool any = false;
    for (size_t i = 0; i < l->p; i++) {
        size_t best;
        if (l->is_fixed[i] || l->n_levels[i] <= target)
            continue;
        best = plain_merge(is_simultaneous ? &before : l, l, i);
        for (size_t r = 0; r < l->n; r++)
            l->level[i][r] -= l->level[i][r] > best;
        l->n_levels[i]--;
        any = true;
    }
    return any;
}

static double plain_total(const levels *l) {
    double sum = 0;
    for (size_t i = 0; i < l->p; i++)
        for (size_t j = 0; j < i; j++)
            sum += information(l->level[i], l->level[j], l->n) / (double)l->n;
    return sum;
}

/* Every distinct value a level. */
static levels plain_levels(const dataset *data) {
    levels l = {.n = dataset_row_count(data), .p = dataset_column_count(data)};
    for (size_t c = 0; c < l.p; c++) {
        sorted_column s;
        l.is_fixed[c] = !dataset_reals(data, c);
        if (l.is_fixed[c]) {
            l.n_levels[c] = dataset_state_count(data, c);
            for (size_t r = 0; r < l.n; r++)
                l.level[c][r] = dataset_state(data, r, c);
            continue;
        }
        s = sort_values(dataset_reals(data, c), l.n);
        l.n_levels[c] = s.n_cuts + 1;
        for (size_t r = 0; r < l.n; r++)
            for (size_t k = 0; k < s.n_cuts; k++)
                l.level[c][r] += s.values[s.cuts[k]] <= dataset_reals(data, c)[r];
        sorted_column_clear(&s);
    }
    return l;
}

/* Two to four columns that hang on each other; in every third the last one is discrete. */
static dataset *random_columns(random_stream *random, size_t round) {
    size_t n = 8 + (size_t)random_below(random, 17), p = 2 + (size_t)random_below(random, 3);
    variable v[MOST_COLUMNS] = {{0}};
    dataset *data = NULL;
    error_info err = {0};
    for (size_t c = 0; c < p; c++) {
        char name[32];
        (void)snprintf(name, sizeof name, "V%zu", c);
        if (round % 3 == 0 && c + 1 == p)
            assert_ok(policy_number_states(&v[c], name, 3, &err), &err);
        else
            assert_ok(variable_init_continuous(&v[c], name, &err), &err);
    }
    assert_ok(dataset_create(v, p, n, &data, &err), &err);
    for (size_t c = 0; c < p; c++) {
        for (size_t r = 0; r < n; r++) {
            double x = (double)random_below(random, 7) + (c ? dataset_reals(data, c - 1)[r] / 2 : 0);
            if (v[c].kind == VARIABLE_CONTINUOUS)
                dataset_build_reals(data, c)[r] = x;
            else
                dataset_set_state(data, r, c, (size_t)x % 3);
        }
        variable_clear(&v[c]);
    }
    return data;
}

static void hartemink_agrees_with_merges_tried_one_by_one(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(17));
    for (size_t round = 0; round < 200; round++) {
        bool is_simultaneous = round % 2 == 1;
        dataset *data = random_columns(&random, round), *made = NULL;
        levels l = plain_levels(data);
        error_info err = {0};
        cut_policy p = fit_with(
            data, "hartemink",
            fit_options("levels=3", "start_levels=0", is_simultaneous ? "updates=simultaneous" : "updates=sequential"));
        while (plain_round(&l, 3, is_simultaneous))
            continue;
        assert_ok(policy_apply(&p, data, &made, &err), &err);
        for (size_t c = 0; c < l.p; c++)
            for (size_t r = 0; r < l.n; r++)
                if (dataset_state(made, r, c) != l.level[c][r])
                    fail_msg("round %zu, column %zu, row %zu: %zu, expected %zu", round, c, r,
                             dataset_state(made, r, c), l.level[c][r]);
        policy_clear(&p);
        dataset_destroy(data);
        dataset_destroy(made);
    }
}

static size_t most_merged_levels(const levels *l) {
    size_t most = 0;
    for (size_t c = 0; c < l->p; c++)
        most = !l->is_fixed[c] && l->n_levels[c] > most ? l->n_levels[c] : most;
    return most;
}

static void hartemink_tells_what_all_pairs_share_at_every_number_of_levels(void **state) {
    random_stream random;
    const discretizer *d = NULL;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(18));
    assert_ok(discretizer_find("hartemink", &d, &err), &err);
    for (size_t round = 0; round < 40; round++) {
        bool is_simultaneous = round % 2 == 1;
        dataset *data = random_columns(&random, round);
        levels l = plain_levels(data);
        void *options = discretizer_options_create(d);
        trace told = {0};
        const trace_series *series;
        run_context ctx;
        cut_policy p = {0};
        size_t i = 0;
        run_context_init(&ctx, 1);
        ctx.trace = &told;
        assert_ok(options_set(d->options, options, "updates", is_simultaneous ? "simultaneous" : "sequential", &err),
                  &err);
        assert_ok(options_set(d->options, options, "start_levels", "0", &err), &err);
        assert_ok(discretizer_fit(d, data, options, &ctx, &p, &err), &err);
        series = trace_find_series(&told, "total_mutual_information");
        assert_close(series->points[i++].value, plain_total(&l), 1e-9);
        while (plain_round(&l, 3, is_simultaneous) || plain_round(&l, 1, is_simultaneous)) {
            assert_true(i < series->n);
            assert_int_equal(series->points[i].step, most_merged_levels(&l));
            assert_close(series->points[i].value, plain_total(&l), 1e-9);
            i++;
        }
        assert_int_equal(i, series->n);
        free(options);
        trace_clear(&told);
        policy_clear(&p);
        dataset_destroy(data);
    }
}

/* As many cells as threads share. */
static dataset *many_rows(void) {
    enum { ROWS = 900, COLUMNS = 21 };
    double *x = calloc(ROWS * COLUMNS, sizeof *x);
    random_stream random;
    dataset *data;
    random_stream_init(&random, random_key_of(19));
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] = random_uniform(&random) + (i < ROWS ? 0 : floor(2 * x[i - ROWS]));
    data = make_reals(ROWS, COLUMNS, x);
    free(x);
    return data;
}

static cut_policy fit_on_threads(size_t n_threads, const dataset *data, const char *updates, trace *told) {
    const discretizer *d = NULL;
    error_info err = {0};
    cut_policy p = {0};
    void *options;
    run_context ctx;
    run_context_init(&ctx, 1);
    ctx.n_threads = n_threads;
    ctx.trace = told;
    assert_ok(discretizer_find("hartemink", &d, &err), &err);
    options = discretizer_options_create(d);
    assert_ok(options_set(d->options, options, "updates", updates, &err), &err);
    assert_ok(options_set(d->options, options, "start_levels", "9", &err), &err);
    assert_ok(discretizer_fit(d, data, options, &ctx, &p, &err), &err);
    free(options);
    return p;
}

static void any_number_of_threads_merges_and_tells_the_same(void **state) {
    static const char *const updates[] = {"sequential", "simultaneous"};
    dataset *data = many_rows();
    (void)state;
    for (size_t u = 0; u < 2; u++) {
        trace of_one = {0};
        cut_policy one = fit_on_threads(1, data, updates[u], &of_one);
        const trace_series *told = trace_find_series(&of_one, "total_mutual_information");
        for (size_t n_threads = 2; n_threads <= 3; n_threads++) {
            trace of_many = {0};
            cut_policy many = fit_on_threads(n_threads, data, updates[u], &of_many);
            const trace_series *series = trace_find_series(&of_many, "total_mutual_information");
            assert_same_policy(&one, &many);
            assert_int_equal(told->n, series->n);
            for (size_t i = 0; i < told->n; i++)
                assert_true(told->points[i].value == series->points[i].value);
            trace_clear(&of_many);
            policy_clear(&many);
        }
        trace_clear(&of_one);
        policy_clear(&one);
    }
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hartemink_merges_as_in_the_worked_example),
        cmocka_unit_test(hartemink_agrees_with_merges_tried_one_by_one),
        cmocka_unit_test(hartemink_tells_what_all_pairs_share_at_every_number_of_levels),
        cmocka_unit_test(any_number_of_threads_merges_and_tells_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
