/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread takes some thousand rows of all vectors into its second cache and counts every two of them there. The last
 * state of a column is what the others leave.
 */
#include "core/counting/chunk_pairs.h"

#include "core/base/array.h"
#include "core/counting/count_kernels_internal.h"
#include "core/counting/row_chunks_internal.h"
#include "core/run/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_VECTORS = 256, /* of all columns: 512 KiB of a chunk */
    AT_ONCE = 4         /* vectors that go by the others */
};

struct chunk_pairs {
    const pair_tables *tables;
    size_t n_columns, n_vectors;
    size_t *first;    /* by column: its first vector */
    uint32_t *shared; /* rows by vector and a later one */
};

void chunk_pairs_destroy(chunk_pairs *p) {
    if (!p)
        return;
    free(p->first);
    free(p->shared);
    free(p);
}

bool chunk_pairs_suit(const pair_tables *t) {
    const dataset *data = pair_tables_data(t);
    size_t n_vectors = 0;
    bool have_bits = true;
    for (size_t i = 0; i < dataset_column_count(data); i++) {
        n_vectors += pair_tables_vectors(t, i);
        have_bits = have_bits && pair_tables_columns(t)[i].bits;
    }
    return have_bits && n_vectors <= MOST_VECTORS && row_chunks_suit(dataset_row_count(data));
}

/* --- one thread's share --- */

typedef struct {
    const chunk_pairs *of;
    const run_context *ctx;
    const count_kernels *kernels;
    atomic_size_t next; /* word */
    atomic_bool is_expired;
    uint32_t **sums; /* by worker */
} counting;

/* A worker's scratch space. */
typedef struct {
    uint64_t *bits;   /* the chunk: vector after vector */
    uint32_t *common; /* of those that go by with the rest */
} chunk;

static void clear_chunk(chunk *c) {
    free(c->bits);
    free(c->common);
}

static void take_rows(const chunk_pairs *p, size_t first_word, size_t n_words, uint64_t *out) {
    for (size_t i = 0; i < p->n_columns; i++) {
        const uint64_t *bits = pair_tables_columns(p->tables)[i].bits + first_word;
        for (size_t k = 0; k < pair_tables_vectors(p->tables, i); k++)
            memcpy(out + (p->first[i] + k) * n_words, bits + k * pair_tables_word_count(p->tables),
                   n_words * sizeof *out);
    }
}

/* All pairs of the chunk's vectors, the second not before the first. */
static void count_chunk(const counting *c, const chunk *rows, size_t n_words, uint32_t *sums) {
    size_t n = c->of->n_vectors;
    for (size_t first = 0; first < n; first += AT_ONCE) {
        size_t n_a = n - first < AT_ONCE ? n - first : AT_ONCE, n_b = n - first;
        const uint64_t *a[AT_ONCE];
        for (size_t k = 0; k < n_a; k++)
            a[k] = rows->bits + (first + k) * n_words;
        count_kernels_cross(c->kernels, a, n_a, rows->bits + first * n_words, n_b, n_words, rows->common);
        for (size_t k = 0; k < n_a; k++) {
            for (size_t i = 0; i < n_b; i++)
                sums[(first + k) * n + first + i] += rows->common[k * n_b + i];
        }
    }
}

static bool is_over(counting *c) {
    if (run_context_is_expired(c->ctx))
        atomic_store(&c->is_expired, true);
    return atomic_load(&c->is_expired);
}

static status count_some(void *self, size_t worker, error_info *err) {
    counting *c = self;
    size_t n_all = pair_tables_word_count(c->of->tables), n = c->of->n_vectors, at;
    AUTO(clear_chunk) chunk rows = {0};
    CHECK_ALLOC(rows.bits = aligned_alloc(64, (n + 1) * CHUNK_WORDS * sizeof *rows.bits));
    CHECK_ALLOC(rows.common = calloc(n + 1, AT_ONCE * sizeof *rows.common));
    CHECK_ALLOC(c->sums[worker] = calloc(n * n + 1, sizeof **c->sums));
    while (!is_over(c) && (at = atomic_fetch_add(&c->next, CHUNK_WORDS)) < n_all) {
        size_t n_words = n_all - at < CHUNK_WORDS ? n_all - at : CHUNK_WORDS;
        take_rows(c->of, at, n_words, rows.bits);
        count_chunk(c, &rows, n_words, c->sums[worker]);
    }
    return STATUS_OK;
}

/* --- all together --- */

static void add_up(chunk_pairs *p, uint32_t *const *sums, size_t n_workers) {
    for (size_t w = 0; w < n_workers; w++) {
        for (size_t i = 0; sums[w] && i < p->n_vectors * p->n_vectors; i++)
            p->shared[i] += sums[w][i];
    }
}

static status count_all(chunk_pairs *p, const run_context *ctx, bool *is_expired, error_info *err) {
    size_t n_workers = ctx->n_threads > 0 ? ctx->n_threads : 1;
    counting c = {.of = p, .ctx = ctx, .kernels = count_kernels_choose()};
    status st;
    CHECK_ALLOC(c.sums = calloc(n_workers, sizeof *c.sums));
    st = parallel_run(n_workers, count_some, &c, err);
    if (st == STATUS_OK)
        add_up(p, c.sums, n_workers);
    *is_expired = atomic_load(&c.is_expired);
    for (size_t w = 0; w < n_workers; w++)
        free(c.sums[w]);
    free(c.sums);
    return st;
}

status chunk_pairs_create(const pair_tables *t, const run_context *ctx, chunk_pairs **out, bool *is_expired,
                          error_info *err) {
    AUTO_PTR(chunk_pairs_destroy) chunk_pairs *p = NULL;
    CHECK_ALLOC(p = calloc(1, sizeof *p));
    p->tables = t;
    p->n_columns = dataset_column_count(pair_tables_data(t));
    CHECK_ALLOC(p->first = calloc(p->n_columns + 1, sizeof *p->first));
    for (size_t i = 0; i < p->n_columns; i++) {
        p->first[i] = p->n_vectors;
        p->n_vectors += pair_tables_vectors(t, i);
    }
    CHECK_ALLOC(p->shared = calloc(p->n_vectors * p->n_vectors + 1, sizeof *p->shared));
    CHECK(count_all(p, ctx, is_expired, err));
    *out = *is_expired ? NULL : TAKE(p);
    return STATUS_OK;
}

void chunk_pairs_lay(const chunk_pairs *p, size_t x, size_t y, uint32_t *cells) {
    uint32_t counts[(PAIR_MOST_STATES - 1) * (PAIR_MOST_STATES - 1)];
    size_t n_x = pair_tables_vectors(p->tables, x), n_y = pair_tables_vectors(p->tables, y);
    for (size_t i = 0; i < n_x; i++) {
        for (size_t j = 0; j < n_y; j++)
            counts[i * n_y + j] = p->shared[(p->first[x] + i) * p->n_vectors + p->first[y] + j];
    }
    pair_tables_complete(p->tables, x, y, counts, cells);
}
