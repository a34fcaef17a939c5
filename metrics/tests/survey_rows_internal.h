/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The rows of a survey, for who asks for all pairs of one column after the other. A row takes a bit from each word of
 * the blocks before its own: those of 64 places are made from one reading, and kept while their columns go by. */
#ifndef BNB_METRICS_TESTS_SURVEY_ROWS_INTERNAL_H
#define BNB_METRICS_TESTS_SURVEY_ROWS_INTERNAL_H

#include "metrics/tests/pair_survey_internal.h"

enum { SURVEY_KEPT = 8 /* blocks: columns in order are of as many blocks at a time as there are numbers of states */ };

typedef struct {
    uint64_t *words; /* of each place n_blocks; NULL before first use */
    size_t block;
    uint64_t last_use; /* 0: never */
} survey_block;

/** Of one survey, for one thread. Zero-initialise. */
typedef struct {
    survey_block kept[SURVEY_KEPT];
    uint64_t n_uses;
} survey_rows;

void survey_rows_clear(survey_rows *r);

/** All pairs of x, a bit a place, n_blocks words, until the next call; NULL without memory. */
const uint64_t *survey_rows_find(survey_rows *r, const pair_survey *s, size_t x);

#endif
