/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is told by a run what part of its work is done: it never falls. */
#ifndef BNB_TESTS_LEARNERS_PROGRESS_LISTENER_H
#define BNB_TESTS_LEARNERS_PROGRESS_LISTENER_H

#include "tests/support/support.h"

typedef struct {
    size_t n_told;
    double last;
} listener;

static inline void hear(void *self, double part) {
    listener *l = self;
    assert_true(part >= l->last && part <= 1);
    l->last = part;
    l->n_told++;
}

#endif
