/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/test_batch_internal.h"

#include "core/run/atomic_least.h"
#include "core/run/guided_share.h"

#include <stdlib.h>

enum { MOST_TESTS = 2048 };

status test_batch_init(test_batch *b, size_t n_variables, error_info *err) {
    CHECK_ALLOC(b->columns = calloc(n_variables + 1, sizeof *b->columns));
    CHECK_ALLOC(b->ends = calloc(n_variables + 1, sizeof *b->ends));
    CHECK_ALLOC(b->sets = calloc(MOST_TESTS + 1, sizeof *b->sets));
    CHECK_ALLOC(b->answers = calloc(MOST_TESTS + n_variables, sizeof *b->answers));
    return STATUS_OK;
}

void test_batch_clear(test_batch *b) {
    free(b->columns);
    free(b->ends);
    free(b->sets);
    free(b->answers);
}

void test_batch_begin(test_batch *b, size_t n_columns) {
    b->n_columns = n_columns;
    b->n_sets = 0;
    b->most_sets = MOST_TESTS / (n_columns + 1) + 1;
    for (size_t i = 0; i < n_columns; i++)
        atomic_store(&b->ends[i], SIZE_MAX);
    atomic_store(&b->next, 0);
}

void test_batch_add(test_batch *b, uint64_t members) {
    size_t set = b->n_sets++;
    b->sets[set] = members;
    for (size_t i = 0; i < b->n_columns; i++)
        *test_batch_answer(b, set, i) = (batch_answer){0};
}

size_t test_batch_lay(const size_t *pool, uint64_t members, size_t *z) {
    size_t n = 0;
    for (; members != 0; members &= members - 1)
        z[n++] = pool[__builtin_ctzll(members)];
    return n;
}

static status ask_one(test_batch *b, const batch_asker *asker, size_t set, size_t column, size_t n_z, error_info *err) {
    batch_answer *a = test_batch_answer(b, set, column);
    statistics_count before = *asker->tally;
    a->is_reliable = asker->is_dependent(asker->self, b->columns[column], n_z, &a->verdict);
    if (!a->is_reliable)
        CHECK(association_probe_decide(asker->probe, b->columns[column], b->target, asker->z, n_z, &a->is_reliable,
                                       &a->verdict, err));
    a->is_there = true;
    a->count = statistics_count_since(asker->tally, &before);
    *asker->tally = before;
    if (a->is_reliable && a->verdict.is_exact && a->verdict.value.is_zero)
        atomic_least_lower(&b->ends[column], set); /* no set after it counts for the column */
    return STATUS_OK;
}

/* The columns from `first` to `end` given a set. */
static status ask_set(test_batch *b, const batch_asker *asker, size_t set, size_t first, size_t end, error_info *err) {
    size_t n_z = test_batch_lay(b->pool, b->sets[set], asker->z);
    double cells = table_limit_states(b->limit, b->target);
    for (size_t i = 0; i < n_z; i++)
        cells *= table_limit_states(b->limit, asker->z[i]);
    for (size_t i = first; i < end; i++) {
        if (!test_batch_answer(b, set, i)->is_there && set < atomic_load(&b->ends[i]) &&
            table_limit_allows(b->limit, cells * table_limit_states(b->limit, b->columns[i])))
            CHECK(ask_one(b, asker, set, i, n_z, err));
    }
    return STATUS_OK;
}

/* So many at most that a thread takes some from time to time: whole sets, as the tests given a set have much in common.
 */
static size_t tests_at_once(const test_batch *b) {
    enum { MOST_SETS = 8, SHARES = 16 };
    size_t n_sets = b->n_sets / SHARES + 1;
    return b->n_columns * (n_sets < MOST_SETS ? n_sets : MOST_SETS);
}

/* So many tests from one on. */
static status ask_tests(test_batch *b, const batch_asker *asker, size_t first, size_t n, error_info *err) {
    size_t n_tests = b->n_sets * b->n_columns, end = n_tests - first < n ? n_tests : first + n;
    for (size_t at = first, next; at < end; at = next) {
        size_t set = at / b->n_columns, of_set = set * b->n_columns;
        next = end - of_set < b->n_columns ? end : of_set + b->n_columns;
        CHECK(ask_set(b, asker, set, at - of_set, next - of_set, err));
    }
    return STATUS_OK;
}

status test_batch_ask(test_batch *b, const batch_asker *asker, error_info *err) {
    status st = STATUS_OK;
    size_t n_tests = b->n_sets * b->n_columns, most = tests_at_once(b), first, n;
    while (st == STATUS_OK && !asker->probe->is_expired &&
           (first = guided_share_take(&b->next, n_tests, most, &n)) < n_tests)
        st = ask_tests(b, asker, first, n, err);
    if (st != STATUS_OK)
        atomic_store(&b->next, n_tests); /* what the others find is of no use */
    return st;
}
