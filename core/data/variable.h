/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A variable: its name and, if it is discrete, its full state space, seen in the data or not. */
#ifndef BNB_CORE_DATA_VARIABLE_H
#define BNB_CORE_DATA_VARIABLE_H

#include "core/base/status.h"

#include <stdbool.h>

typedef enum { VARIABLE_DISCRETE, VARIABLE_CONTINUOUS } variable_kind;

/** Zero-initialise. Owns its name and states. */
typedef struct {
    char *name;
    variable_kind kind;
    size_t n_states; /* 1 .. VARIABLE_MAX_STATES; 0 for a continuous variable */
    char **states;
} variable;

#define VARIABLE_MAX_STATES 65536u

/** Copies name and states. STATUS_INVALID: no name, no state, too many, or two states of one name. */
BNB_MUST_CHECK status variable_init_discrete(variable *v, const char *name, const char *const *states, size_t n_states,
                                             error_info *err);
BNB_MUST_CHECK status variable_init_continuous(variable *v, const char *name, error_info *err);
BNB_MUST_CHECK status variable_copy(const variable *from, variable *to, error_info *err);
void variable_clear(variable *v);
void variables_destroy(variable *variables, size_t n); /* clears each and frees the array; NULL is fine */

/** The state's number, or n_states where there is none of that name. O(n_states). */
size_t variable_find_state(const variable *v, const char *state);

/** Same kind, name and states in the same order. */
bool variable_is_equal(const variable *a, const variable *b);

#endif
