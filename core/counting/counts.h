/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The one service through which every learner reads discrete data: contingency tables, exact integer counts.
 * It picks its method by cost (AND + popcount on bit vectors, byte histogram, sorted sparse cells); all give the same
 * counts.
 */
#ifndef BNB_CORE_COUNTING_COUNTS_H
#define BNB_CORE_COUNTING_COUNTS_H

#include "core/base/status.h"
#include "core/counting/pair_tables.h"
#include "core/data/dataset.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct counts counts;

/** Scratch space and bit vectors for one thread; `data` must be discrete and outlive it. */
BNB_MUST_CHECK status counts_create(const dataset *data, counts **out, error_info *err);

/** For another thread, of the same data: the two share their bit vectors of columns. `c` outlives it, and may be in use
 * meanwhile. */
BNB_MUST_CHECK status counts_create_twin(const counts *c, counts **out, error_info *err);
void counts_destroy(counts *c);
AUTO_PTR_OF(counts, counts_destroy)

/** Lends bit vectors of all columns of the data, so that none are made of many rows, and their rows by state; they must
 * outlive the service, or NULL be lent before they end. */
void counts_lend_tables(counts *c, const pair_tables *tables);

/** Forces a method, for tests and benchmarks; COUNTS_AUTO is the default. A method that cannot do a
 * table falls back. */
typedef enum { COUNTS_AUTO, COUNTS_BITS, COUNTS_HISTOGRAM, COUNTS_SPARSE } counts_method;
void counts_force_method(counts *c, counts_method method);

/**
 * The table of `first` x `extra` in every stratum, a stratum being a configuration of the other columns of the base.
 * Valid until the next call on the same service.
 *
 * Dense (cells != NULL): n_strata = all configurations (the first conditioning column varies fastest), or only the
 * observed ones in ascending order where there are too many; the count of (stratum s, extra e, first f) is
 * cells[(s * r_extra + e) * r_first + f].
 * Sparse (cells == NULL): the positive counts alone, n_cells of them, ascending by code; code = the same index.
 * core/counting/strata.h reads them by stratum.
 */
typedef struct {
    size_t n_strata;
    size_t r_first, r_extra; /* r_extra is 1 without an extra column */
    double q_conditioning;   /* all configurations of the conditioning columns, observed or not */
    const uint32_t *cells;
    size_t n_cells;
    const uint64_t *codes;
    const uint32_t *tallies;
} counts_table;

#define COUNTS_NO_EXTRA ((size_t)-1)

/**
 * Counts (first, conditioning..., extra). Consecutive calls with the same `first` and `conditioning` share the work
 * for those, so vary `extra` in the innermost loop.
 *
 * @param conditioning n_conditioning distinct columns other than first and extra, in any order
 * @param extra        one more column, or COUNTS_NO_EXTRA
 * @return STATUS_MEMORY. Everything else is the caller's promise.
 */
BNB_MUST_CHECK status counts_get(counts *c, size_t first, const size_t *conditioning, size_t n_conditioning,
                                 size_t extra, counts_table *out, error_info *err);

/** The cells of a base that have rows, ascending, each with the bit vector of its rows; until the next call. */
typedef struct {
    size_t n; /* 0: this base is not held as bit vectors */
    size_t r_first, n_words;
    const uint32_t *cell, *tally; /* cell: stratum * r_first + state of the first column */
    const uint64_t *bits;         /* n vectors of n_words, one after the other */
    uint64_t serial;              /* of the service's bases, from 1 on: as long as it stays, so does the base */
} counts_base;

/** What will be read of the column when it is the extra one begins to come into the caches. */
void counts_approach(const counts *c, size_t column);

/** The base of counts_get(first, conditioning, ...), for a caller that counts many extra columns at once. */
BNB_MUST_CHECK status counts_get_base(counts *c, size_t first, const size_t *conditioning, size_t n_conditioning,
                                      counts_base *out, error_info *err);

/** The dispatch level in use: "avx512", "avx2" or "portable"; BNBENCH_SIMD in the environment lowers it. */
const char *counts_simd_level(void);

#endif
