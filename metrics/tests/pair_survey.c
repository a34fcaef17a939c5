/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every pair without condition, or every one of a part of the columns with those after them, each once. A thread takes
 * a block of columns whose bit vectors stay in its first caches and lets the columns of all blocks up to it go by that
 * are of the part. Columns have places by block, and a place a word for each block from its own on, which the thread of
 * that block alone writes: one bit a pair.
 */
#include "core/base/huge_pages.h"
#include "core/run/parallel.h"
#include "metrics/tests/ci_test_internal.h"
#include "metrics/tests/pair_screen.h"
#include "metrics/tests/table_tests.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    LANES = PAIR_BLOCK_COLUMNS,
    FEWEST_COLUMNS = 128,   /* below, the pairs take no time worth the vectors */
    MOST_COLUMNS = 1 << 17, /* a gigabyte of bits */
    MOST_WORDS = 1 << 25,   /* of a part: a quarter of that */
    MOST_CELLS = 1 << 16,   /* of a table of two columns */
};

/* One thread's tools. */
typedef struct {
    ci_test *test; /* the first thread's is the caller's */
    pair_screen *screen;
    uint64_t n_tested;
} worker;

typedef struct {
    ci_test *test;
    const bool *left_out;
    const run_context *ctx;
    size_t first, end; /* columns of the part, from and up to; all of them, if it is no part */
    bool tells;        /* ctx->tell what is done of it */
    pair_blocks blocks;
    size_t n_leading;          /* blocks of the part */
    pair_tables *lent;         /* NULL: there are none, and it makes: */
    pair_tables *own;          /* NULL: not needed */
    const pair_tables *tables; /* the ones or the others; NULL: the tests are not of tables */
    ci_margin *margins;        /* by column; NULL likewise */
    uint32_t *places;
    uint64_t *bits;
    atomic_size_t n_taken; /* blocks, from the last, which meets all others */
    atomic_bool is_over;   /* the deadline has passed, or a thread has failed */
    worker *workers;
} task;

static status init_worker(worker *w, const task *t, bool is_first, error_info *err) {
    if (is_first)
        w->test = t->test;
    else
        CHECK(ci_test_create_beside(t->test, NULL, &w->test, err));
    return t->tables ? pair_screen_create(w->test, t->tables, t->margins, &w->screen, err) : STATUS_OK;
}

static void clear_worker(worker *w, const task *t) {
    pair_screen_destroy(w->screen);
    if (w->test != t->test)
        ci_test_destroy(w->test);
}

static bool is_left_out(const task *t, size_t column) {
    return t->left_out && t->left_out[column];
}

/* A block that a thread is at. */
typedef struct {
    size_t number, n_columns;
    const size_t *columns;
    bool has_bits;
    uint64_t wanted; /* lanes that are not left out */
} current_block;

static current_block find_block(const task *t, size_t number) {
    const pair_blocks *b = &t->blocks;
    size_t first = b->starts[number];
    current_block c = {.number = number, .n_columns = b->starts[number + 1] - first, .columns = b->columns + first};
    c.has_bits = t->tables && pair_tables_columns(t->tables)[c.columns[0]].bits;
    for (size_t i = 0; i < c.n_columns; i++)
        c.wanted |= (uint64_t)!is_left_out(t, c.columns[i]) << i;
    return c;
}

/* Those of the wanted lanes that are dependent on x. */
static uint64_t test_lanes(worker *w, const current_block *b, size_t x, bool x_has_bits, uint64_t wanted) {
    bool is_screened = b->has_bits && x_has_bits;
    screened s = is_screened ? pair_screen_count(w->screen, x) : (screened){UINT64_MAX, 0};
    uint64_t dependent = wanted & s.are;
    for (uint64_t open = wanted & s.may_be & ~s.are; open; open &= open - 1) {
        size_t lane = (size_t)__builtin_ctzll(open);
        association a =
            is_screened ? pair_screen_judge(w->screen, lane) : pair_screen_judge_alone(w->screen, x, b->columns[lane]);
        dependent |= (uint64_t)!a.is_zero << lane;
    }
    return dependent;
}

/* The same by tests that are not of tables. */
static status separate_lanes(const worker *w, const current_block *b, size_t x, uint64_t wanted, uint64_t *dependent,
                             error_info *err) {
    const ci_test *t = w->test;
    *dependent = 0;
    for (uint64_t open = wanted; open; open &= open - 1) {
        size_t lane = (size_t)__builtin_ctzll(open);
        separation found = {0};
        CHECK(
            t->evaluator->separate(t->state, t->alpha, &(separation_task){.x = x, .y = b->columns[lane]}, &found, err));
        *dependent |= (uint64_t)!found.is_found << lane;
    }
    return STATUS_OK;
}

