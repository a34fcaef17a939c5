/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Values of information that a search will ask for, computed by several threads at once. */
#ifndef BNB_LEARNERS_TPDA_TPDA_FORESIGHT_INTERNAL_H
#define BNB_LEARNERS_TPDA_TPDA_FORESIGHT_INTERNAL_H

#include "core/run/crew.h"
#include "core/run/run_context.h"
#include "metrics/numerics/information.h"

#include <stdatomic.h>
#include <stdbool.h>

/** Given a set, which begins at that place of the members. */
typedef struct {
    size_t start, n_set;
    double value;
} foreseen_value;

/** About one pair at a time. All but the arrays is borrowed. */
typedef struct {
    const information_source *source; /* the search's, and: */
    const information_source *others; /* by thread, from the second on, with `compute` */
    crew *threads;                    /* NULL: one alone, and nothing is foreseen */
    size_t x, y;
    foreseen_value *items;
    size_t n_items, capacity;
    size_t *members;
    size_t n_members, members_capacity;
    size_t n_computed; /* items, the first ones */
    atomic_size_t next;
    double last_s; /* what the source took for the last value that was not foreseen */
} tpda_foresight;

void tpda_foresight_clear(tpda_foresight *f);

/** The questions that follow are about x and y: nothing of them is known yet. */
void tpda_foresight_begin(tpda_foresight *f, size_t x, size_t y);

/** Do so many questions take longer than threads take to meet? */
bool tpda_foresight_is_worth(const tpda_foresight *f, size_t n);

/** A set of so many that will be asked about: its members go there. NULL: out of memory. */
size_t *tpda_foresight_add(tpda_foresight *f, size_t n_set, error_info *err);

/** Computes what was added. */
BNB_MUST_CHECK status tpda_foresight_compute(tpda_foresight *f, error_info *err);

/** As the source's `measure` of the pair, and counted as that. */
BNB_MUST_CHECK status tpda_foresight_ask(tpda_foresight *f, const size_t *set, size_t n, double *out, error_info *err);

#endif
