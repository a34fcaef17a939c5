/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which pairs of columns are dependent without condition: what pair_survey.c finds at once. */
#ifndef BNB_METRICS_TESTS_PAIR_SURVEY_INTERNAL_H
#define BNB_METRICS_TESTS_PAIR_SURVEY_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** A bit a pair: each place has a word for its own block of 64 places and one for each block after that. The words of
 * two blocks lie side by side, as who asks for all pairs of a column goes from place to place. A survey of a part of
 * the columns with those after them has words for the places of the part alone, which come first. */
typedef struct {
    size_t n_blocks;
    uint32_t *places; /* by column; those before the part have PAIR_SURVEY_NO_PLACE */
    uint64_t *bits;   /* NULL: there was no survey */
} pair_survey;

#define PAIR_SURVEY_NO_PLACE UINT32_MAX

static inline void pair_survey_clear(pair_survey *s) {
    free(s->places);
    free(s->bits);
    *s = (pair_survey){0};
}

static inline bool pair_survey_was_made(const pair_survey *s) {
    return s->bits != NULL;
}

/** Words of the places of the first n_leading of so many blocks. */
static inline size_t pair_survey_words(size_t n_blocks, size_t n_leading) {
    return 64 * (n_leading * n_blocks - (n_leading * n_leading - n_leading) / 2);
}

/** The word of a place and a block, which is not before its own. */
static inline size_t pair_survey_word(size_t n_blocks, size_t place, size_t block) {
    size_t own = place / 64;
    return 64 * (own * n_blocks - (own * own - own) / 2 + block - own) + place % 64;
}

/** Of a pair that was tested: is it dependent? x and y differ. True where one of them has no place: of such a column a
 * search knows already what is independent of it, and asks about the rest. */
static inline bool pair_survey_is_dependent(const pair_survey *s, size_t x, size_t y) {
    size_t a = s->places[x], b = s->places[y], first = a < b ? a : b, second = a < b ? b : a;
    if (second == PAIR_SURVEY_NO_PLACE)
        return true;
    return s->bits[pair_survey_word(s->n_blocks, first, second / 64)] >> second % 64 & 1;
}

#endif
