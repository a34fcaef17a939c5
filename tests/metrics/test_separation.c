/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All sets of a pool at once: against one test after the other, and the bounds against inverses by GSL. */
#include "tests/support/gaussian_support.h"

#include "metrics/numerics/conditioned_pair_internal.h"
#include "metrics/numerics/gaussian_moments.h"
#include "metrics/numerics/set_count.h"
#include "metrics/tests/fisher_z.h"

#include <gsl/gsl_linalg.h>

enum { MOST = 24 };

/* --- against one test after the other --- */

static bool is_never_expired(void *clock) {
    (void)clock;
    return false;
}

static ci_test *make_test(const char *name, const dataset *data, double alpha, statistics_count *tally) {
    const ci_test_kind *kind = NULL;
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_kind_find(name, &kind, &err), &err);
    assert_ok(ci_test_create(kind, &(correlation_test_options){.alpha = alpha}, data, tally, &t, &err), &err);
    return t;
}

static bool next_set(size_t *places, size_t k, size_t n) {
    size_t i = k;
    while (i > 0 && places[i - 1] == n - k + i - 1)
        i--;
    if (i == 0)
        return false;
    places[i - 1]++;
    for (; i < k; i++)
        places[i] = places[i - 1] + 1;
    return true;
}

/* The first set that the tests call independent, asked one by one. */
static bool find_plainly(ci_test *t, const separation_task *task, size_t *z) {
    size_t others[MOST], places[MOST], n = 0;
    error_info err = {0};
    for (size_t i = 0; i < task->n_pool; i++) {
        if (task->pool[i] != task->y)
            others[n++] = task->pool[i];
    }
    for (size_t i = 0; i < task->size; i++)
        places[i] = i;
    do {
        association value = {0};
        bool reliable;
        for (size_t i = 0; i < task->size; i++)
            z[i] = others[places[i]];
        assert_ok(ci_test_associate(t, task->y, task->x, z, task->size, &reliable, &value, &err), &err);
        assert_true(reliable);
        if (value.is_zero)
            return true;
    } while (next_set(places, task->size, n));
    return false;
}

static void compare_searches(ci_test *plain, const statistics_count *of_plain, ci_test *quick,
                             const statistics_count *of_quick, const separation_task *task, size_t *n_answered) {
    size_t z[MOST], expected[MOST];
    separation found = {.z = z};
    error_info err = {0};
    bool is_there;
    assert_ok(ci_test_separate(quick, task, &found, &err), &err);
    if (!found.is_answered)
        return;
    is_there = find_plainly(plain, task, expected);
    assert_int_equal(found.is_found, is_there);
    for (size_t i = 0; is_there && i < task->size; i++)
        assert_int_equal(z[i], expected[i]);
    assert_int_equal(of_quick->requests, of_plain->requests);
    assert_int_equal(of_quick->computed, of_plain->computed);
    ++*n_answered;
}

/* x = the first column and a random pool of the others, y of the pool: every size in turn. */
static void compare_on(random_stream *random, const dataset *data, const char *name, double alpha, size_t *n_answered) {
    statistics_count of_plain = {0}, of_quick = {0};
    ci_test *plain = make_test(name, data, alpha, &of_plain), *quick = make_test(name, data, alpha, &of_quick);
    size_t pool[MOST], n_pool = 0;
    for (size_t c = 1; c < dataset_column_count(data); c++) {
        if (random_below(random, 8) > 0)
            pool[n_pool++] = c;
    }
    for (size_t i = 0; i < 3 && n_pool > 0; i++) {
        size_t y = pool[random_below(random, n_pool)];
        separation_task task = {.y = y, .pool = pool, .n_pool = n_pool, .is_expired = is_never_expired};
        for (task.size = 0; task.size < n_pool; task.size++)
            compare_searches(plain, &of_plain, quick, &of_quick, &task, n_answered);
        ci_test_destroy(plain); /* a pair once: what is in its cache is not counted */
        ci_test_destroy(quick);
        of_plain = of_quick = (statistics_count){0};
        plain = make_test(name, data, alpha, &of_plain);
        quick = make_test(name, data, alpha, &of_quick);
    }
    ci_test_destroy(plain);
    ci_test_destroy(quick);
}

