/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every pair without condition, each once. A thread takes a block of columns whose bit vectors stay in its first caches
 * and lets all columns before them go by. Of the bits, kept for either end, a block has words of its own.
 */
#include "core/counting/pair_tables.h"
#include "core/run/parallel.h"
#include "metrics/tests/ci_test_internal.h"
#include "metrics/tests/table_tests.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    BLOCK = 64,             /* columns of a block: a word of bits; 16 KiB of vectors at 1,000 rows, three states */
    FEWEST_COLUMNS = 128,   /* below, the pairs take no time worth the vectors */
    MOST_COLUMNS = 1 << 17, /* two gigabytes of bits */
    MOST_CELLS = 1 << 16,   /* of a table of two columns */
};

/* One thread's tools. */
typedef struct {
    ci_test *test; /* the first thread's is the caller's */
    pair_block block;
    uint32_t *cells;
    uint64_t n_tested;
} worker;

typedef struct {
    ci_test *test;
    const bool *left_out;
    const run_context *ctx;
    size_t p, n_blocks;
    pair_tables *tables;
    ci_margin *margins; /* by column */
    uint64_t *bits;
    atomic_size_t n_taken; /* blocks, from the last, which is the largest */
    atomic_bool is_over;   /* the deadline has passed, or a thread has failed */
    worker *workers;
} task;

static status init_worker(worker *w, const task *t, bool is_first, error_info *err) {
    const ci_test *like = t->test;
    table_test_options options = {like->alpha, like->min_rows, like->df};
    CHECK_ALLOC(w->cells = calloc(MOST_CELLS, sizeof *w->cells));
    if (is_first)
        w->test = t->test;
    else
        CHECK(ci_test_create(like->kind, &options, like->data, NULL, &w->test, err));
    return STATUS_OK;
}

static void clear_worker(worker *w, const task *t) {
    if (w->test != t->test)
        ci_test_destroy(w->test);
    pair_block_clear(&w->block);
    free(w->cells);
}

static bool is_left_out(const task *t, size_t column) {
    return t->left_out && t->left_out[column];
}

static void set_bit(const task *t, size_t x, size_t y) {
    t->bits[y * t->n_blocks + x / BLOCK] |= UINT64_C(1) << x % BLOCK;
}

static void judge(const task *t, worker *w, size_t x, size_t y) {
    const dataset *data = t->test->data;
    size_t r_x = dataset_state_count(data, x), r_y = dataset_state_count(data, y);
    association a;
    if (is_left_out(t, y) || !ci_test_has_rows_for(t->test, (double)r_x * (double)r_y))
        return;
    pair_block_lay(&w->block, y, w->cells);
    a = ci_test_judge_pair(w->test, w->cells, r_x, r_y, &t->margins[x], &t->margins[y]);
    w->n_tested++;
    if (!a.is_zero) {
        set_bit(t, x, y);
        set_bit(t, y, x);
    }
}

static bool is_over(task *t) {
    if (run_context_is_expired(t->ctx))
        atomic_store(&t->is_over, true);
    return atomic_load(&t->is_over);
}

/* The columns before `end` go by those of the block first .. end - 1. */
static void survey_block(task *t, worker *w, size_t first, size_t end) {
    for (size_t x = 0; x + 1 < end; x++) {
        if (is_over(t))
            return;
        if (is_left_out(t, x))
            continue;
        pair_block_count(&w->block, x);
        for (size_t y = x < first ? first : x + 1; y < end; y++)
            judge(t, w, x, y);
    }
}

static status work(void *self, size_t index, error_info *err) {
    status st = STATUS_OK;
    task *t = self;
    worker *w = &t->workers[index];
    TRY(init_worker(w, t, index == 0, err));
    while (!is_over(t)) {
        size_t taken = atomic_fetch_add(&t->n_taken, 1), first, end;
        if (taken >= t->n_blocks)
            break;
        first = (t->n_blocks - 1 - taken) * BLOCK;
        end = t->p - first < BLOCK ? t->p : first + BLOCK;
        TRY(pair_block_begin(&w->block, t->tables, first, end, err));
        survey_block(t, w, first, end);
    }
cleanup:
    if (st != STATUS_OK)
        atomic_store(&t->is_over, true);
    return st;
}

static bool is_worth_it(const ci_test *t) {
    size_t p = dataset_column_count(t->data), most = dataset_most_states(t->data);
    return t->is_g2 && !pair_survey_was_made(&t->survey) && p >= FEWEST_COLUMNS && p <= MOST_COLUMNS &&
           most * most <= MOST_CELLS;
}

static status prepare(task *t, size_t n_workers, error_info *err) {
    const dataset *data = t->test->data;
    CHECK(pair_tables_create(data, &t->tables, err));
    CHECK_ALLOC(t->margins = calloc(t->p, sizeof *t->margins));
    CHECK_ALLOC(t->bits = calloc(t->p * t->n_blocks, sizeof *t->bits));
    CHECK_ALLOC(t->workers = calloc(n_workers, sizeof *t->workers));
    for (size_t i = 0; i < t->p; i++)
        t->margins[i] = ci_test_margin(t->test, pair_tables_margin(t->tables, i), dataset_state_count(data, i));
    return STATUS_OK;
}

static void take_result(task *t, size_t n_workers) {
    if (atomic_load(&t->is_over))
        return;
    t->test->survey = (pair_survey){t->n_blocks, TAKE(t->bits)};
    for (size_t i = 0; i < n_workers; i++)
        t->test->tally->computed += t->workers[i].n_tested;
}

status ci_test_survey(ci_test *test, const bool *left_out, const run_context *ctx, error_info *err) {
    status st = STATUS_OK;
    task t = {.test = test, .left_out = left_out, .ctx = ctx, .p = dataset_column_count(test->data)};
    size_t n_workers = 0;

    if (!is_worth_it(test))
        return STATUS_OK;
    t.n_blocks = (t.p + BLOCK - 1) / BLOCK;
    n_workers = ctx->n_threads < t.n_blocks ? ctx->n_threads : t.n_blocks;
    TRY(prepare(&t, n_workers, err));
    TRY(parallel_run(n_workers, work, &t, err));
    take_result(&t, n_workers);
cleanup:
    for (size_t i = 0; t.workers && i < n_workers; i++)
        clear_worker(&t.workers[i], &t);
    free(t.workers);
    free(t.margins);
    free(t.bits);
    pair_tables_destroy(t.tables);
    return st;
}
