/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Functions of an integer count that are costly to compute and asked for again and again: n log n, and
 * lgamma(a + n) - lgamma(a) for each a. Values are filled in at first use, in blocks that threads share; a block that
 * many were asked of is filled as a whole.
 */
#ifndef BNB_METRICS_NUMERICS_TERM_TABLE_INTERNAL_H
#define BNB_METRICS_NUMERICS_TERM_TABLE_INTERNAL_H

#include "core/run/shared_double.h"
#include "metrics/numerics/term_runs_internal.h"

#include <stdbool.h>

typedef struct term_table term_table;
typedef struct term_tables term_tables;

/** For one thread. `twin`: another thread's tables of the same counts, which live as long; NULL: there are none. */
BNB_MUST_CHECK status term_tables_create(size_t max_count, const term_tables *twin, term_tables **out, error_info *err);
void term_tables_destroy(term_tables *t); /* NULL is fine */
AUTO_PTR_OF(term_tables, term_tables_destroy)

/** The table of lgamma(a + n) - lgamma(a), a > 0; made at first use. Lives as long as the tables. */
BNB_MUST_CHECK status term_tables_gamma(term_tables *t, double a, term_table **out, error_info *err);

/** The table of n log n. */
BNB_MUST_CHECK status term_tables_n_log_n(term_tables *t, term_table **out, error_info *err);

struct term_table {
    double parameter; /* a; 0 for n log n */
    double log_gamma; /* lgamma(a) */
    double **blocks;  /* TERM_BLOCK values each; NaN where not yet computed */
    bool *is_held;    /* by block: it is the run's, which threads share */
    term_runs *runs;  /* shared with twins */
    term_run *run;    /* of the parameter; NULL: not yet asked for */
    double *first;    /* n_first values of it, which are only read */
    uint32_t n_first;
    size_t n_filled; /* values that no thread had put into their block */
    bool is_growing; /* noted by whoever reads many values: presumably more will have to be; true at first */
};

/** The values of 0 .. most, one after the other; NULL where they are many and counts of 2^16 or more may come, or
 * without memory. */
const double *term_table_first(term_table *table, uint32_t most);

/** Computes and keeps the value; without memory, only computes it. */
double term_table_fill(term_table *table, uint32_t n);

/** The value, or NaN where it was never asked for. */
static inline double term_table_known(const term_table *table, uint32_t n) {
    return shared_double_get(&table->blocks[n >> TERM_BLOCK_BITS][n & (TERM_BLOCK - 1)]);
}

static inline double term_table_at(term_table *table, uint32_t n) {
    double value = term_table_known(table, n);
    return value == value /* not NaN */ ? value : term_table_fill(table, n);
}

#endif
