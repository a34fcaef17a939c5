/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Learners for somebody's first comparison, one of each school: `init` writes them down, `recommend` tries them. */
#ifndef BNB_CLI_BASE_FIRST_LEARNERS_H
#define BNB_CLI_BASE_FIRST_LEARNERS_H

#include <stdbool.h>
#include <stddef.h>

enum { FIRST_LEARNER_MOST_OPTIONS = 2 };

/** A learner with options as `bnbench learn -O` takes them, NULL behind the last. */
typedef struct {
    const char *learner;
    const char *options[FIRST_LEARNER_MOST_OPTIONS + 1];
    const char *school; /* what it does, in words */
    bool is_slow;       /* too slow where a few learners share a minute; such ones are the last */
} first_learner;

/** Those for data of that kind (data_kinds); the first is the graph without edges, to compare with. */
const first_learner *first_learners_for(int kind, bool with_slow, size_t *n);

#endif