static void all_sets_at_once_are_answered_and_counted_as_one_by_one(void **state) {
    static const double alphas[] = {0.05, 0.3, 1e-6};
    random_stream random;
    size_t n_answered = 0;
    (void)state;
    random_stream_init(&random, random_key_of(15));
    for (int run = 0; run < 60; run++) {
        size_t n_columns = 3 + random_below(&random, run % 6 == 0 ? 13 : 9);
        dataset *data = make_random_reals(&random, n_columns + 6 + random_below(&random, 1000), n_columns);
        compare_on(&random, data, run % 3 == 0 ? "cor" : "zf", alphas[run % 3], &n_answered);
        dataset_destroy(data);
    }
    assert_that(n_answered, >, 500);
}

/* What n columns share: a common cause, strong or weak, so that many sets have to be looked at. */
static dataset *make_hub(random_stream *random, size_t n_rows, size_t n_columns, double weight, double twin) {
    double *values = calloc(n_rows * n_columns, sizeof *values);
    dataset *data;
    for (size_t i = 0; i < n_rows; i++) {
        double *row = values + i * n_columns;
        row[0] = normal_deviate(random);
        for (size_t c = 1; c < n_columns; c++)
            row[c] = weight * row[0] + normal_deviate(random);
        if (twin > 0)
            row[2] = row[1] + twin * row[2];
    }
    data = make_reals(n_rows, n_columns, values);
    free(values);
    return data;
}

static void a_hub_is_answered_and_counted_as_one_by_one(void **state) {
    random_stream random;
    size_t n_answered = 0;
    (void)state;
    random_stream_init(&random, random_key_of(16));
    for (int run = 0; run < 6; run++) {
        dataset *data = make_hub(&random, 400 + 200 * (size_t)run, 14, 0.15 + 0.1 * run, 0);
        compare_on(&random, data, "zf", 0.05, &n_answered);
        dataset_destroy(data);
    }
    assert_that(n_answered, >, 100);
}

/* Of copies all but for rounding, correlations are not what either computation says they are. */
static void columns_that_are_nearly_the_same_are_left_to_the_tests(void **state) {
    static const size_t pool[] = {1, 2, 3, 4, 5};
    random_stream random;
    size_t z[3];
    separation found = {.z = z};
    separation_task task = {.y = 5, .pool = pool, .n_pool = 5, .size = 3, .is_expired = is_never_expired};
    dataset *data;
    ci_test *t;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(17));
    data = make_hub(&random, 300, 6, 0.8, 1e-4);
    t = make_test("zf", data, 0.05, NULL);
    assert_ok(ci_test_separate(t, &task, &found, &err), &err);
    assert_false(found.is_answered);
    ci_test_destroy(t);
    dataset_destroy(data);
}

/* Sets of columns that were asked from the other end are requests, but are computed no second time. */
static void what_is_known_is_not_computed_again(void **state) {
    static const size_t pool[] = {1, 2, 3, 4, 5};
    static const uint32_t known[] = {0, 1, 3, 4};
    random_stream random;
    statistics_count tally = {0};
    size_t z[2];
    separation found = {.z = z};
    separation_task task = {
        .y = 5, .pool = pool, .n_pool = 5, .size = 2, .known = known, .n_known = 4, .is_expired = is_never_expired};
    dataset *data;
    ci_test *t;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(18));
    data = make_hub(&random, 3000, 6, 1, 0);
    t = make_test("zf", data, 0.05, &tally);
    assert_ok(ci_test_separate(t, &task, &found, &err), &err);
    assert_true(found.is_answered && !found.is_found);
    assert_int_equal(tally.requests, 6); /* of 1, 2, 3, 4 */
    assert_int_equal(tally.computed, 3); /* but for those of 1, 3, 4 */
    ci_test_destroy(t);
    dataset_destroy(data);
}

/* --- against inverses --- */

enum { COLUMNS = 7 };

/* The inverse of the rows and columns of a set, which x and y (0 and 1) begin. */
static gsl_matrix *invert(const gsl_matrix *all, const size_t *set, size_t n) {
    gsl_matrix *m = gsl_matrix_alloc(n, n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(m, i, j, gsl_matrix_get(all, set[i], set[j]));
    }
    assert_int_equal(gsl_linalg_cholesky_decomp1(m), 0);
    assert_int_equal(gsl_linalg_cholesky_invert(m), 0);
    return m;
}

static double squared_by_inverse(const gsl_matrix *all, unsigned set) {
    size_t columns[COLUMNS] = {0, 1}, n = 2;
    gsl_matrix *m;
    double r;
    for (size_t c = 2; c < COLUMNS; c++) {
        if (set >> c & 1)
            columns[n++] = c;
    }
    m = invert(all, columns, n);
    r = gsl_matrix_get(m, 0, 1) / sqrt(gsl_matrix_get(m, 0, 0) * gsl_matrix_get(m, 1, 1));
    gsl_matrix_free(m);
    return r * r;
}

