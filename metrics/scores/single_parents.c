/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every pair of columns is counted once, as in the survey of the independence tests (metrics/tests/pair_survey.c): a
 * thread takes a block of columns whose bit vectors stay in its first caches and lets all columns before them go by.
 * The table of a pair gives the score of either end with the other as its only parent; where the score is alike for
 * Markov equivalent graphs, the first of them bounds the second.
 */
#include "metrics/scores/single_parents.h"

#include "core/base/bits.h"
#include "core/counting/chunk_pairs.h"
#include "core/counting/pair_block.h"
#include "core/run/parallel.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEWEST_COLUMNS = 128, /* below, the pairs take no time worth the vectors */
    MOST_CELLS = 1 << 16, /* of a table of two columns */
    MERGED = 8,           /* columns that a thread takes at once */
    OFTEN = 8             /* cells of as many pairs of two kinds for each count that can come */
};

/* The best parents of a column that one thread has met: a heap with the worst of them on top once it is full. */
typedef struct {
    double passed_over; /* no other one scores more */
    double floor;       /* only scores above it are of interest */
    size_t n;
} best_parents;

/* Columns of as many declared states. */
typedef struct {
    size_t n_states, n_columns, first;
} column_kind;

typedef struct {
    score *scorer;
    pair_block block;
    uint32_t *cells, *turned;
    scored_parent *found; /* `most` for each column */
    best_parents *best;   /* by column */
    family_terms *terms;  /* by kind of the column and of its parent; has_terms */
    bool *has_terms;
} worker;

typedef struct {
    const score *scorer;
    const double *alone;
    double least;
    uint64_t *rows; /* where bits are cleared, of parents before a column: by the thread that takes it; or NULL */
    const run_context *ctx;
    crew *threads; /* NULL: threads are started for it */
    size_t p, most, n_kinds;
    pair_blocks blocks;
    size_t *kind; /* of a column */
    column_kind *kinds;
    const pair_tables *tables;
    chunk_pairs *counted;  /* of many rows: all pairs; NULL: they are counted by blocks */
    double margin;         /* by which sums that are equal may differ */
    atomic_size_t n_begun; /* tables of terms that are made beforehand */
    atomic_size_t n_taken; /* blocks, from the last */
    atomic_bool is_over;   /* the deadline has passed, or a thread has failed */
    worker *workers;
} task;

void single_parents_clear(single_parents *p) {
    free(p->found);
    free(p->n_found);
    free(p->rest);
    *p = (single_parents){0};
}

bool single_parents_can_survey(const score *s) {
    size_t most = s->kind->evaluator ? 0 : dataset_most_states(s->seen);
    return most > 0 && dataset_column_count(s->data) >= FEWEST_COLUMNS && most * most <= MOST_CELLS;
}

/* --- one thread's tools --- */

static status init_worker(worker *w, const task *t, error_info *err) {
    size_t most_states = dataset_most_states(t->scorer->seen);
    size_t n_cells = most_states < MOST_CELLS / most_states ? most_states * most_states : MOST_CELLS;
    CHECK(score_create_twin(t->scorer, &w->scorer, err));
    CHECK_ALLOC(w->cells = calloc(n_cells, sizeof *w->cells));
    CHECK_ALLOC(w->turned = calloc(n_cells, sizeof *w->turned));
    CHECK_ALLOC(w->found = calloc(t->p * t->most, sizeof *w->found));
    CHECK_ALLOC(w->best = calloc(t->p, sizeof *w->best));
    CHECK_ALLOC(w->terms = calloc(t->n_kinds * t->n_kinds, sizeof *w->terms));
    CHECK_ALLOC(w->has_terms = calloc(t->n_kinds * t->n_kinds, sizeof *w->has_terms));
    for (size_t i = 0; w->best && i < t->p; i++)
        w->best[i] = (best_parents){-INFINITY, t->alone[i] + t->least, 0};
    return STATUS_OK;
}

static void clear_worker(worker *w) {
    score_destroy(w->scorer);
    pair_block_clear(&w->block);
    free(w->cells);
    free(w->turned);
    free(w->found);
    free(w->best);
    free(w->terms);
    free(w->has_terms);
}

/* --- the best parents --- */

static bool is_worse(const scored_parent *a, const scored_parent *b) {
    return a->with != b->with ? a->with < b->with : a->node > b->node;
}

