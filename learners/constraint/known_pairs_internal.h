/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * An association without condition is the same from either end. So what the pass of all columns by one block of targets
 * has found of the columns of a later block is kept for the pass by that block. Threads tell and read side by side;
 * what is not told, as the block was begun before or too many are kept, is for the reader to find itself.
 */
#ifndef BNB_LEARNERS_CONSTRAINT_KNOWN_PAIRS_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_KNOWN_PAIRS_INTERNAL_H

#include "core/counting/pair_block.h"
#include "metrics/tests/association.h"

#include <pthread.h>

/** A column that depends on the target. */
typedef struct {
    uint32_t variable;
    uint32_t grade; /* of metrics/tests/pair_screen.h; 0: the association is the next of those that are exact */
} dependent_column;

/** Those of a target. */
typedef struct {
    dependent_column *items; /* ascending by variable */
    size_t count, capacity;
    association *exact;
    size_t n_exact, exact_capacity;
} candidate_list;

void candidate_list_clear(candidate_list *l);

/** One that is dependent. */
typedef struct {
    uint16_t grade;         /* 0: the association is to be found again */
    unsigned char from, to; /* the columns' places in their blocks */
} known_pair;

/** Of the columns of an earlier block and those of a later one. */
typedef struct pair_letter {
    struct pair_letter *next;
    size_t block;     /* the earlier one */
    size_t n, n_read; /* pairs */
    known_pair pairs[];
} pair_letter;

typedef struct {
    uint32_t block, lane;
} block_place;

typedef struct {
    const pair_blocks *blocks; /* borrowed */
    block_place *places;       /* by column */
    pthread_mutex_t lock;      /* of what follows */
    pair_letter **to;          /* by block: what it has been told */
    bool *is_begun;            /* by block: it is told no more */
    size_t n_kept;             /* pairs, of all blocks, and what letters take beside them, in pairs */
} known_pairs;

/** Of blocks of p columns. known_pairs_clear in any case. */
BNB_MUST_CHECK status known_pairs_init(known_pairs *k, const pair_blocks *blocks, size_t p, error_info *err);
void known_pairs_clear(known_pairs *k);

/** Before all else: this block will not be begun, and is told nothing. */
void known_pairs_pass_over(known_pairs *k, size_t block);

/** The candidates that a block's targets have, by target: tells all later blocks up to `end`. */
BNB_MUST_CHECK status known_pairs_tell(known_pairs *k, size_t block, size_t end, const candidate_list *lists,
                                       error_info *err);

/** What one thread reads: by block that has told, its letter. */
typedef struct {
    known_pairs *of;
    pair_letter **letters;
} pair_reader;

BNB_MUST_CHECK status pair_reader_init(pair_reader *r, known_pairs *k, error_info *err);
void pair_reader_clear(pair_reader *r);

/** Begins a block, after the one before was ended. */
void pair_reader_begin(pair_reader *r, size_t block);
void pair_reader_end(pair_reader *r);

/** True where all pairs of x and the block are known: the n that are dependent. Asked of ascending columns. */
bool pair_reader_find(pair_reader *r, size_t x, const known_pair **pairs, size_t *n);

#endif
