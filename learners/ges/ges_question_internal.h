/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a search of GES asks of the data. */
#ifndef BNB_LEARNERS_GES_GES_QUESTION_INTERNAL_H
#define BNB_LEARNERS_GES_GES_QUESTION_INTERNAL_H

#include <stddef.h>

/** The scores of y with the family and each of the first n_columns nodes. */
typedef struct {
    size_t y, n_family, n_columns;
    const size_t *family; /* its order tells in the last bits */
    size_t most;          /* gains that are kept of all nodes'; 0: scores are what is asked for */
} ges_question;

typedef struct {
    ges_question *items;
    size_t n;
} ges_questions;

/** Questions that are foreseen at a time, at most. */
enum { GES_MOST_FORESEEN = 16 };

/** Gains that may be kept. */
static inline size_t ges_question_room(const ges_question *q) {
    return 2 * q->most < q->n_columns ? 2 * q->most : q->n_columns;
}

#endif
