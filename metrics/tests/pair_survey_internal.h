/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which pairs of columns are dependent without condition: what pair_survey.c finds at once. */
#ifndef BNB_METRICS_TESTS_PAIR_SURVEY_INTERNAL_H
#define BNB_METRICS_TESTS_PAIR_SURVEY_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** A bit a pair: each place has a word for its own block of 64 places and one for each block after that. The words of
 * two blocks lie side by side, as who asks for all pairs of a column goes from place to place. */
typedef struct {
    size_t n_blocks;
    uint32_t *places; /* by column */
    uint64_t *bits;   /* NULL: there was no survey */
} pair_survey;

static inline void pair_survey_clear(pair_survey *s) {
    free(s->places);
    free(s->bits);
    *s = (pair_survey){0};
}

static inline bool pair_survey_was_made(const pair_survey *s) {
    return s->bits != NULL;
}

/** Words of all places of so many blocks with the blocks from their own on. */
static inline size_t pair_survey_words(size_t n_blocks) {
    return 64 * ((n_blocks * n_blocks + n_blocks) / 2);
}

/** The word of a place and a block, which is not before its own. */
static inline size_t pair_survey_word(size_t n_blocks, size_t place, size_t block) {
    size_t own = place / 64;
    return 64 * (own * n_blocks - (own * own - own) / 2 + block - own) + place % 64;
}

/** Of a pair that was tested: is it dependent? x and y differ. */
static inline bool pair_survey_is_dependent(const pair_survey *s, size_t x, size_t y) {
    size_t a = s->places[x], b = s->places[y], first = a < b ? a : b, second = a < b ? b : a;
    return s->bits[pair_survey_word(s->n_blocks, first, second / 64)] >> second % 64 & 1;
}

#endif
