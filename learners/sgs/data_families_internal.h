/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The scores of families on data, by themselves or whole rows of them at once. */
#ifndef BNB_LEARNERS_SGS_DATA_FAMILIES_INTERNAL_H
#define BNB_LEARNERS_SGS_DATA_FAMILIES_INTERNAL_H

#include "core/base/cache_line.h"
#include "core/run/crew.h"
#include "learners/greedy/greedy_search.h"
#include "learners/sgs/sgs_search.h"
#include "metrics/scores/score_rows.h"

#include <stdatomic.h>

/** Where a thread's part of a row goes on, in a line of its own. */
typedef struct {
    _Alignas(CACHE_LINE) atomic_size_t next;
} fresh_part;

typedef struct {
    size_t n_variables;
    score *scorer;
    score_columns *columns; /* NULL: no rows */
    score_rows *rows;       /* by worker */
    score **twins;          /* by worker, for the scorer is one thread's at a time; NULL: one worker has the scorer */
    size_t n_workers;
    size_t *family; /* scratch */
    run_context *ctx;
    statistics_count counted; /* where the run is told of it by data_families_publish */
    crew *threads;            /* NULL: none are at work yet */
    fresh_part *parts;        /* by worker */
} data_families;

/** Borrows `data`. Zero-initialise before; clear also after an error. */
BNB_MUST_CHECK status data_families_init(data_families *d, const dataset *data, const greedy_options *search,
                                         run_context *ctx, error_info *err);
/** Rows can be had by several threads from here on. */
BNB_MUST_CHECK status data_families_share(data_families *d, size_t n_threads, error_info *err);
void data_families_clear(data_families *d);

/** Counts apart from the run's tally from here on, for threads that ask in turns; the run's own thread adds it up. */
void data_families_count_apart(data_families *d);
void data_families_publish(data_families *d);

/** Counts what is asked for in the tally of the run; good as long as `d`. `is_first`: nothing was asked of the scorer,
 * and nothing will be, that does not come from one search of this source. */
family_source data_families_source(data_families *d, bool is_first);

#endif
