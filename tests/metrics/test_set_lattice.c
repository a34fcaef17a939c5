/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a column shares with its members given others: against counts of the rows themselves. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "metrics/tests/set_lattice_internal.h"

#include <stdlib.h>
#include <string.h>

enum { N_COLUMNS = 9, N_MEMBERS = N_COLUMNS - 1, TARGET = 3 };

/* Columns of so many states; 0: of any number. */
static dataset *make_data(random_stream *random, size_t n_rows, size_t states) {
    int *cells = calloc(n_rows * N_COLUMNS, sizeof *cells);
    size_t n_states[N_COLUMNS];
    dataset *data;
    assert_non_null(cells);
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = states > 0 ? states : 1 + random_below(random, LATTICE_MOST_STATES);
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t c = 0; c < N_COLUMNS; c++) {
            int last = c ? cells[i * N_COLUMNS + c - 1] : 0;
            bool is_copy = last < (int)n_states[c] && random_below(random, 3) > 0;
            cells[i * N_COLUMNS + c] = is_copy ? last : (int)random_below(random, n_states[c]);
        }
    }
    data = make_dataset(n_rows, N_COLUMNS, n_states, cells);
    free(cells);
    return data;
}

enum { N_SETS = 1 << N_COLUMNS, MOST_CELLS = 1 << 2 * N_COLUMNS };

/* The sums of n log n of all sets of columns, a bit a column. */
typedef struct {
    int64_t of[N_SETS];
} exact_sums;

static int64_t sum_of(const dataset *data, const whole_terms *terms, unsigned columns) {
    static uint32_t rows[MOST_CELLS];
    size_t n_cells = 1;
    int64_t sum = 0;
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_cells *= columns >> c & 1 ? LATTICE_MOST_STATES : 1;
    memset(rows, 0, n_cells * sizeof *rows);
    for (size_t i = 0; i < dataset_row_count(data); i++) {
        size_t cell = 0;
        for (size_t c = 0; c < N_COLUMNS; c++)
            cell = columns >> c & 1 ? cell * LATTICE_MOST_STATES + dataset_state(data, i, c) : cell;
        rows[cell]++;
    }
    for (size_t i = 0; i < n_cells; i++)
        sum += terms->at[rows[i]];
    return sum;
}

static void sum_all(const dataset *data, const whole_terms *terms, exact_sums *out) {
    for (unsigned columns = 0; columns < N_SETS; columns++)
        out->of[columns] = sum_of(data, terms, columns);
}

static void columns_of_members(size_t *members) {
    for (size_t i = 0; i < N_MEMBERS; i++)
        members[i] = i < TARGET ? i : i + 1;
}

static unsigned columns_of(uint64_t set) {
    size_t members[N_MEMBERS];
    unsigned columns = 0;
    columns_of_members(members);
    for (size_t i = 0; i < N_MEMBERS; i++)
        columns |= set >> i & 1 ? 1u << members[i] : 0;
    return columns;
}

/* n times the information of a member and the target given a set. */
static int64_t shared(const exact_sums *sums, size_t member, uint64_t given) {
    unsigned z = columns_of(given), x = columns_of(UINT64_C(1) << member), t = 1u << TARGET;
    return sums->of[x | t | z] - sums->of[x | z] - sums->of[t | z] + sums->of[z];
}

static void check_member(const set_lattice *l, const exact_sums *sums, size_t member) {
    uint64_t others = ((UINT64_C(1) << N_MEMBERS) - 1) & ~(UINT64_C(1) << member);
    int64_t least[LATTICE_MOST_GIVEN + 1];
    for (size_t n = 0; n <= l->most; n++)
        least[n] = INT64_MAX;
    for (uint64_t given = 0; given <= others; given++) {
        size_t n = (size_t)__builtin_popcountll(given);
        int64_t exact, found;
        if ((given & ~others) != 0 || n > l->most)
            continue;
        exact = shared(sums, member, given);
        found = set_lattice_least(l, member, given);
        assert_true(n < l->most ? found == exact : found <= exact);
        least[n] = exact < least[n] ? exact : least[n];
    }
    for (size_t n = 1; n <= l->most; n++) {
        assert_false(set_lattice_always(l, member, others, n, least[n] + 1));
        assert_true(set_lattice_always(l, member, others, n, INT64_MIN / 4));
    }
}

static status share(void *self, parallel_work work, void *arg, error_info *err) {
    return parallel_run(*(const size_t *)self, work, arg, err);
}

static void sums_of_all_sets_are_those_of_the_rows(void **state) {
    static const char *const levels[] = {"portable", "avx2", "avx512bw", "avx512"};
    random_stream random;
    exact_sums sums;
    (void)state;
    random_stream_init(&random, random_key_of(31));
    for (size_t round = 0; round < 16; round++) { /* the fifth, and past the eighth: strata of several strips */
        size_t n_rows = round == 5 ? 20000 : round > 7 ? 3000 : 50 + random_below(&random, 400);
        dataset *data = make_data(&random, n_rows, round < 4 || round >= 12 ? 0 : 3);
        size_t n_threads = 1 + round % 3;
        work_sharing sharing = {&n_threads, share};
        whole_terms terms;
        set_lattice l = {0};
        size_t members[N_MEMBERS];
        error_info err = {0};
        columns_of_members(members);
        assert_true(set_lattice_takes(data, TARGET, members, N_MEMBERS));
        assert_ok(whole_terms_init(&terms, dataset_row_count(data), &err), &err);
        assert_int_equal(setenv("BNBENCH_SIMD", levels[round % 4], 1), 0);
        assert_ok(set_lattice_count(&l, data, &terms, TARGET, members, N_MEMBERS, LATTICE_MOST_GIVEN - round % 2,
                                    round > 0 ? &sharing : NULL, &err),
                  &err);
        sum_all(data, &terms, &sums);
        for (size_t member = 0; member < N_MEMBERS; member++)
            check_member(&l, &sums, member);
        set_lattice_clear(&l);
        whole_terms_clear(&terms);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_of_all_sets_are_those_of_the_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
