/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What ci_decide.c keeps between tests: the terms of the sets that were met. */
#ifndef BNB_METRICS_TESTS_CI_BOUNDS_INTERNAL_H
#define BNB_METRICS_TESTS_CI_BOUNDS_INTERNAL_H

#include "core/counting/distinct_rows.h"
#include "metrics/numerics/set_terms_internal.h"
#include "metrics/numerics/whole_terms_internal.h"

/* What was asked for last: tests in a row share the set and one of the pair. */
typedef struct {
    bool is_set;
    size_t n, *z;
    size_t y;
    set_term alone, with_y;
} recent_set;

/* What every column shares with one of them without condition: n times the information. */
typedef struct {
    size_t column, n_found;
    int64_t *information; /* by column; -1 where not yet found */
    size_t *found;        /* the columns that are */
} focus_terms;

typedef struct {
    set_terms *sets;
    focus_terms focus;
    size_t *others; /* a set but for one column */
    recent_set recent;
    int64_t none; /* the term of no columns */
} ci_bounds;

/** Borrows the data, the terms and the rows, which may be NULL. */
BNB_MUST_CHECK status ci_bounds_create(const dataset *data, const whole_terms *terms, distinct_rows *rows,
                                       ci_bounds **out, error_info *err);
/** The same for another thread: see set_terms_create_beside. */
BNB_MUST_CHECK status ci_bounds_create_beside(const ci_bounds *with, const dataset *data, distinct_rows *rows,
                                              ci_bounds **out, error_info *err);
void ci_bounds_destroy(ci_bounds *b); /* NULL is fine */
AUTO_PTR_OF(ci_bounds, ci_bounds_destroy)

/** What x shares with `column`, which the terms are turned to; cheap where many calls in a row share the column. */
BNB_MUST_CHECK status ci_bounds_with_focus(ci_bounds *b, size_t x, size_t column, int64_t *out, error_info *err);
/** The same, which a test of the pair has found, is known from here on. */
void ci_bounds_add_focus(ci_bounds *b, size_t x, size_t column, int64_t information);

#endif
