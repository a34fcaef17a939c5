/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/term_table_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct term_tables {
    size_t n_blocks; /* of a table: enough for every count up to max_count */
    term_table **slots;
    size_t n_slots, used; /* n_slots is a power of two */
};

status term_tables_create(size_t max_count, term_tables **out, error_info *err) {
    term_tables *t = calloc(1, sizeof *t);
    if (t)
        t->slots = calloc(64, sizeof *t->slots);
    if (!t || !t->slots) {
        free(t);
        return error_out_of_memory(err);
    }
    t->n_slots = 64;
    t->n_blocks = max_count / TERM_BLOCK + 1;
    *out = t;
    return STATUS_OK;
}

static void destroy_table(term_table *table, size_t n_blocks) {
    for (size_t b = 0; table && b < n_blocks; b++)
        free(table->blocks[b]);
    if (table)
        free(table->blocks);
    free(table);
}

void term_tables_destroy(term_tables *t) {
    if (!t)
        return;
    for (size_t i = 0; i < t->n_slots; i++)
        destroy_table(t->slots[i], t->n_blocks);
    free(t->slots);
    free(t);
}

static size_t locate(term_table *const *slots, size_t n_slots, double parameter) {
    uint64_t bits;
    size_t i;
    memcpy(&bits, &parameter, sizeof bits);
    bits *= 0x9E3779B97F4A7C15u;
    i = (size_t)(bits >> 32) & (n_slots - 1);
    while (slots[i] && slots[i]->parameter != parameter)
        i = (i + 1) & (n_slots - 1);
    return i;
}

static status grow(term_tables *t, error_info *err) {
    size_t n_slots = t->n_slots * 2;
    term_table **slots = calloc(n_slots, sizeof(term_table *));
    if (!slots)
        return error_out_of_memory(err);
    for (size_t i = 0; i < t->n_slots; i++) {
        if (t->slots[i])
            slots[locate(slots, n_slots, t->slots[i]->parameter)] = t->slots[i];
    }
    free(t->slots);
    t->slots = slots;
    t->n_slots = n_slots;
    return STATUS_OK;
}

static double log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

/* `parameter` 0 stands for n log n: no gamma table has it. */
static status find_or_make(term_tables *t, double parameter, term_table **out, error_info *err) {
    size_t i = locate(t->slots, t->n_slots, parameter);
    if (!t->slots[i]) {
        term_table *table = calloc(1, sizeof *table);
        if (table)
            table->blocks = calloc(t->n_blocks, sizeof *table->blocks);
        if (!table || !table->blocks) {
            free(table);
            return error_out_of_memory(err);
        }
        table->parameter = parameter;
        table->log_gamma = parameter > 0 ? log_gamma(parameter) : 0;
        t->slots[i] = table;
        *out = table;
        return ++t->used * 2 > t->n_slots ? grow(t, err) : STATUS_OK;
    }
    *out = t->slots[i];
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
    if (n > PRODUCT_MAX)
        return log_gamma(a + n) - table->log_gamma;
    if (a > 1e30) /* the product would overflow; a + n is a */
        return n * log(a);
    for (uint32_t i = 1; i < n; i++)
        product *= a + i;
    return log(a) + log(product); /* a apart: with a below 1e-290 the product could underflow */
}

double term_table_fill(term_table *table, uint32_t n) {
    double **block = &table->blocks[n >> TERM_BLOCK_BITS];
    double value = compute(table, n);
    if (!*block) {
        *block = malloc(TERM_BLOCK * sizeof **block);
        for (size_t i = 0; *block && i < TERM_BLOCK; i++)
            (*block)[i] = (double)NAN;
    }
    if (*block)
        (*block)[n & (TERM_BLOCK - 1)] = value;
    return value;
}
