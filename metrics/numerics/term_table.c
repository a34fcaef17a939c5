/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/term_table_internal.h"

#include "core/base/array.h"
#include "core/base/hash.h"
#include "metrics/numerics/log_tail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct term_tables {
    size_t n_blocks; /* of a table: enough for every count up to max_count */
    double *empty;   /* a block of NaN, in the place of those that are not made */
    term_table **tables;
    size_t n, capacity;
    hash_table places; /* of the tables, by parameter */
};

static double *make_block(void) {
    double *block = malloc(TERM_BLOCK * sizeof *block);
    for (size_t i = 0; block && i < TERM_BLOCK; i++)
        block[i] = (double)NAN;
    return block;
}

status term_tables_create(size_t max_count, term_tables **out, error_info *err) {
    AUTO_PTR(term_tables_destroy) term_tables *t = NULL;
    CHECK_ALLOC(t = calloc(1, sizeof *t));
    t->n_blocks = max_count / TERM_BLOCK + 1;
    CHECK_ALLOC(t->empty = make_block());
    *out = TAKE(t);
    return STATUS_OK;
}

static void free_blocks(term_table *table) {
    for (size_t b = 0; !table->piece && b < table->n_blocks; b++) {
        if (table->blocks[b] != table->empty)
            free(table->blocks[b]);
    }
}

static void destroy_table(term_table *table) {
    if (!table)
        return;
    free_blocks(table);
    free(table->piece);
    free(table->blocks);
    free(table);
}

void term_tables_destroy(term_tables *t) {
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++)
        destroy_table(t->tables[i]);
    free(t->tables);
    free(t->empty);
    hash_table_clear(&t->places);
    free(t);
}

static status make(const term_tables *t, double parameter, term_table **out, error_info *err) {
    AUTO_FREE term_table *table = calloc(1, sizeof *table);
    CHECK_ALLOC(table);
    CHECK_ALLOC(table->blocks = calloc(t->n_blocks, sizeof *table->blocks));
    table->empty = t->empty;
    table->n_blocks = t->n_blocks;
    for (size_t b = 0; b < t->n_blocks; b++)
        table->blocks[b] = t->empty;
    table->parameter = parameter;
    table->log_gamma = parameter > 0 ? log_gamma(parameter) : 0;
    *out = TAKE(table);
    return STATUS_OK;
}

/* `parameter` 0 stands for n log n: no gamma table has it. */
static status find_or_make(term_tables *t, double parameter, term_table **out, error_info *err) {
    uint64_t hash = hash_real(parameter);
    size_t i = hash_find(&t->places, hash);
    if (i == HASH_NONE) {
        CHECK(ARRAY_ROOM(t->tables, t->n, t->capacity, err));
        CHECK(hash_table_reserve(&t->places, t->n + 1, err));
        CHECK(make(t, parameter, &t->tables[t->n], err));
        i = t->n++;
        CHECK(hash_table_add(&t->places, hash, i, err));
    }
    *out = t->tables[i];
    return STATUS_OK;
}

status term_tables_gamma(term_tables *t, double a, term_table **out, error_info *err) {
    return find_or_make(t, a, out, err);
}

status term_tables_n_log_n(term_tables *t, term_table **out, error_info *err) {
    return find_or_make(t, 0, out, err);
}

/* Up to this count the product a (a + 1) ... (a + n - 1) is faster than a log-gamma, and exact where a is tiny. */
enum { PRODUCT_MAX = 8 };

static double compute(const term_table *table, uint32_t n) {
    double a = table->parameter, product = 1;
    if (n == 0)
        return 0;
    if (a == 0)
        return n * log(n);
    if (n > PRODUCT_MAX && a <= LOG_GAMMA_LARGE)
        return log_gamma(a + n) - table->log_gamma;
    if (n > PRODUCT_MAX || a > 1e30) /* of which the product would overflow */
        return log_gamma_ratio(a, n);
    for (uint32_t i = 1; i < n; i++)
        product *= a + i;
    return log(a) + log(product); /* a apart: with a below 1e-290 the product could underflow */
}

double term_table_fill(term_table *table, uint32_t n) {
    double **block = &table->blocks[n >> TERM_BLOCK_BITS];
    double value = compute(table, n);
    if (*block == table->empty) {
        double *made = make_block();
        if (!made)
            return value;
        *block = made;
    }
    (*block)[n & (TERM_BLOCK - 1)] = value;
    return value;
}

enum { MOST_BLOCKS = 64 }; /* of a table in one piece */

/* False without memory: the blocks stay as they are. */
static bool join_blocks(term_table *table) {
    double *piece = malloc(table->n_blocks * TERM_BLOCK * sizeof *piece);
    if (!piece)
        return false;
    for (size_t b = 0; b < table->n_blocks; b++)
        memcpy(piece + b * TERM_BLOCK, table->blocks[b], TERM_BLOCK * sizeof *piece);
    free_blocks(table);
    for (size_t b = 0; b < table->n_blocks; b++)
        table->blocks[b] = piece + b * TERM_BLOCK;
    table->piece = piece;
    return true;
}

const double *term_table_first(term_table *table, uint32_t most) {
    if (most >= TERM_BLOCK && !table->piece && (table->n_blocks > MOST_BLOCKS || !join_blocks(table)))
        return NULL;
    for (; table->n_first <= most; table->n_first++)
        (void)term_table_at(table, table->n_first);
    return table->blocks[0] == table->empty ? NULL : table->blocks[0];
}