static void sink(scored_parent *heap, size_t n, scored_parent value) {
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && is_worse(&heap[child + 1], &heap[child]);
        if (!is_worse(&heap[child], &value))
            break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

static void rise(scored_parent *heap, size_t at, scored_parent value) {
    for (; at > 0 && is_worse(&value, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = value;
}

static void keep(const task *t, worker *w, size_t column, scored_parent value) {
    best_parents *b = &w->best[column];
    scored_parent *heap = w->found + column * t->most;
    if (!(value.with - t->alone[column] > t->least))
        return;
    if (b->n < t->most) {
        rise(heap, b->n++, value);
    } else if (is_worse(&heap[0], &value)) {
        b->passed_over = fmax(b->passed_over, heap[0].with);
        sink(heap, b->n, value);
    } else {
        b->passed_over = fmax(b->passed_over, value.with);
    }
    if (b->n == t->most)
        b->floor = heap[0].with;
}

static bool is_over(task *t) {
    if (run_context_is_expired(t->ctx))
        atomic_store(&t->is_over, true);
    return atomic_load(&t->is_over);
}

/* --- scores --- */

static status find_terms(const task *t, worker *w, size_t at, family_terms *out, error_info *err) {
    const column_kind *column = &t->kinds[at / t->n_kinds], *parent = &t->kinds[at % t->n_kinds];
    return score_terms(w->scorer, column->first, (double)parent->n_states, 1, out, err);
}

/* True if so many cells come of two kinds that most terms are asked for. */
static bool is_often(const task *t, size_t at) {
    const column_kind *x = &t->kinds[at / t->n_kinds], *y = &t->kinds[at % t->n_kinds];
    double n_cells = (double)(x->n_columns * x->n_states) * (double)(y->n_columns * y->n_states);
    return n_cells >= OFTEN * (double)dataset_row_count(t->scorer->data);
}

/* Makes the tables of such kinds, which all threads and later searches share: each thread others. */
static status make_terms(task *t, worker *w, error_info *err) {
    size_t n_rows = dataset_row_count(t->scorer->data), next;
    while ((next = atomic_fetch_add(&t->n_begun, 1)) < 2 * t->n_kinds * t->n_kinds && !is_over(t)) {
        family_terms terms;
        if (!is_often(t, next / 2))
            continue;
        CHECK(find_terms(t, w, next / 2, &terms, err));
        (void)term_table_first(next % 2 == 0 ? terms.cell : terms.row, (uint32_t)n_rows);
    }
    return STATUS_OK;
}

static status terms_of(const task *t, worker *w, size_t column, size_t parent, const family_terms **out,
                       error_info *err) {
    size_t at = t->kind[column] * t->n_kinds + t->kind[parent];
    family_terms *terms = &w->terms[at];
    *out = terms;
    if (w->has_terms[at])
        return STATUS_OK;
    CHECK(find_terms(t, w, at, terms, err));
    if (is_often(t, at)) {
        (void)term_table_first(terms->cell, (uint32_t)dataset_row_count(t->scorer->data));
        (void)term_table_first(terms->row, (uint32_t)dataset_row_count(t->scorer->data));
    }
    w->has_terms[at] = true;
    return STATUS_OK;
}

/* The score of `column` with `parent`, from their cells by state of the parent. */
static status score_pair(const task *t, worker *w, size_t column, size_t parent, const uint32_t *cells, double *out,
                         error_info *err) {
    const dataset *seen = t->scorer->seen;
    const family_terms *terms;
    CHECK(terms_of(t, w, column, parent, &terms, err));
    *out = score_sum_cells(cells, dataset_state_count(seen, parent), dataset_state_count(seen, column), terms) -
           terms->penalty;
    return STATUS_OK;
}

static void turn(const uint32_t *cells, size_t n_rows, size_t n_columns, uint32_t *out) {
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < n_columns; j++)
            out[j * n_rows + i] = cells[i * n_columns + j];
    }
}

static status score_both(const task *t, worker *w, size_t x, size_t y, error_info *err) {
    const dataset *seen = t->scorer->seen;
    double with = 0, at_most;
    CHECK(score_pair(t, w, y, x, w->cells, &with, err));
    keep(t, w, y, (scored_parent){with, (uint32_t)x, 0});
    at_most = t->alone[x] + (with - t->alone[y]) + t->margin;
    if (t->scorer->kind->is_equivalent && at_most <= w->best[x].floor) {
        if (at_most - t->alone[x] > t->least)
            w->best[x].passed_over = fmax(w->best[x].passed_over, at_most);
        return STATUS_OK;
    }
    turn(w->cells, dataset_state_count(seen, x), dataset_state_count(seen, y), w->turned);
    CHECK(score_pair(t, w, x, y, w->turned, &with, err));
    keep(t, w, x, (scored_parent){with, (uint32_t)y, 0});
    return STATUS_OK;
}

static status mark_pair(const task *t, worker *w, size_t x, size_t y, error_info *err) {
    double with = 0;
    CHECK(score_pair(t, w, y, x, w->cells, &with, err));
    if (with - t->alone[y] < t->least)
        return STATUS_OK;
    t->rows[y * ((t->p + 63) / 64) + x / 64] &= ~bit_of(x);
    keep(t, w, y, (scored_parent){with, (uint32_t)x, 0});
    return STATUS_OK;
}

static status look_at_pair(const task *t, worker *w, size_t x, size_t y, error_info *err) {
    return t->rows ? mark_pair(t, w, x, y, err) : score_both(t, w, x, y, err);
}

/* The columns before each of the block's go by it. */
static status survey_block(task *t, worker *w, const size_t *columns, size_t n, error_info *err) {
    const pair_column *all = pair_tables_columns(t->tables);
    bool has_bits = all[columns[0]].bits && !t->counted;
    size_t first = 0; /* of the block's columns behind x */
    if (has_bits)
        CHECK(pair_block_begin(&w->block, t->tables, columns, n, err));
    for (size_t x = 0; x < columns[n - 1] && !is_over(t); x++) {
        bool is_counted = has_bits && all[x].bits;
        if (is_counted)
            pair_block_count(&w->block, x);
        first += columns[first] == x;
        for (size_t lane = first; lane < n; lane++) {
            if (is_counted)
                pair_block_lay(&w->block, lane, w->cells);
            else if (t->counted)
                chunk_pairs_lay(t->counted, x, columns[lane], w->cells);
            else
                pair_tables_count(t->tables, x, columns[lane], w->cells);
            CHECK(look_at_pair(t, w, x, columns[lane], err));
        }
    }
    return STATUS_OK;
}

static status work(void *self, size_t index, error_info *err) {
    status st = STATUS_OK;
    task *t = self;
    worker *w = &t->workers[index];
    TRY(init_worker(w, t, err));
    TRY(make_terms(t, w, err));
    while (!is_over(t)) {
        size_t taken = atomic_fetch_add(&t->n_taken, 1), start;
        if (taken >= t->blocks.n_blocks)
            break;
        start = t->blocks.starts[t->blocks.n_blocks - 1 - taken];
        TRY(survey_block(t, w, t->blocks.columns + start, t->blocks.starts[t->blocks.n_blocks - taken] - start, err));
    }
cleanup:
    if (st != STATUS_OK)
        atomic_store(&t->is_over, true);
    return st;
}

/* --- all together --- */

static status make_kinds(task *t, error_info *err) {
    CHECK_ALLOC(t->kind = calloc(t->p, sizeof *t->kind));
    CHECK_ALLOC(t->kinds = calloc(t->p, sizeof *t->kinds));
    for (size_t x = 0; x < t->p; x++) {
        size_t r = dataset_state_count(t->scorer->data, x), k = 0;
        while (k < t->n_kinds && t->kinds[k].n_states != r)
            k++;
        if (k == t->n_kinds)
            t->kinds[t->n_kinds++] = (column_kind){.n_states = r, .first = x};
        t->kinds[k].n_columns++;
        t->kind[x] = k;
    }
    return STATUS_OK;
}

static int by_score(const void *a, const void *b) {
    return is_worse(b, a) ? -1 : is_worse(a, b);
}

/* What the threads found of one column becomes the first one's. */
static void merge_column(const task *t, size_t n_workers, size_t column, single_parents *out) {
    worker *first = &t->workers[0];
    best_parents *b = &first->best[column];
    for (size_t i = 1; i < n_workers; i++) {
        const best_parents *more = t->workers[i].best ? &t->workers[i].best[column] : NULL;
        for (size_t k = 0; more && k < more->n; k++)
            keep(t, first, column, t->workers[i].found[column * t->most + k]);
        if (more)
            b->passed_over = fmax(b->passed_over, more->passed_over);
    }
    qsort(first->found + column * t->most, b->n, sizeof *first->found, by_score);
    out->n_found[column] = b->n;
    out->rest[column] = b->passed_over;
}

/* Columns that are merged by whoever takes them. */
typedef struct {
    const task *of;
    size_t n_workers;
    single_parents *out;
    atomic_size_t next;
} merging;

static status merge_some(void *self, size_t index, error_info *err) {
    merging *m = self;
    size_t first;
    (void)index;
    (void)err;
    while ((first = atomic_fetch_add(&m->next, MERGED)) < m->of->p) {
        for (size_t i = first; i < first + MERGED && i < m->of->p; i++)
            merge_column(m->of, m->n_workers, i, m->out);
    }
    return STATUS_OK;
}

static status take_result(task *t, size_t n_workers, single_parents *out, error_info *err) {
    merging m = {.of = t, .n_workers = n_workers, .out = out};
    out->most = t->most;
    CHECK_ALLOC(out->n_found = calloc(t->p, sizeof *out->n_found));
    CHECK_ALLOC(out->rest = calloc(t->p, sizeof *out->rest));
    CHECK(t->threads ? crew_run(t->threads, merge_some, &m, err) : merge_some(&m, 0, err));
    out->found = TAKE(t->workers[0].found);
    return STATUS_OK;
}

/* Sums of as many terms, made in another order, differ by far less. */
static double margin(const score *s) {
    double n = (double)dataset_row_count(s->data) + 2;
    return 1e-6 + 1e-13 * n * log(n);
}

static size_t count_workers(task *t) {
    size_t n_blocks;
    t->p = dataset_column_count(t->scorer->data);
    if (t->threads)
        return crew_size(t->threads);
    n_blocks = (t->p + PAIR_BLOCK_COLUMNS - 1) / PAIR_BLOCK_COLUMNS;
    return t->ctx->n_threads < n_blocks ? t->ctx->n_threads : n_blocks;
}

static status run(task *t, size_t n_workers, bool *is_cut_short, error_info *err) {
    *is_cut_short = false;
    t->margin = margin(t->scorer);
    CHECK(pair_blocks_init(&t->blocks, t->scorer->seen, err));
    CHECK(make_kinds(t, err));
    CHECK_ALLOC(t->workers = calloc(n_workers, sizeof *t->workers));
    if (chunk_pairs_suit(t->tables))
        CHECK(chunk_pairs_create(t->tables, t->ctx, &t->counted, is_cut_short, err));
    if (*is_cut_short)
        return STATUS_OK;
    CHECK(t->threads ? crew_run(t->threads, work, t, err) : parallel_run(n_workers, work, t, err));
    *is_cut_short = atomic_load(&t->is_over);
    return STATUS_OK;
}

static void clear(task *t, size_t n_workers) {
    for (size_t i = 0; t->workers && i < n_workers; i++)
        clear_worker(&t->workers[i]);
    free(t->workers);
    chunk_pairs_destroy(t->counted);
    free(t->kind);
    free(t->kinds);
    pair_blocks_clear(&t->blocks);
}

bool single_parents_can_survey_rows(const pair_tables *tables) {
    return chunk_pairs_suit(tables);
}

static status survey(task *t, single_parents *out, bool *is_cut_short, error_info *err) {
    size_t n_workers = count_workers(t);
    status st = run(t, n_workers, is_cut_short, err);
    if (st == STATUS_OK && !*is_cut_short)
        st = take_result(t, n_workers, out, err);
    clear(t, n_workers);
    return st;
}

status single_parents_survey(const score *s, const pair_tables *tables, const double *alone, double least, size_t most,
                             const run_context *ctx, crew *threads, single_parents *out, bool *is_cut_short,
                             error_info *err) {
    task t = {
        .scorer = s, .tables = tables, .alone = alone, .least = least, .ctx = ctx, .threads = threads, .most = most};
    return survey(&t, out, is_cut_short, err);
}

status single_parents_mark(const score *s, const pair_tables *tables, const double *alone, double least, size_t most,
                           const run_context *ctx, uint64_t *rows, single_parents *out, bool *is_cut_short,
                           error_info *err) {
    task t = {.scorer = s, .tables = tables, .alone = alone, .least = least, .most = most, .rows = rows, .ctx = ctx};
    return survey(&t, out, is_cut_short, err);
}