static gsl_matrix *random_correlations(random_stream *random) {
    dataset *data = make_random_reals(random, 40, COLUMNS);
    gaussian_moments *moments = NULL;
    gsl_matrix *all = gsl_matrix_alloc(COLUMNS, COLUMNS);
    error_info err = {0};
    assert_ok(gaussian_moments_create(data, 1, &moments, &err), &err);
    for (size_t i = 0; i < COLUMNS; i++) {
        for (size_t j = 0; j < COLUMNS; j++)
            gsl_matrix_set(all, i, j, gaussian_moments_correlation(moments, i, j));
    }
    gaussian_moments_destroy(moments);
    dataset_destroy(data);
    return all;
}

typedef struct {
    conditioned_pair pair;
    size_t candidates[COLUMNS];
    double left[COLUMNS * COLUMNS], precision[COLUMNS * COLUMNS];
} branch;

static void point(branch *b) {
    b->pair.candidates = b->candidates;
    b->pair.left = b->left;
    b->pair.precision = b->precision;
}

static double value_of(squared_correlation r) {
    return r.product * r.product / r.variances;
}

/* Every branch below this one: its two ends are those of inverses, and no set between them falls below the bound. */
static void check_branch(const gsl_matrix *all, const branch *b, unsigned given) {
    unsigned most = given;
    bool by_y;
    double least = 1 - 1 / conditioned_pair_least_ratio(&b->pair, &by_y);
    for (size_t i = 0; i < b->pair.n; i++)
        most |= 1u << b->candidates[i];
    assert_close(value_of(conditioned_pair_given_least(&b->pair)), squared_by_inverse(all, given), 1e-9);
    assert_close(value_of(conditioned_pair_given_most(&b->pair)), squared_by_inverse(all, most), 1e-9);
    for (unsigned more = most & ~given, set = more;; set = (set - 1) & more) {
        assert_that(squared_by_inverse(all, given | set), >=, least - 1e-9);
        if (set == 0)
            break;
    }
    if (b->pair.n > 0) {
        size_t i = conditioned_pair_most_telling(&b->pair, by_y);
        branch next;
        assert_that(i, <, b->pair.n);
        point(&next);
        conditioned_pair_include(&b->pair, i, &next.pair);
        check_branch(all, &next, given | 1u << b->candidates[i]);
        conditioned_pair_exclude(&b->pair, i, &next.pair);
        check_branch(all, &next, given);
    }
}

static void bounds_hold_for_every_set_of_a_branch(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(19));
    for (int run = 0; run < 20; run++) {
        static const size_t every[COLUMNS] = {0, 1, 2, 3, 4, 5, 6};
        gsl_matrix *all = random_correlations(&random), *inverse = invert(all, every, COLUMNS);
        branch b = {.pair = {.n = COLUMNS - PAIR_FIRST}};
        point(&b);
        for (size_t i = 0; i < COLUMNS; i++) {
            if (i >= PAIR_FIRST)
                b.candidates[i - PAIR_FIRST] = i;
            for (size_t j = 0; j < COLUMNS; j++) {
                b.left[i * COLUMNS + j] = gsl_matrix_get(all, i, j);
                b.precision[i * COLUMNS + j] = gsl_matrix_get(inverse, i, j);
            }
        }
        check_branch(all, &b, 0);
        gsl_matrix_free(all);
        gsl_matrix_free(inverse);
    }
}

/* --- counts --- */

static void sets_are_counted_up_to_what_a_number_holds(void **state) {
    (void)state;
    assert_int_equal(set_count(5, 0), 1);
    assert_int_equal(set_count(5, 2), 10);
    assert_int_equal(set_count(5, 6), 0);
    assert_int_equal(set_count(41, 20), 269128937220);
    assert_true(set_count(67, 33) == 14226520737620288370u);
    assert_true(set_count(68, 34) == UINT64_MAX); /* 28453041475240576740 */
    assert_true(set_count(1000, 500) == UINT64_MAX);
    assert_true(set_count(1000, 999) == 1000);
    assert_true(set_count_add(UINT64_MAX - 1, 2) == UINT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sets_at_once_are_answered_and_counted_as_one_by_one),
        cmocka_unit_test(a_hub_is_answered_and_counted_as_one_by_one),
        cmocka_unit_test(columns_that_are_nearly_the_same_are_left_to_the_tests),
        cmocka_unit_test(what_is_known_is_not_computed_again),
        cmocka_unit_test(bounds_hold_for_every_set_of_a_branch),
        cmocka_unit_test(sets_are_counted_up_to_what_a_number_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
