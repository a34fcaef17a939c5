/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/survey_rows_internal.h"

#include <string.h>

enum { PLACES = 64 /* of a block */ };

void survey_rows_clear(survey_rows *r) {
    for (size_t i = 0; i < SURVEY_KEPT; i++)
        free(r->kept[i].words);
    *r = (survey_rows){0};
}

/* Bit k of word i becomes bit i of word k: halves change places, then quarters, and so on. */
static void turn_square(uint64_t *words) {
    uint64_t low = UINT32_MAX;
    for (size_t n = PLACES / 2; n > 0; n /= 2, low ^= low << n) {
        for (size_t first = 0; first < PLACES; first += 2 * n) {
            for (size_t i = first; i < first + n; i++) {
                uint64_t other = (words[i] >> n ^ words[i + n]) & low;
                words[i] ^= other << n;
                words[i + n] ^= other;
            }
        }
    }
}

/* Of two blocks, the later one has written no words of the earlier one's places. */
static void fill(survey_block *b, const pair_survey *s) {
    for (size_t other = 0; other < s->n_blocks; other++) {
        size_t first = other < b->block ? other : b->block, second = other < b->block ? b->block : other;
        const uint64_t *words = &s->bits[pair_survey_word(s->n_blocks, first * PLACES, second)];
        uint64_t square[PLACES];
        memcpy(square, words, sizeof square);
        if (other <= b->block)
            turn_square(square);
        for (size_t i = 0; i < PLACES; i++)
            b->words[i * s->n_blocks + other] = other == b->block ? square[i] | words[i] : square[i];
    }
}

static survey_block *find_block(survey_rows *r, size_t block) {
    survey_block *oldest = &r->kept[0];
    for (size_t i = 0; i < SURVEY_KEPT; i++) {
        survey_block *b = &r->kept[i];
        if (b->last_use > 0 && b->block == block)
            return b;
        if (b->last_use < oldest->last_use)
            oldest = b;
    }
    oldest->last_use = 0;
    return oldest;
}

const uint64_t *survey_rows_find(survey_rows *r, const pair_survey *s, size_t x) {
    size_t place = s->places[x], block = place / PLACES;
    survey_block *b = find_block(r, block);
    if (!b->words)
        b->words = calloc(PLACES * s->n_blocks, sizeof *b->words);
    if (!b->words)
        return NULL;
    if (b->last_use == 0) {
        b->block = block;
        fill(b, s);
    }
    b->last_use = ++r->n_uses;
    return b->words + place % PLACES * s->n_blocks;
}
