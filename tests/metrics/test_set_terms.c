/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several threads know of sets, also where it grows too large and is begun anew. */
#include "tests/support/support.h"

#include "core/run/parallel.h"
#include "metrics/numerics/set_terms_internal.h"

enum { COLUMNS = 56, ROWS = 40, THREADS = 3 };

typedef struct {
    set_terms *sets[THREADS]; /* by thread */
} shared_terms;

static set_term made_up(size_t a, size_t b, size_t c, size_t d) {
    return (set_term){(int64_t)(((a * COLUMNS + b) * COLUMNS + c) * COLUMNS + d), (double)d};
}

/* Sets of four columns, each with a sum of its own, by all threads; now and then one looks whether they are too many.
 */
static status know_many(void *self, size_t worker, error_info *err) {
    const shared_terms *shared = self;
    set_terms *s = shared->sets[worker];
    for (size_t a = 0; a < COLUMNS; a++) {
        for (size_t b = a + 1; b < COLUMNS; b++) {
            for (size_t c = b + 1; c < COLUMNS; c++) {
                for (size_t d = c + 1; d < COLUMNS; d++) {
                    set_term expected = made_up(a, b, c, d), found;
                    if (!set_terms_find(s, (const size_t[]){a, b}, 2, c, d, &found))
                        set_terms_add(s, (const size_t[]){a, b}, 2, c, d, &expected);
                    else if (found.sum != expected.sum || found.n_cells != expected.n_cells)
                        return error_set(err, STATUS_BUG, "%zu %zu %zu %zu: another sum", a, b, c, d);
                }
            }
            set_terms_shrink(s);
        }
    }
    return STATUS_OK;
}

static void threads_know_the_same_sums_and_forget_them_together(void **state) {
    random_stream random;
    dataset *data;
    whole_terms terms;
    shared_terms shared = {0};
    set_term found;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(3));
    data = make_random_dataset(&random, ROWS, COLUMNS, 3);
    assert_ok(whole_terms_init(&terms, ROWS, &err), &err);
    assert_ok(set_terms_create(data, &terms, &shared.sets[0], &err), &err);
    assert_ok(set_terms_share(shared.sets[0], &err), &err);
    for (size_t i = 1; i < THREADS; i++)
        assert_ok(set_terms_create_beside(shared.sets[0], &shared.sets[i], &err), &err);
    set_terms_add(shared.sets[0], (const size_t[]){0, 1}, 2, 2, 3, &(set_term){made_up(0, 1, 2, 3).sum, 3});
    assert_true(set_terms_find(shared.sets[1], (const size_t[]){1, 3}, 2, 2, 0, &found));
    for (int round = 0; round < 2; round++)
        assert_ok(parallel_run(THREADS, know_many, &shared, &err), &err);
    for (size_t i = 0; i < THREADS; i++) /* the first goes first: what is known is no one thread's */
        set_terms_destroy(shared.sets[i]);
    whole_terms_clear(&terms);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_know_the_same_sums_and_forget_them_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