static bool is_over(task *t) {
    if (run_context_is_expired(t->ctx))
        atomic_store(&t->is_over, true);
    return atomic_load(&t->is_over);
}

/* Of the columns of a block, those after the one that goes by: all, unless both are of the same block. Of two that are
 * of the part each pair comes once, by places. */
static status pass_block(task *t, worker *w, const current_block *b, const current_block *by, error_info *err) {
    if (!ci_test_has_enough_rows(t->test, b->columns[0], by->columns[0], NULL, 0))
        return STATUS_OK;
    for (size_t i = 0; i < by->n_columns; i++) {
        size_t place = by->number * LANES + i;
        uint64_t after = by->number < b->number ? UINT64_MAX : i + 1 < LANES ? UINT64_MAX << (i + 1) : 0;
        uint64_t wanted = b->wanted & after, *out = &t->bits[pair_survey_word(t->blocks.n_blocks, place, b->number)];
        if (!(by->wanted >> i & 1))
            continue;
        if (t->tables)
            *out = test_lanes(w, b, by->columns[i], by->has_bits, wanted);
        else
            CHECK(separate_lanes(w, b, by->columns[i], wanted, out, err));
        w->n_tested += (uint64_t)__builtin_popcountll(wanted);
    }
    return STATUS_OK;
}

/* Those up to it that are of the part. */
static status pass_blocks(task *t, worker *w, const current_block *b, error_info *err) {
    if (b->has_bits)
        CHECK(pair_screen_begin(w->screen, b->columns, b->n_columns, err));
    for (size_t i = 0; i <= b->number && i < t->n_leading && !is_over(t); i++) {
        current_block by = find_block(t, i);
        CHECK(pass_block(t, w, b, &by, err));
    }
    return STATUS_OK;
}

static status work(void *self, size_t index, error_info *err) {
    status st = STATUS_OK;
    task *t = self;
    worker *w = &t->workers[index];
    TRY(init_worker(w, t, index == 0, err));
    while (!is_over(t)) {
        size_t taken = atomic_fetch_add(&t->n_taken, 1);
        current_block b;
        if (taken >= t->blocks.n_blocks)
            break;
        if (index == 0 && t->tells)
            t->ctx->tell(t->ctx->listener, (double)taken / (double)t->blocks.n_blocks);
        b = find_block(t, t->blocks.n_blocks - 1 - taken);
        TRY(pass_blocks(t, w, &b, err));
    }
cleanup:
    if (st != STATUS_OK)
        atomic_store(&t->is_over, true);
    return st;
}

static bool is_worth_tables(const ci_test *t) {
    size_t most = dataset_most_states(t->data);
    return t->is_g2 && dataset_column_count(t->data) >= FEWEST_COLUMNS && most * most <= MOST_CELLS;
}

bool ci_test_can_survey(const ci_test *t) {
    const ci_evaluator *of = t->evaluator;
    return of ? of->separate && of->twin && of->has_enough_rows(t->state, 0) : is_worth_tables(t);
}

/* By threads that are there, or as many as have to start. */
static status prepare_tables(task *t, size_t n_workers, crew *threads, error_info *err) {
    pair_tables *tables = t->lent;
    if (!tables) {
        CHECK(pair_tables_create_by(t->test->data, n_workers, threads, &t->own, err));
        tables = t->own;
    }
    t->tables = tables;
    return pair_tables_list_rows_by(tables, n_workers, threads, err);
}

static status prepare(task *t, size_t n_workers, crew *threads, error_info *err) {
    for (size_t i = 0; i < t->first; i++)
        t->places[i] = PAIR_SURVEY_NO_PLACE;
    for (size_t i = 0; i < t->blocks.n_blocks; i++) {
        for (size_t k = t->blocks.starts[i]; k < t->blocks.starts[i + 1]; k++)
            t->places[t->blocks.columns[k]] = (uint32_t)(i * LANES + k - t->blocks.starts[i]);
    }
    if (!t->test->evaluator) {
        CHECK(prepare_tables(t, n_workers, threads, err));
        CHECK(pair_screen_margins(t->test, t->tables, &t->margins, err));
    }
    CHECK_ALLOC(t->workers = calloc(n_workers, sizeof *t->workers));
    return STATUS_OK;
}

