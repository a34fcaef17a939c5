/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which pairs of columns are dependent without condition: what pair_survey.c finds at once. */
#ifndef BNB_METRICS_TESTS_PAIR_SURVEY_INTERNAL_H
#define BNB_METRICS_TESTS_PAIR_SURVEY_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t n_words;
    uint64_t *bits; /* a row of n_words a column: bit x of row y, and bit y of row x; NULL: there was no survey */
} pair_survey;

static inline bool pair_survey_was_made(const pair_survey *s) {
    return s->bits != NULL;
}

/** Of a pair that was tested: is it dependent? x and y differ. */
static inline bool pair_survey_is_dependent(const pair_survey *s, size_t x, size_t y) {
    return s->bits[y * s->n_words + x / 64] >> x % 64 & 1;
}

#endif
