/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Bit vectors of data of many rows side by side, for tables of one base with all of them: a pass over the rows adds the
 * bits of a row, of all vectors at once, to the numbers of its cell. Read by any number of threads.
 */
#ifndef BNB_CORE_COUNTING_OCTET_COLUMNS_H
#define BNB_CORE_COUNTING_OCTET_COLUMNS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct octet_columns octet_columns;

/**
 * Of n_vectors bit vectors of n_words, one after the other, with bits of n_rows rows; as many bytes again, by up to
 * n_threads. NULL into `*out` where the level of the kernels counts whole vectors faster.
 */
BNB_MUST_CHECK status octet_columns_create(const uint64_t *vectors, size_t n_vectors, size_t n_words, size_t n_rows,
                                           size_t n_threads, octet_columns **out, error_info *err);
void octet_columns_destroy(octet_columns *c); /* NULL is fine */
AUTO_PTR_OF(octet_columns, octet_columns_destroy)

/** A column of the base: states by row, and how many there are. */
typedef struct {
    const uint8_t *values;
    size_t n_states;
} octet_base_column;

/** Counts of one thread. Zero-initialise. */
typedef struct {
    uint32_t *counts; /* by cell, and vector of the wanted sets, which come one after the other */
    size_t step, counts_capacity;
    size_t *place; /* by set: among the wanted ones; SIZE_MAX: it is not wanted */
    size_t place_capacity, n_wanted;
    uint8_t *bytes; /* of rows that are not in `counts` yet */
    size_t bytes_capacity;
    uint32_t *cells; /* of some rows */
} octet_counts;

void octet_counts_clear(octet_counts *o);

/** Before octet_counts_begin: wants the vectors first .. end - 1 too; after `none` it wants nothing. */
BNB_MUST_CHECK status octet_counts_want_none(octet_counts *o, const octet_columns *c, error_info *err);
void octet_counts_want(octet_counts *o, size_t first, size_t end);

/** How many registers a row takes then. */
size_t octet_counts_sets(const octet_counts *o);

/** Sets the counts of n_cells cells with what is wanted to zero. */
BNB_MUST_CHECK status octet_counts_begin(octet_counts *o, size_t n_cells, error_info *err);

/** Adds the rows first .. end - 1, either a multiple of eight or `end` the number of rows, to the n_cells
 * configurations of the base columns, of which the first varies fastest. */
void octet_counts_add(octet_counts *o, const octet_columns *c, const octet_base_column *base, size_t n_base,
                      size_t n_cells, size_t first, size_t end);

/** Adds the counts of the same cells with the same vectors. */
void octet_counts_add_up(octet_counts *o, const octet_counts *more, size_t n_cells);

/** What was counted of cell c: [c * step] of the counts' rows, where anything was wanted, or of their rows that a
 * wanted vector has. */
const uint32_t *octet_counts_rows(const octet_counts *o);
const uint32_t *octet_counts_of(const octet_counts *o, size_t vector);

#endif