static void take_result(task *t, size_t n_workers) {
    if (atomic_load(&t->is_over))
        return;
    t->test->survey = (pair_survey){t->blocks.n_blocks, TAKE(t->places), TAKE(t->bits)};
    for (size_t i = 0; i < n_workers; i++)
        t->test->tally->computed += t->workers[i].n_tested;
}

/* False where there is no memory for a bit a pair: tests are then asked one by one. */
static bool reserve_bits(task *t, size_t p) {
    size_t n_words = pair_survey_words(t->blocks.n_blocks, t->n_leading);
    t->places = calloc(p, sizeof *t->places);
    t->bits = calloc(n_words, sizeof *t->bits);
    if (!t->places || !t->bits)
        return false;
    huge_pages_ask(t->bits, n_words * sizeof *t->bits);
    return true;
}

/* At most as many as there are blocks, unless they are there already. Correlations are compared in less time than a
 * thread takes to start. */
static size_t count_workers(const task *t, const crew *threads) {
    if (threads)
        return crew_size(threads);
    if (t->test->evaluator)
        return 1;
    return t->ctx->n_threads < t->blocks.n_blocks ? t->ctx->n_threads : t->blocks.n_blocks;
}

static status survey(task *t, crew *threads, error_info *err) {
    status st = STATUS_OK;
    size_t n_workers = 0;

    TRY(pair_blocks_init_from(&t->blocks, t->test->data, t->first, t->end, &t->n_leading, err));
    if (!reserve_bits(t, dataset_column_count(t->test->data)))
        goto cleanup;
    n_workers = count_workers(t, threads);
    TRY(prepare(t, n_workers, threads, err));
    TRY(threads ? crew_run(threads, work, t, err) : parallel_run(n_workers, work, t, err));
    take_result(t, n_workers);
cleanup:
    for (size_t i = 0; t->workers && i < n_workers; i++)
        clear_worker(&t->workers[i], t);
    free(t->workers);
    free(t->margins);
    free(t->places);
    free(t->bits);
    pair_tables_destroy(t->own);
    pair_blocks_clear(&t->blocks);
    return st;
}

status ci_test_survey(ci_test *test, const bool *left_out, pair_tables *tables, const run_context *ctx, crew *threads,
                      error_info *err) {
    size_t p = dataset_column_count(test->data);
    task t = {.test = test, .left_out = left_out, .ctx = ctx, .end = p, .lent = tables};
    bool is_made = pair_survey_was_made(&test->survey);
    return !is_made && p <= MOST_COLUMNS && ci_test_can_survey(test) ? survey(&t, threads, err) : STATUS_OK;
}

status ci_test_survey_part(ci_test *test, size_t first, size_t end, pair_tables *tables, const run_context *ctx,
                           error_info *err) {
    task t = {.test = test, .ctx = ctx, .first = first, .end = end, .tells = ctx->tell, .lent = tables};
    pair_survey_clear(&test->survey);
    survey_rows_clear(&test->surveyed);
    return survey(&t, NULL, err);
}

size_t ci_test_survey_end(const ci_test *test, size_t first) {
    size_t p = dataset_column_count(test->data), n_blocks = (p - first) / LANES + 1, n = 1;
    while (n < n_blocks && pair_survey_words(n_blocks, n + 1) <= MOST_WORDS)
        n++;
    return n < n_blocks ? first + n * LANES : p;
}

static uint64_t count_with_rows(const ci_test *t, size_t x) {
    uint64_t n = 0;
    for (size_t y = x + 1; y < dataset_column_count(t->data); y++)
        n += ci_test_has_enough_rows(t, x, y, NULL, 0);
    return n;
}

uint64_t ci_test_count_pairs(const ci_test *test, size_t first, size_t end) {
    size_t p = dataset_column_count(test->data);
    uint64_t n = 0;
    for (size_t x = first; x < end; x++)
        n += ci_test_has_rows_for_pairs(test) ? p - 1 - x : count_with_rows(test, x);
    return n;
}

bool ci_test_was_surveyed(const ci_test *t) {
    return pair_survey_was_made(&t->survey);
}

void ci_test_share_survey(const ci_test *t, ci_test *with) {
    survey_rows_clear(&with->surveyed);
    with->survey = t->survey;
    with->borrows_survey = true;
}
