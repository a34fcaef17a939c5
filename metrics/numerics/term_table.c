/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/term_table_internal.h"

#include "core/base/array.h"
#include "core/base/hash.h"

#include <math.h>
#include <stdlib.h>

struct term_tables {
    size_t n_blocks; /* of a table: enough for every count up to max_count */
    double *empty;   /* a block of NaN, in the place of those that were not asked for */
    term_table **tables;
    size_t n, capacity;
    hash_table places;          /* of the tables, by parameter */
    term_runs *runs, *own_runs; /* the second is NULL where the first are a twin's */
};

status term_tables_create(size_t max_count, const term_tables *twin, term_tables **out, error_info *err) {
    AUTO_PTR(term_tables_destroy) term_tables *t = NULL;
    CHECK_ALLOC(t = calloc(1, sizeof *t));
    if (!twin)
        CHECK(term_runs_create(max_count, &t->own_runs, err));
    t->runs = twin ? twin->runs : t->own_runs;
    t->n_blocks = max_count / TERM_BLOCK + 1;
    CHECK_ALLOC(t->empty = term_block_create());
    *out = TAKE(t);
    return STATUS_OK;
}

static void destroy_table(term_table *table) {
    if (!table)
        return;
    free(table->blocks);
    free(table->is_held);
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
    term_runs_destroy(t->own_runs);
    free(t);
}

AUTO_PTR_OF(term_table, destroy_table)

static status make(const term_tables *t, double parameter, term_table **out, error_info *err) {
    AUTO_PTR(destroy_table) term_table *table = calloc(1, sizeof *table);
    CHECK_ALLOC(table);
    CHECK_ALLOC(table->blocks = calloc(t->n_blocks, sizeof *table->blocks));
    CHECK_ALLOC(table->is_held = calloc(t->n_blocks, sizeof *table->is_held));
    for (size_t b = 0; b < t->n_blocks; b++)
        table->blocks[b] = t->empty;
    table->parameter = parameter;
    table->log_gamma = term_log_gamma(parameter);
    table->runs = t->runs;
    table->is_growing = true;
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

static bool find_run(term_table *table) {
    return table->run || term_runs_find(table->runs, table->parameter, &table->run, NULL) == STATUS_OK;
}

/* The block of the run; NULL without memory. */
static double *hold_block(term_table *table, size_t b) {
    double *values;
    if (table->is_held[b])
        return table->blocks[b];
    values = find_run(table) ? term_run_hold(table->run, b) : NULL;
    if (values) {
        table->blocks[b] = values;
        table->is_held[b] = true;
    }
    return values;
}

double term_table_fill(term_table *table, uint32_t n) {
    double *values = hold_block(table, n >> TERM_BLOCK_BITS), value;
    if (values && !isnan(value = shared_double_get(&values[n & (TERM_BLOCK - 1)])))
        return value; /* another thread has filled it */
    table->n_filled++;
    value = n < table->n_first ? table->first[n] : term_value(table->parameter, table->log_gamma, n);
    if (values)
        term_run_keep(table->run, n, value, values);
    return value;
}

/* The first values stand for the blocks that they fill. */
static void replace_blocks(term_table *table) {
    for (size_t b = 0; (b + 1) * TERM_BLOCK <= table->n_first; b++) {
        table->blocks[b] = table->first + b * TERM_BLOCK;
        if (table->is_held[b])
            term_run_release(table->run, b);
        table->is_held[b] = false;
    }
}

const double *term_table_first(term_table *table, uint32_t most) {
    double *values;
    if (most < table->n_first)
        return table->first;
    if (!find_run(table))
        return NULL;
    values = term_run_first(table->run, most);
    if (!values)
        return NULL;
    table->first = values;
    table->n_first = most + 1;
    replace_blocks(table);
    return values;
}
