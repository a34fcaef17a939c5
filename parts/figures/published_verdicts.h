/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The outcomes of tests that papers print: verdicts on pairs, and marks of mean ranks. */
#ifndef BNB_PARTS_FIGURES_PUBLISHED_VERDICTS_H
#define BNB_PARTS_FIGURES_PUBLISHED_VERDICTS_H

#include "core/base/status.h"

typedef struct published_verdicts published_verdicts;

/**
 * Reads a file of results/published/ with the columns network, sample_size and algorithm, and either versus and verdict
 * (`+`, `-`, `~`, `n/a`) or value and not_worse_than_best (`yes`, `no`), with is_best_in_column.
 * @return STATUS_MISSING, STATUS_IO, STATUS_PARSE (with the column that is missing).
 */
BNB_MUST_CHECK status published_verdicts_read(const char *path, published_verdicts **out, error_info *err);

/** The same of a file in a folder, as published_read_in. */
BNB_MUST_CHECK status published_verdicts_read_in(const char *folder, const char *name, published_verdicts **out,
                                                 error_info *err);
BNB_MUST_CHECK status published_verdicts_parse(const char *text, size_t length, published_verdicts **out,
                                               error_info *err);
void published_verdicts_destroy(published_verdicts *t); /* NULL is fine */
AUTO_PTR_OF(published_verdicts, published_verdicts_destroy)

/** Where to look. NULL: any, as long as one row alone answers. */
typedef struct {
    const char *network, *sample_size, *metric;
} verdict_place;

/**
 * '+', '-' or '~' for `first` against `second`, also where the file has the pair the other way round; '?' where the
 * paper prints n/a; '\0' where it says nothing, or several things.
 */
char published_verdict_find(const published_verdicts *t, const verdict_place *at, const char *first,
                            const char *second);

/** What Friedman's test with a control says of a learner. */
typedef enum { MARK_NONE, MARK_BEST, MARK_ALIKE, MARK_WORSE } rank_mark;
const char *rank_mark_name(rank_mark mark); /* "", "best", "not worse", "worse" */

/** The mark and the mean rank of an algorithm; MARK_NONE and NAN where the file has none. */
rank_mark published_mark_find(const published_verdicts *t, const verdict_place *at, const char *algorithm,
                              double *mean_rank);

#endif
