/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Data: n rows, p columns, column-major, every variable with its full state space. Immutable once built. */
#ifndef BNB_CORE_DATA_DATASET_H
#define BNB_CORE_DATA_DATASET_H

#include "core/base/status.h"
#include "core/data/packed_values.h"
#include "core/data/variable.h"

#include <stdint.h>

typedef struct dataset dataset;

/** What kinds of columns data have; ored, what a learner, score or test takes. */
typedef enum { DATA_DISCRETE = 1, DATA_CONTINUOUS = 2, DATA_MIXED = 4 } data_kinds;

/** "discrete", "continuous", "discrete, continuous, mixed", ...: static text. */
const char *data_kinds_name(int kinds);

/** All cells zero (state 0, or 0.0). Copies the variables. STATUS_INVALID: no columns, or two of one name. */
BNB_MUST_CHECK status dataset_create(const variable *variables, size_t n_columns, size_t n_rows, dataset **out,
                                     error_info *err);
void dataset_destroy(dataset *data);
AUTO_PTR_OF(dataset, dataset_destroy)

/** Zeros under the names of the columns of `data`, each continuous, and as many rows. STATUS_MEMORY. */
BNB_MUST_CHECK status dataset_create_reals_like(const dataset *data, dataset **out, error_info *err);

size_t dataset_row_count(const dataset *data);
size_t dataset_column_count(const dataset *data);
const variable *dataset_variable(const dataset *data, size_t column);

/** The column of that name, or NAME_NONE (core/base/name_index.h). */
size_t dataset_find_column(const dataset *data, const char *name);

/** True if every column is discrete. */
bool dataset_is_discrete(const dataset *data);

/** The one of data_kinds that the data are of. */
int dataset_kind(const dataset *data);

/** States of a discrete column, declared, seen or not. */
size_t dataset_state_count(const dataset *data, size_t column);

/** The largest state count of a column, at least 1. */
size_t dataset_most_states(const dataset *data);

/**
 * A discrete column: one byte a value up to 256 states (then `bytes`), two past that (then `words`); the other pointer
 * is NULL. 64-byte aligned, zero-padded to a multiple of 64 values. Lives as long as the dataset.
 */
const uint8_t *dataset_bytes(const dataset *data, size_t column);
const uint16_t *dataset_words(const dataset *data, size_t column);
size_t dataset_state(const dataset *data, size_t row, size_t column);

/** Of a column of bytes, rows `first` (a multiple of 64) on, n of them: where they lie, or in `scratch`, on 64 bytes
 * with room for a multiple of 64, where the column is packed and nobody has asked for all of it. Zeros follow,
 * likewise. */
const uint8_t *dataset_bytes_part(const dataset *data, size_t column, size_t first, size_t n, uint8_t *scratch);

/** A continuous column, 64-byte aligned. */
const double *dataset_reals(const dataset *data, size_t column);

/** For builders alone, before the dataset is shared. The state must lie below the state count. */
void dataset_set_state(dataset *data, size_t row, size_t column, size_t state);
uint8_t *dataset_build_bytes(dataset *data, size_t column);
uint16_t *dataset_build_words(dataset *data, size_t column);
double *dataset_build_reals(dataset *data, size_t column);

/**
 * For builders alone: the columns of bytes that have bits in `packed` lie in `bytes`, and are unpacked when somebody
 * asks for all of one, by dataset_bytes: O(n) the first time, by any thread. Takes both, which are on the heap;
 * `packed` has one by column.
 */
BNB_MUST_CHECK status dataset_set_packed(dataset *data, packed_values **packed, unsigned char **bytes, error_info *err);

/** The same data with column order[i] at place i; `order` is a permutation of the columns. */
BNB_MUST_CHECK status dataset_reorder(const dataset *data, const size_t *order, dataset **out, error_info *err);

#define DATASET_FINGERPRINT_SIZE 65

/** SHA-256 in hex of names, state spaces and values: what a result says of the data that it came from. */
BNB_MUST_CHECK status dataset_fingerprint(const dataset *data, char out[DATASET_FINGERPRINT_SIZE], error_info *err);

#endif
