/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Room for what is at hand while the operators at a node are listed; of one thread. */
#ifndef BNB_LEARNERS_GES_GES_SCRATCH_INTERNAL_H
#define BNB_LEARNERS_GES_GES_SCRATCH_INTERNAL_H

#include "core/base/status.h"

#include <stdint.h>

/** Zero-initialise. */
typedef struct {
    size_t *parents, *near, *clique; /* of the node whose arrows are being scored */
    size_t n_parents, n_near, n_clique;
    size_t *family;
    size_t *affected; /* whose operators are to be scored anew */
    size_t *left_out; /* of insertions */
    size_t n_left_out;
    uint64_t *out_bits; /* a set of nodes, n_words long */
    uint64_t *around;   /* such sets: what cannot be X for any clique; and what is around each of `near` */
    size_t around_capacity;
    size_t *set[3]; /* of operators, when they are compared */
} ges_scratch;

/** For graphs of n nodes. */
BNB_MUST_CHECK status ges_scratch_init(ges_scratch *w, size_t n, error_info *err);
void ges_scratch_clear(ges_scratch *w);

#endif
